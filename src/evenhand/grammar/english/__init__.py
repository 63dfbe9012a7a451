"""The source side: English words, the focus and its head, its number."""

import re
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from evenhand.grammar.base import LONGEST, fold
from evenhand.remembered import remembered
from evenhand.tsv import rows

FOLDER = Path(__file__).parent

DETERMINERS = frozenset("the a an my your our their his her its this that these those each every another some".split())
AUXILIARIES = frozenset("is are was were be has have had do does did will would can could may might must shall".split())
SEVERAL = frozenset("many several few both these those all most various two three four five six".split())
SENTENCE = frozenset(".!?…")
CLAUSES = frozenset(", ; : because that who which when while until after before as although if and but".split())
_HE = r"(?:he|him|his|himself)"
_SHE = r"(?:she|her|hers|herself)"
_OR = r"(?:\s*[/|]\s*|\s+or\s+|\s*,\s*or\s+|\s*\(\s*(?:or\s+)?)"
HE_OR_SHE = re.compile(rf"\b{_HE}{_OR}{_SHE}\b|\b{_SHE}{_OR}{_HE}\b|\bs/he\b|(?<!\w)\(s\)he\b|\bs\(he\)", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")


class Word(NamedTuple):
    """A source word: lower case, offsets in code points."""

    low: str
    start: int
    end: int


def source_words(text: str) -> list[Word]:
    """Words and punctuation; a possessive 's is cut off, so that "baker's" is looked up as "baker"."""
    found, make = [], tuple.__new__  # three times as fast as the constructor
    for match in WORD.finditer(text):
        word, (start, end) = match.group(), match.span()
        low = word.lower() if word.isascii() and end - start <= LONGEST else fold(word)
        if low[-2:] == "'s" and len(low) > 2:
            low, end = low[:-2], end - 2
        found.append(make(Word, (low, start, end)))
    return found


NOT_PLURAL = re.compile(r".*(?:ss|us|is|business)")
# Israelis, Iraqis; not crisis, tennis
PEOPLE_IN_I = re.compile(r".+(?:el|an|q|esh|ud|al|en|ait|tar|rat|in|ab|uf|ft|az|am|ad|af|id|dh|il|ha)is")
HEADED = re.compile(r"([a-z]+)-(?:in|of|at|for)-\w+(?:-\w+)*")
IN_FRONT = re.compile(r"([a-z]+s)(-(?:in-\w+|by|up|on|at-\w+|of-\w+(?:-\w+)?|to-be|elect|general))")


@cache
def _irregular() -> dict[str, str]:
    return {row["plural"]: row["singular"] for row in rows(FOLDER / "plurals.tsv")}


def headword(low: str) -> str:
    """The part of a hyphenated noun that names the person: editor of editor-in-chief, owner of mine-owner."""
    headed = HEADED.fullmatch(low)
    return headed[1] if headed else low.rpartition("-")[2]


@remembered
def singular(low: str) -> str:
    """Dictionary form of an English noun: teachers -> teacher, policewomen -> policewoman, boss -> boss."""
    if low in _irregular():
        return _irregular()[low]
    for plural, single in (("women", "woman"), ("men", "man"), ("children", "child"), ("people", "person")):
        if low.endswith(plural) and len(low) > len(plural) + 1:
            return low[: -len(plural)] + single
    front = IN_FRONT.fullmatch(low)
    if front:  # passers-by, brothers-in-law
        return singular(front[1]) + front[2]
    if not low.endswith("s") or len(low) < 4 or (NOT_PLURAL.fullmatch(low) and not PEOPLE_IN_I.fullmatch(low)):
        return low
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if low.endswith(("sses", "ches", "shes", "xes", "zzes", "oes")):
        return low[:-2]
    return low[:-1]


def is_plural(low: str) -> bool:
    """True when the form is a plural noun."""
    return singular(low) != low


def head(phrase: list[str]) -> int:
    """Index of the head of a noun phrase: the last word, or the word before "of", "in", "for", "at", "general"."""
    for i, word in enumerate(phrase):
        if i and word in {"of", "in", "for", "at", "to", "from", "on", "with", "general", "elect", "who", "emeritus"}:
            return i - 1
    return len(phrase) - 1


class Focus:
    """The person asked about: words[span] of the source, whose head is words[at]; `plural` for several persons, by the
    noun or by what counts it ("many Iraqi")."""

    __slots__ = ("at", "head", "plural", "source", "span", "words")

    def __init__(self, source: str, words: list[Word], span: range, at: int) -> None:
        self.source, self.words, self.span, self.at, self.head = source, words, span, at, words[at]
        before = words[max(0, span[0] - 2) : span[0]]
        self.plural = is_plural(self.head.low) or any(word.low in SEVERAL for word in before)

    @property
    def text(self) -> str:
        return self.source[self.words[self.span[0]].start : self.words[self.span[-1]].end]

    @property
    def next_word(self) -> str:
        """The word right behind the focus, or nothing."""
        return self.words[self.span.stop].low if self.span.stop < len(self.words) else ""

    @property
    def others(self) -> list[str]:
        """The source's words outside the focus."""
        return [word.low for i, word in enumerate(self.words) if i not in self.span]

    @property
    def acts(self) -> bool:
        """True for one person of whom the next word tells a deed ("The pilot gossips."), as far as English shows it: a
        sentence, a determiner before, a word in -s or -ed after, and no auxiliary behind that one ("The pilot schools
        are full.")."""
        words, stop = self.words, self.span.stop
        if not 0 < self.span[0] < 3 or words[0].low not in DETERMINERS or words[-1].low not in SENTENCE:
            return False
        if is_plural(self.head.low) or self.possessive or not words[stop].low.endswith(("s", "ed")):
            return False
        behind = takewhile(lambda word: word.low not in CLAUSES, words[stop + 1 :])
        return not any(word.low in AUXILIARIES for word in behind)

    @property
    def possessive(self) -> bool:
        """True for the doctor's."""
        return self.source[self.head.end : self.head.end + 1] in {"'", "’"}

    @property
    def opens(self) -> bool:
        """True where the focus begins the source, with an article before it or not: mostly its subject."""
        return self.span[0] <= 1
