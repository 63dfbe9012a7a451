"""Where the noun leaves the gender open, or says less than the words around it: sentences a reader sees through."""

from __future__ import annotations

from functools import cache

import pytest

from evenhand.detect.nouns import NounDetector

CASES = [
    # a participle in apposition, before and after
    ("fr", "The artist, born in Lyon, slept.", "artist", "L'artiste, née à Lyon, dormait.", "female"),
    ("fr", "Born in Lyon, the artist slept.", "artist", "Né à Lyon, l'artiste dormait.", "male"),
    # de and d' open a clause as articles
    ("fr", "Other accomplices were arrested.", "accomplices", "D'autres complices ont été arrêtées.", "female"),
    ("fr", "The child woke up.", "child", "L'élève s'est réveillée.", "female"),
    # a masculine form that women bear too
    ("fr", "The doctors were convinced.", "doctors", "Les médecins étaient convaincues.", "female"),
    ("fr", "The doctors were convinced.", "doctors", "Les médecins étaient convaincus.", "male"),
    # a noun beside the one that tells
    ("fr", "My pianist friend is here.", "pianist", "Mon ami pianiste est là.", "male"),
    # agents that look like participles, and participles
    ("de", "If terrorists come, run.", "terrorists", "Wenn Terroristen kommen, lauf.", "male"),
    ("de", "The injured woke up.", "injured", "Die Verletzte wachte auf.", "female"),
    ("de", "She wrote to her cousins.", "cousins", "Sie schrieb ihren Cousinen.", "female"),
    ("de", "She wrote to her cousins.", "cousins", "Sie schrieb ihren Cousins.", "male"),
    ("de", "He greeted the barbarians.", "barbarians", "Er begrüßte die Barbaren.", "male"),
    # a thing that another source word explains is not the person
    ("de", "In her kitchen the chef sang.", "chef", "In ihrer Küche sang die Konditorin.", "female"),
    # the verb beside a masculine adjective and noun
    ("ru", "Our ambassador helped.", "ambassador", "Наш посол помогала.", "female"),
    ("ru", "Our ambassador helped.", "ambassador", "Наш посол помогал.", "male"),
    # the person is the first of two nouns
    ("ru", "The assistant judge came.", "assistant judge", "Пришла помощница судьи.", "female"),
    # a relative clause that cannot be the other noun's
    ("ru", "The absence of the minister who lied.", "minister", "Отсутствие министра, которая солгала.", "female"),
    ("ru", "The daughter of the minister came.", "minister", "Дочь министра, которая пришла, молчала.", "male"),
]


@cache
def detector(code: str) -> NounDetector:
    return NounDetector("en", code)


@pytest.mark.parametrize(("code", "source", "focus", "rendering", "gender"), CASES)
def test_the_words_around_a_noun_tell_its_gender(
    code: str, source: str, focus: str, rendering: str, gender: str
) -> None:
    start = source.index(focus)
    assert detector(code).verdict(source, rendering, start, start + len(focus)).gender == gender
