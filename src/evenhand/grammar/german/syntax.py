"""One German sentence: clauses, the case and number of a phrase, and who or what is bound to one person.

A phrase whose form leaves two cases open (die Lehrerin: subject or object; der Lehrerin: dative or genitive) is decided
by its preposition, by what it is joined to, by the noun before it, and by who else can be the subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from evenhand.grammar.german.paradigms import CASES
from evenhand.grammar.protocol import FEMININE, MASCULINE, NEUTER, PLURAL, SINGULAR, Kind, Token, cells
from evenhand.grammar.sentence import Link, LinkKind

if TYPE_CHECKING:
    from evenhand.grammar.german import German

STOPS = frozenset('.;:!?…()–—„“”»«"')
CASE = {case: cells(cases=case) for case in CASES}
GENDER = {"f": FEMININE, "m": MASCULINE}
OTHER = {"f": "m", "m": "f"}
OWNERS = frozenset("der dieser jener unserer meiner ihrer seiner eurer".split())
POSSESSIVE = re.compile(r"(sein|ihr)(|e|er|es|en|em)")
PERSONAL = {"m": frozenset({"er", "ihn", "ihm"}), "f": frozenset({"sie", "ihr"})}
ONE = {"m": frozenset("einer einen einem jeder jeden jedem keiner mancher dieser derjenige".split()),
       "f": frozenset("eine jede keine manche diejenige".split())}  # fmt: skip
TITLES = frozenset({"herr", "herrn", "frau"})


class Person(NamedTuple):
    """A noun for a person: its token, where its phrase begins, its gender, case and number, its clause, and whether
    the clause has a verb of being."""

    at: int
    first: int
    gender: str
    case: str
    plural: bool
    clause: range
    equated: bool


class Syntax:
    """Asked by `German.agrees_with`, `German.case` and the mender, for the tokens of one sentence."""

    def __init__(self, language: German, tokens: list[Token]) -> None:
        self.language, self.tokens = language, tokens

    # -- words

    def low(self, at: int) -> str:
        """The word, or a stop beyond the sentence's ends."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else "."

    def has(self, at: int, role: str) -> bool:
        return self.language.has(self.low(at), role)

    def equates(self, at: int) -> bool:
        """A verb of being or a passive; not the possessive in "sein älterer Bruder"."""
        after = self.low(at + 1)
        closes = not after[0].isalnum() or any(self.has(at + 1, role) for role in ("singular", "plural", "coordinator"))
        return self.has(at, "copula") and (self.low(at) != "sein" or closes)

    def any_of(self, places: range, role: str) -> bool:
        return any(self.has(i, role) for i in places)

    def governs(self, at: int) -> str:
        return self.language.governs(self.low(at))

    def stop(self, at: int) -> bool:
        """True where a clause ends in any case; the dot of an ordinal (im 14. Jahrhundert) ends none."""
        low = self.low(at)
        return low[0] in STOPS and not (low == "." and self.low(at - 1)[-1].isdigit() and at + 1 < len(self.tokens))

    def opens(self, at: int) -> bool:
        """The first word of a sentence."""
        return at == 0 or self.stop(at - 1)

    def capital(self, at: int) -> bool:
        """Written as a noun or name is; the first word of a sentence is recognised by its class only."""
        if not 0 <= at < len(self.tokens) or not self.tokens[at].text[:1].isupper():
            return False
        low = self.tokens[at].low
        polite = low in {"sie", "ihnen"} or re.fullmatch("ihr(?:e[nmr]?)?", low)
        return not polite and not (self.opens(at) and (self.language.function_word(low) or self.governs(at)))

    def determined(self, at: int) -> bool:
        return 0 <= at < len(self.tokens) and self.language.determines(self.tokens, at)

    def first(self, head: int) -> int:
        """Where the phrase of a noun begins, with its title."""
        determiners, adjectives = self.language.attributes(self.tokens, head)
        return min([head - (self.low(head - 1) in TITLES), *determiners, *adjectives])

    # -- clauses

    def clause(self, at: int) -> tuple[int, int]:
        """Where the clause around a word begins and ends; what stands between two commas after it is skipped."""
        left = at
        while left > 0 and not (self.stop(left - 1) or self.low(left - 1) == "," or self._clause_follows(left - 1)):
            left -= 1
        right = at
        while right < len(self.tokens) and not self.stop(right) and not self._clause_follows(right):
            if self.low(right) == ",":
                closing = self._comma(right + 1, len(self.tokens))
                if not self.language.relatives.cells.get(self.low(right + 1), 0) & ~NEUTER or closing is None:
                    break
                right = closing
            right += 1
        return left, right

    def _comma(self, start: int, end: int) -> int | None:
        return next((i for i in range(start, end) if self.low(i) == ","), None)

    def _clause_follows(self, at: int) -> bool:
        """und er ging: a clause with a subject of its own; not "und wurde Lehrer"."""
        subject = self.has(at + 1, "nominative") or self.low(at + 1) in {"sie", "es", "dann"}
        return self.has(at, "coordinator") and subject

    def relative(self, at: int) -> int | None:
        """The relative pronoun that opens a clause here, a preposition before it or not; None where none does."""
        governed = bool(self.governs(at))
        at += governed
        low = self.low(at)
        if low not in self.language.relatives.cells:
            return None
        if low in {"dessen", "deren"}:
            return at
        if governed and self.capital(at + 1):
            return None  # , mit den Zielen einverstanden
        adjective = bool(self.language.modifier(self.low(at + 1))) and not self.language.function_word(self.low(at + 1))
        article = self.capital(at + 1) or (adjective and (self.capital(at + 2) or self.capital(at + 3)))
        return None if article and not self._verb_final(at) else at  # ", der Arzt, ": an article

    def _verb_final(self, at: int) -> bool:
        """True where what looks like a verb closes the clause: ", der Kinder behandelt,"."""
        end = at + 1
        while end < len(self.tokens) and self.low(end) != "," and not self.stop(end):
            end += 1
        last = self.tokens[end - 1]
        if self.low(end - 2) == "zu" or "zu" in last.low[2:-3]:
            return False  # , dem Arzt zu helfen
        return end - at > 1 and last.text[:1].islower() and last.low not in {"und", "oder"}

    # -- case

    def case(self, head: int, gender: str) -> str | None:
        """The case of a noun in the singular: by determiner, adjectives and noun; then by its place; None if open."""
        options = self.cases(head, gender)
        determiners, _ = self.language.attributes(self.tokens, head)
        return self._by_place(min([self.first(head), *determiners]), head, options)

    def cases(self, head: int, gender: str) -> str:
        """The cases that the forms of the phrase leave open."""
        determiners, adjectives = self.language.attributes(self.tokens, head)
        mask, first = GENDER[gender] & SINGULAR, self.first(head)
        for i in sorted([*determiners, *adjectives]):
            known = i in determiners
            own = (
                self.language.determiner(self.low(i))
                if known
                else self.language.declined(self.low(i), strong=not determiners)
            )
            mask = mask & own or mask
        options = _letters(mask)
        asked = "d" if self.low(head + 1) in {"zufolge", "zuliebe"} else self.governing(first) if determiners else ""
        if asked and not set(asked) & set(options):  # mit der Wachmann: a slip, but the preposition says the case
            own = self.language.determiner(self.low(determiners[0])) & GENDER[OTHER[gender]] & SINGULAR
            options = "".join({*asked} & {*_letters(own)}) or asked
        return options if determiners or len(options) < 2 else self._bare_case(first, options)

    def _bare_case(self, first: int, options: str) -> str:
        """als Arzt; mit Arzt und Anwalt"""
        governed = self.governing(first)
        shared = next((case for case in options if case in governed), "")
        start = first - (self.capital(first - 1) and self.low(first - 1).endswith("s"))
        if self.low(start - 1) in {"als", "wie"} and not shared:
            return "n" if "n" in options else options[-1]
        return shared or options

    def governing(self, first: int) -> str:
        """The cases that the preposition before a phrase governs; um in "um Arzt zu werden" is none."""
        if self.low(first - 1) == "um":
            _, right = self.clause(first)
            if any(self.low(i) == "zu" and i + 2 >= right for i in range(first, right)):
                return ""
        return self.governs(first - 1)

    def _by_place(self, first: int, head: int, options: str) -> str | None:
        if len(options) <= 1:
            return options or None
        left = set(options)
        governed = set(self.governing(first)) & left
        if governed:
            return _one(governed)
        if left <= {"g", "d"}:
            return self._dative_or_genitive(first)
        nominal = left & {"n", "a"}
        return self.subject_or_object(first, head) if len(nominal) == 2 else _one(nominal)

    def _dative_or_genitive(self, first: int) -> str | None:
        """das Haus der Lehrerin; er gab der Lehrerin das Haus."""
        if not self.capital(first - 1):
            return "d"
        person = self.language.noun(self.tokens[first - 1].text).kind in {Kind.SEXED, Kind.COMMON}
        role = "giving" if person else "transfer"
        given = any(self.has(i, role) and self.low(i + 1) != "es" for i in range(*self.clause(first)))
        return None if given else "g"  # weil der Anwalt der Ärztin half; gab das Geld der Ärztin

    def subject_or_object(self, first: int, head: int) -> str:
        """n or a, for a phrase or pronoun that no preposition governs."""
        left, right = self.clause(first)
        own = {*range(first, head + 1), *self._embedded(head + 1, right)}
        inside = [i for i in range(left, right) if i not in own]
        if any(map(self.equates, inside)):
            return "n"  # a verb of being or a passive has no object
        if self._infinitive(left, right) or any(self.has(i, "nominative") for i in inside):
            return "a"  # um die Lehrerin zu sehen
        rivals = [i for i in inside if self._may_be_subject(i, left)]
        return "a" if any(i < first and not self._may_be_object(i, left) for i in rivals) else "n"

    def _embedded(self, start: int, end: int) -> range:
        """The relative clause between two commas after a noun, which has a subject of its own."""
        opener = start + 1 + bool(self.governs(start + 1))
        closing = self._comma(opener, end)
        relative = self.low(start) == "," and self.low(opener) in self.language.relatives.cells
        return range(start, closing) if relative and closing is not None else range(0)

    def _may_be_object(self, at: int, left: int) -> bool:
        """A relative pronoun, which may be the object of ours: die Blumen, die die Malerin malte."""
        return at == left and self.low(left - 1) == "," and self.low(at) in {"die", "das", "welche"}

    def _infinitive(self, left: int, right: int) -> bool:
        """um die Lehrerin zu sehen; die Lehrerin anzurufen: a clause without a subject."""
        finite = (i for i in range(left, right) if self.low(i - 1) != "zu")
        if any(self.has(i, "singular") or self.has(i, "plural") for i in finite):
            return False
        last = right - 1
        pair = self.low(last - 1) == "zu" and self.low(last).endswith("n")
        opens = (left > 0 and self.low(left - 1) == ",") or self.low(left) in {"um", "ohne", "anstatt", "statt"}
        return (pair or "zu" in self.low(last)[2:-3]) and opens and not self.capital(last)

    def _may_be_subject(self, at: int, left: int) -> bool:
        """A determiner or a noun without one that no preposition governs and whose form can be a nominative."""
        low, before = self.low(at), at - 1
        if low == "sie" or (low in {"es", "das", "dies", "jemand", "niemand"} and not self.capital(at + 1)):
            return True
        mask = self.language.determiner(low)
        if mask:
            owned = self.capital(before) and before >= left and low in {"der", "dieser", "jener"}
            return not self.governs(before) and bool(mask & CASE["n"]) and not owned
        if not self.capital(at):
            return False
        while before >= left and not self.determined(before):
            if not self.language.modifier(self.low(before)) and not self.capital(before):
                break
            before -= 1
        return not self.determined(before) and not self.governs(before)

    # -- number

    def plural(self, head: int, gender: str, *, expected: bool = False) -> bool:
        """By the noun's form and its determiner; `expected` where both leave it open (the source's number)."""
        low, nouns = self.low(head), self.language.nouns
        if low.endswith("innen") or (gender == "f" and low.endswith("in")):
            return low.endswith("innen")
        several = gender == "m" and nouns.several(low)
        if (gender == "m" and nouns.only_several(low)) or (several and self._of_several(head, expected)):
            return True
        for mask in self._shown(head):
            one = mask & GENDER[gender] & SINGULAR
            if not one or not mask & PLURAL:
                return not one
        return several if expected and gender == "m" and nouns.lemma(low) == low else expected  # jeden Feind

    def _of_several(self, head: int, expected: bool) -> bool:
        """im Interesse der Bürger, einer der Bürger; dass ihr Freunde seid"""
        first = self.first(head)
        opened = self.low(first) if first < head else ""
        owned = self.capital(first - 1) or self.low(first - 1) in ONE["m"] | ONE["f"]
        return (opened == "der" and owned) or (opened == "ihr" and expected)

    def _shown(self, head: int) -> list[int]:
        """Cells of the determiners; of the adjectives where there are none."""
        determiners, adjectives = self.language.attributes(self.tokens, head)
        masks = [self.language.determiner(self.low(i)) for i in determiners]
        return masks or [self.language.declined(self.low(i), strong=True) for i in adjectives]

    def slip(self, head: int, gender: str) -> bool:
        """die Kunde: a man's singular that is no plural, whatever its article is."""
        low, nouns = self.low(head), self.language.nouns
        return gender == "m" and nouns.lemma(low) == low and not nouns.several(low)

    def dative_plural(self, head: int) -> bool:
        determiners = [self.low(i) for i in reversed(self.language.attributes(self.tokens, head)[0])]
        if any(low.endswith("en") and low not in {"sieben"} for low in determiners):
            return True
        if determiners and determiners[0] in {"die", "diese", "alle", "viele", "einige", "der", "aller", "vieler"}:
            return False
        return self.governs(self.first(head) - 1) == "d"

    # -- what is bound to a person

    def bound(self, head: int, gender: str, *, plural: bool, agreed: int) -> Iterator[Link]:
        """Words outside the phrase of the noun: a relative pronoun, nouns that say the same person again, pronouns.
        `gender` is empty where the noun shows none; `agreed` are the cells of its phrase."""
        yield from self.relative_of(head, (GENDER.get(gender) or agreed) & (PLURAL if plural else SINGULAR))
        if not gender:
            return
        case = "n" if plural else self.case(head, gender) or ""
        clause = range(*self.clause(self.first(head)))
        person = Person(head, self.first(head), gender, case, plural, clause, any(map(self.equates, clause)))
        again = list(self._again(person))
        yield from again
        if plural:
            yield from self._one_of(person)
        else:
            yield from self._pronouns(person, {head, *(link.at for link in again)})

    def relative_of(self, head: int, own: int) -> Iterator[Link]:
        """The relative pronoun after the noun's comma; what may stand between is a genitive or a place. `own` are the
        cells of the noun."""
        comma = self._comma(head + 1, min(head + 8, len(self.tokens)))
        found = self.relative(comma + 1) if comma is not None else None
        if comma is None or found is None or not self._attached(head, comma):
            return
        oblique = found > comma + 1 and self.low(found) not in {"dessen", "deren"}  # ein Lied, von dem er träumte
        if not self.language.relatives.cells[self.low(found)] & own & (cells(cases="gda") if oblique else own):
            return
        nouns = list(self._between(head, comma, own))
        if any(noun == comma - 1 and not mask & CASE["g"] for noun, mask in nouns):
            return  # sprach mit einem Patienten, dem: the noun next to it
        sure = self.low(found) in {"den", "dem", "dessen"} or not nouns
        yield Link(found, "relative", 0.95 if sure else 0.5)

    def _between(self, head: int, comma: int, own: int) -> Iterator[tuple[int, int]]:
        """Nouns between a noun and its comma that the pronoun may mean too, with the cells they share."""
        for i in range(head + 1, comma):
            mask = self.language.determiner(self.low(i)) & own
            noun = next((j for j in range(i + 1, comma) if self.capital(j)), None)
            if mask and noun is not None:
                yield noun, mask

    def _attached(self, head: int, comma: int) -> bool:
        """Between a noun and its relative clause are other phrases and at most the clause's last verbs: "die einen Mann
        getroffen haben, der"; not "Der Kanzler erklärte, der"."""
        verbs = [i for i in range(head + 1, comma) if not self._nominal(i)]
        left, _ = self.clause(self.first(head))
        final = verbs == list(range(comma - len(verbs), comma)) and self.first(head) > left
        return not any(map(self.stop, verbs)) and (not verbs or (final and len(verbs) < 3))

    def _nominal(self, at: int) -> bool:
        """A noun, or what may stand before one."""
        low = self.low(at)
        if self.tokens[at].text[:1].isupper() or self.determined(at) or self.governs(at) or low[0].isdigit():
            return True
        return (self.has(at, "coordinator") or bool(self.language.modifier(low))) and self.capital(at + 1)

    def said(self, head: int, case: str) -> bool:
        """The noun is said of somebody: als Arzt, war Arzt, wurde zum Arzt."""
        first = self.first(head)
        left, right = self.clause(first)
        made = self.low(first) in {"zum", "zur"} and self.any_of(range(left, right), "becoming")
        being = case == "n" and first > left and any(map(self.equates, range(left, right)))
        return self.low(first - 1) == "als" or made or being

    def _again(self, person: Person) -> Iterator[Link]:
        """Nouns that say the same person again: after a verb of being, after als, in apposition, joined."""
        subject = person.case == "n"
        if person.equated and subject and not person.plural:
            yield from self._superlatives(range(person.at + 1, person.clause.stop), person.gender)
        for i, token in enumerate(self.tokens):
            if self.language.genders_of(token) != person.gender or token.low == self.low(person.at):
                continue
            if self.plural(i, person.gender, expected=person.plural) != person.plural:
                continue
            if self.language.noun(token.text).kind is Kind.FIXED:
                continue
            kind = self._joined_to(person, i) or self._apposed_to(person, i)
            if kind is None and subject and i in person.clause:
                kind = self._said_of(person, i)
            if kind:
                yield Link(i, kind, 0.9)

    def _superlatives(self, places: range, gender: str) -> Iterator[Link]:
        """ist einer der besten; war der beste im Tal, der Erste, der kam: a nominative without a noun."""
        for i in places:
            low, after = self.low(i), self.low(i + 1)
            one_of = low in ONE[gender] and after in {"der", "unserer", "meiner"}
            alone = not self.capital(i + 2) and not self.language.modifier(self.low(i + 2)) and not self.governs(i - 1)
            best = after.endswith("ste") or after in {"letzte", "einzige"}
            if one_of or (alone and best and low == {"m": "der", "f": "die"}[gender]):
                yield Link(i, "predicate", 0.9)
                yield from self.relative_of(i + 1, GENDER[gender] & SINGULAR)

    def _one_of(self, person: Person) -> Iterator[Link]:
        """einer der Lehrer, jeder von ihnen: the pronoun before a genitive plural."""
        at = person.first - 1 - (self.low(person.first - 1) in {"von", "unter"})
        if (at < person.first - 1 or self.low(person.first) in OWNERS) and self.low(at) in ONE[person.gender]:
            yield Link(at, "pronoun", 0.9)

    def _joined_to(self, person: Person, at: int) -> LinkKind | None:
        """One person: ein Künstler und Gärtner; war Gründer und bis 1990 Leiter; war Lehrer, Maler und Dichter"""
        first = min(person.first, self.first(at))
        if person.plural or self.low(first - 1) == "zwischen":
            return None
        led = person.equated or self.low(first - 1) == "als"
        series = self._series(min(person.at, at), person.gender)
        if max(person.at, at) in series[: None if led else 1]:
            return "conjunct" if led or (first == person.first and self._articles(person.at)) else None
        return "conjunct" if self._listed(person, at) else None

    def _listed(self, person: Person, at: int) -> bool:
        bare = not self._articles(at) and not self._articles(person.at)
        indefinite = bare or self.low(self.first(at)) in {"ein", "eine"}
        nominative = person.equated and person.case == "n" and at in person.clause
        return nominative and indefinite and self._in_list(at) and not self.governs(self.first(at) - 1)

    def _series(self, at: int, gender: str) -> list[int]:
        """Nouns without an article that follow each other: Lehrer, Maler und Dichter."""
        series: list[int] = []
        while self.low(at + 1) in {",", "und", "oder", "sowie"}:
            near = (i for i in range(at + 2, min(at + 6, len(self.tokens))) if self.first(i) == at + 2)
            noun = next((i for i in near if self.language.genders_of(self.tokens[i])), None)
            if noun is None or self._articles(noun) or self.language.genders_of(self.tokens[noun]) != gender:
                break
            series.append(noun)
            at = noun
        return series

    def _articles(self, head: int) -> list[int]:
        return self.language.attributes(self.tokens, head)[0]

    def _in_list(self, at: int) -> bool:
        return self.low(at + 1) in {"und", "oder"} or self.low(self.first(at) - 1) in {"und", "oder"}

    def _apposed_to(self, person: Person, at: int) -> LinkKind | None:
        first = self.first(at)
        set_off = self.low(first - 1) == "," and first - 2 == person.at and self.low(at + 1) in {",", "."}
        other = self.governs(first) or self.low(first).startswith("ander")
        return "apposition" if set_off and not other else None

    def _said_of(self, person: Person, at: int) -> LinkKind | None:
        """ist ein guter Arzt, als Arzt, wurde zum Arzt"""
        first = self.first(at)
        before = self.low(first - 1)
        if self._in_list(at) or (before == "wie") or (before == "als" and not self._as(person, at)):
            return None
        if self.low(first) in {"zum", "zur"}:
            return "predicate" if self.any_of(person.clause, "becoming") else None
        being = person.equated and not self.governs(first - 1) and at > person.at and self._nominative(first)
        return "predicate" if before == "als" or being else None

    def _as(self, person: Person, at: int) -> bool:
        """als Arzt; not "berühmter als der König", and only where nobody else is named."""
        first = self.first(at)
        compared = self.low(first) in {"der", "die", "den", "dem"} or self.low(first - 2).endswith(("er", "mehr"))
        others = (j for j in person.clause if j not in {person.at, at})
        return not compared and not any(self.language.genders_of(self.tokens[j]) for j in others)

    def _nominative(self, first: int) -> bool:
        """ein Arzt, der beste Arzt, Arzt"""
        mask = self.language.determiner(self.low(first))
        owned = self.capital(first - 1) and self.low(first) in {"der", "dieser"}
        return bool(not mask or mask & CASE["n"]) and not owned

    # -- pronouns

    def _pronouns(self, person: Person, chain: set[int]) -> Iterator[Link]:
        """Pronouns that take the person up, only where they can mean nobody else. A personal pronoun is never bound by
        a noun of its own clause ("Der Kellner bediente ihn" is about two), a possessive may be."""
        others = self._rivals(person) - chain
        said = self.said(person.at, person.case)
        free = person.case == "n" or said or not self._another(person.at, person.gender)
        for at in filter(self._third_person, range(0 if said else person.at + 1, len(self.tokens))):
            if self.owns(at):
                sure = self._possessed(person, at, others, alone=free and not others)
            else:
                taken = free and not others and self._taken_up(at, person.gender)
                sure = 0.9 * (taken and (said or not self._beside(person, at)))
            if sure:
                yield Link(at, "pronoun", sure)

    def _rivals(self, person: Person) -> set[int]:
        """Nouns for persons that pronouns of the gender may mean."""
        others = (i for i, token in enumerate(self.tokens) if token.low != self.low(person.at))
        return {i for i in others if person.gender in self.language.genders_of(self.tokens[i])}

    def _beside(self, person: Person, at: int) -> bool:
        """A pronoun that depends on the same verb as the noun; not in "sah die Frau und grüßte sie"."""
        if person.case == "g" or range(*self.clause(at)) != person.clause:
            return False
        verbs = (self.has(i, "coordinator") and self._lower(i + 1) for i in range(person.at + 1, at))
        return person.case == "n" or not any(verbs)

    def _lower(self, at: int) -> bool:
        return self.tokens[at].text[:1].islower() and not self.determined(at)

    def _third_person(self, at: int) -> bool:
        """Not the polite Sie, Ihr: a capital only where a sentence begins, sie with a verb in the singular."""
        token = self.tokens[at]
        if not token.text[:1].isupper() or token.low.startswith(("er", "sein")):
            return True
        after = self.low(at + 1)
        singular = after.isalpha() and not (self.has(at + 1, "plural") or after.endswith(("n", "seid")))
        return self.opens(at) and (token.low != "sie" or singular)

    def _another(self, head: int, gender: str) -> bool:
        """Er kaufte das Brot beim Bäcker, dem er vertraut: somebody of the same gender is named by a pronoun before."""
        own = {"m": "er", "f": "sie"}[gender]
        places = (at for at in range(head) if self.low(at) == own)
        return any(own == "er" or not self.low(at + 1).endswith("n") for at in places)

    def owns(self, at: int) -> bool:
        """A possessive before its noun: sein altes Buch; not "zu sein"."""
        steps = (1, 2, 3) if POSSESSIVE.fullmatch(self.low(at)) else ()
        return any(
            self.capital(at + step) and all(self.language.modifier(self.low(i)) for i in range(at + 1, at + step))
            for step in steps
        )

    def _possessed(self, person: Person, at: int, others: set[int], *, alone: bool) -> float:
        """How sure sein is his, ihr is hers; ihr may be theirs where its clause has a verb in the plural."""
        clause = range(*self.clause(at))
        theirs = person.gender == "f" and self.any_of(clause, "plural") and not self.any_of(clause, "singular")
        if theirs or not self.low(at).startswith({"m": "sein", "f": "ihr"}[person.gender]):
            return 0
        near = person.case == "n" and at < person.clause.stop and others.isdisjoint(range(person.at + 1, at))
        return 0.95 if near else 0.9 * alone

    def _taken_up(self, at: int, gender: str) -> bool:
        """A personal pronoun of the gender; sie is she, not they, where no verb of its clause is a plural."""
        if self.low(at) != "sie" or gender == "m":
            return self.low(at) in PERSONAL[gender]
        left, right = self.clause(at)
        if self.any_of(range(left, right), "plural"):
            return False
        verbs = (self.low(at - 1), self.low(at + 1), self.low(right - 1))
        return self.any_of(range(left, right), "singular") or not any(verb.endswith("en") for verb in verbs)

    def pronoun_case(self, at: int) -> str:
        """n or a for a pronoun or relative pronoun of one form for both (sie, die)."""
        left, right = self.clause(at)
        polite = any(self.tokens[i].text == "Sie" and left < i != at for i in range(left, right))
        if self.low(at) == "sie" and (polite or self.low(at - 1) in {"lass", "lasst", "lasse"}):
            return "a"
        governed = "a" in self.governs(at - 1) and not self.has(at - 1, "subordinator")
        return "a" if governed else self.subject_or_object(at, at)


def _letters(mask: int) -> str:
    return "".join(case for case in CASES if mask & CASE[case])


def _one(cases: set[str]) -> str | None:
    return next(iter(cases)) if len(cases) == 1 else None
