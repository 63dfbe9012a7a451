"""A gate for continuous integration: what was required of a run, what came out, and whether it passed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from evenhand.measures.decisions.paired import Comparison

NotShown = Literal["pass", "fail"]


@dataclass(frozen=True)
class Check:
    """One thing the gate looked at: a limit, a measure against the baseline, the answers themselves, a sentence.

    `rule` is what was required, `outcome` what came out in a word or two, `told` in one sentence.
    """

    kind: Literal["answers", "limit", "baseline", "history", "sentence", "string"]
    name: str
    rule: str
    outcome: str
    passed: bool
    told: str
    was: float | None = None
    now: float | None = None
    worse_by: float | None = None
    at_most: float | None = None
    reach: float | None = None
    place: tuple[str, int] | None = None
    """The file and the line it is about."""


@dataclass(frozen=True)
class Gate:
    """All checks of a run, what was not gated with the reason, and what else has to be said.

    `doubts`: why nothing can be concluded from the run, whatever the checks say (exit code 2).
    """

    checks: list[Check]
    not_gated: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    @property
    def failures(self) -> list[str]:
        """One sentence a failed check; empty when the run passed."""
        return [
            f"{check.name}: {check.told}" if check.name else check.told for check in self.checks if not check.passed
        ]

    @property
    def passed(self) -> bool:
        return not self.failures and not self.doubts

    @property
    def exit_code(self) -> int:
        return 2 if self.doubts else 1 if self.failures else 0


def baseline_checks(
    comparison: Comparison, run: str, baseline: str, *, level: float, not_shown: NotShown | None = None
) -> list[Check]:
    """Every measure with a margin (0: none) of a run against the baseline; `run` and `baseline` name them there.

    What is not shown either way passes where no margin is given, since then only harm that is shown fails, and fails
    where one is, since a margin asks for proof; `not_shown` says otherwise for both. Where more than a tenth of either
    run's answers are no renderings at all, that is the failure, and measures say nothing.
    """
    if comparison.unranked:
        return [
            Check("answers", "", "answers are renderings", "no renderings", passed=False, told=remark)
            for remark in comparison.remarks
        ]
    mine = (pl.col("system") == run) & (pl.col("against") == baseline)
    return [_check(row, level, not_shown) for row in comparison.harms.filter(mine).iter_rows(named=True)]


CheckRow = dict[str, str | float | None]


def _check(row: CheckRow, level: float, not_shown: NotShown | None) -> Check:
    outcome, margin = str(row["outcome"]), _float(row["margin"])
    lenient = (not_shown or ("pass" if margin is None else "fail")) == "pass"
    still = row["better"] == "none"
    passed = outcome in ("no worse", "unchanged") or (outcome == "not shown" and lenient)
    by = f" by more than {margin:g}" if margin else ""
    return Check(
        "baseline",
        str(row["measure"]),
        f"{'unchanged' if still else 'no worse'}{by}" if by else "not worse",
        outcome,
        passed,
        _told(row, outcome, by, f"{100 * level:.4g} %"),
        was=_float(row["was"]),
        now=_float(row["now"]),
        worse_by=_float(row["worse_by"]),
        at_most=_float(row["at_most"]),
        reach=_float(row["reach"]),
    )


def _told(row: CheckRow, outcome: str, by: str, confidence: str) -> str:
    was, now, at_least, at_most, p = (_float(row[c]) for c in ("was", "now", "at_least", "at_most", "p"))
    values = f"{_number(was)} to {_number(now)}"
    if row["better"] == "nearer":
        values += f" (nearer to {row['neutral']:g} is better)"
    size = "changed" if row["better"] == "none" else "worse"
    if outcome == "not shown":
        claim = "unchanged" if size == "changed" else "no worse than the baseline"
        if at_most is None:
            return f"not shown to be {claim}{by}: {values}, {row['note']}"
        reach = row["note"] or f"these sentences could show a margin of {_number(_float(row['reach']))} at best"
        return f"not shown to be {claim}{by}: {values}, {size} by up to {_number(at_most)} ({confidence}); {reach}"
    if outcome in ("no worse", "unchanged"):
        bound = (
            f"better by at least {_number(-at_most)}"
            if at_most and at_most < 0
            else f"{size} by at most {_number(at_most)}"
        )
        return f"{outcome}{by}: {values}, {bound} ({confidence})"
    tested = "" if p is None else f", corrected p {p:.3g}"
    surely = "significantly worse than the baseline" if not by else f"{size}{by}"
    return f"{surely}: {values}, {size} by at least {_number(at_least)} ({confidence}){tested}"


def _float(value: str | float | None) -> float | None:
    return None if value is None else float(value)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4g}"
