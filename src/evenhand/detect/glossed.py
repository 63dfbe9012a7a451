"""Sources other than English, read word by word as English, so that the same detector and tables judge them.

A word's gloss is the concept for which our tables of forms list it, else the English word that the stored translation
table renders by it most surely. Persons are the listed forms whose concept names a person in English, too; what the
source says of their gender is read as a rendering is: by form, article and agreement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from evenhand.detect.decide import decide
from evenhand.detect.strength import PRIORS, read_priors
from evenhand.gender import Gender
from evenhand.grammar import source_grammar
from evenhand.grammar.english import Word
from evenhand.grammar.lexicon import Column, shipped_forms
from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import ANY, SINGULAR, Kind, Token
from evenhand.persons.finder import Person
from evenhand.persons.lexicon import PersonLexicon
from evenhand.persons.stated import Says

NAMED = Column.FEMALE | Column.MALE | Column.NEUTRAL
SAYS: dict[Gender, Says] = {Gender.FEMALE: "female", Gender.MALE: "male", Gender.NEUTRAL: "open"}


class Glosses:
    """One source language."""

    def __init__(self, code: str) -> None:
        self.language = source_grammar(code)
        self.forms = shipped_forms(self.language)
        self.lexicon = PersonLexicon()

    @cached_property
    def _table(self) -> dict[str, tuple[float, str]]:
        """The English word that each word renders most surely."""
        best: dict[str, tuple[float, str]] = {}
        for english, renderings in read_priors(self.language.folder / PRIORS).items():
            for word, score in renderings.items():
                best[word] = max(best.get(word, (0.0, "")), (score, english))
        return best

    @cached_property
    def _concepts(self) -> dict[str, str]:
        """The concept of each listed form: what the translation table supports, then what we wrote ourselves."""
        table, best = read_priors(self.language.folder / PRIORS), dict[str, tuple[float, bool, str]]()
        for concept in self.forms.concepts.values():
            for form, columns in concept.single.items():
                if columns & NAMED and self._person(concept.name):
                    rank = (table.get(concept.name, {}).get(form, 0.0), concept.written, concept.name)
                    best[form] = max(best.get(form, rank), rank)
        return {form: name for form, (_, _, name) in best.items()}

    @cached_property
    def _compounds(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """By first word what else belongs to a form of several words, and its concept: diş hekimi, a dentist."""
        found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for concept in self.forms.concepts.values() if self.language.compounds_apart else ():
            for first, several in concept.several.items() if self._person(concept.name) else ():
                found.setdefault(first, []).extend((rest, concept.name) for rest, columns in several if columns & NAMED)
        return found

    def _person(self, concept: str) -> bool:
        """True for an English noun for persons, by its last word."""
        return bool(self.lexicon.look_up(concept.rpartition(" ")[2]))

    def words(self, text: str) -> list[Word]:
        """The words of a text with their English ones; a plural is one in English, too."""
        tokens = self.language.tokens(text)
        return [Word(self._gloss(tokens, i), token.start, token.end) for i, token in enumerate(tokens)]

    def _gloss(self, tokens: list[Token], i: int) -> str:
        low, forms = tokens[i].low, self.language.lookups(tokens[i].text)
        concept, _ = self._named(tokens, i)
        if not concept:
            return max((self._table[form] for form in forms if form in self._table), default=(0.0, low))[1]
        return f"{concept}s" if self._plural(tokens, i) else concept

    def _named(self, tokens: list[Token], i: int) -> tuple[str, int]:
        """The concept of the noun that ends at i, and where it begins; "" for no noun for a person."""
        forms = self.language.lookups(tokens[i].text)
        for first in range(max(0, i - 3), i) if self._compounds else ():
            between = tuple(token.low for token in tokens[first + 1 : i])
            for rest, concept in self._compounds.get(tokens[first].low, ()):
                if rest[:-1] == between and rest[-1] in forms:
                    return concept, first
        return next((self._concepts[form] for form in forms if form in self._concepts), ""), i

    def _plural(self, tokens: list[Token], i: int) -> bool:
        phrase = noun_phrase(self.language, tokens, i, i + 1, ANY)
        return not self.language.noun(tokens[i].text).cells & phrase.cells & SINGULAR

    def find_all(self, texts: Sequence[str]) -> list[list[Person]]:
        """The persons of each text, in order, with the gender that the text states."""
        return [list(self._persons(self.language.tokens(text))) for text in texts]

    def _persons(self, tokens: list[Token]) -> Iterator[Person]:
        for i, token in enumerate(tokens):
            concept, first = self._named(tokens, i)
            if not concept or self._other(tokens, i, concept):
                continue
            forms = self.language.lookups(token.text) if first == i else ()
            columns = next((self.forms.known[form] for form in forms if form in self.forms.known), Column.NONE)
            plural = self._plural(tokens, i)
            said = decide(self.language, tokens, i, i + 1, columns, plural=plural)
            says = SAYS.get(said.gender, "unclear")
            by = " ".join(tokens[at].text for at in said.evidence)
            yield Person(tokens[first].start, token.end, plural, says, by, gendered=concept in self.lexicon.gendered)

    def _other(self, tokens: list[Token], i: int, concept: str) -> bool:
        """A function word, a thing, a name, or a verb or adjective that looks like a person's noun."""
        grammar, token, before = self.language, tokens[i], tokens[i - 1].low if i else "."
        if grammar.states(token.low) and i + 1 < len(tokens) and self._named(tokens, i + 1)[0]:
            return True  # kadın doktor
        if grammar.function_word(token.low) or grammar.noun(token.text).kind is Kind.THING:
            return True
        capital = token.text[0].isupper()
        if grammar.capitalises_nouns:
            return not capital
        if grammar.modifier(token.low) and not self.forms.concepts[concept].written:
            return True
        verb = grammar.verb(token.low) and not grammar.determiner(before)
        return verb or (capital and before[0].isalnum() and not self.lexicon.look_up(token.low))
