"""What German and Dutch say of a sentence: what agrees with a person, in which case it is, and its other forms."""

from __future__ import annotations

import pytest

import evenhand
from evenhand.detect import open_noun_judge
from evenhand.grammar.dutch import Dutch
from evenhand.grammar.german import German

GERMAN = evenhand.open_grammar("de")


def chain(code: str, text: str, noun: str) -> list[str]:
    """The words that agree with the noun, each with its kind; one that rather does not has a question mark."""
    language = evenhand.open_grammar(code)
    sentence = language.analyse(text)
    at = next(i for i, token in enumerate(sentence.tokens) if token.text == noun)
    links = language.agrees_with(sentence, at)
    return [f"{sentence.tokens[link.at].text} {link.kind}{'?' * (link.sure < 0.5)}" for link in links]


@pytest.mark.parametrize(
    ("text", "noun", "links"),
    [
        ("Der junge Arzt lacht.", "Arzt", ["Der determiner", "junge adjective"]),
        ("Ein äußerst kluger und fleißiger Arzt lacht.", "Arzt",
         ["Ein determiner", "kluger adjective", "fleißiger adjective"]),
        ("Der für den Fall zuständige Richter kam.", "Richter", ["Der determiner", "zuständige adjective"]),
        ("Die beiden Ärzte kamen.", "Ärzte", ["Die determiner", "beiden determiner"]),
        ("Sie sprach mit erfahrenen Ärzten.", "Ärzten", ["erfahrenen adjective"]),
        ("Der Kölner Arzt lacht.", "Arzt", ["Der determiner", "Kölner adjective"]),
        ("Am Montag sagte Lehrerin Meier nichts.", "Lehrerin", []),
    ],
)  # fmt: skip
def test_determiners_and_adjectives_of_a_german_phrase(text: str, noun: str, links: list[str]) -> None:
    assert chain("de", text, noun) == links


@pytest.mark.parametrize(
    ("text", "noun", "links"),
    [
        ("Die Ärztin, die kam, lacht.", "Ärztin", ["Die determiner", "die relative"]),
        ("Der Bonus für die Ärzte, der erwogen wurde, entfällt.", "Ärzte", ["die determiner"]),
        ("Der Kanzler erklärte, der alte Streit sei vorbei.", "Kanzler", ["Der determiner"]),
        ("Wir haben einen Mann getroffen, der sang.", "Mann", ["einen determiner", "der relative"]),
    ],
)
def test_a_relative_pronoun_agrees_with_its_noun_in_gender_and_number(text: str, noun: str, links: list[str]) -> None:
    assert chain("de", text, noun) == links


@pytest.mark.parametrize(
    ("text", "noun", "link"),
    [
        ("Mein Chef ist ein guter Arzt.", "Chef", "Arzt predicate"),
        ("Er war Sänger und bis 1990 Lehrer.", "Sänger", "Lehrer predicate"),
        ("Sie ist eine Malerin und Dichterin.", "Malerin", "Dichterin conjunct"),
        ("Er war Lehrer, Maler und Dichter.", "Lehrer", "Dichter conjunct"),
        ("Sie kam als Köchin und wurde später Lehrerin.", "Köchin", "Lehrerin predicate"),
        ("Der Spieler war der Erste im Ziel.", "Spieler", "der predicate"),
        ("Einer der Lehrer lacht.", "Lehrer", "Einer pronoun"),
    ],
)
def test_words_that_name_the_same_person_again(text: str, noun: str, link: str) -> None:
    assert link in chain("de", text, noun)


@pytest.mark.parametrize(
    ("text", "noun", "bound"),
    [
        ("Der Kellner bediente ihn.", "Kellner", []),
        ("Der Kellner sagte, dass er müde sei.", "Kellner", ["er pronoun"]),
        ("Der Kellner nahm seinen Hut.", "Kellner", ["seinen pronoun"]),
        ("Er sah die Kellnerin und grüßte sie.", "Kellnerin", ["sie pronoun"]),
        ("Der Kellner sagte dem Koch, dass er müde sei.", "Kellner", ["er pronoun?"]),
    ],
)
def test_a_pronoun_is_bound_only_where_it_can_mean_nobody_else(text: str, noun: str, bound: list[str]) -> None:
    """A noun never binds a personal pronoun of its own clause: the waiter served somebody else."""
    assert [link for link in chain("de", text, noun) if "pronoun" in link] == bound


