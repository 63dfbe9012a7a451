"""The case of a German phrase whose form leaves two open: die Lehrerin (subject or object), der Lehrerin (dative or
genitive). By the preposition, by what it is joined to, by the noun before it, and by who else can be the subject."""

from __future__ import annotations

from pathlib import Path

from evenhand.grammar.german import German
from evenhand.grammar.protocol import FEMININE, MASCULINE, NEUTER, SINGULAR, Kind, Token, cells
from evenhand.mend.declension import CASES, CONTRACTED
from evenhand.tsv import rows

STOPS = frozenset('.;:!?…()–—„“”»«"')
CASE_CELLS = {case: cells(cases=case) for case in CASES}
REACH = 6


class GermanRoles:
    """The closed word classes that the rewriter asks for (`tables/german/roles.tsv`)."""

    def __init__(self) -> None:
        path = Path(__file__).parent / "tables" / "german" / "roles.tsv"
        self._words = {row["role"]: frozenset(row["words"].split()) for row in rows(path)}

    def has(self, low: str, role: str) -> bool:
        return low in self._words[role]

    def governs(self, low: str) -> str:
        """The cases a preposition may govern; empty for other words."""
        for role, cases in (("accusative", "a"), ("dative", "d"), ("either", "ad"), ("genitive", "g")):
            if self.has(low, role):
                return cases
        return ""


