"""The grammar of the Romance languages through its public interface: readings, what agrees with a person, forms."""

from __future__ import annotations

import pytest

import evenhand


def linked(code: str, text: str, noun: str) -> dict[str, str]:
    """The words that agree with the noun, each with its kind."""
    grammar = evenhand.open_grammar(code)
    sentence = grammar.analyse(text)
    at = next(i for i, token in enumerate(sentence.tokens) if token.text == noun)
    return {sentence[link.at].text: link.kind for link in grammar.agrees_with(sentence, at)}


def form(code: str, word: str, gender: str) -> str | None:
    grammar = evenhand.open_grammar(code)
    return grammar.inflect(grammar.analyse(word)[0], gender=gender)


@pytest.mark.parametrize(
    ("code", "text", "noun", "links"),
    [
        ("es", "La médica que llegó cansada está contenta.", "médica",
         {"La": "determiner", "cansada": "participle", "contenta": "predicate"}),
        ("es", "Los 12 vecinos ingleses son muy amables.", "vecinos",
         {"Los": "determiner", "ingleses": "adjective", "amables": "predicate"}),
        ("fr", "Puisqu'un dentiste est arrivé, allons.", "dentiste", {"un": "determiner", "arrivé": "participle"}),
        ("fr", "Lorsqu'une avocate est souvent fatiguée, on attend.", "avocate",
         {"une": "determiner", "fatiguée": "participle"}),
        ("it", "Gli assistenti sono stati invitati.", "assistenti",
         {"Gli": "determiner", "stati": "participle", "invitati": "participle"}),
        ("it", "Assistenti sono state invitate.", "Assistenti", {"state": "participle", "invitate": "participle"}),
        ("pt", "O professor francês está sempre muito cansado.", "professor",
         {"O": "determiner", "francês": "adjective", "cansado": "participle"}),
        ("ca", "La metgessa era cansada.", "metgessa", {"La": "determiner", "cansada": "participle"}),
        ("es", "Los cocineros dijeron que ellos estaban cansados.", "cocineros",
         {"Los": "determiner", "ellos": "pronoun", "cansados": "conjunct"}),
        ("es", "El cocinero vio al camarero porque él dormía.", "cocinero", {"El": "determiner"}),
        ("es", "Vio a su padre Dinis, quien murió.", "padre", {"su": "determiner", "quien": "relative"}),
        ("es", "Habló con su colega Rafael, quienes callaron.", "colega", {"su": "determiner"}),
        ("es", "Artistas han sido invitadas.", "Artistas", {"invitadas": "participle"}),
        ("es", "Ayudó a mujeres pobres.", "mujeres", {"pobres": "adjective"}),
        ("fr", "Presqu'aucune journaliste n'était présente.", "journaliste",
         {"aucune": "determiner", "présente": "predicate"}),
        ("it", "Vide il nostro illustre ospite.", "ospite", {"il": "determiner", "nostro": "determiner"}),
        ("it", "Anch'un'atleta è stata premiata.", "atleta",
         {"un'": "determiner", "stata": "participle", "premiata": "participle"}),
        ("pt", "Ela é candidata a presidente.", "presidente", {}),
        ("pt", "O ministro disse que não era possível adiar.", "ministro", {"O": "determiner"}),
        ("ro", "Judecătoarea obosită pleacă.", "Judecătoarea", {"obosită": "participle"}),
        ("ro", "Doi jurnaliști irakieni au venit.", "jurnaliști", {"Doi": "determiner", "irakieni": "adjective"}),
    ],
)  # fmt: skip
def test_words_that_agree_with_a_person(code: str, text: str, noun: str, links: dict[str, str]) -> None:
    assert linked(code, text, noun) == links


def test_a_second_person_is_no_adjective_of_the_first() -> None:
    assert linked("es", "Los policías y soldados ingleses acudieron.", "policías").get("soldados") != "adjective"
    assert linked("pt", "O atacante Romário jogou bem.", "atacante") == {"O": "determiner"}


@pytest.mark.parametrize(
    ("code", "word", "gender", "expected"),
    [
        ("es", "médica", "m", "médico"),
        ("es", "la", "m", "el"),
        ("es", "Contentas", "m", "Contentos"),
        ("es", "mesa", "m", None),
        ("fr", "infirmières", "m", "infirmiers"),
        ("fr", "heureuse", "m", "heureux"),
        ("it", "stati", "f", "state"),
        ("it", "dottoressa", "m", "dottore"),
        ("pt", "ao", "f", "à"),
        ("pt", "estudante", "f", "estudante"),
        ("ca", "cansada", "m", "cansat"),
    ],
)
def test_the_form_of_a_word_in_a_gender(code: str, word: str, gender: str, expected: str | None) -> None:
    assert form(code, word, gender) == expected


@pytest.mark.parametrize(
    ("code", "word", "part", "gender", "number"),
    [
        ("es", "holandés", "noun", "m", "s"),
        ("fr", "été", "participle", "m", "s"),
        ("fr", "temps", "noun", "m", "s"),
        ("it", "state", "participle", "f", "p"),
        ("it", "problema", "noun", "m", "s"),
        ("pt", "norte-americanas", "adjective", "f", "p"),
    ],
)
def test_readings_have_gender_and_number(code: str, word: str, part: str, gender: str, number: str) -> None:
    readings = evenhand.open_grammar(code).analyse(word)[0].readings
    assert any(reading.part == part and reading.can_be(gender=gender, number=number) for reading in readings)
