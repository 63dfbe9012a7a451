"""The person filter: labelled natural sentences are the oracle, rules are checked one by one."""

from __future__ import annotations

import logging
import lzma
import re
from pathlib import Path

import pytest

from evenhand.errors import Unknown
from evenhand.persons import find
from evenhand.persons.finder import LexiconFinder, Outcome, open_finder

LABELS = Path(__file__).with_name("person_labels.tsv")


@pytest.fixture(scope="module")
def finder() -> LexiconFinder:
    return LexiconFinder()


def word_index(sentence: str, start: int) -> int:
    """Index of the blank-separated word that holds a character."""
    return next(k for k, word in enumerate(re.finditer(r"\S+", sentence)) if word.start() <= start < word.end())


def test_finds_the_one_person_of_natural_sentences_as_a_reader_does(finder: LexiconFinder, shared_data: Path) -> None:
    with lzma.open(shared_data / "mono" / "common-voice.en.txt.xz", "rt", encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    rows = [row.split("\t") for row in LABELS.read_text("utf-8").splitlines() if not row.startswith("#")][1:]
    assert len(rows) >= 300
    for stratum in ("random", "lexicon", "neutral", "heldout", None):
        chosen = [(int(line), token) for line, token, where in rows if stratum in (where, None)]
        precision, recall = agreement(finder, lines, chosen)
        logging.info("%s, %d sentences: precision %.3f, recall %.3f", stratum or "all", len(chosen), precision, recall)
    assert precision >= 0.88
    assert recall >= 0.88


def agreement(finder: LexiconFinder, lines: list[str], rows: list[tuple[int, str]]) -> tuple[float, float]:
    """Precision and recall of the one person noun: right when it is the labelled word."""
    right = said = gold = 0
    for number, token in rows:
        sentence = lines[number - 1]
        found = finder.only([sentence])[0]
        index = word_index(sentence, found.start) if found.outcome is Outcome.KEPT else None
        right += index is not None and str(index) == token
        said += index is not None
        gold += bool(token)
    return right / said, right / gold


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("A doctor works in a hospital.", "doctor"),
        ("The nurses are on strike again.", "nurses"),
        ("so is that going to affect my chances of becoming a counselor ?", "counselor"),
        ("Customer service told me to ask a plumber.", "plumber"),
        ("I met a student nurse in Paris last Monday.", "nurse"),
        ("The teacher’s desk was empty.", "teacher"),
        ("They drove the dentist home.", "dentist"),
        ("We met the lawyer yesterday.", "lawyer"),
        ("Our writer-in-residence sang.", "writer-in-residence"),
        ("The man-of-war sank.", None),
        ("She said nothing.", None),
    ],
)
def test_the_word_is_found_where_it_stands(finder: LexiconFinder, sentence: str, word: str | None) -> None:
    found = finder.only([sentence])[0]
    assert (sentence[found.start : found.end] if found.outcome is Outcome.KEPT else None) == word


@pytest.mark.parametrize(
    ("sentence", "outcome"),
    [
        ("My mother was late.", Outcome.GENDERED),
        ("The policeman ran after the bus.", Outcome.GENDERED),
        ("The nurse forgot her keys.", Outcome.GENDERED),
        ("Ask Mrs. Jones or the doctor.", Outcome.NAME),
        ("President Lincoln was tall.", Outcome.NAME),
        ("The teacher waved at Charlotte.", Outcome.NAME),
        ("The teacher waved at the doctor.", Outcome.SEVERAL),
        ("The table is round.", Outcome.NO_PERSON),
        ("", Outcome.NO_PERSON),
    ],
)
def test_other_sentences_say_why_they_were_left(finder: LexiconFinder, sentence: str, outcome: Outcome) -> None:
    assert finder.only([sentence])[0].outcome is outcome


def test_an_unknown_finder_is_named_with_the_known_ones() -> None:
    with pytest.raises(Unknown, match="lexicon, spacy"):
        open_finder("oracle:yes")


@pytest.mark.parametrize("noun", ["manager", "reader", "editor"])
@pytest.mark.parametrize("before", ["overlay", "waypoint", "cluster"])
def test_behind_a_noun_of_whatever_kind_an_agent_may_be_a_program_in_interface_strings(before: str, noun: str) -> None:
    text = f"Restart the {before} {noun}."
    assert [(text[p.start : p.end], p.thing) for p in find(text, domain="interface")] == [(noun, True)]
    assert [p.thing for p in find(text)] == [False]
    assert not any(p.thing for p in find("The new bank manager is on leave.", domain="interface"))


def test_a_plotter_is_a_device_in_interface_strings_and_a_person_in_prose() -> None:
    text = "Ask your plotter manufacturer; the plotter moves by one inch."
    assert "plotter" not in {text[p.start : p.end] for p in find(text, domain="interface")}
    assert [p.thing for p in find("The plotter was arrested.")] == [False]
