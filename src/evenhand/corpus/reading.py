"""Parallel text in one file, or two (Moses), alone or in folders, as batches of pairs: line, source, rendering, perhaps
the document. A line that is no pair comes with an empty side, so that it is counted and not fatal."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.errors import BadInput, listed
from evenhand.languages import known, primary
from evenhand.pipeline.intake import Rows, files_in
from evenhand.pipeline.shards import Keys, hashes
from evenhand.readers import comma_separated, parquet, tmx
from evenhand.readers.layout import LINE, Layout
from evenhand.readers.opening import BLOCK_LINES, LONGEST_LINE, STDIN, UserFile
from evenhand.storage.tables import schema

PAIRS = {**schema(pl.Int64, "line"), **schema(pl.String, "document", "source", "rendering")}
DOCUMENT = ("document", "document_id", "doc", "doc_id")
NESTED = "translation"  # {"translation": {"en": ..., "de": ...}}
BAR = "|||"
BOTH = (".tsv", ".csv", ".jsonl", ".ndjson", ".parquet", ".tmx")
PLAIN = ("", ".txt", ".text")
WHOLE = -1  # both sides in one file
BLOCK = 200  # lines of a cluster where the text names no documents
LONGEST = 2_000  # characters of a side; what is longer is no sentence
EMPTY, BROKEN, LONG = "a side is empty", "not UTF-8", f"longer than {LONGEST:,} characters"


_HALF = re.compile("[\ud800-\udfff]")


class Origin(NamedTuple):
    """A file with both sides, or (`target`) two files with one side each."""

    source: UserFile
    target: UserFile | None = None

    @property
    def files(self) -> list[Path | None]:
        return [file.path for file in self if file is not None]

    @property
    def name(self) -> str:
        """The file's name without its folder: what a page calls it."""
        return " + ".join(path.name for path in self.files if path) or "stdin"

    @property
    def place(self) -> str:
        """The same with its folder, as it was given."""
        return " + ".join(str(path) for path in self.files if path) or "stdin"


def suffixes_of(language: str) -> tuple[str, ...]:
    """Endings of a file in one language: .de, .deu."""
    code = primary(language)
    entry = known().get(code)
    return tuple(dict.fromkeys(f".{name}" for name in (language.lower(), code, entry.iso639_3 if entry else code)))


def origins(given: Iterable[Path | str], *, source: str, target: str) -> list[Origin]:
    """The texts behind files and folders, in order; files in one language find their partner by their name."""
    kinds = (*BOTH, *suffixes_of(source), *suffixes_of(target))
    files = [file for one in given for file in files_in(one, kinds, what="parallel text")]
    if not files:
        raise BadInput(f"no parallel text given: name files, folders, or {STDIN} for a TSV on standard input")
    plain = [file for file in files if file.suffix in PLAIN and file.path is not None]
    starts = [next((text for _, text in file.lines(lenient=True)), "") for file in plain[:2]]
    if len(files) == len(plain) == 2 and not any("\t" in line or BAR in line for line in starts):
        return [Origin(*files)]
    sides = {suffix: side for side, code in ((0, source), (1, target)) for suffix in suffixes_of(code)}
    halves: dict[Path | None, dict[int, UserFile]] = {}  # files whose names differ in the language only, by their side
    for file in files:
        path, side = file.path, sides.get(file.suffix, WHOLE)
        halves.setdefault(path.with_name(file.stem) if path and side != WHOLE else path, {})[side] = file
    alone = next((pair for pair in halves.values() if len(pair) == 1 and WHOLE not in pair), {})
    for file in alone.values():
        raise BadInput(f"{file.name}: the file of the other language is missing")
    return [Origin(pair[WHOLE]) if WHOLE in pair else Origin(pair[0], pair[1]) for pair in halves.values()]


