"""Strings in XML of three houses: Android's strings.xml, .NET's .resx and Qt's .ts."""

import re
from collections.abc import Iterable
from itertools import islice
from xml.sax.saxutils import escape

from evenhand.readers.catalogue import OURS, Catalogue, Edit, Unit, UnitNotes, edited, whole
from evenhand.readers.commented import XML, Entry, commented, entry, resource
from evenhand.readers.opening import UserFile
from evenhand.readers.xml_places import Encoded, InlineText, XmlTag, walk

_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t"}
EXTRA = f"extra-{OURS}"  # Qt keeps elements called extra-*, and drops comments


class _Texts:
    """Goes through a file and collects the texts of some elements; `taken` is called with each."""

    def __init__(self, holders: Iterable[str], codes: frozenset[str] = frozenset()) -> None:
        self._holders, self._codes = frozenset(holders), codes
        self.path: list[XmlTag] = []
        self._inside: InlineText | None = None
        self._holder: XmlTag | None = None
        self.tagged = False  # elements stand inside the last text

    def start(self, tag: XmlTag) -> None:
        self.path.append(tag)
        if self._inside is not None:
            self._inside.start(tag.name)
        elif tag.name in self._holders:
            self._inside, self._holder = InlineText(self._codes), tag

    def text(self, text: str) -> None:
        if self._inside is not None:
            self._inside.text(text)

    def end(self, tag: XmlTag, end: int) -> None:
        self.path.pop()
        if tag is self._holder:
            self.tagged = bool(self._inside and self._inside.tagged)
            said, self._inside, self._holder = str(self._inside), None, None
            self.taken(tag, said)
        elif self._inside is not None:
            self._inside.end()
        else:
            self.left(tag, end)

    def taken(self, tag: XmlTag, said: str) -> None:
        """An element that holds a text ended."""

    def left(self, tag: XmlTag, end: int) -> None:
        """Another element ended."""


class _Android(_Texts):
    """<string>, and the <item>s of <plurals> and <string-array>."""

    def __init__(self) -> None:
        super().__init__({"string", "item"})
        self.entries: list[Entry] = []
        self._counted = 0

    def start(self, tag: XmlTag) -> None:
        super().start(tag)
        self._counted = 0 if tag.name in ("plurals", "string-array") else self._counted

    def taken(self, tag: XmlTag, said: str) -> None:
        above = self.path[-1] if self.path else tag
        name = tag.attributes.get("name", "")
        if tag.name == "item":
            if above.name not in ("plurals", "string-array"):
                return  # of a style
            form = tag.attributes.get("quantity") or str(self._counted)
            name, self._counted = f"{above.attributes.get('name', '')}.{form}", self._counted + 1
        kept = "false" in (tag.attributes.get("translatable"), above.attributes.get("translatable"))
        pending, said = "not to be translated" * kept, _android_text(said)
        self.entries.append(entry(tag.line, tag.start, name, said, pending=pending, inline=self.tagged))


def _android_text(text: str) -> str:
    """Blanks count once outside of quotes; a backslash takes the next sign as it is."""
    parts = [part if n % 2 else re.sub(r"\s+", " ", part) for n, part in enumerate(re.split(r'(?<!\\)"', text))]
    return _ESCAPE.sub(
        lambda sign: chr(int(sign[1], 16)) if sign[1] else _SIGNS.get(sign[2], sign[2]), "".join(parts)
    ).strip()


class _Resx(_Texts):
    """<data name="..."><value>; what has a type is no text."""

    def __init__(self) -> None:
        super().__init__({"value"})
        self.entries: list[Entry] = []

    def taken(self, tag: XmlTag, said: str) -> None:
        data = self.path[-1]
        if data.name == "data" and not {"type", "mimetype"} & data.attributes.keys():
            name = data.attributes.get("name", "")
            if not name.startswith((">>", "$this")):
                self.entries.append(entry(data.line, data.start, name, said))


class _Qt(_Texts):
    """<message>s with <source> and <translation>, whose <numerusform>s are plural forms."""

    def __init__(self, text: Encoded) -> None:
        super().__init__({"name", "source", "translation", "numerusform", EXTRA}, frozenset({"byte"}))
        self.units: list[Unit] = []
        self.places: list[int] = []  # behind the last element of each unit's message
        self.stale: list[Edit] = []
        self._text, self._languages, self._context = text, ("en", ""), ""
        self._source, self._forms, self._last = "", list[tuple[int, str]](), 0
        self._pending = ""

    def start(self, tag: XmlTag) -> None:
        if tag.name == "TS":
            self._languages = tag.attributes.get("sourcelanguage", "en"), tag.attributes.get("language", "")
        elif tag.name == "message":
            self._source, self._forms, self._pending = "", [], ""
        elif tag.name == "translation":
            kind = tag.attributes.get("type", "")
            self._pending = {"unfinished": "unfinished", "vanished": "obsolete", "obsolete": "obsolete"}.get(kind, "")
            if self.path and self.path[-1].attributes.get("numerus") == "yes":
                self.path.append(tag)  # its forms are the texts
                return
        super().start(tag)

    def end(self, tag: XmlTag, end: int) -> None:
        super().end(tag, end)
        if self.path and self.path[-1].name == "message" and tag.name != EXTRA:
            self._last = end
        elif tag.name == EXTRA:
            self.stale.append(Edit(tag.start - len(self._text.blank_before(tag.start)), end, b""))

    def taken(self, tag: XmlTag, said: str) -> None:
        if tag.name == "name":
            self._context = said
        elif tag.name == "source":
            self._source = said
        elif tag.name in ("translation", "numerusform"):
            self._forms.append((tag.line, said))

    def left(self, tag: XmlTag, end: int) -> None:
        for n, (line, said) in enumerate(self._forms if tag.name == "message" else ()):
            name = f"{self._context}|{self._source}" + (f"[{n}]" if len(self._forms) > 1 else "")
            pending = self._pending or ("" if said.strip() else "untranslated")
            self.units.append(Unit(line, name, self._source, said, *self._languages, pending))
            self.places.append(self._last)


def _android(file: UserFile) -> Catalogue:
    return _commented(file, _Android())


def _resx(file: UserFile) -> Catalogue:
    return _commented(file, _Resx())


def _commented(file: UserFile, reader: _Android | _Resx) -> Catalogue:
    text = Encoded(file, whole(file))
    walk(file, text, reader)
    return commented(text.content, reader.entries, XML, text.written)


def _qt(file: UserFile) -> Catalogue:
    text = Encoded(file, whole(file))
    reader = _Qt(text)
    walk(file, text, reader)

    def annotated(notes: UnitNotes) -> bytes:
        said: dict[int, dict[str, None]] = {}
        for number, texts in notes.items():
            said.setdefault(reader.places[number], {}).update((note.text, None) for note in texts)
        pieces = {at: text.written(f"<{EXTRA}>{escape('; '.join(told))}</{EXTRA}>") for at, told in said.items()}
        added = [Edit(at, at, b"\n        " + piece) for at, piece in pieces.items()]
        return edited(text.content, [*reader.stale, *added])

    return Catalogue(reader.units, annotated)


FORMATS = (
    resource("android", (), _android, lambda lines: any("<resources" in line for line in islice(lines, 40))),
    resource("resx", (".resx",), _resx),
    resource("ts", (".ts",), _qt),
)