@pytest.mark.parametrize(
    ("text", "noun", "gender", "case"),
    [
        ("Die Lehrerin lacht.", "Lehrerin", "f", "n"),
        ("Ich sehe die Lehrerin.", "Lehrerin", "f", "a"),
        ("Das Haus der Lehrerin ist alt.", "Lehrerin", "f", "g"),
        ("Ich helfe der Lehrerin.", "Lehrerin", "f", "d"),
        ("Er sprach mit dem Studenten.", "Studenten", "m", "d"),
    ],
)
def test_the_case_of_a_german_phrase(text: str, noun: str, gender: str, case: str) -> None:
    assert isinstance(GERMAN, German)
    sentence = GERMAN.analyse(text)
    at = next(i for i, token in enumerate(sentence.tokens) if token.text == noun)
    assert GERMAN.case(sentence, at, gender=gender) == case


@pytest.mark.parametrize(
    ("word", "how", "form"),
    [
        ("Arzt", {"gender": "f"}, "ärztin"),
        ("Psychologin", {"gender": "m", "number": "s", "case": "a"}, "psychologen"),
        ("Angestellte", {"gender": "m", "case": "n", "after": "ein"}, "angestellter"),
        ("Lehrern", {"gender": "f"}, "lehrerinnen"),
        ("der", {"gender": "f"}, "die"),
        ("beim", {"gender": "f"}, "bei der"),
        ("zur", {"gender": "m"}, "zum"),
        ("kein", {"gender": "f", "number": "s", "case": "n"}, "keine"),
        ("dessen", {"gender": "f"}, "deren"),
        ("ihn", {"gender": "f"}, "sie"),
        ("guter", {"gender": "f", "case": "n", "after": "ein"}, "gute"),
        ("gute", {"gender": "m", "case": "n", "after": "eine"}, "guter"),
        ("gute", {"gender": "m", "case": "n", "after": "die"}, "gute"),
        ("Mitglied", {"gender": "f"}, None),
    ],
)
def test_german_words_in_the_other_gender(word: str, how: dict[str, str], form: str | None) -> None:
    assert isinstance(GERMAN, German)
    assert GERMAN.inflect(GERMAN.analyse(word)[0], **how) == form


@pytest.mark.parametrize(
    ("text", "noun", "links"),
    [
        ("De oude lerares die lacht is blij.", "lerares", ["De determiner", "oude adjective", "die relative"]),
        ("Mijn lerares lacht.", "lerares", []),
        ("Ik denk dat spelers lachen.", "spelers", []),
        ("Het selecteerde drie spelers.", "spelers", []),
        ("Een grote groep spelers lacht.", "spelers", []),
    ],
)
def test_what_agrees_in_dutch(text: str, noun: str, links: list[str]) -> None:
    assert chain("nl", text, noun) == links


def test_dutch_nouns_have_a_partner_where_the_lexicon_has_both() -> None:
    dutch = evenhand.open_grammar("nl")
    assert isinstance(dutch, Dutch)
    words = dutch.analyse("lerares leraar collega")
    assert dutch.inflect(words[0], gender="m") == "leraar"
    assert dutch.inflect(words[1], gender="f") == "lerares"
    assert dutch.inflect(words[2], gender="f") is None


@pytest.mark.parametrize(
    ("source", "focus", "rendering", "gender"),
    [
        ("He is a weakling.", "weakling", "Hij is een slappeling.", "neutral"),
        ("We are astrologers.", "astrologers", "Wij zijn astrologen.", "neutral"),
        ("She is a jazz musician.", "jazz musician", "Ze is een jazzmuzikante.", "female"),
        ("He is a ski instructor.", "ski instructor", "Hij is een skileraar.", "male"),
        ("The candidates left.", "candidates", "De kandidaten vertrokken.", "neutral"),
        ("My sisters left.", "sisters", "Mijn zussen vertrokken.", "female"),
        ("The heater is here.", "heater", "De verwarming is hier.", "unknown"),
    ],
)
def test_a_dutch_noun_that_shows_no_gender_is_neutral(source: str, focus: str, rendering: str, gender: str) -> None:
    start = source.index(focus)
    verdict = open_noun_judge(target="nl").verdict(source, rendering, start, start + len(focus))
    assert verdict.gender == gender
