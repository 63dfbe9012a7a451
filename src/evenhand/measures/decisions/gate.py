"""A gate for continuous integration: what was required of a run, what came out, and whether it passed."""

from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from evenhand.measures.decisions.margins import INCONCLUSIVE
from evenhand.measures.decisions.paired import Comparison
from evenhand.visible import shortened

NotShown = Literal["pass", "fail"]


@dataclass(frozen=True)
class Check:
    """One thing the gate looked at: a limit, a measure against the baseline, the answers themselves, a sentence. `rule`
    is what was required, `outcome` the result in a word or two, `told` in one sentence."""

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
    code: str = ""
    """The rule for machines, which stays when the words of `rule` change."""


@dataclass(frozen=True)
class Gate:
    """All checks of a run, what was not gated with the reason, and what else has to be said. `doubts`: why nothing can
    be concluded from the run, whatever the checks say (exit code 2)."""

    checks: list[Check]
    not_gated: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    @property
    def failures(self) -> list[str]:
        """One sentence per failed check; empty when the run passed."""
        failed = (check for check in self.checks if not check.passed)
        return [f"{check.name}: {check.told}" if check.name else check.told for check in failed]

    @property
    def passed(self) -> bool:
        return not self.failures and not self.doubts

    @property
    def exit_code(self) -> int:
        return 2 if self.doubts else 1 if self.failures else 0


def baseline_checks(
    comparison: Comparison, run: str, baseline: str, *, level: float, not_shown: NotShown | None = None
) -> list[Check]:
    """Every measure with a margin (0: none) of a run against the baseline; `run` and `baseline` name them there. What
    is inconclusive passes where no margin is given, since then only significant harm fails, and fails where one is,
    since a margin asks for proof; `not_shown` says otherwise for both. Where more than a tenth of either run's answers
    are unusable, that is the failure, and measures say nothing."""
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
    by = f" by more than {margin:g}" if margin else ""
    claim = "unchanged" if row["better"] == "none" else "no worse"
    passed = outcome in ("no worse", "unchanged") or (outcome == INCONCLUSIVE and lenient)
    words, rule = _sentence(row, outcome, by, claim, f"{100 * level:.4g} %"), f"{claim}{by}" if by else "not worse"
    was, now, worse_by, at_most, reach = (_float(row[c]) for c in ("was", "now", "worse_by", "at_most", "reach"))
    name = str(row["measure"])
    return Check("baseline", name, rule, outcome, passed, words, was, now, worse_by, at_most, reach)


def _sentence(row: CheckRow, outcome: str, by: str, claim: str, confidence: str) -> str:
    was, now, at_least, at_most, p = (_float(row[c]) for c in ("was", "now", "at_least", "at_most", "p"))
    values = f"{_number(was)} to {_number(now)}"
    if row["better"] == "nearer":
        values += f" (nearer to {row['neutral']:g} is better)"
    size = "changed" if row["better"] == "none" else "worse"
    if outcome == INCONCLUSIVE:
        head = f"{values}: cannot confirm {claim}{by}" if by else f"{values}: change too small to call"
        if at_most is None:
            return f"{head}: {row['note']}"
        why = row["note"] or f"smallest detectable change: {_number(_float(row['reach']))}"
        return f"{head}, {size} by up to {_number(at_most)} ({confidence}); {why}"
    if outcome in ("no worse", "unchanged"):
        better = at_most is not None and at_most < 0
        bound = f"better by at least {_number(-(at_most or 0))}" if better else f"{size} by at most {_number(at_most)}"
        return f"{outcome}{by}: {values}, {bound} ({confidence})"
    tested = "" if p is None else f", corrected p {p:.3g}"
    surely = f"{size}{by}" if by else "significantly worse than the baseline"
    return f"{surely}: {values}, {size} by at least {_number(at_least)} ({confidence}){tested}"


def _float(value: str | float | None) -> float | None:
    return None if value is None else float(value)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4g}"


# Why a run allows no conclusion at all: a gate or a comparison that reads it ends with exit code 2.

FEWEST = 30  # different sources; of fewer, some translations may well be alike
PER_TEXT = 50  # different sources for each text that renderings may come from
NEARLY_ALL = 0.9


def alike(answers: pl.DataFrame) -> str:
    """A sentence where nearly all renderings are one text, or come from few, though the sources differ; else ""."""
    texts = answers.select("source", pl.col("rendering").fill_null("").str.strip_chars().str.to_lowercase())
    texts = texts.filter(pl.col("rendering") != "")
    sources = texts["source"].n_unique()
    if sources < FEWEST:
        return ""
    most = max(1, sources // PER_TEXT)
    # the share of rows that have one of the most frequent values
    share, of_sources = (
        texts[name].value_counts(sort=True)["count"].head(most).sum() / texts.height for name in ("rendering", "source")
    )
    if share < NEARLY_ALL or of_sources >= NEARLY_ALL:
        return ""
    counts = texts["rendering"].value_counts().sort("count", "rendering", descending=[True, False])
    first, n = shortened(counts["rendering"][0], 60), counts["count"][0]
    one = f"{n:,} of {texts.height:,} renderings are one text (“{first}”)"
    few = f"{share:.0%} of {texts.height:,} renderings come from {min(most, counts.height)} texts (“{first}”, ...)"
    why = one if n >= NEARLY_ALL * texts.height else few
    return f"{why}, though the suite has {sources:,} different sources: these are no translations of them"
