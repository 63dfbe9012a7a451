"""German: determiners by case, -in, compounds, nouns declined like adjectives (der/die Angestellte)."""

from __future__ import annotations

import re

from evenhand.grammar.base import LONGEST, BaseLanguage, fold
from evenhand.grammar.protocol import ANY, PLURAL, SINGULAR, Kind, Noun, Phrase, Predicate, Token, cells
from evenhand.remembered import remembered
from evenhand.tsv import words

# Endings of adjectives and of nouns declined like them. Weak and mixed after a determiner, strong without one.
WEAK = {
    "e": cells("m", "s", "n") | cells("fn", "s", "na"),
    "er": cells("m", "s", "n"),
    "es": cells("n", "s", "na"),
    "en": cells("m", "s", "gda") | cells("f", "s", "gd") | cells("n", "s", "gd") | cells("fmn", "p"),
    "em": cells("mn", "s", "d"),
}
STRONG = {
    "e": cells("f", "s", "na") | cells("fmn", "p", "na"),
    "er": cells("m", "s", "n") | cells("f", "s", "gd") | cells("fmn", "p", "g"),
    "es": cells("n", "s", "na"),
    "en": cells("m", "s", "ga") | cells("n", "s", "g") | cells("fmn", "p", "d"),
    "em": cells("mn", "s", "d"),
}
# Participles, which serve as nouns for persons: Studierende, Angestellte, Verletzte, Delegierte.
PARTICIPLE = r".{3,}end|.*ge(?!r)\w{2,}[tn]|\w*(?:be|ver|er|ent|zer)\w{3,}t|\w{2,}iert"
ENDING = r"(?P<ending>e|es|en|em)"
# Agents that only look like participles: Terroristen, Interessenten, but not Verreisten.
NO_PARTICIPLE = re.compile(
    r".*(?:(?<!e)iste?n?|[ae]nten?|ysten|auten|(?<!e)iten?|(?:interpr|po|proph|athl|ask|exeg)eten?)"
)
FEMININE_IN = re.compile(r".{2,}[^e\W]in(?:nen)?")
BOTH = re.compile(
    r"[a-zäöüß](?:[:*·•_]|/-?)(?:in|innen|frau|r|n)\b|[a-zß]In(?:nen)?\b|\(in(?:nen)?\)|\(inn\)en\b|[*:]r?$|/(?:die|der|eine|dem)$",
)
ABSTRACT = (
    "ung", "heit", "keit", "schaft", "tion", "ität", "ungen", "schaften", "tionen", "ik", "anz", "enz", "erei", "atur",
    "itur", "ismus",
)  # fmt: skip
AGENT = (
    "er", "ern", "ers", "ist", "isten", "ent", "enten", "ant", "anten", "or", "oren", "ors", "eur", "eure", "euren",
    "eurs", "ier", "iere", "ieren", "loge", "logen", "är", "äre", "ären", "nom", "nomen", "graf", "grafen", "urg",
    "urgen", "mann", "yst", "ysten", "iar", "iare",
)  # fmt: skip
MASCULINE = (
    "at", "aten", "ling", "soph", "and", "arch", "kt", "kten", "ot", "oten", "man", "boy", "ad", "aden", "ar", "are",
    "aren", "arn", "ese", "esen", "it", "iten", "et", "eten", "held", "helden", "knecht", "knechte", "ssen", "zosen",
    "bube", "hirte", "hirten", "erich",
)  # fmt: skip

RELATIVE = {
    "der": cells("m", "s", "n"),
    "den": cells("m", "s", "a"),
    "dem": cells("mn", "s", "d"),
    "dessen": cells("mn", "s", "g"),
    "die": cells("f", "s", "na") | cells("fmn", "p", "na"),
    "deren": cells("f", "s", "g") | cells("fmn", "p", "g"),
}
PLACES = frozenset(
    "an am ans auf aus bei beim bis durch für gegen im in ins mit nach über übers um vom von vor zu zum zur".split()
)
NOMINATIVE, DATIVE = cells(cases="n"), cells(cases="gd")


RELATIONAL = ("ische", "ischen")  # adjectives of fields and places: die Elektrische is no electrician
# Endings of case and number, and what stands in the dictionary instead.
INFLECTED = (
    ("innen", "in"), ("n", ""), ("en", ""), ("s", ""), ("es", ""), ("e", ""), ("er", ""), ("er", "e"), ("n", "r"),
    ("en", "er"), ("e", "er"), ("leute", "mann"), ("männer", "mann"), ("männern", "mann"), ("frauen", "frau"),
)  # fmt: skip


