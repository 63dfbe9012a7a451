"""Files of the localisation trade: strings with their translations, and notes written into them in place. A catalogue
is read whole; writing replaces nothing but our own earlier notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple, TypeVar

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.cells import framed
from evenhand.readers.opening import UserFile

OURS = "evenhand"  # who says so, in every format's own way
LARGEST = 512 << 20  # bytes of a file that has to be read whole, behind any compression


class Unit(NamedTuple):
    """One string and its translation; every plural form is one. Languages are "" where the file does not tell.

    `pending`: why there is no translation to judge (untranslated, fuzzy, not to be translated), else "". `speaker` and
    `listener` are the names of who says it, and to whom, if the file names them. `inline`: the translation has elements
    inside, which `rendering` leaves out. `context`: what the file says of the place of the string (msgctxt).
    """

    line: int
    id: str
    source: str
    rendering: str
    source_lang: str
    target_lang: str
    pending: str
    speaker: str = ""
    listener: str = ""
    inline: bool = False
    context: str = ""


class UnitNote(NamedTuple):
    """What is said about a unit: `wrong` where the source states another gender, `open` where it states none."""

    kind: Literal["wrong", "open"]
    text: str


class Edit(NamedTuple):
    """Bytes to put in the place of content[start:end]."""

    start: int
    end: int
    text: bytes


PlaceType = TypeVar("PlaceType")
UnitNotes = Mapping[int, Sequence[UnitNote]]  # by the number of the unit


@dataclass(frozen=True)
class Catalogue:
    """The units of a file in its order. `annotated` gives the file's bytes with these notes and none of our earlier
    ones; `beside`: the format has no room for notes, and it gives those alone. `bare` is what stays the same whatever
    notes are written: by default the bytes without any of ours."""

    units: Sequence[Unit]
    annotated: Callable[[UnitNotes], bytes]
    beside: bool = False
    bare: Callable[[], bytes] | None = None

    def same(self, other: Catalogue) -> bool:
        """Whether two files differ in nothing but our notes and the lines these take."""
        one, two = ((c.bare or partial(c.annotated, {}), [unit[1:] for unit in c.units]) for c in (self, other))
        return one[1] == two[1] and one[0]() == two[0]()


def whole(file: UserFile) -> bytes:
    """All bytes of a file that is not larger than LARGEST."""
    with file.opened() as stream:
        content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise BadInput(f"{file.name}: larger than {LARGEST >> 20} MiB, the most we read at once; split the file")
    return content


def edited(content: bytes, edits: Iterable[Edit]) -> bytes:
    """The content with the edits made; they may not overlap, those at one place are made in their order."""
    parts, at = list[bytes](), 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [content[at : edit.start], edit.text]
        at = edit.end
    return b"".join([*parts, content[at:]])


def by_place(notes: UnitNotes, places: Sequence[PlaceType]) -> dict[PlaceType, list[str]]:
    """The texts of the notes by the place of each one's unit; notes on two plural forms of one string are one."""
    texts: dict[PlaceType, dict[str, None]] = {}
    for number, said in notes.items():
        texts.setdefault(places[number], {}).update((" ".join(note.text.split()), None) for note in said)
    return {place: list(said) for place, said in texts.items()}


def as_table(units: Sequence[Unit]) -> Iterator[pl.DataFrame]:
    """The units as one batch of rows; a translation that is not in use is empty."""
    columns = list(zip(*units, strict=True)) if units else [()] * len(Unit._fields)
    lines, ids, sources, renderings, froms, tos, pendings, *_ = columns
    used = ["" if pending else text for text, pending in zip(renderings, pendings, strict=True)]
    known = {"source_lang": froms, "target_lang": tos}
    texts = {"id": ids, "source": sources, "rendering": used}
    yield framed(lines, texts | {name: values for name, values in known.items() if any(values)})
