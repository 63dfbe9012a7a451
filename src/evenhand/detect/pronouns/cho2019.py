"""The word-list rule as published (Cho et al. 2019, section 3.2), kept to reproduce their table."""

from __future__ import annotations

import re

from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender

_TOKEN = re.compile(r"[a-z0-9'-]+")
_CLITIC = re.compile(r"(?:'s|'re|'ll|'ve|'d|'m|n't)$")
_FEMALE = frozenset({"she", "her", "woman", "girl"})
_MALE = frozenset({"he", "him", "man", "boy", "guy"})


def judge(rendering: str, focus_opens: bool) -> Verdict:
    """Female words are tested first; his, himself, herself do not count; one trailing clitic is stripped."""
    del focus_opens
    lowered = rendering.lower()
    tokens = [(_CLITIC.sub("", m.group()), m.start()) for m in _TOKEN.finditer(lowered)]
    for gender, words in ((Gender.FEMALE, _FEMALE), (Gender.MALE, _MALE)):
        for word, start in tokens:
            if word in words:
                return Verdict(gender, start, start + len(word), "pronoun", 1.0)
    return Verdict(Gender.NEUTRAL, confidence=1.0)
