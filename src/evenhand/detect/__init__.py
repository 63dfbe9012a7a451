"""Which detector judges a suite: by pronouns, or by the noun phrase of the focus."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import polars as pl

from evenhand.errors import Unknown
from evenhand.suites.suite import Kind
from evenhand.verbs import callable_room

RULE = "evenhand"  # where none is named
ALIGNED_RULES = ("stanovsky2019",)  # need pairs with word alignments
NOUN_RULES = (RULE, *ALIGNED_RULES)


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
    own: bool = True,
    pool: pl.DataFrame | None = None,
) -> Detector:
    """The detector for a kind of suite and a language pair.

    `rule` is Evenhand's own or a published one: cho2019 for pronouns in English, stanovsky2019 for nouns (it needs
    pairs with word alignments). Without `user_forms` the noun detector reads the user's own forms of the language, if
    `evenhand review` kept any; `own` False leaves them out (a replication must not depend on who runs it).
    `pool` (columns source, rendering) is text it learns word translations from besides the stored ones.
    """
    if kind == "pronouns":
        from evenhand.detect.pronouns import PronounDetector

        return PronounDetector(target, rule=rule)
    if kind == "references":
        from evenhand.detect.contrastive import ReferenceDetector

        return ReferenceDetector()
    if rule == "stanovsky2019":
        from evenhand.detect.stanovsky2019 import AlignedRule

        return AlignedRule(source, target)
    if rule not in NOUN_RULES:
        raise Unknown("noun rule", rule, NOUN_RULES)
    from evenhand.detect.nouns import NounDetector
    from evenhand.detect.own_forms import own_forms

    return NounDetector(source, target, user_forms=user_forms or (own_forms(target) if own else None), pool=pool)


VERB = "evenhand.detect.verdicts:detect"
callable_room(__name__)
