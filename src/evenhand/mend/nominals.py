"""Other nouns of a Romance sentence that say what the person is: un médico, la mejor alumna, the best of the valley.

They stand where a predicate may: after a linking verb, after as, beside the noun, and behind a participle that gives a
name (role `naming`): est appelée la meilleure, è stata nominata direttrice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenhand.mend.roles import told

if TYPE_CHECKING:
    from evenhand.mend.agreeing import Agreement

ONE = frozenset("un uno una une um uma".split())
REACH = 5  # words from a determiner to its noun


class Nominal:
    """Asked for one noun for a person, whose words an agreement collects."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens

    def mark(self, at: int) -> int | None:
        """Marks the noun that begins here with its words; where it ends, None where there is none."""
        view = self.view
        for j in range(at, min(at + REACH, len(self.tokens))):
            if view.person(j) or (view.common(j) and j > at):
                agreeing = [i for i in range(at, j) if view.told(i)]
                if j > at and not agreeing and any(told(view.of(i)) for i in range(at, j)):
                    return None
                self.agreement.marked.update(agreeing)
                if view.person(j):
                    self.agreement.marked.add(j)
                return self.behind(j)
            inside = self.language.determiner(view.low(j)) or self.roles.modifier(view.low(j))
            if not inside and not (j > at and self.language.code == "fr" and view.adverbial(j)):  # la plus jeune femme
                break
        return self._superlative(at)

    def behind(self, at: int) -> int:
        """Marks what agrees behind a word said of the person, and behind a participle that gives a name what the person
        is called or elected; where it ends."""
        end = self.agreement.right(at + 1)
        name = self.roles.has(self.view.low(at), "naming") and bool(self.language.determiner(self.view.low(end)))
        if not name or any(self.roles.has(self.view.low(i), "time") for i in (end + 1, end + 2)):
            return end  # elegida última setmana
        return self.mark(end) or end

    def placed(self, at: int) -> bool | None:
        """Whether a word that is mostly no adjective agrees behind the noun; None for all others."""
        if self.view.when(at):
            return False
        if self.language.code == "ca" and self.view.low(at) == "nou" and not self.view.plural:
            return self.view.masculine  # el soldat nou; nou soldats
        if self.roles.has(self.view.low(at), "possessive") and at == self.view.head + 1:
            return self.view.told(at)  # un amico mio
        return None

    def joined(self, at: int) -> bool:
        """è nata a Roma e cresciuta a Bari: marks a further predicate behind what a preposition adds."""
        plain = at < len(self.tokens) and not self.language.determiner(self.view.low(at)) and not self.view.names(at)
        added = plain and self.view.told(at) and self.agreement.ends(at + 1)
        self.agreement.marked.update({at} if added else ())
        return added

    def _superlative(self, at: int) -> int | None:
        """i primi, las mejores, la più alta: an article and an adjective without a noun."""
        view = self.view
        compared = self.roles.has(view.low(at + 1), "comparative")  # mejor, an adverb elsewhere
        step = at + 1 if compared else view.past_adverbs(at + 1)
        if step >= len(self.tokens) or not view.told(at) or not view.numbered(step) or view.low(at) in ONE:
            return None
        ordinal = view.told(step) and self.roles.has(view.low(step), "ordinal")
        alone = self.agreement.ends(step + 1) or (ordinal and self.language.role(view.low(step + 1), "relative"))
        alone = alone and not self.roles.has(view.low(at), "contracted")  # au vu de
        if not alone or not (ordinal or compared or self.roles.modifier(view.low(step))):
            return None
        self.agreement.marked.update({at, step} if ordinal else {at})
        return self.agreement.right(step + (ordinal or compared))
