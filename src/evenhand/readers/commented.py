"""Resource files of one language, with room for comments: a note is a comment of ours before its string."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.catalogue import OURS, Catalogue, Edit, Unit, UnitNotes, as_table, by_place, edited, whole
from evenhand.readers.format import Format
from evenhand.readers.layout import Layout
from evenhand.readers.opening import UserFile


class Comments(NamedTuple):
    """How a format begins and ends a comment."""

    opening: str
    closing: str = ""

    def of(self, text: str) -> str:
        """A comment of ours; what would end it early is parted."""
        for mark in ("--", "*/"):
            text = text.replace(mark, f"{mark[0]} {mark[1]}") if mark in self.closing else text
        return f"{self.opening} {OURS}: {text}{' ' * bool(self.closing)}{self.closing}"


HASH, XML, STARS = Comments("#"), Comments("<!--", "-->"), Comments("/*", "*/")


class Entry(NamedTuple):
    """A string, and the byte before which a comment on it may stand."""

    unit: Unit
    place: int


def entry(
    line: int, place: int, name: str, text: str, *, language: str = "", pending: str = "", inline: bool = False
) -> Entry:
    """A string whose source is in another file."""
    pending = pending or ("" if text.strip() else "untranslated")
    return Entry(Unit(line, name, "", text, "", language, pending, inline=inline), place)


def commented(
    content: bytes, entries: Sequence[Entry], comments: Comments, written: Callable[[str], bytes] = str.encode
) -> Catalogue:
    """A catalogue whose notes are comments on lines of their own, as far to the right as what they speak of."""
    newline, blank = written("\n"), b"(?:" + b"|".join(re.escape(written(sign)) for sign in " \t") + b")*"
    mark, closing = re.escape(written(f"{comments.opening} {OURS}: ")), re.escape(written(comments.closing))
    line_end = b"(?:" + re.escape(written("\r")) + b")?" + re.escape(newline)
    ours = re.compile(mark + b"(?:(?!" + re.escape(newline) + b").)*?" + closing + line_end + blank, re.DOTALL)

    def gap(place: int) -> bytes:
        """The line break and the blanks before a place; a line break where something else stands before it."""
        begin = max(content.rfind(newline, 0, place), 0)
        begin -= len(written("\r")) * content.endswith(written("\r"), 0, begin)
        before = content[begin:place]
        return before if before.startswith((newline, written("\r"))) and not before.strip(b"\0 \t\r\n") else newline

    def annotated(notes: UnitNotes) -> bytes:
        said = by_place(notes, [entry.place for entry in entries])
        new = [
            Edit(at, at, b"".join(written(comments.of(text)) + gap(at) for text in texts)) for at, texts in said.items()
        ]
        return edited(content, [*(Edit(*old.span(), b"") for old in ours.finditer(content)), *new])

    return Catalogue([entry.unit for entry in entries], annotated)


def beside(units: Sequence[Unit]) -> Catalogue:
    """A catalogue of a format without room for notes: they go into another file, by id."""

    def annotated(notes: UnitNotes) -> bytes:
        by_id = {units[number].id: [note.text for note in said] for number, said in notes.items()}
        return (json.dumps(by_id, ensure_ascii=False, indent=2) + "\n").encode()

    return Catalogue(units, annotated, beside=True)


class Decoded(NamedTuple):
    """The text of a file and its encoding."""

    text: str
    encoding: str
    content: bytes

    @classmethod
    def of(cls, file: UserFile, otherwise: str = "") -> Decoded:
        """UTF-8, or UTF-16 with its mark; `otherwise` is tried where it is neither."""
        content = whole(file)
        marked = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        utf16 = "utf-16-le" if content.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
        for encoding in (utf16,) if marked else ("utf-8", *filter(None, [otherwise])):
            try:
                return cls(content.decode(encoding), encoding, content)
            except UnicodeDecodeError as error:
                told = f"byte 0x{content[error.start]:02x} is not {encoding.upper()}; save it as UTF-8"
                wrong = BadInput.at(file.name, content.count(b"\n", 0, error.start) + 1, told)
        raise wrong

    def walked(self, places: Iterable[int]) -> Iterator[tuple[int, int]]:
        """The line and the byte of each place in the text; the places rise."""
        line, octets, last = 1, 0, 0
        for at in places:
            passed, last = self.text[last:at], at
            line, octets = line + passed.count("\n"), octets + len(passed.encode(self.encoding))
            yield line, octets

    def written(self, text: str) -> bytes:
        return text.encode(self.encoding, errors="replace")


Found = tuple[int, str, str]  # the place of a string in the text, its key, its words


def keyed(text: Decoded, found: Iterable[Found], comments: Comments, language: str = "") -> Catalogue:
    """A catalogue of strings that were found in a text, in its order."""
    strings = list(found)
    places = text.walked(at for at, _, _ in strings)
    return commented(
        text.content,
        [entry(*place, key, words, language=language) for place, (_, key, words) in zip(places, strings, strict=True)],
        comments,
        text.written,
    )


def resource(
    name: str,
    suffixes: tuple[str, ...],
    read: Callable[[UserFile], Catalogue],
    fits: Callable[[Iterable[str]], bool] | None = None,
) -> Format:
    """A format whose strings are read by `read`."""

    def batches(file: UserFile, layout: Layout) -> Iterator[pl.DataFrame]:
        del layout  # the columns are always the same
        return as_table(read(file).units)

    return Format(name, suffixes, "units", batches, fits=fits, parts=False, catalogue=read)
