"""Pronouns of a Romance sentence that mean one noun's person: él, gli ha chiesto, la llamó, consultá-la.

A pronoun changes where nobody else of its gender and number is named; or, beside one other person, where it is no
subject and its clause goes on with the other person's verb: "El jefe vio al cajero y lo saludó" can mean only the
cashier, because a clause's object is not its own subject. All others stay as they are.

`tables/<language>/pronouns.tsv`: masculine, feminine, number (s, p), kind
    stressed    a word of its own, also after prepositions
    clitic      a direct object before its verb
    dative      an indirect object before its verb
    enclitic    what a verb's form ends in; a hyphen belongs to it
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from evenhand.mend.antecedents import Antecedents
from evenhand.mend.beside import STOPS
from evenhand.mend.roles import TABLES
from evenhand.tsv import rows

if TYPE_CHECKING:
    from evenhand.grammar.families.romance import Romance
    from evenhand.mend.agreeing import Agreement

OBJECT = re.compile(r"\b(?:him|her|them|himself|herself|themselves)\b", re.IGNORECASE)
THING = re.compile(r"\bit\b", re.IGNORECASE)
HOST = re.compile(
    r"(?:[aeiáéíô]r|ndo|[áéíóú]\w*[aeé])$|[áéêíô]$"
)  # what an enclitic hangs on, where there is no hyphen
PAIR = re.compile(r"(?:[mts]e|glie|[cv]e)$")
PAST = {"it": ("ò", "ì"), "es": ("ó",), "pt": ("ou", "eu", "iu")}  # third persons
INFINITIVE = re.compile(r"[aeiô]r$")  # in Portuguese it may have a subject of its own
SELF = frozenset({"sí", "sé", "si", "se"})


class Row(NamedTuple):
    masculine: str
    feminine: str
    plural: bool
    kind: str


def pronoun_rows(language: Romance) -> list[Row]:
    """The language's table; none where it has no such file."""
    listed = rows(TABLES / language.name / "pronouns.tsv")
    return [Row(row["masculine"], row["feminine"], row["number"] == "p", row["kind"]) for row in listed]


