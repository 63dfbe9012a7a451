"""Pronouns of a Romance sentence that mean one noun's person: él, gli ha chiesto, la llamó, consultá-la.

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
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evenhand.grammar.protocol import Kind

if TYPE_CHECKING:
    from evenhand.grammar.families.romance_chain import Chain

HOST = re.compile(r"(?:[aeiáéíô]r|ndo|[áéíóú]\w*[aeé])$|[áéêíô]$")  # what an enclitic without a hyphen follows
PAIR = re.compile(r"(?:[mts]e|glie|[cv]e)$")
INFINITIVE = re.compile(r"[aeiô]r$")  # in Portuguese it may have a subject of its own
INFINITIVES = ("er", "ir", "re")
SELVES = ("-même", "-mêmes")
POSSESSIVE = frozenset({"dele", "dela", "deles", "delas"})
SELF = frozenset({"sí", "sé", "si", "se"})


class Pronouns:
    """Marks them in a chain, with the form that they get. `object`: the source has a pronoun for a person as object."""

    def __init__(self, chain: Chain) -> None:
        self.chain, self.table = chain, chain.language.pronoun_forms
        self.stressed, self.enclitic = self._fitting("stressed"), self._fitting("enclitic")
        self.oblique, self.joined = self._fitting("oblique") or self.stressed, self._fitting("joined")
        self.before_verb = self._fitting("clitic") | self._fitting("dative")

    def mark(self, *, object_: bool) -> None:
        chain = self.chain
        places = [i for i in range(chain.head + 1, len(chain.tokens)) if i not in chain.marked]
        if not chain.hints.taken_up and not self.joined and not any(chain.has(at, "self") for at in places):
            return
        before = set(chain.marked)
        self._of_them()
        self.contradicted = chain.contradicted()
        self.rivals, self.no_subject = chain.rivals(), chain.is_object(embedded=True)
        self.alone = not self.rivals and not self.contradicted
        for at in places:
            if at not in chain.marked:
                self._stressed(at)
                self._joined(at)
                if object_:
                    self._weak(at)
                self._self(at)
        chain.carried |= chain.marked - before

    def _set(self, at: int, new: str) -> None:
        self.chain.marked.add(at)
        self.chain.fixed[at] = new

    def _fitting(self, kind: str, *, plural: bool | None = None) -> dict[str, str]:
        chain, number = self.chain, self.chain.plural if plural is None else plural
        listed = [row for row in self.table if (row["kind"], row["number"]) == (kind, "sp"[number])]
        pairs = [(row["masculine"], row["feminine"]) for row in listed]
        return dict(pairs if chain.masculine else [(feminine, masculine) for masculine, feminine in pairs])

    def _stressed(self, at: int) -> None:
        chain, low = self.chain, self.chain.low(at)
        oblique = low[0] in "dn" or chain.has(at - 1, "preposition")
        oblique = oblique and not INFINITIVE.search(chain.low(at + 1))  # depois de ela ter
        new = (self.oblique if oblique else self.stressed).get(low)
        another = any(chain.low(i) == low for i in range(chain.head) if i not in chain.marked)  # elle a vu son amie
        if new is None or another or chain.has(at + 1, "impersonal"):
            return
        # chez lui, lui-même, sont ceux qui: whatever the source says
        sure = chain.has(at - 1, "home", "copula") or low.endswith(SELVES)
        if (sure and not self.rivals) or (chain.hints.taken_up and self._ours(at, subject=not oblique, free=True)):
            self._set(at, new)
            self._quantity(at - 1)
            chain.said(at + 1)

    def _quantity(self, at: int) -> None:
        """chacun d'eux, uno de ellos: the pronoun of which they are the whole, in the singular."""
        chain = self.chain
        while chain.has(at, "partitive") or chain.low(at) == "entre":
            at -= 1
        if chain.plural and chain.language.one(chain.low(at)) & chain.cells:
            chain.marked.add(at)
            chain.singular.add(at)

    def _of_them(self) -> None:
        """une d'elles: the pronoun that names the whole beside one that names the person."""
        chain, at = self.chain, self.chain.head + 1
        while chain.has(at, "partitive") or chain.low(at) == "entre":
            at += 1
        whole = self._fitting("oblique", plural=True).get(chain.low(at))
        if whole and chain.has(chain.head, "head_pronoun"):
            self._set(at, whole)

    def _joined(self, at: int) -> None:
        """le commissaire pourrait-il: in the noun's own clause its subject; peut-être est-il là: as other pronouns."""
        low, own = self.chain.low(at), "-" + self.chain.low(at).rpartition("-")[2]
        if own not in self.joined or low == own[1:]:
            return
        beside = self._boundary(at) is None and not self.chain.governed(self.chain.first)
        if beside or (self.chain.hints.taken_up and self._ours(at, subject=True, free=True)):
            self._set(at, low.removesuffix(own) + self.joined[own])

    def _weak(self, at: int) -> None:
        chain, low = self.chain, self.chain.low(at)
        if low in self.before_verb and self._object(at) and self._ours(at):
            self._set(at, self.before_verb[low])
            if low in self._fitting("clitic"):
                self._participle(at + 1)
        elif low == "l'" and chain.perfect(at + 1) and self._ours(at):
            self._participle(at + 1)
        for own, other in self.enclitic.items():
            stem = low.removesuffix(own)
            if stem == low or PAIR.search(stem):
                continue  # devolvérselo: the thing that is given back
            if (own[0] == "-" or HOST.search(stem)) and self._ours(at):
                self._set(at, stem + other)
                return

    def _participle(self, at: int) -> None:
        """li ha visti, l'ha vista: in Italian the participle agrees with the pronoun."""
        if self.chain.language.agrees_with_clitic and self.chain.perfect(at):
            self.chain.mark(self.chain.past_adverbs(at + 1))

    def _self(self, at: int) -> None:
        """a sí mismo, di se stesso"""
        mine = self.chain.has(at, "self") and self.chain.low(at - 1) in SELF
        if mine and not self.rivals and not self.no_subject:
            self.chain.mark(at)

    def _verb(self, at: int) -> bool:
        chain, low = self.chain, self.chain.low(at)
        if low.endswith(chain.language.not_after_clitic):
            return False
        known = chain.links(at) or chain.has(at, "have", "modal", "takes_object") or chain.language.verb(low)
        return known or low.endswith(chain.language.third_person_past)

    def _object(self, at: int) -> bool:
        """je veux le voir, et la consola: where every clause has a subject, an object is behind it or before an
        infinitive."""
        chain, after = self.chain, self.chain.low(at + 1)
        if chain.language.drops_subjects:
            return self._verb(at + 1)
        infinitive = after.endswith(INFINITIVES) and chain.has(at - 1, "before_infinitive", "preposition")
        return infinitive or (chain.has(at - 1, "before_object") and chain.kind(at + 1) is Kind.GUESS)

    def _ours(self, at: int, *, subject: bool = False, free: bool = False) -> bool:
        """Whether the pronoun can mean only this noun; `subject`: it may be its clause's subject; `free`: it is no
        verb's object, which alone cannot mean the verb's subject."""
        chain, begin = self.chain, self._boundary(at)
        if self.alone and chain.low(at) in POSSESSIVE and at > chain.last:
            return True  # a hipótese deles: it may mean its clause's subject
        if begin is None:
            return not subject and self._in_own_clause(at, free=free)
        if chain.joins(begin) and not self._own_subject(begin + 1, at):
            if any(begin < i < at for i in chain.fixed):
                return False  # e gli ha chiesto di aiutarlo: two persons
            if not subject:
                return self.no_subject and len(self.rivals) < 2 and max(self.rivals, default=0) <= chain.head
        if self.contradicted and not self.rivals:
            chain.unclear = at
        return self.alone

    def _in_own_clause(self, at: int, *, free: bool) -> bool:
        """per consultarla: in the noun's clause, behind a preposition; obligó a la criada a dejar de molestarlo, where
        another person between them acts."""
        chain, between = self.chain, range(self.chain.head + 1, at)
        if not any(chain.has(i, "preposition") for i in between):
            return False
        controlled = not self.rivals and any(chain.names(i) and i not in chain.marked for i in between)
        only = len(self.rivals) < 2 if self.no_subject else controlled
        if only and free and self.contradicted:
            chain.unclear = at  # pediu à vizinha para lavar o carro dela
            return False
        return only

    def _boundary(self, at: int) -> int | None:
        """What separates the pronoun's clause from the noun's; None where nothing does."""
        chain = self.chain
        ends = (
            i
            for i in range(at - 1, chain.head, -1)
            if chain.has(i, "joins", "subordinator", "relative") or chain.closes(i)
        )
        return next(ends, None)

    def _own_subject(self, begin: int, at: int) -> bool:
        """True when a noun phrase, or a name, opens the clause before the pronoun."""
        chain = self.chain
        begin = chain.past_adverbs(begin)
        if begin >= at or self._verb(begin) or self._verb(begin + 1):
            return False  # i va preparar el dinar per a ell
        named = chain.tokens[begin].text[:1].isupper() or chain.has(begin, "speaker", "one")
        return named or bool(chain.determiner(begin))
