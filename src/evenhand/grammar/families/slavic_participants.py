"""The speaker and the listener in the Slavic languages: the past tense agrees with its subject.

Where an auxiliary or the ending shows the person (Polish, Czech), the past tense beside it is the person's. Elsewhere
(Russian, Ukrainian) the subject has to be found: the pronoun or nominative noun of the clause; where there is none,
that of the clause before ("Я пришла и легла"). A clause that has "me" as an object is about somebody else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from evenhand.grammar.families.agreement import INSTRUMENTAL, NOMINATIVE, union
from evenhand.grammar.families.morphology import Analysis, adjectives, nouns
from evenhand.grammar.lexicon import Column
from evenhand.grammar.participants import CARRIED, END, NOUN, REACH, SHOWN, STEM, SURE, Participant
from evenhand.grammar.protocol import FEMININE, MASCULINE, SINGULAR, Token, cells
from evenhand.grammar.protocol import shows_one_gender as shows
from evenhand.grammar.sentence import Said
from evenhand.remembered import remembered

if TYPE_CHECKING:
    from evenhand.grammar.base import Language
    from evenhand.grammar.families.slavic import Slavic

ACCUSATIVE = cells(cases="a") & SINGULAR
SUBJECT = NOMINATIVE & SINGULAR
PREDICATE = (NOMINATIVE | INSTRUMENTAL) & SINGULAR
PERSONS = (FEMININE | MASCULINE) & SINGULAR
VERBS = frozenset({"past", "verb", "short"})


class Form(NamedTuple):
    """What a word can be; numbers are cells."""

    finite: int = 0  # a past tense or short adjective that shows one gender
    person: str = ""  # 1, 2, 3 of a verb that shows it
    said: int = 0  # an adjective in a case of the predicate
    noun: int = 0
    nominative: int = 0  # of a noun that may be a subject
    others: bool = False  # a verb that cannot be the person's
    objectless: bool = False  # a verb without an object
    link: bool = False
    reflexive: bool = False  # links with "myself" only
    weak: bool = False  # more likely something else than a verb


class Turn(NamedTuple):
    """Whose the last subject was (None: nobody named yet), and the other's cells."""

    mine: bool | None = None
    theirs: int = 0


class Here:
    """A clause being read: tokens[first:last] and their forms."""

    def __init__(self, reader: SlavicParticipant, tokens: Sequence[Token], first: int, last: int) -> None:
        self.reader, self.tokens, self.first, self.last = reader, tokens, first, last
        self.forms = [reader.form(token.low) for token in tokens[first:last]]
        self.lows = {token.low for token in tokens[first:last]}

    def __iter__(self) -> Iterator[tuple[int, Form]]:
        return enumerate(self.forms, start=self.first)

    def low(self, at: int) -> str:
        return self.tokens[at].low if 0 <= at < len(self.tokens) else "."

    def has(self, role: str) -> bool:
        """True where a word of the role for this person is in the clause."""
        return not self.lows.isdisjoint(self.reader.of(role))


