"""Hungarian: `Ő egy orvos.` and `Ő kedves.`; and the occupation suite of Farkas & Nemeth (2022).

Ő is she and he. Everyday Hungarian would often drop the pronoun or the article (`Orvos.`); the study's template keeps
both, and the pronoun has to be there to be asked about.
"""

from __future__ import annotations

import polars as pl

from evenhand.suites.history import CURRENT
from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-hungarian"
OCCUPATIONS_SUITE = "occupations-hungarian"


def probes(version: str = CURRENT) -> pl.DataFrame:
    """Occupations with the indefinite article, adjectives without."""
    return fill(SUITE, "hu", version=version)


def occupations(version: str = CURRENT) -> pl.DataFrame:
    """Each occupation in seven templates: `ő egy X`, `Ő egy X.`, `ő X`, and four with an adjective before X.

    Capital and full stop are left out on purpose, as in the study: they change what a system answers. `adjective` is
    null in the first three; `base` points from an adjective variant to its `ő egy X`.
    """
    table = fill(OCCUPATIONS_SUITE, "hu", version=version)
    plain = pl.format("hu-occ-{}-plain", "concept")
    return table.with_columns(base=pl.when(pl.col("adjective").is_not_null()).then(plain))
