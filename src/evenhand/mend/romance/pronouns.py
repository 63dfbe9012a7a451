"""Pronouns of a Romance sentence that mean one noun's person: él, gli ha chiesto, la llamó, consultá-la.

A pronoun changes where nobody else of its gender and number is named; or, beside one other person, where it is no
subject and its clause continues with the other person's verb: "El jefe vio al cajero y lo saludó" can mean only the
cashier, because a clause's object is not its own subject. All others stay as they are.

A person may also be named by a pronoun alone (those, all, one of them). `grammar/<language>/pronoun_heads.tsv`: english
(words), masculine, feminine (their renderings).

`grammar/<language>/pronoun_forms.tsv`: masculine, feminine, number (s, p), kind
    stressed    a word of its own, also after prepositions
    clitic      a direct object before its verb
    dative      an indirect object before its verb
    enclitic    what a verb's form ends in; a hyphen belongs to it
"""

from __future__ import annotations

import re
from typing import NamedTuple

from evenhand.gender import Gender
from evenhand.grammar.families.romance import Romance
from evenhand.grammar.families.romance_chain import Chain
from evenhand.grammar.protocol import Token
from evenhand.mend.rewriting import Named
from evenhand.tsv import rows

HOST = re.compile(r"(?:[aeiáéíô]r|ndo|[áéíóú]\w*[aeé])$|[áéêíô]$")  # what an enclitic without a hyphen follows
PAIR = re.compile(r"(?:[mts]e|glie|[cv]e)$")
INFINITIVE = re.compile(r"[aeiô]r$")  # in Portuguese it may have a subject of its own
PLURALS = frozenset("les ces des nos vos leurs mes tes ses".split())
ALWAYS = frozenset("ils elles eux ceux celles celui celle chacun chacune".split())
SINGLE = frozenset("un une celui celle chacun chacune aucun aucune".split())
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
        self.stressed, self.enclitic = self._fitting("stressed"), self._fitting("enclitic")
        self.before_verb = self._fitting("clitic") | self._fitting("dative")

    def mark(self, *, object_: bool) -> None:
        chain = self.chain
        places = [i for i in range(chain.head + 1, len(chain.tokens)) if i not in chain.marked]
        if not chain.hints.taken_up and not any(chain.has(at, "self") for at in places):
            return
        self.contradicted = chain.contradicted()
        self.rivals, self.no_subject = chain.rivals(), chain.is_object(embedded=True)
        for at in places:
            if at not in chain.marked:
                self._stressed(at)
                if object_:
                    self._weak(at)
                self._self(at)

    def _set(self, at: int, new: str) -> None:
        self.chain.marked.add(at)
        self.chain.fixed[at] = new

    def _fitting(self, kind: str) -> dict[str, str]:
        chain = self.chain
        pairs = [(row.masculine, row.feminine) for row in self.table if (row.kind, row.plural) == (kind, chain.plural)]
        return dict(pairs if chain.masculine else [(feminine, masculine) for masculine, feminine in pairs])

    def _stressed(self, at: int) -> None:
        chain, low = self.chain, self.chain.low(at)
        if low not in self.stressed or not chain.hints.taken_up:
            return
        oblique = low[0] in "dn" or chain.has(at - 1, "preposition")
        oblique = oblique and not INFINITIVE.search(chain.low(at + 1))  # depois de ela ter
        if self._ours(at, subject=not oblique, free=True):
            self._set(at, self.stressed[low])
            chain.said(at + 1)

    def _weak(self, at: int) -> None:
        chain, low = self.chain, self.chain.low(at)
        if low in self.before_verb and self._verb(at + 1) and self._ours(at):
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

    def _ours(self, at: int, *, subject: bool = False, free: bool = False) -> bool:
        """Whether the pronoun can mean only this noun; `subject`: it may be its clause's subject; `free`: it is no
        verb's object, which alone cannot mean the verb's subject."""
        chain, begin = self.chain, self._boundary(at)
        if begin is None:
            return not subject and self._in_own_clause(at, free=free)
        goes_on = chain.joins(begin) and not self._own_subject(begin + 1, at)
        if goes_on and any(begin < i < at for i in chain.fixed):
            return False  # e gli ha chiesto di aiutarlo: two persons
        if not subject and goes_on:
            return self.no_subject and len(self.rivals) < 2 and all(i < chain.head for i in self.rivals)
        if not self.rivals and self.contradicted:
            chain.unclear = at
        return not self.rivals and not self.contradicted

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
        return chain.tokens[begin].text[:1].isupper() or bool(chain.determiner(begin))


class PronounHeads:
    """Finds the pronoun that renders an English one; empty for languages without a table."""

    def __init__(self, language: Romance) -> None:
        self.language = language
        self._words: dict[str, dict[str, Gender]] = {}
        for row in rows(language.folder / "pronoun_heads.tsv"):
            for english in row["english"].split():
                known = self._words.setdefault(english, {})
                for side, gender in (("masculine", Gender.MALE), ("feminine", Gender.FEMALE)):
                    known.update((word, gender) for word in row[side].split())

    def spot(self, focus: str, tokens: list[Token]) -> Named | None:
        """None where no word, or words of both genders, may render the focus, or where another noun in the plural
        stands before "they" that it may mean."""
        forms = self._words.get(focus.casefold(), {})
        places = [i for i, token in enumerate(tokens) if token.low in forms and self._alone(tokens, i)]
        genders = {forms[tokens[i].low] for i in places}
        if len(genders) != 1 or len({tokens[i].low for i in places}) != 1:
            return None
        low = tokens[places[0]].low
        if low in {"ils", "elles", "eux"} and any(token.low in PLURALS for token in tokens[: places[0]]):
            return None
        return Named(places[0], genders.pop(), low not in SINGLE)

    def _alone(self, tokens: list[Token], at: int) -> bool:
        """No article of a noun that follows: tous, tous les deux; not tous les invités."""
        low = tokens[at].low
        after, second = ([token.low for token in tokens[at + 1 : at + 3]] + [".", "."])[:2]
        if low in ALWAYS or after == "les":
            return after != "les" or second in {"deux", "trois", "quatre"}
        if low in {"un", "une"}:
            return after in {"de", "d'", "des", "."}
        return (self.language.function_word(after) or not after[0].isalpha()) and not self.language.determiner(after)
