"""Finnish: `Hän on lääkäri.` and `Hän on ystävällinen.`; hän is she and he, and nothing else."""

from __future__ import annotations

import polars as pl

from evenhand.suites.history import CURRENT
from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-finnish"


def probes(version: str = CURRENT) -> pl.DataFrame:
    """Occupations, positive and negative expressions."""
    return fill(SUITE, "fi", version=version)
