"""Words of a Romance sentence that may belong to a person's noun although no rule reached them."""

from __future__ import annotations

from evenhand.grammar.protocol import PLURAL, SINGULAR
from evenhand.mend.agreeing import Agreement
from evenhand.mend.antecedents import Antecedents
from evenhand.mend.french_clauses import FrenchClauses
from evenhand.mend.resuming import SPEAKERS

NOBODY = frozenset("c' ce cela ça".split())  # c'est faux: said of nobody


class Doubting:
    """Looks at what an agreement left unmarked."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens

    def doubt(self) -> int | None:
        """A word left as it is that may yet be said of the noun: an adjective or participle of its gender and number
        after a linking verb, a comma or a changed word, with no other noun of that kind to belong to."""
        view = self.view
        if self.agreement.unclear is not None:
            return self.agreement.unclear
        begin = (
            self.agreement.first if view.governed(self.agreement.first) else 0
        )  # what a preposition governs is no subject of before
        for at in range(begin, len(self.tokens)):
            if self._resumes(at) or self._all(at):
                return at
            if (
                at in self.agreement.marked
                or self.language.determiner(view.low(at))
                or not view.told(at)
                or view.adverbial(at)
                or view.when(at)
                or FrenchClauses(self.agreement).acting(at)
            ):
                continue
            if self.roles.has(view.low(at), "together"):
                return at
            before = at - 1
            while before >= 0 and view.adverbial(before):
                before -= 1
            if before < 0 or self.language.perfect(view.low(before)):
                continue
            low = view.low(before)
            if self.roles.links(low) and (view.low(before - 1) in NOBODY or self._impersonal(before - 1, at)):
                continue
            if before in self.agreement.marked and self.roles.has(view.low(at), "verb_too"):
                continue
            if (
                before in self.agreement.marked
                or self.roles.links(low)
                or low == ","
                or self.roles.has(low, "auxiliary")
            ):
                between = range(view.head + 1, before) if at > view.head else range(before + 1)
                if begin and self.roles.links(low):
                    between = range(before)  # el despatx de l'advocat és tancat
                if at > view.head and self.language.code != "fr" and self._another():
                    continue  # ha svegliato il vicino e si è seduto
                number = PLURAL if view.plural else SINGULAR
                hosts = (
                    self.language.determiner(view.low(i)) & view.cells & number
                    for i in between
                    if i not in self.agreement.marked
                )
                if not any(hosts):
                    return at
        return None

    def _all(self, at: int) -> bool:
        """les délégués des villes, qui m'ont tous écrit: in French, where no speaker stands before it."""
        if self.language.code != "fr" or at <= self.view.head or at in self.agreement.marked:
            return False
        speakers = any(self.view.low(i) in SPEAKERS for i in range(at - 3, at))
        return self.view.floating(at) and not speakers

    def _impersonal(self, subject: int, at: int) -> bool:
        """il est excellent que: said of nobody."""
        return self.view.low(subject) == "il" and self.view.low(at + 1) in {"que", "qu'", "qu’", "de", "d'", "d’"}

    def _another(self) -> bool:
        """Another person who may be meant stands before the noun as its clause's subject."""
        antecedents = Antecedents(self.agreement)
        return antecedents.object() and bool(antecedents.rivals())

    def _resumes(self, at: int) -> bool:
        """il quale, molti di loro, alcuni perché: a word without a noun that may mean ours. Asked where the language's
        table lists such words."""
        view, after = self.view, self.view.low(at + 1)
        if at <= view.head or at in self.agreement.marked or not view.told(at):
            return False
        if self.roles.has(after, "resuming_after"):
            return True
        alone = self.roles.partitive(after) or not after[0].isalnum() or self.roles.links(after)
        return self.roles.has(view.low(at), "resuming") and (alone or self.language.role(after, "relative"))
