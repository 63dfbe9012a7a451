"""What agrees with a person in Italian in ways of its own."""

from __future__ import annotations

from evenhand.grammar.families.romance_chain import PERSON, Chain
from evenhand.grammar.lexicon import Column


class ItalianChain(Chain):
    """See `Chain`: plurals of nouns in -ista show a gender, -e is a singular or a feminine plural."""

    def _plural(self, source: bool) -> bool:
        token = self.tokens[self.head]
        if token.low[-1] == "e" and not self.language.noun(token.text).cells & self.cells:
            return source  # prigioniere
        return super()._plural(source)

    def person(self, at: int) -> bool:
        """Also professionisti, professioniste: the plural of a noun for both shows what its singular does not."""
        if super().person(at):
            return True
        low = self.low(at)
        if {"i": Column.MALE, "e": Column.FEMALE}.get(low[-1]) != self.column or not self.numbered(at):
            return False
        return self.language.persons.known.get(f"{low[:-1]}a", 0) & PERSON == PERSON

    def adverbial(self, at: int) -> bool:
        before = self.low(at) == "prima" and (self.has(at + 1, "fused") or self.low(at + 1) in {"di", "che"})
        return before or super().adverbial(at)

    def _before_complement(self, at: int) -> bool:
        return super()._before_complement(at) or self.links(at)  # si è sentito in colpa

    def _whose(self, at: int) -> bool:
        return bool(self.determiner(at)) and self.has(at + 1, "whose")
