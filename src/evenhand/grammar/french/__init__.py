"""French: le/la decide common nouns, l' tells nothing, mon before a vowel neither, -e often tells."""

import re

from evenhand.grammar.base import DOTTED, HYPHENED
from evenhand.grammar.families.romance import Romance
from evenhand.grammar.families.romance_chain import THAT, Chain
from evenhand.grammar.protocol import FEMININE, MASCULINE, Token, shows_one_gender
from evenhand.tsv import words

DOTTED_WORD = re.compile(DOTTED)
BOTH_NUMBERS = re.compile(r"(?:[^l]eux|oux|faux|[^l]ois|[^aeiou]ais)$")  # one masculine form for both numbers
NO_ADJECTIVE = re.compile(
    r"(?:(?:i|e|ié|au)té|i[eè]re?|tion)s?$|(?:succédé|souri|menti|nui|téléphoné|ressemblé|suffi)$"
)
SURELY = ("ée", "euse", "ienne", "ière", "trice", "uelle", "relle", "ielle", "nelle")
VOWELS = frozenset("aeiouyhàâäéèêëîïôöùûüœæ")


OF = frozenset({"de", "d'", "des"})
OWN = {False: ("il", "elle"), True: ("ils", "elles")}  # by number: masculine, feminine
JOINED = re.compile(r"(.+['’-])(il|ils|elle|elles|eux|lui)$")


def joined(low: str) -> tuple[str, str] | None:
    """The parts of est-il, lorsqu'ils: what comes before, and the pronoun; None for other words."""
    parts = JOINED.match(low)
    return (parts[1], parts[2]) if parts else None


class FrenchChain(Chain):
    """See `Chain`; a clause always has a subject, so the person's own clause is never left out."""

    titled = False  # Monsieur le

    def _collect(self) -> None:
        super()._collect()
        if not self.governed(self.first) and not self.addressed():
            self._subject_pronoun()
        self._title_behind()

    def addressed(self) -> bool:
        """Madame la Présidente, merci: nothing else is said of her."""
        return self.titled and self.closes(self.last)

    def _title_behind(self) -> None:
        """le rapporteur, M. Langen; le rapporteur, notre collègue M. Langen"""
        title = f"title_{self.gendered}"
        at = next((i for i in range(self.last + 1, self.last + 4) if self.has(i, title)), self.last + 1)
        name = at + 1 + (self.low(at + 1) == ".")
        titled = self.low(self.last) == "," and self.has(at, title) and not self.titled
        if titled and name < len(self.tokens) and self.tokens[name].text[:1].isupper() and not self.names(name):
            self.mark(*range(self.last + 1, at))
            self.marked.add(at)

    # -- words

    def adverbial(self, at: int) -> bool:
        low, after = self.low(at), self.low(at + 1)
        if low in {"de", "en"} and after in {"plus", "moins"}:
            return True  # de plus en plus
        most = low == "le" and after in {"plus", "moins", "mieux"} and self.low(at + 2).endswith("ment")
        return most or super().adverbial(at)  # le plus probablement

    def floating(self, at: int) -> bool:
        if not self.has(at, "floating") or self.low(at).startswith("tout") != self.low(at).startswith("toutes"):
            return False  # mettra tout en œuvre
        return not self.determiner(at + 1) and self.agrees(at)  # not: à tous les niveaux

    def governed(self, first: int) -> bool:
        """At the beginning of a clause de, d' and des are articles: "D'autres coupables", "Des touristes"."""
        if self.low(first - 2) == "tant" and self.low(first - 1) in THAT:
            return True  # en tant que médecin: said of somebody else
        for at in (first - 1, first):
            if self.low(at) in OF and (self.low(at) != "des" or at == first or self.has(at, "preposition")):
                return self.low(at - 1)[0].isalnum() and not self.joins(at - 1)
        return super().governed(first)

    # -- the phrase

    def _left(self) -> int:
        """Also a title: Monsieur le Président, M. le Président."""
        first = super()._left()
        place = first - 2 if self.low(first - 1) == "." and self.low(first - 2) == "m" else first - 1
        self.titled = self.has(place, f"title_{self.gendered}")
        if self.titled:
            self.marked.add(place)
        return first

    def _trailing(self, end: int) -> int:
        """le chef d'État français, l'agent de police blessé: behind a noun without an article that makes one name of an
        office with the person's (role `office`); behind another it is unclear: le vendeur de vin français."""
        at = end + 2
        if self.low(end) not in {"de", "d'"} or self.determiner(end + 1) or not self.agrees(at) or self.determiner(at):
            return end
        if not self.has(end + 1, "office"):
            may_name = not self.names(end + 1) and self.language.columns(self.low(at))
            self.unclear = at if may_name else self.unclear
            return end
        self.marked.add(at)
        return self.right(at + 1)

    # -- the clause

    def _clause(self, at: int) -> None:
        both = self.low(at) == "les" and self.determiner(at + 1)  # tous les deux
        super()._clause(at + 2 if both else at)

    def _opens_relative(self, at: int) -> bool:
        """Also with que, where the noun is a subject: then it cannot open what is said or thought."""
        return super()._opens_relative(at) or (self.acts and self.has(at, "object"))

    def _as_subject(self, opener: int) -> bool:
        return self.low(opener) == "qui"

    def said_of(self) -> bool:
        """ma grand-mère était voisine, chacun est maître: the noun is said of another word of its gender, which would
        have to change."""
        copula = self.back(self.first - 1)
        before = range(max(0, copula - 4), copula)
        return self.has(copula, "copula") and any(self.names(i) == self.column or self._one_of(i) for i in before)

    def _one_of(self, at: int) -> bool:
        """A pronoun of the noun's gender, which is no article: chacun, celui qui."""
        cells = self.language.one(self.low(at)) if self.has(at, "head_pronoun") else 0
        return (
            shows_one_gender(cells) and bool(cells & self.cells) and not self.determiner(at) and at not in self.marked
        )

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
            if self.agrees(at):
                became.add(at)
            at = self.back(at - 1)
        while self.has(at, "modal", "negation", "before_infinitive"):
            at -= 1
        if linked and self.low(at) == self._own:
            self.marked |= {at} | became
        elif not linked and self._joined_pronoun(at):
            verb = re.sub(r"(?:-t)?-(?:ils?|elles?)$", "", self.low(at))  # est-il, semble-t-elle
            if self.language.has(verb, "copula") or self.language.has(verb, "linking"):
                self.marked.add(at)

    def _joined_pronoun(self, at: int) -> bool:
        """A word that ends in a pronoun of the noun's gender and number."""
        parts = joined(self.low(at))
        return parts is not None and parts[1] == self._own


