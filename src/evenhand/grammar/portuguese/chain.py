"""What agrees with a person in Portuguese in ways of its own."""

from __future__ import annotations

from evenhand.grammar.families.romance_chain import Chain


class PortugueseChain(Chain):
    """See `Chain`: the verb's ending alone shows that the speaker is its subject."""

    def _of_speaker(self, first: int) -> bool:
        before = self.low(first - 1)
        return before.endswith(("ei", "amos", "emos", "imos")) and not self.determiner(first - 1)  # chamei o meu amigo
