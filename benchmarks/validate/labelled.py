"""Coverage of corrected shares: a detector that errs, and labels drawn from the same run as `evenhand review` draws."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl
from benchmarks.validate import layouts
from benchmarks.validate.coverage import RESAMPLES, Interval, Once
from benchmarks.validate.layouts import Floats, Generator

from evenhand.measures.calibration import calibrate
from evenhand.measures.estimate import estimate

MISSED, TAKEN = 0.15, 0.02  # women whom the detector takes for men, and men for women


def errors(rng: Generator, mean: float, icc: float, count: int) -> Floats:
    """The detector's error rate in each occupation."""
    return layouts.beta(rng, mean, icc, count)


def sheet(rng: Generator, table: pl.DataFrame, labels: int) -> pl.DataFrame:
    """Equal numbers of each verdict, what a small stratum leaves goes to the larger one."""
    strata = sorted((part for _, part in table.group_by("gender")), key=lambda part: part.height)
    left = labels
    drawn: list[pl.DataFrame] = []
    for number, stratum in enumerate(strata):
        size = min(stratum.height, left // (len(strata) - number))
        left -= size
        picked = rng.choice(stratum.height, size, replace=False)
        drawn.append(stratum[picked.tolist()].with_columns(weight=pl.lit(stratum.height / size)))
    return pl.concat(drawn)


def corrected(
    rng: Generator, *, shape: tuple[int, int], share: float, icc: float, labels: int, alike: float = 0.0
) -> list[Interval]:
    """%TFG corrected by the labels; `alike`: correlation of the detector's errors within an occupation."""
    count, each = shape
    occupation = np.repeat(np.arange(count), each)
    woman = rng.random(len(occupation)) < layouts.beta(rng, share, icc, count)[occupation]
    missed, taken = (errors(rng, mean, alike, count)[occupation] for mean in (MISSED, TAKEN))
    seen = np.where(woman, rng.random(len(woman)) >= missed, rng.random(len(woman)) < taken)
    table = layouts.table(occupation, (~seen).astype(np.int64), label=np.where(woman, "female", "male"))
    sample = sheet(rng, table, labels).with_columns(cluster=pl.col("occupation"))
    found = estimate(
        table.drop("label"),
        clusters=("occupation",),
        measures=("TFG",),
        calibration=calibrate(sample, language="de", kind="nouns"),
        language="de",
        kind="nouns",
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    ).filter(variant="corrected")
    row = found.row(0, named=True)
    return [Interval("TFG, corrected", row["low"], row["high"], share)]


LAYOUTS: dict[str, Once] = {
    f"{count} x {each}, p {share:g}, icc {icc:g}, errors alike {alike:g}, {labels} labels": partial(
        corrected, shape=(count, each), share=share, icc=icc, labels=labels, alike=alike
    )
    for count, each, share, icc, alike, labels in (
        (12, 40, 0.05, 0.0, 0.0, 120),
        (12, 40, 0.05, 0.1, 0.0, 120),
        (12, 40, 0.05, 0.1, 0.0, 60),
        (30, 20, 0.05, 0.1, 0.0, 60),
        (12, 40, 0.3, 0.0, 0.0, 60),
        (30, 20, 0.3, 0.2, 0.0, 120),
        (30, 20, 0.3, 0.2, 0.3, 120),
        (12, 40, 0.5, 0.2, 0.0, 60),
        (40, 25, 0.5, 0.1, 0.3, 240),
        (12, 40, 0.3, 0.2, 0.3, 240),
        (600, 1, 0.3, 0.0, 0.0, 60),
        (2000, 1, 0.05, 0.0, 0.0, 120),
    )
}
