"""A text as grammar sees it: tokens with all their readings, clauses, and the words bound to one person.

g = evenhand.open_grammar("es")
s = g.analyse("La médica que llegó cansada está contenta.")
s[1].readings            # every reading of "médica": lemma, part of speech, gender, number, case
g.phrase(s, 1)           # the noun phrase around token 1
g.agrees_with(s, 1)      # la (determiner), cansada and contenta (predicate), each with how sure
g.inflect(s[1], gender="m")    # "médico"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from evenhand.grammar.protocol import CASES, GENDERS, NUMBERS, Token, cells

if TYPE_CHECKING:
    from evenhand.grammar.base import Language

Part = Literal["noun", "adjective", "participle", "determiner", "pronoun", "relative", "verb", "past", "short", "other"]
LinkKind = Literal[
    "determiner", "adjective", "participle", "predicate", "relative", "conjunct", "apposition", "pronoun"
]
_GENDER = {letter: cells(letter) for letter in GENDERS}
_NUMBER = {letter: cells(numbers=letter) for letter in NUMBERS}
_CASE = {letter: cells(cases=letter) for letter in CASES}


class Reading(NamedTuple):
    """One thing a form can be. `cells` are its combinations of gender, number and case (see `protocol.cells`); `known`
    means that a table or dictionary has the word, not only its ending."""

    lemma: str
    part: Part
    cells: int
    known: bool = True

    @property
    def genders(self) -> str:
        """The letters f, m, n that the form can be."""
        return "".join(letter for letter, mask in _GENDER.items() if self.cells & mask)

    @property
    def numbers(self) -> str:
        """s, p or both."""
        return "".join(letter for letter, mask in _NUMBER.items() if self.cells & mask)

    @property
    def cases(self) -> str:
        """The cases that the form can be, as letters of `protocol.CASES`; all of them where the language has none."""
        return "".join(letter for letter, mask in _CASE.items() if self.cells & mask)

    def can_be(self, *, gender: str = GENDERS, number: str = NUMBERS, case: str = CASES) -> bool:
        """True when one combination has a gender, a number and a case of the given ones at once."""
        return bool(self.cells & cells(gender, number, case))


class Word(NamedTuple):
    """A token with its readings; offsets are code points, end exclusive."""

    text: str
    low: str
    start: int
    end: int
    readings: tuple[Reading, ...]


class Link(NamedTuple):
    """A token that agrees with a person, what it is to the person, and how sure that is (0 to 1)."""

    at: int
    kind: LinkKind
    sure: float


class Said(NamedTuple):
    """A token that gives the speaker or the listener a gender: what it is to the person (a noun said of it is an
    apposition), FEMININE or MASCULINE, and how sure that is."""

    at: int
    kind: LinkKind
    cells: int
    sure: float


class Walk:
    """Questions about the tokens of a sentence by their index; beyond its ends there are stops."""

    def __init__(self, language: Language, tokens: list[Token]) -> None:
        self.language, self.tokens = language, tokens

    def low(self, at: int) -> str:
        return self.tokens[at].low if 0 <= at < len(self.tokens) else "."

    def has(self, at: int, *roles: str) -> bool:
        """True when the word has one of these roles in classes.tsv."""
        held = self.language.held.get(self.tokens[at].low) if 0 <= at < len(self.tokens) else None
        return held is not None and not held.isdisjoint(roles)  # `Language.has` without its calls: the hottest line

    def any_of(self, places: Iterable[int], *roles: str) -> bool:
        return any(self.has(i, *roles) for i in places)

    def determiner(self, at: int) -> int:
        return self.language.determiner(self.low(at))


class Sentence:
    """An analysed text. `tokens` are plain tokens; `sentence[i]` adds the readings, which are made when asked for."""

    __slots__ = ("_clauses", "_cut", "_read", "_words", "text", "tokens")

    def __init__(
        self,
        text: str,
        tokens: list[Token],
        *,
        read: Callable[[Token], tuple[Reading, ...]],
        cut: Callable[[list[Token]], tuple[range, ...]],
    ) -> None:
        self.text, self.tokens, self._read, self._cut = text, tokens, read, cut
        self._words: dict[int, Word] = {}
        self._clauses: tuple[range, ...] | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, at: int) -> Word:
        if at not in self._words:
            token = self.tokens[at]
            self._words[at] = Word(*token, self._read(token))
        return self._words[at]

    def __iter__(self) -> Iterator[Word]:
        return (self[at] for at in range(len(self.tokens)))

    @property
    def clauses(self) -> tuple[range, ...]:
        """Stretches of tokens that hold one predicate each, as far as punctuation and conjunctions show it."""
        if self._clauses is None:
            self._clauses = self._cut(self.tokens)
        return self._clauses

    def narrowed(self, tokens: list[Token]) -> Sentence:
        """The same text with these tokens only: what is said outside of quotation marks, or between them."""
        return Sentence(self.text, tokens, read=self._read, cut=self._cut)

    def clause(self, at: int) -> range:
        """The clause that token `at` belongs to."""
        return next((clause for clause in self.clauses if at in clause), range(len(self.tokens)))
