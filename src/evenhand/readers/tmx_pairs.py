"""TMX of any size as pairs of two languages, unit by unit: what a corpus needs, and no place for notes (see tmx.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, NoReturn
from xml.parsers import expat

from evenhand.errors import BadInput
from evenhand.languages import primary
from evenhand.readers.opening import READ, UserFile
from evenhand.readers.tmx import CODES
from evenhand.readers.xml_places import DEEPEST, InlineText

LONGEST = 8 << 20  # characters of a unit, bytes of a tag or a comment: no text has more, and they come in whole


class Pair(NamedTuple):
    """A unit's texts in the two languages ("" where it has none), and the line it begins on."""

    line: int
    source: str
    target: str


class _Units:
    """Takes expat's events and keeps the finished units."""

    def __init__(self, source: str, target: str) -> None:
        self._source, self._target = primary(source), primary(target)
        self.done: list[Pair] = []
        self._line, self._language, self._depth = 0, "", 0
        self._texts: dict[str, str] = {}
        self._inside: InlineText | None = None
        self._length = 0  # of the open unit's texts
        self._seg = 0  # how deep the open <seg> is

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        self._depth += 1
        local = name.rpartition(":")[2]
        if self._inside is not None:
            self._inside.start(local)
        elif local == "tu":
            self._line, self._texts, self._length = line, {}, 0
        elif local == "tuv":
            self._language = primary(attributes.get("xml:lang") or attributes.get("lang", ""))
        elif local == "seg":
            self._inside, self._seg = InlineText(CODES), self._depth

    def text(self, text: str) -> None:
        if self._inside is not None:
            self._inside.text(text)
            self._length += len(text)

    def end(self, name: str) -> None:
        if self._inside is not None and self._depth == self._seg:
            self._texts.setdefault(self._language, " ".join(str(self._inside).split()))
            self._inside = None
        elif self._inside is not None:
            self._inside.end()
        elif name.rpartition(":")[2] == "tu":
            self.done.append(Pair(self._line, self._texts.get(self._source, ""), self._texts.get(self._target, "")))
        self._depth -= 1

    @property
    def too_deep(self) -> bool:
        return self._depth > DEEPEST

    @property
    def too_long(self) -> bool:
        return self._length > LONGEST


def pairs(file: UserFile, *, source: str, target: str) -> Iterator[Pair]:
    """Every unit in order, about a megabyte of the file in memory; what is no XML is a BadInput with its line."""
    parser, units = expat.ParserCreate(), _Units(source, target)
    parser.buffer_text = True

    def refuse(told: str) -> NoReturn:
        raise BadInput.at(file.name, parser.CurrentLineNumber, told)

    def start(name: str, attributes: dict[str, str]) -> None:
        units.start(name, attributes, parser.CurrentLineNumber)
        if units.too_deep:
            refuse(f"more than {DEEPEST} elements inside each other")

    def text(text: str) -> None:
        units.text(text)
        if units.too_long:
            refuse(f"a unit longer than {LONGEST >> 20} MB; is it a text?")

    parser.StartElementHandler, parser.EndElementHandler = start, units.end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = lambda name, *_: refuse(f"it declares the entity {name!r}, which we never unfold")
    parser.SkippedEntityHandler = lambda name, _: refuse(f"the entity {name!r} is not declared in the file")
    parser.ExternalEntityRefHandler = lambda *_: refuse("it refers to another file, which we never open")
    try:
        with file.opened() as stream:
            given = 0
            while chunk := stream.read(READ):
                parser.Parse(chunk, False)
                given += len(chunk)
                if given - parser.CurrentByteIndex > LONGEST:
                    refuse(f"a tag or a comment longer than {LONGEST >> 20} MB; is it a text file?")
                yield from units.done
                units.done.clear()
            parser.Parse(b"", True)
    except expat.ExpatError as error:
        told = f"not XML ({expat.ErrorString(error.code)})"
        raise BadInput.at(file.name, error.lineno, told, column=error.offset + 1) from error
    except (LookupError, ValueError) as error:
        raise BadInput(f"{file.name}: its encoding cannot be read ({error}); save it as UTF-8") from error