class Pronouns:
    """Marks them, for one noun, with the form that they get."""

    def __init__(self, agreement: Agreement, source: str, table: list[Row]) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens, self.table = agreement.language, agreement.tokens, table
        self.free: set[int] = set()  # no verb's object, which alone cannot mean the verb's subject
        self.object = bool(OBJECT.search(source)) and not THING.search(source)

    def mark(self) -> None:
        tokens = range(self.view.head + 1, len(self.tokens))
        if not self.agreement.taken_up and not any(self.roles.has(self.view.low(at), "self") for at in tokens):
            return
        antecedents = Antecedents(self.agreement)
        self.contradicted = antecedents.contradicted()
        self.stressed, self.enclitic = dict(self._fitting("stressed")), self._fitting("enclitic")
        self.before_verb = {kind: dict(self._fitting(kind)) for kind in ("clitic", "dative")}
        self.rivals, self.no_subject = antecedents.rivals(), antecedents.object(embedded=True)
        for at in tokens:
            if at in self.agreement.marked:
                continue
            self._stressed(at)
            if self.object:
                self._weak(at)
            self._self(at)

    def _set(self, at: int, new: str) -> None:
        self.agreement.marked.add(at)
        self.agreement.fixed[at] = new

    def _pair(self, row: Row) -> tuple[str, str]:
        return (row.masculine, row.feminine) if self.view.masculine else (row.feminine, row.masculine)

    def _fitting(self, kind: str) -> list[tuple[str, str]]:
        return [self._pair(row) for row in self.table if row.kind == kind and row.plural is self.view.plural]

    def _stressed(self, at: int) -> None:
        low = self.view.low(at)
        new = self.stressed.get(low)
        if new is None or not self.agreement.taken_up:
            return
        oblique = low[0] in "dn" or self.language.role(self.view.low(at - 1), "preposition")
        oblique = oblique and not INFINITIVE.search(self.view.low(at + 1))  # depois de ela ter
        self.free.add(at)
        if self._ours(at, subject=not oblique):
            self._set(at, new)
            self.agreement.said(at + 1)

    def _weak(self, at: int) -> None:
        view, low = self.view, self.view.low(at)
        for kind, forms in self.before_verb.items():
            new = forms.get(low)
            if new is not None and self._verb(at + 1) and self._ours(at, subject=False):
                self._set(at, new)
                if kind == "clitic":
                    self._participle(at + 1)
                return
        if low == "l'" and self.language.perfect(view.low(at + 1)) and self._ours(at, subject=False):
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
        if self.language.code == "it" and self.language.perfect(self.view.low(at)):
            step = self.view.past_adverbs(at + 1)
            if step < len(self.tokens) and self.view.told(step):
                self.agreement.marked.add(step)

    def _self(self, at: int) -> None:
        """a sí mismo, di se stesso"""
        view = self.view
        if self.roles.has(view.low(at), "self") and view.low(at - 1) in SELF and view.numbered(at):
            mine = view.of(at) & view.cells
            if mine and not self.rivals and not self.no_subject:
                self.agreement.marked.add(at)

    def _verb(self, at: int) -> bool:
        low = self.view.low(at)
        if self.language.code in {"pt", "ca"} and low.endswith(("r", "re")):
            return False  # a extrair; el llibre
        if self.language.perfect(low) or self.roles.has(low, "modal") or self.roles.links(low):
            return True
        if self.roles.has(low, "takes_object"):
            return True
        return self.language.verb(low) or low.endswith(PAST.get(self.language.code, ()))

    def _ours(self, at: int, *, subject: bool) -> bool:
        """Whether the pronoun can mean only this noun; `subject`: it may be its clause's subject."""
        begin = self._clause(at)
        if begin is None:  # the noun's own clause
            if subject or not self._infinitive(at):
                return False
            only = len(self.rivals) < 2 if self.no_subject else not self.rivals and self._controlled(at)
            free = at in self.free and self.contradicted  # pediu à vizinha para lavar o carro dela
            if only and free:
                self.agreement.unclear = at
            return only and not free
        goes_on = self.roles.joins(self.view.low(begin)) and not self._own_subject(begin + 1, at)
        if goes_on and any(begin < i < at for i in self.agreement.fixed):
            return False  # e gli ha chiesto di aiutarlo: two persons
        if not subject and goes_on:
            return self.no_subject and len(self.rivals) < 2 and all(i < self.view.head for i in self.rivals)
        if not self.rivals and self.contradicted:
            self.agreement.unclear = at
        return not self.rivals and not self.contradicted

    def _clause(self, at: int) -> int | None:
        """What separates the pronoun's clause from the noun's; None where nothing does."""
        for i in range(at - 1, self.view.head, -1):
            low = self.view.low(i)
            boundary = self.roles.joins(low) or low == "," or low[0] in STOPS
            if boundary or self.language.role(low, "subordinator") or self.language.role(low, "relative"):
                return i
        return None

    def _own_subject(self, begin: int, at: int) -> bool:
        """True when a noun phrase, or a name, opens the clause before the pronoun."""
        view = self.view
        begin = view.past_adverbs(begin)
        if begin >= at or self._verb(begin) or self._verb(begin + 1):
            return False  # i va preparar el dinar per a ell
        return self.tokens[begin].text[:1].isupper() or bool(self.language.determiner(view.low(begin)))

    def _controlled(self, at: int) -> bool:
        """obligó a la criada a dejar de molestarlo: another person between the noun and the pronoun acts."""
        between = range(self.view.head + 1, at)
        return any(self.view.names(i) and i not in self.agreement.marked for i in between)

    def _infinitive(self, at: int) -> bool:
        """per consultarla: a purpose after the noun."""
        return any(self.language.role(self.view.low(i), "preposition") for i in range(self.view.head + 1, at))
