"""Which words of a Romance sentence agree with a person's noun.

The noun's own phrase; its relative clause; what is said of it as a subject (copulas, linking verbs, participles), in
further clauses too where they have no subject of their own; and pronouns that can mean nobody else. A language with
constructions of its own subclasses `Chain` in its folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from evenhand.grammar.lexicon import Column
from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Phrase, Predicate, Token
from evenhand.grammar.sentence import Link, LinkKind

if TYPE_CHECKING:
    from evenhand.grammar.families.romance import Romance

PERSON = Column.FEMALE | Column.MALE
OF_THE = frozenset({"des", "dei", "degli", "delle", "dos", "das", "dels"})
OBLIQUE = frozenset("cui quien quienes quem qui".split())
REFLEXIVE = frozenset("se s' s’ si es em et me m' m’ mi te t' t’ ti ci vi nos".split())
LITTLE = frozenset({"po'", "po", "poco", "peu", "pouco", "mica"})
STOPS = frozenset('.;:!?…()«»"“”—–')
QUOTES = frozenset('"«“”‘’»')
YEAR = re.compile(r"[12]\d{3}")
SURE: dict[LinkKind, float] = {
    "determiner": 0.98, "adjective": 0.96, "participle": 0.93, "predicate": 0.9, "relative": 0.9, "apposition": 0.8,
    "conjunct": 0.7, "pronoun": 0.7,
}  # fmt: skip
NEAR = 3  # words from a determiner to its noun
NOMINAL = 5  # words from a determiner to a noun in the predicate
RELATIVE = 6  # words from a relative pronoun to its verb


def told(cells: int) -> bool:
    """True when the cells show one of the two genders."""
    return bool(cells & FEMININE) != bool(cells & MASCULINE)


class Hints(NamedTuple):
    """What a source sentence says about the person: a pronoun takes the person up; its gender is the one that the noun
    shows; it says "alone"; it names others."""

    taken_up: bool = False
    same_gender: bool = False
    alone: bool = False
    others: bool = False


class Chain:
    """The words that agree with one noun: `marked` has their places, the noun's included. Every question about a word
    is about its token's index; beyond the sentence's ends there is a stop."""

    def __init__(
        self,
        language: Romance,
        tokens: list[Token],
        head: int,
        *,
        masculine: bool,
        plural: bool = False,
        heads: Iterable[int] = (),
        hints: Hints | None = None,
    ) -> None:
        """`plural`: what to assume where the sentence does not show the number; `heads`: all nouns for the person."""
        self.language, self.tokens, self.head = language, tokens, head
        self.masculine, self.heads, self.hints = masculine, frozenset(heads) | {head}, hints or Hints()
        self.cells, self.column = (MASCULINE, Column.MALE) if masculine else (FEMININE, Column.FEMALE)
        self.gendered = "masculine" if masculine else "feminine"  # what names of roles for one gender end in
        self.plural = self._plural(plural)
        self.marked, self.first, self.last = {head}, head, head + 1
        self.fixed: dict[int, str] = {}  # words whose other form is known already: pronouns
        self.opened = False  # a comma follows the noun, and no aside
        self.unclear: int | None = None  # a word that may be another noun's
        self.singular: set[int] = set()  # uno de los médicos fue elegido: what agrees with uno
        self.open_said: set[int] = set()  # what is said of the noun and shows no gender: es inteligente
        self.carried: set[int] = set()  # what further clauses say
        self._collect()

    def _collect(self) -> None:
        self.first = self._left()
        self.last = self._trailing(self.right(self.head + 1))
        self._inverted()
        end = self._asides(self.last)
        self.opened = end == self.last and self.low(end) == ","
        if self.singular:
            self._of_one(end)
            return
        self._clause(end)
        self._opening()
        self._alone(end)
        before = set(self.marked)
        subject = not (self.is_object() if self.language.drops_subjects else self.governed(self.first))
        resumed = self.language.drops_subjects and self.hints.taken_up
        if subject or (resumed and not self.rivals() and not self.contradicted()):
            self._carry(end)  # se burló de la profesora porque era mala
        self.carried = self.marked - before

    # -- classes of words

    def low(self, at: int) -> str:
        """The word, or a stop beyond the sentence's ends."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else "."

    def has(self, at: int, *roles: str) -> bool:
        """True when the word has one of these roles in classes.tsv."""
        held = self.language.roles_of(self.low(at))
        return bool(held) and not held.isdisjoint(roles)

    def determiner(self, at: int) -> int:
        return self.language.determiner(self.low(at))

    def adjective(self, at: int) -> int:
        return self.language.adjective(self.low(at))

    def joins(self, at: int) -> bool:
        """A word like and, or, but."""
        return self.has(at, "joins")

    def links(self, at: int) -> bool:
        """A verb after which an adjective is said of the subject."""
        return self.has(at, "copula", "linking")

    def perfect(self, at: int) -> bool:
        return self.has(at, "have")

    def kind(self, at: int) -> Kind:
        return self.language.noun(self.low(at)).kind

    def closes(self, at: int) -> bool:
        """Punctuation that ends a clause, a comma included."""
        low = self.low(at)
        return low == "," or low[0] in STOPS

    def ends(self, at: int) -> bool:
        """Nothing follows that an adjective before it could belong to."""
        return not self.low(at)[0].isalnum() or self.has(at, "joins", "preposition", "fused")

    def adverbial(self, at: int) -> bool:
        low = self.low(at)
        if low in {"un", "um", "una"} and self.low(at + 1) in LITTLE:
            return True
        return self.has(at, "adverb", "adverb_too") or low.endswith(("mente", "ment"))

    def past_adverbs(self, at: int) -> int:
        """The next place that has no adverb."""
        while self.adverbial(at):
            at += 1
        return at

    def back(self, at: int) -> int:
        """The nearest place before that has neither an adverb nor a negation."""
        while self.adverbial(at) or self.has(at, "negation"):
            at -= 1
        return at

    # -- gender and number

    @property
    def number(self) -> int:
        """Cells of the noun's number."""
        return PLURAL if self.plural else SINGULAR

    def _plural(self, source: bool) -> bool:
        """By the noun, else by its determiner, else by its ending, else as the source has it."""
        cells, token = self.language.noun(self.tokens[self.head].text).cells, self.tokens[self.head]
        if self.head and token.text.istitle() and not self.names(self.head) and not self.determiner(self.head - 1):
            return False  # a person's name
        if not self.language.open_number(token.low) and bool(cells & PLURAL) != bool(cells & SINGULAR):
            return bool(cells & PLURAL)
        for i in range(self.head - 1, max(self.head - 4, -1), -1):
            cells = self.determiner(i)
            if bool(cells & PLURAL) != bool(cells & SINGULAR):
                return bool(cells & PLURAL)
        fits = [self.language.numbered_as(token.low, plural=p, masculine=self.masculine) for p in (False, True)]
        return source if all(fits) else fits[True] and token.low not in self.language.persons.known

    def of(self, at: int) -> int:
        """Cells of a determiner, adjective or participle; 0 for other words."""
        return self.language.shows(self.low(at))

    def told(self, at: int) -> bool:
        """Shows the noun's gender, and only that, in the noun's number."""
        return self.fits(at, self.of(at))

    def fits(self, at: int, cells: int) -> bool:
        return bool(cells & self.cells) and told(cells) and self.numbered(at)

    def numbered(self, at: int) -> bool:
        """Of the noun's number, by the ending."""
        return self.language.numbered_as(self.low(at), plural=self.plural, masculine=self.masculine)

    def mark(self, *places: int) -> None:
        """Those of the places that show the noun's gender."""
        self.marked.update(at for at in places if self.told(at))

    # -- persons

    def names(self, at: int) -> int:
        """The columns of our tables, female and male, that have the word: 0 where it names no person."""
        columns = self.language.columns(self.low(at))
        return 0 if columns and self.perfect(at - 1) else columns  # je l'ai invité

    def person(self, at: int) -> bool:
        """A noun that names a person of this gender, and of no other, in this number."""
        return self.names(at) == self.column and self.numbered(at) and not self.language.function_word(self.low(at))

    def common(self, at: int) -> bool:
        """A noun for a person of either gender."""
        return self.kind(at) is Kind.COMMON and bool(self.names(at))

    def rival(self, at: int) -> bool:
        """Somebody else of this gender may be meant: a noun for persons whose article does not show the other one."""
        if not self.names(at) & self.column:
            return False
        cells = self.determiner(at - 1)
        return not told(cells) or bool(cells & self.cells)

    def subject(self, at: int) -> bool:
        """The article of a noun phrase of this gender and number that no preposition governs."""
        return bool(self.determiner(at) & self.cells & self.number) and not self.governed(at)

    def governed(self, first: int) -> bool:
        """True when a preposition precedes the phrase that begins here, or is part of its article."""
        return self.has(first, "fused") or self.has(first - 1, "preposition")

    def floating(self, at: int) -> bool:
        """tous without a noun of its own: not "à tous les niveaux"."""
        return False

    # -- the links of the chain

    def agreeing(self) -> tuple[Link, ...]:
        """The words that agree, in order, with those of the phrase and the predicate that show a number only."""
        found: dict[int, LinkKind] = {}
        begin = self._leftmost()
        led = bool(self.determiner(begin))
        for i in range(begin, self.last):
            if i != self.head and (kind := self._in_phrase(i, led=led)):
                found[i] = kind
        for i in (self.marked | self.open_said) - {self.head}:
            if i not in found and not self.first <= i < self.last and not self._name(i):
                found[i] = self._kind_of(i)
        relative = self._relative_pronoun()
        if relative is not None:
            found[relative] = "relative"
        return tuple(Link(i, kind, SURE[kind]) for i, kind in sorted(found.items()))

    def said_beyond(self, phrase: Phrase) -> Iterator[Predicate]:
        """Words outside the phrase that surely are said of the noun and show a gender."""
        inside = range(min(phrase.first, self.first), max(phrase.last, self.last))
        for i in sorted(self.marked):
            if (i in inside and not self._apart(i)) or self._name(i) or self.language.pronoun(self.low(i)):
                continue
            cells = self.of(i) or self.language.loosely(self.low(i))
            if told(cells) and (not self.names(i) or self.after_link(i)):
                yield Predicate(i, cells)

    def _leftmost(self) -> int:
        """Where the determiners and adjectives begin that surely are the noun's: nothing else is between them."""
        first = self.head
        for at in range(self.head - 1, max(self.head - 7, -1), -1):
            if self.determiner(at):
                twice = first < self.head and self.has(first, "article") and not self.has(at, "all")
                if twice or self._other_use(at) or not self.determiner(at) & self.cells & self.number:
                    break  # al tempo stesso l'amore
                first = at
                if self.has(at, "fused", "closed"):
                    break
            elif first < self.head and self.determiner(first):
                break
            elif self._attribute(at):
                first = at
            elif not self._passable(at, first):
                break
        return first

    def _passable(self, at: int, first: int) -> bool:
        """An adverb, a quotation mark, a figure, or and between two adjectives."""
        if self.joins(at):
            return self.head > first == at + 1 and self._describes(at - 1)
        return self.adverbial(at) or self.low(at) in QUOTES or self.low(at)[0].isdigit()

    def _other_use(self, at: int) -> bool:
        """No determiner here: que inside a clause, mil behind a figure, candidato a vice."""
        if self.has(at, "relative", "opens", "whose", "numeral"):
            return True
        if not self.has(at, "preposition") or self.has(at, "fused") or not self.has(at, "article"):
            return False
        masculine = bool(self.language.noun(self.tokens[self.head].text).cells & MASCULINE)
        return self.low(at - 1)[0].isalnum() and masculine

    def _in_phrase(self, at: int, *, led: bool) -> LinkKind | None:
        if at < self.head and self.determiner(at):
            return "determiner"
        if self.adverbial(at) or not self._attribute(at) or self._name(at):
            return None
        if self._apart(at) and (self.names(at) or not self.language.lists(self.low(at))):
            return None
        if not self.low(at).endswith(self.language.participle_endings):
            return "adjective"
        return "participle" if led or at > self.head else "apposition"  # nombrada directora

    def _name(self, at: int) -> bool:
        """A capital inside the sentence, where the noun has none: el delantero Romário."""
        return at > 0 and self.tokens[at].text[:1].isupper() and not self.tokens[self.head].text[:1].isupper()

    def _attribute(self, at: int) -> bool:
        """An adjective or participle of the noun's gender and number, by more than a plural's ending."""
        low = self.low(at)
        if not self.adjective(at) & self.cells or not self.numbered(at):
            return False
        if at == self.head + 1 or not low.endswith("s"):
            return True
        return any(self.language.adjective(form) for form in self.language.singulars(low))

    def _apart(self, at: int) -> bool:
        """Not directly behind the noun and its adjectives: parejas y grupos."""
        return at > self.head and any(self.joins(i) or not self.low(i)[0].isalnum() for i in range(self.head + 1, at))

    def _relative_pronoun(self) -> int | None:
        """A relative pronoun that shows a number: quien, lequel, la cual."""
        at = self.last + (self.low(self.last) == ",")
        at += self.has(at, "preposition") and not self.determiner(at)
        if self.determiner(at) and self.has(at + 1, "which"):
            return at + 1
        return at if self.has(at, "numbered_relative", f"which_{self.gendered}") else None

    def after_link(self, at: int) -> bool:
        """sono stati invitati: a predicate, although the word may name persons too."""
        before = self.back(at - 1)
        while self.has(before, "became", "auxiliary", "been"):
            before = self.back(before - 1)
        return self.links(before)

    def _kind_of(self, at: int) -> LinkKind:
        if at in self.fixed or self.determiner(at) or self.language.pronoun(self.low(at)):
            return "pronoun"
        if (at < self.first or self.names(at)) and not self.after_link(at):
            return "apposition"  # Née à Lyon, l'artiste
        if at in self.carried:
            return "conjunct"
        return "participle" if self.low(at).endswith(self.language.participle_endings) else "predicate"

    # -- the noun phrase

    def _begins(self, head: int) -> int:
        """Where the phrase of the noun at `head` begins."""
        return noun_phrase(self.language, self.tokens, head, head + 1, self.number).first

    def _left(self) -> int:
        """Determiners and adjectives before the noun; where the phrase begins."""
        head, first = self.head, self._begins(self.head)
        if self.has(first, "relative", "opens") and first + 1 < head and self.determiner(first + 1):
            first += 1  # secondo il medico; até que o jogador
        years = (i + 1 for i in range(first + 1, head) if YEAR.fullmatch(self.low(i)))  # nel 1745
        first = self._title(max([first, *years]))
        if 2 <= first < head and self.adverbial(first - 1) and self.determiner(first - 2):
            first -= 2  # un muy buen cocinero
        first = self._described(first)
        return self._quantified(first) if self.plural else first

    def _described(self, first: int) -> int:
        """Marks what agrees before the noun: esta atractiva y tranquila jugadora, seul un électricien."""
        self._mark_before(first)
        if first >= self.head - 1 and self.has(self.head - 1, "quantity"):
            self.marked.add(self.head - 1)
        if self.has(first - 1, "alone"):
            self.mark(first - 1)
        while first >= 2 and self.joins(first - 1) and self._describes(first - 2) and not self.determiner(first):
            first = min(self._begins(first - 1), first - 2)
            self._mark_before(first)
        return first

    def _mark_before(self, first: int) -> None:
        self.mark(*(i for i in range(first, self.head) if not self._degree(i)))

    def _degree(self, at: int) -> bool:
        """molto grato, troppo piccolo: an adverb before an adjective."""
        inside = at + 1 < self.head or not self.names(self.head)
        return inside and self.language.adverb(self.low(at)) and bool(self.adjective(at + 1))

    def _describes(self, at: int) -> bool:
        return bool(self.adjective(at)) and not self.names(at)

    def _quantified(self, first: int) -> int:
        """uno de nuestros médicos, un des candidats: where a phrase with what it is a part of begins."""
        quantity = first - 1 - (self.low(first) not in OF_THE and self.has(first - 1, "partitive"))
        if self.has(quantity, "none"):
            self.singular.add(quantity)  # cap dels advocats va ser convidat: one form for both, in the singular
        elif (quantity == first - 1) == (self.low(first) in OF_THE) and self.language.one(self.low(quantity)):
            cells = self.language.one(self.low(quantity))
            if not cells & self.cells:
                return first
            if told(cells):
                self.marked.add(quantity)
            if not self.numbered(quantity):
                self.singular.add(quantity)
        else:
            return first
        return quantity

    def _of_one(self, end: int) -> None:
        """What is said of one of several is in the singular."""
        before = set(self.marked)
        self.plural = False
        self._clause(end)
        if not self.governed(self.first):
            self._carry(end)
        self.plural = True
        self.singular |= self.marked - before

    def _title(self, first: int) -> int:
        """señora presidenta, el señor juez"""
        at = self.head - 1
        if not self.has(at, "title") or not self.person(at):
            return first
        self.marked.add(at)
        return min(first, self._begins(at))

    def right(self, at: int) -> int:
        """Adjectives and nouns in apposition after the noun; where the phrase ends."""
        while True:
            at = self._superlative(at)
            late = self.past_adverbs(at)
            step = late if self.joins(late) else at + (self.low(at) == ",")  # è uscita tardi e stanca
            step += self.joins(step)  # stanca, ma anche contenta
            after = self.past_adverbs(step)
            if any(self.has(i, "negation") for i in range(step, after)) or not self.follows(after):
                return at  # una bambina non giudica
            if self.low(at) == "," and not self.ends(after + 1):
                return at
            self.marked.update(i for i in range(step, after) if self.floating(i))  # , tous épuisés
            if self.told(after) or self.person(after):
                self.marked.add(after)
            at = after + 1

    def follows(self, at: int) -> bool:
        """An adjective or a noun in apposition may be at this place behind the noun."""
        low = self.low(at)
        if not low[0].isalpha() or (self.has(at, "ordinal") and self.has(at + 1, "time")):
            return False  # elegida última setmana
        if self.has(at, "possessive"):
            return at == self.head + 1 and self.told(at)  # un amico mio
        if self.has(at, "also_adjective"):
            return self.told(at) and self.ends(at + 1)  # sont venus nombreux
        if self.language.determiner(low) or self.language.function_word(low):
            return False
        cells = self.language.adjective(low)
        return bool(cells & self.cells) and self.numbered(at) if cells else self.person(at)

    def _superlative(self, at: int) -> int:
        """la chanteuse la plus connue: an article of its own, and where the search continues."""
        if not self.has(at, "superlative") or not self.has(at + 1, "more"):
            return at
        last = self.past_adverbs(at + 2)
        if not self.follows(last):
            return at
        self.mark(at, last)
        return last + 1

    def _trailing(self, end: int) -> int:
        """los investigadores de seguridad citados: marks what agrees behind a noun of the other gender or number, or
        says that a participle there is unclear; where the phrase ends then."""
        noun = end + 1 + bool(self.determiner(end + 1))
        at, shown = noun + 1, self.determiner(noun - 1)
        if not self.has(end, "of") or not self.told(at) or self.determiner(at) or self.names(noun) or self.links(noun):
            return end
        other = bool(self.language.plural_endings) and not self.numbered(noun)
        if other or (told(shown) and not shown & self.cells):
            self.marked.add(at)
            return self.right(at + 1)
        if self.low(at).endswith(self.language.participle_endings):
            self.unclear = at
        return end

    # -- beside the phrase

    def _inverted(self) -> None:
        """A participle before its subject: fue arrestada la ladrona; not: escrito pelo enfermeiro."""
        at = self.first - 1
        if at < 1 or not self.told(at) or self.determiner(at) or self.governed(self.first):
            return
        before = at - 1
        while self.adverbial(before) or self.has(before, "became"):
            before -= 1
        if self.links(before):
            self.mark(*range(before + 1, at + 1))

    def _opening(self) -> None:
        """Née à Lyon, l'artiste: a participle that opens the sentence."""
        participle = self.low(0).endswith(self.language.participle_endings)
        if participle and self.first > 1 and self.low(self.first - 1) == "," and not self.determiner(0):
            self.mark(0)

    def _alone(self, end: int) -> None:
        """vive solo: an adverb elsewhere, but said of the subject where the source says alone."""
        for at in range(end, len(self.tokens)) if self.hints.alone else ():
            if self.has(at, f"alone_{self.gendered}") and not self.determiner(at - 1):
                self.marked.add(at)
                return

    def _asides(self, at: int) -> int:
        """What follows the noun between commas; where it ends."""
        while self.low(at) == ",":
            step = self.past_adverbs(at + 1)
            negated = any(self.has(i, "negation") for i in range(at + 1, step))
            said = self.told(step) and not self._name(step) and not negated
            if said and (not self.determiner(step) or self.has(step, "also_adjective")):
                if self.governed(self.first):
                    self.unclear = step  # un profilo del duca, pubblicato ieri
                    return at
                self.marked.add(step)
                at = self.right(step + 1)
            else:
                end = self._apposition(step)
                if end is None:
                    return at
                at = end
        return at

    def _apposition(self, step: int) -> int | None:
        """Marks another noun for the person that begins here; where the aside ends, None where it is none."""
        return None

    # -- the clause

    def _clause(self, at: int) -> None:
        """What is said of the noun: in its relative clause, or as the subject of the clause."""
        governed = self.governed(self.first)
        at += self.low(at) == ","
        if self._whose(at):
            self.unclear = next((i for i in range(at + 2, len(self.tokens)) if self.told(i)), None)
            return  # la cui mano era ferita è andata: which of the verbs is the noun's
        which = self._which(at)
        which += self.has(which, "preposition") and self.low(which + 1) in OBLIQUE  # con cui ho parlato
        relative = self._opens_relative(which, subject=not governed)
        if not relative and (self.opened or governed or (self.language.drops_subjects and self.is_object())):
            return  # what follows the comma is another clause
        if self.has(which, "object"):
            self._relative_object(which + 1)
        self._predicates(which, relative=relative)

    def _predicates(self, opener: int, *, relative: bool) -> None:
        """Marks what linking verbs say from here on, until another subject or another clause begins."""
        at = begin = opener + relative
        linked, subject = False, relative and self._as_subject(opener)
        while not self._stops(at) and (at == begin or subject or not self._opens_phrase(at)):
            # after qui it is an object: qui a vu le film est venue
            after = None
            if self.floating(at):
                self.marked.add(at)  # ont tous été invités
            if self.links(at) and not (relative and self._own_verb(opener, at)):
                after = self.complement(at + 1)
            elif linked and self.joins(at) and self._adds(at + 1):
                after = self.right(at + 2)
            linked, at, begin = (linked, at + 1, begin) if after is None else (True, after, after)

    def _stops(self, at: int) -> bool:
        """Marks what follows as, or finds the end of what is said."""
        if self.closes(at) or self.has(at, "relative"):
            return True
        return (self.has(at, "as") and self._as_such(at + 1)) or self._other_clause(at)

    def _opens_phrase(self, at: int) -> bool:
        """A determiner of a phrase that no preposition governs: not de la meva tia, nor ont tous été."""
        if not self.determiner(at) or self.governed(at) or self.floating(at):
            return False
        return not (self.determiner(at - 1) and self.governed(at - 1))

    def _adds(self, at: int) -> bool:
        """è nata a Roma e cresciuta a Bari: marks a further predicate behind what a preposition adds."""
        added = self.told(at) and self.ends(at + 1) and not self.determiner(at) and not self.names(at)
        self.mark(*((at,) if added else ()))
        return added

    def _as_such(self, at: int) -> bool:
        """como una voluntaria, com a voluntària, comme compétente: marks what follows as."""
        at += self.low(at - 1) == "com" and self.low(at) == "a"
        if self.nominal(at) is not None:
            return True
        alone = self.told(at) and self.ends(at + 1)
        self.mark(*((at,) if alone else ()))
        return alone

    def _other_clause(self, at: int) -> bool:
        if self.has(at, "subordinator") and not self.has(at, "and") and self.low(at) != "s'":
            return True
        if not self.person(at) or at in self.marked:
            return False
        while not self.governed(at) and (self.determiner(at - 1) or self.adjective(at - 1)):
            at -= 1
        return not self.governed(at)  # mio fratello si è sentito male; not: de la meva tia

    def complement(self, at: int) -> int | None:
        """Predicate adjectives, participles or a noun for a person; where the search continues, None where there is
        none."""
        while self.adverbial(at) or self._before_complement(at):
            self.mark(*({at} if self._before_complement(at) else ()))
            at += 1
        if self.has(at, "also_adjective") and self.told(at) and (self.ends(at + 1) or self.has(at + 1, "object")):
            self.marked.add(at)  # est certaine que
            return at + 1
        if self.determiner(at) or self.person(at):
            return None if self._taken(at) else self.nominal(at)
        if self.told(at) or self.fits(at, self.language.said(self.low(at))):
            self.marked.add(at)
            return self._behind(at)
        if not self.follows(at):
            return None
        self.open_said.add(at)
        return self.right(at + 1)

    def _before_complement(self, at: int) -> bool:
        """A word that agrees before another predicate: è stata eletta, sont tous venus."""
        return self.has(at, "became") or self.floating(at)

    def nominal(self, at: int) -> int | None:
        """Marks the noun that begins here and says what the person is, with its words; where it ends, None where there
        is none."""
        for j in range(at, at + NOMINAL):
            if self.person(j) or self.common(j):
                self.mark(*range(at, j))
                if self.person(j):
                    self.marked.add(j)
                return self._behind(j)
            if not self.determiner(j) and not self.adjective(j):
                break
        return self._superlative_alone(at)

    def _behind(self, at: int) -> int:
        """Marks what agrees behind a word said of the person: nominata la nuova direttrice."""
        end = self.right(at + 1)
        named = self.nominal(end) if self.has(at, "naming") and self.determiner(end) else None
        return named or end

    def _superlative_alone(self, at: int) -> int | None:
        """i primi, las mejores, la più alta: an article and an adjective without a noun."""
        step = at + 1 if self.has(at + 1, "comparative") else self.past_adverbs(at + 1)
        ordinal = self.told(step) and self.has(step, "ordinal")
        if not self.numbered(step) or not self.ends(step + 1) or not (self.told(at) or ordinal):
            return None
        if self.has(at, "fused") or not self.adjective(step):
            return None  # au vu de
        self.mark(at, step)
        return self.right(step)

    def _taken(self, at: int) -> bool:
        """encontrou o faxineiro, ha sentito il cuoco: whether the phrase that begins here is the object of the verb
        before it, and says nothing of the subject; with se it may (se sentía un extraño)."""
        taken = self.has(at - 1, "taken_person") and self.perfect(at - 2)
        if not taken and not self.has(at - 1, "takes_person"):
            return False
        return not any(self.low(i) in REFLEXIVE for i in range(max(0, at - 4), at - 1))

    # -- the relative clause

    def _relative_object(self, at: int) -> None:
        """que j'ai rencontrée: a participle agrees with the object before it."""
        have = next((i for i in range(at, at + RELATIVE) if self.perfect(i)), None)
        if have is not None:
            self.mark(self.past_adverbs(have + 1))

    def _which(self, at: int) -> int:
        """la cual, alle quali, avec lesquelles: the article before a relative pronoun changes too."""
        step = at + (self.has(at, "preposition") and not self.determiner(at))
        if self.has(step, f"which_{self.gendered}" + ("_plural" if self.plural else "")):
            self.marked.add(step)
            return step + 1
        if self.has(step + 1, "which") and self.told(step):
            self.marked.add(step)
            return step + 2
        return at

    def _whose(self, at: int) -> bool:
        """la cui mano, dont la main."""
        return self.has(at, "whose")

    def _opens_relative(self, at: int, *, subject: bool) -> bool:
        return self.has(at, "relative") or self.low(at) in OBLIQUE

    def _as_subject(self, opener: int) -> bool:
        """che ha scritto: the person is the relative clause's subject; a verb follows at once."""
        at = opener + 1
        while self.has(at, "clitic", "negation"):
            at += 1
        return self.has(at, "have", "modal") or self.language.verb(self.low(at))

    def _own_verb(self, opener: int, at: int) -> bool:
        """que je suis venu voir: the verb of another subject in the relative clause."""
        return False

    # -- whom else a pronoun or a predicate can mean

    def rivals(self) -> list[int]:
        """Other nouns for persons that may have the noun's gender and have its number."""
        return [i for i in range(len(self.tokens)) if i not in self.marked and i not in self.heads and self._rival(i)]

    def contradicted(self) -> bool:
        """True when the sentence or its source names others, and the source's he or she has the gender that the noun
        shows: it may then mean one of the others."""
        if not self.hints.same_gender:
            return False
        taken = self.marked | self.heads
        return self.hints.others or any(i not in taken and self.names(i) for i in range(len(self.tokens)))

    def is_object(self, *, embedded: bool = False) -> bool:
        """True when the noun is no subject: a preposition governs it, or a subject precedes it in its clause;
        `embedded`: or in the clause that its own is a part of (notó que la enfermera)."""
        first = self.first
        if self.governed(first) or self._of_speaker(first):
            return True
        for i in range(first - 1, -1, -1):
            if self.closes(i) or self.has(i, "joins", "subordinator") or (not embedded and self.has(i, "relative")):
                return False
            if self._opens_phrase(i) and not self.determiner(i - 1) and self._subject_before(i + 1):
                return True
        return False

    def _of_speaker(self, first: int) -> bool:
        """ho chiamato la mia amica: the object of a verb whose subject is I or we."""
        return self.has(first - 2, "speaker_has")

    def _subject_before(self, at: int) -> bool:
        """Something is between a noun and ours: not "il giorno dopo la maestra"."""
        while self.determiner(at):
            at += 1
        return self.low(at)[0].isalnum() and at + 1 < self.first

    def _rival(self, at: int) -> bool:
        if self.language.function_word(self.low(at)) or not self.numbered(at):
            return False
        leader = self._leader(at)
        if leader is None or any(self.names(i) for i in range(leader + 1, at)):
            return False  # il ragazzo corse: what follows a person's noun is said of the same person, or is a verb
        named = self.names(at)
        if not named:  # il driver: a subject that no table knows
            return at < self.first and not self.low(leader - 1)[0].isalnum()
        cells = self.determiner(leader)
        return bool(cells & self.cells) if told(cells) else named in {self.column, PERSON}

    def _leader(self, at: int) -> int | None:
        """The determiner before a noun, over its adjectives; None where there is none near."""
        for i in range(at - 1, at - 1 - NEAR, -1):
            if self.determiner(i):
                return i
            if not self.adjective(i):
                return None
        return None

    # -- clauses without a subject of their own

    def _carry(self, end: int) -> None:
        """y fue arrestada, perché si sono rifiutati: a clause without a subject of its own continues with ours."""
        at = end
        if any(self.person(i) and not self.governed(i) for i in range(self.head) if i not in self.marked):
            return  # le conseiller a vu le chef et s'est rendu: the other one went
        while at < len(self.tokens):
            if at not in self.marked and self._other_subject(at):
                return
            before, after = set(self.marked), None
            if self.links(at) and self._headless(at, end):
                after = self.complement(at + 1)
            if after is None:
                self.marked = before  # ha detto che era stato un successo
            at = at + 1 if after is None else after

    def _other_subject(self, at: int) -> bool:
        """Not que in "disse que estava cansada", where the source has a pronoun; nor a thing behind its verb."""
        if not self.person(at) and (not self.subject(at) or (self.hints.taken_up and self.has(at, "relative"))):
            return False
        return not self._past_before(at) or any(self.names(i) for i in range(at, at + 3))

    def _past_before(self, at: int) -> bool:
        """ha comprato una capra"""
        return self.perfect(at - 2)

    def _headless(self, at: int, end: int) -> bool:
        """Nothing but pronouns, negations, adverbs and modals between the verb and what joins its clause."""
        before = at - 1
        while before >= end and (self.adverbial(before) or self.has(before, "negation", "modal", "clitic")):
            before -= 1
        if before < end or self.has(at - 1, "speaker"):
            return False  # nous sommes ouverts
        if self.has(before, "relative"):
            return not self.determiner(before - 2)  # dijo que estaba cansado; not ai villaggi che
        return self.joins(before) or self.low(before) == "," or self.has(before, "subordinator")

    def said(self, at: int) -> None:
        """The predicate of a pronoun: past clitics, negations, adverbs and modals to a linking verb."""
        while self.adverbial(at) or self.has(at, "negation", "clitic", "modal"):
            at += 1
        if self.links(at):
            self.complement(at + 1)
