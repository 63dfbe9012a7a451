"""XLIFF 1.2 and 2.x: the units of both, and notes where each version's schema has room for them.

A string is one <trans-unit> (1.2) or one <segment> of a <unit> (2.x). A note is the version's own <note>, for people,
and an ITS 2.0 locQualityIssue, for tools. In 1.2 the note stands behind the target, which refers to the ITS record at
the unit's end; in 2.x the record stands first in the unit (a 2.x target can refer to nothing) and the note in <notes>.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from evenhand.errors import BadInput
from evenhand.readers.catalogue import OURS, Catalogue, Edit, Unit, UnitNote, UnitNotes, edited, whole
from evenhand.readers.commented import resource
from evenhand.readers.opening import UserFile
from evenhand.readers.xml_places import XML_NAMESPACE, Encoded, InlineText, XmlTag, walk

ITS = "http://www.w3.org/2005/11/its"
CODES = frozenset({"x", "bx", "ex", "ph", "bpt", "ept", "it", "sub", "sc", "ec", "cp"})
_TYPES = {"wrong": "mistranslation", "open": "other"}  # of ITS 2.0's list, which has none for gender
_SEVERITY = {"wrong": 100, "open": 50}  # of 100
_REFERENCE, _LABEL = f"{{{ITS}}}locQualityIssuesRef", f"{{{XML_NAMESPACE}}}id"
_TEXTS = frozenset({"source", "target", "seg-source"})
HOLDERS = ("trans-unit", "segment")  # of a source and its target; an <alt-trans> is a proposal
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
    """Collects units, their places, and what we wrote into the file before."""

    def __init__(self, file: UserFile, text: Encoded) -> None:
        self._file, self._text = file, text
        self.units: list[Unit] = []
        self.places: list[First | Second] = []
        self.stale: list[Edit] = []
        self.hollow: list[Edit] = []  # <notes> with nothing inside
        self.prefix = ""  # of the version's own elements
        self._second = False  # the unit is of version 2.x
        self._languages = ("", "")
        self._files: list[str] = []  # names of the files inside
        self._within: list[int] = []  # the number of each unit's
        self._path: list[XmlTag] = []
        self._inside: InlineText | None = None  # the source or target we are in
        self._unit: XmlTag | None = None
        self._segments: list[Unit] = []
        self._texts: dict[str, str] = {}
        self._tagged = False  # elements stand inside the last text
        self._marked: dict[str, dict[str, InlineText]] = {}  # of 1.2, the segments of a source and a target
        self._marks: dict[str, int] = {}  # places in the unit

    def start(self, tag: XmlTag) -> None:
        parent = self._path[-1].name if self._path else ""
        self._path.append(tag)
        if self._inside is not None:
            self._go_into(self._inside, tag)
            return
        given = tag.attributes
        match tag.name:
            case "xliff":
                self.prefix = tag.written.removesuffix("xliff")
                self._languages = (given.get("srcLang", ""), given.get("trgLang", ""))
            case "file":
                self._files.append(given.get("original") or given.get("id", ""))
                if "source-language" in given:
                    self._languages = (given["source-language"], given.get("target-language", ""))
            case "trans-unit" | "unit":
                self._second = tag.name == "unit"
                self._unit, self._segments, self._marks, self._texts, self._marked = tag, [], {}, {}, {}
            case "segment":
                self._texts = {}
            case "source" | "target" | "seg-source" if parent in HOLDERS:
                self._inside = InlineText(CODES)
                if tag.name == "target" and not self._second:
                    self._target(tag)
        if parent == "unit" and tag.name in _PARTS:
            self._marks.setdefault("first", tag.start)
            if tag.name != "notes":
                self._marks.setdefault("body", tag.start)

    def _go_into(self, inside: InlineText, tag: XmlTag) -> None:
        """An element within a source or target."""
        if _segment(tag):
            holder = next(above.name for above in reversed(self._path) if above.name in _TEXTS)
            self._marked.setdefault(holder, {})[tag.attributes["mid"]] = InlineText(CODES)
        for text in (inside, *self._open_segment()):
            text.start(tag.name)

    def _target(self, tag: XmlTag) -> None:
        """Where a reference to our issue can stand in the tag, and one that stands there already."""
        name = tag.start + len(self._text.written(f"<{tag.written}"))
        self._marks |= {"opening": tag.start, "name": name}
        reference = tag.attributes.get(_REFERENCE, "")
        ours = self._text.written(_reference(reference[1:]))
        if reference.startswith(f"#{OURS}-") and self._text.content.startswith(ours, name):
            self.stale.append(Edit(name, name + len(ours), b""))
        elif any(key.startswith(f"{{{ITS}}}") for key in tag.attributes) or self._uses_its(name):
            self._marks["name"] = -1

    def _uses_its(self, name: int) -> bool:
        """Whether the tag says its: itself, of whatever namespace: a second xmlns:its would be no XML."""
        written = self._text.content[name : self._text.behind(">", name)]
        return any(self._text.written(prefix) in written for prefix in ("its:", "xmlns:its"))

    def text(self, text: str) -> None:
        for inside in (self._inside, *self._open_segment()) if self._inside is not None else ():
            inside.text(text)

    def _open_segment(self) -> Iterator[InlineText]:
        """The segment of a source or target that we are in."""
        mark = next((tag for tag in reversed(self._path) if _segment(tag)), None)
        holder = next((tag.name for tag in reversed(self._path) if tag.name in _TEXTS), "")
        if mark is not None:
            yield self._marked[holder][mark.attributes["mid"]]

    def end(self, tag: XmlTag, end: int) -> None:
        self._path.pop()
        parent = self._path[-1].name if self._path else ""
        if parent == "trans-unit" and not _ours(tag):
            self._marks["last"] = end
        if self._inside is not None:
            self._come_out(self._inside, tag, end)
        elif self._unit is None:
            return
        elif _ours(tag):
            self._forget(tag, end)
        elif tag.name == "note" and parent == "notes":
            self._marks |= {"note": tag.start, "behind": end}
        elif tag.name == "notes" and "behind" not in self._marks:
            self._forget_notes(tag, end)
        elif tag.name in ("segment", "trans-unit"):
            self._take(tag)
        if tag.name in ("unit", "trans-unit"):
            self._leave()

    def _come_out(self, inside: InlineText, tag: XmlTag, end: int) -> None:
        """The end of a source or target, or of an element within."""
        if tag.name in _TEXTS and self._path[-1].name in HOLDERS:
            self._texts[tag.name], self._tagged, self._inside = str(inside), inside.tagged, None
            if tag.name != "seg-source":
                self._marks["end"] = end
            return
        for text in (inside, *self._open_segment()):
            text.end()

    def _forget(self, tag: XmlTag, end: int) -> None:
        """A note of ours goes with the blanks it came with: those before it, or in front of a 2.x unit those behind."""
        if self._second and tag.name == "locQualityIssues":
            self.stale.append(Edit(tag.start, end + len(self._text.blank_after(end)), b""))
        else:
            self.stale.append(Edit(tag.start - len(self._text.blank_before(tag.start)), end, b""))

    def _forget_notes(self, tag: XmlTag, end: int) -> None:
        """<notes> with none but ours were made by us."""
        before, whole = len(self.stale), Edit(tag.start, end + len(self._text.blank_after(end)), b"")
        while self.stale and self.stale[-1].start >= tag.start:
            self.stale.pop()
        if len(self.stale) < before:
            self.stale.append(whole)
        else:
            self.hollow.append(whole)
            self._marks |= {"hollow": tag.start, "filled": end}

    def _take(self, tag: XmlTag) -> None:
        """A string is complete: a segment, or a unit of 1.2."""
        unit = self._unit or tag
        name = unit.attributes.get("id") or unit.attributes.get("resname") or str(len(self.units) + 1)
        number = tag.attributes.get("id") or (str(len(self._segments) + 1) if self._segments else "")
        if tag.name == "segment" and number:
            name = f"{name}/{number}"
        source, rendering = self._texts.get("source"), self._texts.get("target", "")
        if source is None:
            raise BadInput.at(self._file.name, tag.line, f"<{tag.name}> {name!r} has no <source>")
        kept = any(above.attributes.get("translate") == "no" for above in (unit, *self._path))
        pending = "not to be translated" if kept else "" if rendering.strip() else "untranslated"
        one = Unit(tag.line, name, source, rendering, *self._languages, pending, inline=self._tagged)
        parts = list(self._parts_of(one))
        self._segments += parts if parts and tag.name != "segment" else [one]

    def _parts_of(self, unit: Unit) -> Iterator[Unit]:
        """The segments marked in a unit of 1.2, where its target has several."""
        begun, made = self._marked.get("seg-source", {}), self._marked.get("target", {})
        for mid, part in begun.items() if len(made) > 1 else ():
            said = str(made.get(mid, ""))
            pending = unit.pending or ("" if said.strip() else "untranslated")
            yield unit._replace(id=f"{unit.id}/{mid}", source=str(part), rendering=said, pending=pending)

    def _leave(self) -> None:
        label, marks = f"{OURS}-{len(self.units) + 1}", self._marks
        place: First | Second
        if self._second:
            place = Second(
                label, *(marks.get(key, -1) for key in ("first", "note", "behind", "hollow", "filled", "body"))
            )
        else:
            place = First(label, *(marks.get(key, -1) for key in ("opening", "name", "end", "last")))
        self.units += self._segments
        self.places += [place] * len(self._segments)
        self._within += [len(self._files) - 1] * len(self._segments)
        self._unit = None

    def named(self) -> list[Unit]:
        """The units; where the document holds several files, ids begin with their file's name."""
        if len(self._files) < 2:
            return self.units
        numbered = zip(self.units, self._within, strict=True)
        return [unit._replace(id=f"{self._files[n] or n + 1}:{unit.id}") for unit, n in numbered]


