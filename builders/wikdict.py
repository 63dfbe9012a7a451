"""Read the bilingual dictionaries that WikDict derives from Wiktionary, as Debian packages them (dictd files).

    Package list: dict-freedict-*, source package freedict-wikdict 2024.11.01-2 (Debian 13), CC BY-SA 3.0.

An entry is a headword with its senses; a sense has translations, and often the definition of the headword's own
Wiktionary. Nothing is judged here.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DIGITS = {c: n for n, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
HEAD = re.compile(r"(?P<word>.+?)(?: /.*/)? <(?P<part>[a-z]+)(?:, (?P<gender>[a-z]+))?>")
NUMBER = re.compile(r"\s*\d+\. ?")
GENDERS = {"masc": "m", "fem": "f"}


class Entry(NamedTuple):
    """One sense of a noun: what it is rendered by, and what its own Wiktionary says it is."""

    word: str
    gender: str
    translations: tuple[str, ...]
    definition: str
    first: bool  # the entry's first sense


def entries(folder: Path, pair: str) -> Iterator[Entry]:
    """The nouns of one dictionary, by sense; an absent dictionary has none."""
    index = folder / f"freedict-{pair}.index"
    if not index.exists():
        return
    text = gzip.decompress((folder / f"freedict-{pair}.dict.dz").read_bytes())
    places = {tuple(map(_number, line.split("\t")[1:3])) for line in index.read_text("utf-8").splitlines()}
    for start, size in sorted(places):
        head, *body = text[start : start + size].decode("utf-8").splitlines() or [""]
        match = HEAD.fullmatch(head)
        if match and match["part"] == "n":
            for number, (translations, definition) in enumerate(_senses(body)):
                gender = GENDERS.get(match["gender"], "")
                yield Entry(match["word"], gender, translations, definition, number == 0)


def _number(text: str) -> int:
    value = 0
    for letter in text:
        value = value * 64 + DIGITS[letter]
    return value


def _senses(body: list[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Translations and definition: a line of each, in turn; a further definition has a number and no translations."""
    lines = [NUMBER.sub("", line).strip() for line in body]
    for number, line in enumerate(lines):
        opens = number == 0 or NUMBER.match(body[number])
        if line and opens:
            words = (re.sub(r"[\u0300\u0301]|\(.*?\)|\d+\.$", "", word).strip() for word in line.split(","))
            after = lines[number + 1] if number + 1 < len(lines) else ""
            yield tuple(filter(None, words)), after


LANGUAGES = {
    "de": "deu", "es": "spa", "fr": "fra", "it": "ita", "pt": "por", "ca": "cat", "ru": "rus", "pl": "pol",
    "nl": "nld", "el": "ell", "bg": "bul", "en": "eng", "sv": "swe",
}  # fmt: skip
# How each Wiktionary begins a definition that is a person's.
PERSONS = {
    "en": r"(?:an?|the|any|one)? ?(?:\w+ )?(?:person|someone|somebody|man|woman|girl|boy|inhabitant|native|one)\b",
    "fr": r"(?:un |une )?(?:\w+ )?(?:personne|celui|celle|homme|femme|habitante?|fille|quelqu’un|individu)\b",
    "es": r"(?:dicho de una |una? )?(?:persona|individuo|hombre|mujer|aquel|quien|alguien|el que|profesional)\b",
    "pt": r"(?:uma? )?(?:pessoa|aquele|aquela|indivíduo|homem|mulher|quem|alguém|profissional|o que)\b",
    "it": r"(?:una? )?(?:persona|chi|colui|colei|uomo|donna|individuo|abitante|professionista)\b",
    "ca": r"(?:una? )?(?:persona|aquell|aquella|home|dona|individu|habitant|professional|algú|qui)\b",
    "pl": r"(?:\w+ )?(?:osoba|człowiek|mężczyzna|kobieta|ten, kto|ktoś|mieszkan\w+|specjalist\w+)\b",
    "nl": r"(?:een )?(?:\w+ )?(?:iemand|persoon|man|vrouw|inwoner|inwoonster|vakman|degene|beoefenaar)\b",
    "ru": r"(?:тот|та|человек|женщина|мужчина|специалист\w*|житель\w*|лицо|сторонни\w+|кто)\b",
    "el": r"(?:ο |η )?(?:αυτός|αυτή|εκείνος|πρόσωπο|άτομο|άνθρωπος|άνδρας|γυναίκα|όποιος|κάποιος|κάτοικος)\b",
    "de": r"(?:eine? )?(?:\w+ )?(?:person|jemand|mensch|mann|frau|einwohner|angehöriger|bewohner)\b",
    "sv": r"(?:en )?(?:\w+ )?(?:person|någon|man|kvinna|människa|invånare)\b",
}
REMARKS = re.compile(r"^(?:\([^)]*\)[,; ]*|\w+\| ?|[\w ]+: )+")


NATIVES = re.compile(
    r"(?:an? |una? |uma? |eine? |een |en |ο |η )?"
    r"(?:inhabitant|native|person from|habitante?|natural d|mieszkan|einwohner|inwoo?n|житель|κάτοικος)"
)
THINGS = re.compile(
    r"that which|something|device|machine|animal|bird|species|tool|aparato|máquina|objet|appareil|urządzenie"
)


def of_person(language: str, definition: str) -> bool:
    """Whether a definition begins as those of persons do, behind remarks in brackets."""
    low = REMARKS.sub("", definition).lower()
    return bool(re.match(PERSONS.get(language, r"(?!)"), low)) and not THINGS.search(low)


def of_native(definition: str) -> bool:
    """Whether a definition says who lives somewhere."""
    return bool(NATIVES.match(REMARKS.sub("", definition).lower()))
