"""DeepSPIN's tables of the gender bias of quality metrics (2025): what can be recomputed, and your own scores beside.

Their scores of single sentences are not public. The means over languages follow from the tables by language. Your own
scores of MT-GenEval's counterfactual references go beside the published ones: `METRIC.LANG.tsv` in the data folder,
with pair, gold (female, male), feminine and masculine (the scores of the two references under that source), higher for
better.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand.measures.definitions.preference import SCORES
from evenhand.readers.layout import Column, Layout
from evenhand.readers.registry import read
from evenhand.replicate.cell import TableCell, chosen, compare, published, value

PAPER, TABLE, MEAN = "deepspin2025", "References", "mean"
MEASURES = ("ratio_mean", "error_rate_ratio")
_NUMBERS = tuple(
    Column(name, type=pl.Float64(), required=True, given=True, means="a number") for name in ("feminine", "masculine")
)
LAYOUT = Layout("pair", (Column("pair", required=True), Column("gold", required=True), *_NUMBERS))


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """Means over languages from the printed tables, and the measures of every file of scores in `data`."""
    own = {path.name.rsplit(".", 2)[0] for path in data.glob("*.??.tsv")}
    names = chosen(sorted(own | {name for _, name, _, _ in published(PAPER)}), system, what="metric")
    return [row for row in (*_means(), *_own(data)) if row.system in names]


def _means() -> Iterator[TableCell]:
    by_language: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for (table, name, row, column), printed in published(PAPER).items():
        if row != MEAN:
            by_language[table, name, column].append(printed.value)
    for (table, name, column), values in by_language.items():
        note, mean = f"mean of {len(values)} printed values", sum(values) / len(values)
        yield compare(PAPER, (table, name, MEAN, column), mean, "the paper's printed table", note)


def _own(data: Path) -> Iterator[TableCell]:
    for path in sorted(data.glob("*.??.tsv")):
        name, language, _ = path.name.rsplit(".", 2)
        table = read(path, LAYOUT).rename(dict(zip(("feminine", "masculine"), SCORES, strict=True)))
        for measure in MEASURES:
            key, note = (TABLE, name, language, measure), f"{table.height:,} pairs of {path.name}"
            yield compare(PAPER, key, value(measure, table), "other data", note)
