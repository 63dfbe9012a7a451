"""Every judge a rendering comes to: detectors by kind and language, pairs without a focus, and mend.

What `make soak` feeds with sentences that are almost right, and what the kept renderings go through in every test run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import get_args

import polars as pl

import evenhand
from evenhand.detect import open_detector
from evenhand.detect.pronouns import rules
from evenhand.detect.speaker import Whom
from evenhand.grammar import codes
from evenhand.grammar.participants import TABLE
from evenhand.languages import known, with_table
from evenhand.mend.mender import LANGUAGES
from evenhand.suites.suite import SuiteKind
from evenhand.workflows.mend import WISHES, Mending

GENDERS = ("female", "male", "neutral", "both", "unknown")
Judge = Callable[[pl.DataFrame], None]


def judges() -> dict[str, tuple[str, Judge]]:
    """By name: the language of the renderings, and a function that raises where something is wrong.

    Pairs have the columns id, source (The nurse ...), rendering, focus_start and focus_end.
    """
    nouns = [code for code, language in known().items() if language.nouns]
    every: dict[str, tuple[str, Judge]] = {f"nouns {code}": (code, partial(by, "nouns", code)) for code in nouns}
    for code, rule in rules():
        if rule == "evenhand":
            every[f"pronouns {code}"] = code, partial(by, "pronouns", code, source="eu")
    for whom in get_args(Whom):
        every |= {f"{whom} {code}": (code, partial(by, whom, code)) for code in with_table(TABLE)}
    every |= {f"passages {code}": (code, partial(by, "mentions", code)) for code in ("en", *sorted(codes()))}
    every["two references"] = "de", two_references
    every |= {f"without a focus {code}": (code, partial(without_focus, code)) for code in nouns}
    every |= {f"mend {code}": (code, partial(mended, code)) for code in LANGUAGES}
    return every


def by(kind: SuiteKind, code: str, pairs: pl.DataFrame, *, source: str = "en") -> None:
    """A verdict a row, in order, with evidence that stands where it is said to stand."""
    verdicts = open_detector(kind, source=source, target=code).detect(pairs)
    assert verdicts.height == pairs.height
    assert verdicts["gender"].is_in(GENDERS).all()
    places = zip(pairs["rendering"], verdicts["evidence_start"], verdicts["evidence_end"], strict=True)
    assert all(start is None or 0 <= start < end <= len(text) for text, start, end in places)


def two_references(pairs: pl.DataFrame) -> None:
    texts = {"reference": pairs["source"], "reference_other": pairs["rendering"].reverse()}
    by("references", "de", pairs.with_columns(**texts, gold=pl.lit("female")))


def without_focus(code: str, pairs: pl.DataFrame) -> None:
    """Every person the sources name is a row; the whole chain is explained."""
    bare = pairs.select("id", "source", "rendering")
    verdicts = evenhand.detect(bare, target=code, explain=True)
    assert verdicts["gender"].is_in(GENDERS).all()
    marked = {row for row in verdicts["id"] if "-" not in row}  # by a pair of ** in the source
    assert {row.rpartition("-")[0] for row in verdicts["id"]} - {""} | marked <= set(pairs["id"])


def mended(code: str, pairs: pl.DataFrame) -> None:
    """What has the wanted gender comes back as it is; what is declined has a reason and no text."""
    mending = Mending(target=code, to="source")  # opened once: it finds persons for this wish
    for wish in WISHES:
        mending.to = wish
        table = mending.table(pairs)
        assert table.height == pairs.height * (2 if wish == "both" else 1)
        assert table.filter((pl.col("mended") == "") & pl.col("reason").is_null()).is_empty()
        changed = table.filter((pl.col("mended") != "") & pl.col("reason").is_null())
        assert changed["confidence"].is_between(0, 1).all()
