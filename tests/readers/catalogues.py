"""Localisation files to read, made by somebody else's writers, and how tests open them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import strategies as st

from evenhand.readers.catalogue import Catalogue, UnitNote
from evenhand.readers.opening import UserFile
from evenhand.readers.strings import open_catalogue

Pairs = list[tuple[str, str]]
SIGNS = st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn"], exclude_characters="\u2028\u2029\ufeff")
WORDS = st.text(SIGNS, min_size=1, max_size=20).map(lambda text: f"a{text}z")
PAIRS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6, unique_by=lambda pair: pair[0])
NOTES = [UnitNote("wrong", 'nurse: he said <"his"> & more'), UnitNote("open", "user: male (Benutzer)")]

XLIFF_2 = """<?xml version="1.0" encoding="{encoding}"?>
<xliff version="2.0" srcLang="en" trgLang="de" xmlns="urn:oasis:names:tc:xliff:document:2.0">
  <file id="f1">
{units}  </file>
</xliff>
"""


def xliff_2(pairs: Pairs, encoding: str = "utf-8") -> str:
    """Two segments in each unit, every second unit with a note of its own (the toolkit writes 2.x only with lxml 6)."""
    units = []
    for n, (source, target) in enumerate(pairs):
        notes = "      <notes>\n        <note>mine</note>\n      </notes>\n" if n % 2 else ""
        segment = f"<source>{escape(source)}</source>\n        <target>{escape(target)}</target>"
        units.append(
            f'    <unit id="u{n}">\n{notes}      <segment id="s">\n        {segment}\n      </segment>\n'
            f"      <segment>\n        {segment}\n      </segment>\n    </unit>\n"
        )
    return XLIFF_2.format(encoding=encoding, units="".join(units))


def made(format: str, pairs: Pairs) -> bytes:
    """A file of these pairs, written by the Translate Toolkit where it can write the format."""
    if format == "xliff2":
        return xliff_2(pairs).encode()
    storage = pytest.importorskip("translate.storage", reason="the Translate Toolkit is not installed")
    del storage
    from translate.storage import pypo, tmx, xliff

    store: Any
    match format:
        case "xliff":
            store = xliff.xlifffile(sourcelanguage="en", targetlanguage="de")
        case "tmx":
            store = tmx.tmxfile(sourcelanguage="en", targetlanguage="de")
            for source, target in pairs:
                store.addtranslation(source, "en", target, "de")
            return bytes(store)
        case _:
            store = pypo.pofile()
            store.updateheader(add=True, Language="de", Content_Type="text/plain; charset=UTF-8")
            store.header().markfuzzy(False)
    for source, target in pairs:
        unit = store.addsourceunit(source)
        unit.target = target
    return bytes(store)


def read_by_others(format: str, content: bytes) -> Pairs:
    from translate.storage import pypo, tmx, xliff

    kind: Any = {"xliff": xliff.xlifffile, "tmx": tmx.tmxfile, "po": pypo.pofile}[format]
    store = kind.parsestring(content)
    return [(str(unit.source), str(unit.target)) for unit in store.units if not unit.isheader()]


def opened(content: bytes, suffix: str, folder: Path) -> Catalogue:
    path = folder / f"a.{suffix}"
    path.write_bytes(content)
    return open_catalogue(UserFile(path))


def pairs_of(catalogue: Catalogue) -> Pairs:
    return [(unit.source, unit.rendering) for unit in catalogue.units]


SUFFIXES = {"xliff": "xlf", "xliff2": "xliff", "tmx": "tmx", "po": "po"}
