"""German and Dutch: a noun's phrase stands before it, a relative pronoun after its comma; word classes by table.

`roles.tsv` of a language lists closed word classes: role, words. Prepositions are the roles accusative, dative, either
and genitive (German) or preposition (Dutch).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from evenhand.grammar.base import BaseLanguage
from evenhand.grammar.phrase import left_open
from evenhand.grammar.protocol import ANY, Phrase, Token
from evenhand.grammar.sentence import Link, Sentence
from evenhand.tsv import rows

GOVERNED = (("accusative", "a"), ("dative", "d"), ("either", "ad"), ("genitive", "g"), ("preposition", "ngda"))
QUOTES = frozenset("'`\"“”„‚‘«»›‹-–")
FAR = 9  # words of the longest attribute before its adjective: des für Handel zuständigen Kommissars


class Germanic(BaseLanguage):
    """What the two languages share; what an adjective is, each says itself (`attributive`)."""

    family = "germanic"

    def __init__(self) -> None:
        super().__init__()
        self._roles = {row["role"]: frozenset(row["words"].split()) for row in rows(self.folder / "roles.tsv")}

    def has(self, low: str, role: str) -> bool:
        """True for a word of a closed class."""
        return low in self._roles.get(role, ())

    def governs(self, low: str) -> str:
        """The cases that a preposition may govern; empty for other words."""
        return next((cases for role, cases in GOVERNED if self.has(low, role)), "")

    def determines(self, tokens: list[Token], at: int) -> bool:
        """A determiner; not am in "am meisten"."""
        return bool(self.determiner(tokens[at].low))

    def attributive(self, tokens: list[Token], at: int) -> bool:
        """A word that may be an adjective between a determiner and its noun."""
        return bool(self.modifier(tokens[at].low))

    def surely_attributive(self, tokens: list[Token], at: int) -> bool:
        """The same without a determiner: no verb ("sagte Lehrerin Meier")."""
        return False

    def doubles(self, tokens: list[Token], at: int) -> bool:
        """A determiner before another: all die, die beiden."""
        return False

    # -- the phrase

    def attributes(self, tokens: list[Token], head: int) -> tuple[list[int], list[int]]:
        """Determiners and adjectives of the noun, the nearest first."""
        at, adjectives = self._adjectives(tokens, head)
        near = at >= 0 and self.determines(tokens, at)
        if near and adjectives and at + 1 not in adjectives:  # "da die BSR trotz geleisteter Arbeit"
            near = bool(self.determiner(tokens[at].low) & (self.modifier(tokens[adjectives[-1]].low) or ANY))
        if near:
            return [at, at - 1] if at and self.doubles(tokens, at - 1) else [at], adjectives
        far = self._far(tokens, adjectives[-1], head) if adjectives else None
        if far is not None:
            return [far], adjectives
        return [], list(takewhile(lambda i: self.surely_attributive(tokens, i), adjectives))

    def _adjectives(self, tokens: list[Token], head: int) -> tuple[int, list[int]]:
        """The adjectives, and where something else stands: the determiner, if the noun has one."""
        adjectives: list[int] = []
        at, adverbs = head - 1, 0
        while at >= 0 and not self.determines(tokens, at):
            beside = bool(adjectives) and adjectives[-1] == at + 1 + adverbs
            if self.attributive(tokens, at):
                adjectives.append(at)
                adverbs = 0
            elif beside and self.qualifies(tokens, at):
                adverbs += 1  # äußerst kompetenter
            elif (beside and at and self._joins(tokens, at)) or self.between(tokens, at, head):
                adverbs = 0  # junge, begabte; klug und fleißig
            else:
                break
            at -= 1
        return at, adjectives

    def _joins(self, tokens: list[Token], at: int) -> bool:
        joined = tokens[at].low == "," or self.has(tokens[at].low, "coordinator")
        return joined and self.attributive(tokens, at - 1)

    def qualifies(self, tokens: list[Token], at: int) -> bool:
        """A word that only says how an adjective is meant: sehr, äußerst, international."""
        low = tokens[at].low
        closed = ("coordinator", "subordinator", "nominative", "nonsubject", "singular", "plural", "copula")
        plain = tokens[at].text[0].islower() and not self.governs(low)
        return plain and not any(self.has(low, role) for role in closed)

    def between(self, tokens: list[Token], at: int, head: int) -> bool:
        """What may stand between determiner and noun and is no adjective: figures, quotation marks."""
        low = tokens[at].low
        return low[0].isdigit() or low in QUOTES

    def _far(self, tokens: list[Token], first: int, head: int) -> int | None:
        """des für Handel zuständigen Kommissars: a determiner before what belongs to the adjective."""
        noun = self.noun(tokens[head].text).cells
        for at in range(first - 2, max(-1, first - FAR), -1):
            if not (tokens[at].low[0].isalnum() or tokens[at].low in QUOTES):
                return None
            if self.determines(tokens, at) and self.governs(tokens[at + 1].low):
                return at if self.determiner(tokens[at].low) & self.modifier(tokens[first].low) & noun else None
        return None

    def own_phrase(self, tokens: list[Token], first: int, last: int, number: int) -> Phrase | None:
        determiners, adjectives = self.attributes(tokens, first)
        if not adjectives and not determiners:
            return Phrase(first, last, first, number, ())
        cells, spoke = left_open(self, tokens, determiners, adjectives, number)
        return Phrase(min(*determiners, *adjectives, first), last, first, cells, tuple(spoke))

    # -- what agrees

    def agrees_with(self, sentence: Sentence, at: int, *, gender: str = "", number: str = "") -> tuple[Link, ...]:
        """`gender` and `number` of the noun are asked of its forms where they are not given."""
        determiners, adjectives = self.attributes(sentence.tokens, at)
        links = {i: Link(i, "determiner", 0.99) for i in determiners if self.inflects(sentence.tokens[i].low)}
        links |= {i: Link(i, "adjective", 0.97) for i in adjectives}
        for link in self.beyond(sentence, at, gender, number):
            links.setdefault(link.at, link)
        return tuple(link for _, link in sorted(links.items()))

    def inflects(self, low: str) -> bool:
        """True for a determiner whose form depends on its noun; Dutch mijn, hun do not."""
        return True

    def beyond(self, sentence: Sentence, at: int, gender: str, number: str) -> Iterator[Link]:
        """What agrees outside the noun's phrase."""
        yield from ()
