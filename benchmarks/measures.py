"""Scoring at full size: all measures, groups and 2,000 bootstrap samples on 70,686 verdicts. (make bench)

Simulated verdicts in the layout of the WiBeMT set: 66,528 sentences of the coreference suite with and without
adjectives, and 4,158 verb sentences. Detection is measured elsewhere; this is the part from verdicts to estimates.
The bar for the whole scoring is 15 s and 1 GB on 2 cores.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Sequence

import numpy as np
import polars as pl
from benchmarks.ratios import figure

from evenhand.measures.definitions.registry import by_name, names
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping

SENTENCES, ADJECTIVES, OCCUPATIONS, VERBS = 3_168, 21, 99, 42


def coreference(rng: np.random.Generator) -> pl.DataFrame:
    """3,168 sentences plain and with each of 20 adjectives."""
    sentence = np.tile(np.arange(SENTENCES), ADJECTIVES)
    adjective = np.repeat(np.arange(ADJECTIVES), SENTENCES)
    occupation = sentence % 40
    gold = np.where(sentence // 40 % 2 == 0, "female", "male")
    lean = rng.normal(-0.7, 1.5, 40)[occupation] + np.where(gold == "female", 1.0, -1.0)
    drawn = rng.random(len(sentence))
    chance = 1 / (1 + np.exp(-lean))
    gender = np.select(
        [drawn < 0.03, drawn < 0.05, (drawn - 0.05) / 0.95 < chance], ["unknown", "neutral", "female"], "male"
    )
    kind = np.where(adjective == 0, "none", np.where(adjective % 2 == 0, "masculine", "feminine"))
    return pl.DataFrame(
        {
            "id": [f"c{i}" for i in range(len(sentence))],
            "sentence": [f"s{i}" for i in sentence],
            "occupation": [f"o{i}" for i in occupation],
            "adjective": [f"a{i}" for i in adjective],
            "adjective_class": kind,
            "gold": gold,
            "stereotype": np.where(sentence % 3 == 0, "pro", "anti"),
            "gender": gender,
        }
    )


def verbs(rng: np.random.Generator) -> pl.DataFrame:
    """99 occupations x 42 verbs."""
    occupation, verb = (a.ravel() for a in np.meshgrid(np.arange(OCCUPATIONS), np.arange(VERBS)))
    chance = 1 / (1 + np.exp(-(rng.normal(-3.9, 2.0, OCCUPATIONS)[occupation] + np.where(verb < 21, 0.5, -0.5))))
    return pl.DataFrame(
        {
            "id": [f"v{i}" for i in range(len(verb))],
            "occupation": [f"o{i}" for i in occupation],
            "verb": [f"v{i}" for i in verb],
            "verb_class": np.where(verb < 21, "feminine", "masculine"),
            "occupation_class": np.array(["feminine", "neutral", "masculine"])[occupation % 3],
            "gender": np.where(rng.random(len(verb)) < chance, "female", "male"),
        }
    )


def main(arguments: Sequence[str] | None = None) -> int:
    rng = np.random.default_rng(0)
    sentences, actions = coreference(rng), verbs(rng)
    every, by_verdict = (
        [name for name in names() if set(by_name(name).needs) <= set(table.columns)] for table in (sentences, actions)
    )
    adjective = Grouping("adjective_class", column="adjective_class")
    verb = Grouping("verb_class", column="verb_class")
    job = Grouping("occupation_class", column="occupation_class")
    cases = (
        (
            "66,528 coreference, occupation x adjective",
            sentences,
            ("occupation", "adjective"),
            (adjective, Grouping("gold", column="gold"), Grouping("stereotype", column="stereotype")),
            every,
        ),
        ("4,158 verbs, occupation x verb", actions, ("occupation", "verb"), (verb, job), by_verdict),
    )
    total = processor = 0.0
    for name, table, clusters, groupings, measures in cases:
        started, spent = time.perf_counter(), time.process_time()
        found = estimate(table, clusters=clusters, groupings=groupings, measures=measures)
        took = time.perf_counter() - started
        total += took
        processor += time.process_time() - spent
        print(
            f"{name:46} {found.height:4} estimates of {len(measures)} measures"
            f"  {took:6.2f} s  {table.height / took:10,.0f} rows/s"
        )
    started = time.perf_counter()
    table = coreference(rng)
    estimate(table, clusters=("sentence", "adjective"), groupings=(adjective,), measures=every)
    print(
        f"the same over 3,168 sentences x 21 adjectives (66,528 crossed cells): {time.perf_counter() - started:.2f} s"
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    measured = f"{total:.1f} s, {processor:.1f} s of processor, {peak:,.0f} MB"
    figure("all measures on 70,686 verdicts, 2,000 resamples", measured, "15 s, 1,000 MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