class Sentence:
    """The words of one rendering and what their places say."""

    def __init__(self, language: German, roles: GermanRoles, tokens: list[Token]) -> None:
        self.language, self.roles, self.tokens = language, roles, tokens

    def low(self, at: int) -> str:
        """The word, or a stop beyond the sentence's ends."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else "."

    def stop(self, at: int) -> bool:
        """True where a clause ends in any case; the dot of an ordinal (im 14. Jahrhundert) ends none."""
        low = self.low(at)
        return low[0] in STOPS and not (low == "." and self.low(at - 1)[-1].isdigit() and at + 1 < len(self.tokens))

    def capital(self, at: int) -> bool:
        """Written as a noun or name is; the first word of a sentence is told by its class only."""
        if not 0 <= at < len(self.tokens) or not self.tokens[at].text[:1].isupper():
            return False
        low = self.tokens[at].low
        return low not in {"sie", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihnen"} and (
            not self._opens(at) or not (self.language.function_word(low) or self.roles.governs(low))
        )

    def case(self, first: int, head: int, options: str) -> str | None:
        """One of the options (letters of n, g, d, a) for the phrase tokens[first:head + 1]; None where it is open."""
        if len(options) <= 1:
            return options or None
        before = self.low(first - 1)
        governed = self.governing(first)
        if governed and set(governed) & set(options):
            return self._one(set(governed) & set(options))
        listed = before == "," and self.low(head + 1) in {",", "und", "oder"} and self.determined(head + 2)
        if self.roles.has(before, "coordinator") or listed:
            joined = self._joined(first, options)
            if joined:
                return joined
        left = set(options)
        if left <= {"g", "d"}:
            return self._dative_or_genitive(first)
        if left <= {"n", "a"}:
            return self.subject_or_object(first, head)
        nominal = left & {"n", "a"}
        return self.subject_or_object(first, head) if len(nominal) == 2 else self._one(nominal)

    def governing(self, first: int) -> str:
        """The cases that the preposition before a phrase governs; um in "um Arzt zu werden" is none."""
        if self.low(first - 1) == "um":
            _, right = self.clause(first)
            if any(self.low(i) == "zu" and i + 2 >= right for i in range(first, right)):
                return ""
        return self.roles.governs(self.low(first - 1))

    def apart(self, first: int, head: int) -> bool:
        """war in ihrer Jugend Ingenieurin: a preposition's noun between a verb of being and what is said."""
        left, _ = self.clause(first)
        being = any(self.roles.has(self.low(i), "copula") for i in range(left, first))
        return being and bool(self.governing(first)) and any(map(self.capital, range(first + 1, head)))

    def determined(self, at: int) -> bool:
        return bool(self.language.determiner(self.low(at)))

    @staticmethod
    def _one(cases: set[str]) -> str | None:
        return next(iter(cases)) if len(cases) == 1 else None

    def _joined(self, first: int, options: str) -> str | None:
        """mit dem Arzt und der Lehrerin: the case of the phrase before."""
        for at in range(first - 2, max(-1, first - 2 - REACH), -1):
            low = self.low(at)
            if self.stop(at) or low == ",":
                return None
            if low in CONTRACTED:
                return "d" if "d" in options else None
            mask = self.language.determiner(low)
            if mask:
                head = next((i for i in range(at + 1, first) if self.capital(i)), at)
                shared = "".join(case for case in options if mask & self._noun(head) & CASE_CELLS[case])
                if len(shared) == 1:
                    return shared
                return self.case(at, head, shared) if len(shared) > 1 else None
        return None

    def _noun(self, at: int) -> int:
        """Cells of a noun beside a determiner; any for one that is not a listed noun for persons."""
        noun = self.language.noun(self.tokens[at].text)
        return noun.cells if noun.kind is Kind.SEXED else FEMININE | MASCULINE | NEUTER

    def _dative_or_genitive(self, first: int) -> str | None:
        """das Haus der Lehrerin; er gab der Lehrerin das Haus."""
        if not self.capital(first - 1):
            return "d"
        left, right = self.clause(first)
        person = self.language.noun(self.tokens[first - 1].text).kind in {Kind.SEXED, Kind.COMMON}
        role = "giving" if person else "transfer"
        given = any(self.roles.has(self.low(i), role) and self.low(i + 1) != "es" for i in range(left, right))
        return None if given else "g"  # weil der Anwalt der Ärztin half; gab das Geld der Ärztin

    def clause(self, at: int) -> tuple[int, int]:
        """Where the clause around a word begins and ends; what stands between two commas after it is skipped."""
        left = at
        while left > 0 and not self._ends(left - 1):
            left -= 1
        right = at
        while right < len(self.tokens):
            low = self.low(right)
            if self.stop(right) or self._clause_follows(right):
                break
            if low == ",":
                closing = next((i for i in range(right + 1, len(self.tokens)) if self.low(i) == ","), None)
                relative = self.low(right + 1) in {"die", "der", "den", "dem", "dessen", "deren", "welche", "welcher"}
                if not relative or closing is None:
                    break
                right = closing
            right += 1
        return left, right

    def _opens(self, at: int) -> bool:
        return at == 0 or self.stop(at - 1)

    def _ends(self, at: int) -> bool:
        low = self.low(at)
        return self.stop(at) or low == "," or (self.roles.has(low, "coordinator") and self._clause_follows(at))

    def _clause_follows(self, at: int) -> bool:
        """und er ging: what joins two clauses, not two nouns."""
        if not self.roles.has(self.low(at), "coordinator"):
            return False
        after = self.low(at + 1)
        return (
            self.roles.has(after, "nominative") or after in {"sie", "es", "dann"} or self.roles.has(after, "singular")
        )

    def subject_or_object(self, first: int, head: int) -> str:
        """n or a, for a phrase or pronoun that no preposition governs."""
        left, right = self.clause(first)
        if self.addressed(first, head):
            return "n"
        embedded = self._embedded(head + 1, right)
        inside = [i for i in range(left, right) if not first <= i <= head and i not in embedded]
        lows = [self.low(i) for i in inside]
        if self._infinitive(left, right):
            return "n" if self._equates(lows) else "a"  # um Arzt zu werden
        if any(self.roles.has(low, "nominative") for low in lows):
            return "n" if self._equates(lows) else "a"
        rivals = [i for i in inside if self._may_be_subject(i, left)]
        if self._equates(lows):
            return "n"
        sure = [i for i in rivals if self._surely_subject(i)]
        if sure:
            return "a"
        if any(self.roles.has(low, "plural") for low in lows) and rivals and self.low(head + 1) not in {"und", "sowie"}:
            return "a"
        last = self.low(right - 1)
        single = any(self.roles.has(low, "singular") for low in lows)
        many = first > left and self._relative(left, left) and self.low(left) in {"die", "welche"}
        if many and last.endswith("en") and not single:
            return "a"  # Bilder, die eine Malerin zeigen
        if (
            first == left
            and not single
            and not self.determined(first + 1)
            and last.endswith("ten")
            and any(i > first for i in rivals)
        ):
            return "a"  # die viele Leute kannten
        return "a" if any(i < first and not self._relative(i, left) for i in rivals) else "n"

    def addressed(self, first: int, head: int) -> bool:
        """Frau Präsidentin, ich danke: set off by stops or commas, and led by a title."""
        apart = first == 0 or self.stop(first - 1) or self.low(first - 1) == ","
        return (
            apart
            and self.low(first) in {"herr", "frau", "liebe", "lieber", "verehrte", "sehr"}
            and (self.stop(head + 1) or self.low(head + 1) == ",")
        )

    def _embedded(self, start: int, end: int) -> range:
        """The relative clause between two commas after a noun, which has a subject of its own."""
        if self.low(start) != ",":
            return range(0)
        opener = start + 1 + bool(self.roles.governs(self.low(start + 1)))
        closing = next((i for i in range(opener, end) if self.low(i) == ","), None)
        relative = self.low(opener) in {"die", "der", "den", "dem", "dessen", "deren", "welche", "welcher", "welchen"}
        return range(start, closing) if relative and closing is not None else range(0)

    def _relative(self, at: int, left: int) -> bool:
        """A relative pronoun, which may be the object of ours: die Blumen, die die Malerin malte."""
        return at == left and left > 0 and self.low(left - 1) == "," and self.low(at) in {"die", "das", "welche"}

    def _equates(self, lows: list[str]) -> bool:
        """A verb of being or a passive: it has no object."""
        return any(self.roles.has(low, "copula") for low in lows)

    def _infinitive(self, left: int, right: int) -> bool:
        """um die Lehrerin zu sehen; die Lehrerin anzurufen: a clause without a subject."""
        if any(
            self.roles.has(self.low(i), "singular") or self.roles.has(self.low(i), "plural")
            for i in range(left, right)
            if self.low(i - 1) != "zu"
        ):
            return False
        last = right - 1
        pair = self.low(last - 1) == "zu" and self.low(last).endswith("n")
        opens = (left > 0 and self.low(left - 1) == ",") or self.low(left) in {"um", "ohne", "anstatt", "statt"}
        return (pair or "zu" in self.low(last)[2:-3]) and opens and not self.capital(last)

    def _may_be_subject(self, at: int, left: int) -> bool:
        """A determiner or a noun without one that no preposition governs and whose form can be a nominative."""
        low = self.low(at)
        before = at - 1
        if low == "sie" or (low in {"es", "das", "dies", "jemand", "niemand"} and not self.capital(at + 1)):
            return True
        mask = self.language.determiner(low)
        if mask:
            if self.roles.governs(self.low(before)) or not mask & CASE_CELLS["n"] or low in CONTRACTED:
                return False
            owned = self.capital(before) and before >= left and low in {"der", "dieser", "jener"}
            return not owned
        if not self.capital(at):
            return False
        while (
            before >= left
            and (self.language.modifier(self.low(before)) or self.capital(before))
            and not self.determined(before)
        ):
            before -= 1
        return not self.determined(before) and not self.roles.governs(self.low(before))

    def _surely_subject(self, at: int) -> bool:
        """der Mann, dieser Mann: only a nominative, where no noun stands before it."""
        mask = self.language.determiner(self.low(at))
        if not mask or not mask & MASCULINE & SINGULAR & CASE_CELLS["n"]:
            return False
        noun = next((i for i in range(at + 1, min(at + 5, len(self.tokens))) if self.capital(i)), None)
        if noun is None:
            return False
        own = self.language.noun(self.tokens[noun].text)
        feminine = own.kind is Kind.SEXED and not own.cells & MASCULINE
        return not feminine and not mask & NEUTER
