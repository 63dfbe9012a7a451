"""Systems that answer garbage through every kind of suite: how much is decided, and whether any number looks good.

python -m benchmarks.garbage [--data ../shared/data] [--rows 300] [--examples 5]

A cell is the largest share of answers that got a gender, over the suites and target languages of the column: pronouns
(nine suites into en, de, es, fr), Hungarian occupations (into en), nouns (occupations-verbs into twelve languages),
WinoMT and MT-GenEval where the data are there. The two kinds of halves need good translations to cut: ours for the
pronouns into English, Google's for WinoMT, the references of MT-GenEval. `better` counts the estimates of an
all-garbage run that are nearer to the best than those of the good translations.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import polars as pl
from tests.detect.validity.garbage import HALVES, KINDS, english

from evenhand import load_suite
from evenhand.detect import Detector, open_detector
from evenhand.measures.definitions import registry
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Suite
from evenhand.workflows.score import measures_of

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PRONOUNS = "basque korean hungarian turkish finnish estonian persian indonesian japanese".split()
NOUNS = "de es fr it pt ru uk pl nl ar he el".split()
LIMIT = 0.02


class Case(NamedTuple):
    """A part of a suite into one language; `good` are good translations of its probes, or empty."""

    column: str
    suite: Suite
    target: str
    good: list[str]


def part(name: str, rows: int) -> Suite:
    whole = load_suite(name)
    probes = whole.probes.sample(min(rows, whole.probes.height), seed=1)
    return replace(whole, make=lambda: probes)


def cases(data: Path, rows: int) -> Iterator[Case]:
    for language in PRONOUNS:
        suite = part(f"pronouns-{language}", rows)
        yield Case("pronouns", suite, "en", english(suite.probes))
        yield from (Case("pronouns", suite, target, []) for target in ("de", "es", "fr"))
    suite = part("occupations-hungarian", rows)
    yield Case("occupations", suite, "en", english(suite.probes))
    suite = part("occupations-verbs", rows)
    yield from (Case("nouns", suite, target, []) for target in NOUNS)
    winomt = data / "winomt/aggregates/en_2019.txt"
    if not winomt.exists():
        print("the shared data are not there: WinoMT and MT-GenEval are left out")
        return
    for target in ("de", "es", "fr", "it", "ru", "uk", "he", "ar"):
        suite = part(f"winomt:{winomt}", rows)
        lines = (data / f"winomt/translations/google/en-{target}.txt").read_text().splitlines()
        google = {line.partition(" ||| ")[0].strip(): line.partition(" ||| ")[2] for line in lines}
        good = [google.get(source.strip(), "") for source in suite.probes["source"]]
        yield Case("winomt", suite, target, good if all(good) else [])
    for target in ("de", "es", "pt", "hi"):
        suite = part(f"mtgeneval:{data}/mtgeneval/sentences/test/geneval-sentences-feminine-test.en_{target}.en", rows)
        yield Case("references", suite, target, suite.probes["reference"].to_list())


def judged(case: Case, detector: Detector, answers: list[str]) -> pl.DataFrame:
    verdicts = detector.detect(case.suite.probes.with_columns(rendering=pl.Series(answers, dtype=pl.String)))
    return pl.concat([case.suite.probes, verdicts.drop("id")], how="horizontal").with_columns(
        rendering=pl.Series(answers, dtype=pl.String)
    )


def values(case: Case, table: pl.DataFrame) -> dict[tuple[str, str, str], float]:
    """Distance from the best value, by measure and group; what cannot be computed is not there."""
    suite = case.suite
    rows = estimate(
        table, clusters=suite.clusters, groupings=suite.groupings, measures=measures_of(suite, ()), resamples=50
    )
    found = {}
    for name, group, level, value in rows.select("measure", "group", "level", "value").drop_nulls("value").iter_rows():
        if " - " in level:
            continue
        measure = registry.by_name(name)
        low, high = measure.bounds
        best = {"higher": high, "lower": low}.get(measure.better, measure.neutral)
        found[name, group, level] = abs(value - best)
    return found


def better(case: Case, detector: Detector, garbage: pl.DataFrame) -> int:
    """How many estimates of the garbage are nearer to the best than those of the good translations."""
    good = values(case, judged(case, detector, case.good))
    return sum(far < good[key] for key, far in values(case, garbage).items() if key in good)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--examples", type=int, default=0)
    options = parser.parse_args()
    worst: dict[tuple[str, str], float] = {}
    improved: dict[str, int] = dict.fromkeys([*KINDS, *HALVES], 0)
    above = []
    for case in cases(options.data, options.rows):
        detector = open_detector(case.suite.kind, source=case.suite.source_lang, target=case.target)
        sources = case.suite.probes["source"].to_list()
        for kind, answer in {**KINDS, **(HALVES if case.good else {})}.items():
            table = judged(case, detector, answer(case.good if kind in HALVES else sources, case.target))
            decided = table.filter(pl.col("gender").cast(pl.String) != "unknown")
            share = decided.height / table.height
            worst[kind, case.column] = max(worst.get((kind, case.column), 0.0), share)
            if case.good and decided.height:
                improved[kind] += better(case, detector, table)
            if share > LIMIT:
                above.append(f"{case.suite.name} into {case.target}: {kind} {share:.1%}")
            for row in decided.head(options.examples).iter_rows(named=True):
                above.append(f"    {kind}: {row['source']} | {row['rendering']} | {row['gender']}")
    show(worst, improved)
    print("\n".join(above) or f"nothing is decided beyond {LIMIT:.0%}")


def show(worst: dict[tuple[str, str], float], improved: dict[str, int]) -> None:
    """The largest share decided by kind and column, and how many estimates it made better."""
    columns = list(dict.fromkeys(column for _, column in worst))
    print(f"{'':20}" + "".join(f"{column:>13}" for column in columns) + f"{'better':>9}")
    for kind, count in improved.items():
        cells = [worst.get((kind, column)) for column in columns]
        print(f"{kind:20}" + "".join(f"{'' if c is None else format(c, '.1%'):>13}" for c in cells) + f"{count:>9}")


if __name__ == "__main__":
    main()
