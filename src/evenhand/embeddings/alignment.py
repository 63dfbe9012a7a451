"""Bring two languages into one space: orthogonal Procrustes on a dictionary, refined with mutual neighbours. The map is
a rotation, so nothing inside a language changes."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import linalg

from evenhand.embeddings.fields import read_fields
from evenhand.embeddings.vectors import Matrix32, RowNumbers, Vectors
from evenhand.errors import BadInput
from evenhand.readers.cells import Cells

Dictionary = tuple[tuple[str, str], ...]
FEWEST_PAIRS, MOST_FREQUENT = 50, 5_000
MOST_BROKEN = 0.02  # of a dictionary's lines


class Alignment(NamedTuple):
    """x_source @ rotation lies in the target's space. `pairs` are the (source row, target row) pairs it was solved on:
    the dictionary and what refinement added; `rounds`: mean CSLS of the neighbours before each round."""

    rotation: npt.NDArray[np.float64]
    pairs: npt.NDArray[np.intp]
    rounds: tuple[float, ...]

    def apply(self, vectors: Vectors) -> Vectors:
        """The vectors in the target's space, lengths unchanged."""
        turned: Matrix32 = (vectors.matrix @ self.rotation.astype(np.float32)).astype(np.float32)
        return vectors.with_matrix(turned)


def read_dictionary(path: Path, warnings: list[str] | None = None) -> Dictionary:
    """A bilingual dictionary as MUSE writes it: two words per line, separated by a tab, space, ; or comma. A few
    broken lines (up to one in fifty) are left out and noted in `warnings`; without it the first is an error."""
    given = read_fields(path, 2)
    if not given.lines:
        raise BadInput(f"{path}: the dictionary is empty")

    def whole(line: Cells) -> bool:
        return len(line.cells) >= 2 and all(line.cells[:2]) and not (given.spaced and len(line.cells) > 2)

    broken = [line for line in given.lines if not whole(line)]
    if broken:
        first, shown = broken[0], " ".join(broken[0].cells)[:60]
        if warnings is None or len(broken) > MOST_BROKEN * len(given.lines):
            raise BadInput.at(path, first.number, f"expected two words, found {len(first.cells)}: {shown!r}")
        where = f"the first is {first.number}: {shown!r}"
        warnings.append(f"{path}: {len(broken)} lines without two words left out, {where}")
    return tuple(dict.fromkeys((line.cells[0], line.cells[1]) for line in given.lines if whole(line)))


def english_first(pairs: Dictionary, english: Vectors, other: Vectors) -> bool:
    """Whether the first column of a dictionary is the English one, by what the two vocabularies hold."""
    forward = sum(a in english and b in other for a, b in pairs)
    backward = sum(a in other and b in english for a, b in pairs)
    if max(forward, backward) == 0:
        raise BadInput(f"no line of the dictionary is covered by {english.name} and {other.name}; the right languages?")
    return forward >= backward


def align(source: Vectors, target: Vectors, dictionary: Dictionary, *, refine: int = 2) -> Alignment:
    """Rotation from source to target, learned from (source word, target word) pairs. Refinements add mutual CSLS
    neighbours as long as their mean similarity grows (the stopping rule of Conneau et al. 2018)."""
    if source.dim != target.dim:
        raise BadInput(f"{source.name} has {source.dim} dimensions, {target.name} {target.dim}: they cannot be aligned")
    known = [(s, t) for a, b in dictionary if (s := source.row(a)) is not None and (t := target.row(b)) is not None]
    if len(known) < FEWEST_PAIRS:
        few = f"{len(known)} of {len(dictionary)} dictionary pairs are in both vocabularies, {FEWEST_PAIRS} needed"
        raise BadInput(f"{few} (right languages, right column order?)")
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
        solved = solve(source, target, grown)._replace(rounds=(*solved.rounds, quality))
    return solved


def solve(source: Vectors, target: Vectors, pairs: npt.NDArray[np.intp]) -> Alignment:
    """The best rotation for given pairs of rows (Schönemann 1966)."""
    x, y = source.unit[pairs[:, 0]], target.unit[pairs[:, 1]]
    u, _, v = linalg.svd(x.astype(np.float64).T @ y.astype(np.float64))  # argmin over rotations of |xR - y|
    return Alignment(np.asarray(u @ v), pairs, ())


