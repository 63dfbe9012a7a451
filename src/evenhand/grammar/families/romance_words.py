"""Questions about the words of a Romance sentence, as one noun for a person sees them: gender, number, place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Token

if TYPE_CHECKING:
    from evenhand.grammar.families.romance import Romance

PERSON = Column.FEMALE | Column.MALE
NOT_SAID = frozenset({Kind.FIXED, Kind.THING})  # vittime, tiempos: nouns whose ending says nothing about a person
CLITIC = re.compile(r"(?:[áéí]ndo|[aei]r|[áéí])-?(?:me|te|se|l[aoei]s?)$")  # investigándolo, reconstruí-lo
ENCLITIC = re.compile(r"-(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|les?|la|y|en)$")  # as-tu
LITTLE = frozenset({"po'", "po", "poco", "peu", "pouco", "mica"})
STOPS = frozenset('.;:!?…()«»"“”—–')


def told(cells: int) -> bool:
    """True when the cells show one of the two genders."""
    return bool(cells & FEMININE) != bool(cells & MASCULINE)


class Words:
    """The words of one sentence as one noun sees them; every question is about a token's index."""

    def __init__(
        self,
        language: Romance,
        forms: Forms,
        tokens: list[Token],
        head: int,
        *,
        masculine: bool,
        plural: bool = False,
        heads: Iterable[int] = (),
    ) -> None:
        """`plural`: what to assume where the sentence does not show the number; `heads`: all nouns for the person."""
        self.language, self.forms, self.tokens, self.head = language, forms, tokens, head
        self.masculine, self.heads = masculine, frozenset(heads) | {head}
        self.cells, self.column = (MASCULINE, Column.MALE) if masculine else (FEMININE, Column.FEMALE)
        self.plural = self._plural(plural)

    @property
    def number(self) -> int:
        """Cells of the noun's number."""
        return PLURAL if self.plural else SINGULAR

    @property
    def gendered(self) -> str:
        """What names of roles for one gender end in."""
        return "masculine" if self.masculine else "feminine"

    # -- classes of words

    def low(self, at: int) -> str:
        """The word, or a stop beyond the sentence's end."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else "."

    def has(self, at: int, *roles: str) -> bool:
        """True when the word has one of these roles in classes.tsv."""
        held = self.language.roles_of(self.low(at))
        return bool(held) and not held.isdisjoint(roles)

    def determiner(self, at: int) -> int:
        return self.language.determiner(self.low(at))

    def adjective(self, at: int) -> int:
        return self.language.adjective(self.low(at))

    def joins(self, at: int) -> bool:
        """A word like and, or, but."""
        return self.has(at, "joins")

    def links(self, at: int) -> bool:
        """A verb after which an adjective is said of the subject."""
        return self.has(at, "copula", "linking")

    def compares(self, at: int) -> bool:
        """A word like as."""
        return self.has(at, "as")

    def partitive(self, at: int) -> bool:
        """A word like of."""
        return self.has(at, "partitive")

    def perfect(self, at: int) -> bool:
        return self.language.perfect(self.low(at))

    def kind(self, at: int) -> Kind:
        return self.language.noun(self.tokens[at].text).kind

    def closes(self, at: int) -> bool:
        """Punctuation that ends a clause, a comma included."""
        low = self.low(at)
        return low == "," or low[0] in STOPS

    def ends(self, at: int) -> bool:
        """Nothing follows that an adjective before it could belong to."""
        return not self.low(at)[0].isalnum() or self.joins(at) or self.has(at, "preposition", "fused")

    # -- gender and number

    def of(self, at: int) -> int:
        """Cells of a determiner, adjective or participle; 0 for other words."""
        low = self.tokens[at].low
        if ENCLITIC.search(low):
            return 0
        return self.language.agreeing_auxiliary(low) or self.language.determiner(low) or self.language.adjective(low)

    def told(self, at: int) -> bool:
        """Shows the noun's gender, and only that, in the noun's number."""
        cells = self.of(at)
        return bool(cells & self.cells) and told(cells) and self.numbered(at)

    def loose(self, at: int) -> bool:
        """The same by its ending alone, for places where hardly anything but an adjective occurs."""
        low = self.tokens[at].low
        if len(low) < 4 or not low.isalpha() or self.language.function_word(low) or self.language.determiner(low):
            return False
        if said := self.language.said(low):
            return bool(said & self.cells) and self.numbered(at)
        verb = self.language.rather_verb(low) or self.language.verb(low) or CLITIC.search(low)
        if verb or self.language.noun(low).kind in NOT_SAID:
            return False
        cells = self.language.loosely(low)
        return bool(cells & self.cells) and told(cells) and self.numbered(at)

    def numbered(self, at: int) -> bool:
        """Of the noun's number, by the ending."""
        return self.language.numbered_as(self.tokens[at].low, plural=self.plural, masculine=self.masculine)

    def _plural(self, source: bool) -> bool:
        """By the noun, else by its determiner, else by whether the form is a singular one."""
        cells, low = self.language.noun(self.tokens[self.head].text).cells, self.tokens[self.head].low
        named = self.tokens[self.head].text.istitle() and not self.names(self.head)
        if self.head and named and not self.determiner(self.head - 1):
            return False  # a person's name
        if not self.language.open_number(low) and bool(cells & PLURAL) != bool(cells & SINGULAR):
            return bool(cells & PLURAL)
        for i in range(self.head - 1, max(self.head - 4, -1), -1):
            cells = self.determiner(i)
            if cells and bool(cells & PLURAL) != bool(cells & SINGULAR):
                return bool(cells & PLURAL)
        return self._number_of_form(low, source=source)

    def _number_of_form(self, low: str, *, source: bool) -> bool:
        return low not in self.forms.known and low[-1] not in "oa"

    # -- persons

    def names(self, at: int) -> int:
        """The columns of our tables, female and male, that have the word: 0 where it names no person."""
        if self.perfect(at - 1):
            return 0  # je l'ai invité
        return self.language.columns(self.tokens[at].text if 0 <= at < len(self.tokens) else ".")

    def person(self, at: int) -> bool:
        """A noun that names a person of this gender, and of no other, in this number."""
        low = self.tokens[at].low
        if self.language.function_word(low) or not self.numbered(at):
            return False
        return self.names(at) == self.column

    def common(self, at: int) -> bool:
        """A noun for a person of either gender, in this number."""
        return self.kind(at) is Kind.COMMON and self.numbered(at) and bool(self.names(at))

    def rival(self, at: int) -> bool:
        """Somebody else of this gender may be meant: a noun for persons whose article does not show the other one."""
        if not self.names(at) & self.column:
            return False
        cells = self.determiner(at - 1)
        return not (told(cells) and not cells & self.cells)

    # -- places

    def adverbial(self, at: int) -> bool:
        low = self.tokens[at].low
        if low in LITTLE or low in {"'", "’"} or (low in {"un", "um", "una"} and self.low(at + 1) in LITTLE):
            return True
        if self.has(at, f"alone_{self.gendered}") and not self.low(at + 1)[0].isalnum():
            return False  # morì solo
        return self.language.adverb(low) or low.endswith(("mente", "ment")) or self.language.role(low, "adverb_too")

    def past_adverbs(self, at: int) -> int:
        """The next place that has no adverb."""
        while at < len(self.tokens) and self.adverbial(at):
            at += 1
        return at

    def past_as(self, at: int) -> int:
        """Past the word for as."""
        return at + 1

    def back(self, at: int) -> int:
        """The nearest place before that has neither an adverb nor a negation."""
        while at >= 0 and (self.adverbial(at) or self.has(at, "negation")):
            at -= 1
        return at

    def floating(self, at: int) -> bool:
        """tous without a noun of its own: not "à tous les niveaux"."""
        return False

    def when(self, at: int) -> bool:
        """elegida última setmana: a word that says when."""
        return self.has(at, "time") or (self.has(at, "ordinal") and self.has(at + 1, "time"))

    def subject(self, at: int) -> bool:
        """The article of a noun phrase of this gender and number that no preposition governs."""
        return bool(self.determiner(at) & self.cells & self.number) and not self.governed(at)

    def governed(self, first: int) -> bool:
        """True when a preposition precedes the phrase that begins here, or is part of its article."""
        return self.has(first, "fused") or bool(first and self.language.governed(self.tokens, first))
