"""German: determiners by case, -in, compounds, nouns declined like adjectives (der/die Angestellte)."""

import re
from collections.abc import Iterator
from functools import cached_property

from evenhand.grammar.base import LONGEST, fold
from evenhand.grammar.families.germanic import Germanic
from evenhand.grammar.german.paradigms import CASES, ENDINGS, Declension, Nouns, Table, listed_words
from evenhand.grammar.german.syntax import Syntax
from evenhand.grammar.lexicon import Column
from evenhand.grammar.protocol import (
    ANY,
    FEMININE,
    MASCULINE,
    NEUTER,
    PLURAL,
    SINGULAR,
    Kind,
    Noun,
    Phrase,
    Predicate,
    Token,
    cells,
    open_gender,
    shows_one_gender,
)
from evenhand.grammar.sentence import Link, Sentence, Word
from evenhand.tsv import words

# Participles, which serve as nouns for persons: Studierende, Angestellte, Verletzte, Delegierte.
PARTICIPLE = r".{3,}end|.*ge(?!r)\w{2,}[tn]|\w*(?:be|ver|er|ent|zer)\w{3,}t|\w{2,}iert"
ENDING = r"(?P<ending>e|es|en|em)"
# Agents that only look like participles: Terroristen, Interessenten, but not Verreisten.
NO_PARTICIPLE = re.compile(
    r".*(?:(?<!e)iste?n?|[ae]nten?|ysten|auten|(?<!e)iten?|(?:interpr|po|proph|athl|ask|exeg)eten?)"
)
FEMININE_IN = re.compile(r".{2,}[^e\W]in(?:nen)?")
BOTH = re.compile(
    r"[a-zäöüß](?:[:*·•_]|/-?)(?:in|innen|frau|e|r|n)\b|[a-zß]In(?:nen)?\b|\(in(?:nen)?\)|\(inn\)en\b|[*:]r?$|/(?:[Dd]ie|[Dd]er|[Ee]ine|[Dd]em)$"
    r"|([A-ZÄÖÜ]\w{3,}?)\w{0,2}/\1\w*in(?:nen)?$",  # Pathologe/Pathologin
)
NOMINATIVE, DATIVE = cells(cases="n"), cells(cases="gd")


