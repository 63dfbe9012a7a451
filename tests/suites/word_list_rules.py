"""What can be checked by rule in every word list we ship, with the row that breaks it."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evenhand import tsv
from evenhand.suites.pronouns.korean import ends_closed
from evenhand.suites.pronouns.lexicon import LEXICON, items

SPELLING = LEXICON / "spelling.tsv"
COMPOUNDS = Path(__file__).with_name("hungarian_compounds.tsv")

_HUNGARIAN_VOWELS = frozenset("aáeéiíoóöőuúüű")
_TURKISH_HARMONY = {"a": "ı", "ı": "ı", "â": "ı", "e": "i", "i": "i", "î": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
_POSSESSIVE = re.compile(r"([aıâeiîoöuü])[^aıâeiîoöuü]+([ıiuü])$")
_KOREAN_PARTICLES = {"을": True, "를": False, "과": True, "와": False}  # after a final consonant, or not


class Problem(NamedTuple):
    """A form that breaks a rule."""

    language: str
    concept: str
    form: str
    rule: str


Item = dict[str, str]  # a row of `items`
Spelling = dict[str, str]  # a language's row of SPELLING
Broken = Iterator[str]  # why a form breaks a rule


def languages() -> list[str]:
    """Every language with a list."""
    return sorted(path.stem for path in (LEXICON / "forms").glob("*.tsv"))


def lint(language: str) -> list[Problem]:
    """Every broken rule in a language's list; none is the normal case."""
    forms, spelling = items(language).fill_null("").to_dicts(), _rows(SPELLING, "language")[language]
    rules = filter(None, (_letters, _gendered, _BY_LANGUAGE.get(language)))
    broken = [*_twice(forms), *((item, why) for rule in rules for item in forms for why in rule(item, spelling))]
    return [Problem(language, item["concept"], item["form"], why) for item, why in broken]


def _twice(forms: list[Item]) -> Iterator[tuple[Item, str]]:
    """Blanks and hyphens do not make two words of one."""
    first: dict[str, str] = {}
    for item in forms:
        bare = re.sub(r"[\s\u200c-]", "", item["form"]).casefold()
        if bare in first:
            yield item, f"is the form of {first[bare]} too"
        first.setdefault(bare, item["concept"])


def _letters(item: Item, spelling: Spelling) -> Broken:
    letters = spelling["letters"]
    if not unicodedata.is_normalized("NFC", item["form"]):
        yield "is not in Unicode's composed form (NFC)"
    elif item["kind"] == "occupation" and not re.fullmatch(rf"[{letters}]+([ -][{letters}]+)*", item["form"]):
        yield f"is not written with the letters of the language ({letters}) and single blanks or hyphens"


def _gendered(item: Item, spelling: Spelling) -> Broken:
    if item["kind"] == "occupation" and not item.get("marked") and re.search(spelling["gendered"], item["form"]):
        yield "names a gender: leave it out or mark it"


def _six_three(item: Item, spelling: Spelling) -> Broken:
    """AkH. §139: three or more members and more than six syllables take a hyphen, every other compound is solid."""
    for word in item["form"].split() if item["kind"] == "occupation" else ():
        known = _rows(COMPOUNDS, "word").get(word)
        hyphen, syllables = "-" in word, sum(letter in _HUNGARIAN_VOWELS for letter in word.lower())
        if known is None and (hyphen or syllables > 6):
            yield f"{word}: {syllables} syllables; say in {COMPOUNDS.name} of how many members"
        elif known and known["why"] == "6-3" and hyphen != (wanted := int(known["members"]) >= 3 and syllables > 6):
            needs = "needs a hyphen" if wanted else "is solid"
            yield f"{word}: {known['members']} members, {syllables} syllables: {needs} (AkH. §139)"


def _vowel_harmony(item: Item, spelling: Spelling) -> Broken:
    """The possessive ending of a Turkish compound follows the vowel before it (otobüs şoförü, iş müfettişi)."""
    words = item["form"].split()
    ending = _POSSESSIVE.search(words[-1]) if item["kind"] == "occupation" and len(words) > 1 else None
    if ending and _TURKISH_HARMONY[ending.group(1)] != ending.group(2):
        yield f"the ending -{ending.group(2)} does not follow the vowel {ending.group(1)}"


def _particles(item: Item, spelling: Spelling) -> Broken:
    """을, 과 after a final consonant, 를, 와 after a vowel; occupations may end in one themselves (외과, 사과)."""
    for word in item["form"].split()[:-1] if item["kind"] != "occupation" else ():
        closed = _KOREAN_PARTICLES.get(word[-1])
        if closed is not None and len(word) > 1 and ends_closed(word[:-1]) != closed:
            yield f"{word}: the particle {word[-1]} does not fit the sound before it"


_BY_LANGUAGE: dict[str, Callable[[Item, Spelling], Broken]] = {
    "hu": _six_three,
    "tr": _vowel_harmony,
    "ko": _particles,
}


@cache
def _rows(table: Path, column: str) -> dict[str, dict[str, str]]:
    return {row[column]: row for row in tsv.rows(table)}
