"""Hypotheses as files: "feminine verbs > masculine verbs on %TFG", answered for any run.

[about]
title = "..."
source = "..."

[[hypothesis]]
id = "H1"
text = "Sentences with feminine verbs are rendered female more often than sentences with masculine verbs."
measure = "TFG"
column = "verb_class"         # probe column the groups are values of
greater = "feminine"
smaller = "masculine"
correction = "none"           # or bonferroni, holm, bh: within the hypotheses of the same family
family = "verbs"              # default: the hypothesis alone
of = "feminine"               # this group minus the other (default: the greater one minus the other)
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Unpack, get_args

import numpy as np
import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.level import LEVEL, Resampling, alpha_of
from evenhand.measures.definitions import registry
from evenhand.measures.estimate import estimate
from evenhand.readers.toml_tables import TomlTable, read_toml_tables
from evenhand.statistics.classical import Correction, adjust
from evenhand.storage.tables import schema
from evenhand.suites.suite import Grouping

STUDIES = Path(__file__).with_name("studies")
ESTIMATED = ("value", "low", "high", "interval", "p", "independent_statistic", "independent_p", "note", "condition")
ANSWERS = {
    **schema(pl.String, "id", "text", "measure", "greater", "smaller", "of"),
    **schema(pl.Float64, "value", "low", "high"),
    **schema(pl.String, "interval"),
    **schema(pl.Float64, "p", "p_adjusted", "independent_statistic", "independent_p", "independent_p_adjusted"),
    **schema(pl.String, "family", "correction", "answer", "answer_independent", "note", "condition"),
}
HypothesisAnswer = dict[str, str | float | int | None]


@dataclass(frozen=True)
class Hypothesis:
    """One group is expected to have the greater value of a measure."""

    id: str
    text: str
    measure: str
    column: str
    greater: str
    smaller: str
    correction: Correction
    family: str
    of: str

    @property
    def sign(self) -> int:
        """Of the difference that would support it."""
        return -1 if self.of == self.smaller else 1


def shipped() -> tuple[str, ...]:
    """Names of the hypothesis files that come with Evenhand."""
    return tuple(sorted(file.stem for file in STUDIES.glob("*.toml")))


def read_hypotheses(source: str | Path) -> list[Hypothesis]:
    """Hypotheses from a TOML file, or a shipped set by its name (troles2021)."""
    path = Path(source)
    if not path.exists():
        path = STUDIES / f"{source}.toml"
        if not path.exists():
            raise Unknown("hypotheses file", str(source), shipped())
    keys = [one.name for one in fields(Hypothesis)]
    hypotheses = [_hypothesis(where, entry) for where, entry in read_toml_tables(path, "hypothesis", keys=keys)]
    names = [h.id for h in hypotheses]
    double = [n for n in names if names.count(n) > 1]
    if double:
        raise BadInput(f"{path}: hypothesis {double[0]!r} occurs more than once")
    return hypotheses


def _hypothesis(where: str, entry: dict[str, object]) -> Hypothesis:
    text = TomlTable(where, entry).text
    id, measure, column, greater, smaller = (text(key) for key in ("id", "measure", "column", "greater", "smaller"))
    if measure not in registry.names():
        raise BadInput(f"{where}: {Unknown('measure', measure, registry.names())}")
    correction = next((one for one in get_args(Correction) if one == text("correction", "none")), None)
    if correction is None:
        raise BadInput(f"{where}: {Unknown('correction', text('correction'), get_args(Correction))}")
    words = text("text", f"{greater} > {smaller} on {measure}")
    family, of = text("family", id), text("of", greater)
    return Hypothesis(id, words, measure, column, greater, smaller, correction, family, of)


def answer(
    hypotheses: Sequence[Hypothesis], table: pl.DataFrame, *, clusters: Sequence[str] = (), **how: Unpack[Resampling]
) -> pl.DataFrame:
    """One row per hypothesis: id, text, difference (`of` minus the other) with interval, both tests, both answers.

    `answer` rests on the cluster-robust test, `answer_independent` on the chi-square that treats sentences as
    independent (as the papers did): supported, rejected (the difference is significant the other way round),
    undecided, or not answerable when the run lacks the column or one of the groups. A cluster-robust answer that
    depends on something the data do not settle (`condition`) is "supported conditionally".
    """
    rows = [_answer(hypothesis, table, clusters, how) for hypothesis in hypotheses]
    for family in dict.fromkeys(h.family for h in hypotheses):
        members = [i for i, h in enumerate(hypotheses) if h.family == family]
        method = hypotheses[members[0]].correction
        for column in ("p", "independent_p"):
            values = [rows[i][column] for i in members]
            adjusted = adjust([np.nan if v is None else float(v) for v in values], method)
            for i, p in zip(members, adjusted, strict=True):
                rows[i][f"{column}_adjusted"] = None if np.isnan(p) else float(p)
    alpha = alpha_of(how.get("level", LEVEL))
    for hypothesis, row in zip(hypotheses, rows, strict=True):
        decided = _verdict(row, "p_adjusted", alpha, hypothesis.sign)
        firm = decided not in ("supported", "rejected") or not row["condition"]
        row["answer"] = decided if firm else f"{decided} conditionally"
        row["answer_independent"] = _verdict(row, "independent_p_adjusted", alpha, hypothesis.sign)
    return pl.DataFrame(rows, schema=ANSWERS)


def _answer(hypothesis: Hypothesis, table: pl.DataFrame, clusters: Sequence[str], how: Resampling) -> HypothesisAnswer:
    row: HypothesisAnswer = dict.fromkeys(ANSWERS) | {c: v for c, v in asdict(hypothesis).items() if c in ANSWERS}
    column, pair = hypothesis.column, (hypothesis.greater, hypothesis.smaller)
    present = table[column].unique().to_list() if column in table.columns else []
    missing = [name for name in pair if name not in present]
    if missing:
        return row | {"note": f"the run has no {column} {missing[0]!r}"}
    levels = Grouping("_pair", levels={name: {column: name} for name in pair})
    chosen = table.filter(pl.col(column).is_in(pair))
    estimates = estimate(chosen, clusters=clusters, groupings=(levels,), measures=(hypothesis.measure,), **how)
    row |= estimates.filter(level=f"{pair[0]} - {pair[1]}").select(ESTIMATED).row(0, named=True)
    if hypothesis.sign < 0:
        turned = (row["value"], row["high"], row["low"])
        row |= {name: None if end is None else -float(end) for name, end in zip(ESTIMATED, turned, strict=False)}
    return row


def _verdict(row: HypothesisAnswer, column: str, alpha: float, sign: int) -> str:
    p, value = row[column], row["value"]
    if not isinstance(p, float) or not isinstance(value, float):
        return "not answerable"
    if p >= alpha:
        return "undecided"
    return "supported" if sign * value > 0 else "rejected"
