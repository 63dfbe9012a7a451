"""XML from strangers, with the place of every tag in the bytes, by expat, which alone gives byte offsets. A declared
entity is refused, so nothing can unfold; nothing outside the file is ever opened."""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import NamedTuple, NoReturn, Protocol
from xml.parsers import expat

from evenhand.errors import BadInput
from evenhand.readers.opening import UserFile

DEEPEST = 100  # elements inside each other; real files have about ten
MOST_ATTRIBUTES = 200  # declared in a file itself; TMX has 60
XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
_DECLARED = re.compile(rb"""<\?xml[^>]*?\bencoding\s*=\s*["']([\w.-]+)["']""")
_BLANK = " \t\r\n"


class XmlTag(NamedTuple):
    """A start tag: its name without namespace, its attributes ("lang", "{namespace}lang"), where its "<" stands."""

    name: str
    namespace: str
    attributes: Mapping[str, str]
    line: int
    start: int
    written: str  # the name as it stands in the file, with its prefix


class Visitor(Protocol):
    """What happens on the way through a file; `end` is given the byte behind the element's last one."""

    def start(self, tag: XmlTag) -> None: ...

    def text(self, text: str) -> None: ...

    def end(self, tag: XmlTag, end: int) -> None: ...


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


def _encoding(content: bytes) -> tuple[str, int]:
    """The codec without a byte order mark, and the bytes of its smallest step."""
    if content.startswith((codecs.BOM_UTF16_LE, b"<\0")):
        return "utf-16-le", 2
    if content.startswith((codecs.BOM_UTF16_BE, b"\0<")):
        return "utf-16-be", 2
    declared = _DECLARED.match(content.removeprefix(codecs.BOM_UTF8))
    return (declared[1].decode("ascii") if declared else "utf-8"), 1


def walk(file: UserFile, text: Encoded, visitor: Visitor) -> None:
    """The visitor through all elements; what is no XML, or no XML we read, is a BadInput with its line."""
    parser = expat.ParserCreate(namespace_separator="\n")
    parser.namespace_prefixes = True
    parser.buffer_text = True
    open_tags: list[XmlTag] = []
    fresh = False  # nothing came after the last start tag
    closing, itself = text.written("</"), text.written("/>")

    def refuse(told: str) -> NoReturn:
        raise BadInput.at(file.name, parser.CurrentLineNumber, told)

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_tags) == DEEPEST:
            refuse(f"more than {DEEPEST} elements inside each other")
        nonlocal fresh
        fresh = True
        namespace, local, prefix = _cut(name)
        named = {_plain(key): value for key, value in attributes.items()}
        written = f"{prefix}:{local}" if prefix else local
        tag = XmlTag(local, namespace, named, parser.CurrentLineNumber, parser.CurrentByteIndex, written)
        open_tags.append(tag)
        visitor.start(tag)

    def characters(words: str) -> None:
        nonlocal fresh
        fresh = False
        visitor.text(words)

    def end(_: str) -> None:
        nonlocal fresh
        at = parser.CurrentByteIndex
        alone = fresh and text.content.endswith(itself, 0, at)  # <note/>: its end is here, what follows is another's
        ends = text.content.startswith(closing, at) and not alone
        fresh = False
        visitor.end(open_tags.pop(), text.behind(">", at) if ends else at)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = characters
    with parsing(file, parser, refuse):
        parser.Parse(text.content, True)


@contextmanager
def parsing(file: UserFile, parser: expat.XMLParserType, refuse: Callable[[str], NoReturn]) -> Iterator[None]:
    """Nothing declared is unfolded, nothing outside is opened, and what is no XML is a BadInput with its line."""
    parser.AttlistDeclHandler = few_attributes(refuse)
    unfolds = "which we never unfold; write the character itself"
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


class InlineText:
    """The text of a source or target: what tags enclose counts, the content of `codes` does not. A place where code
    stood, or a line break, separates words."""

    def __init__(self, codes: frozenset[str]) -> None:
        self._codes = codes
        self._parts: list[str] = []
        self._inside = 0  # elements of code that are open
        self.tagged = False  # an element stands inside, other than a mark of a segment or a term

    def start(self, name: str) -> None:
        self.tagged = self.tagged or name != "mrk"
        if self._inside or name in self._codes:
            self._inside += 1
            self._parts.append("\0")

    def text(self, text: str) -> None:
        if not self._inside:
            self._parts.append(text)

    def end(self) -> None:
        self._inside -= bool(self._inside)

    def __str__(self) -> str:
        return _apart("".join(self._parts)) if "\0" in self._parts else "".join(self._parts)


_CODE = re.compile(r"\0+")


def _apart(text: str) -> str:
    """A blank for each code that would else join two words."""

    def blank(code: re.Match[str]) -> str:
        before, after = text[max(code.start() - 1, 0) : code.start()], text[code.end() : code.end() + 1]
        return " " if before.isalnum() and after.isalnum() else ""

    return _CODE.sub(blank, text)
