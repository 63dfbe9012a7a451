"""When a run's answers were given: asked now or taken from the translation memory, and how old those are."""

import datetime as dt
from collections.abc import Sequence
from itertools import combinations

from evenhand.results.runs import Run
from evenhand.systems.protocol import Answer, System


def answered(system: System, answers: Sequence[Answer], *, started: dt.datetime) -> dict[str, object]:
    """What the manifest keeps: how many answers, from where, between which dates, by which versions. `may_change`: the
    system may answer otherwise under the same fingerprint (a service, or a program that may ask one)."""
    dates = [dt.datetime.fromisoformat(answer.asked_at) for answer in answers if answer.asked_at is not None]
    remembered, asked = len(dates), len(answers) - len(dates)
    if asked:
        dates += [started, dt.datetime.now(dt.UTC)]
    versions = sorted({answer.version for answer in answers if answer.version is not None})
    return {
        "answers": len(answers),
        "asked": asked,
        "remembered": remembered,
        "oldest": min(dates).isoformat(),
        "newest": max(dates).isoformat(),
        "versions": versions,
        "remote": (remote := bool(getattr(system, "remote", False))),
        "may_change": bool(getattr(system, "may_change", remote)),
    }


def not_newer(run: Run, before: Run) -> str:
    """What to say where a system that may have changed was not asked again since the other run; else ""."""
    now, then = run.manifest.answered or {}, before.manifest.answered or {}
    if not now.get("may_change", now.get("remote")) or run.manifest.system != before.manifest.system:
        return ""
    dates = (now.get("oldest"), then.get("newest") or before.manifest.created)
    if not all(dates):
        return ""
    oldest, newest = (dt.datetime.fromisoformat(str(date)) for date in dates)
    if oldest > newest:
        return ""
    names = f"the answers of {run.path or 'this run'} are not newer than those of {before.path or 'the other'}"
    if not now.get("remembered"):
        return f"{names}, though all were requested again: the clock of this machine was changed."
    memory = f"{now.get('remembered')} of {now.get('answers')} from the translation memory"
    since = f"{memory}, the oldest of {oldest:%Y-%m-%d %H:%M}"
    return f"{names} ({since}): {run.manifest.system_label} was not asked again."


def repeated_answers(runs: Sequence[Run]) -> list[str]:
    """The same of every run with remembered answers of which an earlier one stands among the runs."""

    def remembers(run: Run) -> bool:
        return bool((run.manifest.answered or {}).get("remembered"))

    # of two runs of one second, the one that remembers is the later one
    ordered = sorted(runs, key=lambda run: (run.manifest.created, remembers(run)))
    pairs = ((early, late) for early, late in combinations(ordered, 2) if remembers(late))
    same = (pair for pair in pairs if pair[0].manifest.target_lang == pair[1].manifest.target_lang)
    return list(filter(None, (not_newer(late, early) for early, late in same)))
