"""The small answers a language gives: cells, tokens, dictionary forms."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.grammar import codes, language
from evenhand.grammar.english import head, is_plural, singular
from evenhand.grammar.protocol import (
    ANY,
    CASES,
    FEMININE,
    GENDERS,
    MASCULINE,
    NEUTER,
    NUMBERS,
    PLURAL,
    SINGULAR,
    Kind,
    cells,
)
from evenhand.languages import known

LETTERS = st.tuples(
    st.sets(st.sampled_from(GENDERS), min_size=1),
    st.sets(st.sampled_from(NUMBERS), min_size=1),
    st.sets(st.sampled_from(CASES), min_size=1),
).map(lambda sets: tuple("".join(sorted(letters)) for letters in sets))


@given(LETTERS, LETTERS)
def test_what_two_forms_share_is_the_meeting_of_their_letters(
    one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    shared = ["".join(sorted(set(a) & set(b))) for a, b in zip(one, other, strict=True)]
    assert cells(*one) & cells(*other) == (cells(*shared) if all(shared) else 0)


@given(LETTERS)
def test_a_form_fills_as_many_cells_as_its_letters_combine(letters: tuple[str, str, str]) -> None:
    genders, numbers, cases = letters
    assert cells(*letters).bit_count() == len(genders) * len(numbers) * len(cases)


def test_genders_and_numbers_divide_all_cells() -> None:
    assert FEMININE | MASCULINE | NEUTER == SINGULAR | PLURAL == ANY
    assert not FEMININE & MASCULINE
    assert not SINGULAR & PLURAL


@given(st.text(max_size=60), st.sampled_from(["de", "es", "fr", "it", "pt", "ca"]))
def test_tokens_stand_where_they_say(text: str, code: str) -> None:
    tokens = language(code).tokens(text)
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))


@pytest.mark.parametrize(
    ("code", "text", "words"),
    [
        ("fr", "L'avocate d’un ami", ["L'", "avocate", "d’", "un", "ami"]),
        ("it", "dell'avvocata, un'amica", ["dell'", "avvocata", ",", "un'", "amica"]),
        ("de", "Lehrer:innen und Co-Trainer.", ["Lehrer:innen", "und", "Co-Trainer", "."]),
        ("es", "el/la médico/a", ["el/la", "médico/a"]),
    ],
)
def test_elided_articles_are_tokens_and_notations_are_not_cut(code: str, text: str, words: list[str]) -> None:
    assert [token.text for token in language(code).tokens(text)] == words


@pytest.mark.parametrize(
    ("code", "form", "dictionary"),
    [
        ("de", "Lehrerinnen", "lehrerin"),
        ("de", "Studenten", "student"),
        ("de", "Angestellten", "angestellte"),
        ("es", "jueces", "juez"),
        ("es", "profesoras", "profesora"),
        ("it", "colleghe", "collega"),
        ("it", "infermieri", "infermiere"),
        ("fr", "travailleurs", "travailleur"),
        ("pt", "cidadãos", "cidadão"),
    ],
)
def test_an_inflected_form_leads_to_its_dictionary_form(code: str, form: str, dictionary: str) -> None:
    assert dictionary in language(code).lookups(form)


@pytest.mark.parametrize(
    ("code", "noun", "kind"),
    [
        ("de", "Reinigungskraft", Kind.FIXED),
        ("de", "Ärztin", Kind.SEXED),
        ("de", "Vorsitzende", Kind.COMMON),
        ("de", "Leitung", Kind.FIXED),
        ("de", "Abteilung", Kind.THING),
        ("es", "artista", Kind.COMMON),
        ("es", "víctima", Kind.FIXED),
        ("fr", "infirmières", Kind.SEXED),
        ("it", "insegnanti", Kind.COMMON),
        ("pt", "testemunha", Kind.FIXED),
    ],
)
def test_a_noun_is_of_its_kind(code: str, noun: str, kind: Kind) -> None:
    assert language(code).noun(noun).kind is kind


@pytest.mark.parametrize("code", sorted(codes()))
def test_every_registered_language_answers(code: str) -> None:
    spoken = language(code)
    assert spoken.name == known()[code].nouns  # several may share a folder: hr, sr and bs
    assert spoken.noun("x").cells
    assert language(f"{code}-XX") is not None


@pytest.mark.parametrize(
    ("plural", "single"),
    [("teachers", "teacher"), ("policewomen", "policewoman"), ("children", "child"), ("waitresses", "waitress"),
     ("secretaries", "secretary"), ("thieves", "thief"), ("people", "person")],
)  # fmt: skip
def test_english_plurals_lead_to_their_singular(plural: str, single: str) -> None:
    assert singular(plural) == single
    assert is_plural(plural)
    assert not is_plural(single)


def test_words_in_s_that_are_no_plurals_stay() -> None:
    assert [singular(word) for word in ("boss", "genius", "actress")] == ["boss", "genius", "actress"]


def test_the_head_of_a_noun_phrase_is_its_last_word_or_stands_before_of() -> None:
    assert head(["drug", "dealer"]) == 1
    assert head(["head", "of", "state"]) == 0
