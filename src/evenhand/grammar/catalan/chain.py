"""What agrees with a person in Catalan in ways of its own."""

from __future__ import annotations

from evenhand.grammar.families.romance_chain import Chain


class CatalanChain(Chain):
    """See `Chain`: en is a preposition or a man's article, nou is new or nine."""

    def of(self, at: int) -> int:
        low = self.low(at)
        if low == "en" and not self.tokens[min(at + 1, len(self.tokens) - 1)].text.istitle():
            return 0  # confia en l'advocat; en Joan
        if low == "nou" and not self.plural:
            return self.language.adjective(low)  # el nou professor, nou professors
        return super().of(at)

    def follows(self, at: int) -> bool:
        if self.low(at) == "nou":
            return self.masculine and not self.plural  # el soldat nou; nou soldats
        return super().follows(at)
