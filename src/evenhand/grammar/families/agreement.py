"""Which words agree with a noun of a Slavic language, clause by clause.

A clause ends at punctuation and before a conjunction. Its subject is the nominative that agrees with its verb; a clause
without one continues the main clause's. A clause with который belongs to the nearest noun before it that agrees. A
masculine noun may name a woman: predicate, relative pronoun and participle are then feminine (врач сказала).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, cast

from evenhand.grammar.base import LONGEST, BaseLanguage
from evenhand.grammar.families.morphology import Analyser, Analysis, Endings, adjectives, analyser, nouns, persons
from evenhand.grammar.protocol import (
    ANY,
    CASES,
    FEMININE,
    MASCULINE,
    NEUTER,
    NUMBERS,
    PLURAL,
    SINGULAR,
    Phrase,
    Predicate,
    Token,
    cells,
)  # fmt: skip
from evenhand.grammar.sentence import Link, LinkKind, Part, Reading, Sentence
from evenhand.remembered import remembered
from evenhand.tsv import rows, words

NOMINATIVE = cells(cases="n")
GENITIVE = cells(cases="g")
ACCUSATIVE = cells(cases="a")
OBJECT = GENITIVE | ACCUSATIVE
INSTRUMENTAL = cells(cases="i")
FEMININE_NOMINATIVE = cells("f", "s", "nv")
CASE_CELLS = tuple(cells(numbers=number, cases=case) for number in NUMBERS for case in CASES)
DASHES = frozenset("—–-")
CLAUSE_END = frozenset(".;:!?…()—–")
ENDS = CLAUSE_END | {",", "-", "«", "»"}
QUOTES = frozenset("«»")
OPENS = 3  # a relative pronoun is among the first words of its clause: "с помощью которого"
RELATIVE = ("котор", "котр", "як", "któr", "kter")
EMBEDDED = 5  # words back from a noun to the preposition that depends on its participle
FAR = 12  # words between a noun and its relative pronoun
VERBAL = frozenset({"past", "short", "verb"})


class Form(NamedTuple):
    """What a word form can be in a clause; numbers are cells."""

    kind: str | None  # of a function word
    shown: int  # past tense or short adjective
    verb: int  # finite verb or short adjective
    declined: int  # adjective, participle, pronoun beside a noun
    participle: int
    noun: int  # first of all a noun
    animate: bool
    intransitive: bool  # a verb that the dictionary gives no object
    pronoun: bool  # one that is a subject by itself: он, кто


class Clause(NamedTuple):
    """tokens[start:end]; `ours`: cells of the person where it is the subject, else 0; `named`: it is named there."""

    start: int
    end: int
    ours: int
    named: bool


class Person(NamedTuple):
    """The noun whose agreement is asked for: its phrase in a sentence, the names behind it, the cells it can have."""

    tokens: list[Token]
    phrase: Phrase
    end: int  # behind the names: "сестра Светка"
    own: int
    nominative: bool = False  # surely, though the form leaves other cases

    @property
    def wide(self) -> int:
        """What may agree: also feminine forms, where a man's noun names a woman."""
        return twinned(self.own)


class Bound(NamedTuple):
    """A word outside the phrase that agrees with its noun."""

    at: int
    kind: LinkKind
    cells: int
    sure: float


