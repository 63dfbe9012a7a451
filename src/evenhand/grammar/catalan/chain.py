"""What agrees with a person in Catalan in ways of its own."""

from __future__ import annotations

from evenhand.grammar.families.romance_chain import Chain


class CatalanChain(Chain):
    """See `Chain`: en is a preposition or a man's article, nou is new or nine, va cantar is a past tense."""

    def of(self, at: int) -> int:
        low = self.low(at)
        if low == "en" and not self.tokens[min(at + 1, len(self.tokens) - 1)].text.istitle():
            return 0  # confia en l'advocat; en Joan
        if low == "nou" and not self.plural:
            return self.language.adjective(low)  # el nou professor, nou professors
        return super().of(at)

    def past_as(self, at: int) -> int:
        return at + 1 + (self.low(at + 1) == "a")  # com a voluntària

    def _placed(self, at: int) -> bool | None:
        if self.low(at) == "nou" and not self.plural and not self.when(at):
            return self.masculine  # el soldat nou; nou soldats
        return super()._placed(at)

    def _past_before(self, at: int) -> bool:
        past = self.low(at - 2) in {"va", "van"} and self.low(at - 1).endswith(("r", "re"))
        return past or super()._past_before(at)
