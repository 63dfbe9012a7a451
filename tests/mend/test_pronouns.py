"""Which pronouns and predicates of a Romance rendering change with the person, and which may mean somebody else."""

from __future__ import annotations

import pytest

from evenhand.gender import Gender
from evenhand.mend.mender import Mender

MENDERS = {language: Mender(language) for language in ("ca", "es", "it", "pt")}


def mended(language: str, source: str, focus: str, rendering: str, wanted: Gender) -> str:
    start = source.index(focus)
    return MENDERS[language].mend(source, rendering, start, start + len(focus), wanted).text


@pytest.mark.parametrize(
    ("language", "source", "focus", "rendering", "answer"),
    [
        (
            "es",
            "The sheriff asked the cashier because he had the money.",
            "cashier",
            "El sheriff interrogó a la cajera porque ella tenía el dinero.",
            "El sheriff interrogó al cajero porque él tenía el dinero.",
        ),
        (
            "es",
            "The analyst mocked the teacher because he was bad at maths.",
            "teacher",
            "El analista se burlaba de la profesora porque era mala en matemáticas.",
            "El analista se burlaba del profesor porque era malo en matemáticas.",
        ),
        (
            "it",
            "The developer was not recognised by the clerk because he was busy.",
            "clerk",
            "Lo sviluppatore non è stato riconosciuto dall'impiegata perché lei era occupata.",
            "Lo sviluppatore non è stato riconosciuto dall'impiegato perché lui era occupato.",
        ),
    ],
)
def test_a_pronoun_or_predicate_that_can_mean_nobody_else_changes_with_the_person(
    language: str, source: str, focus: str, rendering: str, answer: str
) -> None:
    assert mended(language, source, focus, rendering, Gender.MALE) == answer


def test_it_changes_for_women_too() -> None:
    source = "The nurse visited the clerk because she was ill."
    rendering = "A enfermeira visitou o funcionário porque ele estava doente."
    answer = "A enfermeira visitou a funcionária porque ela estava doente."
    assert mended("pt", source, "clerk", rendering, Gender.FEMALE) == answer


@pytest.mark.parametrize(
    ("language", "source", "focus", "rendering", "answer"),
    [
        ("es", "The doctor saw him.", "doctor", "El doctor lo vio.", "La doctora lo vio."),
        (
            "es",
            "The doctor hit the cashier and reported him.",
            "doctor",
            "El doctor golpeó al cajero y lo denunció.",
            "La doctora golpeó al cajero y lo denunció.",
        ),
        (
            "it",
            "The boss hit the cashier and then apologised.",
            "cashier",
            "Il capo ha colpito il cassiere e poi si è scusato.",
            "Il capo ha colpito la cassiera e poi si è scusato.",
        ),
        (
            "ca",
            "The boss saw the baker because he was late.",
            "baker",
            "El cap va veure el forner perquè ell feia tard.",
            "El cap va veure la fornera perquè ell feia tard.",
        ),
        (
            "pt",
            "The nurse met the plumber after he had closed the shop.",
            "plumber",
            "A enfermeira falou com o encanador depois de ele ter fechado a loja.",
            "A enfermeira falou com a encanadora depois de ele ter fechado a loja.",
        ),
    ],
)
def test_one_that_means_or_may_mean_another_person_stays(
    language: str, source: str, focus: str, rendering: str, answer: str
) -> None:
    assert mended(language, source, focus, rendering, Gender.FEMALE) == answer


@pytest.mark.parametrize(
    ("language", "source", "focus", "rendering", "wanted"),
    [
        (
            "es",
            "The sheriff asked the cashier because she had the money.",
            "cashier",
            "El sheriff interrogó a la cajera porque ella tenía el dinero.",
            Gender.MALE,
        ),
        (
            "pt",
            "The gardener promised someone that he would come on Friday.",
            "gardener",
            "O jardineiro prometeu a alguém que ele viria na sexta-feira.",
            Gender.FEMALE,
        ),
        (
            "pt",
            "The gardener begged the tailor to mend her gloves.",
            "tailor",
            "O jardineiro implorou à costureira para remendar as luvas dela.",
            Gender.MALE,
        ),
        (
            "ca",
            "The gardener left the dispatcher alone because he wanted peace.",
            "gardener",
            "El jardiner va deixar sol el despatxant perquè ell volia pau.",
            Gender.FEMALE,
        ),
    ],
)
def test_it_declines_where_the_source_s_he_or_she_may_be_the_other_person(
    language: str, source: str, focus: str, rendering: str, wanted: Gender
) -> None:
    assert not mended(language, source, focus, rendering, wanted)
