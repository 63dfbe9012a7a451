"""TMX 1.4b: translation units with one variant a language; a note is a <prop> of the variant it speaks of."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple
from xml.sax.saxutils import escape

from evenhand.errors import BadInput
from evenhand.languages import code, primary
from evenhand.readers.catalogue import OURS, Catalogue, Edit, Unit, UnitNotes, edited, whole
from evenhand.readers.commented import resource
from evenhand.readers.opening import READ, UserFile
from evenhand.readers.xml_places import XML_NAMESPACE, Element, Encoded, elements, streamed

CODES = frozenset({"bpt", "ept", "it", "ph", "ut", "sub"})  # their content is code, <sub> stands inside them
TYPE = f"x-{OURS}"
_LANG = f"{{{XML_NAMESPACE}}}lang"


class Variant(NamedTuple):
    """The <seg> of one language."""

    language: str
    seg: Element


def _variants(tu: Element) -> list[Variant]:
    return [
        Variant(tuv.given(_LANG) or tuv.given("lang"), seg) for tuv in tu.children("tuv") for seg in tuv.children("seg")
    ]


def _source(variants: list[Variant], language: str) -> Variant | None:
    """The variant in the stated source language, with any region; without one ("*all*") English, or else the first."""
    by_code = {code(variant.language): variant for variant in reversed(variants)}
    by_primary = {primary(variant.language): variant for variant in reversed(variants)}
    stated = by_code.get(code(language)) or by_primary.get(primary(language))
    return stated or by_primary.get("en") or next(iter(variants), None)


def catalogue(file: UserFile) -> Catalogue:
    text = Encoded(file, whole(file))
    units, segs, stale, number, stated = list[Unit](), list[Element](), list[Edit](), 0, ""
    for tu in elements(file, text, ("header", "tu")):
        if tu.name == "header":
            stated = tu.given("srclang")
            continue
        number += 1
        variants = _variants(tu)
        source = _source(variants, tu.given("srclang") or stated)
        for language, seg in variants if source else ():
            if source and seg is not source.seg:
                said = seg.words(CODES)
                pending, line = "" if said.strip() else "untranslated", seg.above.line if seg.above else seg.line
                languages = source.language, language
                name = tu.given("tuid") or str(number)
                units.append(Unit(line, name, source.seg.words(CODES), said, *languages, pending, inline=seg.tagged))
                segs.append(seg)
        # the blanks behind a note came with it: it was put before what follows
        ours = (prop for prop in tu.within("prop", outside=("seg",)) if prop.given("type") == TYPE)
        stale += [Edit(prop.start, prop.end + len(text.blank_after(prop.end)), b"") for prop in ours]
    if not units:
        raise BadInput(f"{file.name}: no <tu> with two languages in it; is it TMX?")
    if len({unit.target_lang for unit in units}) > 1:  # ids end with the target language
        units = [unit._replace(id=f"{unit.id}/{unit.target_lang}") for unit in units]

    def annotated(notes: UnitNotes) -> bytes:
        edits = []
        for number, said in notes.items():
            at = segs[number].start
            space = text.blank_before(at)
            added = (text.written(f'<prop type="{TYPE}">{escape(note.text)}</prop>') + space for note in said)
            edits.append(Edit(at, at, b"".join(added)))
        return edited(text.content, [*stale, *edits])

    return Catalogue(units, annotated)


FORMATS = (resource("tmx", (".tmx",), catalogue),)


# TMX of any size as pairs of two languages, unit by unit: what a corpus needs, and no place for notes (see tmx.py).

LONGEST = 8 << 20  # characters of a unit, bytes of a tag or a comment: no text has more, and they come in whole


class TmxPair(NamedTuple):
    """A unit's texts in the two languages ("" where it has none), and the line it begins on."""

    line: int
    source: str
    target: str


def pairs(file: UserFile, *, source: str, target: str) -> Iterator[TmxPair]:
    """Every unit in order, about a megabyte of the file in memory; what is no XML is a BadInput with its line."""
    with file.opened() as stream:
        for tu in streamed(file, iter(partial(stream.read, READ), b""), ("tu",), longest=LONGEST):
            texts: dict[str, str] = {}
            for language, seg in _variants(tu):
                texts.setdefault(primary(language), " ".join(seg.words(CODES).split()))
            yield TmxPair(tu.line, texts.get(primary(source), ""), texts.get(primary(target), ""))
