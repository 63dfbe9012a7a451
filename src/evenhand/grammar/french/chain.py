"""What agrees with a person in French in ways of its own: pronouns as subjects, quantities, offices."""

from __future__ import annotations

import re

from evenhand.grammar.families.romance_chain import Chain

OF = frozenset({"de", "d'", "des"})
PLURALS = frozenset("les ces des nos vos leurs mes tes ses".split())
OWN = {False: ("il", "elle"), True: ("ils", "elles")}  # by number: masculine, feminine
IMPERSONAL = frozenset("y faut fallait faudra faudrait pleut pleuvait neige s'agit semble semblait".split())
JOINED = re.compile(r"(.+['’-])(il|ils|elle|elles|eux|lui)$")
SUBJECTS = frozenset("je j' tu il elle on nous vous ils elles".split())
BEFORE_OBJECT = SUBJECTS | {"qui", "ne", "n'", "et"}
INFINITIVE = ("er", "ir", "re")
BETWEEN = frozenset({"d'", "de", "entre", "parmi"})
THAT = frozenset({"que", "qu'"})


def joined(low: str) -> tuple[str, str] | None:
    """The parts of est-il, lorsqu'ils: what comes before, and the pronoun; None for other words."""
    parts = JOINED.match(low)
    return (parts[1], parts[2]) if parts else None


class FrenchChain(Chain):
    """See `Chain`; a clause always has a subject, so the person's own clause is never left out."""

    titled = False  # Monsieur le

    def _collect(self) -> None:
        super()._collect()
        if not self.governed(self.first) and not (self.titled and self.opened):
            self._subject_pronoun()

    # -- words

    def names(self, at: int) -> int:
        """None where an adjective follows a linking verb, though it may be a noun elsewhere: il était incompétent."""
        columns = super().names(at)
        said = columns and at != self.head and self.adjective(at) and self.links(self.back(at - 1))
        return 0 if said else columns

    def adverbial(self, at: int) -> bool:
        low, after = self.low(at), self.low(at + 1)
        if low in {"de", "en"} and after in {"plus", "moins"}:
            return True  # de plus en plus
        most = low == "le" and after in {"plus", "moins", "mieux"} and self.low(at + 2).endswith("ment")
        return most or super().adverbial(at)  # le plus probablement

    def floating(self, at: int) -> bool:
        if not self.has(at, "floating") or self.low(at).startswith("tout") != self.low(at).startswith("toutes"):
            return False  # mettra tout en œuvre
        return not self.determiner(at + 1) and self.told(at)  # not: à tous les niveaux

    def governed(self, first: int) -> bool:
        """At the beginning of a clause de, d' and des are articles: "D'autres coupables", "Des touristes"."""
        if self.low(first - 2) == "tant" and self.low(first - 1) in THAT:
            return True  # en tant que médecin: said of somebody else
        for at in (first - 1, first):
            if self.low(at) in OF and (self.low(at) != "des" or at == first or self.has(at, "preposition")):
                return self.low(at - 1)[0].isalnum() and not self.joins(at - 1)
        return super().governed(first)

    def _past_before(self, at: int) -> bool:
        """écouta la voix et fut émue"""
        return self.low(at - 1).endswith(self.language.third_person_past) or super()._past_before(at)

    # -- the phrase

    def _left(self) -> int:
        """Also a title: Monsieur le Président, M. le Président."""
        first = super()._left()
        place = first - 2 if self.low(first - 1) == "." and self.low(first - 2) == "m" else first - 1
        self.titled = self.has(place, f"title_{self.gendered}")
        if self.titled:
            self.marked.add(place)
        return first

    def follows(self, at: int) -> bool:
        """Not a participle with its object, which has one form: portant un sac."""
        object_follows = self.determiner(at + 1) and self.low(at + 1) not in {"du", "des"}
        acting = self.low(at).endswith(("ant", "ants")) and (object_follows or self.low(at + 1) in THAT)
        return not acting and super().follows(at)

    def _trailing(self, end: int) -> int:
        """le chef d'État français, l'agent de police blessé: behind a noun without an article that makes one name of an
        office with the person's (role `office`); behind another it is unclear: le vendeur de vin français."""
        at = end + 2
        if self.low(end) not in {"de", "d'"} or self.determiner(end + 1) or not self.told(at) or self.determiner(at):
            return end
        if not self.has(end + 1, "office"):
            may_name = not self.names(end + 1) and self.language.columns(self.low(at))
            self.unclear = at if may_name else self.unclear
            return end
        self.marked.add(at)
        return self.right(at + 1)

    def _apposition(self, step: int) -> int | None:
        before, end = set(self.marked), self.nominal(step)
        if end is None:
            return None
        while not self.closes(end):
            if self.has(end, "copula", "modal", "have"):
                self.marked = before  # après le dentiste, mon frère s'est senti mal
                return None
            end += 1
        return end + (self.low(end) == ",")

    # -- the clause

    def _clause(self, at: int) -> None:
        if self.titled and self.opened:
            return  # Madame la Présidente, merci
        both = self.low(at) == "les" and self.determiner(at + 1)  # tous les deux
        super()._clause(at + 2 if both else at)

    def _opens_relative(self, at: int, *, subject: bool) -> bool:
        """Also with que, where the noun is a subject: then it cannot open what is said or thought."""
        return super()._opens_relative(at, subject=subject) or (subject and self.has(at, "object"))

    def _own_verb(self, opener: int, at: int) -> bool:
        return self.low(opener) != "qui" and self.low(at - 1) in SUBJECTS

    def _as_subject(self, opener: int) -> bool:
        return self.low(opener) == "qui"

    def said_of(self) -> bool:
        """ma grand-mère était voisine: the noun is said of another noun of its gender, which would have to change."""
        copula = self.back(self.first - 1)
        before = range(max(0, copula - 4), copula)
        return self.has(copula, "copula") and any(self.names(i) == self.column for i in before)

    # -- pronouns

    @property
    def _own(self) -> str:
        """The subject pronoun of the noun's gender and number."""
        return OWN[self.plural][0 if self.masculine else 1]

    def _subject_pronoun(self) -> None:
        """il est (un) médecin, ils sont devenus avocats, est-il médecin ?: the pronoun of which the noun is said."""
        at = self.back(self.first - 1)
        linked, became = False, set()
        while self.links(at) or self.has(at, "auxiliary"):
            linked = True
            if self.told(at):
                became.add(at)
            at = self.back(at - 1)
        while self.has(at, "modal", "negation", "before_infinitive"):
            at -= 1
        if linked and self.low(at) == self._own:
            self.marked |= {at} | became
        elif not linked and self._joined_pronoun(at):
            verb = re.sub(r"(?:-t)?-(?:ils?|elles?)$", "", self.low(at))  # est-il, semble-t-elle
            if self.language.role(verb, "copula") or self.language.role(verb, "linking"):
                self.marked.add(at)

    def _joined_pronoun(self, at: int) -> bool:
        """A word that ends in a pronoun of the noun's gender and number."""
        parts = joined(self.low(at))
        return parts is not None and parts[1] == self._own
