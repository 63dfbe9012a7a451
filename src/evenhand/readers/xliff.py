"""XLIFF 1.2 and 2.x: the units of both, and notes where each version's schema has room for them.

A string is one <trans-unit> (1.2) or one <segment> of a <unit> (2.x). A note is the version's own <note>, for people,
and an ITS 2.0 locQualityIssue, for tools. In 1.2 the note stands behind the target, which refers to the ITS record at
the unit's end; in 2.x the record stands first in the unit (a 2.x target can refer to nothing) and the note in <notes>.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from evenhand.errors import BadInput
from evenhand.readers.catalogue import OURS, Catalogue, Edit, Unit, UnitNote, UnitNotes, edited, whole
from evenhand.readers.commented import resource
from evenhand.readers.opening import UserFile
from evenhand.readers.xml_places import XML_NAMESPACE, Element, Encoded, elements

ITS = "http://www.w3.org/2005/11/its"
CODES = frozenset({"x", "bx", "ex", "ph", "bpt", "ept", "it", "sub", "sc", "ec", "cp"})
_TYPES = {"wrong": "mistranslation", "open": "other"}  # of ITS 2.0's list, which has none for gender
_SEVERITY = {"wrong": 100, "open": 50}  # of 100
_REFERENCE, _LABEL = f"{{{ITS}}}locQualityIssuesRef", f"{{{XML_NAMESPACE}}}id"
_TEXTS = frozenset({"source", "target", "seg-source"})
_PARTS = frozenset(
    {"notes", "originalData", "segment", "ignorable"}
)  # what may follow other namespaces in a unit of 2.x


class First(NamedTuple):
    """Where notes on a 1.2 unit go: behind the target's `end`, what is not XLIFF's own behind the `last` element;
    `opening` is where the target's tag starts, `name` where its name ends (-1: it has a reference of somebody else).
    `label` is unique in the file."""

    label: str
    opening: int
    name: int
    end: int
    last: int

    def edits(self, text: Encoded, prefix: str, notes: Sequence[UnitNote]) -> list[Edit]:
        """A reference in the target's tag, the notes behind the target, and last what is referred to."""
        space = text.blank_before(self.opening)
        pieces = (f'<{prefix}note from="{OURS}" annotates="target">{escape(n.text)}</{prefix}note>' for n in notes)
        written = Edit(self.end, self.end, b"".join(space + text.written(piece) for piece in pieces))
        record = Edit(self.last, self.last, space + text.written(_issues(self.label, notes)))
        reference = [Edit(self.name, self.name, text.written(_reference(self.label)))] if self.name >= 0 else []
        return [*reference, written, record]


class Second(NamedTuple):
    """Where notes on a 2.x unit go, those on all its segments. `first`: before which byte other namespaces stand;
    `note`, `behind`: where the last note of somebody else begins and ends (-1: none); `hollow`, `filled`: the same of
    <notes> with nothing inside; `body`: before which byte new <notes> stand."""

    label: str
    first: int
    note: int
    behind: int
    hollow: int
    filled: int
    body: int

    def edits(self, text: Encoded, prefix: str, notes: Sequence[UnitNote]) -> list[Edit]:
        """The ITS record before everything, the notes behind others' or in <notes> of their own."""
        record = text.written(_issues(self.label, notes)) + text.blank_before(self.first)
        pieces = (f'<{prefix}note category="{OURS}" appliesTo="target">{escape(n.text)}</{prefix}note>' for n in notes)
        written = [text.written(piece) for piece in pieces]
        if self.behind >= 0:
            space = text.blank_before(self.note)
            added = Edit(self.behind, self.behind, b"".join(space + piece for piece in written))
        else:
            whole = text.written(f"<{prefix}notes>") + b"".join(written) + text.written(f"</{prefix}notes>")
            new = Edit(self.body, self.body, whole + text.blank_before(self.body))
            added = new if self.hollow < 0 else Edit(self.hollow, self.filled, whole)
        return [Edit(self.first, self.first, record), added]


