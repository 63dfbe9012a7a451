"""What a rendering's words say about the speaker (or the listener), and how several of them make one verdict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from evenhand.gender import Gender
from evenhand.grammar.lexicon import Column, shipped_forms
from evenhand.grammar.protocol import FEMININE, MASCULINE, Kind, Language, Token
from evenhand.tsv import rows

OPENING = "«“„‟‹「『"
CLOSING = "»”‟›」』"
STRAIGHT = '"'
# byl(a), устал(а), cansado/a, zrobiłem/am, fatigué·e: an ending of the other gender in a bracket or after a slash
BOTH = re.compile(
    r"\w(?:\(-?|/-?|[·•*:]|/a/)(?:а|ла|ась|лась|ая|ой|a|ą|am|em|łam|łem|la|na|á|o|e|ne|se|ve|rice|ra|as|os)\)?(?!\w)"
)


FIRST = re.compile(r"[^\W\d_]+")


def undoubled(token: Token) -> Token:
    """The first form of a word that names both genders ("byl/a", "fatigué(e)", "byłem/byłam"), else the token."""
    if token.text.isalpha():
        return token
    match = FIRST.match(token.text)
    if not match or not names_both(token.text, match.end()):
        return token
    return Token(match.group(), token.low[: match.end()], token.start, token.start + match.end())


def names_both(text: str, end: int) -> bool:
    """True where a form that ends at `end` is followed by its other gender."""
    if BOTH.match(text, max(end - 1, 0)):
        return True
    other = FIRST.match(text, end + 1) if text[end : end + 1] == "/" else None
    first = text[:end].rpartition(" ")[2]
    return bool(other) and len(first) > 3 and text[end + 1 : end + 4].lower() == first[:3].lower()


class Sign(NamedTuple):
    """One word that gives a gender. `explicit`: its subject stands beside it or in the verb itself; otherwise it was
    carried over from another clause."""

    gender: Gender
    at: int  # token index
    how: str  # agreement | forms
    explicit: bool = True


class Reader(Protocol):
    """How a language shows the gender of a person who speaks or is spoken to."""

    def signs(self, tokens: Sequence[Token]) -> list[Sign]:
        """Every word that gives the person a gender, in the order of the text."""


class Words:
    """The words of a language by role (`words/<name>.tsv`: role, words); roles end in 1 for the speaker, 2 for the
    listener where they differ."""

    def __init__(self, name: str, person: int) -> None:
        self.path = Path(__file__).parent / "words" / f"{name}.tsv"
        self._person = str(person)
        self._roles: dict[str, frozenset[str]] = {}
        for row in rows(self.path):
            role = row["role"]
            if role[-1] in "12" and role[-1] != self._person:
                continue
            key = role.rstrip("12")
            self._roles[key] = self._roles.get(key, frozenset()) | frozenset(row["words"].split())

    def of(self, role: str) -> frozenset[str]:
        """The words of a role for this person; empty where the language has none."""
        return self._roles.get(role, frozenset())


class Persons:
    """The gender of a noun for a person, as the noun detector's tables know it."""

    def __init__(self, language: Language, words_: Words) -> None:
        self._language = language
        self.forms = shipped_forms(language)
        self._female, self._male = words_.of("women"), words_.of("men")
        self._endings = {
            Gender.FEMALE: tuple(words_.of("woman_ending")),
            Gender.MALE: tuple(words_.of("man_ending")),
        }

    def gender(self, text: str) -> Gender | None:
        """female or male where the form tells, None for nouns of one form for both, of fixed gender, and for things.

        A masculine noun that no table lists beside a feminine one tells nothing: it may be the only word there is.
        """
        looked = self._language.lookups(text)
        if any(form in self._female for form in looked):
            return Gender.FEMALE
        if any(form in self._male for form in looked):
            return Gender.MALE
        columns = next((self.forms.known[form] for form in looked if form in self.forms.known), Column.NONE)
        kind = self._language.noun(text).kind
        if kind is Kind.FIXED or kind is Kind.THING:
            return None
        if columns == Column.FEMALE:
            return Gender.FEMALE
        if columns == Column.MALE:
            return Gender.MALE
        if columns == Column.NONE and kind is Kind.SEXED and not self._language.noun(text).cells & ~FEMININE:
            return Gender.FEMALE
        if columns == Column.NONE and kind is Kind.GUESS:
            for gender, endings in self._endings.items():
                if endings and any(form.endswith(endings) and len(form) > 6 for form in looked):
                    return gender
        return None


def one(mask: int) -> bool:
    """True when exactly one of feminine and masculine is left."""
    return bool(mask & FEMININE) != bool(mask & MASCULINE)


def gender_of(mask: int) -> Gender:
    """female where the feminine is left, else male; only after `one`."""
    return Gender.FEMALE if mask & FEMININE else Gender.MALE


def quoted(text: str) -> list[tuple[int, int]]:
    """The stretches between quotation marks, marks included; one that is never closed runs to the end."""
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for i, letter in enumerate(text):
        if start is None:
            if letter in OPENING or letter == STRAIGHT:
                start = i
        elif letter in CLOSING or letter == STRAIGHT:
            spans.append((start, i + 1))
            start = None
    if start is not None and start < len(text) - 1:
        spans.append((start, len(text)))
    return spans


def decide(signs: Sequence[Sign]) -> tuple[Gender, Sign | None, bool]:
    """The gender, the sign to show, and whether signs contradict each other.

    Verbs and adjectives go before nouns, what is said of the person outright before what is carried over. Words that
    contradict each other at the same rank leave it unknown.
    """
    for how, explicit in (("agreement", True), ("agreement", False), ("forms", True), ("forms", False)):
        ranked = [sign for sign in signs if sign.how == how and sign.explicit is explicit]
        genders = {sign.gender for sign in ranked}
        if Gender.BOTH in genders or (len(genders) == 1):
            gender = Gender.BOTH if Gender.BOTH in genders else ranked[0].gender
            first = next(sign for sign in ranked if sign.gender is gender)
            return gender, first, any(sign.gender is not gender for sign in signs)
        if genders:
            return Gender.UNKNOWN, ranked[0], True
    return Gender.NEUTRAL, None, False


__all__ = ["Persons", "Reader", "Sign", "Words", "decide", "gender_of", "names_both", "one", "quoted", "undoubled"]
