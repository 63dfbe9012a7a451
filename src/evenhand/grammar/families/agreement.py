"""Which words agree with a noun of a Slavic language, clause by clause.

A clause ends at punctuation and before a conjunction. Its subject is the nominative that agrees with its verb; a clause
without one continues the main clause's. A clause with который belongs to the nearest noun before it that agrees. A
masculine noun may name a woman: predicate, relative pronoun and participle are then feminine (врач сказала).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from evenhand.grammar.families.morphology import Analysis, adjectives, nouns, persons
from evenhand.grammar.protocol import (
    ANY,
    CASES,
    FEMININE,
    MASCULINE,
    NEUTER,
    PLURAL,
    SINGULAR,
    Phrase,
    Token,
    cells,
    open_gender,
)
from evenhand.grammar.sentence import Link, LinkKind

if TYPE_CHECKING:
    from evenhand.grammar.families.slavic import Slavic

NOMINATIVE, GENITIVE, ACCUSATIVE, INSTRUMENTAL = (cells(cases=case) for case in "ngai")
FEMININE_NOMINATIVE = cells("f", "s", "nv")
DASHES = frozenset("—–-")
CLAUSE_END = frozenset(".;:!?…()—–")
ENDS = CLAUSE_END | {",", "-", "«", "»"}
END = frozenset({"end"})
OPENS = 3  # a relative pronoun is among the first words of its clause: "с помощью которого"
EMBEDDED = 5  # words back from a noun to the preposition that depends on its participle
FAR = 12  # words between a noun and its relative pronoun
NEAR = 3  # the same where endings alone are known
RESUMES = 4  # words from a relative pronoun that is not declined to the pronoun that says its case
OBLIQUE = frozenset("уюыиіеё")  # last letters that a nominative singular of a person hardly has
RANKS = {"relative": 0, "participle": 0, "predicate": 1, "apposition": 2}


class Form(NamedTuple):
    """What a word form can be in a clause; numbers are cells."""

    low: str = "."
    kind: str | None = None  # of a function word
    roles: frozenset[str] = END  # closed classes; "end": punctuation that ends a clause
    shown: int = 0  # past tense or short adjective
    verb: int = 0  # finite verb or short adjective
    declined: int = 0  # adjective, participle, pronoun beside a noun
    participle: int = 0
    noun: int = 0  # first of all a noun
    animate: bool = False
    intransitive: bool = False  # a verb that the dictionary gives no object
    being: bool = False  # to be, become, seem
    of_woman: bool = False  # may agree with one woman, or name women


class Clause(NamedTuple):
    """tokens[start:end]; `ours`: cells of the person where it is the subject, else 0; `named`: it is named there."""

    start: int
    end: int
    ours: int
    named: bool


class Bound(NamedTuple):
    """A word outside the phrase that agrees with its noun."""

    at: int
    kind: LinkKind
    cells: int
    sure: float


class Text:
    """The words of a sentence with what each can be; forms[-1] and the one behind the last are no words."""

    def __init__(self, language: Slavic, tokens: list[Token]) -> None:
        self.language, self.tokens = language, tokens
        self.forms = [*[language.form(token.low) for token in tokens], Form()]

    def cut(self) -> tuple[range, ...]:
        """The clauses."""
        start, found = 0, []
        for at, form in enumerate(self.forms):
            if "end" in form.roles:
                found.append(range(start, at))
                start = at + 1
            elif "opening" in form.roles:  # devojka s kojom: a clause without a comma before it
                first = at - 1 if self.preposition(at - 1) else at
                found.append(range(start, first))
                start = first
            elif form.kind == "conjunction" and not self._even(at):
                found.append(range(start, at))
                start = at
        return tuple(filter(None, found))

    def clause(self, at: int) -> range:
        """The clause that a word belongs to; empty for punctuation."""
        return next((inside for inside in self.cut() if at in inside), range(at, at))

    def _even(self, at: int) -> bool:
        """Words of conjunctions that begin no clause: "так и не нашла", "в то время", "Согласилась и наш командир"."""
        forms = self.forms
        if "adverb" in forms[at].roles or self.preposition(at - 1):
            return True
        if "joining" not in forms[at].roles or at + 2 >= len(self.tokens):
            return False
        if forms[at - 1].shown:
            return self.verb(range(at, self._end(at))) is None
        return bool(forms[at + 2].verb) and forms[at + 1].kind == "other"

    def _end(self, at: int) -> int:
        """The next punctuation that ends a clause."""
        return next(i for i in range(at, len(self.forms)) if "end" in self.forms[i].roles)

    def verb(self, inside: range) -> int | None:
        """The place of the first verb."""
        return next((i for i in inside if self.forms[i].verb), None)

    def preposition(self, at: int) -> bool:
        return self.forms[at].kind == "preposition"

    def governed(self, at: int) -> bool:
        """After a preposition, over adjectives: в наш класс; not "в среднем украинец"."""
        before, own = at - 1, self.forms[at].noun or self.forms[at].declined or ANY
        while self.forms[before].declined & own:
            before -= 1
        return self.preposition(before)

    def becomes(self, start: int, at: int) -> bool:
        """A form of to be, become, seem shortly before."""
        return any(self.forms[i].being for i in range(max(start, at - 5), at))

    def of_noun(self, at: int) -> bool:
        """An adjective of a noun that follows it."""
        mask, language = self.forms[at].declined, self.language
        for form in self.forms[at + 1 : at + 4]:
            if "reflexive" in form.roles:
                continue  # uczący się cudzoziemiec
            readings = () if form.kind or form.shown else language.readings(form.low)
            if union(nouns(readings, known=language.dictionary)) & mask:
                return True
            if not form.declined & mask:
                return False
        return False

    # -- subjects

    def rival(self, inside: range, head: int) -> bool:
        """Another subject than the noun at `head`: a pronoun, a person, or a thing before the verb that agrees with it.
        A noun before its verb yields to pronouns alone, one after it to what is nearer."""
        verb = self.verb(inside)
        end = inside.stop if verb is None else verb
        if any("subject" in self.forms[i].roles for i in inside if i != head):
            return True
        reach = inside if head not in inside else range(inside.start, head if head > end else inside.start)
        return any(self._nominative(i, verb, before=i < end) for i in reach)

    def _nominative(self, at: int, verb: int | None, *, before: bool) -> bool:
        """A word that can be the subject of the verb, before or behind it; a thing behind it is rather its object."""
        form = self.forms[at]
        other = self.forms[verb] if verb is not None else Form(verb=ANY)
        if before and "it" in form.roles:
            return bool(other.verb & NEUTER)  # not: to je naredil zdravnik
        if not form.noun & NOMINATIVE or not (before or form.animate or other.intransitive):
            return False
        sure = form.animate and self.language.dictionary
        agrees = sure or uncased(twinned(form.noun & NOMINATIVE)) & uncased(other.verb)
        return bool(agrees) and not self.governed(at)

    def subject(self, phrase: Phrase) -> bool:
        """True when the phrase can only be a subject: nominative, no preposition, number or comparison before it. A
        coined word before the verb of its clause is one, whatever case its ending looks like (оклер)."""
        low = self.forms[phrase.head].low
        if phrase.head + 1 == phrase.last and low[-1] not in OBLIQUE and self.language.coined(low):
            return self.place(phrase.head) == NOMINATIVE
        if self._no_subject_after(phrase.first) or self._title(phrase.first):
            return False
        low = self.tokens[self.language.noun_at(self.tokens, phrase.head, phrase.last)].low
        cases = self.language.cases(low)
        if cases and not cases & (GENITIVE | ACCUSATIVE if cases & NOMINATIVE & phrase.cells else 0):
            return bool(cases & NOMINATIVE & phrase.cells)
        if cases & GENITIVE and self.forms[phrase.first - 1].noun:
            return False  # перепись населения
        return self._opens(phrase.first, low)

    def _no_subject_after(self, first: int) -> bool:
        """A preposition, number or comparison before the phrase: "20 человек", "как и сестра"."""
        before = self.forms[first - 1]
        if before.kind == "preposition" or before.low.isdigit():
            return True
        roles = self.forms[first - 2].roles if "joining" in before.roles and first > 1 else before.roles
        if "like" in roles:  # but "я видел, как ученик ушёл"
            return self.verb(range(first, self._end(first))) is None
        return "quantity" in roles

    def _title(self, at: int) -> bool:
        """The name of a thing before it: в фильме "Офицер", газета «Вестник»."""
        before = at - 1
        while before > 0 and not self.forms[before].low[0].isalnum() and self.forms[before].low not in ENDS - {"«"}:
            before -= 1
        form = self.forms[before]
        return self.tokens[at].text[0].isupper() and bool(form.noun) and not form.animate

    def _opens(self, first: int, low: str) -> bool:
        """No verb that may have an object comes before in the clause; so a form that does not show its case (портье,
        CEO, дочь) is a subject."""
        for form in reversed(self.forms[:first]):
            if "end" in form.roles or form.kind == "conjunction":
                break
            if form.verb:
                sure = form.intransitive or (form.shown and not self.language.dictionary)  # kazala je članica
                return bool(sure and uncased(form.verb) & uncased(union(self.language.readings(low)) & NOMINATIVE))
        return True

    def place(self, at: int) -> int:
        """The cases that a noun can have there: none but the nominative before the verb of its clause, any other after
        a preposition or after a verb whose subject comes before it or which has none (a plural)."""
        if self.preposition(at - 1):
            return ANY & ~NOMINATIVE
        start = self.clause(at).start
        verb = self.verb(range(at - 1, start - 1, -1))
        if verb is None:
            return NOMINATIVE
        shown = self.forms[verb].shown
        taken = (shown and not shown & SINGULAR) or self.rival(range(start, verb), at)
        return ANY & ~NOMINATIVE if taken else ANY


class Chain(Text):
    """A noun and what agrees with it. `own` are the cells it can have, `wide` also those of a woman by a man's noun;
    `end` is behind the names that follow it (сестра Светка)."""

    def __init__(
        self,
        language: Slavic,
        tokens: list[Token],
        phrase: Phrase,
        *,
        nominative: bool = False,
        resumed: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(language, tokens)
        self.phrase, self.head, self.nominative, self.resumed = phrase, phrase.head, nominative, resumed
        self.own = self._own()
        self.wide = twinned(self.own)
        self.end = self._named(phrase.last)
        self.found: list[Bound] = []
        self.beside_it: set[int] = set()  # words of clauses in which the person is an argument of the verb
        # cells of subjects: the main clause's, a verbless relative's, the last
        self.main = self.waiting = self.last = 0

    def _own(self) -> int:
        """The noun's cells that the phrase leaves."""
        language, mask = self.language, self.phrase.cells
        low = self.tokens[language.noun_at(self.tokens, self.head, self.phrase.last)].low
        readings = tuple(a for a in language.readings(low) if not a.name)
        chosen = persons(readings, known=True)
        if not union(chosen) & mask:
            known = self.language.dictionary
            chosen = nouns(readings, known=True) if known else nouns(self.language.analyser.analyse(low))
            chosen = chosen or persons(readings)  # реакционную политику
        own = union(chosen or nouns(readings) or adjectives(readings))
        return (own & mask) or own or mask

    def _named(self, end: int) -> int:
        """The end of the phrase with the names that follow it: "сестра Светка", "студента П. Н. Рыбникова"."""
        for token, form in zip(self.tokens[end:], self.forms[end:], strict=False):
            initial = token.text == "." and len(self.tokens[end - 1].text) == 1
            if not initial and (not token.text[0].isupper() or form.kind):
                break
            end += 1
        return end

    def apposed(self) -> bool:
        """A noun after a comma that says who the one before it is: Голдстоун, еврей по национальности, который."""
        at = self.phrase.first - 2
        if at < 0 or self.forms[at + 1].low != ",":
            return False
        return self.tokens[at].text[0].isupper() or bool(self.forms[at].noun & self.own)

    # -- the phrase

    def beside(self) -> Iterator[Link]:
        """Determiners, adjectives and participles of the phrase, and adjectives right after the noun."""
        low = self.forms[self.head].low
        readings = self.language.readings(low)
        itself = any(a.lemma == low for a in adjectives(readings))
        listed = any(not open_gender(a.cells) for a in nouns(readings, known=True))
        if itself and not listed and self.of_noun(self.head):
            return  # určené účetní jednotkou: itself the adjective of a noun
        for i in range(self.phrase.first, self.phrase.last):
            named = i and self.tokens[i].text[0].isupper() and not self.language.dictionary  # Seb Bytyci
            if i != self.head and self.forms[i].declined & self.wide and not named:
                yield self._link(i, 0.97)
        i = self.phrase.last
        while self._follows(i):
            yield self._link(i, 0.9)
            i += 1
        embedded = self._embedded()
        if self.forms[embedded].participle & self.wide:
            yield self._link(embedded, 0.9)

    def _link(self, at: int, sure: float) -> Link:
        form = self.forms[at]
        kind: LinkKind = "participle" if form.participle else "adjective"
        return Link(at, "determiner" if self.language.determiner(form.low) else kind, sure)

    def _follows(self, at: int) -> bool:
        """An adjective after its noun: no predicate, no name, and none of a noun that follows it."""
        form = self.forms[at]
        if not form.declined & self.wide or form.verb or form.kind or not self.language.dictionary:
            return False  # ministar pravosuđa: where endings alone are known, a genitive looks like an adjective
        return self.tokens[at].text.islower() and not self.of_noun(at)

    def _embedded(self) -> int:
        """The place before the preposition that depends on a participle: присланные из Кизляра образцы; -1 for none. A
        comma before it gives it to the noun before: тренда, связанного с культом президента."""
        first = self.phrase.first
        for i in range(first - 1, first if self.language.continues_subject else max(0, first - EMBEDDED), -1):
            if "end" in self.forms[i].roles:
                break
            if self.preposition(i):
                return -1 if self.forms[i - 2].low == "," else i - 1
        return -1

    # -- clauses

    def bound(self) -> list[Bound]:
        """Words outside the phrase: relative pronouns and participles, predicates, nouns said of the person."""
        clauses = list(self._settled())
        self.found += self._predicates(clauses)
        if any(clause.named and clause.ours for clause in clauses):
            self.found += self._equated()
        return self.found

    def _settled(self) -> Iterator[Clause]:
        """The clauses, and whether the person is their subject; relative pronouns and participles go into `found`."""
        for inside in self.cut():
            start, named, bound = inside.start, self.head in inside, len(self.found)
            self.last = self._as_subject(inside) if named else self._later(inside)
            relative = any(one.kind == "relative" for one in self.found[bound:])
            again = {i for i in inside if start > self.head and not relative and self.forms[i].low in self.resumed}
            if again:
                named, self.last = True, of_case(uncased(self.wide & SINGULAR))
                self.main = self.last
            if relative or again or (self._argument(inside) if self.head in inside else self._acts(inside)):
                self.beside_it |= {*inside} - again
            yield Clause(start, inside.stop, self.last, named)

    def _argument(self, inside: range) -> bool:
        """The noun depends on the verb; not дом учителя, мать учителя его любит."""
        owned = self.own & GENITIVE and self.phrase.first > inside.start and self.forms[self.phrase.first - 1].noun
        return bool(self.last) or not owned

    def _acts(self, inside: range) -> bool:
        """The person does what a further clause says, or what an infinitive or gerund without a subject says; not: что
        ему холодно, что его увидели."""
        verb = self.verb(inside)
        if verb is not None:
            return bool(uncased(self.forms[verb].verb) & uncased(self.last))
        tenseless = (a.infinitive for i in inside for a in self.language.readings(self.forms[i].low)[:1])
        return bool(self.last or self.main) and any(tenseless)  # чтобы помочь ему

    def _later(self, inside: range) -> int:
        """The person's cells where it is the subject of a clause after its own: cells of the main clause's subject, or
        of the relative pronoun, or of the clause to which a conjunction adds this one."""
        start, roles, verb = inside.start, self.forms[inside.start].roles, self.verb(inside)
        if start < self.head or self.forms[start - 1].low == "(":
            return 0
        relative = next((i for i in inside[:OPENS] if self.language.relative_pronoun(self.forms[i].low)), None)
        if relative is not None:
            mask = self._refers(relative, start)
            self.waiting = mask if verb is None else 0
            return mask
        if self._participle(start):
            return 0
        if self.rival(inside, self.head):
            self.main *= "subordinate" in roles
            return 0
        if self.waiting and verb is not None:
            mask, self.waiting = self.waiting, 0
            return mask  # которая, упав, умерла
        if "joining" in roles and "end" not in self.forms[start - 1].roles:
            return self.last  # взяла ручку и ушла
        return self.main if self._goes_on(inside) and "controlled" not in roles else 0

    def _goes_on(self, inside: range) -> bool:
        """A clause without a subject has that of the main clause."""
        shown = (self.forms[i].shown & self.main or self.forms[i].being for i in inside)
        return self.language.dictionary or (self.language.continues_subject and any(shown))

    def _as_subject(self, inside: range) -> int:
        """The person's cells where it is the subject of its clause."""
        own = of_case(uncased(self.wide & NOMINATIVE))
        if not (self.nominative or self.subject(self.phrase)) or self._said_of_another(inside):
            own = 0
        own = 0 if own and self.rival(inside, self.head) else own
        aside = "subordinate" in self.forms[inside.start].roles or self.forms[inside.start - 1].low == "("
        self.main = 0 if aside else own
        return own

    def _said_of_another(self, inside: range) -> bool:
        """Otto je bio trener: where the predicate is a nominative too, a noun behind to be says what the word before
        that verb names; not: da so igrači spremni, u gradu je bio trener."""
        being = next((i for i in range(inside.start, self.phrase.first) if self.forms[i].being), None)
        if being is None or self.language.dictionary:
            return False
        if any(self.forms[i].verb and not self.forms[i].being for i in inside):
            return False
        shown = next((form.shown for form in self.forms[inside.start : inside.stop] if form.shown), 0)
        return any(self._names_subject(i, of_case(uncased(shown)) & NOMINATIVE) for i in range(inside.start, being))

    def _names_subject(self, at: int, asked: int) -> bool:
        """A word of these cells, any where none are asked; not: naslednji dan so bili igralci obveščeni."""
        form = self.forms[at]
        fits = not asked or union(self.language.readings(form.low)) & asked
        return bool(fits) and form.kind in {None, "relative"} and not self.governed(at) and not self.of_noun(at)

    # -- relative pronouns and participles

    def _refers(self, at: int, start: int) -> int:
        """Adds a relative pronoun that means the person; its cells where the person is the subject of its clause."""
        mask = self.forms[at].declined or self._undeclined(at)
        if not self._antecedent(start, uncased(mask)):
            return 0
        mask &= of_case(uncased(self.wide))
        if self.forms[at].declined:
            self.found.append(Bound(at, "relative", mask, 0.95))
        return 0 if self.preposition(at - 1) else of_case(uncased(mask & NOMINATIVE))

    def _undeclined(self, at: int) -> int:
        """ "zdravnica, ki je prišla": a subject, unless a pronoun says what else it is (ki jih je videla)."""
        taken = any("resumptive" in form.roles for form in self.forms[at + 1 : at + RESUMES])
        return 0 if taken or "undeclined" not in self.forms[at].roles else NOMINATIVE

    def _participle(self, start: int) -> bool:
        """, сидящий у окна,: agrees with the noun before its comma in case, gender and number."""
        participle = self.forms[start].participle if self.forms[start - 1].low == "," else 0
        if participle & NOMINATIVE & MASCULINE:
            participle &= ~(ACCUSATIVE & MASCULINE)  # a thing's accusative: король вашего оппонента, находящийся там
        mask = participle & self.wide
        if mask and self._antecedent(start, uncased(mask)):
            self.found.append(Bound(start, "participle", mask, 0.93))
        return bool(participle)

    def _antecedent(self, start: int, mask: int) -> bool:
        """Whether the noun is the nearest before `start` that agrees in gender and number (`mask`). A woman by a man's
        noun: only right after it."""
        if start < self.end or not self._reaches(range(self.end, start), mask):
            return False
        if uncased(self.own) & mask:
            return True
        # петицию фермера, которая: of the noun on which this one depends
        owner = nouns(self.language.readings(self.forms[self.phrase.first - 1].low)) if self.own & GENITIVE else []
        return start - self.end < 2 and bool(uncased(self.wide) & mask) and not uncased(union(owner)) & mask

    def _reaches(self, inside: range, mask: int) -> bool:
        """Whether nothing between a noun and what refers to it is nearer: no noun that agrees, no verb, no pronoun at
        the end (в отличие от нас, которые)."""
        between = self.forms[inside.start : inside.stop - 1]
        if len(between) > (FAR if self.language.dictionary else NEAR):
            return False
        if any(form.verb or uncased(form.noun) & mask or form.low in CLAUSE_END - {"(", ")"} for form in between):
            return False
        return not any(a.pronominal for form in between[-1:] for a in self.language.readings(form.low)[:1])

    # -- predicates

    def _predicates(self, clauses: list[Clause]) -> Iterator[Bound]:
        """Past tenses, short forms and adjectives in the clauses of which the person is the subject. The first of them
        settles which gender the others have."""
        gender = ANY
        # the cases of the predicate adjectives before: строгим, но справедливым; a nominative where the noun waits for
        # its predicate: студентка, яка прийшла, рада
        said = NOMINATIVE if self.found and any(c.named and c.ours for c in clauses) else 0
        for clause, at in self._places(clauses):
            mask = clause.ours & gender
            shown = self._shown_of(clause, at) & mask
            if not shown and self.forms[at].declined & mask:
                # Where endings alone are known, a genitive looks feminine (suda): a verb makes a woman of a man's, or
                # a form that is a nominative only (spokojená).
                sure = self.language.dictionary or not self.language.has_case
                sure = sure or not self.forms[at].declined & ~FEMININE_NOMINATIVE
                fits = ANY if sure else of_case(uncased(self.own))
                shown = self._predicative(clause, at, said) & mask & fits
                said = shown or said
            if shown:
                yield Bound(at, "predicate", shown, 0.95 if clause.named else 0.9)
                gender = PLURAL | of_gender(shown)
            elif instrumental := self._said(clause, at):
                yield Bound(at, "apposition", instrumental, 0.8)

    def _places(self, clauses: list[Clause]) -> Iterator[tuple[Clause, int]]:
        """The words of the person's clauses but the phrase and names."""
        for clause in clauses:
            for at in range(clause.start, clause.end) if clause.ours else ():
                name = self.tokens[at].text[0].isupper() and at > clause.start
                if not name and not self.phrase.first <= at < self.phrase.last:
                    yield clause, at

    def _shown_of(self, clause: Clause, at: int) -> int:
        """Cells of a verb or short form of the clause; not where a nominative before or nearer to it agrees with it and
        the noun does not: газета "Вестник" подверглась."""
        shown = self.forms[at].shown or self._rarely_shown(clause, at)
        if not shown or (self.preposition(at - 1) and "reflexive" not in self.forms[at - 1].roles):
            return 0
        if self._only_short(clause, at):
            return 0  # nabídl nový plán
        if self.language.past_beside_auxiliary and not any(f.being for f in self.forms[clause.start : clause.end]):
            return 0  # ritual, plevela: no participle
        if shown & of_case(uncased(self.own & NOMINATIVE)):
            return shown
        others = (i for i in range(clause.start, clause.end) if self.forms[i].noun & NOMINATIVE & shown)
        return 0 if any(self._nearer(i, at) for i in others if i not in {at, self.head}) else shown

    def _only_short(self, clause: Clause, at: int) -> bool:
        """A short form by its ending alone, no past tense, without a verb of being before it."""
        if self.language.dictionary or self.becomes(clause.start, at):
            return False
        return {a.part for a in self.language.readings(self.forms[at].low)} & {"short", "past"} == {"short"}

    def _nearer(self, other: int, at: int) -> bool:
        """Whether a nominative is before a verb, or nearer to it than the noun and no accusative."""
        near = other < at or (other - at <= at - self.end and not self.forms[other].noun & ACCUSATIVE)
        return near and not self.governed(other)

    def _rarely_shown(self, clause: Clause, at: int) -> int:
        """Cells of a form that is a noun first of all (рада, прав; став) where the clause has no other verb, or one of
        being before it."""
        language, low = self.language, self.forms[at].low
        alone = self.verb(range(clause.start, clause.end)) in {at, None}
        parts = {"short"} if alone or self.becomes(clause.start, at) else set()
        if alone and (not language.ranked or language.starts(low, "being")):
            parts.add("past")
        return union(a for a in language.readings(low) if a.part in parts and a.known) if parts else 0

    def _predicative(self, clause: Clause, at: int, said: int) -> int:
        """Cells of an adjective that is said of the subject: after a linking verb, alone in a clause without a verb, or
        a feminine nominative that no noun follows (лікар повинна)."""
        form = self.forms[at]
        if self.of_noun(at) or self.governed(at):
            return 0
        if "alone" in form.roles:
            return 0 if self.preposition(at + 1) else form.declined & (NOMINATIVE | INSTRUMENTAL)  # один из них
        if self.language.determiner(form.low) or not self.language.attribute(form.low):
            return 0
        if self.becomes(clause.start, at):
            return form.declined & (NOMINATIVE | INSTRUMENTAL) if self._follows_being(at) else 0
        return self._beside_verb(clause, at, said)

    def _beside_verb(self, clause: Clause, at: int, said: int) -> int:
        """The same without to be. Without a dictionary, a verb of the present looks like an adjective (čita), and to be
        is not left out."""
        form, language = self.forms[at], self.language
        behind = self._joins(clause.start, at) or (clause.named and at > self.head)
        if self.verb(range(clause.start, clause.end)) is None:
            alike = self.becomes(0, at) and self.forms[at - 2].low[-1] == form.low[-1]  # je chytrá a pracovitá
            verb = form.low[-1] in "aá" and not alike
            sure = language.dictionary or (language.continues_subject and not verb)
            return form.declined & (said or NOMINATIVE * behind) if sure else 0
        known = adjectives(language.readings(form.low), known=True)
        return form.declined if behind and known and not form.verb and not form.declined & ~FEMININE_NOMINATIVE else 0

    def _follows_being(self, at: int) -> bool:
        """Where endings alone are known: right after the verb or an adverb, since a noun's case looks like an adjective
        ("je predsjednik suda")."""
        before = self.forms[at - 1]
        near = before.being or before.kind or before.shown or at == self.phrase.last  # so igralci navdušeni
        return bool(self.language.dictionary or self.language.continues_subject or near)

    def _joins(self, start: int, at: int) -> bool:
        """купила козу і дуже горда: what a conjunction adds to the predicate; not to an adjective before it."""
        before = self.forms[start - 1].declined & (NOMINATIVE | ACCUSATIVE)
        return "joining" in self.forms[start].roles and not before and not self.forms[at + 1].noun

    def _said(self, clause: Clause, at: int) -> int:
        """Cells of a noun that says what the person is: стал учителем, работает учителем."""
        cases = INSTRUMENTAL | (NOMINATIVE if self.language.continues_subject and at > self.head else 0)
        if not self.forms[at].noun & cases or not self.becomes(clause.start, at):
            return 0
        return union(persons(self.language.readings(self.forms[at].low), known=True)) & cases

    def _equated(self) -> list[Bound]:
        """ "Игроки — ваши соперницы", "Вундеркинд — моя младшая": the nominative after a dash that follows the noun."""
        dash = self._end(self.phrase.last)
        found: list[Bound] = []
        for i in range(dash + 1, min(dash + 5, len(self.tokens))) if self.forms[dash].low in DASHES else ():
            form, readings = self.forms[i], self.language.readings(self.forms[i].low)
            if nouns(readings, known=True) and not form.declined:
                mask = union(persons(readings, known=True)) & NOMINATIVE
                return [Bound(i, "apposition", mask, 0.8)] if mask else []
            if not form.declined & NOMINATIVE:
                break
            found = [Bound(i, "apposition", form.declined & NOMINATIVE, 0.8)]
        return found


def union(readings: Iterable[Analysis]) -> int:
    """The cells of any of the readings."""
    mask = 0
    for reading in readings:
        mask |= reading.cells
    return mask


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
