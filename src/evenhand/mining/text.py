"""Natural text in: files, folders and stdin, in any of the readers' formats, as sentences."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.pipeline.intake import Rows, files_in
from evenhand.pipeline.shards import Keys, hashes
from evenhand.readers.layout import LINE, Layout
from evenhand.readers.opening import STDIN, UserFile
from evenhand.readers.registry import BY_SUFFIX, stream

KNOWN = tuple(suffix for suffix, format in BY_SUFFIX.items() if format.parts)
FIELDS = ("text", "sentence", "source", "content")
SHORTEST, LONGEST, MOST_WORDS = 8, 400, 60
UNFIT = "too short or too long"
LINES = 5_000  # read at a time
SENTENCES: dict[str, pl.DataType] = {"line": pl.Int64(), "text": pl.String(), "bad": pl.String()}

_BLANKS = re.compile(r"\s+")
_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])")
_SHORT = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|sr|jr|rev|hon|capt|gen|col|lt|sgt|gov|sen|vs|etc|e\.g|i\.e|no|inc|ltd|co|cf|ca|fig|"
    r"jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|a\.m|p\.m|u\.s|u\.k)|\b[A-Z])\.\s*$",
    re.IGNORECASE,
)


def inputs(paths: Iterable[Path | str]) -> list[Path | None]:
    """The files behind paths and folders, each once and sorted: the order of the arguments changes nothing. None is
    stdin."""
    files = {file.path for given in paths for file in files_in(given, KNOWN, what="text")}
    if not files:
        raise BadInput(f"no text given: name files, folders, or {STDIN} for stdin")
    return sorted(files, key=str)


def sentence_rows(
    paths: Iterable[Path | None], *, field: str | None = None, limit: int | None = None
) -> Iterator[tuple[str, Iterator[Rows]]]:
    """The sentences of each file, for `take_in`; about `limit` of all."""
    seen = 0

    def batches(path: Path | None) -> Iterator[Rows]:
        nonlocal seen
        count, rows = 0, list[tuple[int, str, str | None]]()
        for number, piece in read_text(path, field=field):
            count += 1
            found = sentences(piece)
            seen += len(found)
            rows += [(number, text, None if usable(text) else UNFIT) for text in found]
            full = limit is not None and seen >= limit
            if full or count == LINES:
                yield count, pl.DataFrame(rows, schema=SENTENCES, orient="row")
                count, rows = 0, []
            if full:
                return
        yield count, pl.DataFrame(rows, schema=SENTENCES, orient="row")

    for path in paths:
        if limit is None or seen < limit:
            yield UserFile(path).name, batches(path)


def sentence_keys(rows: pl.DataFrame) -> Keys:
    """Capitals do not distinguish sentences."""
    return hashes(text.casefold() for text in rows["text"])


def read_text(path: Path | None, *, field: str | None = None) -> Iterator[tuple[int, str]]:
    """Pieces of text with their line numbers, blank ones left out. `field`: the key or column (by default text,
    sentence, source or content; of a table without a header its number, by default the first)."""

    def headed(cells: Sequence[str]) -> bool:
        return "text" in cells if field is None else not field.isdigit()

    def wanted(names: Sequence[str]) -> list[str]:
        usual = [name for name in FIELDS if name in names]
        return [name for name in ([field] if field else usual or ["1"]) if name in names]

    def complaint(names: Sequence[str]) -> str:
        return "" if wanted(names) else f"no column {field or ' or '.join(FIELDS)}"

    layout = Layout("text", complaint=complaint, some=False, notes="nowhere", gaps=True, headed=headed, ragged=True)
    for batch in stream(UserFile(path), layout, format="lines"):
        text = pl.coalesce([pl.col(name).cast(pl.String) for name in wanted(batch.columns)] or [pl.lit("")])
        yield from ((number, piece) for number, piece in batch.select(LINE, text).iter_rows() if (piece or "").strip())


def normalise(text: str) -> str:
    """NFC, one blank for every run of blanks and control signs, none at the ends."""
    if not text.isascii():
        text = "".join(" " if unicodedata.category(c) in {"Cc", "Cf", "Co", "Cs"} else c for c in text)
        text = unicodedata.normalize("NFC", text)
    elif not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return _BLANKS.sub(" ", text).strip()


def sentences(text: str) -> list[str]:
    """Cut at sentence ends before a capital or a figure, not after abbreviations and initials."""
    text = normalise(text)
    ends = [0]
    for end in (match.end() for match in _END.finditer(text)):
        if not _SHORT.search(text, ends[-1], end):
            ends.append(end)
    return list(filter(None, (text[start:end].strip() for start, end in pairwise([*ends, len(text)]))))


def usable(sentence: str) -> bool:
    """Neither too short to hold a statement nor too long to be one; with letters in it."""
    fits = SHORTEST <= len(sentence) <= LONGEST and 3 <= sentence.count(" ") + 1 <= MOST_WORDS
    return fits and any(c.isalpha() for c in sentence)
