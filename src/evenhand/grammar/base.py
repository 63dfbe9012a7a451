"""The table-driven default: everything a language can answer from its TSV files and a tokeniser.

A folder `grammar/<name>/` may hold
    determiners.tsv     form, genders, numbers, cases       rows of one form are united; letters of protocol.cells
    nouns.tsv           form, kind, genders, numbers        listed nouns; kind is one of protocol.Kind's values
    function_words.tsv  word                                blank-separated words that never render a noun
    pronouns.tsv        form, genders                       pronouns that refer back to a person
    things.tsv, things_derived.tsv                          nouns that name no person: written by hand, and made by
                                                            builders/things.py
    agents.tsv          ending                              endings that make nouns for persons
    ../stated.tsv       language, female, male              adjectives that say a person's gender outright
Any of them may be absent. A subclass overrides what its grammar needs and nothing else.
"""

from __future__ import annotations

import re
import unicodedata
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import (
    ANY,
    FEMININE,
    MASCULINE,
    Kind,
    Language,
    Noun,
    Phrase,
    Token,
    cells,
    cells_of,
)
from evenhand.grammar.sentence import Link, Part, Reading, Said, Sentence
from evenhand.remembered import remembered
from evenhand.tsv import rows, words

if TYPE_CHECKING:
    from evenhand.grammar.participants import Participant

CLAUSE_ENDS = frozenset(".,;:!?…()")
LETTER = r"[^\W_\u0300-\u036f]"
# A word may hold hyphens, apostrophes and the marks of both-gender notations: Lehrer:in, étudiant·e·s, alumn@s.
TAIL = rf"{LETTER}[\w\u0300-\u036f]*"
_SEVERAL = r"\((?:e?s|i|x|e?n|[иыії]|ов|ев|ей|ів|ы)\)"  # usuario(s), utente(i): one or several, not both genders
WORD = rf"{TAIL}(?:(?:[-\u2010\u2011'’·•*@:]|/-?){TAIL}|[*@]|(?!{_SEVERAL})\(-?[^\W\d_]{{1,5}}\)[^\W\d_]{{0,3}})*"
JOINED = re.compile(
    rf"(?P<first>{LETTER}[^\W\d_]*)(?P<mark>[:*·•@]|/-?|\(-?)(?P<second>[^\W\d_]*)\)?(?:[·•.]?[a-z]{{1,3}})?"
)
# French: étudiant.e.s, utilisateurs.trices, étudiant-e-s. What follows the mark is a feminine ending and nothing else.
_FEMININE = r"(?:e|ne|le|te|se|ve|ère|euse|rice|trice|ice|esse)s?"
DOTTED = rf"[^\W\d_]{{2,}}\.{_FEMININE}(?:\.s)?"
HYPHENED = re.compile(rf"[^\W\d_]{{2,}}[-\u2010\u2011]{_FEMININE}(?:[-\u2010\u2011]s)?")
SAME, ENDS = 3, 4  # letters that two forms of a noun share at least; letters at the end in which they may differ
# Tokenised text may have a blank after the apostrophe: "l' avocate".
ELIDING = (
    "[ldjmtscnv]|(?:lors|puis|quoi|jus)?qu|un|nessun|ciascun|alcun|dell|all|dall|nell|sull|coll|quell|quest|bell|buon|"
    "sant|gl"
)
ELIDED = rf"(?:{ELIDING})['’](?=\s?\w)"


