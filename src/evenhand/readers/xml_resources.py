"""Strings in XML of three houses: Android's strings.xml, .NET's .resx and Qt's .ts."""

import re
from itertools import islice
from xml.sax.saxutils import escape

from evenhand.readers.catalogue import OURS, Catalogue, Edit, Unit, UnitNotes, by_place, edited, whole
from evenhand.readers.commented import XML, Entry, commented, entry, resource
from evenhand.readers.opening import UserFile
from evenhand.readers.xml_places import Encoded, elements

_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t"}
EXTRA = f"extra-{OURS}"  # Qt keeps elements called extra-*, and drops comments
CODES = frozenset({"byte"})
_STATES = {"unfinished": "unfinished", "vanished": "obsolete", "obsolete": "obsolete"}


def _android(file: UserFile) -> Catalogue:
    """<string>, and the <item>s of <plurals> and <string-array>."""
    text, entries = Encoded(file, whole(file)), list[Entry]()
    for holder in elements(file, text, ("string", "plurals", "string-array")):
        name, single = holder.given("name"), holder.name == "string"
        for n, one in enumerate([holder] if single else holder.children("item")):
            key = name if single else f"{name}.{one.given('quantity') or n}"
            above = holder.above if single else holder
            kept = "false" in (one.given("translatable"), above.given("translatable") if above else "")
            pending, said = "not to be translated" * kept, _android_text(one.words())
            entries.append(entry(one.line, one.start, key, said, pending=pending, inline=one.tagged))
    return commented(text.content, entries, XML, text.written)


def _android_text(text: str) -> str:
    """Blanks count once outside of quotes; a backslash takes the next sign as it is."""
    parts = [part if n % 2 else re.sub(r"\s+", " ", part) for n, part in enumerate(re.split(r'(?<!\\)"', text))]
    return _ESCAPE.sub(
        lambda sign: chr(int(sign[1], 16)) if sign[1] else _SIGNS.get(sign[2], sign[2]), "".join(parts)
    ).strip()


def _resx(file: UserFile) -> Catalogue:
    """<data name="..."><value>; what has a type is no text."""
    text = Encoded(file, whole(file))
    entries = [
        entry(data.line, data.start, data.given("name"), value.words())
        for data in elements(file, text, ("data",))
        for value in data.children("value")
        if not {"type", "mimetype"} & data.attributes.keys() and not data.given("name").startswith((">>", "$this"))
    ]
    return commented(text.content, entries, XML, text.written)


def _qt(file: UserFile) -> Catalogue:
    """<message>s with <source> and <translation>, whose <numerusform>s are plural forms."""
    text, context = Encoded(file, whole(file)), ""
    units, places = list[Unit](), list[int]()  # behind the last element of each unit's message
    stale: list[Edit] = []
    for message in elements(file, text, ("name", "message")):
        if message.name == "name":
            context = message.words()
            continue
        top = next((one for one in message.around() if one.name == "TS"), message)
        source = "".join(one.words(CODES) for one in message.children("source"))
        last = max((one.end for one in message.children() if one.name != EXTRA), default=message.start)
        extra = message.children(EXTRA)
        stale += [Edit(one.start - len(text.blank_before(one.start)), one.end, b"") for one in extra]
        for translation in message.children("translation"):
            forms = list(translation.children("numerusform")) if message.given("numerus") == "yes" else [translation]
            for n, form in enumerate(forms):
                name, said = f"{context}|{source}" + f"[{n}]" * (len(forms) > 1), form.words(CODES)
                pending = _STATES.get(translation.given("type")) or ("" if said.strip() else "untranslated")
                languages = top.given("sourcelanguage", "en"), top.given("language")
                units.append(Unit(form.line, name, source, said, *languages, pending))
                places.append(last)

    def annotated(notes: UnitNotes) -> bytes:
        said = by_place(notes, places)
        pieces = {at: text.written(f"<{EXTRA}>{escape('; '.join(told))}</{EXTRA}>") for at, told in said.items()}
        added = [Edit(at, at, b"\n        " + piece) for at, piece in pieces.items()]
        return edited(text.content, [*stale, *added])

    return Catalogue(units, annotated)


FORMATS = (
    resource("android", (), _android, lambda lines: any("<resources" in line for line in islice(lines, 40))),
    resource("resx", (".resx",), _resx),
    resource("ts", (".ts",), _qt),
)
