"""Why a word that seems to name a person of a Romance sentence is better left: it names none, or more than itself would
have to change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenhand.grammar.protocol import Kind
from evenhand.mend.antecedents import Antecedents
from evenhand.mend.beside import STOPS
from evenhand.mend.french_clauses import FrenchClauses
from evenhand.mend.roles import told

if TYPE_CHECKING:
    from evenhand.mend.agreeing import Agreement


class Refusing:
    """Asked for one noun, after its words were marked. French has rules of its own."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens

    def reason(self) -> str | None:
        """A sentence for the user, or None."""
        word = self.tokens[self.view.head].text
        if self.language.code == "fr":
            said = FrenchClauses(self.agreement).said_of(self.agreement.first)
            return f"{word!r} is said of somebody whose words would have to change too" if said else None
        if self._no_person():
            return f"{word!r} is not known as a word for a person"
        if self._predicate():
            return f"{word!r} is said of somebody whose words would have to change too"
        if self._apposed() or self._named():
            return f"{word!r} stands beside another word for the same person"
        return None

    def _no_person(self) -> bool:
        """se había presentado; campanhas publicitárias; promovido a músico, where a is no article"""
        view, head = self.view, self.view.head
        named = view.names(head)
        if head - 1 >= self.agreement.first and self._noun(head - 1):
            return True  # mulheres jornalistas, la persona asesorada
        if named:
            article = view.low(head - 1) == "a" and self.language.code == "pt"
            return article and not named & view.column
        before = self.language.noun(self.tokens[head - 1].text).kind if head else None
        if self.language.noun(self.tokens[head].text).kind is Kind.THING:
            return True
        if not self.roles.modifier(view.low(head)) or not head or self.language.determiner(view.low(head - 1)):
            return False
        return self.language.perfect(view.low(head - 1)) or before is Kind.THING

    def _noun(self, at: int) -> bool:
        low = self.view.low(at)
        if self.roles.modifier(low) or self.language.determiner(low) or self.roles.has(low, "title"):
            return False
        return bool(self.view.names(at)) or self.language.noun(self.tokens[at].text).kind is Kind.FIXED

    def _predicate(self) -> bool:
        """Ellos son más que amigos; los Estados no son contribuyentes; mantener informados a los vecinos"""
        view, first = self.view, self.agreement.first
        at = first - (not view.low(first).startswith("al"))
        if (
            view.low(at) in {"a", "al", "als"}
            and at > 1
            and view.told(at - 1)
            and self.roles.has(view.low(at - 2), "linking")
        ):
            return at - 1 not in self.agreement.marked
        at = first - 1
        while at >= 0 and (view.adverbial(at) or self._than(at)):
            at -= 1
        low = view.low(at)
        copula = self.language.role(low, "copula") or self.language.role(low, "auxiliary")
        if at < 1 or not (copula or self.roles.compares(low)):
            return False
        if self._by_pronoun(at):
            return True
        bare = first == view.head and not self.language.role(low, "auxiliary")
        hosts = {i for i in Antecedents(self.agreement).hosts() if bare or any(map(view.names, range(i + 1, i + 3)))}
        if not copula or not view.names(view.head):
            return False
        for i in range(at - 1, -1, -1):
            low = view.low(i)
            if low == "," or low[0] in STOPS or self.roles.joins(low) or self.language.role(low, "relative"):
                return False
            if i in hosts:
                return True
        return False

    def _by_pronoun(self, at: int) -> bool:
        """Ela foi professora; ele trabalhou como editor: he or she before what is said of them, and nobody else."""
        view = self.view
        cells = [self.language.pronoun(view.low(i)) for i in range(at) if i not in self.agreement.marked]
        return any(told(c) and c & view.cells for c in cells if c) and not Antecedents(self.agreement).rivals()

    def _than(self, at: int) -> bool:
        """más que amigos"""
        return self.view.low(at) == "que" and self.view.adverbial(at - 1)

    def _apposed(self) -> bool:
        """a sua tia, uma pastora: the noun adds to another person's."""
        view, at = self.view, self.agreement.first - 2
        return view.low(at + 1) == "," and at > 0 and at not in self.agreement.marked and view.person(at)

    def _named(self) -> bool:
        """la ponente, el Sr. Mulder"""
        for at in range(self.view.head + 1, min(self.view.head + 6, len(self.tokens) - 2)):
            if self.view.low(at) == "," and self.language.determiner(self.view.low(at + 1)):
                title = self.view.low(at + 2)
                return self.roles.has(title, "title") and at + 2 not in self.agreement.marked
        return False
