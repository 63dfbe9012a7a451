"""Persian: `او پزشک است.` and `او مهربان است.`

او is she and he. Text is stored in logical order (right to left on screen); a zero-width non-joiner stands where the
spelling asks for it. Arabic feminine forms in -e are left out. Formal written Persian: no indefinite -i, and است is
never dropped.
"""

from __future__ import annotations

import polars as pl

from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-persian"


def probes() -> pl.DataFrame:
    """Occupations, positive and negative expressions."""
    return fill(SUITE, "fa")
