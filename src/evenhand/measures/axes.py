"""Which columns of a table of probes cluster its renderings: looked for in the data where none is named.

Every column that repeats is a candidate. It is an axis where renderings that share a value are more alike than chance:
the variance of a share over its values is larger than over single renderings (the design effect: Kish 1965). Axes that
cross are all kept; of two that nest, the finer one, unless the coarser has values enough and makes the variance larger
still.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.measures.definitions.counts import is_gender
from evenhand.statistics.measure import Floats
from evenhand.storage.tables import PROBES, PROBES_OPTIONAL, first_answers

NAMED = ("cluster", "occupation", "concept", "pair")  # the first of these that a table has is always an axis
CROSSED = ("verb", "adjective")  # words that our suites sample besides: axes wherever they repeat
RENDERED = ("feminine", "masculine", "output", "elsewhere")  # what renders a sentence is not what was sampled
FEWEST = 6  # values below which a column is a grouping, not a sample of something
MATTERS = 1.1  # design effect from which on an axis counts
COARSER = 10  # values, and ...
LARGER = 1.25  # ... increase of the variance, from which on a column counts that others nest in
MOST = 3


@dataclass(frozen=True)
class Axis:
    """A column that clusters renderings, and the correlation of two that share its value."""

    column: str
    effect: float
    icc: float


@dataclass(frozen=True)
class Axes:
    """The axes of a table; `shared` says which words its rows share where there is no axis."""

    found: tuple[Axis, ...]
    shared: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(axis.column for axis in self.found)

    @property
    def note(self) -> str:
        """What a reader must know; empty where a column named for it is the only axis, or rows share no words."""
        if len(self.found) == 1 and self.found[0].column in NAMED:
            return ""
        if self.found:
            listed = ", ".join(f"{axis.column} (correlation {axis.icc:.2f})" for axis in self.found)
            return f"clusters found in the data: {listed}; --cluster COLUMN names others"
        if self.shared:
            few = "intervals may be too narrow; name clusters by --cluster COLUMN"
            return f"no column clusters these sentences, but {self.shared}: {few}"
        return ""


def find_axes(table: pl.DataFrame, probes: Sequence[str]) -> Axes:
    """The axes of renderings (joined table with verdicts) among the columns of their probes."""
    decided = first_answers(table).filter(is_gender("female", "male", "neutral", "both"))
    crossed = [c for c in CROSSED if c in probes and _repeats(table[c])]
    always = (*next(((c,) for c in NAMED if c in probes), ()), *crossed)
    if not decided.height:
        return Axes(tuple(Axis(c, 1.0, 0.0) for c in always))
    further = [c for c in probes if c == "focus" or c not in (*PROBES, *PROBES_OPTIONAL, *NAMED, *CROSSED, *RENDERED)]
    moves = _moves(decided)
    codes = {c: _codes(decided[c]) for c in (*always, *filter(lambda c: _repeats(table[c]), further))}
    axes = {c: _axis(c, own, moves) for c, own in codes.items()}
    kept = [c for c in codes if c in always or axes[c].effect > MATTERS]
    kept.sort(key=lambda c: (c not in always, c == "focus", -len(np.unique(codes[c]))))  # the finer ones first
    chosen: list[str] = []
    for column in kept:
        _place(column, chosen, codes, axes, fixed=always)
    chosen.sort(key=lambda c: (c not in always, -axes[c].effect))
    return Axes(tuple(axes[c] for c in chosen[:MOST]), "" if chosen else _shared(table))


def _place(
    column: str, chosen: list[str], codes: dict[str, Floats], axes: dict[str, Axis], fixed: Sequence[str]
) -> None:
    """Add a column to the chosen ones, unless it nests in one of them or one of them in it."""
    for place, other in enumerate(chosen):
        if _nests(codes[column], codes[other]):
            return
        if _nests(codes[other], codes[column]):
            larger = axes[column].effect > LARGER * axes[other].effect and len(np.unique(codes[column])) >= COARSER
            if larger and other not in fixed:
                chosen[place] = column
            return
    chosen.append(column)


def _repeats(column: pl.Series) -> bool:
    levels = column.drop_nulls().n_unique()
    return column.dtype in (pl.String, pl.Categorical) and levels >= FEWEST and 1.2 * levels <= column.count()


def _codes(column: pl.Series) -> Floats:
    """A number for each value; a row without one is its own cluster."""
    numbered = column.cast(pl.String).rank("dense").cast(pl.Float64).fill_null(0.0).to_numpy()
    return np.where(column.is_null().to_numpy(), -1.0 - np.arange(len(column)), numbered)


def _moves(decided: pl.DataFrame) -> Floats:
    """Renderings by gender, as distances from their shares; genders that do not vary are left out."""
    seen = decided.select(is_gender(g).cast(pl.Float64).alias(g) for g in ("female", "male", "neutral")).to_numpy()
    return np.asarray((seen - seen.mean(axis=0))[:, np.ptp(seen, axis=0) > 0])


def _axis(column: str, codes: Floats, moves: Floats) -> Axis:
    """The largest design effect over the genders, and the correlation it amounts to."""
    _, index, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    largest = float((sizes**2).sum() / sizes.sum())
    if not moves.shape[1] or largest <= 1 or len(sizes) < 2:
        return Axis(column, 1.0, 0.0)
    sums = np.zeros((len(sizes), moves.shape[1]))
    np.add.at(sums, index.reshape(-1), moves)
    pulls = (sums**2 / np.maximum(1 - sizes / sizes.sum(), 1e-9)[:, None]).sum(axis=0)
    effect = float((pulls / (moves**2).sum(axis=0)).max())
    return Axis(column, effect, float(np.clip((effect - 1) / (largest - 1), 0.0, 1.0)))


def _nests(finer: Floats, coarser: Floats) -> bool:
    """Every value of the first column occurs with one value of the second."""
    pairs = np.unique(np.stack([finer, coarser]), axis=1)
    return bool(pairs.shape[1] == len(np.unique(finer)))


def _shared(table: pl.DataFrame) -> str:
    """Which words rows share, in one clause; empty where they share none."""
    probes = first_answers(table).unique("id")
    if "focus" not in probes.columns:
        return ""
    known = probes.filter(pl.col("focus").is_not_null())
    words = zip(known["source"], known["focus"], strict=True)
    frames = pl.Series([source.replace(focus, "", 1) for source, focus in words], dtype=pl.String)
    return " and ".join(
        f"{len(values):,} rows have {values.n_unique():,} different {words}"
        for words, values in (("focus words", known["focus"]), ("frames", frames))
        if values.n_unique() < len(values)
    )