def _reference(label: str) -> str:
    return f' xmlns:its="{ITS}" its:version="2.0" its:locQualityIssuesRef="#{label}"'


def _issues(label: str, notes: Sequence[UnitNote]) -> str:
    rows = "".join(
        f'<its:locQualityIssue locQualityIssueType="{_TYPES[note.kind]}" '
        f'locQualityIssueComment={quoteattr(note.text)} locQualityIssueSeverity="{_SEVERITY[note.kind]}"/>'
        for note in notes
    )
    return f'<its:locQualityIssues xmlns:its="{ITS}" xml:id="{label}">{rows}</its:locQualityIssues>'


class _Reader:
    """The units of the documents' elements, their places, and what we wrote into the file before."""

    def __init__(self, file: UserFile, text: Encoded) -> None:
        self._file, self._text = file, text
        self.units: list[Unit] = []
        self.places: list[First | Second] = []
        self.stale: list[Edit] = []
        self.hollow: list[Edit] = []  # <notes> with nothing inside
        self.prefix = ""  # of the version's own elements
        within: list[Element | None] = []  # the <file> of each unit
        for unit in elements(file, text, ("trans-unit", "unit")):
            above = {one.name: one for one in unit.around()}
            if "xliff" in above:
                self.prefix = above["xliff"].written.removesuffix("xliff")
            found = list(self._strings(unit, above))
            label = f"{OURS}-{len(self.units) + 1}"
            place = self._second(unit, label) if unit.name == "unit" else self._first(unit, label)
            self.units += found
            self.places += [place] * len(found)
            within += [above.get("file")] * len(found)
        files = list(dict.fromkeys(one for one in within if one))
        if len(files) > 1:  # ids begin with their file's name
            names = {one: one.given("original") or one.given("id") or str(n) for n, one in enumerate(files, start=1)}
            pairs = zip(self.units, within, strict=True)
            self.units = [one._replace(id=f"{names[held]}:{one.id}") if held else one for one, held in pairs]

    def _strings(self, unit: Element, above: Mapping[str, Element]) -> Iterator[Unit]:
        """A string for every segment."""
        top, file = (above.get(name, unit) for name in ("xliff", "file"))
        languages = top.given("srcLang"), top.given("trgLang")
        if "source-language" in file.attributes:
            languages = file.given("source-language"), file.given("target-language")
        named = unit.given("id") or unit.given("resname") or str(len(self.units) + 1)
        holders = [unit] if unit.name == "trans-unit" else list(unit.within("segment", outside=_TEXTS))
        for count, holder in enumerate(holders):
            texts = {one.name: one for one in holder.children(*_TEXTS)}
            number = holder.given("id") or (str(count + 1) if count else "")
            name = f"{named}/{number}" if holder is not unit and number else named
            if "source" not in texts:
                raise BadInput.at(self._file.name, holder.line, f"<{holder.name}> {name!r} has no <source>")
            source, target = texts["source"].words(CODES), texts.get("target")
            rendering = target.words(CODES) if target else ""
            kept = any(one.given("translate") == "no" for one in (holder, *holder.around()))
            pending = "not to be translated" if kept else "" if rendering.strip() else "untranslated"
            inline = (target or texts["source"]).tagged
            one = Unit(holder.line, name, source, rendering, *languages, pending, inline=inline)
            parts = list(_parts_of(one, texts)) if holder is unit else []
            yield from parts or [one]

    def _first(self, unit: Element, label: str) -> First:
        """The places of a 1.2 unit; earlier notes of ours and the reference to them go."""
        texts = list(unit.children("source", "target"))
        opening, name = -1, -1
        for target in unit.children("target"):
            opening, name = target.start, self._reference_place(target)
        ours = [one for one in unit.within("note", "locQualityIssues", outside=_TEXTS) if _ours(one)]
        self.stale += [Edit(one.start - len(self._text.blank_before(one.start)), one.end, b"") for one in ours]
        last = max((one.end for one in unit.children() if not _ours(one)), default=-1)
        return First(label, opening, name, texts[-1].end, last)

    def _reference_place(self, target: Element) -> int:
        """Where a reference to our issue can be in the tag; -1 where there is one of somebody else."""
        name = target.start + len(self._text.written(f"<{target.written}"))
        reference = target.given(_REFERENCE)
        ours = self._text.written(_reference(reference[1:]))
        if reference.startswith(f"#{OURS}-") and self._text.content.startswith(ours, name):
            self.stale.append(Edit(name, name + len(ours), b""))
        elif any(key.startswith(f"{{{ITS}}}") for key in target.attributes) or self._uses_its(name):
            return -1
        return name

    def _uses_its(self, name: int) -> bool:
        """Whether the tag says its: itself, of whatever namespace: a second xmlns:its would be no XML."""
        written = self._text.content[name : self._text.behind(">", name)]
        return any(self._text.written(prefix) in written for prefix in ("its:", "xmlns:its"))

    def _second(self, unit: Element, label: str) -> Second:
        """The places of a 2.x unit; <notes> with none but ours go, and our records with the blanks behind them."""
        parts = list(unit.children(*_PARTS))
        first = parts[0].start if parts else -1
        body = next((one.start for one in parts if one.name != "notes"), -1)
        for record in unit.within("locQualityIssues", outside=_TEXTS):
            if _ours(record):
                self.stale.append(Edit(record.start, record.end + len(self._text.blank_after(record.end)), b""))
        note = behind = hollow = filled = -1
        for notes in unit.children("notes"):
            said = list(notes.children("note"))
            whole = Edit(notes.start, notes.end + len(self._text.blank_after(notes.end)), b"")
            for one in said if not all(map(_ours, said)) else ():
                if _ours(one):
                    self.stale.append(Edit(one.start - len(self._text.blank_before(one.start)), one.end, b""))
                else:
                    note, behind = one.start, one.end
            if said and all(map(_ours, said)):
                self.stale.append(whole)
            elif not said:
                self.hollow.append(whole)
                hollow, filled = notes.start, notes.end
        return Second(label, first, note, behind, hollow, filled, body)


