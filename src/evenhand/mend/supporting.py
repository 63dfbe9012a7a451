"""Whether a form that the mender would write is a word: no form may be written that neither a dictionary nor a
productive ending supports, because endings alone make salmona of salmón.

The dictionaries are the tables that we have: forms of nouns for persons, words that go their own way, stems of
adjectives and participles. `tables/<language>/roles.tsv`, role `productive`: endings by which any noun for a person,
adjective or participle makes its other form, as the old word has them.
"""

from __future__ import annotations

from evenhand.detect.languages.protocol import Kind
from evenhand.mend.partners import Partners
from evenhand.mend.roles import Roles
from evenhand.mend.word_classes import PERSON

SHORT = {"fr": 2}  # letters of a word too short for a productive ending to be believed; 4 elsewhere


class Support:
    """Answers for one Romance language. All words are lower case."""

    def __init__(self, roles: Roles, partners: Partners) -> None:
        self.roles, self.language = roles, roles.language
        self.known, self.listed = partners.forms.known, partners.listed()
        self.productive = tuple(roles.words["productive"])

    def supports(self, old: str, new: str) -> bool:
        """True where the new form is known, or the old one ends as words do whose other form is regular."""
        if old == new or new in self.listed:
            return True
        old, new = old.rpartition("-")[2], new.rpartition("-")[2]
        if self.language.noun(old).kind is Kind.FIXED and not self.known.get(old, 0) & PERSON:
            return False  # personnes
        return (
            new in self.listed
            or any(self.known.get(form, 0) & PERSON for form in self.language.lookups(new))
            or bool(self.language.determiner(old))
            or any(self.language.lists(form) for word in (old, new) for form in self.language.lookups(word))
            or any(self._stem(word) for word in (old, new))
            or (len(old) > SHORT.get(self.language.code, 4) and old.endswith(self.productive))
        )

    def _stem(self, low: str) -> bool:
        """Listed as a stem of adjectives."""
        if low in self.roles.stems:
            return True
        stems = (low[: len(low) - len(ending)] for ending, _ in self.roles.endings if ending and low.endswith(ending))
        return any(stem in self.roles.stems or self.roles.has(stem, "own_stems") for stem in stems)
