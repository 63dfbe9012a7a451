"""XML from strangers, with the place of every tag in the bytes, by expat, which alone gives byte offsets. A declared
entity is refused, so nothing can unfold; nothing outside the file is ever opened."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import NoReturn
from xml.parsers import expat

from evenhand.errors import BadInput
from evenhand.readers.opening import UserFile

DEEPEST = 100  # elements inside each other; real files have about ten
MOST_ATTRIBUTES = 200  # declared in a file itself; TMX has 60
XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
_DECLARED = re.compile(rb"""<\?xml[^>]*?\bencoding\s*=\s*["']([\w.-]+)["']""")
_BLANK = " \t\r\n"


@dataclass(slots=True, eq=False)
class Element:
    """An element: its name without namespace, its attributes ("lang", "{namespace}lang"), where its "<" is and the byte
    behind its last one, and what is inside in its order."""

    name: str
    attributes: Mapping[str, str]
    line: int
    start: int
    written: str  # the name as it is in the file, with its prefix
    above: Element | None
    end: int = -1
    parts: list[str | Element] = field(default_factory=list)

    def children(self, *names: str) -> Iterator[Element]:
        return (part for part in self.parts if isinstance(part, Element) and (not names or part.name in names))

    def within(self, *names: str, outside: Collection[str] = ()) -> Iterator[Element]:
        """All elements inside with one of these names, in their order; none from inside those of `outside`."""
        for part in self.children():
            if part.name in names:
                yield part
            if part.name not in outside:
                yield from part.within(*names, outside=outside)

    def around(self) -> Iterator[Element]:
        """The elements this one is in, from the inside out."""
        above = self.above
        while above is not None:
            yield above
            above = above.above

    def given(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    @property
    def tagged(self) -> bool:
        """An element is inside, other than a mark of a segment or a term."""
        return any(part.name != "mrk" or part.tagged for part in self.children())

    def words(self, codes: Collection[str] = ()) -> str:
        """The text inside: what tags enclose counts, the content of `codes` does not. A code separates words."""
        said = "".join(self._pieces(codes))
        return _apart(said) if "\0" in said else said

    def _pieces(self, codes: Collection[str]) -> Iterator[str]:
        for part in self.parts:
            if isinstance(part, str):
                yield part
            elif part.name in codes:
                yield "\0"
            else:
                yield from part._pieces(codes)


class Encoded:
    """Bytes of an XML file and its encoding."""

    def __init__(self, file: UserFile, content: bytes) -> None:
        self.content = content
        self.encoding, self._width = _encoding(content)
        try:
            self._blanks = {self.written(sign) for sign in _BLANK}
        except (LookupError, ValueError):
            raise BadInput(f"{file.name}: the encoding {self.encoding!r} is unknown; save it as UTF-8") from None

    def written(self, text: str) -> bytes:
        """Text as the file writes it; what its encoding lacks becomes a character reference."""
        return text.encode(self.encoding, errors="xmlcharrefreplace")

    def blank_before(self, at: int) -> bytes:
        """The blanks that end at this byte."""
        begin = at
        while begin >= self._width and self.content[begin - self._width : begin] in self._blanks:
            begin -= self._width
        return self.content[begin:at]

    def blank_after(self, at: int) -> bytes:
        end = at
        while self.content[end : end + self._width] in self._blanks:
            end += self._width
        return self.content[at:end]

    def behind(self, sign: str, at: int) -> int:
        """The byte behind the next such sign."""
        mark = self.written(sign)
        place = self.content.find(mark, at)
        while place >= 0 and (place - at) % self._width:  # a half of one character and a half of the next
            place = self.content.find(mark, place + 1)
        return place + len(mark) if place >= 0 else len(self.content)

    def end_of(self, one: Element, at: int) -> int:
        """The byte behind an element of which expat met the end here: of <note/> what follows is another's."""
        alone = not one.parts and self.content.endswith(self.written("/>"), 0, at)
        return self.behind(">", at) if self.content.startswith(self.written("</"), at) and not alone else at


def _encoding(content: bytes) -> tuple[str, int]:
    """The codec without a byte order mark, and the bytes of its smallest step."""
    if content.startswith((codecs.BOM_UTF16_LE, b"<\0")):
        return "utf-16-le", 2
    if content.startswith((codecs.BOM_UTF16_BE, b"\0<")):
        return "utf-16-be", 2
    declared = _DECLARED.match(content.removeprefix(codecs.BOM_UTF8))
    return (declared[1].decode("ascii") if declared else "utf-8"), 1


def elements(file: UserFile, text: Encoded, names: Collection[str]) -> list[Element]:
    """The outermost elements of these names in a file that is read whole."""
    return list(streamed(file, [text.content], names, text))


def streamed(
    file: UserFile, chunks: Iterable[bytes], names: Collection[str], text: Encoded | None = None, longest: int = 0
) -> Iterator[Element]:
    """The outermost elements of these names with all that is inside; what is no XML, or no XML we read, is a BadInput
    with its line. Their ends are known where the whole `text` is. `longest`: characters of an element, bytes of a tag.
    """
    parser = expat.ParserCreate(namespace_separator="\n")
    parser.namespace_prefixes = True
    parser.buffer_text = True
    done: list[Element] = []
    open_ones: list[Element] = []
    outermost: Element | None = None
    length = 0  # of the texts in the outermost element

    def refuse(told: str) -> NoReturn:
        raise BadInput.at(file.name, parser.CurrentLineNumber, told)

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal outermost, length
        if len(open_ones) == DEEPEST:
            refuse(f"more than {DEEPEST} elements inside each other")
        _, local, prefix = _cut(name)
        named = {_plain(key): value for key, value in attributes.items()} if attributes else {}
        written, above = f"{prefix}:{local}" if prefix else local, open_ones[-1] if open_ones else None
        one = Element(local, named, parser.CurrentLineNumber, parser.CurrentByteIndex, written, above)
        if outermost is not None:
            open_ones[-1].parts.append(one)
        elif local in names:
            outermost, length = one, 0
        open_ones.append(one)

    def characters(words: str) -> None:
        nonlocal length
        if outermost is not None:
            open_ones[-1].parts.append(words)
            length += len(words)
            if longest and length > longest:
                refuse(f"a unit longer than {longest >> 20} MB; is it a text?")

    def end(_: str) -> None:
        nonlocal outermost
        one, at = open_ones.pop(), parser.CurrentByteIndex
        if text:
            one.end = text.end_of(one, at)
        if one is outermost:
            done.append(one)
            outermost = None

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = characters
    given = 0
    with parsing(file, parser, refuse):
        for chunk in chunks:
            parser.Parse(chunk, False)
            given += len(chunk)
            if longest and given - parser.CurrentByteIndex > longest:
                refuse(f"a tag or a comment longer than {longest >> 20} MB; is it a text file?")
            yield from done
            done.clear()
        parser.Parse(b"", True)
        yield from done


@contextmanager
def parsing(file: UserFile, parser: expat.XMLParserType, refuse: Callable[[str], NoReturn]) -> Iterator[None]:
    """Nothing declared is unfolded, nothing outside is opened, and what is no XML is a BadInput with its line."""
    parser.AttlistDeclHandler = few_attributes(refuse)
    unfolds = "which is not expanded; write the character itself"
    parser.EntityDeclHandler = lambda name, *_: refuse(f"it declares the entity {name!r}, {unfolds}")
    parser.SkippedEntityHandler = lambda name, _: refuse(f"the entity {name!r} is not declared in the file")
    parser.ExternalEntityRefHandler = lambda *_: refuse("it refers to another file, which we never open")
    try:
        yield
    except expat.ExpatError as error:
        told = f"not XML ({expat.ErrorString(error.code)})"
        raise BadInput.at(file.name, error.lineno, told, column=error.offset + 1) from error
    except (LookupError, ValueError) as error:
        raise BadInput(f"{file.name}: its encoding cannot be read ({error}); save it as UTF-8") from error


def few_attributes(refuse: Callable[[str], NoReturn]) -> Callable[..., None]:
    """A handler of attribute declarations: every element of that name gets all their defaults, so there is a limit."""
    declared = count(1)

    def handler(*_: object) -> None:
        if next(declared) > MOST_ATTRIBUTES:
            refuse(f"it declares more than {MOST_ATTRIBUTES} attributes; take the declarations out")

    return handler


def _cut(name: str) -> tuple[str, str, str]:
    """Namespace, local name and prefix of what expat gives: "local", "namespace\\nlocal", ... "\\nprefix"."""
    parts = name.split("\n")
    if len(parts) == 1:
        return "", name, ""
    return parts[0], parts[1], parts[2] if len(parts) > 2 else ""


def _plain(name: str) -> str:
    namespace, local, _ = _cut(name)
    return f"{{{namespace}}}{local}" if namespace else local


_CODE = re.compile(r"\0+")


def _apart(text: str) -> str:
    """A blank for each code that would else join two words."""

    def blank(code: re.Match[str]) -> str:
        before, after = text[max(code.start() - 1, 0) : code.start()], text[code.end() : code.end() + 1]
        return " " if before.isalnum() and after.isalnum() else ""

    return _CODE.sub(blank, text)