def _mutual(x: Matrix32, y: Matrix32) -> tuple[npt.NDArray[np.intp], float]:
    crowded_x, crowded_y = crowding(x, y), crowding(y, x)
    forward, scores = nearest(x, y, crowded_y)
    backward, _ = nearest(y, x, crowded_x)
    here = np.arange(len(x))
    agree = backward[forward] == here
    return np.stack([here[agree], forward[agree]], axis=1), float(np.mean(2 * scores - crowded_x))


# Nearest neighbours by cosine or CSLS, in blocks, so that 200,000 x 200,000 is never in memory. CSLS (Conneau et al.
# 2018): 2 cos(x, y) - r(x) - r(y), where r is a word's mean cosine to its k nearest neighbours in the other language;
# it keeps hubs from answering everything. For one query r(x) is a constant and is left out.

CELLS = 1 << 25  # scores held at once: 128 MB of float32
NEAREST = 10
GROUP = 32  # columns looked at together when only the largest scores matter


def crowding(words: Matrix32, others: Matrix32) -> npt.NDArray[np.float32]:
    """r: mean cosine of each word to its k = NEAREST nearest in the other language (both as unit rows)."""
    k = min(NEAREST, len(others))
    result = np.empty(len(words), dtype=np.float32)
    for start, block in _blocks(words, len(others)):
        result[start : start + len(block)] = _largest(block @ others.T, k).mean(axis=1)
    return result


def gold_ranks(
    queries: Matrix32,
    candidates: Matrix32,
    gold: Sequence[Sequence[int]],
    *,
    penalty: npt.NDArray[np.float32] | None = None,
    exclude: Sequence[int | None] | None = None,
) -> RowNumbers:
    """Rank (1 = first) of the best right answer of each query among all candidates, by cos - penalty / 2 (CSLS).
    `exclude` names one candidate a query may not answer; only strictly better ones push an answer down."""
    ranks = np.empty(len(queries), dtype=np.intp)
    queries, candidates = _with_penalty(queries, candidates, penalty)
    for start, block in _blocks(queries, len(candidates)):
        for i, row in enumerate(block @ candidates.T):  # row by row: a row of scores stays in the processor's cache
            best = row[list(gold[start + i])].max()
            ahead = np.count_nonzero(row > best)
            banned = exclude[start + i] if exclude is not None else None
            if banned is not None and row[banned] > best:
                ahead -= 1
            ranks[start + i] = 1 + ahead
    return ranks


def nearest(
    queries: Matrix32, candidates: Matrix32, penalty: npt.NDArray[np.float32] | None = None
) -> tuple[RowNumbers, npt.NDArray[np.float32]]:
    """Row and score of the best candidate of each query."""
    rows, values = np.empty(len(queries), dtype=np.intp), np.empty(len(queries), dtype=np.float32)
    queries, candidates = _with_penalty(queries, candidates, penalty)
    for start, block in _blocks(queries, len(candidates)):
        scores, part = block @ candidates.T, slice(start, start + len(block))
        rows[part], values[part] = scores.argmax(axis=1), scores.max(axis=1)
    return rows, values


def _largest(scores: Matrix32, k: int) -> Matrix32:
    """The k largest values of each row, in any order: they lie in the k groups of columns with the largest maxima, and
    a maximum is one fast pass, which a partition of whole rows is not."""
    rows, columns = scores.shape
    size = columns // GROUP
    if size < 4 * k:
        return np.partition(scores, columns - k, axis=1)[:, -k:]
    grouped = scores[:, : GROUP * size].reshape(rows, GROUP, size)
    best = np.argpartition(grouped.max(axis=1), size - k, axis=1)[:, -k:]
    chosen = np.take_along_axis(grouped, best[:, None, :], axis=2).reshape(rows, GROUP * k)
    chosen = np.hstack([chosen, scores[:, GROUP * size :]])
    return np.partition(chosen, chosen.shape[1] - k, axis=1)[:, -k:]


def _with_penalty(
    queries: Matrix32, candidates: Matrix32, penalty: npt.NDArray[np.float32] | None
) -> tuple[Matrix32, Matrix32]:
    """One more dimension that makes the dot product cos - penalty / 2, which spares a pass over the scores."""
    if penalty is None:
        return queries, candidates
    ones = np.full((len(queries), 1), -0.5, dtype=np.float32)
    return np.hstack([queries, ones]), np.hstack([candidates, penalty[:, None].astype(np.float32)])


def _blocks(matrix: Matrix32, columns: int) -> list[tuple[int, Matrix32]]:
    size = max(1, min(2_048, CELLS // max(1, columns)))
    return [(start, matrix[start : start + size]) for start in range(0, len(matrix), size)]
