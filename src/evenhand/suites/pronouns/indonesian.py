"""Indonesian: `Dia seorang dokter.` and `Dia ramah.`

Dia is she and he. Occupations take seorang, the classifier for people; adjectives stand alone.
"""

from __future__ import annotations

import polars as pl

from evenhand.suites.history import CURRENT
from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-indonesian"


def probes(version: str = CURRENT) -> pl.DataFrame:
    """Occupations, positive and negative expressions."""
    return fill(SUITE, "id", version=version)
