"""Which words of a Romance sentence agree with a person's noun, so that they change with it.

The noun's own phrase; its relative clause; what is said of it as a subject (copulas, linking verbs, participles), in
further clauses too where they have no subject of their own; nouns in apposition and after "as"; and pronouns that can
mean nobody else. `doubting` finds a word that looks like one of these but was not reached: then the mender declines.
"""

from __future__ import annotations

import re

from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import PLURAL, SINGULAR
from evenhand.mend.antecedents import Antecedents
from evenhand.mend.beside import STOPS, Beside
from evenhand.mend.french_clauses import FrenchClauses
from evenhand.mend.french_pronouns import FrenchPronouns
from evenhand.mend.nominals import Nominal
from evenhand.mend.relative import Relative
from evenhand.mend.resuming import Carrying, Resuming
from evenhand.mend.roles import told
from evenhand.mend.trailing import Trailing
from evenhand.mend.word_classes import View

OF_THE = frozenset({"des", "dei", "degli", "delle", "dos", "das", "dels"})
YEAR = re.compile(r"[12]\d{3}")
REACH = 16  # words between a subject and what is said of it


class Agreement:
    """Collects the words that agree with the noun of a view."""

    def __init__(self, view: View, *, taken_up: bool = False, source: str = "") -> None:
        self.taken_up = taken_up  # the source has a pronoun for a person
        self.view, self.language, self.roles, self.tokens = view, view.language, view.roles, view.tokens
        self.marked, self.first = {view.head}, view.head
        self.fixed: dict[int, str] = {}  # words whose other form is known already: pronouns, titles
        self.titled = False  # Monsieur le
        self.opened = False  # a comma follows the noun, and no aside
        self.unclear: int | None = None  # a word that may be another noun's
        self.singular: set[int] = set()  # uno de los médicos fue elegido: what agrees with uno
        self.clitics: set[int] = set()  # le voir: an object, no article
        self.source = source

    def words(self) -> set[int]:
        """Indices of the words that agree, the noun itself included."""
        self.first = first = self._left()
        end = Trailing(self).mark(self.right(self.view.head + 1))
        beside = Beside(self)
        beside.inverted(first)
        behind = end
        end = beside.asides(end)
        self.opened = end == behind and self.view.low(end) == ","  # Monsieur le Président, notre groupe
        french = FrenchPronouns(self, self.source) if self.language.code == "fr" else None
        if french:
            french.mark_each()
        if self.opened and self.titled:
            return self.marked  # Madame la Présidente, merci
        if self.singular:
            self._of_one(first, end)
            return self.marked
        self._clause(first, end)
        beside.opening(first)
        beside.alone(end)
        antecedents = Antecedents(self)
        if antecedents.object() and self.language.code != "fr":
            alone = self.taken_up and not antecedents.rivals() and not antecedents.hosts()
            if alone and not antecedents.contradicted():
                Carrying(self).mark(end)  # se burló de la profesora porque era mala
        elif not self.view.governed(first):
            Carrying(self).mark(end)
        Resuming(self).mark()
        if french:
            french.mark()
        return self.marked

    def said(self, at: int) -> None:
        """The predicate of a pronoun for the person."""
        Resuming(self).said(at)

    def _one(self, at: int) -> None:
        self.marked.add(at)
        if not self.view.numbered(at):
            self.singular.add(at)

    def _of_one(self, first: int, end: int) -> None:
        """What is said of one of several is in the singular."""
        before, view = set(self.marked), self.view
        view.plural = False
        self._clause(first, end)
        if not view.governed(first):
            Carrying(self).mark(end)
        view.plural = True
        self.singular |= self.marked - before

    # -- the noun phrase

    def _left(self) -> int:
        """Determiners and adjectives before the noun; where the phrase begins."""
        view, head = self.view, self.view.head
        number = PLURAL if view.plural else SINGULAR
        first = noun_phrase(self.language, self.tokens, head, head + 1, number).first
        opens = view.low(first) == "secondo" or self.language.role(view.low(first), "relative")
        if opens and first + 1 < head and self.language.determiner(view.low(first + 1)):
            first += 1  # secondo il medico; até que o jogador
        first = max(
            [first, *(i + 1 for i in range(first, head) if YEAR.fullmatch(view.low(i)) and i > first)]
        )  # nel 1745
        first = Beside(self).titled(first)
        if 2 <= first < head and view.adverbial(first - 1) and self.language.determiner(view.low(first - 2)):
            first -= 2  # un muy buen cocinero
        self.marked.update(i for i in range(first, head) if view.told(i) and not self._degree(i))
        if head and first >= head - 1 and self.roles.has(view.low(head - 1), "quantity") and view.numbered(head - 1):
            self.marked.add(head - 1)
        if first and self.roles.has(view.low(first - 1), "alone") and view.told(first - 1):
            self.marked.add(first - 1)  # seul un électricien
        self.titled = FrenchClauses(self).titled(first)
        while (
            first >= 2
            and self.roles.joins(view.low(first - 1))
            and self._adjective(first - 2)
            and not self.language.determiner(view.low(first))
        ):
            start = noun_phrase(self.language, self.tokens, first - 1, first, number).first
            first = min(start, first - 2)  # esta atractiva y tranquila jugadora
            self.marked.update(i for i in range(first, head) if view.told(i) and not self._degree(i))
        quantity = first - 1 - (view.low(first) not in OF_THE and self.roles.partitive(view.low(first - 1)))
        if quantity >= 0 and view.plural and self.roles.has(view.low(quantity), "none"):
            self.singular.add(quantity)  # cap dels advocats va ser convidat: one form for both, in the singular
            return quantity
        if first and view.low(first) in OF_THE and view.plural and self.roles.has(view.low(first - 1), "one"):
            plural = self.roles.has(view.low(first - 1), "masculine_plural" if view.masculine else "feminine_plural")
            if plural or told(self.roles.one(view.low(first - 1))):
                self._one(first - 1)  # un des candidats, ceux des candidats, molti dei presenti
            return first - 1
        if view.plural and FrenchClauses(self).many(first):
            return first - 1
        if first >= 2 and self.roles.partitive(view.low(first - 1)) and view.plural:
            cells = self.roles.one(view.low(first - 2))
            if cells & view.cells and (told(cells) or self.language.code != "fr"):
                self._one(first - 2)  # uno de nuestros fumadores
                return first - 2
        return first

    def _degree(self, at: int) -> bool:
        """molto grato, troppo piccolo: an adverb before an adjective."""
        view, head = self.view, self.view.head
        inside = at + 1 < head or not view.names(head) or self.roles.has(view.low(at), "degree")
        return inside and self.language.adverb(view.low(at)) and bool(self.roles.modifier(view.low(at + 1)))

    def _adjective(self, at: int) -> bool:
        return bool(self.roles.modifier(self.view.low(at))) and not self.view.names(at)

    def right(self, at: int) -> int:
        """Adjectives and nouns in apposition after the noun; where the phrase ends."""
        view = self.view
        while at < len(self.tokens):
            at = Beside(self).superlative(at)
            step = at + 1 if self.roles.joins(view.low(at)) or view.low(at) == "," else at
            step += view.low(at) == "," and self.roles.joins(view.low(step))  # stanca, ma anche contenta
            after = view.past_adverbs(step)
            if after > step == at and self.roles.joins(view.low(after)):
                step = after + 1  # è uscita tardi e stanca
                after = view.past_adverbs(step)
            if any(self.language.role(view.low(i), "negation") for i in range(step, after)):
                return at  # una bambina non giudica
            if after >= len(self.tokens) or not self.follows(after, loose=after > step):
                return at
            if FrenchClauses(self).acting(after):
                return at
            self.marked.update(i for i in range(step, after) if view.floating(i))  # , tous épuisés
            if view.low(at) == "," and not self.ends(after + 1):
                return at
            if view.told(after) or view.person(after) or (after > step and view.loose(after)):
                self.marked.add(after)
            at = after + 1
        return at

    def follows(self, at: int, *, loose: bool) -> bool:
        low = self.view.low(at)
        own = Nominal(self).placed(at)
        if own is not None:
            return own
        late = self.roles.has(low, "also_adjective") and self.ends(at + 1)  # sont venus nombreux
        if not low[0].isalpha() or (not late and (self.language.determiner(low) or self.language.function_word(low))):
            return False
        if self.roles.has(low, "verb_too") or late:
            return late and self.view.told(at)
        cells = self.roles.modifier(low)
        if cells:
            return bool(cells & self.view.cells) and self.view.numbered(at)
        return self.view.person(at) or (loose and self.view.loose(at))

    def ends(self, at: int) -> bool:
        """Nothing follows that an adjective before it could belong to."""
        low = self.view.low(at)
        governed = self.language.role(low, "preposition") or self.roles.has(low, "contracted")
        return not low[0].isalnum() or self.roles.joins(low) or governed

    # -- beyond the phrase

    def nominal(self, at: int) -> int | None:
        """Marks another noun for the person and its words; where it ends, None where it is none."""
        return Nominal(self).mark(at)

    def _clause(self, first: int, at: int) -> None:
        """What is said of the noun: in its relative clause, or as the subject of the clause."""
        view = self.view
        governed = view.governed(first)
        at += view.low(at) == ","
        opened = self.opened and view.low(at - 1) == ","
        if Relative(self).whose(at):
            self.unclear = next((i for i in range(at + 2, len(self.tokens)) if view.told(i)), None)
            return  # la cui mano era ferita è andata: which of the verbs is the noun's
        which = Relative(self).article(at)
        which += Relative(self).oblique(which)
        relative = Relative(self).opens(which, subject=not governed)
        if opened and which == at and not relative:
            closed = FrenchClauses(self).closed(at)
            if closed is None:
                return  # what follows the comma is another clause
            which = closed
        at = which
        if not relative and (governed or (self.language.code != "fr" and Antecedents(self).object())):
            return
        if self.roles.has(view.low(at), "object"):
            Relative(self).object(at + 1)
        opener = at
        at += relative
        begin, linked = at, False
        while at < len(self.tokens) and at - begin < REACH:
            low = view.low(at)
            if low[0] in STOPS or (low == "," and not linked) or self.language.role(low, "relative"):
                return
            if self.roles.compares(low) and at + 1 < len(self.tokens) and self.nominal(view.past_as(at)) is not None:
                return
            if FrenchClauses(self).compared(at):
                return
            if self.language.role(low, "subordinator") and not self.language.role(low, "and") and low != "s'":
                return
            if view.person(at) and at not in self.marked and not Relative(self).governs(at):
                return  # mio fratello si è sentito male
            if view.floating(at):
                self.marked.add(at)  # ont tous été invités
                at += 1
                continue
            inner = self.language.determiner(view.low(at - 1))  # de la meva tia
            owned = at > begin and self.language.determiner(low) and not view.governed(at) and not inner
            subject = relative and Relative(self).as_subject(opener)
            if owned and not subject and not FrenchClauses(self).acting(opener):
                return  # another subject, or an object; after qui it is an object: qui a vu le film est venue
            links = self.roles.links(low) and not (relative and Relative(self).own_verb(opener, at))
            after = self.complement(at + 1) if links else None
            if after is None and linked and self.roles.joins(low) and Nominal(self).joined(at + 1):
                after = self.right(at + 2)
            if after is None:
                at += 1
            else:
                linked, at, begin = True, after, after

    def complement(self, at: int) -> int | None:
        """Predicate adjectives, participles or a noun for a person; where the search goes on, None where there is
        none."""
        view = self.view
        while at < len(self.tokens):
            low = view.low(at)
            linking = self.language.code == "it" and self.roles.links(low)  # si è sentito in colpa
            if linking or self.roles.has(low, "auxiliary") or view.floating(at):
                self.marked.update({at} if view.told(at) else ())
            elif not (
                view.adverbial(at)
                or self.roles.links(low)
                or self.language.role(low, "auxiliary")
                or self.language.role(low, "negation")
            ):
                break
            at += 1
        if at >= len(self.tokens):
            return None
        low = view.low(at)
        ends = self.ends(at + 1) or view.low(at + 1) in {"que", "qu'", "qu’"}  # est certaine que
        if self.roles.has(low, "also_adjective") and view.told(at) and ends:
            self.marked.add(at)
            return at + 1
        if FrenchClauses(self).in_state(at):
            return self.right(at + 2)
        if FrenchClauses(self).one_of_them(at):
            self.marked.update({at, at + 1})
            return at + 2
        if self.language.determiner(low) or view.person(at):
            taken = view.governed(at) or Relative(self).taken(at)  # le mostró al conductor
            return None if taken else self.nominal(at)
        if self.roles.compares(low):
            return self.nominal(view.past_as(at))
        if view.told(at) or view.loose(at):
            self.marked.add(at)
            return Nominal(self).behind(at)
        return self.right(at + 1) if self.follows(at, loose=True) else None
