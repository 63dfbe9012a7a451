"""True shares behind observed ones, given how often each gender is taken for each other one."""

from __future__ import annotations

import numpy as np

from evenhand.statistics.measure import Floats


def invert(observed: Floats, confusion: Floats) -> Floats:
    """True shares behind observed ones: solve confusion^T p = observed with p >= 0 and sum 1 (least squares).

    Both with leading dimensions that broadcast (resamples, contexts). Where the exact solution has no negative share
    it is taken; otherwise genders that come out negative are taken as absent and the others fitted again.
    """
    shape = observed.shape
    mixing = np.broadcast_to(np.swapaxes(confusion, -1, -2), (*shape[:-1], shape[-1], shape[-1]))
    seen, mixes = observed.reshape(-1, shape[-1]), mixing.reshape(-1, shape[-1], shape[-1])
    support = np.ones(seen.shape, dtype=bool)
    shares = np.zeros(seen.shape)
    waiting = np.arange(len(seen))
    while len(waiting):
        # rows with the same genders left are solved together; a gender that comes out negative is taken out
        keys = support[waiting] @ (1 << np.arange(shape[-1]))
        for key in np.unique(keys):
            rows = waiting[keys == key]
            kept = np.flatnonzero(support[rows[0]])
            fitted = np.zeros((len(rows), shape[-1]))
            fitted[:, kept] = _fit(seen[rows], mixes[rows][:, :, kept])
            shares[rows] = fitted
        negative = shares[waiting] < -1e-12
        support[waiting] &= ~negative
        waiting = waiting[negative.any(axis=1)]
    shares[shares < 1e-12] = 0.0
    corrected: Floats = (shares / shares.sum(axis=-1, keepdims=True)).reshape(shape)
    return corrected


def _fit(observed: Floats, columns: Floats) -> Floats:
    """Least squares with sum 1: eliminate the last share, solve the normal equations for the others."""
    if columns.shape[-1] == 1:
        return np.ones((len(observed), 1))
    last = columns[..., -1]
    design = columns[..., :-1] - last[..., None]
    flipped = np.swapaxes(design, -1, -2)
    # the ridge decides where two genders cannot be told apart at all
    square = flipped @ design + 1e-12 * np.eye(design.shape[-1])
    head = np.linalg.solve(square, flipped @ (observed - last)[..., None])[..., 0]
    return np.concatenate([head, 1 - head.sum(axis=-1, keepdims=True)], axis=-1)
