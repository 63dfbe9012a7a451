"""One German sentence: clauses, the case and number of a phrase, and who or what is bound to one person.

A phrase whose form leaves two cases open (die Lehrerin: subject or object; der Lehrerin: dative or genitive) is decided
by its preposition, by the noun before it, and by who else can be the subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from evenhand.grammar.german.paradigms import CASES
from evenhand.grammar.protocol import FEMININE, MASCULINE, NEUTER, PLURAL, SINGULAR, Kind, cells
from evenhand.grammar.sentence import Link, LinkKind, Walk

if TYPE_CHECKING:
    from evenhand.grammar.german import German

STOPS = frozenset('.;:!?…()–—„“”»«"')
CASE = {case: cells(cases=case) for case in CASES}
GENDER = {"f": FEMININE, "m": MASCULINE}
POSSESSIVE = re.compile(r"(sein|ihr)(|e|er|es|en|em)")
UNSURE = 0.3  # a pronoun that may mean the person or another


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


class Syntax(Walk):
    """Asked by `German.agrees_with`, `German.case` and the mender, for the tokens of one sentence."""

    language: German

    # -- words

    def governs(self, at: int) -> str:
        return self.language.governs(self.low(at))

    def equates(self, at: int) -> bool:
        """A verb of being or a passive; not the possessive in "sein älterer Bruder"."""
        return self.has(at, "copula") and (self.low(at) != "sein" or not self.low(at + 1).isalpha())

    def owns(self, at: int) -> bool:
        """A possessive before its noun: sein altes Buch; not "zu sein"."""
        return bool(POSSESSIVE.fullmatch(self.low(at))) and self._noun_from(at + 1)

    def _noun_from(self, at: int) -> bool:
        """A noun, or an adjective and its noun, begins here: seine sehr überlegte Antwort."""
        at += self.has(at, "degree")
        adjective = bool(self.language.modifier(self.low(at))) and not self.language.function_word(self.low(at))
        return self.capital(at) or (adjective and self.capital(at + 1))

    def capital(self, at: int) -> bool:
        """Written as a noun or name is."""
        inside = 0 <= at < len(self.tokens) and self.tokens[at].text[:1].isupper()
        return inside and not self.language.function_word(self.tokens[at].low)

    def articles(self, head: int) -> list[int]:
        return self.language.attributes(self.tokens, head)[0]

    def first(self, head: int) -> int:
        """Where the phrase of a noun begins, with its title."""
        determiners, adjectives = self.language.attributes(self.tokens, head)
        return min([head - (self.has(head - 1, "title")), *determiners, *adjectives])

    # -- clauses

    def clause(self, at: int) -> range:
        """The clause around a word; a relative clause between two commas after it is skipped."""
        left = right = at
        while (self.low(left - 1) != "," or self._in_series(left - 1)) and not self._ends(left - 1):
            left -= 1
        while not self._ends(right):
            if self.low(right) == ",":
                closing = self._comma(right + 1, len(self.tokens))
                if not self.language.relatives.cells.get(self.low(right + 1), 0) & ~NEUTER or closing is None:
                    break
                right = closing
            right += 1
        return range(left, right)

    def _in_series(self, comma: int) -> bool:
        """Between nouns for persons: ein Maler, Bildhauer und Dichter."""
        near = range(comma - 1, min(comma + 2, len(self.tokens)), 2)
        plain = all(self.low(i).endswith("in") or self.language.nouns.lemma(self.low(i)) == self.low(i) for i in near)
        return plain and all(self.language.genders_of(self.tokens[i]) for i in near)  # not: der Kroaten, Serben

    def _ends(self, at: int) -> bool:
        """A stop; "und er ging": a clause with a subject of its own, but not "und wurde Lehrer"."""
        low, after = self.low(at), self.low(at + 1)
        if low == "." and at + 1 < len(self.tokens) and self.low(at - 1)[-1].isdigit():
            return False  # im 14. Jahrhundert
        subject = self.language.has(after, "nominative") or after in {"sie", "es"}
        return low[0] in STOPS or (subject and self.has(at, "coordinator"))

    def _comma(self, start: int, end: int) -> int | None:
        return next((i for i in range(start, end) if self.low(i) == ","), None)

    def relative(self, at: int) -> int | None:
        """The relative pronoun that opens a clause here, a preposition before it or not; None where none does."""
        governed = bool(self.governs(at))
        at += governed
        if self.low(at) not in self.language.relatives.cells or (governed and self.capital(at + 1)):
            return None  # , mit den Zielen einverstanden
        article, size = self._noun_from(at + 1), len(self.tokens)
        end = next((i for i in range(at + 1, size) if self.low(i) == "," or self._ends(i)), size)
        verb = self.tokens[end - 1].text[:1].islower() and self.low(end - 2) != "zu"  # ", der Kinder behandelt,"
        return at if self.low(at) in {"dessen", "deren"} or not article or verb else None  # ", der junge Arzt, "

    # -- case

    def case(self, head: int, gender: str) -> str | None:
        """The case of a noun in the singular: by determiner, adjectives and noun; then by its place; None if open."""
        options, first = self.cases(head, gender), self.first(head)
        purpose = self.low(first - 1) == "um" and self._infinitive(self.clause(first))  # um Arzt zu werden
        opened = self.has(first - 1, "subordinator")  # während die Krankenschwester schlief, bis sie kam
        asked = "" if purpose or opened else self.governs(first - 1)
        alone = asked if len(asked) == 1 else ""  # mit der Wächter: a slip
        governed = "".join(case for case in options if case in asked) or alone
        if len(options) < 2 or governed:
            return (governed or options)[:1] or None
        if "n" not in options:
            return "a" if "a" in options else self._dative_or_genitive(first)
        return "n" if self.low(first - 1) in {"als", "wie"} else self.subject_or_object(first, head)

    def cases(self, head: int, gender: str) -> str:
        """The cases that the forms of the phrase leave open."""
        determiners, adjectives = self.language.attributes(self.tokens, head)
        shown = [self.determiner(i) for i in determiners]
        shown += [self.language.declined(self.low(i), strong=not determiners) for i in adjectives]
        mask = GENDER[gender] & SINGULAR
        for own in shown:
            mask = mask & own or mask  # eine Administrator: a slip
        lemma = self.language.nouns.lemma(self.low(head)) if gender == "m" and not determiners else None
        if lemma and self.low(head) not in {lemma, self.language.nouns.inflected(lemma, "s", "d")}:
            mask &= CASE["g"] if self.low(head) == self.language.nouns.inflected(lemma, "s", "g") else mask
        return "".join(case for case in CASES if mask & CASE[case])

    def _dative_or_genitive(self, first: int) -> str | None:
        """das Haus der Lehrerin; er gab der Lehrerin das Haus."""
        if not self.capital(first - 1):
            return "d"
        return None if self.any_of(self.clause(first), "transfer") else "g"  # gab das Geld der Ärztin

    def subject_or_object(self, first: int, head: int) -> str:
        """n or a, for a phrase or pronoun that no preposition governs."""
        clause = self.clause(first)
        own = {*range(first, head + 1), *self._embedded(head + 1, clause.stop)}
        inside = [i for i in clause if i not in own]
        if any(map(self.equates, inside)):
            return "n"  # a verb of being or a passive has no object
        if self._infinitive(clause) or self.any_of(inside, "nominative"):
            return "a"  # um die Lehrerin zu sehen
        opened = self.low(clause.start - 1) == ","  # Bilder, die sie malte
        return "a" if any(i < first and self._may_be_subject(i) for i in inside[opened:]) else "n"

    def _embedded(self, start: int, end: int) -> range:
        """The relative clause between two commas after a noun, which has a subject of its own."""
        closing = self._comma(start + 1, end)
        return range(start, closing) if self.low(start) == "," and closing is not None else range(0)

    def _infinitive(self, clause: range) -> bool:
        """um die Lehrerin zu sehen; die Lehrerin anzurufen: a clause without a subject."""
        last = clause.stop - 1
        marked = self.low(last - 1) == "zu" or "zu" in self.low(last)[2:-3]
        return marked and (clause.start > 0 or self.low(0) in {"um", "ohne", "statt"})

    def _may_be_subject(self, at: int) -> bool:
        """A determiner or a noun without one that no preposition governs and whose form can be a nominative."""
        mask = self.determiner(at)
        if mask or self.low(at) == "sie":
            return not mask or (bool(mask & CASE["n"]) and not self.governs(at - 1))
        if not self.capital(at):
            return False
        while self.capital(at):
            at -= 1
        return not self.determiner(at) and not self.governs(at)

    # -- number

    def plural(self, head: int, gender: str, *, expected: bool = False) -> bool:
        """By the noun's form and its determiner; `expected` where both leave it open (the source's number)."""
        low = self.low(head)
        if gender == "f" and low.endswith(("in", "innen")):
            return low.endswith("innen")
        shown = self._by_form(head, expected) if gender == "m" else None
        shown = self._by_article(head, gender) if shown is None else shown
        return expected if shown is None else shown

    def _by_form(self, head: int, expected: bool) -> bool | None:
        """A man's noun; where its forms are alike: im Interesse der Bürger, einer der Bürger; seid ihr Freunde?"""
        low, nouns, first = self.low(head), self.language.nouns, self.first(head)
        if not nouns.several(low):
            return nouns.only_several(low)  # not: dem Feinde
        owned = self.capital(first - 1) or self.has(first - 1, "one_m")
        return (self.low(first) == "der" and owned) or (self.low(first) == "ihr" and expected) or None

    def _by_article(self, head: int, gender: str) -> bool | None:
        determiners, adjectives = self.language.attributes(self.tokens, head)
        masks = [self.determiner(i) for i in determiners]
        for mask in masks or [self.language.declined(self.low(i), strong=True) for i in adjectives]:
            one, several = mask & GENDER[gender] & SINGULAR, mask & PLURAL
            if not several & ~CASE["d"] and not self.low(head).endswith(("n", "s")):
                several = 0  # gegen den Besatzer
            if not one or not several:
                return not one
        return None

    def dative_plural(self, head: int) -> bool:
        return any(self.low(i).endswith("en") for i in self.articles(head)) or self.governs(self.first(head) - 1) == "d"

    # -- what is bound to a person

    def bound(self, head: int, gender: str, *, plural: bool, agreed: int) -> Iterator[Link]:
        """Words outside the phrase of the noun: a relative pronoun, nouns that say the same person again, pronouns.
        `gender` is empty where the noun shows none; `agreed` are the cells of its phrase."""
        relatives = list(self.relative_of(head, (GENDER.get(gender) or agreed) & (PLURAL if plural else SINGULAR)))
        yield from relatives
        if not gender:
            return
        case, first = "n" if plural else self.case(head, gender) or "", self.first(head)
        clause = self.clause(first)
        person = Person(head, first, gender, case, plural, clause, any(map(self.equates, clause)))
        again = list(self._again(person))
        yield from again
        if plural:
            yield from self._one_of(person)
        else:
            yield from self._pronouns(person, {head, *(link.at for link in (*relatives, *again))})

    def relative_of(self, head: int, own: int) -> Iterator[Link]:
        """The relative pronoun after the noun's comma; what may stand between is a genitive or a place. `own` are the
        cells of the noun."""
        comma = self._comma(head + 1, min(head + 8, len(self.tokens)))
        found = self.relative(comma + 1) if comma is not None else None
        addressed = self.has(head - 1, "title") and self.first(head) == head - 1  # Herr Präsident, die Union sieht
        if comma is None or found is None or addressed or not self._attached(head, comma):
            return
        mask = self.language.relatives.cells[self.low(found)]
        if mask & own:
            rival = any(_alike(self.determiner(i), mask) for i in range(head + 1, comma - 1))
            yield Link(found, "relative", 0.5 if rival else 0.95)  # eines Landes, in dem

    def _attached(self, head: int, comma: int) -> bool:
        """Between a noun and its relative clause are other phrases and at most the clause's last verbs: "die einen Mann
        getroffen haben, der"; not "Der Kanzler erklärte, der"."""
        verbs = [i for i in range(head + 1, comma) if not self._nominal(i)]
        first = self.first(head)
        final = verbs == list(range(comma - len(verbs), comma)) and first > self.clause(first).start
        return not verbs or final

    def _nominal(self, at: int) -> bool:
        """A noun, or what may stand before one."""
        named = self.tokens[at].text[:1].isupper() or self.capital(at + 1)
        return named or bool(self.determiner(at) or self.governs(at))

    def said(self, head: int, case: str) -> bool:
        """The noun is said of somebody: als Arzt, war Arzt, wurde zum Arzt."""
        first = self.first(head)
        clause = self.clause(first)
        made = self.low(first) in {"zum", "zur"} and self.any_of(clause, "becoming")
        being = case == "n" and first > clause.start and any(map(self.equates, clause))
        return self.low(first - 1) == "als" or made or (being and self.low(first - 1) != "wie")

    def _again(self, person: Person) -> Iterator[Link]:
        """Nouns that say the same person again: after a verb of being, after als, in apposition, joined."""
        yield from self._of_subject(person)
        named = person.at + 2
        titled = self.low(named) == {"m": "herr", "f": "frau"}[person.gender] and not self.has(person.at - 1, "title")
        if titled and self.low(named - 1) == ",":
            yield Link(named, "apposition", 0.9)  # der Berichterstatter, Herr Langen
        also = self._also_said(person)
        for i, token in enumerate(self.tokens):
            if self.language.genders_of(token) != person.gender or token.low == self.low(person.at):
                continue
            if self.plural(i, person.gender, expected=person.plural) != person.plural:
                continue
            kind = self._joined_to(person, i) or self._apposed_to(person, i) or self._predicated(person, i, also)
            if kind and self.language.noun(token.text).kind is not Kind.FIXED:
                yield Link(i, kind, 0.9)

    def _of_subject(self, person: Person) -> Iterator[Link]:
        """Anna Seghers, die eine Schriftstellerin war; der Spieler war der Erste."""
        if person.equated and person.case == "n" and not person.plural:
            host = self.relative(person.clause.start)  # Anna Seghers, die eine Schriftstellerin war
            if host == person.clause.start < person.first and self.low(host - 1) == ",":
                shown = self.language.relatives.cells[self.low(host)] & GENDER[person.gender] & SINGULAR & CASE["n"]
                yield from [Link(host, "relative", 0.95)] if shown else []
            yield from self._superlatives(range(person.at + 1, person.clause.stop), person.gender)

    def _predicated(self, person: Person, at: int, also: set[int]) -> LinkKind | None:
        """A noun of the person's clause that says what the person is or becomes."""
        inside = at in person.clause
        if person.case == "n" and inside and (kind := self._said_of(person, at) or self._subject_of(person, at)):
            return kind
        return "predicate" if at in also or (inside and self._made(person, at)) else None

    def _subject_of(self, person: Person, at: int) -> LinkKind | None:
        """Professor Gager ist Bergsteiger: the noun of which this one is said."""
        mask = self.language.determiner(self.low(self.first(at))) or CASE["n"]
        verb = any(map(self.equates, range(at + 1, person.first)))
        return "predicate" if mask & CASE["n"] and verb and not person.plural else None

    def _also_said(self, person: Person) -> set[int]:
        """Nach seiner Zeit als Zeichner wurde er Maler: nouns that are said of somebody, where all are."""
        if person.plural or not self.said(person.at, person.case):
            return set()
        others = self._rivals(person)
        said = {i for i in others if self.said(i, self.case(i, person.gender) or "")}
        return said if said == others else set()

    def _superlatives(self, places: range, gender: str) -> Iterator[Link]:
        """ist einer der besten; war der beste im Tal, der Erste, der kam: a nominative without a noun."""
        for i in places:
            low, after = self.low(i), self.low(i + 1)
            one_of = self.has(i, f"one_{gender}") and after in {"der", "unserer", "meiner"}
            best = after.endswith("ste") and not self.capital(i + 2) and low == {"m": "der", "f": "die"}[gender]
            if (one_of or best) and not self.governs(i - 1):
                yield Link(i, "predicate", 0.9)
                yield from self.relative_of(i + 1, GENDER[gender] & SINGULAR)

    def _one_of(self, person: Person) -> Iterator[Link]:
        """einer der Lehrer, jeder von ihnen: the pronoun before a genitive plural."""
        at = person.first - 1 - (self.low(person.first - 1) in {"von", "unter"})
        if self.has(at, f"one_{person.gender}"):
            yield Link(at, "pronoun", 0.9)

    def _joined_to(self, person: Person, at: int) -> LinkKind | None:
        """One person: ein Künstler und Gärtner; war Lehrer, Maler und Dichter"""
        one, other = sorted((person.at, at))
        series = self._series(one, person.gender)
        led = person.equated or self.low(self.first(one) - 1) == "als"
        joined = other in series[: None if led else 1] and (led or (one == person.at and self.articles(one)))
        return "conjunct" if (joined or self._listed(person, at)) and not person.plural else None

    def _listed(self, person: Person, at: int) -> bool:
        """Er ist ein Arzt und auch ein Dichter."""
        near = {self.low(at + 1), self.low(self.first(at) - 1)}
        return person.equated and at in person.clause and not near.isdisjoint({"und", "oder"})

    def _series(self, at: int, gender: str) -> list[int]:
        """Nouns without an article that follow each other: Lehrer, Maler und Dichter."""
        series: list[int] = []
        while self.low(at + 1) in {",", "und", "oder", "sowie"}:
            near = (i for i in range(at + 2, min(at + 6, len(self.tokens))) if self.first(i) == at + 2)
            at = next((i for i in near if self.language.genders_of(self.tokens[i]) == gender), -1)
            if at < 0 or self.articles(at):
                break
            series.append(at)
        return series

    def _apposed_to(self, person: Person, at: int) -> LinkKind | None:
        first = self.first(at)
        if self.has(at - 1, "title"):
            return None  # Herr Präsident, Herr Kommissar: two are addressed
        set_off = self.low(first - 1) == "," and first - 2 == person.at and self.low(at + 1) in {",", "."}
        return "apposition" if set_off else None

    def _said_of(self, person: Person, at: int) -> LinkKind | None:
        """ist ein guter Arzt, als Arzt; not "berühmter als der König" """
        first = self.first(at)
        if self.low(first - 1) == "als":
            said = not self.low(first - 2).endswith(("er", "mehr"))
        else:
            mask = self.language.determiner(self.low(first)) or CASE["n"]
            free = not self.governs(first - 1) and self.low(first - 1) not in {"wie", "und", "oder"}
            said = person.equated and first > person.at + 1 and free and bool(mask & CASE["n"])
        return "predicate" if said else None

    def _made(self, person: Person, at: int) -> bool:
        """wurde zum Arzt, bestellte die Anwältin zur Betreuerin: what the person becomes."""
        made = self.any_of(person.clause, "becoming", "naming")
        return made and self.low(self.first(at)) in {"zum", "zur"}

    # -- pronouns

    def _pronouns(self, person: Person, chain: set[int]) -> Iterator[Link]:
        """Pronouns that take the person up, only where they can mean nobody else. A personal pronoun is never bound in
        a clause of which the person is an argument ("Der Kellner bediente ihn" is about two), a possessive may be."""
        others = self._rivals(person) - chain
        said = self.said(person.at, person.case)
        free = not others and (person.case == "n" or said or not self._another(person.at, person.gender))
        own = self._named_in(person, chain, said=said)
        for at in filter(self._third_person, range(0 if said else person.at + 1, len(self.tokens))):
            if self.owns(at):
                sure = self._possessed(person, at, others, alone=free)
            else:
                taken = self._taken_up(at, person.gender) and not (said and self._without(person, at))
                sure = (0.9 if free else UNSURE) * (taken and not self._beside(person, at, own))
                own += [self.clause(at)] * (bool(sure) and free and self._subject(at))
            if sure:
                yield Link(at, "pronoun", sure)

    def _named_in(self, person: Person, chain: set[int], *, said: bool) -> list[range]:
        """The clauses of which the person is an argument."""
        own = [self.clause(at) for at in chain if self.low(at) in self.language.relatives.cells]
        return own + [person.clause] * (person.case != "g" and not said)

    def _without(self, person: Person, at: int) -> bool:
        """Ohne ihn wäre der Bäcker verloren; not: aus ihm wurde ein Bäcker"""
        return bool(self.governs(at - 1)) and self.low(at - 1) != "aus" and self.clause(at) == person.clause

    def _rivals(self, person: Person) -> set[int]:
        """Nouns for persons that pronouns of the gender may mean."""
        others = (i for i, token in enumerate(self.tokens) if token.low != self.low(person.at))
        return {i for i in others if person.gender in self.genders(i)}

    def genders(self, at: int) -> str:
        """Those of a noun for persons that a pronoun may mean; not of an adjective that a sentence begins with: Blindes
        Schach."""
        found = self.language.genders_of(self.tokens[at])
        addressed = at < 2 and self.has(0, "title") and self.low(2) == ","  # Herr Präsident, ich danke ihm
        if addressed or (self.has(at, "title") and self.language.genders_of(self.tokens[at + 1])):
            return ""
        return "" if found == "fm" and self.capital(at + 1) else found

    def _beside(self, person: Person, at: int, own: list[range]) -> bool:
        """A pronoun that depends on the same verb as the person; not in "sah die Frau und grüßte sie". `own` are the
        clauses that name the person or take it up."""
        clause = self.clause(at)
        if clause in own:
            joined = self.any_of(range(person.at + 1, at), "coordinator")
            return person.case == "n" or not joined
        return person.case == "n" and not self._subject(at) and self._continues(person, clause)

    def _subject(self, at: int) -> bool:
        return self.low(at) == "er" or (self.low(at) == "sie" and self.pronoun_case(at) == "n")

    def _continues(self, person: Person, clause: range) -> bool:
        """The person does what the clause says, which has no subject: sah sich um und bediente ihn; um ihn zu sehen;
        versuchte, ihm zu helfen; not: bat sie, ihm zu helfen."""
        if self._infinitive(clause):
            asked = (self.has(i, "object_pronoun") or self.language.genders_of(self.tokens[i]) for i in person.clause)
            return sum(map(bool, asked)) < 2
        opened = self.has(person.clause.start, "subordinator")  # wenn der Gast kommt, lass ihn herein
        subject = any(self.has(i, "nominative") or self._may_be_subject(i) for i in clause)
        return clause.start > person.at and not opened and not subject

    def _third_person(self, at: int) -> bool:
        """Not the polite Sie, Ihr: a capital only where a sentence begins, sie with a verb in the singular."""
        token, after = self.tokens[at], self.low(at + 1)
        opens = self.low(at - 1)[0] in STOPS and (token.low != "sie" or not after.endswith("n"))
        return opens or not token.text[:1].isupper()

    def _another(self, head: int, gender: str) -> bool:
        """Er kaufte das Brot beim Bäcker, dem er vertraut: somebody of the same gender is named by a pronoun before."""
        if gender == "m":
            return any(self.low(at) == "er" for at in range(head))
        return any(self.low(at) == "sie" and not self.low(at + 1).endswith("n") for at in range(head))

    def _possessed(self, person: Person, at: int, others: set[int], *, alone: bool) -> float:
        """How sure sein is his, ihr is hers; ihr may be theirs where its clause has a verb in the plural."""
        clause = self.clause(at)
        theirs = person.gender == "f" and self.any_of(clause, "plural")
        if theirs or not self.low(at).startswith({"m": "sein", "f": "ihr"}[person.gender]):
            return 0
        if at < person.first and self.has(at - 1, "coordinator") and self.capital(at - 2):
            return 0  # in der Malerei und ihrem Umfeld
        near = person.case == "n" and at in person.clause and others.isdisjoint(range(person.at + 1, at))
        return 0.95 if near else 0.9 if alone else UNSURE

    def _taken_up(self, at: int, gender: str) -> bool:
        """A personal pronoun of the gender; sie is she, not they, where no verb of its clause is a plural."""
        if self.low(at) != "sie" or gender == "m":
            return self.has(at, f"personal_{gender}")
        clause = self.clause(at)
        if self.any_of(clause, "plural"):
            return False
        verbs = (self.low(at - 1), self.low(at + 1), self.low(clause.stop - 1))
        return self.any_of(clause, "singular") or not any(verb.endswith("en") for verb in verbs)

    def pronoun_case(self, at: int) -> str:
        """n or a for a pronoun or relative pronoun of one form for both (sie, die)."""
        polite = any(self.tokens[i].text == "Sie" for i in self.clause(at) if i not in {0, at})
        governed = "a" in self.governs(at - 1)
        let = self.low(at - 1) in {"lass", "lasst"}
        return "a" if governed or (self.low(at) == "sie" and (polite or let)) else self.subject_or_object(at, at)


def _alike(one: int, two: int) -> bool:
    """Cells that share a gender and a number, whatever the case."""
    both = [gender & number for gender in (*GENDER.values(), NEUTER) for number in (SINGULAR, PLURAL)]
    return any(one & mask and two & mask for mask in both)