class BaseLanguage(Language):
    """Answers from tables."""

    elides = False  # l'avocate, un'avvocata: the article before an apostrophe is a token
    participant: ClassVar[type[Participant] | None] = None  # how it reads the first and second person, if otherwise
    pattern: re.Pattern[str]

    def __init__(self) -> None:
        self.pattern = re.compile((f"(?i:{ELIDED})|" if self.elides else "") + WORD + r"|[^\w\s]")
        self.folder: Path = Path(__file__).parent / self.name
        self._determiners: dict[str, int] = {}
        for row in rows(self.folder / "determiners.tsv"):
            mask = cells_of(row)
            for form in row["form"].split():
                self._determiners[form] = self._determiners.get(form, 0) | mask
        self._nouns: dict[str, Noun] = {}
        for row in rows(self.folder / "nouns.tsv"):
            noun = Noun(cells_of(row), Kind(row["kind"]))
            for form in row["form"].split():
                self._nouns[form] = noun
        self._functions = words(self.folder / "function_words.tsv")
        self._thing_words: frozenset[str] = frozenset().union(*(words(path) for path in self.things))
        self._stated = {
            word: FEMININE if column == "female" else MASCULINE
            for row in rows(self.folder.parent / "stated.tsv")
            for column in ("female", "male")
            if row["language"] == self.name
            for word in row[column].split()
        }
        self._agents = tuple(words(self.folder / "agents.tsv", "ending"))
        self._pronouns = {
            form: cells_of(row) for row in rows(self.folder / "pronouns.tsv") for form in row["form"].split()
        }

    @property
    def things(self) -> tuple[Path, ...]:
        """The tables of nouns for things, of which some may be absent."""
        return self.folder / "things.tsv", self.folder / "things_derived.tsv"

    def tokens(self, text: str) -> list[Token]:
        make = tuple.__new__  # three times as fast as the constructor, and this is the hottest line of the detector
        return [
            make(Token, (word := match.group(), _fold(word) if len(word) <= LONGEST else word, *match.span()))
            for match in self.pattern.finditer(text)
        ]

    def analyse(self, text: str) -> Sentence:
        return Sentence(text, self.tokens(text), read=self.read, cut=self.cut)

    def read(self, token: Token) -> tuple[Reading, ...]:
        """All readings of a token; the default asks the tables, most certain first."""
        low, found = token.low, []
        if not low[0].isalnum():
            return ()
        parts: tuple[tuple[Part, int], ...] = (
            ("determiner", self.determiner(low)),
            ("pronoun", self.pronoun(low)),
            ("adjective", self.modifier(low)),
        )
        found = [Reading(low, part, mask) for part, mask in parts if mask]
        noun = self.noun(token.text)
        if not self.function_word(low):
            known = noun.kind is not Kind.GUESS
            found += [Reading(form, "noun", noun.cells, known) for form in self.lookups(token.text)[:1]]
        return tuple(found)

    def cut(self, tokens: list[Token]) -> tuple[range, ...]:
        """Clauses; the default ends them at punctuation."""
        ends = [i + 1 for i, token in enumerate(tokens) if token.low in CLAUSE_ENDS]
        starts = [0, *ends]
        return tuple(range(a, b) for a, b in zip(starts, [*ends, len(tokens)], strict=True) if a < b)

    def phrase(self, sentence: Sentence, at: int) -> Phrase:
        return noun_phrase(self, sentence.tokens, at, at + 1, ANY)

    def agrees_with(self, sentence: Sentence, at: int) -> tuple[Link, ...]:
        """The default: determiners and adjectives of the phrase, then the word that `predicate` finds."""
        phrase, tokens = self.phrase(sentence, at), sentence.tokens
        links = []
        for i in range(phrase.first, phrase.last):
            low = tokens[i].low
            if i != at and self.determiner(low):
                links.append(Link(i, "determiner", 0.98))
            elif i != at and self.modifier(low):
                links.append(Link(i, "adjective", 0.95))
        predicate = self.predicate(tokens, phrase)
        if predicate and predicate.at not in range(phrase.first, phrase.last):
            links.append(Link(predicate.at, "predicate", 0.9))
        return tuple(sorted(links))

    def said_of(self, sentence: Sentence, person: int) -> tuple[Said, ...]:
        from evenhand.grammar.participants import participant  # it reads the lexicon, which reads this module

        return participant(self, person).links(sentence.tokens)

    def lookups(self, text: str) -> tuple[str, ...]:
        return (fold(text),)

    def determiner(self, low: str) -> int:
        return self._determiners.get(low, 0)

    def noun(self, text: str) -> Noun:
        return next((self._nouns[form] for form in self.lookups(text) if form in self._nouns), None) or self.guess(text)

    def guess(self, text: str) -> Noun:
        """What the ending of an unlisted noun tells; the default is nothing."""
        return Noun(cells(), Kind.GUESS)

    def listed(self, text: str) -> bool:
        return any(form in self._nouns for form in self.lookups(text))

    def states(self, low: str) -> int:
        return self._stated.get(low, 0)

    def agentive(self, low: str, *, opens: bool = False) -> bool:
        return bool(self._agents) and low.endswith(self._agents)

    def function_word(self, low: str) -> bool:
        return low in self._functions or low in self._determiners or low in self._pronouns

    def pronoun(self, low: str) -> int:
        return self._pronouns.get(low, 0)

    def both(self, text: str) -> bool:
        """Lehrer:in, étudiant·e·s, amigo/a, maestro/maestra, alumn@s, el/la, un·e, ragazz*; not usuario(s)."""
        match = JOINED.fullmatch(text)
        if not match:
            return False
        first, mark, second = fold(match["first"]), match["mark"], fold(match["second"] or "")
        if mark[0] != "/":
            return (len(first) > 2 or bool(self.determiner(first))) and len(second) < 7
        if self.determiner(first) and (self.determiner(second) or self.function_word(second)):  # el/la, "du/de la"
            return True
        shared = max(SAME, min(len(first), len(second)) - ENDS)  # autore/autrice
        return len(first) > 3 and (len(second) <= 4 or first[:shared] == second[:shared])


LONGEST = 80  # no noun is longer; such "words" are not looked up and not kept in caches


def fold(text: str) -> str:
    """The form that tables are written in: NFC, lower case, straight apostrophe, plain hyphen."""
    return _fold(text) if len(text) <= LONGEST else text


@partial(remembered, mebibytes=16)
def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower().replace("’", "'").replace("\u2010", "-").replace("\u2011", "-")
