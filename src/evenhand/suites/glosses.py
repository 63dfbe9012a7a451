"""Sentences, sentence frames and words of the pronoun suites in English, for readers who do not know the language.

A gloss is made for people to read; nothing is measured on it. A suite of your own may bring one in a column `gloss`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from evenhand import tsv
from evenhand.suites.pronouns.frames import FRAMES
from evenhand.suites.pronouns.lexicon import LEXICON

ENGLISH = "en"
OPEN = "…"  # stands for the open slot of a frame
_SLOT = re.compile(r"\{\w+\}")
_SOUNDS_LIKE_YOU = re.compile(r"u(ni|se|ti|ro)|eu|one", re.IGNORECASE)  # a union leader, but an usher


@cache
def _frame_glosses() -> Mapping[str, str]:
    return {row["template"]: row["gloss"] for row in tsv.rows(FRAMES)}


@cache
def _adjectives() -> Mapping[str, str]:
    return {row["adjective"]: row["adjective_gloss"] for row in tsv.rows(FRAMES) if row["adjective_gloss"]}


@cache
def _sectors() -> Mapping[str, str]:
    return {row["sector"]: row["english"] for row in tsv.rows(LEXICON / "sectors.tsv")}


def sentence_gloss(row: Mapping[str, object]) -> str:
    """What a probe says in English; "" where its source is English, or where nobody told us.

    The column `gloss` comes first, then the frame with the column `english` in it, then that column alone.
    """
    if row.get("source_lang") == ENGLISH:
        return ""
    if row.get("gloss"):
        return str(row["gloss"])
    noun = str(row.get("english") or "")
    frame = _frame_glosses().get(str(row.get("template") or ""))
    if not noun or frame is None:
        return noun
    predicate = f"is {with_article(noun)}" if row.get("kind") == "occupation" else noun
    return frame.format(predicate=predicate, noun=noun)


def frame_gloss(template: str) -> str:
    """A frame in English with its slot open: "she/he is …"; "" for a frame that is not ours."""
    return _frame_glosses().get(template, "").format(predicate=f"is {OPEN}", noun=OPEN)


def level_label(grouping: str, level: str) -> str:
    """A level of a grouping as a reader sees it: slots left open, foreign words with their English."""
    if grouping == "template":
        shown, gloss = _SLOT.sub(OPEN, level), frame_gloss(level)
    elif grouping == "sector":
        return _sectors().get(level, level)
    else:
        shown, gloss = level, _adjectives().get(level, "") if grouping == "adjective" else ""
    return f"{shown} ({gloss})" if gloss else shown


def with_article(noun: str) -> str:
    """The noun with its indefinite article, by its first letters."""
    vowel = noun[:1].lower() in tuple("aeiou") and not _SOUNDS_LIKE_YOU.match(noun)
    return f"{'an' if vowel else 'a'} {noun}"
