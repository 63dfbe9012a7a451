"""A vocabulary and its vectors, and how words are looked up in it.

The matrix is float32, one row a word, in the file's order (most frequent first in every published file). It is never
changed in place: a mitigation returns new `Vectors`.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Literal, Protocol

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

    def warnings(self) -> list[str]:
        """One sentence a kind of trouble; empty for a clean file."""
        told = [
            (self.bad, "malformed lines skipped"),
            (self.zero, "zero vectors left out (they have no direction)"),
            (self.duplicates, "repeated words left out (the first one counts)"),
            (self.spaced, "words with spaces kept"),
            (self.undecodable, "words that are not UTF-8, kept with replacement characters"),
        ]
        lines = [f"{tally.count} {what}: {tally}" for tally, what in told if tally.count]
        if self.short:
            lines.append(f"the header promises {self.promised} vectors, the file has {self.read}")
        return lines

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> ReadingNotes:
        raw = json.loads(text)
        for name in ("duplicates", "zero", "spaced", "bad", "undecodable"):
            raw[name] = Tally(raw[name]["count"], [(int(line), str(what)) for line, what in raw[name]["places"]])
        return cls(**raw)


Matrix32 = npt.NDArray[np.float32]
RowNumbers = npt.NDArray[np.intp]


@dataclass(frozen=True)
class WordMatch:
    """How a listed word meets the vocabulary. An exact match always wins.

    `case="ignore"` then takes the most frequent entry that differs only in case; `accents="ignore"` the most frequent
    one that differs only in accents (él and el become the same word: use it only when the vectors have none).
    """

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


@dataclass(frozen=True)
class FoundRows:
    """Which words of a list are in the vocabulary, in the list's order; `folded` were found only by ignoring case
    or accents."""

    words: tuple[str, ...]
    rows: RowNumbers
    missing: tuple[str, ...]
    folded: tuple[str, ...]


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
        index = dict(zip(self.words, range(len(self.words)), strict=True))
        if len(index) != len(self.words):
            for row in range(len(self.words) - 1, -1, -1):
                index[self.words[row]] = row
        return index

    @cached_property
    def _folded(self) -> dict[str, int]:
        fold = self.match.fold
        index: dict[str, int] = {}
        for row, word in enumerate(self.words):
            index.setdefault(fold(word), row)
        return index

    @cached_property
    def unit(self) -> Matrix32:
        """The rows scaled to length 1 (cosine is then a dot product)."""
        return unit_rows(self.matrix)

    def row(self, word: str) -> int | None:
        """The row of a word under the match policy, or None."""
        row = self.index.get(word)
        if row is None and self.match.folds:
            row = self._folded.get(self.match.fold(word))
        return row

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
        row = self.row(word)
        if row is None:
            raise BadInput(f"{self.name}: no vector for {word!r}")
        vector: Matrix32 = self.matrix[row]
        return vector

    def find(self, words: Iterable[str]) -> FoundRows:
        """Look up a list; words that meet the same row twice count once."""
        found: dict[int, str] = {}
        missing, folded = [], []
        for word in dict.fromkeys(words):
            row = self.row(word)
            if row is None:
                missing.append(word)
                continue
            if word not in self.index:
                folded.append(word)
            found.setdefault(row, word)
        rows = np.fromiter(found, dtype=np.intp, count=len(found))
        return FoundRows(tuple(found.values()), rows, tuple(missing), tuple(folded))

    def need(self, words: Iterable[str], what: str, *, at_least: int = 1) -> FoundRows:
        """Look up a list that cannot be done without: too few words in the vocabulary is an error, not a number."""
        words = list(words)
        if not words:
            raise BadInput(f"the list of {what} is empty")
        found = self.find(words)
        if len(found.words) < at_least:
            raise BadInput(
                f"{self.name}: {len(found.words)} of {len(words)} {what} have a vector, at least {at_least} needed "
                f"(missing: {', '.join(found.missing[:5])}{', ...' if len(found.missing) > 5 else ''}). "
                "Are list and vectors in the same language, and is the case right (case: "
                f"{self.match.case}, accents: {self.match.accents})?"
            )
        return found

    def with_matrix(self, matrix: Matrix32, name: str | None = None) -> Vectors:
        """The same vocabulary with other vectors."""
        return Vectors(self.words, matrix, name or self.name, self.notes, self.match)

    def matching(self, match: WordMatch) -> Vectors:
        """The same vectors under another match policy."""
        return Vectors(self.words, self.matrix, self.name, self.notes, match)

    def top(self, n: int) -> Vectors:
        """The first (most frequent) n words."""
        return Vectors(self.words[:n], self.matrix[:n], self.name, self.notes, self.match)

    @classmethod
    def from_gensim(cls, vectors: KeyedVectors, name: str = "gensim") -> Vectors:
        """Take over a gensim KeyedVectors object; words without direction (zero, NaN) are left out and noted."""
        return cls.checked(list(vectors.index_to_key), np.asarray(vectors.vectors, dtype=np.float32), name=name)

    @classmethod
    def checked(cls, words: Sequence[str], matrix: npt.NDArray[np.floating], name: str = "vectors") -> Vectors:
        """Vectors from memory with the checks of a file: NaN is an error, zero vectors and duplicates are noted."""
        if len(words) != len(matrix):
            raise BadInput(f"{name}: {len(words)} words but {len(matrix)} vectors")
        notes = ReadingNotes(format="memory", read=len(words))
        matrix32 = np.ascontiguousarray(matrix, dtype=np.float32)
        bad = np.flatnonzero(~np.isfinite(matrix32).all(axis=1))
        if len(bad):
            raise BadInput(f"{name}: {len(bad)} vectors hold NaN or infinity, the first is {words[bad[0]]!r}")
        kept_words, kept = keep_usable(words, matrix32, notes, lines=range(1, len(words) + 1), seen=set())
        return cls(kept_words, kept, name, notes)


def keep_usable(
    words: Sequence[str], matrix: Matrix32, notes: ReadingNotes, *, lines: Sequence[int], seen: set[str]
) -> tuple[list[str], Matrix32]:
    """Drop zero vectors and repeated words (the first stays), noting each with its line; `seen` grows."""
    fresh = set(words)
    usable = np.asarray(matrix.any(axis=1))
    if len(fresh) == len(words) and usable.all() and seen.isdisjoint(fresh):
        seen |= fresh
        return list(words), matrix
    keep = np.ones(len(words), dtype=bool)
    for row, word in enumerate(words):
        if not usable[row]:
            keep[row] = False
            notes.zero.add(lines[row], word)
        elif word in seen:
            keep[row] = False
            notes.duplicates.add(lines[row], word)
        else:
            seen.add(word)
    return [word for word, kept in zip(words, keep, strict=True) if kept], matrix[keep]


def unit_rows(matrix: npt.NDArray[np.floating]) -> Matrix32:
    """Rows scaled to length 1; a zero row is an error, because it has no direction."""
    norms = np.linalg.norm(matrix.astype(np.float64, copy=False) if len(matrix) < 50_000 else matrix, axis=1)
    if not np.all(norms > 0):
        raise BadInput(f"{int(np.sum(~(norms > 0)))} zero or undefined vectors have no direction")
    result: Matrix32 = (matrix / norms[:, None]).astype(np.float32)
    return result