def _segment(tag: XmlTag) -> bool:
    """A segment marked in a source or target of 1.2, as SDL's and others' files have them."""
    return tag.name == "mrk" and tag.attributes.get("mtype") == "seg" and "mid" in tag.attributes


def _ours(tag: XmlTag) -> bool:
    if tag.name == "note":
        return OURS in (tag.attributes.get("from"), tag.attributes.get("category"))
    return tag.name == "locQualityIssues" and tag.attributes.get(_LABEL, "").startswith(f"{OURS}-")


def catalogue(file: UserFile) -> Catalogue:
    text = Encoded(file, whole(file))
    reader = _Reader(file, text)
    walk(file, text, reader)

    def annotated(notes: UnitNotes) -> bytes:
        together: dict[First | Second, list[UnitNote]] = {}
        for number, said in notes.items():
            together.setdefault(reader.places[number], []).extend(said)
        edits = [edit for place, said in together.items() for edit in place.edits(text, reader.prefix, said)]
        return edited(text.content, [*reader.stale, *edits])

    return Catalogue(reader.named(), annotated, bare=lambda: edited(text.content, [*reader.stale, *reader.hollow]))


FORMATS = (resource("xliff", (".xliff", ".xlf", ".sdlxliff", ".mxliff", ".mqxliff"), catalogue),)