@dataclass(frozen=True)
class Sides:
    """The two languages, and the columns that hold them if the user names them (names, or numbers from 1)."""

    source: str
    target: str
    columns: tuple[str, str] | None = None

    def names(self, side: int) -> tuple[str, ...]:
        """What a column of a side may be called, in lower case."""
        if self.columns:
            return (self.columns[side].lower(),)
        code = (self.source, self.target)[side].lower()
        entry = known().get(primary(code))
        usual = ("source", "src") if side == 0 else ("target", "rendering", "tgt", "trg")
        return (*usual, code, primary(code), *((entry.iso639_3, entry.name.lower()) if entry else ()))

    def places(self, header: Sequence[str]) -> tuple[int, int] | None:
        """Where the two sides are under a header; None where it names none of them."""
        low = [name.strip().lower() for name in header]
        at = [next((low.index(name) for name in self.names(side) if name in low), -1) for side in (0, 1)]
        return (at[0], at[1]) if min(at) >= 0 else None

    def wanted(self, names: Sequence[str]) -> list[str]:
        """The columns of a table that are read: the two sides and the document; all where it names no sides."""
        places = self.places(names)
        if NESTED in names or places is None:
            return list(names)
        return [name for n, name in enumerate(names) if n in places or name.lower() in DOCUMENT]

    def numbered(self, width: int, file: UserFile) -> tuple[int, int]:
        """Where they are without a header: the first two columns, or those of the user's numbers."""
        asked = self.columns or ("1", "2")
        if not all(number.isdecimal() and 1 <= int(number) <= width for number in asked):
            one = "; a file with one side needs the other one too (text.en text.de)" if width == 1 else ""
            raise BadInput.at(file.name, 1, f"no columns {asked[0]} and {asked[1]} among the {width} there{one}")
        return int(asked[0]) - 1, int(asked[1]) - 1