class Agreeing(BaseLanguage):
    """Readings of words and what agrees with a noun. Beside the tables of `BaseLanguage`: `function_words.tsv` has a
    column `kind` (preposition, conjunction, relative, other), `classes.tsv` closed classes by role,
    `not_past.tsv` words that look like a past tense."""

    analyser: Analyser
    ranked = False  # the dictionary puts the likeliest reading first

    def __init__(self) -> None:
        super().__init__()
        self.analyser = analyser(self.code, self.folder)
        self.source = self.analyser.source  # part of the detector's fingerprint: a dictionary changes verdicts
        self._dictionary = self.source != Endings.source
        self._other_endings = Endings(self.folder / "other_endings.tsv")
        self._kinds: dict[str, str] = {}
        for row in rows(self.folder / "function_words.tsv"):
            for word in row["word"].split():
                self._kinds.setdefault(word, row["kind"])
        self._classes = _by_key(self.folder / "classes.tsv", "role")
        self._prepositions = _by_key(self.folder / "prepositions.tsv", "case")
        self._being = tuple(self.words_of("being"))
        self._not_past = words(self.folder / "not_past.tsv")
        self.readings = remembered(self._readings, mebibytes=24)
        self.form = remembered(self._form, mebibytes=24)
        self._cases = remembered(self._cases)  # type: ignore[method-assign]
        self._shown = remembered(self._shown)  # type: ignore[method-assign]

    # -- words

    def words_of(self, role: str) -> frozenset[str]:
        """The words of a closed class of `classes.tsv`."""
        return self._classes.get(role, frozenset())

    def read(self, token: Token) -> tuple[Reading, ...]:
        """Readings of the dictionary or the endings, and of the tables of closed classes, which go first."""
        low = token.low
        if not low[0].isalnum():
            return ()
        relative = self._kinds.get(low) == "relative"
        closed: tuple[tuple[Part, int], ...] = (("determiner", self.determiner(low)), ("pronoun", self.pronoun(low)))
        found = [Reading(low, part, mask) for part, mask in closed if mask]
        for a in (*self.readings(low), *self._other_endings.analyse(low)):
            found.append(Reading(a.lemma, _part(a, relative=relative), a.cells, a.known))
        return tuple(dict.fromkeys(found))

    def kind(self, low: str) -> str | None:
        """preposition, conjunction, relative or other for a function word; None for other words."""
        return self._kinds.get(low)

    def agreeing(self, low: str) -> int:
        """Cells of a past tense or short adjective, which agree with their subject; 0 for every other word."""
        return self._shown(low)

    def no_past(self, low: str) -> bool:
        """True for a word that only looks like a past tense (школа, угол)."""
        return low in self._not_past

    def _readings(self, low: str) -> tuple[Analysis, ...]:
        return self.analyser.analyse(low) if len(low) <= LONGEST else ()

    def _form(self, low: str) -> Form:
        readings, kind = self.readings(low), self._kinds.get(low)
        beside = self.determiner(low) | union(adjectives(readings))
        if self._relative(low) or low in self.words_of("alone"):
            beside |= union(a for a in readings if a.pronominal)
        verb = self._shown(low) or (self._finite(readings) if kind is None else 0)
        named = [] if kind else self._nouns_among(readings, other=bool(beside or verb), adjective=bool(beside))
        return Form(
            kind,
            self._shown(low),
            verb,
            beside if kind in {None, "relative"} else self.determiner(low) and beside,
            union(a for a in adjectives(readings) if a.participle),
            union(named),
            any(a.animate for a in named),
            any(a.objectless for a in readings[:1] if a.part in VERBAL),
            low in self.words_of("subject"),
        )

    def _nouns_among(self, readings: tuple[Analysis, ...], *, other: bool, adjective: bool) -> list[Analysis]:
        """The readings as a noun, where the form is a noun first of all: by rank, else where it is nothing else."""
        if self.ranked or not other:
            return nouns(readings[:1] if self.ranked else readings)
        return [a for a in nouns(readings, known=True) if not a.name and self._dictionary and not adjective]

    def _finite(self, readings: tuple[Analysis, ...]) -> int:
        """Cells as a finite verb or a short adjective, in the likeliest reading where they are ranked."""
        first = readings[:1] if self.ranked else readings
        return union(a for a in first if a.part in VERBAL and a.known and not a.infinitive)

    def _relative(self, low: str) -> bool:
        return self._kinds.get(low) == "relative" and low.startswith(RELATIVE)

    def _cases(self, low: str) -> int:
        """All cells of the cases and numbers this form can be, of any gender; 0 when nothing is known."""
        readings = [a for a in self.readings(low) if a.part in {"noun", "adjective"}]
        mask = union([a for a in readings if a.animate] or readings)
        return sum(case for case in CASE_CELLS if mask & case)

    def _shown(self, low: str) -> int:
        """Cells of a past tense or short adjective; 0 for every other word."""
        readings = self.readings(low)
        if low in self._not_past or low in self._kinds or any(a.part == "noun" and a.known for a in readings[:1]):
            return 0
        past = union(a for a in readings[:3] if a.part == "past")
        # Neither a short form that no dictionary has (кошков) nor one that is a verb first of all (спит) is one.
        short = union(a for a in readings[:3] if a.part == "short" and (a.known or not self._dictionary))
        mask = past | (short if not readings or readings[0].part != "verb" else 0)
        return mask if mask & (FEMININE | MASCULINE) else past  # the short "точно" is an adverb as well

    @abstractmethod
    def own_phrase(self, tokens: list[Token], first: int, last: int, number: int, asked: int = 0) -> Phrase:
        """The noun phrase; see `slavic`."""

    # -- the noun and its place

    def _noun_at(self, tokens: list[Token], first: int, last: int) -> int:
        """The noun of a form of several words: помощник in "помощник юриста", директор in "генеральный директор"."""
        for i in range(first, last):
            if nouns(self.readings(tokens[i].low), known=True):
                return i
        return first if self.adjectives_follow else last - 1

    def _preposition(self, tokens: list[Token], at: int) -> bool:
        return at >= 0 and self._kinds.get(tokens[at].low) == "preposition"

    def _subject(self, tokens: list[Token], phrase: Phrase) -> bool:
        """True when the phrase can only be a subject: nominative, no preposition, number or comparison before it."""
        if phrase.first and (self._no_subject_after(tokens, phrase.first) or self._title(tokens, phrase.first)):
            return False
        low = tokens[self._noun_at(tokens, phrase.head, phrase.last)].low
        cases = self._cases(low)
        if cases and not cases & NOMINATIVE & phrase.cells:
            return False
        if cases and not cases & OBJECT:
            return True
        if cases & GENITIVE and phrase.first and self.form(tokens[phrase.first - 1].low).noun:
            return False  # перепись населения
        return self._opens(tokens, phrase.first, low)

    def _title(self, tokens: list[Token], at: int) -> bool:
        """The name of a thing before it: в фильме "Офицер", газета «Вестник»."""
        before = at - 1
        while before > 0 and not tokens[before].low[0].isalnum() and tokens[before].low not in ENDS - QUOTES:
            before -= 1
        form = self.form(tokens[before].low)
        return tokens[at].text[0].isupper() and bool(form.noun) and not form.animate

    def _opens(self, tokens: list[Token], first: int, low: str) -> bool:
        """No verb that may have an object comes before in the clause; so a form that does not show its case (портье,
        CEO, дочь) is a subject."""
        for token in reversed(tokens[:first]):
            if token.low in ENDS or self._kinds.get(token.low) == "conjunction":
                break
            form = self.form(token.low)
            if form.verb:
                return form.intransitive and bool(uncased(form.verb) & uncased(union(self.readings(low))))
        return True

    def case_at(self, tokens: list[Token], first: int, mask: int) -> str:
        """One case of those that the cells leave a phrase that begins at `first`, by the preposition or the word before
        it; "" for none."""
        cases = [case for case in "nadgil" if mask & cells(cases=case)]
        if self._preposition(tokens, first - 1):
            return self._asked(tokens[first - 1].low, cases)
        if "n" in cases or len(cases) < 2:
            return "n" if "n" in cases else "".join(cases)
        if "i" in cases and self.becomes(tokens, max(0, first - 2), first):
            return "i"  # была последней
        return "g" if "g" in cases and self._wants_genitive(tokens[first - 1].low) else cases[0]

    def _asked(self, preposition: str, cases: list[str]) -> str:
        """The case that a preposition asks for, among those possible; "" for none but the nominative."""
        oblique = [case for case in sorted(cases) if case != "n"]
        asked = [case for case, listed in self._prepositions.items() if preposition in listed and case in oblique]
        return (asked or oblique or [""])[0]

    def _wants_genitive(self, before: str) -> bool:
        """A noun or a number before a phrase, or a denied "there is"."""
        form = self.form(before)
        counted = before in self.words_of("quantity") or before in self.words_of("absent")
        return counted or bool(form.noun and not form.verb)

    def _no_subject_after(self, tokens: list[Token], first: int) -> bool:
        """A preposition, number or comparison before the phrase: "20 человек", "как и сестра"."""
        before = tokens[first - 1].low
        if self._kinds.get(before) == "preposition" or before.isdigit():
            return True
        if before in self.words_of("joining"):
            before = tokens[first - 2].low
        if before in self.words_of("like"):  # but "я видел, как ученик ушёл"
            end = next((i for i in range(first, len(tokens)) if tokens[i].low in ENDS), len(tokens))
            return not self._verb_in(tokens, range(first, end))
        return before in self.words_of("quantity")

    def _person(self, tokens: list[Token], phrase: Phrase) -> Person:
        """The noun of a phrase with the cells that the phrase leaves it."""
        low = tokens[self._noun_at(tokens, phrase.head, phrase.last)].low
        readings = tuple(a for a in self.readings(low) if not a.name)
        chosen = persons(readings, known=True) or nouns(readings, known=True) or persons(readings)
        if chosen and not union(chosen) & phrase.cells:
            chosen = nouns(readings, known=True)  # реакционную политику
        mask = union(chosen or nouns(readings) or adjectives(readings))
        return Person(tokens, phrase, self._named(tokens, phrase.last), (mask & phrase.cells) or mask or phrase.cells)

    def _named(self, tokens: list[Token], last: int) -> int:
        """The end of the phrase with the names that follow it: "сестра Светка", "студента П. Н. Рыбникова"."""
        end = last
        while end < len(tokens):
            initial = tokens[end].text == "." and len(tokens[end - 1].text) == 1
            if not initial and (not tokens[end].text[0].isupper() or self._kinds.get(tokens[end].low)):
                break
            end += 1
        return end

    # -- what agrees

    def agrees_with(self, sentence: Sentence, at: int) -> tuple[Link, ...]:
        person = self._person(sentence.tokens, self.phrase(sentence, at))
        if self._apposed(person):
            person = person._replace(end=len(sentence))  # what follows belongs to the noun before: Анна, врач, которая
        found = {link.at: link for link in self._beside(person)}
        for bound in self._bound(person):
            found.setdefault(bound.at, Link(bound.at, bound.kind, bound.sure))
        return tuple(sorted(found.values()))

    def _apposed(self, person: Person) -> bool:
        """A noun after a comma that says who the one before it is: Голдстоун, еврей по национальности, который."""
        tokens, first = person.tokens, person.phrase.first
        if first < 2 or tokens[first - 1].low != ",":
            return False
        return tokens[first - 2].text[0].isupper() or bool(self.form(tokens[first - 2].low).noun & person.own)

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The word that shows the person's gender: a relative pronoun or participle, else the nearest predicate, else
        a noun for a woman that is said of the person."""
        bound = [b for b in self._bound(self._person(tokens, phrase)) if told(b.cells) and not b.cells & NEUTER]
        ranks = {"relative": 0, "participle": 0, "predicate": 1, "apposition": 2}
        bound = [b for b in bound if b.kind != "apposition" or b.cells & FEMININE]
        best = min(bound, key=lambda b: (ranks[b.kind], -b.sure, abs(b.at - phrase.head)), default=None)
        return Predicate(best.at, best.cells) if best else None

    def _beside(self, person: Person) -> Iterator[Link]:
        """Determiners, adjectives and participles of the phrase, and adjectives right after the noun."""
        tokens, phrase = person.tokens, person.phrase
        for i in range(phrase.first, phrase.last):
            if i != phrase.head and self.form(tokens[i].low).declined & person.wide:
                yield Link(i, self._beside_kind(tokens[i].low), 0.97)
        i = phrase.last
        while i < len(tokens) and self._follows(tokens, i, person.wide):
            yield Link(i, self._beside_kind(tokens[i].low), 0.9)
            i += 1
        embedded = self._embedded(tokens, phrase.first)
        if embedded is not None and self.form(tokens[embedded].low).participle & person.wide:
            yield Link(embedded, "participle", 0.9)

    def _embedded(self, tokens: list[Token], first: int) -> int | None:
        """The place before the preposition that depends on a participle: присланные из Кизляра образцы. A comma before
        it gives it to the noun before: тренда, связанного с культом президента."""
        for i in range(first - 1, max(0, first - EMBEDDED), -1):
            if tokens[i].low in ENDS:
                return None
            if self._preposition(tokens, i):
                return None if tokens[i - 2].low == "," else i - 1
        return None

    def _beside_kind(self, low: str) -> LinkKind:
        if self.determiner(low):
            return "determiner"
        return "participle" if self.form(low).participle else "adjective"

    def _follows(self, tokens: list[Token], at: int, mask: int) -> bool:
        """An adjective after its noun: no predicate, no name, and none of a noun that follows it."""
        form = self.form(tokens[at].low)
        plain = not form.verb and not form.kind and tokens[at].text.islower()
        return plain and bool(form.declined & mask) and not self._of_noun(tokens, at)

    def _of_noun(self, tokens: list[Token], at: int) -> bool:
        """An adjective of a noun that follows it."""
        mask = self.form(tokens[at].low).declined
        for i in range(at + 1, min(at + 4, len(tokens))):
            low = tokens[i].low
            noun = (
                0
                if low in self._kinds or self._shown(low)
                else union(nouns(self.readings(low), known=self._dictionary))
            )
            if noun & mask:
                return True
            if not self.form(low).declined & mask:
                return False
        return False

    def bound(
        self, tokens: list[Token], at: int, *, resumed: frozenset[str] = frozenset(), nominative: bool = False
    ) -> list[Bound]:
        """What `agrees_with` finds outside the phrase of tokens[at], with cells. Pronouns that are `resumed` mean the
        person, who then is the subject of their clauses too; `nominative`: the noun surely is one."""
        person = self._person(tokens, self.own_phrase(tokens, at, at + 1, ANY))
        return self._bound(person._replace(nominative=nominative), resumed)

    def _bound(self, person: Person, resumed: frozenset[str] = frozenset()) -> list[Bound]:
        """Words outside the phrase: relative pronouns and participles, predicates, nouns said of the person."""
        found: list[Bound] = []
        clauses = self._settled(person, found, resumed)
        found += self._predicates(person, clauses, waits=bool(found))
        if any(clause.named and clause.ours for clause in clauses):
            found += self._equated(person)
        return found

    # -- clauses

    def cut(self, tokens: list[Token]) -> tuple[range, ...]:
        start, found = 0, []
        for at, token in enumerate(tokens):
            if token.low in ENDS:
                if at > start:
                    found.append(range(start, at))
                start = at + 1
            elif at > start and self._kinds.get(token.low) == "conjunction" and not self._even(tokens, at):
                found.append(range(start, at))
                start = at
        if start < len(tokens):
            found.append(range(start, len(tokens)))
        return tuple(found)

    def _even(self, tokens: list[Token], i: int) -> bool:
        """Words of conjunctions that begin no clause: "так и не нашла", "в то время", "Согласилась и наш командир"."""
        low = tokens[i].low
        if low in self.words_of("adverb") or self._preposition(tokens, i - 1):
            return True
        if low not in self.words_of("joining") or i + 2 >= len(tokens):
            return False
        if self._shown(tokens[i - 1].low):
            end = next((k for k in range(i, len(tokens)) if tokens[k].low in ENDS), len(tokens))
            return not self._verb_in(tokens, range(i, end))
        return bool(self.form(tokens[i + 2].low).verb) and self._kinds.get(tokens[i + 1].low) == "other"

    def _settled(self, person: Person, found: list[Bound], resumed: frozenset[str]) -> list[Clause]:
        """The clauses, and whether the person is their subject; relative pronouns and participles go into `found`."""
        tokens, head = person.tokens, person.phrase.head
        own = of_case(uncased(person.wide & NOMINATIVE))
        subject = bool(own) and (person.nominative or self._subject(tokens, person.phrase))
        clauses: list[Clause] = []
        main = waiting = 0
        for inside in self.cut(tokens):
            start, named = inside.start, head in inside
            if start > head:
                self._participle(person, start, found)
            if start > head and any(tokens[i].low in resumed for i in inside):
                named, ours = True, of_case(uncased(person.wide) & uncased(SINGULAR))
                main = ours
            elif named:
                ours = own if subject and not self._rival(tokens, inside, head) else 0
                aside = tokens[start].low in self.words_of("subordinate") or tokens[start - 1].low == "("
                main = 0 if aside else ours
            elif start < head or tokens[start - 1].low == "(":
                ours = 0
            elif (relative := next((i for i in inside[:OPENS] if self._relative(tokens[i].low)), None)) is not None:
                ours = self._refers(person, relative, start, found)
                waiting = 0 if self._verb_in(tokens, inside) else ours
            elif self._rival(tokens, inside, head):
                ours, main = 0, main * (tokens[start].low in self.words_of("subordinate"))
            elif waiting and self._verb_in(tokens, inside):
                ours, waiting = waiting, 0  # которая, упав, умерла
            elif clauses and tokens[start].low in self.words_of("joining") and clauses[-1].end == start:
                ours = clauses[-1].ours  # взяла ручку и ушла
            else:
                ours = 0 if tokens[start].low in self.words_of("controlled") else main
            clauses.append(Clause(start, inside.stop, ours, named))
        return clauses

    def _verb(self, tokens: list[Token], inside: range) -> int:
        """The place of the first verb, or the end."""
        return next((i for i in inside if self.form(tokens[i].low).verb), inside.stop)

    def _verb_in(self, tokens: list[Token], inside: range) -> bool:
        return self._verb(tokens, inside) < inside.stop

    def _rival(self, tokens: list[Token], inside: range, head: int) -> bool:
        """Another subject than tokens[head]: a pronoun, a person, or a thing before the verb that agrees with it. A
        noun before its verb yields to pronouns alone, one after it to what is nearer."""
        verb = self._verb(tokens, inside)
        shown, intransitive = ANY, False
        if verb < inside.stop:
            shown, intransitive = self.form(tokens[verb].low).verb, self.form(tokens[verb].low).intransitive
        reach = inside if head not in inside else range(inside.start, head if head > verb else inside.start)
        for at in inside:
            form = self.form(tokens[at].low)
            if at != head and (form.pronoun or (at < verb and at in reach and tokens[at].low in self.words_of("it"))):
                return True
            if at not in reach or not form.noun & NOMINATIVE or not (form.animate or intransitive or at < verb):
                continue
            agrees = form.animate or uncased(form.noun & NOMINATIVE) & uncased(shown)
            if agrees and not self._governed(tokens, at):
                return True
        return False

    def _governed(self, tokens: list[Token], at: int) -> bool:
        """After a preposition, over adjectives: в наш класс."""
        before = at - 1
        while before >= 0 and self.form(tokens[before].low).declined:
            before -= 1
        return self._preposition(tokens, before)

    # -- relative pronouns and participles

    def _refers(self, person: Person, at: int, start: int, found: list[Bound]) -> int:
        """Adds a relative pronoun that means the person; its cells where the person is the subject of its clause."""
        mask = self.form(person.tokens[at].low).declined
        if not self._antecedent(person, start, uncased(mask)):
            return 0
        mask &= of_case(uncased(person.wide))
        found.append(Bound(at, "relative", mask, 0.95))
        return of_case(uncased(mask & NOMINATIVE)) if not self._preposition(person.tokens, at - 1) else 0

    def _antecedent(self, person: Person, start: int, mask: int) -> bool:
        """Whether the noun is the nearest before `start` that agrees in gender and number (`mask`). A woman by a man's
        noun: only right after it."""
        tokens, end = person.tokens, person.end
        if start < end or not self._reaches(tokens, range(end, start), mask):
            return False
        if uncased(person.own) & mask:
            return True
        # петицию фермера, которая: of the noun on which this one depends
        owner = nouns(self.readings(tokens[person.phrase.first - 1].low)) if person.own & GENITIVE else []
        return start - end < 2 and bool(uncased(person.wide) & mask) and not uncased(union(owner)) & mask

    def _reaches(self, tokens: list[Token], inside: range, mask: int) -> bool:
        """Whether nothing between a noun and what refers to it is nearer: no noun that agrees, no verb, no
        pronoun at the end (в отличие от нас, которые)."""
        between = [self.form(tokens[i].low) for i in inside[:-1]]
        if len(between) > (FAR if self._dictionary else 2) or any(uncased(form.noun) & mask for form in between):
            return False
        if any(form.verb for form in between) or any(tokens[i].low in CLAUSE_END - {"(", ")"} for i in inside):
            return False
        return len(inside) < 2 or not any(a.pronominal for a in self.readings(tokens[inside[-2]].low)[:1])

    def _participle(self, person: Person, start: int, found: list[Bound]) -> None:
        """, сидящий у окна,: agrees with the noun before its comma in case, gender and number."""
        tokens = person.tokens
        mask = self.form(tokens[start].low).participle & person.wide if tokens[start - 1].low == "," else 0
        if mask and self._antecedent(person, start, uncased(mask)):
            found.append(Bound(start, "participle", mask, 0.93))

    # -- predicates

    def _predicates(self, person: Person, clauses: list[Clause], *, waits: bool) -> Iterator[Bound]:
        """Past tenses, short forms and adjectives in the clauses of which the person is the subject. The first of them
        settles which gender the others have."""
        tokens, gender = person.tokens, ANY
        # the cases of the predicate adjectives before: строгим, но справедливым; a nominative where the noun waits for
        # its predicate: студентка, яка прийшла, рада
        said = NOMINATIVE if waits and any(c.named and c.ours for c in clauses) else 0
        for clause, at in self._places(person, clauses):
            mask = clause.ours & gender
            shown = self._shown_of(person, clause, at) & mask
            if not shown and self.form(tokens[at].low).declined & mask:
                shown = self._predicative(person, clause, at, mask, said)
                said = shown or said
            if shown:
                yield Bound(at, "predicate", shown, 0.95 if clause.named else 0.9)
                gender = PLURAL | of_gender(shown)
            elif instrumental := self._said(tokens, clause, at):
                yield Bound(at, "apposition", instrumental, 0.8)

    def _places(self, person: Person, clauses: list[Clause]) -> Iterator[tuple[Clause, int]]:
        """The words of the person's clauses but the phrase and names."""
        for clause in clauses:
            for at in range(clause.start, clause.end) if clause.ours else ():
                name = person.tokens[at].text[0].isupper() and at > clause.start
                if not name and not person.phrase.first <= at < person.phrase.last:
                    yield clause, at

    def _shown_of(self, person: Person, clause: Clause, at: int) -> int:
        """Cells of a verb or short form of the clause; not where a nominative before or nearer to it agrees with it and
        the noun does not: газета "Вестник" подверглась."""
        tokens, low = person.tokens, person.tokens[at].low
        shown = self.form(low).shown or self._rarely_shown(tokens, clause, at)
        if not shown or self._preposition(tokens, at - 1):
            return 0
        if shown & of_case(uncased(person.own & NOMINATIVE)):
            return shown
        for i in range(clause.start, clause.end):
            noun = self.form(tokens[i].low).noun
            nearer = i < at or (i - at <= at - person.end and not noun & ACCUSATIVE)
            other = noun & NOMINATIVE & shown and nearer and i not in {at, person.phrase.head}
            if other and not self._governed(tokens, i):
                return 0
        return shown

    def _rarely_shown(self, tokens: list[Token], clause: Clause, at: int) -> int:
        """Cells of a form that is a noun first of all (рада, прав; став) where the clause has no other verb, or one of
        being before it."""
        low, after = tokens[at].low, self.becomes(tokens, clause.start, at)
        alone = self._verb(tokens, range(clause.start, clause.end)) in {at, clause.end}
        parts = {"short"} if after or alone else set()
        if alone and (not self.ranked or low.startswith(self._being)):
            parts.add("past")
        return union(a for a in self.readings(low) if a.part in parts and a.known)

    def _predicative(self, person: Person, clause: Clause, at: int, mask: int, said: int) -> int:
        """Cells of an adjective that is said of the subject: after a linking verb, alone in a clause without a verb, or
        a feminine nominative that no noun follows (лікар повинна)."""
        tokens, low = person.tokens, person.tokens[at].low
        own = self.form(low).declined
        declined = own & mask
        if self._of_noun(tokens, at) or self._governed(tokens, at):
            return 0
        if low in self.words_of("alone"):
            # один из них: it belongs to what follows
            return (
                0 if self._preposition(tokens, min(at + 1, len(tokens) - 1)) else declined & (NOMINATIVE | INSTRUMENTAL)
            )
        if self.determiner(low):
            return 0
        if self.becomes(tokens, clause.start, at):
            return declined & (NOMINATIVE | INSTRUMENTAL)
        # купила козу і дуже горда: what a conjunction adds to the predicate, not to an adjective before it
        joins = tokens[clause.start].low in self.words_of("joining")
        joins = joins and not self.form(tokens[clause.start - 1].low).declined & (NOMINATIVE | ACCUSATIVE)
        joins = joins and not self.form(tokens[min(at + 1, len(tokens) - 1)].low).noun
        behind = joins or (clause.named and at > person.phrase.head)
        if not self._verb_in(tokens, range(clause.start, clause.end)):
            return declined & (said or (NOMINATIVE if behind else 0))
        plain = behind and not own & ~FEMININE_NOMINATIVE and bool(adjectives(self.readings(low), known=True))
        return declined & FEMININE_NOMINATIVE * plain

    def becomes(self, tokens: list[Token], start: int, at: int) -> bool:
        """A form of to be, become, seem shortly before."""
        return any(self._is_being(tokens[i].low) for i in range(max(start, at - 5), at))

    def _is_being(self, low: str) -> bool:
        if not low.startswith(self._being):
            return False
        if low.startswith(tuple(self.words_of("of_object"))) and not low.endswith(("ся", "сь")):
            return False  # вважав клієнта невинним
        infinitive = any(a.infinitive for a in self.readings(low)[:1])
        return infinitive or bool(self.form(low).verb) or low in self._kinds

    def _said(self, tokens: list[Token], clause: Clause, at: int) -> int:
        """Cells of a noun that says what the person is: стал учителем, работает учителем."""
        if not self.form(tokens[at].low).noun:
            return 0
        mask = union(persons(self.readings(tokens[at].low), known=True)) & INSTRUMENTAL
        return mask if mask and self.becomes(tokens, clause.start, at) else 0

    def _equated(self, person: Person) -> list[Bound]:
        """ "Игроки — ваши соперницы", "Вундеркинд — моя младшая": the nominative after a dash that follows the noun."""
        tokens, last = person.tokens, person.phrase.last
        dash = next((i for i in range(last, len(tokens)) if tokens[i].low in ENDS), len(tokens))
        if dash >= len(tokens) or tokens[dash].low not in DASHES:
            return []
        found: list[Bound] = []
        for i in range(dash + 1, min(dash + 5, len(tokens))):
            form, readings = self.form(tokens[i].low), self.readings(tokens[i].low)
            if nouns(readings, known=True) and not form.declined:
                mask = union(persons(readings, known=True)) & NOMINATIVE
                return [Bound(i, "apposition", mask, 0.8)] if mask else []
            if not form.declined & NOMINATIVE:
                break
            found = [Bound(i, "apposition", form.declined & NOMINATIVE, 0.8)]
        return found


