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

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import get_args

import numpy as np
import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.level import LEVEL
from evenhand.measures.definitions import registry
from evenhand.measures.estimate import estimate
from evenhand.readers.toml_tables import read_toml_tables
from evenhand.statistics.classical import Correction, adjust
from evenhand.statistics.effective import RESAMPLES
from evenhand.suites.suite import Grouping

_KEYS = ("id", "text", "measure", "column", "greater", "smaller", "correction", "family", "of")
_NEEDED = ("id", "measure", "column", "greater", "smaller")


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
    return tuple(sorted(f.name.removesuffix(".toml") for f in _folder().iterdir() if f.name.endswith(".toml")))


def _folder() -> Path:
    return Path(str(files("evenhand.measures.decisions"))) / "studies"


def read_hypotheses(source: str | Path) -> list[Hypothesis]:
    """Hypotheses from a TOML file, or a shipped set by its name (troles2021)."""
    path = Path(source)
    if not path.exists():
        path = _folder() / f"{source}.toml"
        if not path.exists():
            raise Unknown("hypotheses file", str(source), shipped())
    hypotheses = [_hypothesis(where, entry) for where, entry in read_toml_tables(path, "hypothesis", keys=_KEYS)]
    names = [h.id for h in hypotheses]
    double = [n for n in names if names.count(n) > 1]
    if double:
        raise BadInput(f"{path}: hypothesis {double[0]!r} occurs more than once")
    return hypotheses


def _hypothesis(where: str, entry: dict[str, object]) -> Hypothesis:
    for key in _NEEDED:
        if not isinstance(entry.get(key), str):
            raise BadInput(f"{where}: {key} is missing (a text)")
    text = {k: str(v) for k, v in entry.items()}
    if text["measure"] not in registry.names():
        raise BadInput(f"{where}: {Unknown('measure', text['measure'], registry.names())}")
    correction = text.get("correction", "none")
    if correction not in get_args(Correction):
        raise BadInput(f"{where}: {Unknown('correction', correction, get_args(Correction))}")
    return Hypothesis(
        id=text["id"],
        text=text.get("text", f"{text['greater']} > {text['smaller']} on {text['measure']}"),
        measure=text["measure"],
        column=text["column"],
        greater=text["greater"],
        smaller=text["smaller"],
        correction=correction,  # type: ignore[arg-type]
        family=text.get("family", text["id"]),
        of=text.get("of", text["greater"]),
    )


def answer(
    hypotheses: Sequence[Hypothesis],
    table: pl.DataFrame,
    *,
    clusters: Sequence[str] = (),
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> pl.DataFrame:
    """One row per hypothesis: id, text, difference (`of` minus the other) with interval, both tests, both answers.

    `answer` rests on the cluster-robust test, `answer_independent` on the chi-square that takes sentences for
    independent (as the papers did): supported, rejected (the difference is significant the other way round),
    undecided, or not answerable when the run lacks the column or one of the groups. A cluster-robust answer that
    depends on something the data do not settle (`condition`) is "supported conditionally".
    """
    rows = [
        _answer(hypothesis, table, clusters=clusters, seed=seed, resamples=resamples, level=level)
        for hypothesis in hypotheses
    ]
    for family in dict.fromkeys(h.family for h in hypotheses):
        members = [i for i, h in enumerate(hypotheses) if h.family == family]
        method = hypotheses[members[0]].correction
        for column in ("p", "independent_p"):
            values = [rows[i][column] for i in members]
            adjusted = adjust([float("nan") if v is None else float(v) for v in values], method)
            for i, p in zip(members, adjusted, strict=True):
                rows[i][f"{column}_adjusted"] = None if np.isnan(p) else float(p)
    for hypothesis, row in zip(hypotheses, rows, strict=True):
        said = _verdict(row, "p_adjusted", 1 - level, hypothesis.sign)
        firm = said not in ("supported", "rejected") or not row["condition"]
        row["answer"] = said if firm else f"{said} conditionally"
        row["answer_independent"] = _verdict(row, "independent_p_adjusted", 1 - level, hypothesis.sign)
    return pl.DataFrame(rows, schema=ANSWERS)


HypothesisAnswer = dict[str, str | float | int | None]
ANSWERS: dict[str, pl.DataType] = {
    "id": pl.String(),
    "text": pl.String(),
    "measure": pl.String(),
    "greater": pl.String(),
    "smaller": pl.String(),
    "of": pl.String(),
    "value": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "interval": pl.String(),
    "p": pl.Float64(),
    "p_adjusted": pl.Float64(),
    "independent_statistic": pl.Float64(),
    "independent_p": pl.Float64(),
    "independent_p_adjusted": pl.Float64(),
    "family": pl.String(),
    "correction": pl.String(),
    "answer": pl.String(),
    "answer_independent": pl.String(),
    "note": pl.String(),
    "condition": pl.String(),
}


def _answer(
    hypothesis: Hypothesis, table: pl.DataFrame, *, clusters: Sequence[str], seed: int, resamples: int, level: float
) -> HypothesisAnswer:
    row: HypothesisAnswer = dict.fromkeys(ANSWERS) | {c: v for c, v in asdict(hypothesis).items() if c in ANSWERS}
    pair = (hypothesis.greater, hypothesis.smaller)
    present = table[hypothesis.column].unique().to_list() if hypothesis.column in table.columns else []
    missing = [name for name in pair if name not in present]
    if missing:
        return row | {"note": f"the run has no {hypothesis.column} {missing[0]!r}"}
    levels = Grouping("_pair", levels={name: {hypothesis.column: name} for name in pair})
    estimates = estimate(
        table.filter(pl.col(hypothesis.column).is_in(pair)),
        clusters=clusters,
        groupings=(levels,),
        measures=(hypothesis.measure,),
        seed=seed,
        resamples=resamples,
        level=level,
    ).filter(pl.col("level") == f"{pair[0]} - {pair[1]}")
    taken = ("value", "low", "high", "interval", "p", "independent_statistic", "independent_p", "note", "condition")
    found = estimates.select(taken).row(0, named=True)
    if hypothesis.sign < 0:
        turned = {name: None if found[name] is None else -found[name] for name in ("value", "low", "high")}
        found |= {"value": turned["value"], "low": turned["high"], "high": turned["low"]}
    return row | found


def _verdict(row: HypothesisAnswer, column: str, alpha: float, sign: int) -> str:
    p, value = row[column], row["value"]
    if not isinstance(p, float) or not isinstance(value, float):
        return "not answerable"
    if p >= alpha:
        return "undecided"
    return "supported" if sign * value > 0 else "rejected"
