"""Which pronouns and predicates of a Romance rendering change with the person, and which may mean somebody else."""

from __future__ import annotations

import pytest
from tests.opened import mender

from evenhand.gender import Gender


def mended(language: str, source: str, focus: str, rendering: str, wanted: Gender) -> str:
    start = source.index(focus)
    return mender(language).mend(source, rendering, start, start + len(focus), wanted).text


@pytest.mark.parametrize(
    ("language", "source", "focus", "rendering", "answer"),
    [
        (
            "es",
            "The sherpa waited for the baker because he had the key.",
            "baker",
            "El sherpa esperó a la panadera porque ella tenía la llave.",
            "El sherpa esperó al panadero porque él tenía la llave.",
        ),
        (
            "es",
            "The pianist hid from the gardener because he was strict in summer.",
            "gardener",
            "El pianista se escondía de la jardinera porque era severa en verano.",
            "El pianista se escondía del jardinero porque era severo en verano.",
        ),
        (
            "it",
            "The sailor was not woken by the pupil because he was ill.",
            "pupil",
            "Il marinaio non è stato svegliato dall'allieva perché lei era malata.",
            "Il marinaio non è stato svegliato dall'allievo perché lui era malato.",
        ),
    ],
)
def test_a_pronoun_or_predicate_that_can_mean_nobody_else_changes_with_the_person(
    language: str, source: str, focus: str, rendering: str, answer: str
) -> None:
    assert mended(language, source, focus, rendering, Gender.MALE) == answer


@pytest.mark.parametrize(
    ("language", "source", "focus", "rendering", "answer"),
    [
        (
            "pt",
            "These pilots cannot find their maps.",
            "pilots",
            "Esses pilotos não encontram os mapas deles.",
            "Essas pilotos não encontram os mapas delas.",
        ),
        ("pt", "His brother is tall.", "brother", "O irmão dele é alto.", "A irmã dele é alta."),
        (
            "es",
            "The waiters came late and one of them fell.",
            "waiters",
            "Los camareros llegaron tarde y uno de ellos se cayó.",
            "Las camareras llegaron tarde y una de ellas se cayó.",
        ),
    ],
)
def test_a_possessive_may_mean_its_clause_s_subject_and_one_of_them_changes_with_them(
    language: str, source: str, focus: str, rendering: str, answer: str
) -> None:
    assert mended(language, source, focus, rendering, Gender.FEMALE) == answer


def test_a_pronoun_behind_a_preposition_is_not_what_the_noun_is_said_of() -> None:
    source, rendering = "Behind him are two cooks.", "Atrás dele estão dois cozinheiros."
    answer = "Atrás dele estão duas cozinheiras."
    assert mended("pt", source, "cooks", rendering, Gender.FEMALE) == answer
    assert not mended("pt", "They were cooks.", "cooks", "Eles foram cozinheiros.", Gender.FEMALE)


def test_it_changes_for_women_too() -> None:
    source = "The duchess forgave the gardener because she was sad."
    rendering = "A duquesa perdoou o jardineiro porque ele estava triste."
    answer = "A duquesa perdoou a jardineira porque ela estava triste."
    assert mended("pt", source, "gardener", rendering, Gender.FEMALE) == answer


@pytest.mark.parametrize(
    ("language", "source", "focus", "rendering", "answer"),
    [
        ("es", "The doctor saw him.", "doctor", "El doctor lo vio.", "La doctora lo vio."),
        (
            "es",
            "The magician forgave the thief and released him.",
            "magician",
            "El mago perdonó al ladrón y lo soltó.",
            "La maga perdonó al ladrón y lo soltó.",
        ),
        (
            "it",
            "The mayor greeted the baker and then sat down.",
            "baker",
            "Il sindaco ha salutato il fornaio e poi si è seduto.",
            "Il sindaco ha salutato la fornaia e poi si è seduto.",
        ),
        (
            "ca",
            "The poet followed the baker because he was cold.",
            "baker",
            "El poeta va seguir el forner perquè ell tenia fred.",
            "El poeta va seguir la fornera perquè ell tenia fred.",
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
            "The sherpa waited for the baker because she had the key.",
            "baker",
            "El sherpa esperó a la panadera porque ella tenía la llave.",
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
