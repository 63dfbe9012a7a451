"""TMX 1.4b: translation units with one variant a language; a note is a <prop> of the variant it speaks of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape

import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import code, primary
from evenhand.readers.catalogue import OURS, Catalogue, Edit, Notes, Unit, as_table, edited, whole
from evenhand.readers.format import Format
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.xml_places import XML_NAMESPACE, Encoded, InlineText, Tag, walk

CODES = frozenset({"bpt", "ept", "it", "ph", "ut", "sub"})  # their content is code, <sub> stands inside them
TYPE = f"x-{OURS}"
_LANG = f"{{{XML_NAMESPACE}}}lang"


class Variant(NamedTuple):
    """The text of one language, and where its <seg> begins."""

    language: str
    text: str
    line: int
    seg: int


class _Reader:
    def __init__(self, text: Encoded) -> None:
        self._text = text
        self.units: list[Unit] = []
        self.segs: list[int] = []  # of each unit's translation
        self.stale: list[Edit] = []
        self._source = ""  # the header's
        self._number = 0
        self._tu: Tag | None = None
        self._variants: list[Variant] = []
        self._tuv: Tag | None = None
        self._seg: Tag | None = None
        self._inside: InlineText | None = None

    def start(self, tag: Tag) -> None:
        if self._inside is not None:
            self._inside.start(tag.name)
            return
        match tag.name:
            case "header":
                self._source = tag.attributes.get("srclang", "")
            case "tu":
                self._tu, self._variants, self._number = tag, [], self._number + 1
            case "tuv":
                self._tuv = tag
            case "seg":
                self._seg, self._inside = tag, InlineText(CODES)

    def text(self, text: str) -> None:
        if self._inside is not None:
            self._inside.text(text)

    def end(self, tag: Tag, end: int) -> None:
        if self._inside is not None and tag is not self._seg:
            self._inside.end()
        elif tag is self._seg and self._tuv is not None:
            language = self._tuv.attributes.get(_LANG) or self._tuv.attributes.get("lang", "")
            self._variants.append(Variant(language, str(self._inside), self._tuv.line, tag.start))
            self._inside = self._seg = None
        elif tag.name == "prop" and tag.attributes.get("type") == TYPE:
            # the blanks behind it came with it: it was put before what follows
            self.stale.append(Edit(tag.start, end + len(self._text.blank_after(end)), b""))
        elif tag.name == "tu":
            self._take(tag)

    def _take(self, tag: Tag) -> None:
        name = tag.attributes.get("tuid") or str(self._number)
        source = _source(self._variants, tag.attributes.get("srclang") or self._source)
        for variant in self._variants:
            if source is None or variant is source:
                continue
            pending = "" if variant.text.strip() else "untranslated"
            languages = source.language, variant.language
            self.units.append(Unit(variant.line, name, source.text, variant.text, *languages, pending))
            self.segs.append(variant.seg)

    def named(self) -> list[Unit]:
        """The units; where there are several target languages, ids end with theirs."""
        if len({unit.target_lang for unit in self.units}) < 2:
            return self.units
        return [unit._replace(id=f"{unit.id}/{unit.target_lang}") for unit in self.units]


def _source(variants: list[Variant], language: str) -> Variant | None:
    """The variant in the stated source language, with any region; without one ("*all*") English, or else the first."""
    by_code = {code(variant.language): variant for variant in reversed(variants)}
    by_primary = {primary(variant.language): variant for variant in reversed(variants)}
    stated = by_code.get(code(language)) or by_primary.get(primary(language))
    return stated or by_primary.get("en") or next(iter(variants), None)


def catalogue(file: UserFile) -> Catalogue:
    text = Encoded(file, whole(file))
    reader = _Reader(text)
    walk(file, text, reader)
    if not reader.units:
        raise BadInput(f"{file.name}: no <tu> with two languages in it; is it TMX?")

    def annotated(notes: Notes) -> bytes:
        edits = []
        for number, said in notes.items():
            at = reader.segs[number]
            space = text.blank_before(at)
            added = (text.written(f'<prop type="{TYPE}">{escape(note.text)}</prop>') + space for note in said)
            edits.append(Edit(at, at, b"".join(added)))
        return edited(text.content, [*reader.stale, *edits])

    return Catalogue(reader.named(), annotated)


def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
    del layout  # the columns are always the same
    return as_table(catalogue(file).units)


FORMAT = Format("tmx", (".tmx",), "units", batches, parts=False, catalogue=catalogue)
