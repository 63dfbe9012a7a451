"""Estonian: `Ta on arst.` and `Ta on sõbralik.`

The short pronoun ta is the everyday one for she and he (the long tema stresses). Words in -nna are left out.
"""

from __future__ import annotations

import polars as pl

from evenhand.suites.history import CURRENT
from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-estonian"


def probes(version: str = CURRENT) -> pl.DataFrame:
    """Occupations, positive and negative expressions."""
    return fill(SUITE, "et", version=version)
