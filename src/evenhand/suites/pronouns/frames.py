"""Sentence frames: how a language says "this person is X", as data, and the one loop that fills them.

`frames.tsv` has one row a frame: the suite, which kinds and word classes it is for (* is any), a code that ends the
probe's id, the attributes it gives its sentences, the pronoun (the focus), and the template. A slot in a template
names a column of forms: {form} as stored, or one a language module computes ({polite}, {definite}, ...).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.suites.history import CURRENT, as_of
from evenhand.suites.pronouns.lexicon import items

FRAMES = Path(__file__).resolve().parent / "frames.tsv"

#: Attributes a frame may set; a suite has the column only if one of its frames sets it.
FRAME_ATTRIBUTES = ("formality", "politeness", "adjective")
MARKED = "marked"
_CODES = {"occupation": "occ", "positive": "pos", "negative": "neg"}


@cache
def frames(suite: str, language: str, version: str = CURRENT) -> tuple[dict[str, str | None], ...]:
    """The frames of a suite, in the order its sentences come in."""
    table = as_of(
        tsv.frame(FRAMES),
        "frames",
        language=language,
        version=version,
        key=lambda row: f"{row['suite']}/{row['word_class']}",
    )
    return tuple(table.filter(pl.col("suite") == suite).to_dicts())


def fill(
    suite: str,
    language: str,
    *,
    version: str = CURRENT,
    inflect: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
) -> pl.DataFrame:
    """Every item of the language's lexicon in every frame of the suite that takes it.

    `inflect` adds the form columns the language derives by rule. Ids read language, kind, concept, frame:
    `ko-occ-bus-driver-inf-pol`. `template` is the frame with its slot open, as stored. `marked` (where the lexicon has
    it) names what gives a title away: its partner in -nő, a sister in it.
    """
    rows: list[dict[str, str | int | None]] = []
    words = items(language, version)
    for item in (inflect(words) if inflect else words).iter_rows(named=True):
        for frame in frames(suite, language, version):
            if frame["kind"] in ("*", item["kind"]) and frame["word_class"] in ("*", item["word_class"]):
                rows.append(_probe(item, frame, language))
    table = pl.DataFrame(rows, infer_schema_length=None)
    unset = [name for name in (*FRAME_ATTRIBUTES, MARKED) if table[name].null_count() == table.height]
    return table.drop(unset).with_columns(pl.col("polarity", "occupation", "isco08", "sector").cast(pl.String))


def _probe(item: dict[str, str | None], frame: dict[str, str | None], language: str) -> dict[str, str | int | None]:
    template, focus, kind = frame["template"] or "", frame["focus"] or "", item["kind"] or ""
    start = template.index(focus)
    return {
        "id": "-".join(part for part in (language, _CODES[kind], item["concept"], frame["code"]) if part),
        "source": template.format_map(item),
        "source_lang": language,
        "focus": focus,
        "focus_start": start,
        "focus_end": start + len(focus),
        **{
            name: item.get(name)
            for name in ("concept", "kind", "polarity", "occupation", "isco08", "sector", "english")
        },
        **{name: frame[name] for name in FRAME_ATTRIBUTES},
        "template": template,
        MARKED: item.get(MARKED),
    }
