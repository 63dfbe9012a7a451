"""Any noun as a short noun phrase, and any noun put into the place of another in a Tatoeba sentence.

Nouns are treated alike whatever they mean: a form takes part with the gender the dictionary gives it, in the article
("the table" -> "la mesa") and in the place it may take (a noun of the same gender and number; living things only
replace living things, since grammar asks, as Spanish "a"). Nothing is chosen or balanced by gender or by occupation.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

Pair = tuple[str, str]
ARTICLES = {
    "es": {"m": ("el ", "un "), "f": ("la ", "una ")},
    "fr": {"m": ("le ", "un "), "f": ("la ", "une ")},
    "de": {"m": ("der ", "ein "), "f": ("die ", "eine "), "n": ("das ", "ein ")},
    "pt": {"m": ("o ", "um "), "f": ("a ", "uma ")},
    "it": {"m": ("il ", "un "), "f": ("la ", "una ")},
    **{language: {"": ("", "")} for language in ("ru", "pl", "cs", "uk")},
}
# Words before a singular noun after which its dictionary form stands, by gender.
BEFORE = {
    "es": {
        "m": "el un del al este ese mi tu su nuestro otro ningún",
        "f": "la una esta esa mi tu su nuestra otra ninguna",
    },
    "fr": {
        "m": "le un du au ce mon ton son notre votre leur",
        "f": "la une cette ma ta sa notre votre leur",
    },
    "de": {
        "m": "der ein dieser mein dein sein ihr unser kein",
        "f": "die eine der einer diese dieser meine meiner deine seine ihre unsere keine zur",
        "n": "das ein dem im ins zum am dieses mein dein sein ihr unser kein einem",
    },
}
DETERMINERS = set("the a an this that my your his her its our their another no every each some".split())
FOLLOWING = set(
    "is was are were has had in on of at to and or for with from by will would can could did does do that which "
    "who as but when if because than he she it i you we they".split()
)
VOWEL = re.compile(r"[aeiouàâéèêëîïôöûüœæ]", re.IGNORECASE)


IMPURE = re.compile(r"s[^aeiouàèéìòùh]|z|gn|ps|pn|x|y", re.IGNORECASE)  # Italian: lo, uno


@dataclass(frozen=True)
class Noun:
    """An English noun with one translation."""

    english: str
    other: str
    gender: str
    alive: bool = False

    @property
    def sound(self) -> str:
        """What articles look at: French vowels; 'h' is left alone, since it may be silent or not."""
        return "h" if self.other[0] in "hH" else "v" if VOWEL.match(self.other) else "c"


def definite(noun: Noun, language: str) -> str:
    head = ARTICLES[language][noun.gender][0]
    if language == "fr" and noun.sound == "v":
        return "l'" + noun.other
    if language == "it" and noun.sound == "v":
        return "l'" + noun.other
    if language == "it" and noun.gender == "m" and IMPURE.match(noun.other):
        head = "lo "
    if language == "es" and noun.gender == "f" and re.match(r"h?á|(h?a[^aeiou]+[aeiou]$)", noun.other):
        head = "el "  # el agua, el hacha: stressed a
    return head + noun.other


def indefinite(noun: Noun, language: str) -> str:
    head = ARTICLES[language][noun.gender][1]
    if language == "it" and noun.gender == "f" and noun.sound == "v":
        return "un'" + noun.other
    if language == "it" and noun.gender == "m" and IMPURE.match(noun.other):
        head = "uno "
    return head + noun.other


def phrases(nouns: list[Noun], language: str) -> list[Pair]:
    """ "the N" and "a N" for every noun; French words with h only with the indefinite article."""
    pairs = []
    for noun in nouns:
        if language != "fr" or noun.sound != "h":
            pairs.append((f"the {noun.english}", definite(noun, language)))
        article = "an" if noun.english[0] in "aeio" else "a"
        pairs.append((f"{article} {noun.english}", indefinite(noun, language)))
    return pairs


@dataclass(frozen=True)
class Place:
    """A sentence pair with the place of one noun: words before and after it on both sides."""

    english: tuple[str, str]
    other: tuple[str, str]


def places(pairs: list[Pair], nouns: list[Noun], language: str) -> dict[tuple[str, str, bool], list[Place]]:
    """Places by gender, sound and animacy, from sentences where noun and translation can be found beyond doubt."""
    known: dict[str, list[Noun]] = defaultdict(list)
    for noun in nouns:
        if " " not in noun.english + noun.other:
            known[noun.english].append(noun)
    before = {gender: set(words.split()) for gender, words in BEFORE[language].items()}
    found: dict[tuple[str, str, bool], list[Place]] = defaultdict(list)
    for english, other in pairs:
        if len(english.split()) > 14:
            continue
        placed = (
            (noun, start, left, here)
            for left, here in _noun_phrases(english, known)
            for noun in known[here[0]]
            if (start := _rendered_at(other, noun, before[noun.gender], language)) is not None
        )
        for noun, start, left, here in islice(placed, 1):
            place = Place(
                (english[: left.start()] + "\0" + left[0], english[here.end() :]),
                (other[:start], other[start + len(noun.other) :]),
            )
            found[noun.gender, noun.sound if language == "fr" else "", noun.alive].append(place)
    return found


def _noun_phrases(english: str, known: Collection[str]) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Determiner and noun, where the noun ends its phrase and occurs only once."""
    for left, here in pairwise(re.finditer(r"[\w'-]+", english)):
        if left[0].lower() not in DETERMINERS or here[0] not in known:
            continue
        rest = english[here.end() :]
        following = re.match(r"\s+([\w']+)", rest)
        ends = not following or following[1].lower() in FOLLOWING
        if ends and not rest.startswith("-") and english.count(here[0]) == 1:
            yield left, here


def _rendered_at(other: str, noun: Noun, before: Collection[str], language: str) -> int | None:
    """Where the noun begins, if it occurs once and behind a word that shows its gender, or behind l'."""
    word = re.escape(noun.other)
    if len(re.findall(rf"\b{word}\b", other)) != 1:
        return None
    elided = re.search(rf"\b[lL]'{word}(?=[\s.,!?]|$)", other) if language == "fr" else None
    if elided:
        return other.index(noun.other, elided.start())
    at = re.search(rf"(?:^|(?<=\s))([\wáéíóúñàâçéèêëîïôûüß]+) {word}(?=[\s.,!?]|$)", other)
    return other.index(noun.other, at.start(1)) if at and at[1].lower() in before else None


def swaps(pairs: list[Pair], nouns: list[Noun], language: str, each: int, seed: int) -> list[Pair]:
    """Every noun in `each` places of its kind (fewer where there are fewer)."""
    rng = random.Random(seed)
    available = places(pairs, nouns, language)
    result = []
    for noun in nouns:
        if language == "fr" and noun.sound == "h":
            continue
        if language == "es" and noun.gender == "f" and re.match(r"h?[aá]", noun.other):
            continue
        pool = available.get((noun.gender, noun.sound if language == "fr" else "", noun.alive), [])
        for place in rng.sample(pool, min(each, len(pool))):
            head, word = place.english[0].split("\0")
            if word.lower() in {"a", "an"}:
                right = "an" if noun.english[0] in "aeio" else "a"
                word = right.capitalize() if word[0].isupper() else right
            result.append(
                (f"{head}{word} {noun.english}{place.english[1]}", f"{place.other[0]}{noun.other}{place.other[1]}")
            )
    return result
