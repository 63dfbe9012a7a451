"""Whom a pronoun or a predicate of a Romance sentence can mean besides one noun for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenhand.gender import Gender
from evenhand.grammar.protocol import Kind
from evenhand.mend.beside import STOPS
from evenhand.mend.roles import told
from evenhand.mend.stating import pronouns
from evenhand.mend.word_classes import PERSON

if TYPE_CHECKING:
    from evenhand.mend.agreeing import Agreement

NEAR = 3  # words from a determiner to its noun


class Antecedents:
    """Asked for one noun, after its own phrase was marked."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens

    def rivals(self) -> list[int]:
        """Other nouns for persons that may have the noun's gender and have its number."""
        return [i for i in range(len(self.tokens)) if i not in self.agreement.marked and self._rival(i)]

    def contradicted(self) -> bool:
        """True when the sentence or its source names others, and the source's he or she has the gender that the noun
        is to lose: it may then mean one of the others."""
        if pronouns(self.agreement.source) != {Gender.MALE if self.view.masculine else Gender.FEMALE}:
            return False
        if self.view.others:
            return True  # alguém, a testemunha, or a word that no table knows
        taken = self.agreement.marked | self.view.heads
        return any(
            i not in taken and self.view.names(i) and self._leader(i) is not None for i in range(len(self.tokens))
        )

    def hosts(self) -> list[int]:
        """Determiners of the noun's gender and number before it that no preposition governs, of persons or things."""
        view, first = self.view, self.agreement.first
        return [i for i in range(first) if i not in self.agreement.marked and view.subject(i) and self._opens(i)]

    def object(self, *, embedded: bool = False) -> bool:
        """True when the noun is no subject: a preposition governs it, or a subject stands before it in its clause;
        `embedded`: or in the clause that its own is a part of (notó que la enfermera)."""
        view, first = self.view, self.agreement.first
        if view.governed(first) or self._of_speaker(first):
            return True
        for i in range(first - 1, -1, -1):
            low = view.low(i)
            if self.roles.joins(low) or low == "," or low[0] in STOPS or self.language.role(low, "subordinator"):
                return False
            if not embedded and self.language.role(low, "relative"):
                return False
            if self.language.determiner(low) and not view.governed(i) and self._opens(i) and self._subject(i + 1):
                return True
        return False

    def _of_speaker(self, first: int) -> bool:
        """ho chiamato la mia amica, chamei o meu amigo: the object of a verb whose subject is I or we."""
        before = self.view.low(first - 1)
        if self.language.code == "pt":
            return before.endswith(("ei", "amos", "emos", "imos")) and not self.language.determiner(before)
        return self.roles.has(self.view.low(first - 2), "speaker_has") and bool(self.roles.modifier(before))

    def _subject(self, at: int) -> bool:
        """No thing stands there, and a verb between it and the noun: not "il giorno dopo la maestra"."""
        view = self.view
        while at < self.agreement.first and not view.names(at):
            if not self.language.determiner(view.low(at)) and not self.roles.modifier(view.low(at)):
                break
            at += 1
        if at >= self.agreement.first or self.language.noun(self.tokens[at].text).kind is Kind.THING:
            return False
        return any(not self._inside(i) for i in range(at + 1, self.agreement.first))

    def _inside(self, at: int) -> bool:
        low = self.view.low(at)
        closed = self.language.determiner(low) or self.language.role(low, "preposition") or self.view.adverbial(at)
        return bool(closed or (self.roles.modifier(low) and not self.language.verb(low)))

    def _opens(self, at: int) -> bool:
        """A determiner at the beginning of its phrase."""
        return not at or not self.language.determiner(self.view.low(at - 1))

    def _rival(self, at: int) -> bool:
        view, low = self.view, self.view.low(at)
        if at in view.heads:
            return False  # the same noun said again
        if self.roles.has(low, "title"):
            return view.names(at) in {0, view.column}  # el Sr. Mulder
        if self.language.function_word(low) or self.language.determiner(low) or not view.numbered(at):
            return False
        leader = self._leader(at)
        if leader is None or any(view.names(i) for i in range(leader + 1, at)):
            return False  # il ragazzo corse: what follows a person's noun is said of the same person, or is a verb
        named = view.names(at)
        if not named:  # il driver: a subject that no table knows
            kind = self.language.noun(self.tokens[at].text).kind
            unknown = leader == at - 1 and at < self.agreement.first and kind in {Kind.GUESS, Kind.SEXED, Kind.COMMON}
            return unknown and self._begins(leader) and view.subject(leader) and not self.roles.modifier(low)
        cells = self.language.determiner(view.low(leader))
        if told(cells):
            return bool(cells & view.cells)
        return named in {view.column, PERSON}

    def _begins(self, at: int) -> bool:
        """At the beginning of a clause, where subjects stand."""
        low = self.view.low(at - 1)
        joined = self.roles.joins(low) or self.language.role(low, "subordinator") or self.language.role(low, "relative")
        return joined or not low[0].isalnum()

    def _leader(self, at: int) -> int | None:
        """The determiner before a noun, over its adjectives; None where there is none near."""
        for i in range(at - 1, max(at - 1 - NEAR, -1), -1):
            if self.language.determiner(self.view.low(i)):
                return i
            if not self.roles.modifier(self.view.low(i)) and not self.view.names(i):
                return None
        return None
