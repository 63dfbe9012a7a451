"""Perceived femininity of occupations from survey answers 1 (very masculine) to 6 (very feminine).

Answers count by their distance from the middle: 2.5, 1.5, 0.5, 0.5, 1.5, 2.5. Masculinity is the weighted sum of the
answers 1 to 3 over the weighted sum of all (Farkas & Nemeth 2022, Tables 1 and 2: carpenter 170, 12, 7, 3, 4, 0 is
98.35 % masculine).
"""

from __future__ import annotations

import polars as pl

WEIGHTS = (2.5, 1.5, 0.5, 0.5, 1.5, 2.5)
ANSWERS = tuple(f"answer_{n}" for n in range(1, 7))


def with_femininity(table: pl.DataFrame) -> pl.DataFrame:
    """The survey table with `share_women` (perceived, 0 to 1; null without any answer) and `respondents`."""
    weighted = [pl.col(c) * w for c, w in zip(ANSWERS, WEIGHTS, strict=True)]
    total = pl.sum_horizontal(weighted)
    return table.with_columns(
        share_women=pl.when(total > 0).then(pl.sum_horizontal(weighted[3:]) / total),
        respondents=pl.sum_horizontal([pl.col(c) for c in ANSWERS]),
    )
