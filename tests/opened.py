"""Detectors and menders that many tests only ask: opened when one is first asked for, once per process."""

from __future__ import annotations

from functools import cache

from evenhand.detect import nouns
from evenhand.mend import mender as mending


@cache
def detector(language: str) -> nouns.NounDetector:
    """English into this language, with the shipped forms."""
    return nouns.shipped("en", language)


@cache
def mender(language: str) -> mending.Mender:
    """The mender of this language."""
    return mending.Mender(language)
