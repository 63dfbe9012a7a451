"""Romanian: the article is an ending, possessives follow, text is written with a comma or a cedilla below."""

from __future__ import annotations

import polars as pl
import pytest

import evenhand
from evenhand.detect import open_detector


def verdict(source: str, focus: str, rendering: str) -> str:
    pairs = pl.DataFrame({"id": ["1"], "source": [source], "rendering": [rendering], "focus": [focus]})
    return str(open_detector("nouns", source="en", target="ro").detect(pairs)["gender"][0])


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("The teacher is reading a letter.", "teacher", "Profesoara citește o scrisoare.", "female"),
        ("The teacher is reading a letter.", "teacher", "Profesorul citește o scrisoare.", "male"),
        ("I gave the nurse a book.", "nurse", "I-am dat asistentei o carte.", "female"),
        ("The engineers arrived at noon.", "engineers", "Inginerii au sosit la prânz.", "male"),
        ("The engineers arrived at noon.", "engineers", "Inginerele au sosit la prânz.", "female"),
        ("My neighbour sells apples.", "neighbour", "Vecina mea vinde mere.", "female"),
        ("My neighbour sells apples.", "neighbour", "Vecinul meu vinde mere.", "male"),
        ("The child is sleeping.", "child", "Copilul doarme.", "neutral"),
        ("The victim called us.", "victim", "Victima ne-a sunat.", "neutral"),
        ("The students sing.", "students", "Studenții cântă.", "male"),
        ("The students sing.", "students", "Studenţii cântă.", "male"),
        ("The students sing.", "students", "Studentele cântă.", "female"),
        ("We met a lawyer.", "lawyer", "Am cunoscut o avocată.", "female"),
        ("She is a doctor.", "doctor", "Este doctoriță.", "female"),
        ("Bears like honey as people do.", "people", "Urșilor le place mierea ca oamenilor.", "neutral"),
        ("Tom loved his great-grandsons.", "great-grandsons", "Tom își iubea strănepoții.", "male"),
    ],
)
def test_a_person_gets_the_gender_a_reader_sees(source: str, focus: str, rendering: str, gender: str) -> None:
    assert verdict(source, focus, rendering) == gender


def test_readings_hold_gender_and_number_of_definite_forms() -> None:
    grammar = evenhand.open_grammar("ro")
    sentence = grammar.analyse("Profesoarele bune au venit.")
    assert any(reading.can_be(gender="f", number="p") for reading in sentence[0].readings)
    assert not any(reading.part == "noun" and reading.can_be(gender="m") for reading in sentence[0].readings)
