"""Which words of a Romance sentence agree with a person's noun.

The noun's own phrase; its relative clause; what is said of it as a subject (copulas, linking verbs, participles), in
further clauses too where they have no subject of their own; nouns in apposition and after "as"; and pronouns that can
mean nobody else. A language with constructions of its own subclasses `Chain` in its folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from evenhand.grammar.families.romance_words import NOT_SAID, PERSON, STOPS, Words, told
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import MASCULINE, Kind, Phrase, Predicate, Token
from evenhand.grammar.sentence import Link, LinkKind

if TYPE_CHECKING:
    from evenhand.grammar.families.romance import Romance

OF_THE = frozenset({"des", "dei", "degli", "delle", "dos", "das", "dels"})
OBLIQUE = frozenset("cui quien quienes quem qui".split())
REFLEXIVE = frozenset("se s' s’ si es em et me m' m’ mi te t' t’ ti ci vi nos".split())
ONE = frozenset("un uno una une um uma".split())
YEAR = re.compile(r"[12]\d{3}")
PARTICIPLE = re.compile(r"(?:[aiu][td]|unt|int|ess|res|elt|ett|itt|ost)(?:[oaie]|[oa]s)$")
QUOTES = frozenset('"«“”‘’»')
SURE: dict[LinkKind, float] = {
    "determiner": 0.98, "adjective": 0.96, "participle": 0.93, "predicate": 0.9, "relative": 0.9, "apposition": 0.8,
    "conjunct": 0.7, "pronoun": 0.7,
}  # fmt: skip
REACH = 16  # words between a subject and what is said of it
NEAR = 3  # words from a determiner to its noun
NOMINAL = 5  # words from a determiner to a noun in the predicate
RELATIVE = 6  # words from a relative pronoun to its verb


class Hints(NamedTuple):
    """What a source sentence says about the person: a pronoun takes the person up; it is the object of a verb, and
    nothing else is; its gender is the one that the noun shows; it says "alone"; it names others."""

    taken_up: bool = False
    object: bool = False
    same_gender: bool = False
    alone: bool = False
    others: bool = False


class Chain(Words):
    """The words that agree with one noun: `marked` has their places, the noun's included."""

    def __init__(
        self,
        language: Romance,
        forms: Forms,
        tokens: list[Token],
        head: int,
        *,
        masculine: bool,
        plural: bool = False,
        heads: Iterable[int] = (),
        hints: Hints | None = None,
    ) -> None:
        super().__init__(language, forms, tokens, head, masculine=masculine, plural=plural, heads=heads)
        self.hints = hints or Hints()
        self.marked, self.first, self.last = {head}, head, head + 1
        self.fixed: dict[int, str] = {}  # words whose other form is known already: pronouns, titles
        self.opened = False  # a comma follows the noun, and no aside
        self.unclear: int | None = None  # a word that may be another noun's
        self.singular: set[int] = set()  # uno de los médicos fue elegido: what agrees with uno
        self.clitics: set[int] = set()  # le voir: an object, no article
        self.open_said: set[int] = set()  # what is said of the noun and shows no gender: es inteligente
        self.carried: set[int] = set()  # what further clauses say
        self._collect()

    def _collect(self) -> None:
        self.first = first = self._left()
        self.last = behind = self._trailing(self.right(self.head + 1))
        self._inverted(first)
        end = self._asides(behind)
        self.opened = end == behind and self.low(end) == ","
        if self._addressed(first):
            return
        if self.singular:
            self._of_one(first, end)
            return
        self._clause(first, end)
        self._opening(first)
        self._alone(end)
        before = set(self.marked)
        if self.language.drops_subjects and self.is_object():
            alone = self.hints.taken_up and not self.rivals() and not self.hosts()
            if alone and not self.contradicted():
                self._carry(end)  # se burló de la profesora porque era mala
        elif not self.governed(first):
            self._carry(end)
        self._resume()
        self.carried = self.marked - before

    # -- the links of the chain

    def agreeing(self) -> tuple[Link, ...]:
        """The words that agree, in order, with those of the phrase and the predicate that show a number only."""
        found: dict[int, LinkKind] = {}
        begin = self._leftmost()
        for i in range(begin, self._rightmost()):
            if i != self.head and (kind := self._in_phrase(i)):
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
            if told(cells) and not (self.names(i) and not self._after_link(i)):
                yield Predicate(i, cells)

    def _leftmost(self) -> int:
        """Where the determiners and adjectives begin that surely are the noun's: nothing else is between them."""
        first = self.head
        for at in range(self.head - 1, max(self.head - 7, -1), -1):
            if self.determiner(at):
                if self._other_use(at) or not self.determiner(at) & self.cells & self.number:
                    break
                if first < self.head and self.has(first, "article") and not self.has(at, "all"):
                    break  # al tempo stesso l'amore
                first = at
                if self.has(at, "fused", "closed"):
                    break
            elif first < self.head and self.determiner(first):
                break
            elif self._attribute(at) and (at + 1 == self.head or not self._name(at)):
                first = at
            elif not self._passable(at, first):
                break
        return first

    def _passable(self, at: int, first: int) -> bool:
        """An adverb, a quotation mark, a figure, or and between two adjectives."""
        if self.joins(at):
            return first < self.head and first == at + 1 and self._describes(at - 1)
        return self.adverbial(at) or self.low(at) in QUOTES or self.low(at)[0].isdigit()

    def _rightmost(self) -> int:
        """Where another noun begins behind the head: poetas y artistas ingleses."""
        for at in range(self.head + 1, self.last):
            if (self.joins(at) or self.low(at) == ",") and self.names(at + 1):
                return at
        return self.last

    def _other_use(self, at: int) -> bool:
        """No determiner here: que inside a clause, a before another article, mil behind a figure."""
        if self.has(at, "relative", "opens", "whose"):
            return bool(self.determiner(at + 1)) or (at > 0 and self.low(at - 1)[0].isalnum())
        if self.has(at, "numeral") or (self.language.adverb(self.low(at)) and self.determiner(at + 1)):
            return True
        if not self.has(at, "preposition") or self.has(at, "fused"):
            return False
        behind = at > 0 and self.has(at, "article") and not self._opens_clause(at)
        open_noun = bool(self.language.noun(self.tokens[self.head].text).cells & MASCULINE)
        return self.has(at + 1, "article") or (behind and open_noun)  # candidato a vice

    def _in_phrase(self, at: int) -> LinkKind | None:
        if at < self.head and self.determiner(at):
            return "determiner"
        if self.adverbial(at) or not self._attribute(at):
            return None
        if (at > self.head and self._name(at)) or (
            self._apart(at) and not self.language.surely_adjective(self.low(at))
        ):
            return None
        participle = self.low(at).endswith(self.language.participle_endings)
        if participle and at < self.head and not self.determiner(self._leftmost()):
            return "apposition"  # nombrada directora
        return "participle" if participle else "adjective"

    def _name(self, at: int) -> bool:
        """A capital inside the sentence, where the noun has none: el delantero Romário."""
        if at == 0 or not self.tokens[at].text[:1].isupper():
            return False
        return not self.tokens[self.head].text[:1].isupper() or not self.language.surely_adjective(self.low(at))

    def _attribute(self, at: int) -> bool:
        """An adjective or participle of the noun's gender and number, by more than a plural's ending."""
        low = self.low(at)
        if not self.adjective(at) & self.cells or not self.numbered(at):
            return False
        if at == self.head + 1 or not low.endswith("s") or self.language.surely_adjective(low):
            return True
        return any(self.language.adjective(form) for form in self.language.singulars(low))

    def _apart(self, at: int) -> bool:
        """Not directly behind the noun and its adjectives: parejas y grupos."""
        return at > self.head and any(self.joins(i) or not self.low(i)[0].isalnum() for i in range(self.head + 1, at))

    def _relative_pronoun(self) -> int | None:
        """A relative pronoun that shows a number: quien, lequel, la cual."""
        at = self.last + (self.low(self.last) == ",")
        at += self.has(at, "preposition") and not self.determiner(at)
        at += bool(self.determiner(at)) and self.has(at + 1, "which")
        led = bool(self.determiner(at - 1)) and self.has(at, "which")
        if led or self.has(at, "numbered_relative", f"which_{self.gendered}"):
            return at
        return None

    def _after_link(self, at: int) -> bool:
        """sono stati invitati: a predicate, although the word may name persons too."""
        before = self.back(at - 1)
        while before > 0 and self.has(before, "became", "auxiliary", "been"):
            before = self.back(before - 1)
        return before >= 0 and self.links(before)

    def _kind_of(self, at: int) -> LinkKind:
        if self.has(at, "pronoun") or self.language.pronoun(self.low(at)) or at in self.clitics:
            return "pronoun"
        if self.determiner(at):
            return "determiner" if at < self.head else "pronoun"
        if self.names(at) and not self._after_link(at):
            return "conjunct" if any(map(self.joins, range(self.last - 1, at))) else "apposition"
        if at in self.carried:
            return "conjunct"
        if at < self.first and not self.links(at - 1) and not self.adverbial(at - 1):
            return "apposition"  # Née à Lyon, l'artiste
        return "participle" if self.low(at).endswith(self.language.participle_endings) else "predicate"

    def _addressed(self, first: int) -> bool:
        """Madame la Présidente, merci: what follows is not said of the noun."""
        return False

    def _of_one(self, first: int, end: int) -> None:
        """What is said of one of several is in the singular."""
        before = set(self.marked)
        self.plural = False
        self._clause(first, end)
        if not self.governed(first):
            self._carry(end)
        self.plural = True
        self.singular |= self.marked - before

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
        self._mark_before(first)
        self._left_words(first)
        while first >= 2 and self.joins(first - 1) and self._describes(first - 2) and not self.determiner(first):
            first = min(self._begins(first - 1), first - 2)  # esta atractiva y tranquila jugadora
            self._mark_before(first)
        return self._quantified(first)

    def _left_words(self, first: int) -> None:
        """A quantity before the noun, and seul before its article."""
        head = self.head
        if head and first >= head - 1 and self.has(head - 1, "quantity") and self.numbered(head - 1):
            self.marked.add(head - 1)
        if first and self.has(first - 1, "alone") and self.told(first - 1):
            self.marked.add(first - 1)  # seul un électricien

    def _mark_before(self, first: int) -> None:
        self.marked.update(i for i in range(first, self.head) if self.told(i) and not self._degree(i))

    def _quantified(self, first: int) -> int:
        """uno de nuestros médicos, un des candidats: where a phrase with what it is a part of begins."""
        if not self.plural:
            return first
        quantity = first - 1 - (self.low(first) not in OF_THE and self.partitive(first - 1))
        if quantity >= 0 and self.has(quantity, "none"):
            self.singular.add(quantity)  # cap dels advocats va ser convidat: one form for both, in the singular
            return quantity
        if first and self.low(first) in OF_THE and self.has(first - 1, "one"):
            if self.has(first - 1, f"{self.gendered}_plural") or told(self.language.one(self.low(first - 1))):
                self._one(first - 1)  # un des candidats, ceux des candidats, molti dei presenti
            return first - 1
        if self._many(first):
            return first - 1
        if first >= 2 and self.partitive(first - 1):
            cells = self.language.one(self.low(first - 2))
            if cells & self.cells and (told(cells) or self.language.drops_subjects):
                self._one(first - 2)  # uno de nuestros fumadores
                return first - 2
        return first

    def _one(self, at: int) -> None:
        self.marked.add(at)
        if not self.numbered(at):
            self.singular.add(at)

    def _many(self, first: int) -> bool:
        """beaucoup de nos amis: the noun is the subject, though of precedes it."""
        return False

    def _degree(self, at: int) -> bool:
        """molto grato, troppo piccolo: an adverb before an adjective."""
        inside = at + 1 < self.head or not self.names(self.head) or self.has(at, "degree")
        return inside and self.language.adverb(self.low(at)) and bool(self.adjective(at + 1))

    def _describes(self, at: int) -> bool:
        return bool(self.adjective(at)) and not self.names(at)

    def _title(self, first: int) -> int:
        """señora presidenta, el señor juez"""
        at = self.head - 1
        if at < 0 or not self.has(at, "title") or not self.person(at):
            return first
        self.marked.add(at)
        if short := self.language.short_title(self.low(at)):
            self.fixed[at] = short
        return min(first, self._begins(at))

    def right(self, at: int) -> int:
        """Adjectives and nouns in apposition after the noun; where the phrase ends."""
        while at < len(self.tokens):
            at = self._superlative(at)
            step = at + 1 if self.joins(at) or self.low(at) == "," else at
            step += self.low(at) == "," and self.joins(step)  # stanca, ma anche contenta
            after = self.past_adverbs(step)
            if after > step == at and self.joins(after):
                step = after + 1  # è uscita tardi e stanca
                after = self.past_adverbs(step)
            if any(self.has(i, "negation") for i in range(step, after)):
                return at  # una bambina non giudica
            if after >= len(self.tokens) or not self.follows(after, loose=after > step) or self.acting(after):
                return at
            self.marked.update(i for i in range(step, after) if self.floating(i))  # , tous épuisés
            if self.low(at) == "," and not self.ends(after + 1):
                return at
            if self.told(after) or self.person(after) or (after > step and self.loose(after)):
                self.marked.add(after)
            at = after + 1
        return at

    def follows(self, at: int, *, loose: bool) -> bool:
        """An adjective or a noun in apposition may be at this place behind the noun."""
        low = self.low(at)
        own = self._placed(at)
        if own is not None:
            return own
        late = self.language.role(low, "also_adjective") and self.ends(at + 1)  # sont venus nombreux
        if not low[0].isalpha() or (not late and (self.language.determiner(low) or self.language.function_word(low))):
            return False
        if self.language.role(low, "verb_too") or late:
            return late and self.told(at)
        cells = self.language.adjective(low)
        if cells:
            return bool(cells & self.cells) and self.numbered(at)
        return self.person(at) or (loose and self.loose(at))

    def _placed(self, at: int) -> bool | None:
        """Whether a word that is mostly no adjective agrees behind the noun; None for all others."""
        if self.when(at):
            return False
        if self.has(at, "possessive") and at == self.head + 1:
            return self.told(at)  # un amico mio
        return None

    def acting(self, at: int) -> bool:
        """portant un sac: a participle with its object, which has one form."""
        return False

    def _superlative(self, at: int) -> int:
        """la chanteuse la plus connue: an article of its own, and where the search continues."""
        if not self.has(at, "superlative") or not self.has(at + 1, "more") or at + 2 >= len(self.tokens):
            return at
        last = self.past_adverbs(at + 2)
        if last >= len(self.tokens) or not self.follows(last, loose=True):
            return at
        self.marked.update(i for i in (at, last) if self.told(i) or (i == last and self.loose(i)))
        return last + 1

    # -- behind a prepositional phrase: la responsabile del negozio assunta

    def _trailing(self, end: int) -> int:
        """Marks such a word, or says that it is unclear; where the noun's phrase ends then."""
        place = self._trailing_place(end)
        if place is None:
            return end
        at, sure = place
        if not sure:
            self.unclear = at
            return end
        self.marked.add(at)
        return self.right(at + 1)

    def _trailing_place(self, end: int) -> tuple[int, bool] | None:
        """Where a word agrees behind one phrase of at most four words, and whether it surely is the person's: the noun
        between them has the other gender or number. Otherwise only participles count, as unclear: an adjective is
        mostly the nearer noun's."""
        if not self.has(end, "of") or end + 2 >= len(self.tokens):
            return None
        noun, shown = end + 1, self.determiner(end)
        if self.determiner(noun):
            shown, noun = self.determiner(noun), noun + 1
        at = noun + 1
        if at >= len(self.tokens) or self.names(noun) or self.language.function_word(self.low(noun)):
            return None
        if self.links(noun) or self.language.verb(self.low(noun)):
            return None  # o desejo dos vizinhos de serem ouvidos
        if self.determiner(at) or not self.told(at) or self.has(at, "verb_too"):
            return None
        other_number = bool(self.language.plural_endings) and not self.numbered(noun)  # de seguridad citadas
        sure = other_number or (told(shown) and not shown & self.cells)
        return (at, sure) if sure or PARTICIPLE.search(self.low(at)) else None

    # -- beside the phrase

    def _inverted(self, first: int) -> None:
        """A participle before its subject: fue arrestada la ladrona."""
        at = first - 1
        if at < 1 or not self.told(at) or self.determiner(at) or self.governed(first):
            return  # escrito pelo enfermeiro: he wrote it
        if self.low(at).startswith(("inclu", "exclu", "esclus")):
            self.marked.add(at)  # incluidos los niños
            return
        before = at - 1
        while before >= 0 and (self.adverbial(before) or self.has(before, "became")):
            before -= 1
        if before >= 0 and (self.links(before) or self.has(before, "speaking")):
            self.marked.update(i for i in range(before + 1, at + 1) if self.told(i))

    def _opening(self, first: int) -> None:
        """Hambrientas llegaban las viajeras; Née à Lyon, l'artiste: a word that opens the sentence."""
        at = self.past_adverbs(0)
        if at < first and self.has(at, "subordinator"):
            at = self.past_adverbs(at + 1)
        low = self.low(at)
        if at >= first - 1 or not self.told(at) or self.determiner(at) or not self.language.modifier(low):
            return
        if self.language.verb(low) or low.endswith("mos"):
            return
        if not any(self.determiner(i) for i in range(at + 1, first)):
            self.marked.add(at)
            self.right(at + 1)

    def _alone(self, end: int) -> None:
        """vive solo: an adverb elsewhere, but said of the subject where the source says alone."""
        if not self.hints.alone or self.governed(self.first):
            return
        for at in range(end, len(self.tokens)):
            if self.closes(at) or (self.person(at) and at not in self.marked):
                return
            if self.has(at, f"alone_{self.gendered}") and self.numbered(at) and not self.determiner(at - 1):
                self.marked.add(at)
                return

    def _asides(self, at: int) -> int:
        """What follows the noun between commas: a participle, an adjective, another noun for the same person."""
        if self.as_such(self.first):
            return at  # un rapport que j'ai rédigé en tant que médecin, approuvé hier
        while at + 1 < len(self.tokens) and self.low(at) == ",":
            step = self.past_adverbs(at + 1)
            negated = any(self.has(i, "negation") for i in range(at + 1, step))
            if step >= len(self.tokens) or (negated and self.language.drops_subjects) or self.has(step, "title"):
                return at  # señor presidente, señor comisario
            said = self.told(step) and (not self.determiner(step) or self.has(step, "also_adjective"))
            if said and self.language.drops_subjects and self._modifies_other():
                self.unclear = step  # un profilo del duca, pubblicato ieri
                return at
            if said:
                self.marked.add(step)
                at = self.right(step + 1)
                continue
            end = self._apposition(step)
            if end is None:
                return at
            at = end
        return at

    def _modifies_other(self) -> bool:
        return self.governed(self.first) and any(map(self.subject, range(self.first)))

    def _apposition(self, step: int) -> int | None:
        """Marks another noun for the person that begins here; where the aside ends, None where it is none."""
        before = set(self.marked)
        end = self.nominal(step)
        if end is None:
            return None
        while end < len(self.tokens) and not self.closes(end):
            if self.perfect(end) or self.has(end, "copula", "modal"):
                self.marked = before  # dopo aver visto il dentista, mio fratello si è sentito male
                return None
            if self.has(end, "relative"):
                break
            end += 1
        if self.language.drops_subjects and self.low(end) == "," and self._enumerates(end + 1):
            self.marked = before  # mia madre, mia zia, mio cugino
            return None
        return end + (self.low(end) == ",")

    def _enumerates(self, at: int) -> bool:
        """Another determiner and another person."""
        led = at + 1 < len(self.tokens) and bool(self.determiner(at))
        return led and any(self.names(i) for i in range(at + 1, min(at + 3, len(self.tokens))))

    def as_such(self, first: int) -> bool:
        """en tant que médecin: what follows is said of somebody else, or of a thing."""
        return False

    # -- nouns that say what the person is

    def nominal(self, at: int) -> int | None:
        """Marks the noun that begins here with its words; where it ends, None where there is none."""
        for j in range(at, min(at + NOMINAL, len(self.tokens))):
            if self.person(j) or (self.common(j) and j > at):
                agreeing = [i for i in range(at, j) if self.told(i)]
                if j > at and not agreeing and any(told(self.of(i)) for i in range(at, j)):
                    return None
                self.marked.update(agreeing)
                if self.person(j):
                    self.marked.add(j)
                return self._behind(j)
            if not self.determiner(j) and not self.adjective(j) and not (j > at and self._inside_nominal(j)):
                break
        return self._superlative_alone(at)

    def _inside_nominal(self, at: int) -> bool:
        return False

    def _behind(self, at: int) -> int:
        """Marks what agrees behind a word said of the person, and behind a participle that gives a name what the person
        is called or elected; where it ends."""
        end = self.right(at + 1)
        name = self.has(at, "naming") and bool(self.determiner(end))
        if not name or any(self.has(i, "time") for i in (end + 1, end + 2)):
            return end  # elegida última setmana
        return self.nominal(end) or end

    def _joined_predicate(self, at: int) -> bool:
        """è nata a Roma e cresciuta a Bari: marks a further predicate behind what a preposition adds."""
        plain = at < len(self.tokens) and not self.determiner(at) and not self.names(at)
        added = plain and self.told(at) and self.ends(at + 1)
        self.marked.update({at} if added else ())
        return added

    def _superlative_alone(self, at: int) -> int | None:
        """i primi, las mejores, la più alta: an article and an adjective without a noun."""
        compared = self.has(at + 1, "comparative")  # mejor, an adverb elsewhere
        step = at + 1 if compared else self.past_adverbs(at + 1)
        if step >= len(self.tokens) or not self.numbered(step) or self.low(at) in ONE:
            return None
        ordinal = self.told(step) and self.has(step, "ordinal")
        if not self.told(at) and not (ordinal and self.determiner(at)):
            return None
        alone = self.ends(step + 1) or (ordinal and self.has(step + 1, "relative"))
        if not alone or self.has(at, "fused") or not (ordinal or compared or self.adjective(step)):
            return None  # au vu de
        self.marked.update(i for i in (at, step) if self.told(i) and (i == at or ordinal))
        return self.right(step + (ordinal or compared))

    # -- the clause

    def _clause(self, first: int, at: int) -> None:
        """What is said of the noun: in its relative clause, or as the subject of the clause."""
        governed = self.governed(first)
        at += self.low(at) == ","
        opened = self.opened and self.low(at - 1) == ","
        if self._whose(at):
            self.unclear = next((i for i in range(at + 2, len(self.tokens)) if self.told(i)), None)
            return  # la cui mano era ferita è andata: which of the verbs is the noun's
        which = self._which(at)
        which += self.has(which, "preposition") and self.low(which + 1) in OBLIQUE  # con cui ho parlato
        relative = self._opens_relative(which, subject=not governed)
        if opened and which == at and not relative:
            closed = self._closed(at)
            if closed is None:
                return  # what follows the comma is another clause
            which = closed
        if not relative and (governed or (self.language.drops_subjects and self.is_object())):
            return
        if self.has(which, "object"):
            self._relative_object(which + 1)
        self._predicates(which, relative=relative)

    def _predicates(self, opener: int, *, relative: bool) -> None:
        """Marks what linking verbs say from here on, until another subject or another clause begins."""
        at = begin = opener + relative
        linked = False
        subject = relative and self._as_subject(opener)
        while at < len(self.tokens) and at - begin < REACH:
            if self._stops(at, linked=linked) or self._as_nominal(at) or self._other_clause(at):
                return
            if self.floating(at):
                self.marked.add(at)  # ont tous été invités
                at += 1
                continue
            inner = self.determiner(at - 1)  # de la meva tia
            owned = at > begin and self.determiner(at) and not self.governed(at) and not inner
            if owned and not subject and not self.acting(opener):
                return  # another subject, or an object; after qui it is an object: qui a vu le film est venue
            own = not (relative and self._own_verb(opener, at))
            after = self._said_at(at, own=own, linked=linked)
            if after is None:
                at += 1
            else:
                linked, at, begin = True, after, after

    def _said_at(self, at: int, *, own: bool, linked: bool) -> int | None:
        """Marks what a linking verb here says, or what and adds to it; where it ends, None where there is none."""
        after = self.complement(at + 1) if own and self.links(at) else None
        if after is None and linked and self.joins(at) and self._joined_predicate(at + 1):
            return self.right(at + 2)
        return after

    def _stops(self, at: int, *, linked: bool) -> bool:
        low = self.low(at)
        return low[0] in STOPS or (low == "," and not linked) or self.has(at, "relative")

    def _other_clause(self, at: int) -> bool:
        if self.has(at, "subordinator") and not self.has(at, "and") and self.low(at) != "s'":
            return True
        return self.person(at) and at not in self.marked and not self._governs(at)  # mio fratello si è sentito male

    def _as_nominal(self, at: int) -> bool:
        """como una voluntaria: marks the noun behind as."""
        return self.compares(at) and at + 1 < len(self.tokens) and self.nominal(self.past_as(at)) is not None

    def complement(self, at: int) -> int | None:
        """Predicate adjectives, participles or a noun for a person; where the search continues, None where there is
        none."""
        at = self._past_auxiliaries(at)
        if at >= len(self.tokens):
            return None
        ends = self.ends(at + 1) or self.has(at + 1, "object")  # est certaine que
        if self.has(at, "also_adjective") and self.told(at) and ends:
            self.marked.add(at)
            return at + 1
        special = self._special_complement(at)
        if special is not None:
            return special
        if self.determiner(at) or self.person(at):
            taken = self.governed(at) or self._taken(at)  # le mostró al conductor
            return None if taken else self.nominal(at)
        if self.compares(at):
            return self.nominal(self.past_as(at))
        if self.told(at) or self.loose(at):
            self.marked.add(at)
            return self._behind(at)
        if not self.follows(at, loose=True):
            return None
        self.open_said.add(at)
        return self.right(at + 1)

    def _past_auxiliaries(self, at: int) -> int:
        """Marks words that agree before the complement; where it begins."""
        while at < len(self.tokens):
            if self._before_complement(at):
                self.marked.update({at} if self.told(at) else ())
            elif not (self.adverbial(at) or self.links(at) or self.has(at, "auxiliary", "negation")):
                break
            at += 1
        return at

    def _before_complement(self, at: int) -> bool:
        """A word that agrees before another predicate: è stata eletta, sont tous venus."""
        return self.has(at, "became") or self.floating(at)

    def _special_complement(self, at: int) -> int | None:
        """Marks a complement that only this language has; where it ends, None where there is none."""
        return None

    # -- the relative clause

    def _governs(self, at: int) -> bool:
        """de la meva tia: whether a preposition precedes the phrase that ends at this noun."""
        while at and (self.determiner(at - 1) or self.adjective(at - 1)):
            at -= 1
            if self.governed(at):
                return True
        return self.governed(at)

    def _taken(self, at: int) -> bool:
        """encontrou o faxineiro, ha sentito il cuoco: whether the phrase that begins here is the object of the verb
        before it, and says nothing of the subject; with se it may (se sentía un extraño)."""
        verb = at - 1
        while verb > 0 and (self.adverbial(verb) or self.has(verb, "negation")):
            verb -= 1
        have = self.has(verb, "taken_person") and self.perfect(verb - 1)
        if not have and not self.has(verb, "takes_person"):
            return False
        return not any(self.low(i) in REFLEXIVE for i in range(max(0, verb - 3), verb))

    def _relative_object(self, at: int) -> None:
        """que j'ai rencontrée: a participle agrees with the object before it."""
        for i in range(at, min(at + RELATIVE, len(self.tokens))):
            if self.perfect(i):
                step = self.past_adverbs(i + 1)
                if step < len(self.tokens) and (self.told(step) or self.loose(step)):
                    self.marked.add(step)
                return

    def _which(self, at: int) -> int:
        """la cual, alle quali, avec lesquelles: the article before a relative pronoun changes too."""
        step = at + (self.has(at, "preposition") and not self.determiner(at))
        if step < len(self.tokens) and self.has(step, f"which_{self.gendered}" + ("_plural" if self.plural else "")):
            self.marked.add(step)
            return step + 1
        if step + 1 < len(self.tokens) and self.has(step + 1, "which") and self.told(step):
            self.marked.add(step)
            return step + 2
        return at

    def _whose(self, at: int) -> bool:
        """la cui mano, cuya mano, dont la main."""
        return self.has(at, "whose")

    def _opens_relative(self, at: int, *, subject: bool) -> bool:
        return self.has(at, "relative") or self.low(at) in OBLIQUE

    def _as_subject(self, opener: int) -> bool:
        """che ha scritto: the person is the relative clause's subject; a verb follows at once."""
        at = opener + 1
        while at < len(self.tokens) and self.has(at, "clitic", "negation"):
            at += 1
        return self.perfect(at) or self.has(at, "modal") or self.language.verb(self.low(at))

    def _own_verb(self, opener: int, at: int) -> bool:
        """que je suis venu voir: the verb of another subject in the relative clause."""
        return False

    def _closed(self, at: int) -> int | None:
        """un juge, si la loi le permet, peut être nommé: past a clause between commas."""
        return None

    # -- whom else a pronoun or a predicate can mean

    def rivals(self) -> list[int]:
        """Other nouns for persons that may have the noun's gender and have its number."""
        return [i for i in range(len(self.tokens)) if i not in self.marked and self._rival(i)]

    def contradicted(self) -> bool:
        """True when the sentence or its source names others, and the source's he or she has the gender that the noun
        shows: it may then mean one of the others."""
        if not self.hints.same_gender:
            return False
        taken = self.marked | self.heads
        return self.hints.others or any(
            i not in taken and self.names(i) and self._leader(i) is not None for i in range(len(self.tokens))
        )

    def hosts(self) -> list[int]:
        """Determiners of the noun's gender and number before it that no preposition governs, of persons or things."""
        return [i for i in range(self.first) if i not in self.marked and self.subject(i) and self._opens(i)]

    def is_object(self, *, embedded: bool = False) -> bool:
        """True when the noun is no subject: a preposition governs it, or a subject precedes it in its clause;
        `embedded`: or in the clause that its own is a part of (notó que la enfermera)."""
        first = self.first
        if self.governed(first) or self._of_speaker(first):
            return True
        for i in range(first - 1, -1, -1):
            if self.joins(i) or self.closes(i) or self.has(i, "subordinator"):
                return False
            if not embedded and self.has(i, "relative"):
                return False
            if self.determiner(i) and not self.governed(i) and self._opens(i) and self._subject_before(i + 1):
                return True
        return False

    def _of_speaker(self, first: int) -> bool:
        """ho chiamato la mia amica: the object of a verb whose subject is I or we."""
        return self.has(first - 2, "speaker_has") and bool(self.adjective(first - 1))

    def _subject_before(self, at: int) -> bool:
        """A person, and a verb between it and the noun: not "il giorno dopo la maestra"."""
        while at < self.first and not self.names(at) and (self.determiner(at) or self.adjective(at)):
            at += 1
        if at >= self.first or not self.low(at)[0].isalnum() or self.kind(at) is Kind.THING:
            return False  # nuestros <b>clientes</b>
        return any(not self._inside(i) for i in range(at + 1, self.first))

    def _inside(self, at: int) -> bool:
        closed = self.determiner(at) or self.has(at, "preposition") or self.adverbial(at)
        return bool(closed or (self.adjective(at) and not self.language.verb(self.low(at))))

    def _opens(self, at: int) -> bool:
        """A determiner at the beginning of its phrase."""
        return not at or not self.determiner(at - 1)

    def _rival(self, at: int) -> bool:
        if at in self.heads:
            return False  # the same noun said again
        low = self.low(at)
        if self.has(at, "title"):
            return self.names(at) in {0, self.column}  # el Sr. Mulder
        if self.language.function_word(low) or self.language.determiner(low) or not self.numbered(at):
            return False
        leader = self._leader(at)
        if leader is None or any(self.names(i) for i in range(leader + 1, at)):
            return False  # il ragazzo corse: what follows a person's noun is said of the same person, or is a verb
        named = self.names(at)
        if not named:  # il driver: a subject that no table knows
            unknown = leader == at - 1 and at < self.first and self.kind(at) not in NOT_SAID
            return unknown and self._opens_clause(leader) and self.subject(leader) and not self.adjective(at)
        cells = self.determiner(leader)
        return bool(cells & self.cells) if told(cells) else named in {self.column, PERSON}

    def _opens_clause(self, at: int) -> bool:
        """At the beginning of a clause, where subjects are."""
        return self.joins(at - 1) or self.has(at - 1, "subordinator", "relative") or not self.low(at - 1)[0].isalnum()

    def _leader(self, at: int) -> int | None:
        """The determiner before a noun, over its adjectives; None where there is none near."""
        for i in range(at - 1, max(at - 1 - NEAR, -1), -1):
            if self.determiner(i):
                return i
            if not self.adjective(i) and not self.names(i):
                return None
        return None

    # -- clauses without a subject of their own

    def _carry(self, end: int) -> None:
        """y fue arrestada, perché si sono rifiutati: a clause without a subject of its own continues with ours."""
        at = end
        if any(self.person(i) and not self.governed(i) for i in range(self.head) if i not in self.marked):
            return  # le conseiller a vu le chef et s'est rendu: the other one went
        object_before = False
        while at < len(self.tokens):
            other = at not in self.marked and (self.person(at) or (self.subject(at) and not self._aside(at)))
            if other and not self._object_before(at):
                return
            object_before = object_before or other
            before, after = set(self.marked), None
            if self.links(at) and self._headless(at, end, joined=object_before) and not self._impersonal(at + 1):
                after = self.complement(at + 1)
            if after is None:
                self.marked = before  # ha detto che era stato un successo
            at = at + 1 if after is None else after

    def _aside(self, at: int) -> bool:
        """No subject, though it looks like one: tutta la notte; disse que estava cansada, where the source has a
        pronoun."""
        when = any(self.has(i, "time") for i in (at + 1, at + 2))
        return when or (self.hints.taken_up and self.has(at, "relative"))

    def _impersonal(self, at: int) -> bool:
        """ma se è vero: said of nobody."""
        return self.has(self.past_adverbs(at), "impersonal")

    def _object_before(self, at: int) -> bool:
        """ha comprato una capra: a thing behind its verb is no subject of what and adds."""
        return self._past_before(at) and not any(self.names(i) for i in range(at, min(at + 3, len(self.tokens))))

    def _past_before(self, at: int) -> bool:
        return self.perfect(at - 2) and bool(self.adjective(at - 1))

    def _headless(self, at: int, end: int, *, joined: bool) -> bool:
        """Nothing but pronouns, negations, adverbs and modals between the verb and what joins its clause; `joined`: by
        and alone."""
        before = at - 1
        if self.has(before, "speaker"):
            return False  # nous sommes ouverts
        while before >= end and (self.adverbial(before) or self.has(before, "negation", "modal", "clitic")):
            before -= 1
        if self.has(before, "time") and before - 2 >= end:
            before -= 2  # e a mezzogiorno è stanca
        if before < end:
            return False
        if joined:
            return self.joins(before)
        if self.has(before, "relative"):
            return before > end and self._only() and not self._of_thing(before - 1)  # dijo que estaba cansado
        return self.joins(before) or self.low(before) == "," or self.has(before, "subordinator")

    def _of_thing(self, at: int) -> bool:
        """ai villaggi devastati che: a relative clause of the noun before it."""
        if self.kind(at) in NOT_SAID or told(self.adjective(at)):
            return True
        return bool(self.determiner(at - 1)) and not self.language.verb(self.low(at))

    def _only(self) -> bool:
        """True when the sentence names no other person of this number."""
        return not any(self.person(i) or self.common(i) for i in range(len(self.tokens)) if i not in self.marked)

    # -- pronouns that can mean nobody else

    def _resume(self) -> None:
        others = [i for i in range(len(self.tokens)) if i not in self.marked]
        if any(self.person(i) for i in others) or self._others_before():
            return
        alone = not any(self.rival(i) for i in others)  # designer: one form for both
        for at in range(self.head + 1, len(self.tokens)):
            single = alone and self._single(at)
            if not single and not (self.has(at, "pronoun") and self.numbered(at)):
                continue
            cells = self.language.pronoun(self.low(at)) or self.of(at)
            if (cells & self.cells and told(cells)) or single or self.has(at, f"{self.gendered}_plural"):
                self.marked.add(at)
                self.said(at + 1)

    def _others_before(self) -> bool:
        return False

    def _single(self, at: int) -> bool:
        """il, elle, lui: a subject pronoun in the singular."""
        return False

    def said(self, at: int) -> None:
        """The predicate of a pronoun: past clitics, negations and adverbs to a linking verb, or to have and been."""
        while at < len(self.tokens) and (self.adverbial(at) or self.has(at, "negation", "clitic")):
            at += 1
        while at < len(self.tokens) and self.has(at, "modal"):
            at += 1
        if at < len(self.tokens) and (self.links(at) or self.has(at, "auxiliary")):
            self.complement(at + 1)
