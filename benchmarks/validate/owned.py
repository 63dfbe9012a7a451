"""Own tables from file to verdict: written as TSV, loaded, scored, compared and gated by the public functions.

Columns are named oddly, axes cross, nest and overlap, sizes are skewed, and renderings are lost by gender. Written
after the methods and run once before any of them was changed for it; development data since then.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from benchmarks.validate import alarms, amplified, coverage, labelled, layouts, texts
from benchmarks.validate import amplification as text
from benchmarks.validate.coverage import Interval
from benchmarks.validate.layouts import Floats, Generator, Ints
from benchmarks.validate.words import DIM, found
from scipy.special import expit

from evenhand import calibrate, compare, gate, load_suite, score
from evenhand._version import __version__
from evenhand.results.runs import Manifest, Run
from evenhand.statistics.monitoring import watch
from evenhand.storage.tables import ESTIMATES, RENDERINGS, VERDICTS, conform
from evenhand.suites.suite import Suite, SuiteInfo

Columns = dict[str, np.ndarray]


def suite_of(columns: Columns, name: str = "own") -> Suite:
    """A suite as a user brings it: a TSV with id, source and these columns."""
    table = pl.DataFrame({name: np.asarray(values).astype(str) for name, values in columns.items()})
    sources = pl.Series([f"sentence {n}" for n in range(table.height)])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.tsv"
        numbered = table.with_columns(id=pl.int_range(pl.len()).cast(pl.String), source=sources)
        numbered.write_csv(path, separator="\t", quote_style="never")
        suite = load_suite(str(path))
        suite.probes  # noqa: B018 (read while the file is there)
    return suite


def run_of(suite: Suite, gender: Ints, name: str = "a") -> Run:
    """A scored run with these verdicts (by number: female, male, neutral, both, unknown)."""
    manifest = Manifest(SuiteInfo.of(suite), name, name, "de", "simulated", 0, alarms.RESAMPLES, __version__)
    keys = {"target_lang": pl.lit("de"), "sample": pl.lit(0), "candidate": pl.lit(0), "rendering": pl.lit("")}
    told = suite.probes.select("id", **keys, gender=pl.Series(layouts.GENDERS[gender]))
    missing = {c: pl.lit(None) for c in VERDICTS if c not in told.columns} | {"valid": pl.lit(value=True)}
    told = told.with_columns(**missing)
    renderings = conform(told.select(*RENDERINGS), RENDERINGS, name="renderings")
    verdicts = conform(told.select(*VERDICTS), VERDICTS, name="verdicts")
    return score(Run(manifest, suite.probes, renderings, verdicts, pl.DataFrame(schema=ESTIMATES)))


def contrasts(run: Run, group: str = "") -> dict[str, bool]:
    """Alarms among the tests of a report: all groups, or those of one column."""
    tested = run.estimates.filter(pl.col("family").is_not_null())
    rates = alarms.families(tested.filter(group=group) if group else tested)
    return dict(zip(("any", "any" + alarms.FREE), rates.values(), strict=True))


def judged(suite: Suite, genders: tuple[Ints, Ints]) -> dict[str, bool]:
    """`compare` of two runs over all their measures, and `gate` of the second against the first."""
    runs = [run_of(suite, gender, name) for gender, name in zip(genders, "ab", strict=True)]
    differences = compare(runs).differences
    shown = differences.filter(pl.col("p_adjusted") < alarms.ALPHA)
    passed = gate(runs[1], runs[0]).passed
    return {"compare": shown.height > 0, "compare" + alarms.FREE: shown["condition"].null_count() > 0,
            "check": not passed}  # fmt: skip


def two(rng: Generator, odds: Floats, own: tuple[Floats, Floats]) -> tuple[Ints, Ints]:
    first, second = ((rng.random(len(odds)) >= expit(odds + each)).astype(np.int64) for each in own)
    return first, second


def unbalanced(rng: Generator) -> dict[str, bool]:
    """28 nouns x 9 phrases of which a third of the pairs were never written; both lean, for each system anew."""
    noun, phrase = (axis.ravel() for axis in np.indices((28, 9)))
    kept = rng.random(len(noun)) > 1 / 3
    noun, phrase = noun[kept], phrase[kept]
    suite = suite_of({"Wort (Beruf)": noun, "2. Satz": phrase})
    base = layouts.centre(0.3, 1.6) + rng.normal(0, 1, 28)[noun] + rng.normal(0, 0.6, 9)[phrase]
    one, other = (rng.normal(0, 0.9, 28)[noun] + rng.normal(0, 0.6, 9)[phrase] for _ in "ab")
    return judged(suite, two(rng, base, (one, other)))


def nested(rng: Generator) -> dict[str, bool]:
    """16 firms with 2 to 6 desks each, 5 sentences a desk; eight firms are of one kind, eight of the other."""
    desks = rng.integers(2, 7, 16)
    firm_of = np.repeat(np.arange(16), desks)
    odds = layouts.centre(0.35, 1.0) + rng.normal(0, 0.7, 16)[firm_of] + rng.normal(0, 0.7, len(firm_of))
    desk = np.repeat(np.arange(len(firm_of)), 5)
    gender = (rng.random(len(desk)) >= expit(odds)[desk]).astype(np.int64)
    sort = np.where(firm_of[desk] % 2, "even", "odd")
    return contrasts(run_of(suite_of({"firm": firm_of[desk], "desk": desk, "sort": sort}), gender), "sort")


def skewed(rng: Generator) -> dict[str, bool]:
    """Pareto sizes: 35 jobs of 4 to 120 sentences; two systems."""
    sizes = np.minimum(np.round(4 * (1 + rng.pareto(1.2, 35))), 120).astype(np.int64)
    job = np.repeat(np.arange(35), sizes)
    base = layouts.centre(0.25, 1.4) + rng.normal(0, 1, 35)[job]
    return judged(suite_of({"job": job}), two(rng, base, (rng.normal(0, 1, 35)[job], rng.normal(0, 1, 35)[job])))


def lost(rng: Generator) -> dict[str, bool]:
    """One system loses every fourth woman and every twentieth man, the other one nothing."""
    job = np.repeat(np.arange(26), 12)
    base = layouts.centre(0.4, 1.2) + rng.normal(0, 1, 26)[job]
    first, second = two(rng, base, (rng.normal(0, 0.6, 26)[job], rng.normal(0, 0.6, 26)[job]))
    second[rng.random(len(job)) < np.where(second == 0, 0.25, 0.05)] = 4
    return judged(suite_of({"post": job}), (first, second))


def one_heavy(rng: Generator) -> dict[str, bool]:
    """Two groups of 14 trades; in one of them a single trade has 40 % of the sentences."""
    sizes = np.full(28, 10)
    sizes[0] = 87
    trade = np.repeat(np.arange(28), sizes)
    gender = (rng.random(len(trade)) >= layouts.beta(rng, 0.3, 0.25, 28)[trade]).astype(np.int64)
    return contrasts(run_of(suite_of({"trade": trade, "side": np.where(trade < 14, "l", "r")}), gender), "side")


def attributes(rng: Generator) -> dict[str, bool]:
    """Six meaningless columns, of jobs and of sentences, of two to four levels: any corrected p of the report."""
    job = np.repeat(np.arange(45), 10)
    columns: Columns = {"job": job}
    for number, levels in enumerate((2, 3, 4)):
        columns[f"of job {number}"] = rng.integers(0, levels, 45)[job]
        columns[f"of line {number}"] = rng.integers(0, levels, len(job))
    named = {name: np.char.add("v", np.asarray(values).astype(str)) for name, values in columns.items()}
    gender = (rng.random(len(job)) >= layouts.beta(rng, 0.3, 0.2, 45)[job]).astype(np.int64)
    return contrasts(run_of(suite_of(named), gender))


def few_labels(rng: Generator, *, labels: int) -> list[Interval]:
    """25 jobs x 16 with 15 % women, a detector that misses a seventh of them; `labels` by verdict."""
    job = np.repeat(np.arange(25), 16)
    woman = rng.random(len(job)) < layouts.beta(rng, 0.15, 0.15, 25)[job]
    seen = np.where(woman, rng.random(len(job)) >= labelled.MISSED, rng.random(len(job)) < labelled.TAKEN)
    run = run_of(suite_of({"job": job}), (~seen).astype(np.int64))
    table = run.table.with_columns(label=pl.Series(np.where(woman, "female", "male")), cluster=pl.col("job"))
    rates = calibrate(labelled.sheet(rng, table, labels), language="de", kind=run.manifest.suite.kind)
    row = score(run, calibration=rates).estimates.row(
        by_predicate=(pl.col("measure") == "TFG") & (pl.col("variant") == "corrected") & (pl.col("level") == ""),
        named=True,
    )
    return [Interval("TFG, corrected", row["low"], row["high"], 0.15)]


def concepts(rng: Generator) -> dict[str, bool]:
    """Two suites of 60 and 75 concepts, 50 in common, one to four sentences each."""
    lean = layouts.centre(0.3, 1.2) + rng.normal(0, 1, 85)
    runs = []
    for name, owned in zip("ab", (np.arange(60), np.arange(10, 85)), strict=True):
        concept = np.repeat(owned, rng.integers(1, 5, len(owned)))
        odds = lean[concept] + rng.normal(0, 0.6, 85)[concept]
        gender = (rng.random(len(concept)) >= expit(odds)).astype(np.int64)
        runs.append(run_of(suite_of({"concept": concept}, name), gender, name))
    found = compare(runs).differences
    return {"compare": bool((found["p_adjusted"] < alarms.ALPHA).any())}


def share(rng: Generator) -> list[Interval]:
    """%TFG of 20 nouns x 12 frames of which frames lean more than nouns; a fifth of the rows undecided at random."""
    noun, frame = (axis.ravel() for axis in np.indices((20, 12)))
    odds = layouts.centre(0.2, 1.0) + rng.normal(0, 0.6, 20)[noun] + rng.normal(0, 0.8, 12)[frame]
    gender = (rng.random(len(noun)) >= expit(odds)).astype(np.int64)
    gender[rng.random(len(noun)) < 0.2] = 4
    row = run_of(suite_of({"n": noun, "f": frame}), gender).estimates.row(
        by_predicate=(pl.col("measure") == "TFG") & (pl.col("level") == ""), named=True
    )
    return [Interval("TFG", row["low"], row["high"], 0.2)]


def mined(rng: Generator) -> list[Interval]:
    """A word in 30 documents of very unequal length."""
    return texts.audited(rng, texts=30, mean=4, share=0.2, icc=0.5, kind="zipf")


def amplification(rng: Generator, *, words: int, templates: int) -> dict[str, bool]:
    """A factor of 1, documents alike, templates of spread .7."""
    layout = text.Layout(1.0, words=words, alike=0.2, persons=40)
    return amplified.alarmed(rng, layout, (templates, 0.7, 0.0))


def tailed(rng: Generator, *, sizes: tuple[int, int]) -> dict[str, bool]:
    """WEAT of words whose association has heavy tails; half of the words of Y come in pairs of synonyms."""
    words = [rng.standard_t(3, (size, DIM)) for size in sizes]
    pairs = sizes[1] // 4
    words[1][pairs : 2 * pairs] = words[1][:pairs] + rng.normal(0, 1.5, (pairs, DIM))
    tested, _ = found(rng, words)
    alarm = tested.p < alarms.ALPHA
    return {"WEAT": alarm, "WEAT" + alarms.FREE: alarm and not tested.warning}


def nightly(rng: Generator, *, change: int | None = None) -> dict[str, bool]:
    """200 nights of 300 probes in 15 clusters like 1, 1/2, 1/3, ...; or ten points fewer from one night on."""
    cluster = np.repeat(np.arange(15), layouts.sizes(rng, "zipf", 15, 20))
    chances = layouts.beta(rng, 0.3, 0.3, 15)[cluster] * 0.9 + 0.1 * rng.random(len(cluster))
    last, nights = 200 if change is None else change + 14, []
    for night in range(last):
        now = chances if change is None or night < change else chances * (1 - 0.1 / chances.mean())
        nights.append(np.bincount(cluster, rng.random(len(cluster)) < now) / len(cluster))
    shown = bool((watch(np.array(nights)).p() <= alarms.ALPHA).any())
    return {"an alarm in a year" if change is None else "found in 14 nights": shown}


ALARMS: dict[str, alarms.Once] = {
    "own TSV, 28 nouns x 9 phrases, a third of the pairs missing": unbalanced,
    "own TSV, 16 firms of 2 to 6 desks x 5, two kinds of firms": nested,
    "own TSV, 35 jobs of Pareto sizes": skewed,
    "own TSV, one system loses 25 % of the women and 5 % of the men": lost,
    "own TSV, two groups of 14 trades, one trade holds 40 % of its group": one_heavy,
    "own TSV, six meaningless columns of two to four levels": attributes,
    "own TSVs of 60 and 75 concepts, 50 in common, 1 to 4 sentences each": concepts,
    "amplification, 30 words, 6 templates with spread .7, documents alike": partial(
        amplification, words=30, templates=6
    ),
    "WEAT, 8 against 20 heavy-tailed words, half of Y in pairs": partial(tailed, sizes=(8, 20)),
    "200 nightly builds, 300 probes in 15 Zipf clusters, nothing changed": nightly,
}
FOUND: dict[str, alarms.Once] = {
    "ten points fewer at night 30, 300 probes in 15 Zipf clusters": partial(nightly, change=30)
}
COVERAGE: dict[str, coverage.Once] = {
    "own TSV, 25 x 16, p .15, icc .15, 40 labels": partial(few_labels, labels=40),
    "own TSV, 20 nouns x 12 frames, a fifth undecided": share,
    "corpus, 30 documents of Zipf lengths (4), p .2, icc .5": mined,
}
