"""Nearest neighbours by cosine or CSLS, in blocks, so that 200,000 x 200,000 never stands in memory.

CSLS (Conneau et al. 2018): 2 cos(x, y) - r(x) - r(y), where r is a word's mean cosine to its k nearest neighbours in
the other language; it keeps hubs from answering everything. For one query r(x) is a constant and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evenhand.embeddings.vectors import Matrix32, RowNumbers

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
    """Rank (1 = first) of the best right answer of each query among all candidates, without sorting anything.

    `penalty` is the candidates' crowding (CSLS ranks by 2 cos - penalty, that is cos - penalty / 2). `exclude` names
    one candidate a query may not answer. Only strictly better candidates push an answer down.
    """
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
    queries: Matrix32, candidates: Matrix32, *, k: int = 1, penalty: npt.NDArray[np.float32] | None = None
) -> tuple[RowNumbers, Matrix32]:
    """Rows and scores of the k best candidates of each query, best first."""
    k = min(k, len(candidates))
    rows = np.empty((len(queries), k), dtype=np.intp)
    values = np.empty((len(queries), k), dtype=np.float32)
    queries, candidates = _with_penalty(queries, candidates, penalty)
    for start, block in _blocks(queries, len(candidates)):
        scores = block @ candidates.T
        part = slice(start, start + len(block))
        if k == 1:
            rows[part, 0] = scores.argmax(axis=1)
        else:
            some = np.argpartition(scores, scores.shape[1] - k, axis=1)[:, -k:]
            order = np.argsort(-np.take_along_axis(scores, some, axis=1), axis=1, kind="stable")
            rows[part] = np.take_along_axis(some, order, axis=1)
        values[part] = np.take_along_axis(scores, rows[part], axis=1)
    return rows, values


def _largest(scores: Matrix32, k: int) -> Matrix32:
    """The k largest values of each row, in any order.

    Columns are first dealt into groups: the k largest values lie in the k groups with the largest maxima, so that only
    those are looked through. A maximum is one fast pass over the scores, a partition of whole rows is not.
    """
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