class French(Romance):
    """mon, ton, son stand before feminine nouns that begin with a vowel: there the token's `low` is mon', son'."""

    code = "fr"
    name = "french"
    elides = True
    elides_of = True
    joins_pronouns = True
    either_number = re.compile(r"(?:[^e]|[èé]|i[eè])s$|.{0,4}es$|[xz]$|\d")  # temps, fois, pays, procès, prix
    drops_subjects = False
    four_endings = ("", "e", "s", "es")
    pairs_in_singular = True
    agrees_with_clitic = True
    sure_of_unlisted = 0.93
    chain = FrenchChain

    def __init__(self) -> None:
        super().__init__()
        self._aspirated = words(self.folder / "aspirated.tsv")  # le héros, but l'héroïne
        self.pattern = re.compile(rf"{DOTTED}(?!\w)|{self.pattern.pattern}")

    def tokens(self, text: str) -> list[Token]:
        found = super().tokens(text)
        for i in range(len(found) - 1):
            if found[i].low in {"mon", "ton", "son"} and found[i + 1].low[0] in VOWELS:
                found[i] = found[i]._replace(low=found[i].low + "'")
        return found

    def mute(self, word: str) -> bool:
        return word.startswith("h") and word not in self._aspirated

    def numbered_as(self, low: str, *, plural: bool, masculine: bool) -> bool:
        if masculine and (BOTH_NUMBERS.search(low) or self.has(low, "both_numbers")):
            return True
        return super().numbered_as(low, plural=plural, masculine=masculine)

    def open_number(self, low: str) -> bool:
        return low.endswith(("x", "fils")) or bool(BOTH_NUMBERS.search(low))  # nouveaux, furieux, suédois

    def verb_rather(self, low: str, shown: int) -> bool:
        """habite, chante, salue: an ending of feminine adjectives whose masculine no list knows is a verb's; voudrais,
        étudiais: no demonym that a table has."""
        if shown & MASCULINE or not low.endswith("e") or low.endswith(SURELY):
            return low.endswith("ais") and not self.lists(low)
        stem = low[:-1]
        doubled = stem[:-1] if stem[-1:] == stem[-2:-1] else stem
        return not any(
            form in self._stems or form in self._whole
            for form in (low, stem, doubled, f"{stem[:-1]}f", stem.replace("èr", "er"), f"{stem[:-1]}x", f"{doubled}c")
        )

    def adjective(self, low: str) -> int:
        """Not a quality, which ends as participles do: fermeté, immunité (invité is listed); nor concilier, matière."""
        return 0 if NO_ADJECTIVE.search(low) and not self.lists(low) else super().adjective(low)

    def both(self, text: str) -> bool:
        return bool(HYPHENED.fullmatch(text) or DOTTED_WORD.fullmatch(text)) or super().both(text)

    def main_verb(self, tokens: list[Token], at: int) -> bool:
        """The third person of a verb in -er ends like many a feminine: crie, démissionne, traite; not invitée."""
        low = tokens[at].low
        if not low.endswith("e") or low.endswith("ée") or self.lists(low) or self.modifier(low) & MASCULINE:
            return False
        return self.verbless(tokens, at + 1)

    def predicative(self, low: str) -> int:
        """A bare masculine noun ("est médecin") tells little in French; adjectives, participles and feminines do."""
        found = super().predicative(low)
        return found if found & FEMININE or self.modifier(low) else 0
