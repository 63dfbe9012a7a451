"""Turkish: `O bir doktor.` and `O nazik biri.`

O is she, he and it, and also the determiner "that". Without bir, `O doktor.` reads as "that doctor" as easily as "s/he
is a doctor", so occupations take bir; a bare adjective (`O nazik.`) could be said of a thing, so adjectives take biri,
"somebody".
"""

from __future__ import annotations

import polars as pl

from evenhand.suites.history import CURRENT
from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-turkish"


def probes(version: str = CURRENT) -> pl.DataFrame:
    """Occupations, positive and negative expressions."""
    return fill(SUITE, "tr", version=version)
