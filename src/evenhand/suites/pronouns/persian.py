"""Persian: `او پزشک است.` and `او مهربان است.`

او is she and he. Text is stored in logical order (right to left on screen); a zero-width non-joiner stands where the
spelling asks for it. Arabic feminine forms in -e are left out. Formal written Persian: no indefinite -i, and است is
never dropped. After final ا and after the vowel /u/ it is joined and loses its alef (نانواست, ترسوست), as the Academy
of Persian Language and Literature writes it; after the vowel /o/ (رادیو, خودرو) it is not.
"""

from __future__ import annotations

import polars as pl

from evenhand.suites.history import CURRENT
from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-persian"
ENDS_IN_O = ("رادیو", "خودرو")  # a final و that is not /u/


def probes(version: str = CURRENT) -> pl.DataFrame:
    """Occupations, positive and negative expressions."""
    return fill(SUITE, "fa", version=version, inflect=_with_copula)


def with_copula(form: str) -> str:
    """The form with "is": joined after ا and /u/, a word of its own elsewhere."""
    joined = form.endswith("ا") or (form.endswith("و") and not form.endswith(ENDS_IN_O))
    return form + ("ست" if joined else " است")


def _with_copula(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(copula=pl.col("form").map_elements(with_copula, return_dtype=pl.String))
