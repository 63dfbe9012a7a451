"""TMX 1.4b: translation units with one variant a language; a note is a <prop> of the variant it speaks of."""

from collections.abc import Iterator
from typing import NamedTuple, NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape

from evenhand.errors import BadInput
from evenhand.languages import code, primary
from evenhand.readers.catalogue import OURS, Catalogue, Edit, Unit, UnitNotes, edited, whole
from evenhand.readers.commented import resource
from evenhand.readers.opening import READ, UserFile
from evenhand.readers.xml_places import DEEPEST, XML_NAMESPACE, Encoded, InlineText, XmlTag, parsing, walk

CODES = frozenset({"bpt", "ept", "it", "ph", "ut", "sub"})  # their content is code, <sub> stands inside them
TYPE = f"x-{OURS}"
_LANG = f"{{{XML_NAMESPACE}}}lang"


class Variant(NamedTuple):
    """The text of one language, and where its <seg> begins."""

    language: str
    text: str
    line: int
    seg: int
    inline: bool


class _Reader:
    def __init__(self, text: Encoded) -> None:
        self._text = text
        self.units: list[Unit] = []
        self.segs: list[int] = []  # of each unit's translation
        self.stale: list[Edit] = []
        self._source = ""  # the header's
        self._number = 0
        self._tu: XmlTag | None = None
        self._variants: list[Variant] = []
        self._tuv: XmlTag | None = None
        self._seg: XmlTag | None = None
        self._inside: InlineText | None = None

    def start(self, tag: XmlTag) -> None:
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

    def end(self, tag: XmlTag, end: int) -> None:
        if self._inside is not None and tag is not self._seg:
            self._inside.end()
        elif self._inside is not None and self._tuv is not None:
            language = self._tuv.attributes.get(_LANG) or self._tuv.attributes.get("lang", "")
            self._variants.append(Variant(language, str(self._inside), self._tuv.line, tag.start, self._inside.tagged))
            self._inside = self._seg = None
        elif tag.name == "prop" and tag.attributes.get("type") == TYPE:
            # the blanks behind it came with it: it was put before what follows
            self.stale.append(Edit(tag.start, end + len(self._text.blank_after(end)), b""))
        elif tag.name == "tu":
            self._take(tag)

    def _take(self, tag: XmlTag) -> None:
        name = tag.attributes.get("tuid") or str(self._number)
        source = _source(self._variants, tag.attributes.get("srclang") or self._source)
        for variant in self._variants:
            if source is None or variant is source:
                continue
            pending = "" if variant.text.strip() else "untranslated"
            languages = source.language, variant.language
            self.units.append(
                Unit(variant.line, name, source.text, variant.text, *languages, pending, inline=variant.inline)
            )
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

    def annotated(notes: UnitNotes) -> bytes:
        edits = []
        for number, said in notes.items():
            at = reader.segs[number]
            space = text.blank_before(at)
            added = (text.written(f'<prop type="{TYPE}">{escape(note.text)}</prop>') + space for note in said)
            edits.append(Edit(at, at, b"".join(added)))
        return edited(text.content, [*reader.stale, *edits])

    return Catalogue(reader.named(), annotated)


FORMATS = (resource("tmx", (".tmx",), catalogue),)


# TMX of any size as pairs of two languages, unit by unit: what a corpus needs, and no place for notes (see tmx.py).

LONGEST = 8 << 20  # characters of a unit, bytes of a tag or a comment: no text has more, and they come in whole


class TmxPair(NamedTuple):
    """A unit's texts in the two languages ("" where it has none), and the line it begins on."""

    line: int
    source: str
    target: str


class _Units:
    """Takes expat's events and keeps the finished units."""

    def __init__(self, source: str, target: str) -> None:
        self._source, self._target = primary(source), primary(target)
        self.done: list[TmxPair] = []
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
            self.done.append(TmxPair(self._line, self._texts.get(self._source, ""), self._texts.get(self._target, "")))
        self._depth -= 1

    @property
    def too_deep(self) -> bool:
        return self._depth > DEEPEST

    @property
    def too_long(self) -> bool:
        return self._length > LONGEST


def pairs(file: UserFile, *, source: str, target: str) -> Iterator[TmxPair]:
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
    with parsing(file, parser, refuse), file.opened() as stream:
        given = 0
        while chunk := stream.read(READ):
            parser.Parse(chunk, False)
            given += len(chunk)
            if given - parser.CurrentByteIndex > LONGEST:
                refuse(f"a tag or a comment longer than {LONGEST >> 20} MB; is it a text file?")
            yield from units.done
            units.done.clear()
        parser.Parse(b"", True)
