"""When a run's answers were given: asked now or taken from the translation memory, and how old those are."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence

from evenhand.errors import BadInput
from evenhand.runs import Run
from evenhand.systems.protocol import Answer, System

NEVER = "9999"  # later than every date: nothing in the memory is young enough
_AGE = re.compile(r"(\d+(?:\.\d+)?)\s*([hdw])")
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0}


def age(text: str) -> float:
    """Days of `12h`, `30d` or `2w`."""
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise BadInput(f"an age is written 12h, 30d or 2w, not {text!r}")
    return float(match[1]) * _DAYS[match[2]]


def since(*, refresh: bool, max_age: float | None) -> str | None:
    """The date before which answers in the memory count as not there; None: all count."""
    if refresh:
        return NEVER
    if max_age is None:
        return None
    return (dt.datetime.now(dt.UTC) - dt.timedelta(days=max_age)).isoformat(timespec="seconds")


def answered(system: System, answers: Sequence[Answer], *, started: dt.datetime) -> dict[str, object]:
    """What the manifest keeps: how many answers, from where, between which dates, by which versions of the system.

    Answers asked now lie between the start of the run and this moment.
    """
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
        "remote": bool(getattr(system, "remote", False)),
    }


def check_newer(run: Run, before: Run) -> None:
    """Refuse to gate answers of a remote system that are not newer than those they are held against.

    A service may change without a word, and the translation memory would answer as it did then. Systems whose
    fingerprint covers what answers (files, local models, simulations) are asked anew whenever that changes.
    """
    now, then = run.manifest.answered or {}, before.manifest.answered or {}
    if not now.get("remote") or run.manifest.system != before.manifest.system:
        return
    newest = _date(then, "newest") or _created(before)
    oldest = _date(now, "oldest")
    if newest is not None and oldest is not None and oldest <= newest:
        raise BadInput(
            f"the answers of {run.path or 'this run'} are not newer than those of {before.path or 'the other'} "
            f"({now.get('remembered')} of {now.get('answers')} from the translation memory, the oldest of "
            f"{oldest:%Y-%m-%d %H:%M}): {run.manifest.system_label} was not asked again. Audit with --refresh or "
            "--max-age 1d, or give --allow-memory."
        )


def _date(told: Mapping[str, object], name: str) -> dt.datetime | None:
    return dt.datetime.fromisoformat(str(told[name])) if told.get(name) else None


def _created(run: Run) -> dt.datetime | None:
    return dt.datetime.fromisoformat(run.manifest.created) if run.manifest.created else None
