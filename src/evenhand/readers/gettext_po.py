"""gettext PO: our own reader, because a note needs its line in the file, and polib would rewrite the file. A note is
a translator's comment (`# evenhand: ...`), which msgmerge keeps. Compiled catalogues (.mo) are read and not written."""

import codecs
import gettext
import io
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from evenhand.errors import BadInput
from evenhand.readers.catalogue import Catalogue, Unit, whole
from evenhand.readers.commented import HASH, Entry, beside, commented, resource
from evenhand.readers.opening import UserFile

_KEYWORD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d{1,3})\])?\s*(?=")')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"\s*')
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_CHARSET = re.compile(rb"charset=([\w.:-]+)", re.IGNORECASE)
_HEADER = re.compile(r"^([\w-]+):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_DEFAULT = re.compile(r'#\.\s*(Default:\s*)?"((?:[^"\\]|\\.)*)"')
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_@.]\S*)?")  # some headers hold the language's name instead
_FORMS = re.compile(r"nplurals\s*=\s*(\d{1,3})(?!\d)")


@dataclass
class PoEntry:
    """One entry: its line, the byte where a translator's comment may be added, and its strings."""

    line: int
    place: int
    texts: dict[str, str] = field(default_factory=dict)  # msgctxt, msgid, msgid_plural
    forms: dict[int, str] = field(default_factory=dict)  # msgstr
    fuzzy: bool = False
    default: str | None = None  # the English of a file keyed by ids: `#. Default: "..."`

    @property
    def name(self) -> str:
        context = self.texts.get("msgctxt")
        return self.texts["msgid"] if context is None else f"{context}|{self.texts['msgid']}"


class _Reader:
    """Goes through the lines; `entries` are complete at the end."""

    def __init__(self, file: UserFile, content: bytes) -> None:
        self._file = file
        self.entries: list[PoEntry] = []
        self.encoding = _encoding(file, content)
        self._entry: PoEntry | None = None
        self._current: tuple[str, int] | None = None  # the keyword and the plural form that strings go on
        self._pieces: list[str] = []  # of the current string: joined when it ends
        at = len(codecs.BOM_UTF8) if content.startswith(codecs.BOM_UTF8) else 0
        for number, raw in enumerate(content[at:].split(b"\n"), start=1):
            self._line(number, raw, at)
            at += len(raw) + 1
        self._join()

    def _join(self) -> None:
        """Put the current string, which may go over many lines, into its entry."""
        keyword, form = self._current or ("", 0)
        if self._entry is not None and keyword == "msgstr":
            self._entry.forms[form] = "".join(self._pieces)
        elif self._entry is not None and keyword:
            self._entry.texts[keyword] = "".join(self._pieces)
        self._pieces, self._current = [], None

    def _line(self, number: int, raw: bytes, at: int) -> None:
        try:
            text = raw.decode(self.encoding).strip()
        except UnicodeError as error:
            at_byte = error.start if isinstance(error, UnicodeDecodeError) else 0
            told = f"byte 0x{raw[at_byte]:02x} is not {self.encoding}, the charset of the header"
            raise BadInput.at(self._file.name, number, told, column=at_byte + 1) from error
        if not text:
            return
        if text.startswith("#"):
            self._comment(text, number, at, len(raw) + 1)
            return
        keyword = _KEYWORD.match(text)
        if keyword:
            self._join()
            entry = self._in(number, at, new=keyword[1] in ("msgctxt", "msgid"))
            self._current = (keyword[1], int(keyword[2] or 0))
            entry.line = entry.line if entry.texts else number
            self._add(entry, number, text[keyword.end() :], first=True)
        elif text.startswith('"') and self._entry is not None and self._current is not None:
            self._add(self._entry, number, text, first=False)
        elif not text.startswith("domain "):
            told = "neither a comment, nor msgctxt, msgid, msgid_plural or msgstr with a string in quotes"
            raise BadInput.at(self._file.name, number, told)

    def _in(self, number: int, at: int, *, new: bool) -> PoEntry:
        """The entry a line belongs to: a new one after the strings of the last."""
        begun = self._entry
        if begun is None or (new and begun.forms):
            self._join()
            begun = self._entry = PoEntry(number, at)
            self.entries.append(begun)
            self._current = None
        return begun

    def _comment(self, text: str, number: int, at: int, length: int) -> None:
        """A translator's own stand above the place of a note, all others below."""
        if text.startswith("#~"):
            return
        entry = self._in(number, at, new=True)
        if text.startswith("#,"):
            entry.fuzzy = entry.fuzzy or "fuzzy" in re.split(r"[,\s]+", text[2:])
        elif (said := _DEFAULT.fullmatch(text)) is not None:
            entry.default = f"{entry.default or ''}{_unescaped(said[2])}" if said[1] or entry.default else None
        if text[1:2] in ("", " ") and entry.place == at:
            entry.place = at + length

    def _add(self, entry: PoEntry, number: int, text: str, *, first: bool) -> None:
        string = _STRING.fullmatch(text)
        if string is None:
            raise BadInput.at(self._file.name, number, 'a string without its closing "')
        keyword, form = self._current or ("", 0)
        more = _unescaped(string[1])
        if keyword == "msgstr":
            if first and form in entry.forms:
                raise BadInput.at(self._file.name, number, f"a second msgstr{f'[{form}]' if form else ''} in one entry")
            entry.forms.setdefault(form, "")
        elif first and keyword in entry.texts:
            raise BadInput.at(self._file.name, number, f"a second {keyword} in one entry; its msgstr is missing")
        else:
            entry.texts.setdefault(keyword, "")
        self._pieces.append(more)


def _encoding(file: UserFile, content: bytes) -> str:
    """The header's charset; a template has none yet (CHARSET)."""
    stated = _CHARSET.search(content[: content.find(b"\n\n", 1) if b"\n\n" in content else 4096])
    name = stated[1].decode("ascii") if stated else "utf-8"
    with suppress(LookupError, ValueError):
        found = "utf-8" if name.upper() == "CHARSET" else codecs.lookup(name).name
        # what is no text (hex, zlib) or has no ASCII in it (UTF-16) is no charset of a PO file
        if b"#msgid".decode(found) == "#msgid" and "#msgid".encode(found, "backslashreplace") == b"#msgid":
            return found
    raise BadInput(f"{file.name}: the charset {name!r} is unknown; convert it (msgconv -t utf-8)")


def _language(said: str) -> str:
    return said if _LANGUAGE.fullmatch(said) else ""


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text

    def sign(match: re.Match[str]) -> str:
        told = match[1]
        if told[0] == "x" and len(told) > 1:
            return chr(int(told[1:], 16))
        return chr(int(told, 8)) if told[0] in "01234567" else _CONTROL.get(told, told)

    return _ESCAPE.sub(sign, text)


def catalogue(file: UserFile) -> Catalogue:
    content = whole(file)
    reader = _Reader(file, content)
    header = next((entry for entry in reader.entries if entry.texts.get("msgid") == ""), None)
    fields = dict(_HEADER.findall(header.forms.get(0, ""))) if header else {}
    units = [unit for entry in reader.entries for unit in _units(file, entry, header, fields)]
    return commented(content, units, HASH, partial(str.encode, encoding=reader.encoding, errors="backslashreplace"))


def _units(file: UserFile, entry: PoEntry, header: PoEntry | None, fields: dict[str, str]) -> Iterator[Entry]:
    """A unit for each plural form: the first renders msgid, where there are more the others msgid_plural."""
    if entry is header or not entry.texts:
        return
    if "msgid" not in entry.texts or not entry.forms:
        raise BadInput.at(file.name, entry.line, f"an entry without {'msgstr' if 'msgid' in entry.texts else 'msgid'}")
    name, single, plural = entry.name, entry.default or entry.texts["msgid"], entry.texts.get("msgid_plural")
    stated = _FORMS.search(fields.get("Plural-Forms", ""))
    forms = int(stated[1]) if stated else len(entry.forms)
    for form, text in entry.forms.items():
        pending = "fuzzy" if entry.fuzzy else "" if text.strip() else "untranslated"
        source = single if plural is None or (form == 0 and forms > 1) else plural
        called = name if plural is None else f"{name}[{form}]"
        context = entry.texts.get("msgctxt", "")
        language = _language(fields.get("Language", ""))
        yield Entry(Unit(entry.line, called, source, text, "", language, pending, context=context), entry.place)


def compiled(file: UserFile) -> Catalogue:
    try:
        held = gettext.GNUTranslations(io.BytesIO(whole(file)))
    except (OSError, ValueError, LookupError, IndexError, struct.error) as error:
        raise BadInput(f"{file.name}: not a compiled catalogue of gettext ({error})") from error
    return beside(list(_entries(held)))


def _entries(held: gettext.GNUTranslations) -> Iterator[Unit]:
    """The standard library keeps plural forms under (msgid, form), without the plural's own msgid."""
    texts: dict[str | tuple[str, int], str] = getattr(held, "_catalog")  # noqa: B009
    language = _language(held.info().get("language", ""))
    for number, (key, said) in enumerate(texts.items(), start=1):
        name, form = key if isinstance(key, tuple) else (key, None)
        context, _, source = name.rpartition("\4")
        called = name.replace("\4", "|") + ("" if form is None else f"[{form}]")
        if name:
            pending = "" if said.strip() else "untranslated"
            yield Unit(number, called, source, said, "", language, pending, context=context)


FORMATS = (resource("po", (".po", ".pot"), catalogue), resource("mo", (".mo", ".gmo"), compiled))
