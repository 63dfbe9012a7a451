"""Hindi: verbs, adjectives and possessives agree (मेरी दोस्त आई); pronouns and most nouns for persons show nothing.

A verb agrees with its subject unless the subject has ने; then it agrees with something else. The nasal signs ँ and ं are
one in the tables.
"""

import re
from bisect import bisect
from collections.abc import Iterator, Sequence

from evenhand.grammar.base import Language
from evenhand.grammar.participants import CARRIED, NOUN, SURE, Participant
from evenhand.grammar.protocol import FEMININE, MASCULINE, Phrase, Predicate, Token
from evenhand.grammar.sentence import Said

PATTERN = re.compile(r"[\u0900-\u0963\u0966-\u097f\u200c\u200d\w]+(?:[-/][\u0900-\u0963\u0966-\u097f\w]+)*|[^\w\s]")
# Verb forms; a bare vowel counts at the end of a clause only, since nouns have it too.
WOMAN = re.compile(r".*(?:तीं?|[ओोएे]गी|[ऊू]ंगी|[एे]ंगी)|रहीं?|गईं?|गयीं?|थीं?|चुकीं?|हुईं?|आईं?|आयीं?|पाईं?")
MAN = re.compile(r".*(?:ता|[एे]गा|[ऊू]ंगा)|रहा|गया|था|चुका|हुआ|आया|पाया")
MEN = re.compile(r".*(?:ते|[ओो]गे|[एे]ंगे)|रहे|गए|गये|थे|चुके|हुए|आए|आये|पाए")  # of one man, politely
MINE = {"1": re.compile(r"हूं|.*[ऊू]ंग[ाी]"), "2": re.compile(r"हो|(?!हो).*[ओो]ग[ेी]")}
ENDS = frozenset("।॥|.,;:!?…()")


class HindiParticipant(Participant):
    """A clause is the person's by its pronoun without ने or by a verb form of its own; so is the next one after "and"
    that names nobody else."""

    def __init__(self, language: Language, person: str) -> None:
        super().__init__(language, person)
        self._named = self.of("subject") | self.others("subject")

    def links(self, tokens: Sequence[Token]) -> tuple[Said, ...]:
        found: list[Said] = []
        mine, first = False, 0
        for end in range(len(tokens) + 1):
            if end < len(tokens) and tokens[end].low not in ENDS and not self.joins(tokens[end].low):
                continue
            lows = [token.low for token in tokens[first:end]]
            carries = first == 0 or tokens[first - 1].low in self.of("and")
            own = self._own_clause(lows)
            mine = own or (mine and carries and not self._another(lows)) if lows else mine
            found += self._said(tokens, first, end, SURE if own else CARRIED) if mine else []
            first = end + 1
        return tuple(found)

    def _own_clause(self, lows: list[str]) -> bool:
        pairs = zip(lows, [*lows[1:], ""], strict=False)
        subjects = [low for low, after in pairs if low in self._named and after not in self.of("mark")]
        named = bool(subjects) and subjects[0] in self.of("subject")
        return named or (bool(lows) and bool(MINE[self.person].fullmatch(lows[-1])) and not self._another(lows))

    def _another(self, lows: list[str]) -> bool:
        """True where somebody else is the subject, or the verb agrees with something else."""
        return any(low in self.others("subject") or low in self.of("agrees_otherwise") for low in lows)

    def _said(self, tokens: Sequence[Token], first: int, end: int, sure: float) -> list[Said]:
        polite = any(token.low in self.of("polite") for token in tokens[first:end])
        verbs = [Said(at, "predicate", mask, sure) for at, mask in verb_group(tokens, first, end, polite=polite)]
        at = end - 1
        while at > first and tokens[at].low in self.of("link"):
            at -= 1
        word = tokens[at] if first <= at < end - 1 else None
        if word and (mask := self.gendered("adjective").get(word.low, 0)):
            verbs.append(Said(at, "predicate", mask, sure))
        elif word and (mask := self.noun(word.text)):
            verbs.append(Said(at, "apposition", mask, NOUN))
        return verbs


def verb_group(tokens: Sequence[Token], first: int, end: int, *, polite: bool) -> Iterator[tuple[int, int]]:
    """The verb forms that end a clause, with the gender each shows."""
    for at in range(end - 1, first, -1):
        low = tokens[at].low
        if low in AUXILIARIES:
            continue
        if WOMAN.fullmatch(low) or (at == end - 1 and low.endswith(("ी", "ई", "ीं", "ईं"))):
            yield at, FEMININE
        elif MAN.fullmatch(low) or (at == end - 1 and low.endswith("ा")) or (polite and MEN.fullmatch(low)):
            yield at, MASCULINE
        else:
            return


AUXILIARIES = frozenset("हूं है हैं हो क्या ना न जी नहीं होगा होगी".split())


class Hindi(Language):
    """-इका, -त्री are women; a noun for both is decided by what agrees with it."""

    code = "hi"
    name = "hindi"
    family = "indic"
    has_articles = False
    shortest_stem = 2
    participant = HindiParticipant

    def __init__(self) -> None:
        super().__init__()
        self.pattern = PATTERN

    def modifier(self, low: str) -> int:
        return self.states(low)

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The verb of the clause whose subject the phrase is: no postposition behind it, no ने, no other subject."""
        lows, head = [token.low for token in tokens], phrase.head
        stops = [-1, *(i for i, low in enumerate(lows) if low in ENDS or self.has(low, "conjunction")), len(lows)]
        place = bisect(stops, head)
        first, end = stops[place - 1] + 1, stops[place]
        after, before, clause = lows[head + 1 : head + 2], lows[first:head], lows[first:end]
        for role, places in (("postposition", after), ("subject", before), ("ergative", clause)):
            if not self.words_of(role).isdisjoint(places):
                return None
        found = list(verb_group(tokens, head, end, polite=False))
        return Predicate(*found[-1]) if len({mask for _, mask in found}) == 1 else None
