"""Do corrected intervals cover the truth? (make validate)

A detector with known errors judges simulated renderings; a person labels a sample drawn by verdict. Reports how often
the raw and the corrected 95 % interval hold the true share of female renderings.
Run: python benchmarks/validate_calibration.py [--runs N]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
import polars as pl

from evenhand.gender import DECIDED
from evenhand.measures.calibration import calibrate
from evenhand.measures.estimate import estimate
from evenhand.statistics.measure import Floats

GENDERS = np.array(DECIDED)
CASES = (  # name, P(verdict | true), true shares, labels a verdict
    ("good detector, few women", ((0.97, 0.02, 0.01), (0.01, 0.98, 0.01), (0.02, 0.03, 0.95)), (0.05, 0.92, 0.03), 150),
    ("fair detector, few women", ((0.85, 0.10, 0.05), (0.02, 0.95, 0.03), (0.05, 0.10, 0.85)), (0.05, 0.90, 0.05), 150),
    ("fair detector, balanced", ((0.85, 0.10, 0.05), (0.02, 0.95, 0.03), (0.05, 0.10, 0.85)), (0.40, 0.50, 0.10), 150),
    ("fair detector, 60 labels", ((0.85, 0.10, 0.05), (0.02, 0.95, 0.03), (0.05, 0.10, 0.85)), (0.20, 0.70, 0.10), 60),
)


def judged(rng: np.random.Generator, errors: Floats, shares: Floats, n: int) -> tuple[np.ndarray, np.ndarray]:
    """True genders of n renderings and the detector's verdicts on them."""
    true = rng.choice(3, n, p=shares)
    return true, (rng.random(n)[:, None] > errors[true].cumsum(axis=1)).sum(axis=1)


def labels(rng: np.random.Generator, errors: Floats, shares: Floats, each: int) -> pl.DataFrame:
    """A person's labels on a sample stratified by verdict, from another run of the same system."""
    true, verdict = judged(rng, errors, shares, 6_000)
    rows = []
    for v in range(3):
        members = np.flatnonzero(verdict == v)
        chosen = rng.choice(members, min(each, len(members)), replace=False)
        rows += [(GENDERS[v], GENDERS[true[i]], len(members) / len(chosen)) for i in chosen]
    return pl.DataFrame(rows, schema=["gender", "label", "weight"], orient="row")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    options = parser.parse_args(arguments)
    for name, matrix, truth, each in CASES:
        errors, shares = np.array(matrix), np.array(truth)
        held = {"raw": 0, "corrected": 0}
        for sequence in np.random.SeedSequence(7).spawn(options.runs):
            rng = np.random.default_rng(sequence)
            _, verdict = judged(rng, errors, shares, 3_200)
            items = [str(i // 4) for i in range(3_200)]
            table = pl.DataFrame({"id": [str(i) for i in range(3_200)], "item": items, "gender": GENDERS[verdict]})
            found = estimate(
                table,
                clusters=("item",),
                measures=("share_female",),
                calibration=calibrate(labels(rng, errors, shares, each), language="de", kind="nouns"),
                language="de",
                kind="nouns",
                resamples=500,
            )
            for variant, low, high in found.select("variant", "low", "high").iter_rows():
                held[variant] += low <= truth[0] <= high
        print(
            f"{name:28} raw {held['raw'] / options.runs:6.1%}  corrected {held['corrected'] / options.runs:6.1%}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