def _parts_of(unit: Unit, texts: Mapping[str, Element]) -> Iterator[Unit]:
    """The segments marked in a unit of 1.2 (SDL's and others' files), where its target has several."""
    begun, made = (_marked(texts.get(name)) for name in ("seg-source", "target"))
    for mid, part in begun.items() if len(made) > 1 else ():
        said = made[mid].words(CODES) if mid in made else ""
        pending = unit.pending or ("" if said.strip() else "untranslated")
        yield unit._replace(id=f"{unit.id}/{mid}", source=part.words(CODES), rendering=said, pending=pending)


def _marked(text: Element | None) -> dict[str, Element]:
    marks = text.within("mrk") if text else ()
    return {one.given("mid"): one for one in marks if one.given("mtype") == "seg" and "mid" in one.attributes}


def _ours(one: Element) -> bool:
    if one.name == "note":
        return OURS in (one.given("from"), one.given("category"))
    return one.name == "locQualityIssues" and one.given(_LABEL).startswith(f"{OURS}-")


def catalogue(file: UserFile) -> Catalogue:
    text = Encoded(file, whole(file))
    reader = _Reader(file, text)

    def annotated(notes: UnitNotes) -> bytes:
        together: dict[First | Second, list[UnitNote]] = {}
        for number, said in notes.items():
            together.setdefault(reader.places[number], []).extend(said)
        edits = [edit for place, said in together.items() for edit in place.edits(text, reader.prefix, said)]
        return edited(text.content, [*reader.stale, *edits])

    return Catalogue(reader.units, annotated, bare=lambda: edited(text.content, [*reader.stale, *reader.hollow]))


FORMATS = (resource("xliff", (".xliff", ".xlf", ".sdlxliff", ".mxliff", ".mqxliff"), catalogue),)
