"""Any file of strings with their translations as a catalogue. In CSV and TSV a note is a cell of a last column of ours;
other tables have no room for one: there the notes are a file by themselves, by key."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import known, primary
from evenhand.readers.catalogue import OURS, Catalogue, Edit, Unit, UnitNotes, by_place, edited, whole
from evenhand.readers.comma_separated import row_lines
from evenhand.readers.commented import beside
from evenhand.readers.format import Format
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import BY_SUFFIX, FORMATS, chosen, read

LAYOUT = Layout(
    "string",
    (
        Column("rendering", ("translation", "target", "text"), required=True),
        Column("source"),
        Column("id"),
        Column("source_lang"),
        Column("target_lang"),
        Column("speaker", ("character", "voice")),
        Column("listener"),
    ),
    some=False,
)
_CELL = re.compile(rb',(?:"(?:[^"]|"")*"|[^,"]*)$')
_TAB = re.compile(rb"\t[^\t]*$")


def open_catalogue(file: UserFile, *, format: str = "auto") -> Catalogue:
    """The strings of a file in any format that has source and translation, or keys to find the source by."""
    kind = chosen(file, given=format, otherwise="tsv", guess=True)
    try:
        opened = _opened(file, kind)
    except BadInput as error:
        if format != "auto" or file.suffix in BY_SUFFIX or kind.name != "tsv":
            raise
        told = (
            f"neither its name nor its content is of a format we know ({', '.join(checkable())}); read as TSV: {error}"
        )
        raise BadInput(f"{file.name}: {told}") from error

    def annotated(notes: UnitNotes) -> bytes:
        """Read again before anybody gets it: nothing but our notes may differ."""
        content = opened.annotated(notes)
        told = ""
        try:
            if opened.beside or opened.same(_opened(replace(file, held=content), kind)):
                return content
        except BadInput as error:
            told = f" ({error})"
        raise BadInput(f"{file.name}: notes would damage this file{told}. Nothing was written.")

    return replace(opened, annotated=annotated)


def language_of(path: Path | None) -> list[str]:
    """The language that a path names where files usually do: values-de/, de.lproj/, locale/de/, messages_de.properties,
    de.yml; [] where it names none, or none of those we know."""
    if path is None:
        return []
    stem = path.name.partition(".")[0] if path.name.count(".") < 2 else ".".join(path.name.split(".")[:-1])
    for said in (stem, *(part for part in path.absolute().parent.parts[:-4:-1])):
        folder = re.fullmatch(r"(?:values-)?([a-z]{2,3}(?:[-_](?:r?[A-Z]{2}|[A-Z][a-z]{3}))?)(?:\.lproj)?", said)
        ending = re.search(r"[._-]([a-z]{2}(?:[-_][A-Z]{2})?)$", said) if said is stem else None
        found = folder or ending
        if found and primary(found[1]) in known():
            return [found[1].replace("-r", "-")]
    return []


def checkable() -> list[str]:
    """The names of the formats that have sources and translations, or keys."""
    return [name for name, format in FORMATS.items() if format.carries in ("columns", "units")]


def _opened(file: UserFile, kind: Format) -> Catalogue:
    if kind.catalogue is not None:
        return kind.catalogue(file)
    if kind.carries != "columns":
        raise BadInput(f"{file.name}: {kind.name} cannot be checked; use one of {', '.join(checkable())}")
    if file.path is None:
        raise BadInput("stdin: pass a file here, because its lines are read twice")
    table = read(file, LAYOUT, format=kind)
    units = _units(table)
    if kind.name not in ("csv", "tsv"):
        return beside(units)
    return Catalogue(units, lambda notes: _column(file, units, notes, comma=kind.name == "csv"))


def _units(table: pl.DataFrame) -> list[Unit]:
    height = table.height

    def texts(name: str) -> list[str]:
        return table[name].fill_null("").to_list() if name in table.columns else [""] * height

    names = ("id", "source", "rendering", "source_lang", "target_lang", "speaker", "listener")
    columns = (texts(name) for name in names)
    return [
        Unit(line, name or str(line), source, text, begun, to, "" if text.strip() else "untranslated", *cast)
        for line, name, source, text, begun, to, *cast in zip(table[LINE], *columns, strict=True)
    ]


def _physical(content: bytes) -> Iterator[tuple[int, int]]:
    """Where each line begins and ends, without its line break."""
    at = 0
    for line in content.split(b"\n"):
        yield at, at + len(line.removesuffix(b"\r"))
        at += len(line) + 1


def _column(file: UserFile, units: list[Unit], notes: UnitNotes, *, comma: bool) -> bytes:
    """One cell more in every row: the header's is our name; none of all this where there is nothing to say."""
    content, told = whole(file), by_place(notes, [unit.line for unit in units])
    lines = list(_physical(content))
    filled = (n for n, (begin, end) in enumerate(lines, start=1) if content[begin:end].strip())
    ends = row_lines(file) if comma else {n: n for n in filled}
    data = {unit.line for unit in units}
    header = max((line for line in ends if line < min(data, default=0)), default=0)
    if not header:
        return content
    last = _CELL if comma else _TAB
    begin, end = lines[ends[header] - 1]
    before = last.search(content[begin:end])
    ours = before is not None and before[0].strip(b',\t"') == OURS.encode()
    edits, wanted = [], {header, *data}
    for line, final in ends.items():
        if line not in wanted:
            continue
        begin, end = lines[final - 1]
        old = last.search(content[begin:end]) if ours else None
        cell = OURS if line == header else "; ".join(told.get(line, ()))
        cell = '"' + cell.replace('"', '""') + '"' if comma and line in told else cell
        added = f"{',' if comma else chr(9)}{cell}".encode() if told else b""
        edits.append(Edit(begin + old.start() if old else end, end, added))
    return edited(content, edits)
