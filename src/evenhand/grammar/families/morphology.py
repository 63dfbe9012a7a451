"""Analyses of a word form: what it can be and in which gender, number and case.

Two sources answer: a dictionary (pymorphy3, morfeusz2), where one is installed for the language, and a table of endings
(`grammar/<name>/endings.tsv`) that needs nothing. Both over-generate; agreement sorts the readings out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Protocol

from evenhand.grammar.protocol import CASES, FEMININE, GENDERS, NUMBERS, SINGULAR, cells, cells_of
from evenhand.tsv import rows

CASE_OF = {
    "nomn": "n", "gent": "g", "gen1": "g", "gen2": "g", "datv": "d", "accs": "a", "acc2": "a", "ablt": "i",
    "loct": "l", "loc1": "l", "loc2": "l", "voct": "v",
}  # fmt: skip
ADJECTIVAL = ("ый", "ий", "ой", "ій")
PARTICIPLE = ("ющий", "ущий", "ащий", "ящий", "ющая", "ущая", "ащая", "ящая", "ючий", "учий", "юча", "уча")
QUALITIES = frozenset({"Qual", "Subx", "Anum", "Supr", "Apro"})  # of adjectives that may stand for a person
PARTS = {"NOUN": "noun", "ADJF": "adjective", "PRTF": "adjective", "ADJS": "short", "PRTS": "short", "VERB": "verb"}
FEMININE_SINGULAR = FEMININE & SINGULAR
ANIMATE = {"anim": True, "inan": False}
GENDER_OF = {"masc": "m", "femn": "f", "neut": "n", "ms-f": "fm"}


class Analysis(NamedTuple):
    """One reading of a form. `part` is noun, adjective, past, short, verb or other; `lemma` the dictionary form."""

    part: str
    lemma: str
    cells: int
    animate: bool | None  # None: the form does not tell
    known: bool  # in the dictionary; False when guessed from the ending
    name: bool = False  # only a given name or a surname
    substantive: bool = False  # an adjective that is used as a noun (служащий, протестующий)
    adverb: bool = False
    common: bool = False  # a noun of common gender (судья, колега)
    person: str = ""  # 1, 2 or 3 of a finite verb that shows it
    relational: bool = False  # an adjective made from a noun, no quality: архитектурный
    objectless: bool = False  # a verb that takes no direct object, where the dictionary says so
    participle: bool = False
    infinitive: bool = False  # or a gerund: no subject of its own
    pronominal: bool = False  # a pronoun that is declined like an adjective and agrees with its noun


def nouns(readings: Iterable[Analysis], *, known: bool = False) -> list[Analysis]:
    """The readings as a noun; only those of the dictionary where they must be `known`."""
    return [a for a in readings if a.part == "noun" and (a.known or not known)]


def adjectives(readings: Iterable[Analysis], *, known: bool = False) -> list[Analysis]:
    """The readings as an adjective or full participle."""
    return [a for a in readings if a.part == "adjective" and (a.known or not known)]


def persons(readings: Iterable[Analysis], *, known: bool = False) -> list[Analysis]:
    """The readings as a noun for a living being that is no name."""
    return [a for a in nouns(readings, known=known) if a.animate and not a.name]


class Analyser(Protocol):
    """Where readings come from."""

    source: str  # named in the signature

    def analyse(self, low: str) -> tuple[Analysis, ...]:
        """All readings of a lower-case form, likeliest first; empty when nothing fits."""


class Tag(Protocol):
    """The part of pymorphy3's tag that is used."""

    grammemes: frozenset[str]
    POS: str | None
    gender: str | None
    number: str | None
    case: str | None
    tense: str | None
    person: str | None


class Parse(Protocol):
    """The part of pymorphy3's parse that is used."""

    tag: Tag
    word: str
    normal_form: str
    is_known: bool
    normalized: Parse
    lexeme: Sequence[Parse]

    def inflect(self, grammemes: set[str]) -> Parse | None: ...


Parser = Callable[[str], list[Parse]]


class Endings:
    """Readings from a table of endings: part, ending, lemma, genders, numbers, cases.

    `lemma` replaces the ending in the dictionary form ("ом" -> "": врачом, врач). A stem keeps at least two
    letters, that of a past tense one (dał). Rows `no adjective` list endings of words that are none (vedení), rows
    `no lemma` endings of nouns that are no dictionary form (lékařem).
    """

    source = "endings"

    def __init__(self, path: Path) -> None:
        self._rows: dict[str, list[tuple[str, str, int]]] = {}
        never: dict[str, tuple[str, ...]] = {}
        for row in rows(path):
            if row["part"].startswith("no "):
                never[row["part"]] = tuple(row["ending"].split())
                continue
            mask = cells_of(row)
            for pair in row["ending"].split():
                ending, _, lemma = pair.partition(">")
                self._rows.setdefault(ending.strip("0"), []).append((row["part"], lemma.strip("0"), mask))
        self._longest = max(map(len, self._rows), default=0)
        self._no_adjective, self._no_lemma = never.get("no adjective", ()), never.get("no lemma", ())

    def analyse(self, low: str) -> tuple[Analysis, ...]:
        found = []
        for size in range(min(self._longest, len(low)), -1, -1):
            for part, lemma, mask in self._rows.get(low[len(low) - size :], ()):
                if len(low) - size >= (0 if part == "past" and size > 2 else 1 if part == "past" else 2):
                    stem = low[: len(low) - size] + lemma
                    found.append(Analysis(part, stem, mask, part == "noun" or None, False, substantive=True))
        return tuple(a for a in found if not self._barred(a, low))

    def _barred(self, a: Analysis, low: str) -> bool:
        if a.part == "adjective":
            return low.endswith(self._no_adjective)
        return a.part == "noun" and a.lemma == low and low.endswith(self._no_lemma)


