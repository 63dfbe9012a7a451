"""word2vec / fastText / GloVe text: one word and its numbers a line, with or without a "count dimension" header.

Each block of lines goes through Polars' CSV parser; a block with anything unusual in it (a missing number, NaN, a word
with spaces, bytes that are not UTF-8) is read again line by line, so that every complaint has its line number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Literal

import numpy as np
import polars as pl

from evenhand.embeddings.vectors import Matrix32, ReadingNotes, keep_usable
from evenhand.errors import BadInput

BLOCK = 32 << 20
LARGEST_DIM = 1 << 16  # a larger header is a lie or not a header
BadLines = Literal["error", "skip"]


@dataclass(frozen=True)
class Header:
    count: int | None
    dim: int
    lines: int  # how many lines the header takes: 0 or 1


def read_text(
    stream: IO[bytes],
    path: str,
    *,
    limit: int | None = None,
    bad_lines: BadLines = "error",
    tick: Callable[[int], None] | None = None,
) -> tuple[list[str], Matrix32, ReadingNotes]:
    """Read words and vectors, at most `limit` lines. `tick` is told the uncompressed bytes of each block.

    A malformed line (wrong number of numbers, NaN, infinity, no word) is an error unless bad_lines="skip". A header
    that promises another number of vectors than the file has is treated the same way.
    """
    block, rest = _next_block(stream, b"")
    if not block.strip():
        raise BadInput.at(path, None, "the file is empty")
    header = _header(block, path)
    notes = ReadingNotes(format="word2vec text" if header.lines else "GloVe text", promised=header.count)
    parser = _Parser(path, header.dim, bad_lines, notes)
    words: list[str] = []
    parts: list[Matrix32] = []
    seen: set[str] = set()
    line = 1 + header.lines
    if header.lines:
        block = block[block.index(b"\n") + 1 :] if b"\n" in block else b""
    while block or rest:
        if limit is not None and notes.read + notes.bad.count >= limit:
            break
        left = None if limit is None else limit - notes.read - notes.bad.count
        if left is not None:
            block = _first_lines(block, left)
        new, matrix, lines = parser.parse(block, line)
        notes.read += len(new)
        kept, kept_matrix = keep_usable(new, matrix, notes, lines=lines, seen=seen)
        words += kept
        parts.append(kept_matrix)
        line += block.count(b"\n")
        if tick:
            tick(len(block))
        block, rest = _next_block(stream, rest)
    if not words:
        raise BadInput.at(path, None, "no usable vector in the file")
    _check_promise(notes, header, limit, path, bad_lines)
    return words, np.concatenate(parts) if len(parts) > 1 else parts[0], notes


class _Parser:
    """Turns blocks of whole lines into words, a matrix and line numbers."""

    def __init__(self, path: str, dim: int, bad_lines: BadLines, notes: ReadingNotes) -> None:
        self.path, self.dim, self.bad_lines, self.notes = path, dim, bad_lines, notes
        numbers = {str(i): pl.Float32() for i in range(dim)}
        self.schema: dict[str, pl.DataType] = {"word": pl.String(), **numbers}
        self.trailing: dict[str, pl.DataType] = {**self.schema, "trailing": pl.String()}

    def parse(self, block: bytes, line: int) -> tuple[list[str], Matrix32, range | list[int]]:
        fast = self._fast(block)
        if fast is not None:
            return (*fast, range(line, line + len(fast[0])))
        return self._slow(block, line)

    def _fast(self, block: bytes) -> tuple[list[str], Matrix32] | None:
        end = block.find(b"\n")
        spaced = block[: end if end >= 0 else None].rstrip(b"\r").endswith(b" ")
        try:
            table = pl.read_csv(
                block,
                separator=" ",
                has_header=False,
                quote_char=None,
                schema=self.trailing if spaced else self.schema,
            )
        except (pl.exceptions.PolarsError, ValueError):
            return None
        words, numbers = table["word"], table.select(list(self.schema)[1:])
        if words.null_count() or (spaced and table["trailing"].null_count() != len(table)):
            return None
        if sum(numbers.null_count().row(0)):
            return None
        matrix = np.ascontiguousarray(numbers.to_numpy(), dtype=np.float32)
        if not np.isfinite(matrix).all():
            return None
        return words.to_list(), matrix

    def _slow(self, block: bytes, line: int) -> tuple[list[str], Matrix32, list[int]]:
        words: list[str] = []
        rows: list[Matrix32] = []
        lines: list[int] = []
        for number, raw in enumerate(block.split(b"\n"), start=line):
            text = raw.rstrip(b"\r \t")
            if not text:
                continue
            word, vector, why = self._one(text, number)
            if vector is None:
                if self.bad_lines == "error":
                    raise BadInput.at(self.path, number, f"{why}. To skip and count such lines: --skip-bad-lines")
                self.notes.bad.add(number, why)
                continue
            words.append(word)
            rows.append(vector)
            lines.append(number)
        matrix = np.stack(rows) if rows else np.empty((0, self.dim), dtype=np.float32)
        return words, matrix, lines

    def _one(self, text: bytes, number: int) -> tuple[str, Matrix32 | None, str]:
        """One line: word, vector, or why not. The last `dim` fields are the numbers, all before them the word."""
        fields = text.replace(b"\t", b" ").split(b" ")
        name = b" ".join(fields[: -self.dim]) if len(fields) > self.dim else b""
        if not name.strip():
            return "", None, f"{len(fields) - 1} numbers, expected {self.dim}"
        last = name.rsplit(b" ", 1)
        if len(last) == 2 and _is_number(last[1]):
            return "", None, f"more than the expected {self.dim} numbers"
        try:
            vector = np.array(fields[-self.dim :], dtype=np.float64).astype(np.float32)
        except ValueError:
            return "", None, f"something that is not a number among the {self.dim} fields after the word"
        if not np.isfinite(vector).all():
            return "", None, "NaN or infinity"
        word = name.decode("utf-8", errors="replace")
        if "\ufffd" in word:
            self.notes.undecodable.add(number, word)
        if b" " in name:
            self.notes.spaced.add(number, word)
        return word, vector, ""


def _next_block(stream: IO[bytes], rest: bytes) -> tuple[bytes, bytes]:
    """Whole lines of about BLOCK bytes, and the beginning of the next one."""
    parts = [rest]
    while chunk := stream.read(BLOCK):
        cut = chunk.rfind(b"\n")
        if cut >= 0:
            parts.append(chunk[: cut + 1])
            return b"".join(parts), chunk[cut + 1 :]
        parts.append(chunk)
    return b"".join(parts), b""


def _first_lines(block: bytes, n: int) -> bytes:
    end = -1
    if block.count(b"\n") <= n:
        return block
    for _ in range(n):
        end = block.index(b"\n", end + 1)
    return block[: end + 1]


def _header(block: bytes, path: str) -> Header:
    lines = [line.rstrip(b"\r ") for line in block.split(b"\n", 21)[:20]]
    first = lines[0].split()
    if len(first) == 2 and first[0].isdigit() and first[1].isdigit():
        count, dim = int(first[0]), int(first[1])
        if not 1 <= dim <= LARGEST_DIM:
            raise BadInput.at(path, 1, f"the header says vectors have {dim} dimensions")
        if len(lines) < 2 or not lines[1]:
            raise BadInput.at(path, 1, f"the header promises {count} vectors but none follows")
        return Header(count, dim, 1)
    # most lines decide: one may be cut, another have a word with spaces
    widths = Counter(len(line.split(b" ")) - 1 for line in lines if line)
    dim = max(widths, key=lambda width: (widths[width], -width))
    if dim < 2:
        raise BadInput.at(path, 1, "neither a header (count, dimension) nor a word followed by numbers")
    return Header(None, dim, 0)


def _check_promise(notes: ReadingNotes, header: Header, limit: int | None, path: str, bad_lines: BadLines) -> None:
    if header.count is None:
        return
    met = notes.read + notes.bad.count
    expected = header.count if limit is None else min(limit, header.count)
    if met == expected or (limit is not None and met == limit):
        return
    notes.short = True
    if bad_lines == "error":
        raise BadInput.at(
            path,
            1,
            f"the header promises {header.count} vectors, the file has {met}: a broken download or a cut file? "
            "To use it as it is: --skip-bad-lines",
        )


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
