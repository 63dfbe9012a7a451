"""Which language a text is in: its words against the frequent words of some forty languages, and its script. Evidence
is counted in powers of ten: a word that is a hundred times as frequent in Dutch as in German is worth 2 for Dutch. A
word no table lists has the frequency RARE everywhere and tells nothing. Names tell nothing either; the caller leaves
them out."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from evenhand.languages import known
from evenhand.tsv import rows

FOLDER = Path(__file__).parent
# Letters with their marks (vowel signs of Hindi or Arabic are no \\w): all but blanks, digits, punctuation and symbols.
WORD = re.compile(
    "[^\\s\\d_!-/:-@\\[-`{-~\xa0-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\xd7\xf7\u02c2-\u02df\u05be\u05c0\u05c3\u05f3\u05f4"
    "\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030-\u303f"
    "\u30fb\ufe00-\ufe6f\uff00-\uff20\uff3b-\uff40\uff5b-\uff65\ufff0-\uffff\U0001f000-\U0001faff\U000e0000-\U000e01ef]+"
)
RARE = 3.5  # Zipf frequency of a word that is not listed; the rarest listed ones have about 4.4
MOST = 2.0  # what one word can say for another language

# The first words of the Unicode names of a script's letters.
SCRIPTS = {
    "Arab": "ARABIC", "Armn": "ARMENIAN", "Beng": "BENGALI", "Cyrl": "CYRILLIC", "Deva": "DEVANAGARI",
    "Geor": "GEORGIAN", "Grek": "GREEK", "Hang": "HANGUL CJK", "Hans": "CJK", "Hebr": "HEBREW",
    "Jpan": "HIRAGANA KATAKANA KATAKANA-HIRAGANA CJK", "Latn": "LATIN", "Mlym": "MALAYALAM", "Taml": "TAMIL",
    "Telu": "TELUGU", "Thai": "THAI",
}  # fmt: skip
UNSPACED = frozenset({"CJK", "HIRAGANA", "KATAKANA", "THAI"})  # written without blanks
NO_NAME = 5.9  # Zipf frequency from which a word that opens the source is no name
SHOUTED = 0.8  # share of words with a capital from which none of them shows a name ...
SHORT = 5  # ... in a text of more words than this


class Tongue(NamedTuple):
    """What the tables say about a language: `words` names its word table, "" for none; `length`: letters it takes for
    what English says with one, 0 where we do not know."""

    scripts: frozenset[str] = frozenset()
    words: str = ""
    letters: str = ""
    length: float = 0.0
    dense: bool = False
    near: str = ""
    blanks: bool = True


@lru_cache(maxsize=20_000)
def script(letter: str) -> str:
    """LATIN, CYRILLIC, CJK, ...: the first word of the letter's name."""
    return unicodedata.name(letter, "").partition(" ")[0]


@cache
def _listed() -> dict[str, dict[str, str]]:
    return {row["language"]: row for row in rows(FOLDER / "tongues.tsv")}


@cache
def tongue(language: str) -> Tongue:
    """What we know about a language; of an unlisted one nothing."""
    entry, row = known().get(language), _listed().get(language)
    scripts = frozenset(SCRIPTS.get(entry.script, "").split() if entry else ())
    if row is None:
        return Tongue(scripts)
    words, letters, dense, blanks = row["words"], row["letters"], bool(row["dense"]), not row["blanks"]
    scripts |= set(row["second"].split())
    return Tongue(scripts, words, letters, float(row["length"]), dense, row["near"], blanks)


@cache
def odd_letters(language: str) -> re.Pattern[str]:
    """A lower-case letter that the language's own words do not have; never found for one we do not know."""
    own = tongue(language)
    if "LATIN" in own.scripts:
        allowed = f"a-z{own.letters}" if own.letters else "a-z\u00df-\u024f\u1e00-\u1eff"
        allowed += "\u0430-\u045f" if "CYRILLIC" in own.scripts else ""
        return re.compile(rf"(?![{allowed}\u0300-\u036f])[^\W\d_]")
    if own.letters:
        return re.compile(rf"(?![{own.letters}])[^\W\d_]")
    other = "\u0370-\u03ff" if "GREEK" not in own.scripts else ""
    return re.compile(f"[a-z\u00df-\u024f\u0430-\u04ff{other}]" if own.scripts else "(?!)")


@cache
def table(language: str) -> dict[str, float]:
    """Word to Zipf frequency; empty for a language without a table."""
    name = tongue(language).words
    return _read(name) if name else {}


@cache
def _read(name: str) -> dict[str, float]:
    return {word: float(row["zipf"]) for row in rows(FOLDER / "words" / f"{name}.tsv") for word in row["words"].split()}


@cache
def rivals(language: str) -> dict[str, dict[str, float]]:
    """The tables of all other languages that can be told from this one, by the name of the table."""
    own = tongue(language)
    return {
        name: _read(name) for name in sorted({row["words"] for row in _listed().values()} - {own.words, own.near, ""})
    }


@cache
def advantage(language: str) -> dict[str, float]:
    """Per listed word what it speaks at least for the language against any single other one (negative: against it). The
    sum over a text is a lower bound of the language's lead over its best rival."""
    own = table(language)
    best: dict[str, float] = {}
    for rival in rivals(language).values():
        for word, zipf in rival.items():
            if zipf > best.get(word, RARE):
                best[word] = zipf
    for word in own:
        best.setdefault(word, RARE)
    return {word: own.get(word, RARE) - zipf for word, zipf in best.items()}


def lead(words: Sequence[str], language: str, other: dict[str, float]) -> float:
    """How much more the words speak for `other` than for the language, in powers of ten, none for more than MOST."""
    own = table(language)
    return sum(min(other.get(word, RARE) - own.get(word, RARE), MOST) for word in words)


def rival(words: Sequence[str], language: str) -> tuple[str, float]:
    """The other language that the words speak for most, and its lead (negative where they speak for `language`)."""
    leads = {name: lead(words, language, listed) for name, listed in rivals(language).items()}
    best = max(leads, key=lambda name: leads[name])
    return best, leads[best]


class Source(NamedTuple):
    """What a rendering is compared with; `words` in lower case."""

    text: str
    words: list[str]
    known: frozenset[str]  # words it may come back with: its own, and the same without their accents
    size: int  # in words; of a language without blanks, a third of its letters
    names: frozenset[str]  # words with a capital that are taken for names, in lower case


def read_source(text: str, language: str) -> Source:
    """The source's words and names. A capital at the beginning makes a name only of a word that is not frequent in the
    language (Tom, not The); in a text of capitals none does."""
    spelt = WORD.findall(text)
    words = [word.lower() for word in spelt]
    listed = table(language)
    capitals = [word for word in spelt[1:] if word[:1].isupper()]
    if listed and words and listed.get(words[0], RARE) < NO_NAME:
        capitals += spelt[:1]
    shouted = len(capitals) > SHOUTED * len(spelt) and len(spelt) > SHORT
    names = frozenset(() if shouted else (word.lower() for word in capitals))
    return Source(text, words, frozenset([*words, *map(bare, words)]), size_of(text, language), names)


def bare(text: str) -> str:
    """A text without its accents: konyvtaros for könyvtáros."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def size_of(text: str, language: str) -> int:
    """Words between blanks that hold a letter or digit; of a language without blanks a third of its own letters."""
    if not tongue(language).blanks and not text.isascii():
        return sum(not letter.isascii() for word in WORD.findall(text) for letter in word) // 3
    return sum(any(map(str.isalnum, chunk)) for chunk in text.split())