class German(Germanic):
    """A compound is decided by its last part; -in is female, a noun in -ende, -te is common and its article decides."""

    code = "de"
    name = "german"
    closed = ("coordinator", "either", "nominative", "nonsubject", "singular")
    has_case = True
    capitalises_nouns = True
    predicates_agree = False
    article_overrides = False

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
        self._endings = listed_words(self.folder / "endings.tsv")
        self.declension = Declension(self.folder / "declension.tsv")
        self.articles = Table(self.folder / "determiners.tsv")
        self.relatives = Table(self.folder / "pronouns.tsv", kind="relative")
        self.personal = Table(self.folder / "pronouns.tsv", kind="personal")
        pronouns = (pair for pair in self.personal.cells.items() if pair[0] not in self._determiners)
        self._pronouns = {form: mask for form, mask in pronouns if not mask & NEUTER}

    def stems(self, base: str) -> list[str]:
        """Without endings of case and number, with or without an umlaut. What has a form in -erin is no adjective:
        Angestellte belongs to Angestellter, Benutze and Wählen to no Benutzer or Wähler."""
        known, found = self.persons.known, super().stems(base)
        found = [f for f in found if not f.endswith("er") or base.startswith(f) or f"{f}in" not in known]
        return found + [form.replace(a, b, 1) for a, b in ("äa", "öo") for form in (base, *found) if a in form]

    def modifier(self, low: str) -> int:
        for end in ENDINGS:
            if low.endswith(end) and len(low) > len(end) + 2 and low not in self._functions:
                return self.declension.weak[end] | self.declension.strong[end]
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
        noun = listed or self._by_ending(low)
        head = low.rpartition("-")[2]
        thing = noun.kind is Kind.GUESS and head != low and self.noun(head).kind in {Kind.GUESS, Kind.THING}
        return Noun(noun.cells, Kind.THING) if thing else noun  # Benutzer-ID

    def _by_ending(self, low: str) -> Noun:
        if low in self._thing_words:
            return Noun(ANY, Kind.THING)
        if FEMININE_IN.fullmatch(low):
            return Noun(cells("f", "p" if low.endswith("innen") else "s"), Kind.SEXED)
        if low.endswith(self._endings["abstract"]):
            return Noun(cells("f"), Kind.THING)
        adjectival = self._adjectival.fullmatch(low)
        if adjectival and (self._declined.fullmatch(low) or not NO_PARTICIPLE.fullmatch(low)):
            return Noun(self.modifier(low), Kind.COMMON)
        if low.endswith(self._endings["person"]) and len(low) > 4:
            return Noun(cells("m"), Kind.SEXED)
        if low.endswith(self._endings["field"]) and len(low) > 7:
            return Noun(ANY, Kind.THING)
        return self.guess(low)

    def guess(self, text: str) -> Noun:
        return Noun(MASCULINE if fold(text).endswith(self._endings["masculine"]) else ANY, Kind.GUESS)

    @cached_property
    def nouns(self) -> Nouns:
        """Nouns for persons in both genders."""
        return Nouns(self.folder, self.persons.known)

    def own_phrase(self, tokens: list[Token], first: int, last: int, number: int) -> Phrase | None:
        mask = self._determiners.get(tokens[first - 1].low, 0) if first else 0
        if not mask or (first > 1 and tokens[first - 2].low in self._determiners):
            return super().own_phrase(tokens, first, last, number)
        cells_ = number & mask  # the way of most nouns, which detection takes for every row: der Arzt
        return Phrase(first - 1, last, first, cells_ or mask, (first - 1,) if not open_gender(cells_) else ())

    def attributes(self, tokens: list[Token], head: int) -> tuple[list[int], list[int]]:
        if head and self.has(tokens[head - 1].low, "title"):  # der Frau Präsidentin
            return [head - 2] if head > 1 and self.determines(tokens, head - 2) else [], []
        return super().attributes(tokens, head)

    def doubles(self, tokens: list[Token], at: int) -> bool:
        low, after = tokens[at].low, tokens[at + 1].low
        if not self.determiner(low) & self.determiner(after):
            return False
        return low.startswith("all") or bool(self.articles.lemmas.get(low)) > bool(self.articles.lemmas.get(after))

    def attributive(self, tokens: list[Token], at: int) -> bool:
        token = tokens[at]
        if not self.modifier(token.low):
            return False
        if not token.text[0].isupper():
            return True
        if token.low.endswith("er"):  # der Braunschweiger Biologe; not der Lehrer
            return not self.nouns.column(token.low)
        return not at or token.low.endswith(("ische", "ischen", "isches")) or self.ordinal(token.low)

    def surely_attributive(self, tokens: list[Token], at: int) -> bool:
        low, before = tokens[at].low, tokens[at - 1].low if at else "."
        if tokens[at].text[0].isupper():
            return self.ordinal(low) if at else not low.endswith("er")  # Erster Sekretär; Stoner: a name
        if low.endswith("en"):
            return before in {"als", "wie"} or self._in_dative(tokens, at - 1)
        if low.endswith("te") and low not in self._endings["ordinal"]:  # not: sagte Lehrerin Meier
            follows = before in {"als", "wie", "und"} or self.governs(before) or not before.isalpha()
            return bool(follows) or any(self.has(before, role) for role in ("copula", "singular", "plural"))
        return not low.endswith("e") or before != "ich"

    def _in_dative(self, tokens: list[Token], at: int) -> bool:
        """mit (fast immer) neuen Mitarbeitern"""
        while at > 0 and self.qualifies(tokens, at):
            at -= 1
        return "d" in self.governs(tokens[at].low)

    def between(self, tokens: list[Token], at: int, head: int) -> bool:
        """Also der Yoga Lehrer, die super Lehrerin; not in ihrer Jugend Ingenieurin."""
        if super().between(tokens, at, head) or self._truncated(tokens, at):
            return True
        if not at or not self.determiner(tokens[at - 1].low) & self.noun(tokens[head].text).cells:
            return False
        if not tokens[at].text[0].isupper():
            return self.qualifies(tokens, at) and tokens[at].low != "paar"
        governed = at > 1 and bool(self.governs(tokens[at - 2].low))
        return self.noun(tokens[at].text).kind is Kind.GUESS and not governed

    def _truncated(self, tokens: list[Token], at: int) -> bool:
        """News- und Politikredakteur"""
        hyphen = next((i for i in (at - 1, at, at + 1) if tokens[i].low == "-"), 0)
        return hyphen > 0 and self.has(tokens[hyphen + 1].low, "coordinator")

    def ordinal(self, low: str) -> bool:
        return low.rstrip("nrs") in self._endings["ordinal"]

    def adjectival(self, low: str) -> bool:
        return bool(self._adjectival.fullmatch(low))

    def prenominal(self, low: str, *, inside: bool = True) -> int:
        return self.modifier(low) if low.endswith(("e", "er", "es", "en")) else 0

    def begins(self, low: str) -> bool:
        """German has one determiner a phrase: in "einer der Gäste" the first is a pronoun; all- is the exception."""
        return not low.startswith("all")

    def agree(self, tokens: list[Token], phrase: Phrase, noun: Noun) -> int:
        """An adjectival noun without any determiner has strong endings: "als Angestellte" is a woman, never a man."""
        cells_ = phrase.cells & noun.cells
        determiners = [token.low for token in tokens[phrase.first : phrase.head] if self.determiner(token.low)]
        if noun.kind is Kind.COMMON and self.adjectival(tokens[phrase.head].low):
            cells_ = phrase.cells & self.declined(tokens[phrase.head].low, strong=not determiners)
        if determiners and determiners[-1] in {"der", "dieser", "jener"} and cells_ & DATIVE and cells_ & NOMINATIVE:
            # "der CEO": a man as subject, a woman in the dative or genitive.
            before = tokens[phrase.first - 1] if phrase.first else None
            governed = before is not None and bool({*self.governs(before.low)} & {*"gd"})
            owned = before is not None and phrase.first > 1 and before.text[:1].isupper()  # das Büro der CEO
            cells_ &= DATIVE if governed or owned else NOMINATIVE
        return cells_

    def predicate(self, tokens: list[Token], phrase: Phrase) -> Predicate | None:
        """The relative pronoun after the noun's comma: "den Extrovertierten, der", "Moreno, die"."""
        at = phrase.last + 1
        if at + 1 >= len(tokens) or tokens[phrase.last].low != ",":
            return None
        numbers = sum(number for number in (SINGULAR, PLURAL) if phrase.cells & number)
        mask = self.relatives.cells.get(tokens[at].low, 0) & numbers
        return Predicate(at, mask) if mask & (FEMININE | MASCULINE) else None

    # -- the chain of a person

    def genders_of(self, token: Token) -> str:
        """f, m or both for a noun for persons that the tables know, by its dictionary form or by its kind."""
        if not token.text[:1].isupper() or self.noun(token.text).kind is Kind.THING:
            return ""  # Flugzeuge: of no Zeuge
        if self.noun(token.text).kind is Kind.COMMON and self.adjectival(token.low):
            return "fm"
        return {Column.FEMALE: "f", Column.MALE: "m"}.get(self.nouns.column(token.low), "")

    def beyond(self, sentence: Sentence, at: int, gender: str, number: str) -> Iterator[Link]:
        noun = self.noun(sentence.tokens[at].text)
        agreed = self.agree(sentence.tokens, self.phrase(sentence, at), noun) or noun.cells
        if not gender and noun.kind in {Kind.SEXED, Kind.COMMON}:
            gender = "" if not shows_one_gender(agreed) else "f" if agreed & FEMININE else "m"
        syntax = Syntax(self, sentence.tokens)
        if number:
            plural = number == "p"
        elif gender:
            plural = syntax.plural(at, gender)
        else:
            plural = not agreed & SINGULAR
        yield from syntax.bound(at, gender, plural=plural, agreed=agreed)

    def case(self, sentence: Sentence, at: int, *, gender: str) -> str | None:
        """The case of a noun in the singular (n, g, d, a), by its phrase and its place; None where it is open."""
        return Syntax(self, sentence.tokens).case(at, gender)

    def declined(self, low: str, *, strong: bool) -> int:
        """Cells of an adjective by its ending, with or without a determiner before it."""
        table = self.declension.strong if strong else self.declension.weak
        return next((table[end] for end in ENDINGS if low.endswith(end)), 0)

    def inflect(
        self, word: Token | Word, *, gender: str, number: str = "", case: str = "", after: str = ""
    ) -> str | None:
        """`after` is the determiner before an adjective: ein guter, der gute."""
        low = word.low
        for table in (self.articles, self.relatives, self.personal):
            if table.lemmas.get(low):
                return self._closed(table, low, gender, number, case)
        if word.text[:1].isupper() and not self.function_word(low):
            other = {"f": "m", "m": "f"}.get(gender, "")
            if not other:
                return None  # nouns for persons are women's or men's
            number = number or ("p" if Syntax(self, [Token(*word[:4])]).plural(0, other) else "s")
            return self.noun_form(low, gender, number, case or "n", after)
        if not self.modifier(low) or number == "p":
            return low if self.modifier(low) else None  # one form for all
        return self._ended(low, gender, case or "n", after)

    def _ended(self, low: str, gender: str, case: str, after: str) -> str:
        """With the ending of an adjective in the singular."""
        stem = low.removesuffix(next(end for end in ENDINGS if low.endswith(end)))
        return stem + self.declension.ending(after, gender, case)

    def _closed(self, table: Table, low: str, gender: str, number: str, case: str) -> str | None:
        """By the table; where number and case are not given, by those of the word's own that come first."""
        own = table.cells[low]
        shown = [(n, c) for n in number or "sp" for c in CASES if own & cells(numbers=n, cases=c)]
        chosen = [(n, c) for n, c in shown if c == (case or c)] or [(number, case)] * bool(number and case)
        return next((form for way in chosen or shown if (form := table.form(low, gender, *way))), None)

    def noun_form(self, low: str, gender: str, number: str, case: str, after: str = "") -> str | None:
        """A noun for persons in a gender: declined like an adjective, one form for both, or by its partner."""
        if "beamt" in low and gender == "f":
            return low[: low.rfind("beamt")] + ("beamtin" if number == "s" else "beamtinnen")
        if "beamt" in low:  # der Beamte, ein Beamter
            ending = "en" if number == "p" else self.declension.ending(after, gender, case)
            return low[: low.rfind("beamt") + 5] + ending
        if self.declines(low):
            return None if number == "p" else self._ended(low, gender, case, after)
        if self.noun(low).kind is Kind.COMMON and not low.endswith(self._endings["weak_noun"]):
            return low  # der CEO, die CEO
        return self.nouns.form(low, gender, number, case)

    def declines(self, low: str) -> bool:
        """A noun for persons with the endings of an adjective: der Angestellte, ein Angestellter."""
        if low.endswith(self._endings["weak_noun"]):
            return False
        if self.noun(low).kind is Kind.COMMON and self.adjectival(low):
            return True
        both, known = Column.FEMALE | Column.MALE, self.nouns.known
        bases = [low.removesuffix(end) for end in ENDINGS if low.endswith(end)]
        parts = (base[cut:] for base in bases for cut in range(max(1, len(base) - 6)))
        if any(known.get(f"{part}e", 0) & both == both and f"{part}in" not in known for part in parts):
            return True  # Verdächtige, Terrorverdächtiger: one row of the table for both
        stem = low.removesuffix("er")  # ein Angestellter; not ein Vertreter, because there is a Vertreterin
        listed = stem != low and self.adjectival(f"{stem}e") and f"{low}in" not in known
        return listed and (self.nouns.part(f"{stem}e", Column.FEMALE) or stem.endswith("end"))

    def both(self, text: str) -> bool:
        return bool(BOTH.search(text))

    def _listed(self, low: str) -> Noun | None:
        for size in range(min(len(low), self._longest), 2, -1):
            noun = self._parts.get(low[-size:])
            # A short part may end a longer word by chance (Automat, Heirat): whole words and parts of 4 letters count.
            if noun and (size == len(low) or size >= 4):
                return noun
        return None