class SlavicParticipant(Participant):
    """Verbs clause by clause, then adjectives and nouns said of the person in its clauses."""

    language: Slavic

    def __init__(self, language: Language, person: str) -> None:
        super().__init__(language, person)
        self.split = bool(self.of("auxiliary"))  # the verb or its auxiliary shows the person
        self.form = remembered(self._listed_form if self.split else self._read_form, mebibytes=16)

    # -- words

    def joins(self, low: str) -> bool:
        kind = self.language.kind(low)
        relative = kind == "relative" and low in self.others("subject")
        return relative or (kind == "conjunction" and low not in self.of("passed"))

    def preposition(self, low: str) -> bool:
        return self.language.kind(low) == "preposition"

    def _passed(self, low: str) -> bool:
        if low in self.gendered("such"):
            return False
        particle = not self.split and (self.language.kind(low) == "other" or self.language.adverb(low))
        adverb = len(low) > STEM and self.ends(low, "adverb_ending")
        return particle or adverb or any(low in self.of(role) for role in PASSED)

    def _adjective(self, low: str) -> int:
        """By its longest ending, where there is no dictionary."""
        listed = self.gendered("agreeing").get(low, 0)
        end = self.ending(low, "adjective_ending")
        soft = self.ends(low, "not_adjective_ending") and len(end) < STEM  # but głupia
        man = low.endswith("a") and self.columns(low) == Column.MALE  # jako przyjaciela
        if listed or soft or man or len(low) < STEM or self.language.kind(low):
            return listed & SUBJECT
        return self.gendered("adjective_ending").get(end, 0) & SUBJECT

    def _listed_form(self, low: str) -> Form:
        """By the tables: endings of the past tense with or without person, of the present, of adjectives."""
        link, modal = low in self.of("link"), self.gendered("modal").get(low, 0)
        served = next((self.served[role][low] for role in LISTED if low in self.served.get(role, ())), "")
        end, closed = self.ending(low, "past"), self.language.kind(low)
        if modal or not end or closed or self.language.no_past(low) or self.ends(low, "not_past_ending"):
            weak = not served and self.ends(low, "ending") and not closed and not self.passed(low)
            return Form(modal, self.person if weak else served, self.cells(low), link=link, weak=weak)
        past, person = self.gendered("past")[end] & SUBJECT, self.served["past"][end] or served
        return Form(past, person, self.cells(low), link=link)

    def _read_form(self, low: str) -> Form:
        """By the dictionary's readings."""
        readings, function = self.language.readings(low), self.language.kind(low) is not None
        finite = 0 if function else self._finite(low)
        named = [] if function or self.language.determiner(low) else nouns(readings, known=bool(finite))
        if low in self.of("predicate"):  # Ukrainian повинна, рада: what Russian has as short adjectives
            finite, named = union(adjectives(readings)) & SUBJECT & PERSONS, []
        first = bool(named) and readings[0].part == "noun" and readings[0].known
        verbs = [a for a in readings if a.part in VERBS]
        weak = (self.language.no_past(low) or first) and low not in self.of("verb")
        said = 0 if function else self._case(low, named)
        return self._verb_form(low, verbs, Form(finite, noun=union(named), said=said, weak=weak), first=first)

    def _verb_form(self, low: str, verbs: list[Analysis], form: Form, *, first: bool) -> Form:
        """What the readings as a verb add; `first`: the word is a noun first of all."""
        past, lemmas = any(a.part == "past" for a in verbs), {low, *(a.lemma for a in verbs)}
        nominative = form.noun & SUBJECT if first or not past else 0
        person = "" if nominative else next((a.person for a in verbs if a.person), "")
        others = person not in {"", self.person} or (past and not form.finite and not nominative)
        return form._replace(
            person=person,
            nominative=nominative,
            others=others or low in self.others("finite"),
            objectless=any(a.objectless or a.part == "short" for a in verbs),
            link=not lemmas.isdisjoint(self.of("link")),
            reflexive=not lemmas.isdisjoint(self.of("link_self")),
        )

    def _finite(self, low: str) -> int:
        """Cells of a past tense or short adjective where they show one gender."""
        readings = self.language.readings(low)
        past = union(a for a in readings if a.part == "past" and (a.known or self.ends(low, "past")))
        shown = (past | union(a for a in readings if a.part == "short" and a.known)) & PERSONS
        return shown if shows(shown) else 0

    def _case(self, low: str, named: list[Analysis]) -> int:
        """Cells as an adjective; not of a pronoun that agrees with a noun, nor of людина, главой."""
        readings, known = self.language.readings(low), any(a.known for a in named)
        pronoun = self.language.determiner(low) and low not in self.of("agreeing")
        noun = known and self.language.ranked and readings[0].part == "noun"
        if pronoun or noun or (self.ends(low, "possessive_ending") and any(a.animate for a in named)):
            return 0
        return union(adjectives(readings, known=known)) & PREDICATE

    # -- the text

    def links(self, tokens: Sequence[Token]) -> tuple[Said, ...]:
        found: dict[int, Said] = {}
        turn, before = Turn(), list[Said]()
        for here in self._clauses(tokens):
            said, owner, turn = self._by_auxiliary(here, turn) if self.split else self._by_subject(here, turn)
            said += before if turn.mine else []
            before = self._before_subject(here) if not here.first else []
            if self._speaks(here, owner):
                said += self._predicates(here, owner=owner)
            for one in (*said, *self._of_object(here, owner=owner), *self._beside(here)):
                found.setdefault(one.at, one)
        return tuple(sorted(found.values()))

    def _before_subject(self, here: Here) -> list[Said]:
        """ "Облечена в броня, се осмелих": a clause without a verb, said of the subject of the next."""
        said, verb = self.form(here.low(0)).said, any(form.finite or form.person for form in here.forms)
        opens = not verb and shows(said) and self.split and self.preposition(here.low(1)) and here.low(here.last) == ","
        return [Said(0, "participle", said, CARRIED)] if opens else []

    def _of_object(self, here: Here, *, owner: bool | None) -> list[Said]:
        """ "Той ме направи нещастна", "смятам се за срамежлива": behind a verb that says it of its object."""
        clitics = self.of("clitic") | (self.of("reflexive") if owner else frozenset())
        makes = [i for i, _ in here if here.low(i).startswith(self._ends.get("makes", ("-",)))]
        at = next((max(i, k) + 1 for i in makes for k in (i - 1, i + 1) if here.low(k) in clitics), None)
        if at is None:
            return []
        said = self._complement_of(here, at + (here.low(at) in self.of("for")), SUBJECT)
        return [one._replace(sure=CARRIED) for one in said]

    def _beside(self, here: Here) -> list[Said]:
        """ "От малка ми казаха", "Мне пришлось идти одной": in a clause that has the person in mind."""
        for i, _ in here if here.has("to") else ():
            aged = self.gendered("age").get(here.low(i), 0) if here.low(i - 1) in self.of("since") else 0
            shown = aged or (0 if self._governed(here, i) else self.gendered("alone_to").get(here.low(i), 0))
            if shown and self._head(here, i, shown) is None:
                return [Said(i, "predicate", shown & SINGULAR, CARRIED)]
        return []

    def _clauses(self, tokens: Sequence[Token]) -> Iterator[Here]:
        """Cut at marks and at words that join; a relative pronoun opens its clause and is its subject."""
        first = 0
        for i, token in enumerate((*tokens, END)):
            if not token.low[0].isalnum() or self.joins(token.low):
                if i > first:
                    yield Here(self, tokens, first, i)
                first = i if token.low in self.others("subject") else i + 1

    def _speaks(self, here: Here, owner: bool | None) -> bool:
        """The clause is the person's, or has it in mind: "Мне важно быть сильной"."""
        if self.split or owner:
            return bool(owner)
        if here.has("oblique"):
            return here.has("link")
        return owner is None and not any(form.others for form in here.forms)

    # -- verbs that show the person, themselves or by an auxiliary

    def _by_auxiliary(self, here: Here, turn: Turn) -> tuple[list[Said], bool | None, Turn]:
        """A past tense with the person's ending, or the nearest one to the person's auxiliary or pronoun."""
        own = [i for i, form in here if form.finite and form.person == self.person]
        marker = next((i for i, _ in here if here.low(i) in self.of("auxiliary") | self.of("subject")), None)
        plain = [i for i, form in here if form.finite and not form.person]
        if marker is not None:
            own += sorted(plain or self._further(here), key=lambda i: abs(i - marker))[:1]
        elif here.has("shared"):
            own += [i for i in plain[:1] if not self._of_other(here, i, turn)]
        mine = bool(own) or self._shows_person(here, turn)
        verbs = (form for i, form in here if here.low(i) not in self.of("own"))
        kept = turn.mine and not any(form.finite or form.person for form in verbs)  # "силата си, решена да"
        theirs = self.form(here.low(plain[0])).finite if plain and not own else turn.theirs
        sure = CARRIED if marker is None and here.has("shared") else SURE
        found = [Said(i, "predicate", self.form(here.low(i)).finite, sure) for i in own]
        return found, mine, Turn(mine or kept, theirs)

    def _of_other(self, here: Here, verb: int, turn: Turn) -> bool:
        """Beside an auxiliary of all persons ("bi"): another subject is named, or the one before goes on."""
        finite = self.form(here.low(verb)).finite
        if finite & turn.theirs or not here.lows.isdisjoint(self.others("subject") | self.others("auxiliary")):
            return True
        return any(
            union(nouns(self.language.readings(here.low(i)))) & finite
            for i in range(here.first, verb)
            if not (self._governed(here, i) or self.passed(here.low(i)) or self.language.kind(here.low(i)))
            and here.low(i) not in self.gendered("agreeing")
        )

    def _shows_person(self, here: Here, turn: Turn) -> bool:
        """A verb shows the person, or the clause is joined to one that does."""
        opens = here.low(here.first)
        other = opens in self.others("subject") and not self.joins(opens)  # той отиде сам; вечери, които прекарвам
        forms = [form for form in here.forms if not (form.weak and other)]
        shown = {form.person for form in forms} - {""}
        persons = self.person in shown or (opens in self.of("subject") and not shown)
        joined = self.joins(here.low(here.first - 1)) and here.low(here.first - 2)[0].isalnum()
        joined = joined and here.lows.isdisjoint(self.others("auxiliary"))
        detached = here.low(here.first) in self.of("detached")  # "..., убедена, че"
        return bool(persons or (turn.mine and (detached or joined)))

    def _further(self, here: Here) -> list[int]:
        """ "jsem s mámou a tátou trávil čas": the conjunction joins nouns, and the verb is behind them."""
        for i in range(here.last, len(here.tokens)):
            low, form = here.low(i), self.form(here.low(i))
            subordinate = self.joins(low) and "joining" not in self.language.form(low).roles
            if not low[0].isalnum() or subordinate or low in self.others("subject") or form.person == self.person:
                break
            if form.finite and not form.person:
                return [i]
        return []

    # -- verbs that show gender only: the subject of the clause

    def _by_subject(self, here: Here, turn: Turn) -> tuple[list[Said], bool | None, Turn]:
        """Every past tense or short adjective with its subject: the person, another (whose cells are remembered), or
        nobody in this clause; then it goes on with the clause before."""
        found: list[Said] = []
        owner: bool | None = None
        theirs = turn.theirs
        for i in self._pasts(here):
            finite = self.form(here.low(i)).finite
            owner, shown = self._owner(here, i)
            sure = CARRIED if owner is None else SURE
            if owner is None:
                free = not finite & theirs and (turn.mine is None or bool(theirs))
                owner = (turn.mine or free) and not here.has("oblique")
            found += [Said(i, "predicate", finite, sure)] if owner else []
            theirs = shown or theirs
        return found, *self._turn(here, owner, Turn(turn.mine, theirs))

    def _turn(self, here: Here, owner: bool | None, turn: Turn) -> tuple[bool | None, Turn]:
        """Whose the clause is, and what stays for the next one."""
        owner = self._by_person(here) if owner is None else owner
        if owner is None and turn.mine is None:  # "Пот, стекающий по лицу, был ...": the verb is still to come
            waiting = (form.nominative for i, form in here if form.nominative and not self._governed(here, i))
            return None, Turn(None, next(waiting, turn.theirs))
        relative = here.low(here.first) in self.of("relative")
        return owner, turn if owner is None or relative else Turn(owner, turn.theirs)

    def _pasts(self, here: Here) -> list[int]:
        """Where verbs are. A form that is more likely a noun (пол) counts beside "я" where there is no other."""
        places = [i for i, form in here if form.finite and not self._governed(here, i)]
        sure = [i for i in places if not self.form(here.low(i)).weak]
        return sure or (places if here.has("subject") and not any(form.person for form in here.forms) else [])

    def _owner(self, here: Here, verb: int) -> tuple[bool | None, int]:
        """Whether the person is the subject of this verb: True, False (then with the other's cells), or None where the
        clause names no subject."""
        form = self.form(here.low(verb))
        named = self.of("subject") | self.others("subject")
        if form.link and not here.has("subject"):
            named |= self.of("either")  # "это была ошибка", but "я это сделала"
        pronouns = [i for i, _ in here if here.low(i) in named]
        if pronouns:
            nearest = max((i for i in pronouns if i < verb), default=pronouns[0])
            own = here.low(nearest) in self.of("subject")
            return own, 0 if own else form.finite
        agreeing = next((self.form(here.low(i)).nominative & form.finite for i in self._subjects(here, verb, form)), 0)
        return (False, agreeing) if agreeing else (None, 0)

    def _subjects(self, here: Here, verb: int, form: Form) -> Iterator[int]:
        """The nouns that may be the subject of the verb: nominatives that agree and are no object."""
        first = self.language.ranked and self.joins(here.low(here.first - 1))  # an object may come first
        for i, other in here:
            object_ = not form.objectless and not form.link and (i > verb or first) and other.noun & ACCUSATIVE
            if i == verb or object_ or not other.nominative & form.finite or here.low(i) in self.of("time"):
                continue
            if not self._governed(here, i):
                yield i

    def _governed(self, here: Here, i: int) -> bool:
        """True when a preposition comes before the noun, adjectives and determiners between them."""
        k = i - 1
        while self.language.modifier(here.low(k)) or self.language.determiner(here.low(k)):
            k -= 1
        return self.preposition(here.low(k))

    def _by_person(self, here: Here) -> bool | None:
        """The owner of a clause whose verb shows its person, or that names the person as its subject."""
        persons = {form.person for form in here.forms} - {""}
        if self.person in persons or here.has("subject"):
            return True
        return False if persons and not here.lows.isdisjoint(self.others("subject")) else None

    # -- what is said of the person

    def _predicates(self, here: Here, *, owner: bool | None) -> list[Said]:
        """Words like "rád" and "сама", and what follows a linking verb, "как" or, where to be is left out, "я"."""
        found: list[Said] = []
        sure = SURE if self.split or here.has("subject") else CARRIED
        for i, form in here:
            low = here.low(i)
            aged = self.gendered("age").get(low, 0) if here.low(i - 1) in self.of("since") else 0
            agreeing = (aged or self.gendered("agreeing").get(low, 0) or self._alone_too(here, i)) & SUBJECT
            attribute = low in self.of("before_noun") and self._head(here, i, agreeing) is not None
            if agreeing and not attribute and here.low(i - 1) not in self.of("itself"):
                found.append(Said(i, "predicate", agreeing, sure))
            elif self._links(here, i, form, owner=owner):
                case = PREDICATE if form.link or form.reflexive else SUBJECT
                found += self._fronted(here, i) or self._complement_of(here, i + 1, case)
            elif low in self.of("as"):
                found += self._said(here, i + 1, SUBJECT)
        if here.low(here.first - 1) in self.of("as"):
            found += self._said(here, here.first, SUBJECT)
        return found

    def _alone_too(self, here: Here, i: int) -> int:
        """ "sam" is alone, not am, beside another verb of the person."""
        shown = self.gendered("alone").get(here.low(i), 0)
        others = [form for k, form in here if k != i and not form.weak] if shown else []
        verb = any(form.person == self.person for form in others) and not any(form.finite for form in others)
        return shown if verb else 0

    def _fronted(self, here: Here, i: int) -> list[Said]:
        """ "Uvjerena sam", "takva sam": the predicate before a verb that does not come first."""
        if here.low(i) not in self.of("fronted"):
            return []
        such = self.gendered("such").get(here.low(i - 1), 0)
        if such:
            return [Said(i - 1, "pronoun", such, SURE)]
        said = self._complement_of(here, here.first, PREDICATE)
        return [one for one in said if one.at < i]

    def _links(self, here: Here, i: int, form: Form, *, owner: bool | None) -> bool:
        """A linking verb, or the pronoun without one; a verb that is nobody's is said of anybody ("главное — быть
        последовательным")."""
        low = here.low(i)
        if self.split:  # "dodržoval jsem": the auxiliary of another verb
            verbs = [here.low(k) for k, other in here if other.finite and low in self.of("auxiliary")]
            return form.link and all(verb.removeprefix("ne") in self.of("link_past") for verb in verbs)
        if low in self.of("subject"):
            return all(other.link or not (other.finite or other.person) for other in here.forms)
        owned = owner or here.has("oblique") or low in self.of("gerund")
        return bool(owned) if form.link else form.reflexive and here.has("self")

    def _complement_of(self, here: Here, first: int, case: int) -> list[Said]:
        """The adjective or noun; adverbs, and prepositions with their nouns, are passed over."""
        at: int | None = first
        while at is not None and at < min(first + REACH, here.last):
            low = here.low(at)
            such = self.gendered("such").get(low, 0)
            if such and at + 1 == here.last:
                return [Said(at, "pronoun", such, SURE)]  # "jestem taka", "я тот, кто"
            open_ = not such and not self.passed(low) and not self.preposition(low)
            if open_ and (said := self._said(here, at, case)):
                return said
            if open_ and self.split:
                belongs = self.language.modifier(low) or self.language.determiner(low)
                case = 0 if belongs else case  # what follows is the noun, or belongs to it
            at = self._next(here, at, case)
        return []

    def _next(self, here: Here, at: int, case: int) -> int | None:
        """The next word that may be the predicate; None where there is none: behind a noun, before another verb's
        predicate, and behind a preposition where endings do not show the case of what follows (Polish)."""
        low, form = here.low(at), self.form(here.low(at))
        if form.link and case == SUBJECT:
            return None
        if f"{low}_{here.low(at + 1)}" in self.of("phrase"):
            return at + 2
        with_ = self.preposition(low) and bool(self.language.determiner(here.low(at + 1)))  # "se svým přítelem"
        if (self.passed(low) and not with_) or low in self.gendered("such") or not case:
            return at + 1
        if self.preposition(low):
            hidden = self.of("object") and here.low(at + 1) not in self.of("object")
            return None if hidden else self._past_phrase(here, at + 1) + 1
        return None if form.noun or self.of("object") else at + 1

    def _past_phrase(self, here: Here, at: int) -> int:
        """The noun that a preposition governs, or the determiner before a predicate: "jsem na tom závislý"."""
        while self.language.determiner(here.low(at)) and not self.form(here.low(at + 1)).said & NOMINATIVE:
            at += 1
        return at

    def _said(self, here: Here, i: int, case: int) -> list[Said]:
        """An adjective without a noun in a case of the predicate (the instrumental before the nominative), or a noun
        for a person."""
        form, at = self.form(here.low(i)), i
        name = here.tokens[i].text[0].isupper() and here.low(i - 1)[0].isalnum()  # "Nisam vidio Toma"
        if form.said and not name and not self.language.determiner(here.low(i)):
            shown = form.said & case & INSTRUMENTAL or form.said & case
            noun = self._head(here, i, form.said)
            if noun is None and shows(shown):
                return [Said(i, "predicate", shown, SURE if self.split else SHOWN)]  # a verb goes first
            at = i if noun is None else noun
        predicative = at < here.last and (self.split or self.form(here.low(at)).noun & PREDICATE)
        if self.language.has_case and self.split:  # "brát Tomovu sestru"
            predicative = predicative and bool(self.language.noun(here.low(at)).cells & PREDICATE)
        gender = self.noun(here.tokens[at].text) if predicative else 0
        return [Said(at, "apposition", gender, NOUN)] if gender else []

    def _head(self, here: Here, i: int, own: int) -> int | None:
        """The noun that an adjective at i belongs to: the next word but adjectives, where it agrees."""
        for k in range(i + 1, min(i + 4, here.last)):
            low, form = here.low(k), self.form(here.low(k))
            closed = self.language.kind(low) or self.language.determiner(low) or self.ends(low, "no_noun_ending")
            if closed or form.finite or (form.person and not form.weak) or self.passed(low):
                return None
            last = self.split and k + 1 == here.last
            if (last or not form.said) and union(nouns(self.language.readings(low))) & own:
                return k
            if not form.said and not self.language.modifier(low):
                return None
        return None


PASSED = ("passed", "subject", "auxiliary")
LISTED = ("auxiliary", "link", "finite", "modal")
