"""What agrees with a person in French in ways of its own: pronouns as subjects, quantities, offices."""

from __future__ import annotations

import re

from evenhand.grammar.families.romance_chain import Chain

OF = frozenset({"de", "d'"})
MANY = frozenset("beaucoup peu nombre trop assez tant davantage plusieurs moins plus combien".split())
MOST = frozenset({"plupart", "nombre", "majorité", "moitié"})
PLURALS = frozenset("les ces des nos vos leurs mes tes ses".split())
SUBJECTS = frozenset("je j' tu il elle on nous vous ils elles".split())
OWN = {False: ("il", "elle"), True: ("ils", "elles")}  # by number: masculine, feminine
IMPERSONAL = frozenset("y faut fallait faudra faudrait pleut pleuvait neige s'agit semble semblait".split())
JOINED = re.compile(r"(.+['’-])(il|ils|elle|elles|eux|lui)$")
BEFORE_OBJECT = frozenset("je tu il elle on nous vous ils elles qui ne n' pour à de sans et".split())
BEFORE_INFINITIVE = frozenset(
    "veux veut voulons voulez veulent voulais voulait voudrais voudrait vais va allons allez vont allais allait peux "
    "peut pouvons pouvez peuvent pouvait pourrait dois doit devons devez doivent devait devrait faut aller vouloir "
    "pouvoir venir viens vient ose osa osait fait faire laisse laisser pas jamais".split()
)
HAVE = frozenset("ai as a avons avez ont avais avait avions aviez avaient aura auront aurait".split())
INFINITIVE = ("er", "ir", "re")
BETWEEN = frozenset({"d'", "de", "entre", "parmi"})
VERBAL = ("a", "ait", "it", "ut", "èrent", "aient", "irent")  # le salua
PAST = ("a", "èrent", "it", "irent", "ut", "urent")
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
        if not self.titled or not self.opened:
            self._pronouns()

    # -- words

    def of(self, at: int) -> int:
        return 0 if self.low(at) == "un" and self.low(at + 1) == "peu" else super().of(at)

    def names(self, at: int) -> int:
        infinitive = self.low(at).endswith("er") and self.has(at - 1, "modal")
        return (
            0 if infinitive or self._adjective_said(at) else super().names(at)
        )  # il était incompétent; peut supporter

    def _adjective_said(self, at: int) -> bool:
        """An adjective after a linking verb, though it may be a noun elsewhere."""
        before = at - 1
        while before > 0 and self.adverbial(before):
            before -= 1
        return self.links(before) and at != self.head and bool(self.adjective(at))

    def adverbial(self, at: int) -> bool:
        if self.low(at) in {"de", "en"} and self.low(at + 1) in {"plus", "moins"}:
            return True  # de plus en plus
        most = self.low(at) == "le" and self.low(at + 1) in {"plus", "moins", "mieux"}
        return (most and self.low(at + 2).endswith("ment")) or super().adverbial(at)  # le plus probablement

    def floating(self, at: int) -> bool:
        after = self.low(at + 1)
        single = self.low(at) in {"tout", "toute"}
        if self.determiner(at + 1) or (single and not self.links(at - 1)):
            return False  # à tous les niveaux, mettra tout en œuvre
        if single and (not after[0].isalpha() or self.adverbial(at + 1)):
            return False  # est tout particulièrement
        return self.has(at, "floating") and self.told(at)

    def governed(self, first: int) -> bool:
        return super().governed(first) or (self.low(first) == "des" and self._owned(first)) or self.as_such(first)

    def as_such(self, first: int) -> bool:
        return self.low(first - 2) == "tant" and self.low(first - 1) in THAT

    def _past_before(self, at: int) -> bool:
        return self.low(at - 1).endswith(PAST) or super()._past_before(at)  # écouta la voix et fut émue

    def _owned(self, at: int) -> bool:
        """les droits des citoyens: a noun before des, with its article and perhaps an adjective."""
        before = self.low(at - 1)
        adjective = (self.adjective(at - 1) and not self.names(at - 1)) or before.endswith("aux")
        return any(
            self.determiner(i - 1) and not self.language.function_word(self.low(i))
            for i in {at - 1, at - 1 - bool(adjective)}
            if i > 0
        )

    # -- the phrase

    def _quantified(self, first: int) -> int:
        self.titled = self._titled(first)
        return super()._quantified(first)

    def _titled(self, first: int) -> bool:
        """Monsieur le Président, M. le Président: marks the title."""
        place = first - 1
        if self.masculine and self.low(place) == "." and self.low(first - 2) == "m":
            place = first - 2
        title = place >= 0 and self.has(place, f"title_{self.gendered}")
        if title:
            self.marked.add(place)
        return title

    def _addressed(self, first: int) -> bool:
        self._each()
        return self.opened and self.titled

    def _many(self, first: int) -> bool:
        if first < 1:
            return False
        if self.low(first) == "des" and self.low(first - 1) in {"tous", "toutes"} and self.told(first - 1):
            self.marked.add(first - 1)  # ce sont toutes des criminelles
            return False
        if self.low(first - 1) in OF:
            return self.low(first - 2) in MANY
        return self.low(first) == "des" and self.low(first - 1) in MOST

    def acting(self, at: int) -> bool:
        after = self.low(at + 1)
        object_follows = bool(self.determiner(at + 1)) and after not in {"du", "des"}
        return self.low(at).endswith(("ant", "ants")) and (object_follows or after in THAT)

    def _trailing_place(self, end: int) -> tuple[int, bool] | None:
        """le chef d'État français, l'agent de police blessé: behind a noun without an article that makes one name of an
        office with the person's (role `office`) it is the person's; behind another, whether a word that can name a
        person is the person's is unclear: le vendeur de vin français."""
        at = end + 2
        bare = self.low(end) in OF and not self.determiner(end + 1)
        if not bare or at >= len(self.tokens) or not self.told(at) or self.determiner(at):
            return None
        if self.has(end + 1, "office"):
            return at, True
        may_name = any(self.forms.known.get(form, 0) for form in self.language.lookups(self.tokens[at].text))
        return (at, False) if may_name and not self.names(end + 1) else None

    def _inside_nominal(self, at: int) -> bool:
        return self.adverbial(at)  # la plus jeune femme

    # -- the clause

    def _opens_relative(self, at: int, *, subject: bool) -> bool:
        """Also with que, where the noun is a subject: then it cannot open what is said or thought."""
        return super()._opens_relative(at, subject=subject) or (subject and self.has(at, "object"))

    def _as_subject(self, opener: int) -> bool:
        return self.low(opener) == "qui"

    def _own_verb(self, opener: int, at: int) -> bool:
        return self.low(opener) != "qui" and self.low(at - 1) in SUBJECTS

    def _closed(self, at: int) -> int | None:
        if self.low(at) != "si" and not self.has(at, "subordinator"):
            return None
        after = next((i + 1 for i in range(at, len(self.tokens)) if self.low(i) == ","), len(self.tokens))
        return after if self.has(after, "modal") or self.links(after) else None

    def _as_nominal(self, at: int) -> bool:
        if super()._as_nominal(at):
            return True
        if not self.compares(at) or at + 1 >= len(self.tokens) or not self.told(at + 1) or not self.ends(at + 2):
            return False
        self.marked.add(at + 1)  # comme compétente
        return True

    def _special_complement(self, at: int) -> int | None:
        """sont en colère et fatiguées; est un ressortissant de, though no table knows it as a person."""
        if self.low(at) == "en" and self.joins(at + 2):
            return self.right(at + 2)
        if self.low(at) not in {"un", "une"} or not self.told(at) or not self.ends(at + 2):
            return None
        if not self.low(at + 1).endswith(("ant", "ante")) or not self.told(at + 1) or self.names(at + 1):
            return None
        self.marked.update({at, at + 1})
        return at + 2

    def said_of(self) -> bool:
        """ma grand-mère était voisine: the noun is said of another noun of its gender, which would have to change."""
        copula = self.back(self.first - 1)
        if not self.has(copula, "copula"):
            return False
        before = range(max(0, copula - 4), copula)
        return any(self.names(i) == self.column and self.low(i) != self.low(self.head) for i in before)

    # -- pronouns

    @property
    def _own(self) -> str:
        """The subject pronoun of the noun's gender and number."""
        return OWN[self.plural][0 if self.masculine else 1]

    def _others_before(self) -> bool:
        """si les États poursuivent les exportateurs, ils: another subject in the plural precedes ours."""
        before = (i for i in range(self.first) if i not in self.marked)
        return self.plural and any(self.low(i) in PLURALS and not self.governed(i) for i in before)

    def _single(self, at: int) -> bool:
        """il, elle, lui: only where the source takes a person up, or after chez; il faut means nobody."""
        low = self.low(at)
        if self.plural or not self.has(at, self.gendered):
            return False
        if self.has(at - 1, "home") or low.endswith("-même"):
            return True
        if any(self.low(i) == low for i in range(self.head) if i not in self.marked):
            return False  # elle a épousé une musicienne qu'elle avait rencontrée
        after = self.low(at + 1)
        alone = not after[0].isalpha() or self.language.function_word(after)  # de lui; not: de lui prêter
        stressed = low != "lui" or (alone and self.has(at - 1, "preposition"))
        return self.hints.taken_up and after not in IMPERSONAL and stressed

    def _pronouns(self) -> None:
        self._subject_pronoun()
        behind = range(self.head + 1, len(self.tokens))
        others = [i for i in range(len(self.tokens)) if i not in self.marked]
        rivals = [i for i in others if self.rival(i)]
        if self.plural:
            self._one_by_one()
        else:
            self._single_pronouns(rivals)
        if not self.governed(self.first):
            self._inverted_pronoun()
        if any(self.person(i) for i in others):
            return
        for at in behind:
            if self._joined_pronoun(at) and (self.plural or (not rivals and self.hints.taken_up)):
                self.marked.add(at)
            if self.low(at) in {"eux", "elles"} and at in self.marked:
                self._quantity(at - 1)

    def _single_pronouns(self, rivals: list[int]) -> None:
        """une d'elles; je l'ai vue"""
        if self.has(self.head, "head_pronoun"):
            self._of_them(self.head + 1)
        for at in range(self.head + 1, len(self.tokens)):
            ours = not rivals or (self.low(at - 1) in {"et", "puis"} and all(i < self.head for i in rivals))
            if ours and self._clitic(at):
                self._participle_of_clitic(at + 1)

    def _one_by_one(self) -> None:
        """une par une"""
        own = "un" if self.masculine else "une"
        for at in range(self.head + 1, len(self.tokens) - 2):
            if self.low(at) == own == self.low(at + 2) and self.low(at + 1) in {"par", "à"}:
                self.marked.update({at, at + 2})
                self.singular.update({at, at + 2})

    def _inverted_pronoun(self) -> None:
        """le commissaire pourrait-il"""
        for at in range(self.head + 1, len(self.tokens)):
            if self.low(at) == "," or not (self.low(at)[0].isalnum() or self.low(at)[0] == "'"):
                return
            if self._joined_pronoun(at) and "-" in self.low(at):
                self.marked.add(at)

    def _subject_pronoun(self) -> None:
        """il est (un) médecin, ils sont devenus avocats, est-il médecin ?: the pronoun of which the noun is said."""
        if self.governed(self.first):
            return
        at = self.back(self.first - 1)
        linked, became = False, set()
        while at >= 0 and (self.links(at) or self.has(at, "auxiliary")):
            linked = True
            if self.told(at) and self.has(at, "became"):
                became.add(at)
            at = self.back(at - 1)
        while at >= 0 and (self.has(at, "modal") or self.low(at) in BEFORE_INFINITIVE | {"n'", "ne"}):
            at -= 1
        own = self.low(at) == self._own
        if linked and own:
            self.marked.add(at)
        if linked and (own or (at >= 0 and self.tokens[at].text[:1].isupper())):
            self.marked |= became  # il est devenu, Tom est devenu; not: ma sœur est devenue
        if not linked and at >= 0 and self._joined_copula(at):
            self.marked.add(at)

    def _joined_copula(self, at: int) -> bool:
        """est-il, semble-t-elle"""
        verb = joined(self.low(at)) if self._joined_pronoun(at) else None
        stem = re.sub(r"(?:-t)?-$", "", verb[0]) if verb else ""
        return self.language.role(stem, "copula") or self.language.role(stem, "linking")

    def _each(self) -> None:
        """dont certaines étaient âgées"""
        for at in range(self.head + 1, len(self.tokens) - 2) if self.plural else ():
            some = self.has(at + 1, "one") and self.of(at + 1) & self.cells
            if self.low(at) == "dont" and self.low(at - 1) == "," and some and not self._noun(at + 2):
                self.marked.add(at + 1)
                if self.links(at + 2):
                    self.complement(at + 3)

    def _noun(self, at: int) -> bool:
        """A word that a determiner before it may belong to."""
        low = self.low(at)
        return low.isalpha() and not self.language.function_word(low) and not self.links(at)

    def _joined_pronoun(self, at: int) -> bool:
        """A word that ends in a pronoun of the noun's gender and number."""
        parts = joined(self.low(at))
        return parts is not None and parts[1] == self._own

    def _of_them(self, at: int) -> None:
        """une d'elles, aucune d'entre elles"""
        start = at
        while self.low(at) in BETWEEN:
            at += 1
        if at > start and self.low(at) == ("eux" if self.masculine else "elles"):
            self.marked.add(at)

    def _quantity(self, at: int) -> None:
        """chacun d'eux, aucun d'entre eux."""
        while at > 0 and self.low(at) in BETWEEN:
            at -= 1
        if self.has(at, "one") and self.of(at) & self.cells:
            self.marked.add(at)
            self.singular.add(at)

    def _clitic(self, at: int) -> bool:
        """le or la before its verb, where the source has him, her or them for a person and nothing for a thing."""
        low, before, after = self.low(at), self.low(at - 1), self.low(at + 1)
        if not self.hints.object or not self.hints.taken_up:
            return False
        if low == "l'":
            return after in HAVE and before in BEFORE_OBJECT
        led = before in BEFORE_OBJECT or (before in BEFORE_INFINITIVE and after.endswith(INFINITIVE))
        if low != ("le" if self.masculine else "la") or not led:
            return False
        known = self.language.noun(after).kind.value != "guess" and not after.endswith(INFINITIVE)
        bare = before in {"pour", "à", "de", "sans", "et"}
        verb = after.endswith(INFINITIVE) or (before == "et" and after.endswith(VERBAL) and not self.names(at + 1))
        if known or not after.isalpha() or (bare and not verb):
            return False
        self.clitics.add(at)
        return True

    def _participle_of_clitic(self, at: int) -> None:
        """l'a vue: it agrees with the object before it."""
        if self.low(at) in HAVE:
            step = self.past_adverbs(at + 1)
            if step < len(self.tokens) and (self.told(step) or self.loose(step)):
                self.marked.add(step)
