"""Which words of a Romance sentence agree with a person's noun.

The noun's own phrase; its relative clause; what is said of it as a subject (copulas, linking verbs, participles), in
further clauses too where they have no subject of their own; and pronouns that can mean nobody else. A language with
constructions of its own subclasses `Chain` in its folder.

A pronoun is marked where nobody else of its gender and number is named; or, beside one other person, where it is no
subject and its clause continues with the other person's verb: "El jefe vio al cajero y lo saludó" can mean only the
cashier, because a clause's object is not its own subject. All others stay as they are.

`grammar/<language>/pronoun_forms.tsv`: masculine, feminine, number (s, p), kind
    stressed    a word of its own, also after prepositions where there is no row of kind oblique
    oblique     a word of its own after a preposition
    joined      a subject behind its verb, with the hyphen
    clitic      a direct object before its verb
    dative      an indirect object before its verb
    enclitic    what a verb's form ends in; a hyphen belongs to it
    speaker     we, you before a linking verb
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from evenhand.grammar.lexicon import PERSON, Column
from evenhand.grammar.protocol import (
    FEMININE,
    MASCULINE,
    PLURAL,
    SINGULAR,
    Kind,
    Phrase,
    Predicate,
    Token,
    shows_one_gender,
)
from evenhand.grammar.sentence import Link, LinkKind, Walk

if TYPE_CHECKING:
    from evenhand.grammar.families.romance import Romance

STOPS = frozenset('.;:!?…()«»"“”—–')
QUOTES = frozenset('"«“”‘’»')
SURE: dict[LinkKind, float] = {
    "determiner": 0.98, "adjective": 0.96, "participle": 0.93, "predicate": 0.9, "relative": 0.9, "apposition": 0.8,
    "conjunct": 0.7, "pronoun": 0.7,
}  # fmt: skip
NEAR = 7  # words from a determiner to its noun
LEADER = 3
NOMINAL = 5  # words from a determiner to a noun in the predicate
RELATIVE = 6  # words from a relative pronoun to its verb
THAT = frozenset({"que", "qu'", "che"})
HOST = re.compile(r"(?:[aeiáéíô]r|ndo|[áéíóú]\w*[aeé]n?)$|[áéêíô]$")  # what an enclitic without a hyphen follows
PAIR = re.compile(r"(?:[mts]e|glie|[cv]e)$")
INFINITIVE = re.compile(r"[aeiô]r$")  # in Portuguese it may have a subject of its own
INFINITIVES = ("er", "ir", "re")
ASIDE = 6  # words of a phrase between a verb and what it says
ANY_INFINITIVE = re.compile(r"(?:[aeiô]r|[aei]re|rre)$")


class Hints(NamedTuple):
    """What a source sentence says about the person: a pronoun takes the person up; no pronoun is in it, so that one in
    the rendering means what the rendering names; its gender is the one that the noun shows; it says "alone"; it names
    others."""

    taken_up: bool = False
    without: bool = False
    same_gender: bool = False
    alone: bool = False
    others: bool = False


class Chain(Walk):
    """The words that agree with one noun: `marked` has their places, the noun's included."""

    language: Romance

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
        super().__init__(language, tokens)
        self.head, self.masculine, self.heads, self.hints = head, masculine, frozenset(heads) | {head}, hints or Hints()
        self.cells, self.column = (MASCULINE, Column.MALE) if masculine else (FEMININE, Column.FEMALE)
        self.gendered = "masculine" if masculine else "feminine"  # what names of roles for one gender end in
        self.plural = self._plural(plural)
        self.marked, self.begin, self.first, self.last = {head}, head, head, head + 1
        self.fixed: dict[int, str] = {}  # words whose other form is known already: pronouns
        self.acts = True  # the noun is a subject
        self.shared = False  # los médicos y los abogados están cansados: what is said is said of other men too
        self.unclear: int | None = None  # a word that may be another noun's
        self.relative: int | None = None  # a relative pronoun that shows a number: quien, lequel, la cual
        self.singular: set[int] = set()  # uno de los médicos fue elegido: what agrees with uno
        self.open_said: set[int] = set()  # what is said of the noun and shows no gender: es inteligente
        self.carried: set[int] = set()  # what further clauses say
        # for pronouns: other persons, whether the noun is no subject, whether the source's pronoun may mean another
        self.others, self.below, self.disputed = list[int](), False, False
        self._collect()

    def _collect(self) -> None:
        self.begin = self.first = self._left()
        self.marked.update(i for i in range(self.begin, self.head) if self.has(i, "quantity", "title"))
        self.mark(*(i for i in range(self.begin, self.head) if not self._degree(i)))
        if self.plural:
            self.first = self._quantified(self.begin)
        self.acts = not (self.is_object() if self.language.drops_subjects else self.governed(self.first))
        self.last = self._trailing(self.right(self.head + 1))
        self.shared = self.masculine and self.plural and self._beside_men()
        if not (self.addressed() or self.shared):
            self._extend()

    def _extend(self) -> None:
        """What is said of the noun beside its phrase and beyond."""
        self._inverted()
        self._known_as()
        self._named_by_clitic()
        self._joined_before()
        self._said_before()
        if self.joins(self.last) and self.determiner(self.last + 1) & self.cells and self.after_link(self.first):
            self.last = self.nominal(self.last + 1) or self.last  # era un poeta famoso y un diplomático
        if self.plural and self.acts:
            self._each_other()
        self._pointing()
        end, phrase, plural = self._asides(self._named(self.last)), set(self.marked), self.plural
        self.plural = plural and not self.singular  # uno de los médicos fue elegido
        self._clause(end)
        self._opening()
        self._alone(end)
        before = set(self.marked)
        if self.acts or self._resumed():
            self._carry(end)  # se burló de la profesora porque era mala
        self.carried = self.marked - before
        self.plural = plural
        if self.singular:
            self.singular |= self.marked - phrase

    def _pointing(self) -> None:
        """questa è la mia prima moglie, nosotros somos amigos: the pronoun of which the noun is said."""
        copula = self.back(self.first - 1)
        if self.links(copula) and self.determiner(copula - 1) and not self.low(copula - 2)[0].isalnum():
            self.mark(copula - 1)
        if self.has(copula, "speaker_copula") and (speakers := self._forms("speaker").get(self.low(copula - 1))):
            self._change(copula - 1, speakers)

    def _resumed(self) -> bool:
        """A verb without a subject can only mean the person, whom the source takes up by a pronoun."""
        taken_up = self.language.drops_subjects and self.hints.taken_up
        return taken_up and not self.rivals() and not self.contradicted()

    # -- classes of words

    def adjective(self, at: int) -> int:
        return self.language.adjective(self.low(at))

    def joins(self, at: int) -> bool:
        """A word like and, or, but."""
        return self.has(at, "joins")

    def links(self, at: int) -> bool:
        """A verb after which an adjective is said of the subject."""
        return self.language.has(self.low(at).removesuffix("-se"), "copula", "linking")

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
        if self.has(at, "adverb", "adverb_too") or self.low(at).endswith(("mente", "ment")):
            return True
        before = self.has(at, "adverb_before") and self.has(at + 1, "preposition", "fused", "relative")  # prima di
        return before or (self.has(at + 1, "little") and self.has(at, "article"))  # un poco

    def skip(self, at: int, *roles: str, step: int = 1) -> int:
        """The nearest place from here that has neither an adverb nor a word of these roles."""
        while self.adverbial(at) or self.has(at, *roles):
            at += step
        return at

    def back(self, at: int) -> int:
        """The nearest place before that has neither an adverb nor a negation."""
        return self.skip(at, "negation", step=-1)

    def lead(self, at: int) -> int:
        """Where the determiners and adjectives before a word begin."""
        while self.determiner(at - 1) or self.adjective(at - 1):
            at -= 1
        return at

    # -- gender and number

    @property
    def number(self) -> int:
        """Cells of the noun's number."""
        return PLURAL if self.plural else SINGULAR

    def _plural(self, source: bool) -> bool:
        """By the noun's determiner, else by the noun, else by its ending, else as the source has it."""
        token, leader = self.tokens[self.head], self._leader(self.head)
        if self.head and token.text.istitle() and not self.names(self.head) and leader is None:
            return False  # a person's name
        noun = 0 if self.language.open_number(token.low) else self.language.noun(token.text).cells & self.cells
        shown = [noun] if leader is None else [self._own_article(leader), noun]
        if leader != self.head - 1 and self.language.plural_endings:
            shown.reverse()  # na conferência personalidades
        for cells in shown:
            if bool(cells & PLURAL) != bool(cells & SINGULAR):
                return bool(cells & PLURAL)
        fits = [self.language.numbered_as(token.low, plural=p, masculine=self.masculine) for p in (False, True)]
        return source if all(fits) else fits[True] and token.low not in self.language.persons.known

    def _own_article(self, at: int) -> int:
        """Cells of a determiner that is no preposition: candidato a vice."""
        return 0 if self.language.preposition(self.tokens, at, self.head) else self.determiner(at)

    def of(self, at: int) -> int:
        """Cells of a determiner, adjective or participle; 0 for other words, and for a thing that ends as they do."""
        low = self.low(at)
        noun = bool(self.determiner(at - 1)) or self.has(at - 1, "numeral")
        thing = noun and at > self.head and self.kind(at) is Kind.THING and not self.language.lists(low)
        return 0 if thing and not self.determiner(at) else self.language.shows(low)

    def agrees(self, at: int) -> bool:
        """Shows the noun's gender, and only that, in the noun's number."""
        return self.fits(at, self.of(at))

    def fits(self, at: int, cells: int) -> bool:
        return bool(cells & self.cells) and shows_one_gender(cells) and self.numbered(at)

    def numbered(self, at: int) -> bool:
        """Of the noun's number, by the ending."""
        return self.language.numbered_as(self.low(at), plural=self.plural, masculine=self.masculine)

    def mark(self, *places: int) -> None:
        """Those of the places that show the noun's gender."""
        self.marked.update(at for at in places if self.agrees(at))

    # -- persons

    def names(self, at: int) -> int:
        """The columns of our tables, female and male, that have the word: 0 where it names no person."""
        columns = self.language.columns(self.low(at))
        return 0 if columns and self.perfect(at - 1) else columns  # je l'ai invité

    def person(self, at: int) -> bool:
        """A noun that names a person of this gender, and of no other, in this number."""
        verb = self.has(at, "verb_too") and not self.links(at - 1) and not self.after_link(at)
        other = verb or self.language.function_word(self.low(at))
        return self.names(at) == self.column and self.numbered(at) and not other

    def rival(self, at: int) -> bool:
        """Somebody else of this gender may be meant: a noun for persons whose article does not show the other one."""
        if not self.names(at) & self.column:
            return False
        cells = self.determiner(at - 1)
        return not shows_one_gender(cells) or bool(cells & self.cells)

    def subject(self, at: int) -> bool:
        """The article of a noun phrase of this gender and number that no preposition governs."""
        return bool(self.determiner(at) & self.cells & self.number) and not self.governed(at)

    def governed(self, first: int) -> bool:
        """True when a preposition precedes the phrase that begins here, or is part of its article."""
        return self.has(first, "fused") or self.has(first - 1, "preposition")

    def addressed(self) -> bool:
        """Somebody is spoken to by title, and what follows is not said of them."""
        return False

    def floating(self, at: int) -> bool:
        """tous without a noun of its own: not "à tous les niveaux"."""
        return False

    # -- the links of the chain

    def agreeing(self) -> tuple[Link, ...]:
        """The words that agree, in order, with those of the phrase and the predicate that show a number only."""
        found: dict[int, LinkKind] = {}
        led = bool(self.determiner(self.begin))
        for i in range(self.begin, self.last):
            if i != self.head and (kind := self._in_phrase(i, led=led)):
                found[i] = kind
        for i in (self.marked | self.open_said) - {self.head}:
            if i not in found and not self.first <= i < self.last and not self.is_name(i):
                found[i] = self._kind_of(i)
        if self.relative is not None:
            found[self.relative] = "relative"
        return tuple(Link(i, kind, SURE[kind]) for i, kind in sorted(found.items()))

    def said_beyond(self, phrase: Phrase) -> Iterator[Predicate]:
        """Words outside the phrase that surely are said of the noun and show a gender."""
        inside = range(phrase.first, max(phrase.last, self.last))
        for i in sorted(self.marked):
            if (i in inside and not self._apart(i)) or self.is_name(i) or self.language.pronoun(self.low(i)):
                continue
            cells = self.of(i) or self.language.loosely(self.low(i))
            if shows_one_gender(cells) and (not self.names(i) or self.after_link(i)):
                yield Predicate(i, cells)

    def _in_phrase(self, at: int, *, led: bool) -> LinkKind | None:
        if at < self.head and self.determiner(at):
            return "determiner"
        if self.adverbial(at) or not self._attribute(at) or self.is_name(at):
            return None
        if self._apart(at) and (self.names(at) or not self.language.lists(self.low(at))):
            return None
        if not self.low(at).endswith(self.language.participle_endings):
            return "adjective"
        return "participle" if led or at > self.head else "apposition"  # nombrada directora

    def is_name(self, at: int) -> bool:
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

    def after_link(self, at: int) -> bool:
        """sono stati invitati, han sido invitadas: a predicate, although the word may name persons too."""
        at -= 1
        while not self.links(at) and (self.adverbial(at) or self.has(at, "negation", "became", "auxiliary", "been")):
            at -= 1
        return self.links(at) and not self.determiner(at - 1)  # not: el estado estadounidense

    def predicative(self, at: int) -> bool:
        """A noun, with what leads it, behind a linking verb or "as"."""
        at = self.lead(at)
        return self.has(at - 1, "as") or self.after_link(at)

    def _kind_of(self, at: int) -> LinkKind:
        if at in self.fixed or self.determiner(at) or self.language.pronoun(self.low(at)):
            return "pronoun"
        if (at < self.first or self.names(at)) and not self.after_link(at):
            return "apposition"  # Née à Lyon, l'artiste
        if at in self.carried:
            return "conjunct"
        return "participle" if self.low(at).endswith(self.language.participle_endings) else "predicate"

    # -- the noun phrase

    def _left(self) -> int:
        """Where the determiners and adjectives begin that surely are the noun's: nothing else is between them."""
        first = self.head
        for at in range(self.head - 1, max(self.head - NEAR, -1), -1):
            led = first < self.head and bool(self.determiner(first))
            if self.determiner(at):
                if not self._leads(at, first):
                    break
                first = at
                if self.has(at, "fused", "closed") and not self.has(at - 1, "all"):  # todos mis alumnos
                    break
            elif self.has(at, "alone") or (not led and self._describes(at)):
                first = at
            elif not self._inside(at, first, led=led):
                break
        name = self.tokens[self.head].text[:1].isupper() and not self.names(self.head)
        return self.head if name and not self.determiner(first) else first  # come risultato Gideon

    def _inside(self, at: int, first: int, *, led: bool) -> bool:
        """A word that is not the noun's may stand here between those that are; `led`: a determiner follows it."""
        return (not led or bool(self.determiner(at - 1))) and (self._passable(at, first) or self._between(at, led=led))

    def _leads(self, at: int, first: int) -> bool:
        """A determiner of the noun: not "al tempo stesso l'amore", que inside a clause, mil behind a figure."""
        again = first < self.head and self.has(first, "article") and not self.has(at, "all") and not self.after_link(at)
        other = again or self.has(at, "relative", "opens", "whose", "numeral")
        return not other and bool(self._own_article(at) & self.cells & self.number)

    def _describes(self, at: int) -> bool:
        """An adjective before the noun, or a title or quantity: not "fue nombrada Oficial"."""
        if self.has(at, "title"):
            return self.person(at)
        verb = self.has(at, "been", "became") or self.perfect(at - 1)  # siamo stati facili profeti
        thing = self.kind(at) is Kind.THING and not self.language.lists(self.low(at))  # i paesi membri
        return self.has(at, "quantity") or (self._attribute(at) and not verb and not thing)

    def _passable(self, at: int, first: int) -> bool:
        """An adverb, a quotation mark, a figure, or and between two adjectives."""
        if self.joins(at):
            one = not self.names(at - 1) or self.determiner(at - 2)  # o meu ambicioso e fabuloso treinador
            return self.head > first == at + 1 and bool(self.adjective(at - 1)) and bool(one)
        figure = self.low(at)[0].isdigit() or self.low(at) in QUOTES
        return figure or self.adverbial(at) or self.has(at, "comparative")

    def _between(self, at: int, *, led: bool) -> bool:
        """il nostro illustre ospite: a word that no table has, between a determiner of the noun and the noun."""
        leads = self.determiner(at - 1) & self.cells & self.number and not self.has(at - 1, "relative", "whose")
        if led or not leads or not (self.tokens[at].text.islower() and self.tokens[at].text.isalpha()):
            return False
        unlisted = self.kind(at) is Kind.GUESS and not self.names(at) and not self.language.function_word(self.low(at))
        return unlisted and self.numbered(at) and not self.verbal(at)

    def _degree(self, at: int) -> bool:
        """molto grato, troppo piccolo: an adverb before an adjective."""
        inside = at + 1 < self.head or not self.names(self.head)
        return inside and self.language.adverb(self.low(at)) and bool(self.adjective(at + 1))

    def _quantified(self, first: int) -> int:
        """uno de nuestros médicos, un des candidats: where a phrase with what it is a part of begins."""
        whole = self.has(first, "of_the")
        quantity = first - 1 - (not whole and self.has(first - 1, "partitive"))
        if self.has(quantity, "none"):
            self.singular.add(quantity)  # cap dels advocats va ser convidat: one form for both, in the singular
        elif (quantity == first - 1) == whole and self.language.one(self.low(quantity)):
            cells = self.language.one(self.low(quantity))
            if not cells & self.cells:
                return first
            if shows_one_gender(cells):
                self.marked.add(quantity)
            if not self.numbered(quantity):
                self.singular.add(quantity)
        else:
            return first
        return quantity

    def right(self, at: int) -> int:
        """Adjectives and nouns in apposition after the noun; where the phrase ends."""
        while True:
            if self.has(at, "superlative") and self.has(at + 1, "more"):
                at = self._superlative(at, alone=False) or at
            late = self.skip(at)
            step = late if self.joins(late) else at + (self.low(at) == ",")  # è uscita tardi e stanca
            step += self.joins(step)  # stanca, ma anche contenta
            after = self.skip(step)
            if self.any_of(range(step, after), "negation") or not self.follows(after):
                return at  # una bambina non giudica
            if self.low(at) == "," and not self.ends(after + 1):
                return at
            self.marked.update(i for i in range(step, after) if self.floating(i))  # , tous épuisés
            if self.agrees(after) or self.person(after) or self._agent(after):
                self.marked.add(after)
            at = after + 1

    def follows(self, at: int) -> bool:
        """An adjective or a noun in apposition may be at this place behind the noun."""
        low = self.low(at)
        if not low[0].isalpha() or (self.has(at, "ordinal") and self.has(at + 1, "time")):
            return False  # elegida última setmana
        if self.has(at, "possessive"):
            return at == self.head + 1 and self.agrees(at)  # un amico mio
        if self.has(at, "also_adjective"):
            return self.agrees(at) and self.ends(at + 1)  # sont venus nombreux
        if self.language.function_word(low):
            return False
        cells = self.language.adjective(low)
        if cells and self.kind(at) is Kind.THING and not self.language.lists(low):
            return False  # aos cegos salários justos
        return bool(cells & self.cells) and self.numbered(at) if cells else self.person(at) or self._agent(at)

    def _agent(self, at: int) -> bool:
        """cidadãos cumpridores: an agent's ending directly behind the noun is an adjective's."""
        low = self.low(at)
        return at == self.head + 1 and self.language.agentive(low) and self.fits(at, self.language.noun(low).cells)

    def _trailing(self, end: int) -> int:
        """los investigadores de seguridad citados: marks what agrees behind a noun of the other gender or number, or
        says that a participle there is unclear; where the phrase ends then."""
        noun = end + 1 + bool(self.determiner(end + 1))
        at, shown = noun + 1, self.determiner(noun - 1)
        if not self.has(end, "of") or not self.agrees(at) or self.determiner(at):
            return end
        if self.names(noun) or self.links(noun) or self.adverbial(noun):
            return end
        other = bool(self.language.plural_endings) and not self.numbered(noun)
        if other or (shows_one_gender(shown) and not shown & self.cells):
            self.marked.add(at)
            return self.right(at + 1)
        if self.low(at).endswith(self.language.participle_endings):
            self.unclear = at
        return end

    # -- beside the phrase

    def _beside_men(self) -> bool:
        """los médicos y los abogados: the noun is joined to another for men."""
        at = self.first - 2
        while self.adjective(at) and not self.names(at):
            at -= 1
        leader = self.determiner(at - 1)
        man = bool(self.names(at) & Column.MALE) and (bool(leader & MASCULINE) or not shows_one_gender(leader))
        return man and self.has(self.first - 1, "and")

    def _each_other(self) -> None:
        """se miraron el uno al otro, l'un l'autre, um para o outro"""
        for at in range(self.last, len(self.tokens)):
            other = next((i for i in range(at + 1, at + 4) if self.has(i, "other_one")), None)
            if other and self.language.one(self.low(at)) & self.cells:
                places = {i for i in range(at - 1, other + 1) if self.language.shows(self.low(i)) & self.cells}
                self.marked |= places
                self.singular |= {i for i in places if not self.numbered(i)}

    def _inverted(self) -> None:
        """A participle before its subject: fue arrestada la ladrona; not: escrito pelo enfermeiro, es solo un loco."""
        at = self.first - 1
        agrees = at > 0 and not self.language.adverb(self.low(at)) and self.agrees(at) and not self.determiner(at)
        before = self.skip(at - 1, "became", step=-1)
        became = self.has(at, "became") and not self.perfect(before)  # es-tu devenue institutrice
        if agrees and not self.governed(self.first) and (became or self.links(before)):
            self.mark(*range(before + 1, at + 1))

    def _known_as(self) -> None:
        """fue descrita por todos como una gran maestra: what the verb says of the person whom the noun then names; it
        is unclear where the clause names another person."""
        for at in range(self.first - 2, 0, -1) if self.has(self.first - 1, "as") else ():
            verb = self.skip(self._before_aside(at - 1), "became", "been", "auxiliary", step=-1)
            if self.has(at, "relative", "subordinator", "joins") or self.closes(at):
                return
            bare = self.first == self.head and not self.determiner(at)  # prolífica como autora; not: come sua sorella
            said = bare or self.low(at).endswith(self.language.participle_endings)
            if said and self.agrees(at) and self.links(verb):
                self.unclear = at if any(map(self.person, range(verb))) else None
                self.mark(*range(verb + 1, at + 1))
                return

    def _named_by_clitic(self) -> None:
        """lo hicieron profesor, l'ont décrit comme un professeur: the object of which the noun is said."""
        verb = self.first - 1 - self.has(self.first - 1, "as")
        at = verb - 1 - self.perfect(verb - 1)
        new, bare = self._forms("clitic").get(self.low(at)), not self.determiner(self.first)
        elided = self.low(at) == "l'" and self.perfect(at + 1)
        if not (new or elided) or not (bare or verb < self.first - 1) or not (at < verb - 1 or self._verb(verb)):
            return
        if new:
            self._change(at, new)
        if at < verb - 1 and self.language.agrees_with_clitic:
            self.mark(verb)

    def _said_before(self) -> None:
        """era contable y trabajó como directora: what earlier clauses say of the subject with which ours continues."""
        said = self.has(self.first - 1, "as") or self.links(self.back(self.first - 1))
        if not said or self._taken(self.first):
            return
        joint = 0
        for at in range(self.first - 2, -1, -1):
            if self._breaks(at):
                return
            if self.joins(at) and not joint:
                if self._own_subject(at + 1, self.first):
                    return
                joint = at
            elif joint and self.links(at):
                subject = self.back(at - 1)
                if self.language.pronoun(self.low(subject)) & self.cells:
                    self.unclear = subject  # Él no es médico, pero es enfermero
                elif subject >= 0 and self.tokens[subject].text[:1].isupper() and not self.names(subject):
                    self.complement(at + 1)
                return

    def _joined_before(self) -> None:
        """era pintora, escritora y profesora: nouns said of the same person before this one."""
        link = self.first - 1
        if self.plural or not self.joins(link) or self.low(link - 1) == ",":
            return
        while not self.links(link) and not self.has(link, "as"):
            if self._breaks(link) or self.perfect(link):
                return
            link -= 1
        for at in filter(self.person, range(link + 1, self.first - 1)):
            begin = self.lead(at)
            if self.governed(begin):
                return
            self.mark(*range(begin, at + 1))
            self.marked.add(at)
            self.right(at + 1)

    def _breaks(self, at: int) -> bool:
        """Another clause begins or ends here: not and, or, but."""
        return self.has(at, "relative", "subordinator") > self.joins(at) or self.low(at)[0] in STOPS

    def _opening(self) -> None:
        """Née à Lyon, l'artiste: a participle that opens the sentence."""
        participle = self.low(0).endswith(self.language.participle_endings) or self.adjective(0)
        if participle and self.first > 1 and self.low(self.first - 1) == "," and not self.determiner(0):
            self.mark(0)

    def _alone(self, end: int) -> None:
        """vive solo: an adverb elsewhere, but said of the subject where the source says alone."""
        for at in range(end, len(self.tokens)) if self.hints.alone else ():
            if self.has(at, f"alone_{self.gendered}") and not self.determiner(at - 1):
                self.marked.add(at)
                return

    def _named(self, at: int) -> int:
        """Behind the person's name: su padre Dinis, quien murió; el alcalde José María Aznar fue elegido."""
        name = at
        while (
            self.tokens[self.head].text.islower() and self.low(name)[0].isalpha() and self.tokens[name].text.istitle()
        ):
            name += 1
        return name if self.low(name) == "," and self._opens_relative(name + 1) else at

    def _asides(self, at: int) -> int:
        """What follows the noun between commas; where it ends."""
        while self.low(at) == ",":
            step = self.skip(at + 1)
            negated = self.any_of(range(at + 1, step), "negation")
            said = self.agrees(step) and not self.is_name(step) and not negated
            if not said or (self.determiner(step) and not self.has(step, "also_adjective")):
                break
            if self.governed(self.first):
                self.unclear = step  # un profilo del duca, pubblicato ieri
                break
            self.marked.add(step)
            at = self.right(step + 1)
        return at

    # -- the clause

    def _clause(self, at: int) -> None:
        """What is said of the noun: in its relative clause, or as the subject of the clause."""
        opened = at == self._named(self.last) and self.low(at) == ","
        at += self.low(at) == ","
        if self._whose(at):
            self.unclear = next((i for i in range(at + 2, len(self.tokens)) if self.agrees(i)), None)
            return  # la cui mano era ferita è andata: which of the verbs is the noun's
        which = self._which(self._behind_bare(at))
        oblique = self.has(which, "preposition") and self.has(which + 1, "oblique_relative")  # con cui ho parlato
        if oblique and self.links(self.skip(which + 2, "clitic", "negation")):
            return  # a quien fue enviada la carta
        which += oblique
        relative = self._opens_relative(which)
        if not relative and (opened or not self.acts):
            return  # what follows the comma is another clause
        if self.has(which, "object"):
            self._relative_object(which + 1)
        if relative and self._opens_phrase(which + 1) and not self.verbal(which + 2):
            return  # avvisare l'utente che una cartella è vicina; not: qui la voit
        self._predicates(which, relative=relative)

    def _behind_bare(self, at: int) -> int:
        """jovens de baixo risco que: behind a noun without an article, which has no relative clause of its own."""
        end = at + 1
        while end < at + ASIDE and self.low(end).isalpha() and not (self.determiner(end) or self._opens_relative(end)):
            end += 1
        bare = self.has(at, "partitive") and not self.has(at, "fused") and at + 1 < end <= at + LEADER
        return end if bare and self._opens_relative(end) and not any(map(self.names, range(at, end))) else at

    def _predicates(self, opener: int, *, relative: bool) -> None:
        """Marks what linking verbs say from here on, until another subject or another clause begins."""
        at = begin = opener + relative
        linked, subject = False, relative and self._as_subject(opener)
        while not self._stops(at) and (at == begin or subject or not self._opens_phrase(at)):
            # after qui it is an object: qui a vu le film est venue
            self.marked.update([at] if self.floating(at) else [])  # ont tous été invités
            adds = linked and self.has(at, "joins") and not self.determiner(at + 1)  # è nata a Roma e cresciuta a Bari
            after = self.complement(at + 1) if adds or self.links(at) else None
            linked, at, begin = (linked, at + 1, begin) if after is None else (True, after, after)

    def _stops(self, at: int) -> bool:
        """Marks what follows as, or finds the end of what is said."""
        if self.closes(at) or self.has(at, "relative"):
            return True
        such = self.has(at, "as") and self.complement(self.skip(at + 1, "as_too")) is not None  # como una voluntaria
        return such or self._other_clause(at)

    def _opens_phrase(self, at: int) -> bool:
        """A determiner of a phrase that no preposition governs: not de la meva tia, nor ont tous été."""
        if not self.determiner(at) or self.governed(at) or self.floating(at):
            return False
        return not (self.determiner(at - 1) and self.governed(at - 1))

    def _other_clause(self, at: int) -> bool:
        if self.has(at, "subordinator") and not self.has(at, "and") and self.low(at) != "s'":
            return True
        if not self.person(at) or at in self.marked:
            return False
        while not self.governed(at) and (self.determiner(at - 1) or self.adjective(at - 1)):
            at -= 1
        return not self.governed(at)  # mio fratello si è sentito male; not: de la meva tia

    def complement(self, at: int) -> int | None:
        """Predicate adjectives, participles or a noun for a person, behind what agrees before them (è stata eletta);
        where the search continues, None where there is none."""
        at = self._behind_aside(self._became(at))
        if self.has(at, "also_adjective") and self.agrees(at) and (self.ends(at + 1) or self.has(at + 1, "object")):
            self.marked.add(at)  # est certaine que
            return at + 1
        if self.determiner(at) or self.person(at):
            return None if self._taken(at) or self.has(at, "fused") else self.nominal(at)
        if self.agrees(at) or self.fits(at, self.language.listed_as(self.low(at), "predicate_words")):
            self.marked.add(at)
            return self._behind(at)
        if not self.follows(at):
            return None
        what = self.low(at + 1)  # é conveniente que, não era possível adiar: said of what follows
        if what not in THAT and not ANY_INFINITIVE.search(what):
            self.open_said.add(at)
        return self.right(at + 1)

    def _behind_aside(self, at: int) -> int:
        """são, na sua maioria, trabalhadores; sono state da te approvate: where the predicate begins behind a phrase
        with a preposition, which commas may enclose."""
        comma = self.low(at) == ","
        end = at + comma
        if not self.has(end, "preposition", "fused"):
            return at
        end = next((i for i in range(end, end + ASIDE) if self._ends_aside(i)), end + ASIDE)
        said = end + (self.low(end) == ",")
        by_pronoun = end == at + 2 and self.language.function_word(self.low(at + 1))
        fits = self.agrees(said) and (by_pronoun or (comma and not self.determiner(said)))
        inside = end > at + 1 and comma == said - end and not self.person(end - 1)
        return said if inside and (fits or self.person(said)) else at

    def _ends_aside(self, at: int) -> bool:
        return self.closes(at) or self.joins(at) or self.verbal(at) or self.agrees(at)

    def _before_aside(self, at: int) -> int:
        """foi, a certa altura, empregado: the place before a phrase between commas."""
        if self.low(at) != ",":
            return at
        opening = next((i for i in range(at - 1, at - ASIDE, -1) if self.closes(i)), at)
        return opening - 1 if self.low(opening) == "," and self.has(opening + 1, "preposition", "fused") else at

    def _became(self, at: int) -> int:
        """Marks participles before another; where adverbs and they end."""
        while self.adverbial(at) or self.has(at, "became", "linking") or self.floating(at):
            if not self.adverbial(at):
                self.mark(at)
            at += 1
        return at

    def nominal(self, at: int) -> int | None:
        """Marks the noun that begins here and says what the person is, with its words; where it ends, None where there
        is none."""
        for j in range(at, at + NOMINAL):
            if self.person(j) or (self.kind(j) is Kind.COMMON and self.names(j)):
                self.mark(*range(at, j))
                if self.person(j):
                    self.marked.add(j)
                return self._behind(j)
            if not self.determiner(j) and not self.adjective(j):
                break
        return self._superlative(at, alone=True)

    def _behind(self, at: int) -> int:
        """Marks what agrees behind a word said of the person: nominata la nuova direttrice."""
        end = self.right(at + 1)
        named = self.nominal(end) if self.has(at, "naming") and self.determiner(end) else None
        return named or end

    def _superlative(self, at: int, *, alone: bool) -> int | None:
        """i primi, las mejores, la più alta; la chanteuse la plus connue: marks an article and an adjective without a
        noun; where they end."""
        step = at + 1 if self.has(at + 1, "comparative") else self.skip(at + 1)
        ordinal = self.agrees(step) and self.has(step, "ordinal")
        fits = self.adjective(step) and self.numbered(step) and (self.agrees(at) or ordinal)
        end = step + 1
        while alone and self.agrees(end) and not self.determiner(end) and not self.names(end):
            end += 1  # el único lesionado
        if not fits or (alone and (not self.ends(end) or self.has(at, "fused"))):
            return None  # au vu de
        self.mark(at, *range(step, end))
        return end

    def _taken(self, at: int) -> bool:
        """encontrou o faxineiro, ha sentito il cuoco: whether the phrase that begins here is the object of the verb
        before it, and says nothing of the subject; with se it may (se sentía un extraño)."""
        taken = self.has(at - 1, "taken_person") and self.perfect(at - 2)
        if not taken and not self.has(at - 1, "takes_person"):
            return False
        return not self.any_of(range(max(0, at - 4), at - 1), "reflexive")

    # -- the relative clause

    def _relative_object(self, at: int) -> None:
        """que j'ai rencontrée: a participle agrees with the object before it."""
        have = next((i for i in range(at, at + RELATIVE) if self.perfect(i)), None)
        if have is not None:
            self.mark(self.skip(have + 1))

    def _which(self, at: int) -> int:
        """la cual, alle quali, avec lesquelles: the article before a relative pronoun changes too."""
        step = at + (self.has(at, "preposition") and not self.determiner(at))
        which = self.has(step + 1, "which") and self.agrees(step)
        if which or self.has(step, f"which_{self.gendered}" + ("_plural" if self.plural else "")):
            self.marked.add(step)
            self.relative = step + which
            return self.relative + 1
        fits = not self.has(step, "oblique_relative") or self.numbered(step)  # su colega, quienes: others
        self.relative = step if fits and self.has(step, "numbered_relative") else None
        return at

    def _whose(self, at: int) -> bool:
        """la cui mano, dont la main."""
        return self.has(at + bool(self.determiner(at)), "whose")

    def verbal(self, at: int) -> bool:
        return self.has(at, "have", "modal", "linking", "clitic", "negation") or self.language.verb(self.low(at))

    def _opens_relative(self, at: int) -> bool:
        return self.has(at, "relative", "oblique_relative")

    def _as_subject(self, opener: int) -> bool:
        """che ha scritto: the person is the relative clause's subject; a verb follows at once."""
        at = opener + 1
        while self.has(at, "clitic", "negation"):
            at += 1
        if self.has(at, "have", "modal") or self.language.verb(self.low(at)):
            return True
        noun = self.determiner(at) or self.language.pronoun(self.low(at)) or self.names(at) or self.adverbial(at)
        return not noun and self.tokens[at].text.islower() if at < len(self.tokens) else False

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
        acts = self.has(first - 2, "speaker_has") or self.language.ends(self.low(first - 1), "speaker_ending")
        return acts and not self.links(first - 1)  # soy médica y estoy cansada

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
        return bool(cells & self.cells) if shows_one_gender(cells) else named in {self.column, PERSON}

    def _leader(self, at: int) -> int | None:
        """The determiner before a noun, over its adjectives; None where there is none near."""
        for i in range(at - 1, at - 1 - LEADER, -1):
            if self.determiner(i):
                return i
            if not self.adjective(i):
                return None
        return None

    # -- clauses without a subject of their own

    def _carry(self, end: int) -> None:
        """y fue arrestada, perché si sono rifiutati: a clause without a subject of its own continues with ours."""
        if any(self.person(i) and not self.governed(i) for i in range(self.head) if i not in self.marked):
            return  # le conseiller a vu le chef et s'est rendu: the other one went
        at = end
        while at < len(self.tokens) and (at in self.marked or not self._other_subject(at)):
            before = set(self.marked)
            after = self.complement(at + 1) if self.links(at) and self._headless(at, end) else None
            if after is None:
                self.marked = before  # ha detto che era stato un successo
            at = after or at + 1

    def _other_subject(self, at: int) -> bool:
        """Not que in "disse que estava cansada", where the source has a pronoun; nor a thing behind its verb."""
        if not self.person(at) and (not self.subject(at) or (self.hints.taken_up and self.has(at, "relative"))):
            return False
        object_ = self.perfect(at - 2) or self.language.ends(self.low(at - 1), "past_ending")  # ha comprato una capra
        object_ = object_ or bool(ANY_INFINITIVE.search(self.low(self.skip(at - 1, step=-1))))  # utilizar amplamente o
        beside = at - 1 == self.last and self.acts and self.low(at - 1).isalpha() and not self.joins(at - 1)
        object_ = object_ or (
            beside and not self.has(at - 1, "relative") and not self.has(at, "relative")
        )  # vende o carro
        return not object_ or any(self.names(i) for i in range(at, at + 3))

    def _headless(self, at: int, end: int) -> bool:
        """Nothing but pronouns, negations, adverbs and modals between the verb and what joins its clause."""
        before = self.skip(at - 1, "negation", "modal", "clitic", step=-1)
        if before < end or self.has(at - 1, "speaker"):
            return False  # nous sommes ouverts
        if self.has(before, "relative"):
            return not self.determiner(before - 2)  # dijo que estaba cansado; not ai villaggi che
        opening = next((i for i in range(before - 1, before - ASIDE, -1) if self.closes(i)), before)
        if self.low(before) == "," == self.low(opening) and self.has(opening - 1, "relative"):
            return self.language.verb(
                self.low(opening - 2)
            )  # dijo que, por eso, está cansada; not: cosas que, ..., son
        return self.low(before) == "," or self.has(before, "joins", "subordinator")

    def said(self, at: int) -> None:
        """The predicate of a pronoun: past clitics, negations, adverbs and modals to a linking verb."""
        at = self.skip(at, "negation", "clitic", "modal")
        if self.links(at):
            self.complement(at + 1)

    # -- pronouns

    def take_up(self, *, object_: bool) -> None:
        """Marks pronouns that mean the noun's person, with the form that they get. `object_`: the source has a pronoun
        for a person as object."""
        places = [i for i in range(self.head + 1, len(self.tokens)) if i not in self.marked]
        own = self._forms("joined") or self.any_of(places, "self")
        if not own and not self.hints.taken_up and not self.hints.without:
            return
        before = set(self.marked)
        self._of_them()
        self.others, self.below, self.disputed = self.rivals(), self.is_object(embedded=True), self.contradicted()
        for at in places:
            if at not in self.marked:
                self._stressed(at)
                self._joined(at)
                if object_:
                    self._weak(at)
                if self.has(at, "self") and self.has(at - 1, "own_self") and not self.others and not self.below:
                    self.mark(at)  # a sí mismo, di se stesso
        self.carried |= self.marked - before

    def _forms(self, kind: str, *, plural: bool | None = None) -> Mapping[str, str]:
        """Pronouns of the noun's gender and number, and their other gender's form."""
        number = "sp"[self.plural if plural is None else plural]
        return self.language.pronoun_forms.get((kind, number, self.masculine), {})

    def _change(self, at: int, new: str) -> None:
        self.marked.add(at)
        self.fixed[at] = new

    def _stressed(self, at: int) -> None:
        """él, con ella; not "más alto que él", with whom the person is compared."""
        low = self.low(at)
        oblique = low[0] in "dn" or self.has(at - 1, "preposition")
        oblique = oblique and not INFINITIVE.search(self.low(at + 1))  # depois de ela ter
        new = ((oblique and self._forms("oblique")) or self._forms("stressed")).get(low)
        if new is None or self._of_another(at):
            return
        meant = self.hints.taken_up or (self.hints.without and not oblique)
        if self._surely(at) or (meant and self._ours(at, subject=not oblique, free=True)):
            self._change(at, new)
            self._of_whole(self._partitive(at - 1, -1), at)
            self.said(at + 1)

    def _of_another(self, at: int) -> bool:
        """elle a vu son amie, más alto que él, il y a: another person, or nobody."""
        another = any(self.low(i) == self.low(at) for i in range(self.head) if i not in self.marked)
        return another or (self.low(at - 1) in THAT and self.ends(at + 1)) or self.has(at + 1, "impersonal")

    def _surely(self, at: int) -> bool:
        """chez lui, lui-même, sont ceux qui: whatever the source says."""
        if self.others or not (self.has(at - 1, "home", "copula") or self.language.ends(self.low(at), "self_ending")):
            return False
        clitics = self._forms("clitic")  # l'a attendu devant chez lui
        return not (self.has(at - 1, "home") and any(self.low(i) in {"l'", *clitics} for i in range(self.last, at)))

    def _of_whole(self, one: int, at: int) -> None:
        """chacun d'eux: the pronoun at `one` of which they are the whole, in the singular."""
        if self.plural and self.language.one(self.low(one)) & self.cells:
            self.marked.add(one)
            self.singular.add(one)
            before, self.plural = set(self.marked), False
            self.said(at + 1)  # aucun d'entre eux n'était prêt
            self.plural, self.singular = True, self.singular | (self.marked - before)

    def _partitive(self, at: int, step: int) -> int:
        """The next place behind "of" and "among"."""
        while self.has(at, "partitive") or self.low(at) == "entre":
            at += step
        return at

    def _of_them(self) -> None:
        """une d'elles: the pronoun that names the whole beside one that names the person."""
        at = self._partitive(self.head + 1, 1)
        whole = self._forms("oblique", plural=True).get(self.low(at))
        if whole and self.has(self.head, "head_pronoun"):
            self._change(at, whole)

    def _joined(self, at: int) -> None:
        """le commissaire pourrait-il: in the noun's own clause its subject; peut-être est-il là: as other pronouns."""
        stem, hyphen, last = self.low(at).rpartition("-")
        new = self._forms("joined").get(hyphen + last)
        if new is None:
            return
        beside = self._boundary(at) is None and not self.governed(self.first)
        if beside or (self.hints.taken_up and self._ours(at, subject=True, free=True)):
            self._change(at, stem + new)

    def _weak(self, at: int) -> None:
        """gli ha chiesto, la llamó, consultá-la; in Italian a participle agrees with the pronoun: li ha visti."""
        low, clitics = self.low(at), self._forms("clitic")
        new = clitics.get(low) or self._forms("dative").get(low)
        elided = low == "l'" and self.perfect(at + 1)
        if (elided or (new and self._object(at))) and self._ours(at):
            if new:
                self._change(at, new)
            if (elided or low in clitics) and self.language.agrees_with_clitic and self.perfect(at + 1):
                self.mark(self.skip(at + 2))
        self._enclitic(at)

    def _enclitic(self, at: int) -> None:
        """consultá-la; not devolvérselo: the thing that is given back."""
        low = self.low(at)
        for own, other in self._forms("enclitic").items():
            stem = low.removesuffix(own)
            hosted = stem != low and not PAIR.search(stem) and (own[0] == "-" or HOST.search(stem))
            if hosted and self._ours(at):
                self._change(at, stem + other)
                return

    def _verb(self, at: int) -> bool:
        low, language = self.low(at), self.language
        if language.ends(low, "infinitive_ending") or self.determiner(at):
            return False  # teu
        known = self.has(at, "copula", "linking", "have", "modal", "takes_object") or language.verb(low)
        return known or language.ends(low, "past_ending")

    def _object(self, at: int) -> bool:
        """je veux le voir, et la consola: where every clause has a subject, an object is behind it or before an
        infinitive."""
        if self.language.drops_subjects:
            return self._verb(at + 1)
        infinitive = self.low(at + 1).endswith(INFINITIVES) and self.has(at - 1, "before_infinitive", "preposition")
        return infinitive or (self.has(at - 1, "before_object") and self.kind(at + 1) is Kind.GUESS)

    def _ours(self, at: int, *, subject: bool = False, free: bool = False) -> bool:
        """Whether the pronoun can mean only this noun; `subject`: it may be its clause's subject; `free`: it is no
        verb's object, which alone cannot mean the verb's subject."""
        begin = self._boundary(at)
        if self.alone and self._owner(at):
            return True
        if begin is None:
            return not subject and self._in_own_clause(at, free=free)
        if self._relative_at(begin):
            return False
        if self.has(begin, "joins") and not self._own_subject(begin + 1, at):
            if any(begin < i < at for i in self.fixed):
                return False  # e gli ha chiesto di aiutarlo: two persons
            if not subject:
                return self.below and len(self.others) < 2 and max(self.others, default=0) <= self.head
        if self.disputed and not self.others:
            self.unclear = at
        return self.alone

    @property
    def alone(self) -> bool:
        """Nobody else can be meant."""
        return not self.others and not self.disputed

    def _relative_at(self, begin: int) -> bool:
        """le directeur qui l'a aidé, qu'il a vu: the pronoun of the noun's relative clause is another argument."""
        near = begin - (self.low(begin - 1) == ",") == self.last
        return near and (self.has(begin, "relative") or self.low(begin) in THAT)

    def _owner(self, at: int) -> bool:
        """a hipótese deles: it may mean its clause's subject; not: ao lado dele, sabia dele"""
        if not self.has(at, "theirs") or at <= self.last or self.has(at - 1, "place_of"):
            return False
        return self.kind(at - 1) is Kind.THING or any(self.determiner(i) for i in range(self.last, at))

    def _in_own_clause(self, at: int, *, free: bool) -> bool:
        """per consultarla: in the noun's clause, behind a preposition; obligó a la criada a dejar de molestarlo, where
        another person between them acts."""
        between = range(self.head + 1, at)
        acts = not free or any(ANY_INFINITIVE.search(self.low(i)) for i in between)
        if not acts or not self.any_of(between, "preposition"):
            return False  # llevó al médico con él: beside the noun
        controlled = not self.others and any(self.names(i) and i not in self.marked for i in between)
        only = len(self.others) < 2 if self.below else controlled
        if only and free and self.disputed:
            self.unclear = at  # pediu à vizinha para lavar o carro dela
            return False
        return only

    def _boundary(self, at: int) -> int | None:
        """What separates the pronoun's clause from the noun's; None where nothing does."""
        # se sentó a su lado, junto a él: no clause of its own
        oblique = self.has(at - 1, "preposition") and not self.has(at - 1, "partitive")
        for i in range(at - 1, self.head, -1):
            if self.low(i) == "," and oblique and not any(map(self._verb, range(i + 1, at))):
                continue
            if self.closes(i) or self._separates(i):
                return i
        return None

    def _separates(self, at: int) -> bool:
        """A clause with a subject opens here: not "pour lui", "pour lui parler", "s'est assis"."""
        if self.low(at) == "s'":
            return self.has(at + 1, "unstressed")
        return self.has(at, "joins", "subordinator", "relative") and not self.has(at, "preposition")

    def _own_subject(self, begin: int, at: int) -> bool:
        """True when a noun phrase, or a name, opens the clause before the pronoun."""
        begin = self.skip(begin)
        if begin >= at or self._verb(begin) or self._verb(begin + 1):
            return False  # i va preparar el dinar per a ell
        named = self.tokens[begin].text[:1].isupper() or self.has(begin, "speaker", "one")
        return named or bool(self.determiner(begin))
