"""A rendering without the person asked about: the word that stands in the person's place is no evidence of a gender."""

from __future__ import annotations

import pytest

from evenhand.detect.nouns import NounDetector, shipped
from evenhand.gender import Gender

SOURCE = "The gardener was there again on Monday."
RENDERED = {
    "de": ("{} war am Montag wieder da.", "Das Wetter, Das Alter, Das Kloster, Das Polster, Das Ruder, Der Server"),
    "it": ("{} era di nuovo lì lunedì.", "Il livello, Il fiore, La frontiera, La materia, Il calendario, Il quaderno"),
    "pt": ("{} estava de novo ali na segunda-feira.", "O caderno, A fronteira, A maneira, O vídeo, O moinho, O cursor"),
    "es": ("{} estaba de nuevo allí el lunes.", "El tiempo, La autoría, La lluvia, El sector"),
    "fr": ("{} était de nouveau là lundi.", "La pluie, L'infirmerie, La couleur, Le secteur"),
}
CASES = [
    (code, frame.format(thing.strip())) for code, (frame, things) in RENDERED.items() for thing in things.split(",")
]
PERSONS = [
    ("de", "Die Gärtnerin war am Montag wieder da.", Gender.FEMALE),
    ("it", "La giardiniera era di nuovo lì lunedì.", Gender.FEMALE),
    ("it", "Il fioraio era di nuovo lì lunedì.", Gender.MALE),
    ("pt", "O jardineiro estava de novo ali na segunda-feira.", Gender.MALE),
    ("pt", "A florista estava de novo ali na segunda-feira.", Gender.FEMALE),
]


def detector(code: str) -> NounDetector:
    return shipped("en", code)


@pytest.mark.parametrize(("code", "rendering"), CASES)
def test_a_thing_in_the_place_of_the_person_has_no_gender(code: str, rendering: str) -> None:
    assert detector(code).verdict(SOURCE, rendering, 4, 12).gender is Gender.UNKNOWN


@pytest.mark.parametrize(("code", "rendering", "gender"), PERSONS)
def test_a_person_in_that_place_has_one(code: str, rendering: str, gender: Gender) -> None:
    assert detector(code).verdict(SOURCE, rendering, 4, 12).gender is gender