def pair_rows(texts: Sequence[Origin], sides: Sides, *, block: int = BLOCK) -> Iterator[tuple[str, Iterator[Rows]]]:
    """The pairs of each text, for `take_in`: blanks around the sides removed, a cluster for each, and why a line is no
    pair in `bad`."""
    either, size = pl.any_horizontal, pl.col("source", "rendering").str
    trimmed = pl.col("source", "rendering").fill_null("").str.strip_chars()
    bad = (
        pl.when(either(pl.col("source", "rendering") == "")).then(pl.lit(EMPTY))
        .when(either(size.contains("\ufffd", literal=True))).then(pl.lit(BROKEN))
        .when(either(size.len_bytes() > LONGEST) & either(size.len_chars() > LONGEST)).then(pl.lit(LONG))
    )  # fmt: skip
    blocks = ((pl.col("line") - 1) // block).cast(pl.String)

    def batches(number: int, text: Origin) -> Iterator[Rows]:
        cluster = pl.concat_str(pl.lit(f"{number}/"), pl.coalesce("=" + pl.col("document"), blocks))
        for batch in read_pairs(text, sides):
            marked = batch.with_columns(trimmed).with_columns(bad=bad, cluster=cluster)
            yield batch.height, marked.select("line", "cluster", "source", "rendering", "bad")

    often = Counter(text.name for text in texts)  # several files of one name are called by their folders too
    for number, text in enumerate(texts):
        yield text.name if often[text.name] == 1 else text.place, batches(number, text)


def pair_keys(pairs: pl.DataFrame) -> Keys:
    """A number per pair (source, rendering) that equal pairs share."""
    return hashes(pairs.select(pl.concat_str("source", pl.lit("\t"), "rendering"))["source"])


def read_pairs(origin: Origin, sides: Sides) -> Iterator[pl.DataFrame]:
    """The pairs of one text in its order (columns PAIRS), never all at once."""
    if origin.target is not None:
        return _two_files(origin.source, origin.target)
    file = origin.source
    match file.suffix:
        case ".tmx":
            units = tmx.pairs(file, source=sides.source, target=sides.target)
            return _framed((unit.line, None, unit.source, unit.target) for unit in units)
        case ".jsonl" | ".ndjson":
            return _framed(_objects(file, sides))
        case ".parquet":
            return _tables(file, sides, parquet.batches(file, Layout("pair"), wanted=sides.wanted))
        case ".csv":
            headed = sides.places  # a first line that names the sides
            layout = Layout("pair", notes="nowhere", gaps=True, headed=lambda cells: bool(headed(cells)), ragged=True)
            return _tables(file, sides, comma_separated.batches(file, layout))
        case _:
            return _columns(file, sides)


def _framed(rows: Iterator[tuple[int, str | None, str, str]]) -> Iterator[pl.DataFrame]:
    while batch := list(islice(rows, BLOCK_LINES)):
        yield pl.DataFrame(batch, schema=PAIRS, orient="row")


def _two_files(one: UserFile, two: UserFile) -> Iterator[pl.DataFrame]:
    """Line by line; files of different length are no pair."""
    both = zip_longest(one.lines(lenient=True), two.lines(lenient=True))
    while batch := list(islice(both, BLOCK_LINES)):
        for file, side in ((one, 0), (two, 1)):
            _check_ends(file, [pair[side][1] for pair in batch if pair[side] is not None])
        if None in batch[-1]:
            shorter, last = (one, batch[-1][1]) if batch[-1][0] is None else (two, batch[-1][0])
            raise BadInput(
                f"{shorter.name} is shorter than the other file, which has a line {last[0]:,}: "
                "their lines do not correspond"
            )
        yield pl.DataFrame([(left[0], None, left[1], right[1]) for left, right in batch], schema=PAIRS, orient="row")


def _check_ends(file: UserFile, lines: Sequence[str]) -> None:
    """An error for lines that end in a carriage return alone: all of them would be one."""
    if len(lines) == 1 and "\r" in lines[0]:
        raise BadInput.at(file.name, 1, "its lines end in CR alone; turn them into LF (tr '\\r' '\\n' does)")


def _columns(file: UserFile, sides: Sides) -> Iterator[pl.DataFrame]:
    """Tabs between columns, or ||| between the two sides; a first line that names the sides is a header."""
    separator, places, document = "", (0, 1), -1
    for first, block in file.blocks(lenient=True):
        headed = False
        _check_ends(file, block)
        if not separator and block:
            separator = "\t" if "\t" in block[0] or BAR not in block[0] else BAR
            places, document, headed = _header(block[0].split(separator), sides, file)
        texts = pl.DataFrame({"text": block[headed:]}, schema={"text": pl.String})
        cells = pl.col("text").str.split_exact(separator or "\t", max(*places, document)).struct
        yield texts.select(
            line=pl.int_range(first + headed, first + len(block), dtype=pl.Int64),
            document=cells.field(f"field_{document}") if document >= 0 else pl.lit(None, pl.String),
            source=cells.field(f"field_{places[0]}"),
            rendering=cells.field(f"field_{places[1]}"),
        )


def _header(cells: Sequence[str], sides: Sides, file: UserFile) -> tuple[tuple[int, int], int, bool]:
    """Where the sides are, and the documents (-1: nowhere); whether the line names them or is a pair itself."""
    places, low = sides.places(cells), [name.strip().lower() for name in cells]
    if places is None:
        return sides.numbered(len(cells), file), -1, False
    return places, next((low.index(name) for name in DOCUMENT if name in low), -1), True


def _objects(file: UserFile, sides: Sides) -> Iterator[tuple[int, str | None, str, str]]:
    def first(cells: Mapping[str, object], names: Iterable[str]) -> object:
        return next((cells[name] for name in names if name in cells), None)

    for number, text in file.lines(lenient=True):
        row = None  # stays so for what is no JSON
        with suppress(ValueError, RecursionError):
            row = json.loads(text)
        whole = row if isinstance(row, dict) else {}
        inside = whole.get(NESTED)
        cells = {name.lower(): cell for name, cell in (inside if isinstance(inside, dict) else whole).items()}
        one, two = (_whole(first(cells, sides.names(side))) for side in (0, 1))
        document = first(whole, DOCUMENT)
        yield number, None if document is None else _whole(str(document)), one, two


def _whole(cell: object) -> str:
    """The text; empty for what is none, and for one with half a character (JSON's \\ud800), which no table can hold."""
    return cell if isinstance(cell, str) and not _HALF.search(cell) else ""


def _tables(file: UserFile, sides: Sides, tables: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Tables with named or numbered columns; a column `translation` may hold both languages."""
    for given in tables:
        table = given.unnest(NESTED) if isinstance(given.schema.get(NESTED), pl.Struct) else given
        names = [name for name in table.columns if name != LINE]
        places = sides.places(names)
        if places is None and all(name.isdigit() for name in names) and len(names) > 1:
            places = sides.numbered(len(names), file)
        if places is None:
            asked = " and ".join("/".join(sides.names(side)) for side in (0, 1))
            lack = f"{file.name}: no columns for the two sides ({asked})"
            raise BadInput(f"{lack}; it has {listed(names)}. Use --columns")
        source, rendering = (pl.col(names[place]).cast(pl.String) for place in places)
        document = next((pl.col(name) for name in names if name.lower() in DOCUMENT), pl.lit(None))
        longer = pl.any_horizontal(text.str.len_bytes() > LONGEST_LINE for text in (source, rendering))
        long = table.filter(longer)[LINE]
        if len(long):
            raise BadInput.at(file.name, long[0], f"a text longer than {LONGEST_LINE >> 20} MB; is it one?")
        columns = {"document": document.cast(pl.String), "source": source, "rendering": rendering}
        yield table.select(line=pl.col(LINE).cast(pl.Int64), **columns)
