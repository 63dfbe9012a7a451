"""Turkish: `O bir doktor.` and `O nazik.`

O is she, he and it, and also the determiner "that". Without bir, `O doktor.` reads as "that doctor" as easily as "s/he
is a doctor", so occupations take bir; adjectives need no article.
"""

from __future__ import annotations

import polars as pl

from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-turkish"


def probes() -> pl.DataFrame:
    """Occupations, positive and negative expressions."""
    return fill(SUITE, "tr")
