"""A vocabulary and its vectors, and how words are looked up in it. The matrix is float32, one row per word, in the
file's order (most frequent first in every published file). It is never changed in place: a mitigation returns new
`Vectors`."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from evenhand.errors import BadInput

# What loading a file met: counted, with line numbers, kept with the cache so that later loads repeat it.

SHOWN = 5


@dataclass
class Tally:
    """A count and the first few places."""

    count: int = 0
    places: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, what: str) -> None:
        self.count += 1
        if len(self.places) < SHOWN:
            self.places.append((line, what))

    def __str__(self) -> str:
        shown = ", ".join(f"line {line} {what!r}" for line, what in self.places)
        return f"{shown}{', ...' if self.count > len(self.places) else ''}"


@dataclass
class ReadingNotes:
    """`read` counts vectors in the file (or up to the limit). Line numbers are 1-based; in binary files and objects
    they number the vectors."""

    format: str = "memory"
    read: int = 0
    promised: int | None = None
    duplicates: Tally = field(default_factory=Tally)
    zero: Tally = field(default_factory=Tally)
    spaced: Tally = field(default_factory=Tally)
    bad: Tally = field(default_factory=Tally)
    undecodable: Tally = field(default_factory=Tally)
    short: bool = False
    seldom: tuple[str, ...] = ()  # words that the training text has fewer than five times: their letters place them

    @property
    def met(self) -> int:
        """Lines with or without a vector."""
        return self.read + self.bad.count

    def decoded(self, word: bytes, line: int) -> str:
        """The word; one that is not UTF-8 is noted."""
        text = word.decode("utf-8", errors="replace")
        if "\ufffd" in text:
            self.undecodable.add(line, text)
        return text

    def warnings(self) -> list[str]:
        """One sentence per kind of trouble; empty for a clean file."""
        kinds = [
            (self.bad, "malformed lines skipped"),
            (self.zero, "zero vectors left out (they have no direction)"),
            (self.duplicates, "repeated words left out (the first one counts)"),
            (self.spaced, "words with spaces kept"),
            (self.undecodable, "words that are not UTF-8, kept with replacement characters"),
        ]
        lines = [f"{tally.count} {what}: {tally}" for tally, what in kinds if tally.count]
        if self.short:
            lines.append(f"the header promises {self.promised} vectors, the file has {self.read}")
        return lines

    @classmethod
    def from_json(cls, text: str) -> ReadingNotes:
        raw = json.loads(text)
        tallies = {name: Tally(**one) for name, one in raw.items() if isinstance(one, dict)}
        return cls(**raw | tallies | {"seldom": tuple(raw["seldom"])})


Matrix32 = npt.NDArray[np.float32]
RowNumbers = npt.NDArray[np.intp]


@dataclass(frozen=True)
class WordMatch:
    """How a listed word meets the vocabulary. An exact match always wins. `case="ignore"` then takes the most frequent
    entry that differs only in case; `accents="ignore"` the most frequent one that differs only in accents (él and el
    become the same word: use it only when the vectors have none)."""

    case: Literal["exact", "ignore"] = "exact"
    accents: Literal["exact", "ignore"] = "exact"

    def fold(self, word: str) -> str:
        if self.accents == "ignore":
            word = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
        return word.casefold() if self.case == "ignore" else word

    @property
    def folds(self) -> bool:
        return "ignore" in (self.case, self.accents)


EXACT = WordMatch()


class FoundRows(NamedTuple):
    """Which words of a list are in the vocabulary, in the list's order."""

    words: tuple[str, ...]
    rows: RowNumbers
    missing: tuple[str, ...]


class KeyedVectors(Protocol):
    """The part of a gensim KeyedVectors object that is read."""

    @property
    def index_to_key(self) -> Sequence[str]: ...
    @property
    def vectors(self) -> npt.NDArray[np.floating]: ...


