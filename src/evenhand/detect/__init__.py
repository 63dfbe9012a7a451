"""Which detector judges a suite: by pronouns, or by the noun phrase of the focus."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import polars as pl

from evenhand.suites.suite import Kind
from evenhand.verbs import callable_room

RULE = "evenhand"  # the pronoun rule where none is named


class Detector(Protocol):
    """Verdicts for a table of pairs, one row each, in its order; `fingerprint` names its version and data."""

    fingerprint: str

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame: ...


def open_detector(
    kind: Kind,
    *,
    source: str,
    target: str,
    rule: str = RULE,
    user_forms: Path | None = None,
    pool: pl.DataFrame | None = None,
) -> Detector:
    """The detector for a kind of suite and a language pair.

    Without `user_forms` the noun detector reads the user's own forms of the language, if `evenhand review` kept any.
    `pool` (columns source, rendering) is text it learns word translations from besides the stored ones.
    """
    if kind == "pronouns":
        from evenhand.detect.pronouns import PronounDetector

        return PronounDetector(target, rule=rule)
    if kind == "references":
        from evenhand.detect.contrastive import ReferenceDetector

        return ReferenceDetector()
    from evenhand.detect.nouns import NounDetector
    from evenhand.detect.own_forms import own_forms

    return NounDetector(source, target, user_forms=user_forms or own_forms(target), pool=pool)


VERB = "evenhand.detect.verdicts:detect"
callable_room(__name__)
