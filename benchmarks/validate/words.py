"""WEAT of sets without any association: its test, and the flag of sets that have a topic of their own."""

from __future__ import annotations

from functools import partial

import numpy as np
from benchmarks.validate.alarms import Once
from benchmarks.validate.layouts import Generator

from evenhand.embeddings.association import weat
from evenhand.embeddings.vectors import Vectors

DIM, FURTHER = 40, 400
ALPHA = 0.05


def sets(
    rng: Generator, *, sizes: tuple[int, int] = (6, 24), spreads: tuple[float, float] = (1.0, 1.0), topic: float = 0.0
) -> dict[str, bool]:
    """Target words whose spread along gender differs; X may have a topic, an unrelated direction."""
    targets = [rng.normal(0, 1, (size, DIM)) for size in sizes]
    for part, spread in zip(targets, spreads, strict=True):
        part[:, 0] *= spread
    targets[0] += topic * rng.normal(0, 1, DIM)
    attributes = [sign * 3 * np.eye(DIM)[0] + rng.normal(0, 1, (8, DIM)) for sign in (1, -1)]
    parts = [*targets, *attributes, rng.normal(0, 1, (FURTHER, DIM))]
    names = [[f"{side}{n}" for n in range(len(part))] for side, part in zip("xyabo", parts, strict=True)]
    vectors = Vectors([name for some in names for name in some], np.concatenate(parts).astype(np.float32))
    found = weat(vectors, *names[:4], permutations=400, seed=int(rng.integers(1 << 30)), alternative="two-sided")
    alarm = found.test.p < ALPHA
    if topic:
        return {"WEAT, alarm that is not flagged": alarm and not found.warning, "topic missed": not found.warning}
    return {"WEAT": alarm, "WEAT, flagged without a topic": bool(found.warning)}


ALARMS: dict[str, Once] = {
    "WEAT, 6 against 24 words of spread 3 and .7": partial(sets, spreads=(3.0, 0.7)),
    "WEAT, 6 against 24 words": sets,
    "WEAT, 12 against 12 words of spread 2 and .7": partial(sets, sizes=(12, 12), spreads=(2.0, 0.7)),
    "WEAT, 6 against 24 words, X with a topic of .8": partial(sets, topic=0.8),
    "WEAT, 6 against 24 words, X with a topic of 1.5": partial(sets, topic=1.5),
}
