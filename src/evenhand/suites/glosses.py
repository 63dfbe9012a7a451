"""Sentences, sentence frames and words of the pronoun suites in English, for readers who do not know the language;
nothing is measured on a gloss. A suite may bring one in a column `gloss`."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from evenhand import tsv
from evenhand.articles import article
from evenhand.suites.pronouns.lexicon import FRAMES, LEXICON

ENGLISH = "en"
OPEN = "…"  # stands for the open slot of a frame
_SLOT = re.compile(r"\{\w+\}")


@cache
def _glosses(column: str, gloss: str, table: Path = FRAMES) -> Mapping[str, str]:
    return {row[column]: row[gloss] for row in tsv.rows(table)}


def sentence_gloss(row: Mapping[str, object]) -> str:
    """What a probe says in English, by its column `gloss`, else the frame with `english` in it, else that column; ""
    where its source is English, or nothing is known."""
    if row.get("source_lang") == ENGLISH:
        return ""
    if row.get("gloss"):
        return str(row["gloss"])
    noun = str(row.get("english") or "")
    frame = _glosses("template", "gloss").get(str(row.get("template") or ""))
    if not noun or frame is None:
        return noun
    predicate = f"is {article(noun)} {noun}" if row.get("kind") == "occupation" else noun
    return frame.format(predicate=predicate, noun=noun)


def frame_gloss(template: str) -> str:
    """A frame in English with its slot open: "she/he is …"; "" for a frame that is not ours."""
    return _glosses("template", "gloss").get(template, "").format(predicate=f"is {OPEN}", noun=OPEN)


def level_label(grouping: str, level: str) -> str:
    """A level of a grouping as a reader sees it: slots left open, foreign words with their English."""
    if grouping == "sector":
        return _glosses("sector", "english", LEXICON / "sectors.tsv").get(level, level)
    adjective = _glosses("adjective", "adjective_gloss").get(level, "") if grouping == "adjective" else ""
    shown, gloss = (_SLOT.sub(OPEN, level), frame_gloss(level)) if grouping == "template" else (level, adjective)
    return f"{shown} ({gloss})" if gloss else shown