def parsed(parse: Parser, word: str) -> list[Parse]:
    """pymorphy3's parses of a word; none where it asks for the name of a letter that has none (Tangut)."""
    try:
        return parse(word)
    except ValueError:
        return []


class Dictionary:
    """Readings from a dictionary with pymorphy3's tags. What a tag says is worked out once per tag. `feminine` gives
    the feminine nominative of an adjective, which is what the forms tables list: служащий, служащая."""

    def __init__(self, parse: Parser, source: str, *, feminine: Callable[[str], str]) -> None:
        self.parse, self.source, self._feminine = parse, source, feminine
        self._of_tag: dict[Tag, Analysis] = {}

    def analyse(self, low: str) -> tuple[Analysis, ...]:
        parses = parsed(self.parse, low)
        known = {parse.word: parse.is_known for parse in parses}  # a look-up, mostly of one spelling
        return tuple(self._reading(parse, known=known[parse.word]) for parse in parses)

    def _reading(self, parse: Parse, *, known: bool) -> Analysis:
        tag, lemma = parse.tag, parse.normal_form
        of_tag = self._of_tag.get(tag)
        if of_tag is None:
            of_tag = self._of_tag[tag] = _of_tag(tag)
        mask = of_tag.cells
        if of_tag.part == "noun" and tag.number == "plur" and not tag.gender:  # Ukrainian marks it in the singular
            mask &= cells(GENDER_OF.get(str(parse.normalized.tag.gender), GENDERS))
        elif mask & FEMININE_SINGULAR == mask and lemma.endswith(ADJECTIVAL):
            lemma = self._feminine(lemma)
        return of_tag._replace(
            lemma=lemma,
            cells=mask,
            known=known,
            substantive=of_tag.substantive or lemma.endswith(PARTICIPLE),
            relational=of_tag.relational and lemma.endswith("ный"),
            objectless=of_tag.objectless or parse.word.endswith(("ся", "сь")),
        )


def _of_tag(tag: Tag) -> Analysis:
    """A reading without its word: what a tag says of every word that has it."""
    grammemes = tag.grammemes
    pos = "" if "Abbr" in grammemes and tag.POS == "ADJF" else str(tag.POS)  # т., нем.: agrees with everything
    common = not grammemes.isdisjoint({"ms-f", "Ms-f"})
    number = {"sing": "s", "plur": "p"}.get(str(tag.number), "s" if tag.gender else NUMBERS)  # Ukrainian marks plurals
    genders = "fm" if common else GENDER_OF.get(str(tag.gender), GENDERS)
    return Analysis(
        "past" if pos == "VERB" and str(tag.tense) == "past" else PARTS.get(pos, "other"),
        "",
        cells(genders, number, CASE_OF.get(str(tag.case), CASES)),
        ANIMATE.get("".join(grammemes & {"anim", "inan"})),
        False,
        name=not grammemes.isdisjoint({"Surn", "Name", "Patr"}),
        substantive=pos == "PRTF" or "Subx" in grammemes,
        adverb=pos in {"ADVB", "PRCL"},
        common=common,
        person=str(tag.person or "")[:1] if tag.number != "plur" else "",
        relational=pos == "ADJF" and grammemes.isdisjoint(QUALITIES),
        objectless=not grammemes.isdisjoint({"intr", "Refl"}),
        participle=pos in {"PRTF", "PRTS"},
        infinitive=pos in {"INFN", "GRND"} or "infn" in grammemes,
        pronominal="Apro" in grammemes or pos == "NPRO",
    )


def pymorphy(code: str, feminine: Callable[[str], str]) -> Dictionary | None:
    """pymorphy3's dictionary of a language, where both are installed."""
    if not find_spec("pymorphy3") or not find_spec(f"pymorphy3_dicts_{code}"):
        return None
    source = f"pymorphy3-dicts-{code} {version(f'pymorphy3-dicts-{code}')}"
    return Dictionary(import_module("pymorphy3").MorphAnalyzer(lang=code).parse, source, feminine=feminine)
