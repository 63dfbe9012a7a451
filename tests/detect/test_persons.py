"""A word is read as the person only with evidence: things, institutions, machines, abstractions stay unknown."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from evenhand.detect.nouns import shipped
from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender
from evenhand.grammar import language
from evenhand.grammar.lexicon import Forms
from evenhand.tsv import frame, rows, words

HERE = Path(__file__).parent
TABLES = Path(sys.modules[Forms.__module__].__file__ or "").parent
# Renderings per draw in which no careful reader would see a person.
NOBODY = dict(zip(range(1, 19), (21, 24, 21, 20, 20, 17, 28, 19, 23, 15, 20, 16, 23, 15, 21, 18, 17, 14), strict=True))


def verdict(code: str, source: str, focus: str, rendering: str) -> Verdict:
    start = source.index(focus)
    return shipped("en", code).verdict(source, rendering, start, start + len(focus))


@pytest.fixture(scope="module")
def draws() -> pl.DataFrame:
    """Renderings of a small translator, labelled by reading before any verdict was seen, and their verdicts."""
    table = frame(HERE / "draws.tsv").with_columns(pl.col("draw", "focus_start", "focus_end").cast(pl.Int64))
    return pl.concat(
        part.with_columns(gender=shipped("en", str(code)).detect(part)["gender"])
        for (code,), part in table.group_by("language", maintain_order=True)
    ).with_columns(right=pl.col("gender") == pl.col("label"))


def test_at_most_a_tenth_of_the_renderings_without_a_person_get_a_gender(draws: pl.DataFrame) -> None:
    nobody = draws.filter(pl.col("label") == "unknown", pl.col("other").fill_null("") == "")
    assert dict(nobody.group_by("draw").len().sort("draw").iter_rows()) == NOBODY
    for (_,), part in nobody.group_by("split"):
        assert part.filter(pl.col("gender").is_in(["female", "male"])).height <= 0.1 * part.height


def test_at_least_97_percent_of_the_draws_are_judged_as_a_reader_does(draws: pl.DataFrame) -> None:
    for (_,), part in draws.group_by("split"):
        assert part["right"].sum() >= 0.97 * part.height
    for (_,), part in draws.group_by("draw"):
        assert part["right"].sum() >= 0.95 * part.height


def test_most_kinds_of_error_and_of_doubtful_persons_are_judged_as_a_reader_does() -> None:
    """Sentences of our own, one per kind: things, deeds, adjectives and stumps in a person's place, and rare persons.
    The gate's weights were learnt from them; no rule is made for one of them alone."""
    table = frame(HERE / "kinds.tsv")
    wrong, given = [], []
    for row in table.iter_rows(named=True):
        judged = verdict(row["language"], row["source"], row["focus"], row["rendering"])
        if judged.gender.value != row["label"]:
            wrong.append(row["rendering"])
        if row["label"] == "unknown" and judged.gender is not Gender.UNKNOWN:
            given.append(row["rendering"])
        if judged.gender is Gender.UNKNOWN:
            assert judged.reason
            assert judged.adequate is not True
    assert len(wrong) <= 0.13 * table.height, wrong
    assert len(given) <= 0.2 * table.filter(pl.col("label") == "unknown").height, given


@pytest.mark.parametrize("code", ["de", "es", "fr", "it", "pt", "ru", "uk"])
def test_no_table_of_things_names_a_known_person(code: str) -> None:
    target = language(code)
    things = {word.lstrip("-") for path in target.things for word in words(path)}
    assert len(things) > 250
    assert not things & Forms(target).known.keys()


def test_no_table_of_persons_or_things_lists_a_word_twice() -> None:
    tables = [*TABLES.glob("*/things*.tsv"), *TABLES.glob("*/persons.tsv")]
    assert len(tables) > 15
    for path in tables:
        column = "word" if path.stem.startswith("things") else "concept"
        cells = [row[column] for row in rows(path)]
        listed = [word for cell in cells for word in cell.split()] if column == "word" else cells
        assert not [word for word, times in Counter(listed).items() if times > 1], path


def test_paired_forms_are_both_and_a_stated_gender_counts() -> None:
    """Splittings, paired articles, adjectives and appositions in eight languages, written for this test."""
    for row in frame(Path(__file__).parent / "both_and_stated.tsv").iter_rows(named=True):
        judged = verdict(row["language"], row["source"], row["focus"], row["rendering"])
        assert judged.gender == row["label"], row["rendering"]


@pytest.mark.parametrize(("focus", "gender"), [("supervisor", Gender.MALE), ("housekeeper", Gender.FEMALE)])
def test_two_persons_are_assigned_one_to_one(focus: str, gender: Gender) -> None:
    source = "The supervisor apologised to the housekeeper."
    rendering = "Der Aufsichtslehrer entschuldigte sich bei der Hauswirtin."
    assert verdict("de", source, focus, rendering).gender is gender


def test_a_person_without_a_noun_of_its_own_does_not_take_the_other_person_s() -> None:
    source = "The mover apologised to the housekeeper."
    judged = verdict("de", source, "mover", "Es entschuldigte sich bei der Hauswirtin.")
    assert judged.gender is Gender.UNKNOWN
