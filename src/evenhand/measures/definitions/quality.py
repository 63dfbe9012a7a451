"""Translation quality by gender: chrF and BLEU through sacrebleu, for suites with reference translations.

They are computed where they are asked for by name (`--measure chrF`), never because a package happens to be installed:
numbers must not depend on that. The signature names sacrebleu's version.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
import polars as pl

from evenhand.detect.contrastive import is_right
from evenhand.errors import require
from evenhand.measures.definitions.counts import Proportion, count_by_cluster
from evenhand.statistics.measure import Better, Floats, Measure, Statistics


class Quality(Measure):
    """Corpus chrF or BLEU of the first answers against the column `reference`, with sacrebleu's own defaults. Between 0
    and 100, higher is better; NaN without any sentence. By gold gender the difference (female - male) is 0 when both
    are translated equally well. Statistics of sentences add up, so the corpus score of a resample needs no second look
    at the text. Source: Currey et al. 2022 (quality by gender); Post 2018 (sacrebleu)."""

    better: Better = "higher"
    neutral = 100.0
    bounds = (0.0, 100.0)
    needs = ("rendering", "reference")
    additive = True

    def __init__(self, name: Literal["chrF", "BLEU"]) -> None:
        sacrebleu = require("sacrebleu", purpose=f"the measure {name}", extra="quality")
        self.name = name
        self.fingerprint = f"sacrebleu-{sacrebleu.__version__}"
        metric = (sacrebleu.CHRF if name == "chrF" else sacrebleu.BLEU)()
        self._sums: Callable[[list[str], list[list[str]]], list[list[int]]] = metric._extract_corpus_statistics
        self._score: Callable[[list[int]], float] = lambda sums: float(metric._compute_score_from_stats(sums).score)

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        outputs, references = (table[c].cast(pl.String).fill_null("").to_list() for c in self.needs)
        sums = np.array(self._sums(outputs, [references]), dtype=np.float64)
        cells = pl.DataFrame({"sentences": np.ones(len(sums)), **{f"_{n}": cell for n, cell in enumerate(sums.T)}})
        summed = table.drop("gender", strict=False).hstack(cells)
        return count_by_cluster(summed, clusters, {name: pl.col(name) for name in cells.columns})

    def value(self, statistics: Statistics, weights: Floats) -> Floats:
        totals = ([round(s) for s in sums] for sums in statistics.totals(weights))
        return np.array([self._score(sums) if sentences else np.nan for sentences, *sums in totals])


# Gender accuracy against two references, the right one and its opposite (MT-GenEval, Currey et al. 2022): bags of
# lower-case words. An output without a gendered word of either reference counts as right, as published: read it beside
# translation quality.


class ReferenceAccuracy(Proportion):
    """Share of renderings without a word that only the other-gender reference has (contextual accuracy). Between 0 and
    1, higher is better. Columns rendering, reference, reference_other, and valid where it is known: an answer that is
    no rendering has no wrong word but translates nothing. It counts as wrong here (the published script would call it
    right). Source: Currey et al. 2022, section 4."""

    def __init__(self, name: str = "reference_accuracy", needs: tuple[str, ...] = ()) -> None:
        cells = {"right": pl.col("_right"), "wrong": ~pl.col("_right")}
        needed = ("rendering", "reference", "reference_other", *needs)
        super().__init__(name, cells, "higher", 1.0, needs=needed)

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        return count_by_cluster(judged(table).drop("gender", strict=False), clusters, self.cells())


class CounterfactualAccuracy(ReferenceAccuracy):
    """Share of pairs whose feminine and masculine rendering are both right (column `pair` joins them). Between 0 and 1,
    higher is better; a system that always writes the masculine is near 0. A pair with one half missing is left out.
    Source: Currey et al. 2022, section 4."""

    whole = True  # a group that holds one half of each pair has no value

    def __init__(self) -> None:
        super().__init__("counterfactual_accuracy", ("pair",))

    def statistics(self, table: pl.DataFrame, clusters: tuple[str, ...]) -> Statistics:
        pairs = judged(table).drop("gender", strict=False)
        keys = ["pair"] + (["sample"] if "sample" in table.columns else [])
        whole = [pl.col(c).all().over(keys) for c in ("_right", "valid") if c in pairs.columns]
        pairs = pairs.with_columns(*whole, pl.len().over(keys).alias("_size"))
        first = pairs.filter((pl.col("_size") > 1) & pl.struct(keys).is_first_distinct())
        return count_by_cluster(first, clusters, self.cells())


def judged(table: pl.DataFrame) -> pl.DataFrame:
    """The table with a column `_right`; what is empty or no rendering at all is wrong."""
    columns = (table[c].fill_null("").to_list() for c in ("rendering", "reference", "reference_other"))
    rows = zip(*columns, strict=True)
    right = [bool(output.strip()) and is_right(output, reference, other) for output, reference, other in rows]
    valid = table["valid"].fill_null(value=True).to_numpy() if "valid" in table.columns else True
    return table.with_columns(pl.Series("_right", np.array(right, dtype=bool) & valid))
