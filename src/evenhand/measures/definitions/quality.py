"""Translation quality by gender: chrF and BLEU through sacrebleu, for suites with reference translations.

They are computed where they are asked for by name (`--measure chrF`), never because a package happens to be installed:
numbers must not depend on that. The signature names sacrebleu's version.
"""

from __future__ import annotations

from typing import Literal, Protocol, cast

import numpy as np
import polars as pl

from evenhand.errors import require
from evenhand.measures.definitions.counts import count_by_cluster
from evenhand.statistics.measure import Better, Floats, Measure, Statistics


class _Scored(Protocol):
    score: float


class _Metric(Protocol):
    """What is used of a sacrebleu metric: sufficient statistics of sentences, and the score of their sums."""

    def _extract_corpus_statistics(self, outputs: list[str], references: list[list[str]]) -> list[list[int]]: ...

    def _compute_score_from_stats(self, sums: list[int]) -> _Scored: ...


class Quality(Measure):
    """Corpus chrF or BLEU of the first answers against the column `reference`, with sacrebleu's own defaults.

    Between 0 and 100, higher is better; NaN without any sentence. By gold gender the difference (female - male) is 0
    when both are translated equally well. Statistics of sentences add up, so the corpus score of a resample needs no
    second look at the text. Source: Currey et al. 2022 (quality by gender); Post 2018 (sacrebleu).
    """

    better: Better = "higher"
    neutral = 100.0
    bounds = (0.0, 100.0)
    needs = ("rendering", "reference")
    additive = True

    def __init__(self, name: Literal["chrF", "BLEU"]) -> None:
        sacrebleu = require("sacrebleu", purpose=f"the measure {name}", extra="quality")
        self.name = name
        self.fingerprint = f"sacrebleu-{sacrebleu.__version__}"
        self._metric = cast("_Metric", (sacrebleu.CHRF if name == "chrF" else sacrebleu.BLEU)())

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        outputs, references = (table[c].cast(pl.String).fill_null("").to_list() for c in self.needs)
        sums = np.array(self._metric._extract_corpus_statistics(outputs, [references]), dtype=np.float64)
        cells = pl.DataFrame({"sentences": np.ones(len(sums)), **{f"_{n}": cell for n, cell in enumerate(sums.T)}})
        summed = table.drop("gender", strict=False).hstack(cells)
        return count_by_cluster(summed, clusters, {name: pl.col(name) for name in cells.columns})

    def value(self, statistics: Statistics, weights: Floats) -> Floats:
        return np.array([self._score(sums) for sums in statistics.totals(weights)])

    def _score(self, sums: Floats) -> float:
        counts = [round(s) for s in sums]
        return float(self._metric._compute_score_from_stats(counts[1:]).score) if counts[0] else float("nan")
