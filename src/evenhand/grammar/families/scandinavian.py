"""Swedish, Danish and Norwegian: articles and adjectives show no sex, so few nouns do (lärarinna, skuespillerinde).

Most nouns for persons are used of both and are neutral, unless an adjective says more ("en kvinnlig läkare").
"""

from evenhand.grammar.base import Language
from evenhand.grammar.families.germanic import GermanicParticipant
from evenhand.grammar.lexicon import last_part
from evenhand.grammar.protocol import Kind, Noun

SHORTEST = 4  # letters of a compound's last part


class Scandinavian(Language):
    """A compound is its last part; what no table has may be anything."""

    family = "scandinavian"
    shortest_stem = 2
    participant = GermanicParticipant

    def bases(self, low: str) -> list[str]:
        return [low, low.removesuffix("s")]

    def stems(self, base: str) -> list[str]:
        """A consonant doubled before an ending is single again: vännen, vän."""
        found = super().stems(base)
        return found + [stem[:-1] for stem in found if len(stem) > 3 and stem[-1] == stem[-2] and base.startswith(stem)]

    def modifier(self, low: str) -> int:
        return self.states(low)

    def guess(self, text: str) -> Noun:
        whole = any(form in self.persons.known for form in self.lookups(text))
        ending = super().guess(text)
        sure = ending.kind is not Kind.GUESS and not whole
        return ending if sure else last_part(self, text, shortest=SHORTEST) or ending
