"""What agrees with a person in Portuguese in ways of its own."""

from __future__ import annotations

from evenhand.grammar.families.romance_chain import Chain


class PortugueseChain(Chain):
    """See `Chain`: the verb's ending alone shows that the speaker is its subject."""

    def _of_speaker(self, first: int) -> bool:
        return self.low(first - 1).endswith(("ei", "amos", "emos", "imos"))  # chamei o meu amigo
