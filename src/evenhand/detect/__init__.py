"""Which detector judges a suite: by pronouns, by the noun phrase of the focus, by what agrees with the speaker or the
listener, or by two references. `open_detector` is the only way in: whatever it opens looks first whether there is a
rendering at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from evenhand.detect.validity import validity
from evenhand.detect.verdict import Checked, Detector
from evenhand.errors import Unknown
from evenhand.suites.suite import SuiteKind
from evenhand.verbs import callable_room

if TYPE_CHECKING:
    from evenhand.detect.nouns import NounDetector

RULE = "evenhand"  # where none is named
ALIGNED_RULES = ("stanovsky2019",)  # need pairs with word alignments
NOUN_RULES = (RULE, *ALIGNED_RULES)

__all__ = ["ALIGNED_RULES", "NOUN_RULES", "RULE", "Detector", "open_detector", "open_noun_judge"]


def open_detector(
    kind: SuiteKind,
    *,
    source: str,
    target: str,
    rule: str = RULE,
    user_forms: Path | None = None,
    pool: pl.DataFrame | None = None,
    as_published: bool = False,
) -> Detector:
    """The detector for a kind of suite and a language pair, behind the check that a text is a rendering at all.

    `rule` is Evenhand's own or a published one: cho2019 for pronouns in English, stanovsky2019 for nouns (it needs
    pairs with word alignments). `user_forms` is a file of forms that people labelled; they win over the shipped ones.
    `pool` (columns source, rendering) is text it learns word translations from besides the stored ones.
    `as_published` leaves the check out for a published rule, which judged whatever it was given: for a paper's table.
    """
    check = validity(source, target)
    if pool is not None:
        pool = pool.filter(check.check(pool).is_null())
    bare = _open(kind, source, target, rule=rule, user_forms=user_forms, pool=pool)
    if kind == "contrastive" or (as_published and rule != RULE):  # contrastive renderings are given
        return bare
    return Checked(bare, check, adequate=False if kind == "nouns" else None)


def open_noun_judge(*, target: str) -> NounDetector:
    """The noun detector that tells where the person stands, for a caller that judges one pair several times (mend) and
    looks itself whether there is a rendering at all. For everything else `open_detector` is the door."""
    from evenhand.detect.nouns import NounDetector

    return NounDetector("en", target)


def _open(
    kind: SuiteKind, source: str, target: str, *, rule: str, user_forms: Path | None, pool: pl.DataFrame | None
) -> Detector:
    if kind == "contrastive":  # judged by scores: its rule is how they are made comparable
        from evenhand.detect.preference import LENGTHS, PreferenceDetector

        return PreferenceDetector(LENGTHS[0] if rule == RULE else rule)
    if kind == "pronouns":
        from evenhand.detect.pronouns import PronounDetector

        return PronounDetector(target, rule=rule)
    if kind == "references":
        from evenhand.detect.contrastive import ReferenceDetector

        return ReferenceDetector()
    known = NOUN_RULES if kind == "nouns" else (RULE,)
    if rule not in known:
        raise Unknown(f"rule for {kind}", rule, known)
    if kind == "mentions":
        from evenhand.detect.mentions import MentionDetector

        return MentionDetector(target)
    if kind != "nouns":
        from evenhand.detect.speaker import SpeakerDetector

        return SpeakerDetector(target, whom=kind)
    if rule == "stanovsky2019":
        from evenhand.detect.stanovsky2019 import AlignedRule

        return AlignedRule(source, target)
    from evenhand.detect.nouns import NounDetector, shipped

    if user_forms is None and pool is None:
        return shipped(source, target)
    return NounDetector(source, target, user_forms=user_forms, pool=pool)


VERB = "evenhand.workflows.detect:detect"
callable_room(__name__)
