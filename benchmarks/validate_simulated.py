"""End to end: the `simulated:` translator at known probabilities, judged, estimated, and compared with the truth.

benchmarks/validate simulates counts in many layouts; this one goes through renderings and verdicts of a real suite, so
that a fault anywhere between translator and interval shows. The share of runs whose 95 % interval holds the truth must
lie between 93.5 and 96.5 %; near a boundary (p of 1 or 2 in 100) it is printed apart and may only be higher.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from pathlib import Path

import polars as pl

from evenhand import load_suite
from evenhand.detect.pronouns import PronounDetector
from evenhand.measures.estimate import estimate
from evenhand.systems.simulated import Simulated

CASES = ((0.3, 0.6, 0.1), (0.1, 0.9, 0.0), (0.5, 0.2, 0.3), (0.02, 0.98, 0.0), (0.01, 0.98, 0.01))
BAND = (0.935, 0.965)
MEASURES = ("share_female", "share_neutral", "P_S")


def truth(female: float, male: float, neutral: float) -> dict[str, float]:
    return {"share_female": female, "share_neutral": neutral, "P_S": math.sqrt(female * male + neutral)}


def coverage(case: tuple[float, float, float], runs: int, resamples: int) -> dict[str, float]:
    """Share of runs whose interval holds the truth, by measure."""
    suite = load_suite("pronouns-turkish")
    detector = PronounDetector("en")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "truth.tsv"
        file.write_text("p_female\tp_male\tp_neutral\n" + "\t".join(map(str, case)) + "\n")
        system = Simulated(str(file))
        system.bind(suite.probes)
        wanted = {m: v for m, v in truth(*case).items() if v > 0}
        hits = dict.fromkeys(wanted, 0)
        for seed in range(runs):
            rendered = suite.probes.with_columns(rendering=pl.Series(system.renderings("en", seed)))
            verdicts = detector.detect(rendered)
            table = rendered.with_columns(gender=verdicts["gender"])
            found = estimate(table, clusters=suite.clusters, measures=list(wanted), seed=seed, resamples=resamples)
            for row in found.iter_rows(named=True):
                hits[row["measure"]] += row["low"] <= wanted[row["measure"]] <= row["high"]
    return {m: n / runs for m, n in hits.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--resamples", type=int, default=500)
    options = parser.parse_args()
    failed = False
    for case in CASES:
        boundary = min(p for p in case if p > 0) < 0.05
        for measure, share in coverage(case, options.runs, options.resamples).items():
            slack = 1.96 * math.sqrt(0.95 * 0.05 / options.runs) if options.runs < 2_000 else 0.0
            low, high = BAND[0] - slack, (1.0 if boundary else BAND[1] + slack)
            inside = low <= share <= high
            failed |= not inside
            where = "near a boundary" if boundary else "interior"
            print(
                f"p {case}  {measure:<14} covered {share:.4f}  ({where}) {'' if inside else 'OUT OF BAND'}", flush=True
            )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
