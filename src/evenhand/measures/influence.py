"""Which occupations carry the sum of B: one with few men among its people can weigh more than a hundred others."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

LARGEST = 5  # occupations that are named
FEW = 0.05  # of the occupations; half of the sum on fewer than that is told as a warning


@dataclass(frozen=True)
class Influence:
    """The largest summands of B, each with its share of the sum; how many carry half of it, of how many."""

    largest: tuple[tuple[str, float], ...]
    half: int
    n: int

    @property
    def few(self) -> bool:
        """Half of the sum rests on fewer than five occupations, or than a twentieth of those there are."""
        return self.half < max(LARGEST, FEW * self.n)

    def __str__(self) -> str:
        share = sum(part for _, part in self.largest)
        named = ", ".join(f"{name} {100 * part:.0f} %" for name, part in self.largest)
        text = (
            f"the {len(self.largest)} largest of {self.n} summands make {100 * share:.0f} % of the sum of B ({named})"
        )
        if self.few:
            text += f", warning: half of it rests on {self.half}, so read B_median, B_trimmed and B_log beside it"
        return text


def influence(errors: pl.DataFrame, occupation: str = "concept") -> Influence | None:
    """Of a table by occupation with B (see `optimal.by_occupation`); None where no occupation is biased."""
    name = "english" if "english" in errors.columns else occupation
    known = errors.filter(pl.col("B").is_not_null()).sort("B", descending=True, maintain_order=True)
    total = known["B"].sum()
    if not total > 0:
        return None
    shares = known["B"] / total
    half = int((shares.cum_sum() < 0.5 - 1e-12).sum()) + 1
    top = known.select(pl.coalesce(pl.col(name), pl.col(occupation).cast(pl.String))).to_series().head(LARGEST)
    largest = tuple(zip(map(str, top), shares.head(LARGEST).to_list(), strict=True))
    return Influence(tuple((word, part) for word, part in largest if part > 0), half, known.height)
