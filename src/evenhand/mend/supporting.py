"""Whether a form that the mender would write is a word: no form may be written that neither a dictionary nor a
productive ending supports, because endings alone make salmona of salmón.

The dictionaries are the tables that we have: forms of nouns for persons, words that go their own way, stems of
adjectives and participles. `tables/<language>/roles.tsv` lists endings, as the old word has them, by which such words
make their other form: `productive` of nouns for persons, `productive_said` of adjectives, participles. A noun that no
table knows is not believed by an adjective's ending: supermercado and lavandino end as persons do, and are things.
"""

from __future__ import annotations

from evenhand.grammar.protocol import Kind
from evenhand.mend.partners import Partners
from evenhand.mend.roles import Roles
from evenhand.mend.word_classes import PERSON

SHORT = {"fr": 2}  # letters of a word too short for a productive ending to be believed; 4 elsewhere


class Support:
    """Answers for one Romance language. All words are lower case."""

    def __init__(self, roles: Roles, partners: Partners) -> None:
        self.roles, self.language = roles, roles.language
        self.known, self.listed = partners.forms.known, partners.listed()
        self.adjectives = roles.adjectives()
        self.nouns, self.said = tuple(roles.words["productive"]), tuple(roles.words["productive_said"])

    def supports(self, old: str, new: str, *, noun: bool) -> bool:
        """True where the new form is known, or the old one ends as words do whose other form is regular; `noun`: it
        names the person, and is not said of it."""
        if old == new or new in self.listed:
            return True
        old, new = old.rpartition("-")[2], new.rpartition("-")[2]
        if self.language.noun(old).kind is Kind.FIXED and not self.known.get(old, 0) & PERSON:
            return False  # personnes
        if noun and any(self._thing(word) for word in (old, new)):
            return False  # lavandina: the word is there, and means another thing
        return (
            new in self.listed
            or any(self.known.get(form, 0) & PERSON for form in self.language.lookups(new))
            or bool(self.language.determiner(old))
            or new in self.adjectives
            or any(self.language.lists(form) for word in (old, new) for form in self.language.lookups(word))
            or any(self._stem(word) for word in (old, new))
            or (len(old) > SHORT.get(self.language.code, 4) and old.endswith(self.nouns if noun else self.said))
        )

    def _thing(self, low: str) -> bool:
        """Known as a word for a thing, and for no person."""
        persons = any(self.known.get(form, 0) & PERSON for form in self.language.lookups(low))
        return not persons and self.language.noun(low).kind is Kind.THING

    def _stem(self, low: str) -> bool:
        """Listed as a stem of adjectives."""
        if low in self.roles.stems:
            return True
        stems = (low[: len(low) - len(ending)] for ending, _ in self.roles.endings if ending and low.endswith(ending))
        return any(stem in self.roles.stems or self.roles.has(stem, "own_stems") for stem in stems)
