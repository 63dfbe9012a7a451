"""What agrees with a person in Italian in ways of its own."""

from __future__ import annotations

from evenhand.grammar.families.romance_chain import Chain
from evenhand.grammar.families.romance_words import PERSON
from evenhand.grammar.lexicon import Column


class ItalianChain(Chain):
    """See `Chain`: plurals of nouns in -ista show a gender, -e is a singular or a feminine plural."""

    def _plural(self, source: bool) -> bool:
        low = self.low(self.head)
        if low[-1] == "e" and not self.language.noun(self.tokens[self.head].text).cells & self.cells:
            return source  # prigioniere
        return super()._plural(source)

    def _number_of_form(self, low: str, *, source: bool) -> bool:
        return source if low[-1] == "e" else super()._number_of_form(low, source=source)

    def person(self, at: int) -> bool:
        """Also professionisti, professioniste: the plural of a noun for both shows what its singular does not."""
        if super().person(at):
            return True
        low = self.low(at)
        if self.language.function_word(low) or not self.numbered(at):
            return False
        both = self.forms.known.get(f"{low[:-1]}a", 0) & PERSON == PERSON
        return both and {"i": Column.MALE, "e": Column.FEMALE}.get(low[-1]) == self.column

    def adverbial(self, at: int) -> bool:
        if self.low(at) == "prima" and (self.has(at + 1, "fused") or self.low(at + 1) in {"di", "che"}):
            return True
        return super().adverbial(at)

    def _before_complement(self, at: int) -> bool:
        return super()._before_complement(at) or self.links(at)  # si è sentito in colpa

    def _whose(self, at: int) -> bool:
        return bool(self.determiner(at)) and self.has(at + 1, "whose")