@dataclass(frozen=True, eq=False)
class Vectors:
    """Words and their vectors. `notes` tells what loading met (duplicates, zero vectors, skipped lines)."""

    words: Sequence[str]
    matrix: Matrix32
    name: str = "vectors"
    notes: ReadingNotes = field(default_factory=ReadingNotes)
    match: WordMatch = EXACT

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or len(self.words) != len(self.matrix):
            raise BadInput(f"{self.name}: {len(self.words)} words but a matrix of shape {self.matrix.shape}")

    def __len__(self) -> int:
        return len(self.words)

    @property
    def dim(self) -> int:
        return int(self.matrix.shape[1])

    @cached_property
    def signature(self) -> str:
        """The name with a hash of words and numbers, however they were stored."""
        digest = hashlib.sha256("\n".join(self.words).encode())
        for start in range(0, len(self.matrix), 10_000):
            digest.update(np.ascontiguousarray(self.matrix[start : start + 10_000], dtype="<f4").tobytes())
        return f"{self.name}#{digest.hexdigest()[:16]}"

    @cached_property
    def index(self) -> dict[str, int]:
        """Word to row; the first (most frequent) of two equal words."""
        return {word: row for row, word in reversed([*enumerate(self.words)])}

    @cached_property
    def _folded(self) -> dict[str, int]:
        return {self.match.fold(word): row for row, word in reversed([*enumerate(self.words)])}

    @cached_property
    def unit(self) -> Matrix32:
        """The rows scaled to length 1 (cosine is then a dot product)."""
        return unit_rows(self.matrix)

    def row(self, word: str) -> int | None:
        """The row of a word under the match policy, or None."""
        row = self.index.get(word)
        return self._folded.get(self.match.fold(word)) if row is None and self.match.folds else row

    def pair(self, one: str, other: str) -> tuple[int, int] | None:
        """The rows of two words that are to be compared; None where one has no vector or both have the same one (pruned
        tables give rare words their neighbour's)."""
        a, b = self.row(one), self.row(other)
        if a is None or b is None or a == b or np.array_equal(self.matrix[a], self.matrix[b]):
            return None
        return a, b

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.row(word) is not None

    def __getitem__(self, word: str) -> Matrix32:
        if (row := self.row(word)) is None:
            raise BadInput(f"{self.name}: no vector for {word!r}")
        return np.asarray(self.matrix[row])

    def find(self, words: Iterable[str]) -> FoundRows:
        """Look up a list; words that meet the same row twice count once."""
        places = {word: self.row(word) for word in words}
        known: dict[int | None, str] = {}
        for word, row in places.items():
            known.setdefault(row, word)
        known.pop(None, None)
        missing = tuple(word for word, row in places.items() if row is None)
        return FoundRows(tuple(known.values()), np.array(list(known), dtype=np.intp), missing)

    def need(self, words: Iterable[str], what: str) -> FoundRows:
        """Look up a list that cannot be done without: no word in the vocabulary is an error, not a number."""
        words = list(words)
        if not words:
            raise BadInput(f"the list of {what} is empty")
        known = self.find(words)
        if not known.words:
            raise BadInput(
                f"{self.name}: 0 of {len(words)} {what} have a vector (missing: {', '.join(known.missing[:5])}). Are "
                f"list and vectors in the same language? Case: {self.match.case}, accents: {self.match.accents}"
            )
        return known

    def with_matrix(self, matrix: Matrix32) -> Vectors:
        """The same vocabulary with other vectors."""
        return replace(self, matrix=matrix)

    @classmethod
    def from_gensim(cls, vectors: KeyedVectors, name: str = "gensim") -> Vectors:
        """Take over a gensim KeyedVectors object with the checks of a file: NaN is an error, zero vectors and repeated
        words are left out and noted."""
        words, notes = list(vectors.index_to_key), ReadingNotes()
        return cls(*finite(name, words, np.asarray(vectors.vectors, dtype=np.float32), notes), name, notes)


def finite(where: str, words: Sequence[str], matrix: Matrix32, notes: ReadingNotes) -> tuple[list[str], Matrix32]:
    """The usable vectors of a file or object that is read whole; a number that is none is an error."""
    if len(words) != len(matrix):
        raise BadInput(f"{where}: {len(words)} words but {len(matrix)} vectors")
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(bad):
        raise BadInput(f"{where}: vector {bad[0] + 1} ({words[bad[0]]!r}) holds NaN or infinity")
    notes.read = len(words)
    return keep_usable(words, matrix, notes, lines=range(1, len(words) + 1), seen=set())


def keep_usable(
    words: Sequence[str], matrix: Matrix32, notes: ReadingNotes, *, lines: Sequence[int], seen: set[str]
) -> tuple[list[str], Matrix32]:
    """Drop zero vectors and repeated words (the first stays), noting each with its line; `seen` grows."""
    fresh = set(words)
    usable = np.asarray(matrix.any(axis=1))
    if len(fresh) == len(words) and usable.all() and seen.isdisjoint(fresh):
        seen |= fresh
        return list(words), matrix
    keep = []
    for row, word in enumerate(words):
        if not usable[row]:
            notes.zero.add(lines[row], word)
        elif word in seen:
            notes.duplicates.add(lines[row], word)
        else:
            seen.add(word)
            keep.append(row)
    return [words[row] for row in keep], matrix[keep]


def unit_rows(matrix: npt.NDArray[np.floating]) -> Matrix32:
    """Rows scaled to length 1; a zero row is an error, because it has no direction."""
    norms = np.linalg.norm(matrix.astype(np.float64, copy=False) if len(matrix) < 50_000 else matrix, axis=1)
    if not np.all(norms > 0):
        raise BadInput(f"{int(np.sum(~(norms > 0)))} zero or undefined vectors have no direction")
    return np.asarray(matrix / norms[:, None], dtype=np.float32)
