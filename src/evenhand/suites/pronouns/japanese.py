"""Japanese: `あの人は医者だ。` and `あの人は医者です。`

Japanese has no unmarked everyday third-person pronoun: 彼 and 彼女 name a gender, and one usually drops the subject.
あの人 ("that person over there") is the nearest neutral word and is chosen knowingly; it compares with Korean
그 사람, not with 걔, and a rendering as "that person" is the literal one. Politeness is だ against です (plain against
polite; the plain end is called impolite to share the attribute with Korean). Adjectives in -i take no だ; verbs store
their polite form.
"""

from __future__ import annotations

import polars as pl

from evenhand.suites.history import CURRENT
from evenhand.suites.pronouns.frames import fill

SUITE = "pronouns-japanese"


def probes(version: str = CURRENT) -> pl.DataFrame:
    """Occupations, positive and negative expressions."""
    return fill(SUITE, "ja", version=version)
