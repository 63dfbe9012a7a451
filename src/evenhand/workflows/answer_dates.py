"""When a run's answers were given: asked now or taken from the translation memory, and how old those are."""

import datetime as dt
from collections.abc import Mapping, Sequence

from evenhand.errors import BadInput
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


def check_newer(run: Run, before: Run) -> None:
    """Refuse to gate answers of a system that may have changed if they are not newer than the baseline's: the
    translation memory would answer as it did then."""
    old = not_newer(run, before)
    if old:
        raise BadInput(f"{old} Audit with --refresh or --max-age 1d, or give --allow-memory.")


def not_newer(run: Run, before: Run) -> str:
    """What to say where a system that may have changed was not asked again since the other run; else ""."""
    now, then = run.manifest.answered or {}, before.manifest.answered or {}
    if not now.get("may_change", now.get("remote")) or run.manifest.system != before.manifest.system:
        return ""
    newest = _date(then, "newest") or (
        dt.datetime.fromisoformat(before.manifest.created) if before.manifest.created else None
    )
    oldest = _date(now, "oldest")
    if newest is None or oldest is None or oldest > newest:
        return ""
    names = f"the answers of {run.path or 'this run'} are not newer than those of {before.path or 'the other'}"
    if not now.get("remembered"):
        return f"{names}, though all were requested again: the clock of this machine was changed."
    memory = f"{now.get('remembered')} of {now.get('answers')} from the translation memory"
    told = f"{names} ({memory}, the oldest of {oldest:%Y-%m-%d %H:%M})"
    return f"{told}: {run.manifest.system_label} was not asked again."


def repeated_answers(runs: Sequence[Run]) -> list[str]:
    """The same of every run with remembered answers of which an earlier one stands among the runs."""

    def remembers(run: Run) -> bool:
        return bool((run.manifest.answered or {}).get("remembered"))

    # of two runs of one second, the one that remembers is the later one
    ordered = sorted(runs, key=lambda run: (run.manifest.created, remembers(run)))
    pairs = [(late, early) for n, late in enumerate(ordered) for early in ordered[:n] if remembers(late)]
    told = [not_newer(late, early) for late, early in pairs if late.manifest.target_lang == early.manifest.target_lang]
    return [sentence for sentence in told if sentence]


def _date(told: Mapping[str, object], name: str) -> dt.datetime | None:
    return dt.datetime.fromisoformat(str(told[name])) if told.get(name) else None