class German(BaseLanguage):
    """A compound is decided by its last part; -in is female, a noun in -ende, -te is common and its article decides."""

    code = "de"
    name = "german"
    family = "germanic"
    has_case = True
    capitalises_nouns = True
    article_overrides = False
    marks_women = True

    def __init__(self) -> None:
        super().__init__()
        # "-kraft" in the table matches Kraft and every compound that ends in it; longest part first.
        self._parts = {form.lstrip("-"): noun for form, noun in self._nouns.items()}
        for part in self._thing_words:
            if part.startswith("-"):
                self._parts.setdefault(part[1:], Noun(ANY, Kind.THING))
        self._longest = max(map(len, self._parts))
        self._written = words(self.things[0]) - self._nouns.keys()
        stems = sorted(words(self.folder / "adjectival.tsv"), key=len, reverse=True)
        whole = "|".join(stem[1:] for stem in stems if stem.startswith("="))
        listed = rf"\w*(?:{'|'.join(stem for stem in stems if not stem.startswith('='))})|{whole}"
        self._adjectival = re.compile(rf"(?:{listed}|{PARTICIPLE}){ENDING}")
        self._declined = re.compile(rf"(?:{listed}){ENDING}")
        self._collective = words(self.folder / "collective.tsv")
        self._dative = words(self.folder / "dative.tsv")
        self.noun = remembered(self.noun)  # type: ignore[method-assign]
        self.lookups = remembered(self.lookups)  # type: ignore[method-assign]

    def lookups(self, text: str) -> tuple[str, ...]:
        """Strips endings of case and number, and -er/-en/-e of adjectival nouns; adds the last part after a hyphen."""
        low = fold(text)
        if len(low) > LONGEST:
            return (low,)
        found = [low]
        for base in (low, low.rsplit("-", 1)[-1]) if "-" in low else (low,):
            found.append(base)
            for ending, repair in INFLECTED:
                if base.endswith(ending) and len(base) - len(ending) >= 3:
                    found.append(base[: len(base) - len(ending)] + repair)
            found += [form.replace("ä", "a", 1) for form in found[-6:] if "ä" in form]
            found += [form.replace("ö", "o", 1) for form in found[-6:] if "ö" in form]
        return tuple(dict.fromkeys(found))

    def modifier(self, low: str) -> int:
        for ending in ("em", "en", "er", "es", "e"):
            if low.endswith(ending) and len(low) > len(ending) + 2 and low not in self._functions:
                return WEAK[ending] | STRONG[ending]
        return 0

    def noun(self, text: str) -> Noun:
        low = fold(text)
        if len(low) > LONGEST:
            return Noun(ANY, Kind.GUESS)
        if low in self._written:
            return Noun(ANY, Kind.THING)  # Rat alone is a council or advice; Stadtrat may be a person
        listed = self._listed(low) or (self._listed(low[:-1]) if low.endswith("s") else None)
        for form in self.lookups(text)[1:]:
            listed = listed or self._nouns.get(form) or self._nouns.get(f"-{form}")  # things: Lehrer is no Lehre
        if listed:
            return listed
        if low in self._thing_words:
            return Noun(ANY, Kind.THING)
        if FEMININE_IN.fullmatch(low) and not low.endswith(("ein", "termin", "medizin", "magazin", "berlin")):
            return Noun(cells("f", "p" if low.endswith("innen") else "s"), Kind.SEXED)
        if low.endswith(ABSTRACT):
            return Noun(cells("f", "p" if low.endswith("en") else "s"), Kind.THING)
        adjectival = self._adjectival.fullmatch(low)
        if adjectival and (self._declined.fullmatch(low) or not NO_PARTICIPLE.fullmatch(low)):
            return Noun(WEAK[adjectival["ending"]] | STRONG[adjectival["ending"]], Kind.COMMON)
        if low.endswith(AGENT) and len(low) > 4:
            return Noun(cells("m"), Kind.SEXED)
        if low.endswith(RELATIONAL) and len(low) > 7:
            return Noun(ANY, Kind.THING)
        return self.guess(text)

    def guess(self, text: str) -> Noun:
        return Noun(cells("m"), Kind.GUESS) if fold(text).endswith(MASCULINE) else Noun(ANY, Kind.GUESS)

    def verbless(self, tokens: list[Token], at: int) -> bool:
        """Only nouns and function words follow: a verb would have no capital."""
        rest = [token for token in tokens[at:] if token.low[0].isalpha()]
        return all(token.text[0].isupper() or self.determiner(token.low) or token.low in PLACES for token in rest)

    def adjectival(self, low: str) -> bool:
        return bool(self._adjectival.fullmatch(low))

    def collective(self, low: str) -> bool:
        return low in self._collective

    def prenominal(self, low: str) -> int:
        return self.modifier(low) if low.endswith(("e", "er", "es", "en")) else 0

    def begins(self, low: str) -> bool:
        """German has one determiner a phrase: in "einer der Gäste" the first is a pronoun; all- is the exception."""
        return not low.startswith("all")

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        """An adjectival noun without any determiner has strong endings: "als Angestellte" is a woman, never a man."""
        cells_ = phrase.cells & noun.cells
        determiners = [token.low for token in tokens[phrase.first : phrase.head] if self.determiner(token.low)]
        if noun.kind is Kind.COMMON:
            adjectival = self._adjectival.fullmatch(tokens[phrase.head].low)
            if adjectival:
                cells_ = phrase.cells & (WEAK if determiners else STRONG)[adjectival["ending"]]
        if determiners and determiners[-1] in {"der", "dieser", "jener"} and cells_ & DATIVE and cells_ & NOMINATIVE:
            # "der CEO": a man as subject, a woman in the dative or genitive.
            before = tokens[phrase.first - 1] if phrase.first else None
            oblique = before is not None and (before.low in self._dative or before.text[:1].isupper())
            cells_ &= DATIVE if oblique and phrase.first > 1 else NOMINATIVE
        return cells_

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The relative pronoun after the noun's comma: "den Extrovertierten, der", "Moreno, die"."""
        at = phrase.last + 1
        if at + 1 >= len(tokens) or tokens[phrase.last].low != ",":
            return None
        numbers = (phrase.cells & SINGULAR and SINGULAR) | (phrase.cells & PLURAL and PLURAL)
        mask = RELATIVE.get(tokens[at].low, 0) & numbers
        return Predicate(at, mask) if mask else None

    def both(self, text: str) -> bool:
        return bool(BOTH.search(text))

    def _listed(self, low: str) -> Noun | None:
        for size in range(min(len(low), self._longest), 2, -1):
            noun = self._parts.get(low[-size:])
            # A short part may end a longer word by chance (Automat, Heirat): whole words and parts of 4 letters count.
            if noun and (size == len(low) or size >= 4):
                return noun
        return None
