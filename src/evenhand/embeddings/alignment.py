"""Bring two languages into one space: orthogonal Procrustes on a dictionary, refined with mutual neighbours.

The map is a rotation, so nothing inside a language changes: cosines, analogies and associations stay as they were.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import linalg

from evenhand.embeddings.fields import read_fields
from evenhand.embeddings.neighbours import crowding, nearest
from evenhand.embeddings.vectors import Matrix32, Vectors
from evenhand.errors import BadInput
from evenhand.readers.cells import Cells

Dictionary = tuple[tuple[str, str], ...]
FEWEST_PAIRS, MOST_FREQUENT = 50, 5_000
MOST_BROKEN = 0.02  # of a dictionary's lines


@dataclass(frozen=True)
class Alignment:
    """x_source @ rotation lies in the target's space. `pairs` are the (source row, target row) pairs it was solved on:
    the dictionary and what refinement added; `rounds`: mean CSLS of the neighbours before each round."""

    rotation: npt.NDArray[np.float64]
    pairs: npt.NDArray[np.intp]
    rounds: tuple[float, ...]

    def apply(self, vectors: Vectors) -> Vectors:
        """The vectors in the target's space, lengths unchanged."""
        turned: Matrix32 = (vectors.matrix @ self.rotation.astype(np.float32)).astype(np.float32)
        return vectors.with_matrix(turned)


def read_dictionary(path: Path, told: list[str] | None = None) -> Dictionary:
    """A bilingual dictionary as MUSE writes it: two words a line, separated by a tab or a space (or ; or ,).

    Expressions of several words need another separator than a space; further columns are then ignored. Where the caller
    takes notes (`told`), a few broken lines (up to one in fifty) are left out and counted; otherwise the first is an
    error with its number.
    """
    given = read_fields(path, 2)
    if not given.lines:
        raise BadInput(f"{path}: the dictionary is empty")
    pairs: list[tuple[str, str]] = []
    broken: list[Cells] = []
    for line in given.lines:
        if len(line.cells) < 2 or not all(line.cells[:2]) or (given.spaced and len(line.cells) > 2):
            broken.append(line)
        else:
            pairs.append((line.cells[0], line.cells[1]))
    if broken:
        first, shown = broken[0], " ".join(broken[0].cells)[:60]
        if told is None or len(broken) > MOST_BROKEN * len(given.lines):
            raise BadInput.at(path, first.number, f"expected two words, found {len(first.cells)}: {shown!r}")
        told.append(f"{path}: {len(broken)} lines without two words left out, the first is {first.number}: {shown!r}")
    return tuple(dict.fromkeys(pairs))


def english_first(pairs: Dictionary, english: Vectors, other: Vectors) -> bool:
    """Whether the first column of a dictionary is the English one, by what the two vocabularies hold."""
    forward = sum(a in english and b in other for a, b in pairs)
    backward = sum(a in other and b in english for a, b in pairs)
    if max(forward, backward) == 0:
        raise BadInput(f"no line of the dictionary is covered by {english.name} and {other.name}; the right languages?")
    return forward >= backward


def align(source: Vectors, target: Vectors, dictionary: Dictionary, *, refine: int = 2) -> Alignment:
    """Rotation from source to target, learned from (source word, target word) pairs.

    Each refinement adds the mutual CSLS neighbours among the MOST_FREQUENT words to the dictionary and solves again,
    as long as the mean CSLS similarity of the neighbours grows (the stopping rule of Conneau et al. 2018).
    """
    if source.dim != target.dim:
        raise BadInput(f"{source.name} has {source.dim} dimensions, {target.name} {target.dim}: no rotation joins them")
    known = [(s, t) for a, b in dictionary if (s := source.row(a)) is not None and (t := target.row(b)) is not None]
    if len(known) < FEWEST_PAIRS:
        raise BadInput(
            f"{len(known)} of {len(dictionary)} dictionary pairs are in both vocabularies, {FEWEST_PAIRS} needed "
            "(right languages, right column order?)"
        )
    pairs = np.array(known, dtype=np.intp)
    solved = previous = solve(source, target, pairs)
    for _ in range(refine):
        mutual, quality = _mutual(
            source.unit[:MOST_FREQUENT] @ solved.rotation.astype(np.float32), target.unit[:MOST_FREQUENT]
        )
        if solved.rounds and quality <= solved.rounds[-1]:
            return previous
        previous = solved
        grown = np.unique(np.concatenate([pairs, mutual]), axis=0)
        solved = replace(solve(source, target, grown), rounds=(*solved.rounds, quality))
    return solved


def solve(source: Vectors, target: Vectors, pairs: npt.NDArray[np.intp]) -> Alignment:
    """The best rotation for given pairs of rows (Schönemann 1966)."""
    x, y = source.unit[pairs[:, 0]], target.unit[pairs[:, 1]]
    u, _, v = linalg.svd(x.astype(np.float64).T @ y.astype(np.float64))  # argmin over rotations of |xR - y|
    return Alignment(np.asarray(u @ v), pairs, ())


def _mutual(x: Matrix32, y: Matrix32) -> tuple[npt.NDArray[np.intp], float]:
    crowded_x, crowded_y = crowding(x, y), crowding(y, x)
    forward, scores = nearest(x, y, penalty=crowded_y)
    backward, _ = nearest(y, x, penalty=crowded_x)
    here = np.arange(len(x))
    agree = backward[forward[:, 0], 0] == here
    quality = float(np.mean(2 * scores[:, 0] - crowded_x))
    return np.stack([here[agree], forward[agree, 0]], axis=1), quality
