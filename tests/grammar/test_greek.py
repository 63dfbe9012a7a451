"""Greek through the public interface: adjectives, predicates and relative pronouns of a person."""

from __future__ import annotations

import pytest

import evenhand


@pytest.mark.parametrize(
    ("text", "noun", "expected"),
    [
        ("Οι δικηγόροι ήταν κουρασμένες.", "δικηγόροι", {"Οι": "determiner", "κουρασμένες": "predicate"}),
        ("Είναι έμπειρη γιατρός.", "γιατρός", {"έμπειρη": "adjective"}),
        ("Είδα το νέο γιατρό.", "γιατρό", {"το": "determiner", "νέο": "adjective"}),
        ("Ο αστυνομικός που ήρθε κοιμάται.", "αστυνομικός", {"Ο": "determiner", "που": "relative"}),
        ("Η φίλη μου, που μένει εδώ, γελάει.", "φίλη", {"Η": "determiner", "που": "relative"}),
        ("Ο γιατρός γελάει, η πόρτα είναι ανοιχτή.", "γιατρός", {"Ο": "determiner"}),
    ],
)
def test_words_that_agree_with_a_greek_person(text: str, noun: str, expected: dict[str, str]) -> None:
    grammar = evenhand.open_grammar("el")
    sentence = grammar.analyse(text)
    at = next(i for i, token in enumerate(sentence.tokens) if token.text == noun)
    assert {sentence[link.at].text: link.kind for link in grammar.agrees_with(sentence, at)} == expected
