"""Pronouns of a Romance sentence that mean one noun's person: él, gli ha chiesto, la llamó, consultá-la.

A pronoun changes where nobody else of its gender and number is named; or, beside one other person, where it is no
subject and its clause continues with the other person's verb: "El jefe vio al cajero y lo saludó" can mean only the
cashier, because a clause's object is not its own subject. All others stay as they are.

`grammar/<language>/pronoun_forms.tsv`: masculine, feminine, number (s, p), kind
    stressed    a word of its own, also after prepositions
    clitic      a direct object before its verb
    dative      an indirect object before its verb
    enclitic    what a verb's form ends in; a hyphen belongs to it
"""

from __future__ import annotations

import re
from typing import NamedTuple

from evenhand.grammar.families.romance import Romance
from evenhand.grammar.families.romance_chain import Chain
from evenhand.tsv import rows

HOST = re.compile(r"(?:[aeiáéíô]r|ndo|[áéíóú]\w*[aeé])$|[áéêíô]$")  # what an enclitic without a hyphen follows
PAIR = re.compile(r"(?:[mts]e|glie|[cv]e)$")
INFINITIVE = re.compile(r"[aeiô]r$")  # in Portuguese it may have a subject of its own
SELF = frozenset({"sí", "sé", "si", "se"})


class PronounForms(NamedTuple):
    masculine: str
    feminine: str
    plural: bool
    kind: str


def pronoun_forms(language: Romance) -> list[PronounForms]:
    """The language's table; none where it has no such file."""
    listed = rows(language.folder / "pronoun_forms.tsv")
    return [PronounForms(row["masculine"], row["feminine"], row["number"] == "p", row["kind"]) for row in listed]


class Pronouns:
    """Marks them in a chain, with the form that they get. `object`: the source has a pronoun for a person as object."""

    def __init__(self, chain: Chain, table: list[PronounForms]) -> None:
        self.chain, self.table = chain, table
        self.free: set[int] = set()  # no verb's object, which alone cannot mean the verb's subject
        self.stressed, self.enclitic = dict(self._fitting("stressed")), self._fitting("enclitic")
        self.before_verb = {kind: dict(self._fitting(kind)) for kind in ("clitic", "dative")}

    def mark(self, *, object_: bool) -> None:
        chain = self.chain
        places = range(chain.head + 1, len(chain.tokens))
        if not chain.hints.taken_up and not any(chain.has(at, "self") for at in places):
            return
        self.contradicted = chain.contradicted()
        self.rivals, self.no_subject = chain.rivals(), chain.is_object(embedded=True)
        for at in places:
            if at in chain.marked:
                continue
            self._stressed(at)
            if object_:
                self._weak(at)
            self._self(at)

    def _set(self, at: int, new: str) -> None:
        self.chain.marked.add(at)
        self.chain.fixed[at] = new

    def _fitting(self, kind: str) -> list[tuple[str, str]]:
        rows_ = (row for row in self.table if row.kind == kind and row.plural is self.chain.plural)
        pairs = ((row.masculine, row.feminine) for row in rows_)
        return list(pairs) if self.chain.masculine else [(feminine, masculine) for masculine, feminine in pairs]

    def _stressed(self, at: int) -> None:
        chain, low = self.chain, self.chain.low(at)
        new = self.stressed.get(low)
        if new is None or not chain.hints.taken_up:
            return
        oblique = low[0] in "dn" or chain.has(at - 1, "preposition")
        oblique = oblique and not INFINITIVE.search(chain.low(at + 1))  # depois de ela ter
        self.free.add(at)
        if self._ours(at, subject=not oblique):
            self._set(at, new)
            chain.said(at + 1)

    def _weak(self, at: int) -> None:
        chain, low = self.chain, self.chain.low(at)
        for kind, forms in self.before_verb.items():
            new = forms.get(low)
            if new is not None and self._verb(at + 1) and self._ours(at, subject=False):
                self._set(at, new)
                if kind == "clitic":
                    self._participle(at + 1)
                return
        if low == "l'" and chain.perfect(at + 1) and self._ours(at, subject=False):
            self._participle(at + 1)
        for own, other in self.enclitic:
            stem = low.removesuffix(own)
            if stem == low or PAIR.search(stem):
                continue  # devolvérselo: the thing that is given back
            if (own[0] == "-" or HOST.search(stem)) and self._ours(at, subject=False):
                self._set(at, stem + other)
                return

    def _participle(self, at: int) -> None:
        """li ha visti, l'ha vista: in Italian the participle agrees with the pronoun."""
        chain = self.chain
        if chain.language.agrees_with_clitic and chain.perfect(at):
            step = chain.past_adverbs(at + 1)
            if step < len(chain.tokens) and chain.told(step):
                chain.marked.add(step)

    def _self(self, at: int) -> None:
        """a sí mismo, di se stesso"""
        chain = self.chain
        mine = chain.has(at, "self") and chain.low(at - 1) in SELF and chain.numbered(at)
        if mine and chain.of(at) & chain.cells and not self.rivals and not self.no_subject:
            chain.marked.add(at)

    def _verb(self, at: int) -> bool:
        chain, low = self.chain, self.chain.low(at)
        if low.endswith(chain.language.not_after_clitic):
            return False
        if chain.perfect(at) or chain.links(at) or chain.has(at, "modal", "takes_object"):
            return True
        return chain.language.verb(low) or low.endswith(chain.language.third_person_past)

    def _ours(self, at: int, *, subject: bool) -> bool:
        """Whether the pronoun can mean only this noun; `subject`: it may be its clause's subject."""
        chain, begin = self.chain, self._boundary(at)
        if begin is None:
            return not subject and self._in_own_clause(at)
        goes_on = chain.joins(begin) and not self._own_subject(begin + 1, at)
        if goes_on and any(begin < i < at for i in chain.fixed):
            return False  # e gli ha chiesto di aiutarlo: two persons
        if not subject and goes_on:
            return self.no_subject and len(self.rivals) < 2 and all(i < chain.head for i in self.rivals)
        if not self.rivals and self.contradicted:
            chain.unclear = at
        return not self.rivals and not self.contradicted

    def _in_own_clause(self, at: int) -> bool:
        """per consultarla: in the noun's clause, behind a preposition."""
        chain = self.chain
        if not any(chain.has(i, "preposition") for i in range(chain.head + 1, at)):
            return False
        only = len(self.rivals) < 2 if self.no_subject else not self.rivals and self._controlled(at)
        free = at in self.free and self.contradicted  # pediu à vizinha para lavar o carro dela
        if only and free:
            chain.unclear = at
        return only and not free

    def _boundary(self, at: int) -> int | None:
        """What separates the pronoun's clause from the noun's; None where nothing does."""
        chain = self.chain
        for i in range(at - 1, chain.head, -1):
            if chain.joins(i) or chain.closes(i) or chain.has(i, "subordinator", "relative"):
                return i
        return None

    def _own_subject(self, begin: int, at: int) -> bool:
        """True when a noun phrase, or a name, opens the clause before the pronoun."""
        chain = self.chain
        begin = chain.past_adverbs(begin)
        if begin >= at or self._verb(begin) or self._verb(begin + 1):
            return False  # i va preparar el dinar per a ell
        return chain.tokens[begin].text[:1].isupper() or bool(chain.determiner(begin))

    def _controlled(self, at: int) -> bool:
        """obligó a la criada a dejar de molestarlo: another person between the noun and the pronoun acts."""
        chain = self.chain
        return any(chain.names(i) and i not in chain.marked for i in range(chain.head + 1, at))
