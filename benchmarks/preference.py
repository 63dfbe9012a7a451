"""Do the intervals of preference hold? Simulated scorers with a known preference, over eight layouts.

    python benchmarks/preference.py [REPETITIONS] [LAYOUT ...]

A scorer's log-odds for a pair are a mean, an effect of the occupation and noise of the pair. Every repetition draws new
occupations and is estimated as a run is. Coverage: how often the interval of prefers_feminine, P_feminine and log_odds
has the true value. Alarms: how often two groups of occupations with the same preference differ with p < .05.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import polars as pl
from scipy.integrate import quad
from scipy.stats import norm

from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping

MEASURES = ("prefers_feminine", "P_feminine", "log_odds")
# occupations, pairs of each (several numbers: drawn among them), mean log-odds, sd of occupations, sd of pairs
LAYOUTS: dict[str, tuple[int, tuple[int, ...], float, float, float]] = {
    "even": (40, (10,), 0.0, 1.0, 1.0),
    "masculine": (40, (10,), -2.0, 1.0, 1.0),
    "few occupations": (16, (12,), -1.0, 1.0, 1.0),
    "many occupations": (150, (4,), -1.0, 1.5, 1.0),
    "single pairs": (200, (1,), -1.5, 1.0, 2.0),
    "uneven": (50, (1, 2, 5, 20, 40), -1.0, 1.0, 1.0),
    "occupations decide": (60, (10,), -1.0, 3.0, 0.5),
    "nearly all masculine": (60, (8,), -3.0, 1.0, 1.0),
}


def drawn(rng: np.random.Generator, layout: tuple[int, tuple[int, ...], float, float, float]) -> pl.DataFrame:
    """One run's table of pairs."""
    occupations, sizes, mean, between, within = layout
    of = np.repeat(np.arange(occupations), rng.choice(sizes, occupations))
    odds = mean + rng.normal(0, between, occupations)[of] + rng.normal(0, within, len(of))
    return pl.DataFrame(
        {
            "id": [str(n) for n in range(len(of))],
            "occupation": [f"o{n}" for n in of],
            "about": np.where(of % 2 == 0, "women", "men"),
            "gender": np.where(odds > 0, "female", "male"),
            "score_feminine": odds - 5.0,
            "score_masculine": np.full(len(of), -5.0),
            "valid": True,
        }
    )


def truth(layout: tuple[int, tuple[int, ...], float, float, float]) -> dict[str, float]:
    """The values in the population of occupations."""
    _, _, mean, between, within = layout
    spread = float(np.hypot(between, within))
    probability = quad(lambda x: norm.pdf(x, mean, spread) / (1 + np.exp(-x)), mean - 9 * spread, mean + 9 * spread)[0]
    return {"prefers_feminine": float(norm.cdf(mean / spread)), "P_feminine": probability, "log_odds": mean}


def main(repetitions: int, names: list[str]) -> None:
    print("layout\tmeasure\tcoverage\talarms\trepetitions")
    for number, (name, layout) in enumerate(LAYOUTS.items()):
        if names and name not in names:
            continue
        began, right = time.perf_counter(), truth(layout)
        held, alarms = dict.fromkeys(MEASURES, 0), dict.fromkeys(MEASURES, 0)
        for repetition in range(repetitions):
            rng = np.random.default_rng([number, repetition])
            rows = estimate(
                drawn(rng, layout), clusters=("occupation",), groupings=Grouping.by("about"), measures=MEASURES,
                resamples=400, seed=repetition,
            )  # fmt: skip
            for measure in MEASURES:
                row = rows.filter(measure=measure, group="all").row(0, named=True)
                held[measure] += row["low"] <= right[measure] <= row["high"]
                tested = rows.filter((pl.col("measure") == measure) & pl.col("family").is_not_null())
                alarms[measure] += bool(tested.height and (tested["p"][0] or 1.0) < 0.05)
        for measure in MEASURES:
            shares = f"{held[measure] / repetitions:.3f}\t{alarms[measure] / repetitions:.3f}"
            print(f"{name}\t{measure}\t{shares}\t{repetitions}", flush=True)
        print(f"# {name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600, sys.argv[2:])
