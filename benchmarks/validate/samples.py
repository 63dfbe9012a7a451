"""Sampling systems asked k times a sentence: the interval has to cover the sentences' luck and the system's own."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt
import polars as pl
from benchmarks.validate import layouts
from benchmarks.validate.coverage import RESAMPLES, Interval, rows
from benchmarks.validate.layouts import Generator

from evenhand.measures.estimate import estimate

ANSWERS = (1, 3, 5)


def sampled(rng: Generator, *, count: int, each: int, share: float, icc: float, sentence: float) -> list[Interval]:
    """Occupations with their own chances, sentences with theirs around them (icc `sentence`); 1, 3 and 5 answers."""
    chances = np.clip(layouts.beta(rng, share, icc, count), 1e-6, 1 - 1e-6)
    scale = (1 - sentence) / sentence
    own = rng.beta(chances[:, None] * scale, (1 - chances[:, None]) * scale, size=(count, each))
    female = rng.random((count, each, max(ANSWERS))) < own[:, :, None]
    return [answered(rng, female[:, :, :k], share) for k in ANSWERS]


def answered(rng: Generator, female: npt.NDArray[np.bool_], share: float) -> Interval:
    occupation, probe, sample = (axis.ravel() for axis in np.indices(female.shape))
    frame = layouts.table(occupation, (~female).ravel().astype(np.int64)).with_columns(
        id=pl.Series(occupation * female.shape[1] + probe).cast(pl.String), sample=pl.Series(sample).cast(pl.UInt16)
    )
    seed = int(rng.integers(1 << 30))
    found = estimate(frame, clusters=("occupation",), measures=("TFG",), resamples=RESAMPLES, seed=seed)
    return Interval(f"{female.shape[2]} answers", *rows(found)["TFG"], share)


LAYOUTS = {
    f"TFG by 1, 3 and 5 answers per sentence, {count} x {each}, p {share:g}": partial(
        sampled, count=count, each=each, share=share, icc=icc, sentence=sentence
    )
    for count, each, share, icc, sentence in ((8, 20, 0.3, 0.1, 0.4), (30, 6, 0.3, 0.2, 0.6), (60, 5, 0.05, 0.1, 0.3))
}
