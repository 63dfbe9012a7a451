"""The languages we have a name for, from one table: codes, names, scripts, and which rooms know them. A code may be
given in any case, with - or _, as ISO 639-1, ISO 639-3 or FLORES-200, with a region or a script: `en`, `EN`, `eng`,
`pt_br`, `por_Latn`. `code` gives the one spelling we keep, `primary` that without region and script."""

import functools
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from evenhand.errors import BadInput, Unknown
from evenhand.tsv import rows

_FIRST = re.compile(r"[A-Za-z]+")
_FROM_THE_RIGHT = ("Arab", "Hebr", "Syrc", "Thaa")
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,16}){0,3}")


@dataclass(frozen=True)
class KnownLanguage:
    """A row of languages.tsv. `nouns`: the folder of grammar/, or ""; `pronouns`: "judged" where a rule judges
    renderings by their pronouns, "one" where she and he are one word; `source`: the folder by which sources are read
    where no nouns are judged."""

    code: str
    name: str
    iso639_3: str
    flores: str
    script: str
    nouns: str
    pronouns: str
    source: str


@functools.cache
def known() -> dict[str, KnownLanguage]:
    """Every language of the table by the code we use."""
    table = files("evenhand") / "languages.tsv"
    return {row["code"]: KnownLanguage(**row) for row in rows(table)}


@functools.cache
def with_table(name: str) -> tuple[str, ...]:
    """The codes of the languages whose folder in grammar/ has this table, in order."""
    folder = files("evenhand") / "grammar"
    return tuple(sorted(c for c, entry in known().items() if entry.nouns and (folder / entry.nouns / name).is_file()))


@functools.cache
def _codes() -> dict[str, str]:
    """Our code by any first part of a code: ISO 639-1, ISO 639-3, and FLORES's where it is another one (arb, pes)."""
    flores = {entry.flores[:3]: entry.code for entry in known().values() if entry.flores}
    return flores | {entry.iso639_3: entry.code for entry in known().values()} | {c: c for c in known()}


def code(text: str) -> str:
    """The spelling we keep, as "pt-BR", "zh-Hant", without a script that FLORES always writes; an unknown language
    keeps its letters."""
    first, *rest = text.strip().replace("_", "-").split("-")
    language = _codes().get(first.lower(), first.lower())
    entry = known().get(language)
    parts = [part.title() if len(part) == 4 else part.upper() if len(part) == 2 else part for part in rest]
    if entry and parts == [entry.flores[4:]]:
        parts = []
    return "-".join([language, *parts])


@functools.cache
def _two_letters() -> frozenset[str]:
    """Every code of two letters that is a language's, of our table or not."""
    table = files("evenhand") / "two_letter_codes.tsv"
    return frozenset({row["code"] for row in rows(table)} | {one for one in _codes() if len(one) == 2})


def check_code(text: str) -> None:
    """An error for what cannot be a language code: codes come from suite files and go into commands, addresses and file
    names. One of two letters must be one of ISO 639-1."""
    if not _CODE.fullmatch(text):
        shown = text if len(text) <= 40 else f"{text[:40]}…"
        raise BadInput(f"{shown!r} is not a language code; write it like en, pt-BR or por_Latn. Nothing was sent.")
    first = _FIRST.match(text)
    if first is not None and len(first[0]) == 2 and first[0].lower() not in _two_letters():
        raise Unknown("code of a language", first[0], known(), hint="Nothing was sent.")


def primary(text: str) -> str:
    """The language alone, without region and script: "pt" for "pt-BR"."""
    return code(text).partition("-")[0]


def name_of(text: str) -> str:
    """The English name of a language, its region in brackets: "Portuguese (BR)"; the code itself where we know none."""
    language, _, region = code(text).partition("-")
    entry = known().get(language)
    if entry is None:
        return text
    return f"{entry.name} ({region})" if region else entry.name


def direction(text: str) -> Literal["ltr", "rtl"]:
    """From which side a language is written; from the left where we do not know it."""
    entry = known().get(primary(text))
    return "rtl" if entry is not None and entry.script in _FROM_THE_RIGHT else "ltr"


def spellings(text: str) -> set[str]:
    """Every way systems write a language: eng or en; with a region eng_US, en_US, en-US."""
    language, _, region = code(text).partition("-")
    entry = known().get(language)
    both = {language, entry.iso639_3} if entry else {language}
    return {f"{one}{mark}{region}" for one in both for mark in "_-"} if region else both


def flores(text: str) -> str:
    """NLLB's code of a language; "" where FLORES-200 does not have it."""
    entry = known().get(primary(text))
    return entry.flores if entry else ""