def _by_key(path: Path, key: str) -> dict[str, frozenset[str]]:
    """The words of a table by one of its columns."""
    return {row[key]: frozenset(row["words"].split()) for row in rows(path)}


def _part(a: Analysis, *, relative: bool) -> Part:
    if relative:
        return "relative"
    if a.pronominal:
        return "determiner"
    return "participle" if a.participle else cast("Part", a.part)


def union(readings: Iterable[Analysis]) -> int:
    """The cells of any of the readings."""
    mask = 0
    for reading in readings:
        mask |= reading.cells
    return mask


def told(mask: int) -> bool:
    """True when only one of feminine and masculine is left."""
    return not (mask & FEMININE and mask & MASCULINE)


def twinned(mask: int) -> int:
    """The cells with the feminine ones beside the masculine: what may agree with a man's noun for a woman."""
    return mask | (mask & MASCULINE) >> 1


def of_gender(mask: int) -> int:
    """All cells of the genders, feminine or masculine, that some cells have."""
    return (FEMININE if mask & FEMININE else 0) | (MASCULINE if mask & MASCULINE else 0)


def uncased(mask: int) -> int:
    """Gender and number without case: the bits of the first case."""
    found = 0
    while mask:
        found |= mask & 0b111111
        mask >>= 6
    return found


def of_case(bits: int) -> int:
    """The cells of all cases for gender and number bits of `uncased`."""
    return sum(bits << 6 * i for i in range(len(CASES)))
