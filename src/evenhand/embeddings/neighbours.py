"""Nearest neighbours by cosine or CSLS, in blocks, so that 200,000 x 200,000 never stands in memory.

CSLS (Conneau et al. 2018): 2 cos(x, y) - r(x) - r(y), where r is a word's mean cosine to its k nearest neighbours in
the other language; it keeps hubs from answering everything. For one query r(x) is a constant and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from evenhand.embeddings.vectors import Matrix, Rows

CELLS = 1 << 25  # scores held at once: 128 MB of float32
Tick = Callable[[float], None]


def crowding(words: Matrix, others: Matrix, *, k: int = 10, tick: Tick | None = None) -> npt.NDArray[np.float32]:
    """r: mean cosine of each word to its k nearest in the other language (both as unit rows)."""
    k = min(k, len(others))
    result = np.empty(len(words), dtype=np.float32)
    for start, block in _blocks(words, len(others)):
        scores = block @ others.T
        scores.partition(scores.shape[1] - k, axis=1)
        result[start : start + len(block)] = scores[:, -k:].mean(axis=1)
        if tick:
            tick(min(1.0, (start + len(block)) / len(words)))
    return result


def gold_ranks(
    queries: Matrix,
    candidates: Matrix,
    gold: Sequence[Sequence[int]],
    *,
    penalty: npt.NDArray[np.float32] | None = None,
    exclude: Sequence[int | None] | None = None,
) -> Rows:
    """Rank (1 = first) of the best right answer of each query among all candidates, without sorting anything.

    `penalty` is the candidates' crowding (CSLS ranks by 2 cos - penalty, that is cos - penalty / 2). `exclude` names
    one candidate a query may not answer. Only strictly better candidates push an answer down.
    """
    ranks = np.empty(len(queries), dtype=np.intp)
    half = None if penalty is None else penalty / 2
    for start, block in _blocks(queries, len(candidates)):
        scores = block @ candidates.T
        if half is not None:
            scores -= half
        best = np.array([scores[i, list(gold[start + i])].max() for i in range(len(block))], dtype=np.float32)
        ahead = np.count_nonzero(scores > best[:, None], axis=1)
        if exclude is not None:
            for i in range(len(block)):
                banned = exclude[start + i]
                ahead[i] -= int(banned is not None and scores[i, banned] > best[i])
        ranks[start : start + len(block)] = 1 + ahead
    return ranks


def nearest(
    queries: Matrix, candidates: Matrix, *, k: int = 1, penalty: npt.NDArray[np.float32] | None = None
) -> tuple[Rows, Matrix]:
    """Rows and scores of the k best candidates of each query, best first."""
    k = min(k, len(candidates))
    rows = np.empty((len(queries), k), dtype=np.intp)
    values = np.empty((len(queries), k), dtype=np.float32)
    half = None if penalty is None else penalty / 2
    for start, block in _blocks(queries, len(candidates)):
        scores = block @ candidates.T
        if half is not None:
            scores -= half
        part = slice(start, start + len(block))
        if k == 1:
            rows[part, 0] = scores.argmax(axis=1)
        else:
            some = np.argpartition(scores, scores.shape[1] - k, axis=1)[:, -k:]
            order = np.argsort(-np.take_along_axis(scores, some, axis=1), axis=1, kind="stable")
            rows[part] = np.take_along_axis(some, order, axis=1)
        values[part] = np.take_along_axis(scores, rows[part], axis=1)
    return rows, values


def _blocks(matrix: Matrix, columns: int) -> list[tuple[int, Matrix]]:
    size = max(1, min(2_048, CELLS // max(1, columns)))
    return [(start, matrix[start : start + size]) for start in range(0, len(matrix), size)]
