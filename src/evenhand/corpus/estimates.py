"""What the counts say: shares of the genders with intervals over clusters (persons of one document or block are not
independent), tables beside them, a sample as a run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import polars as pl

from evenhand._version import __version__
from evenhand.corpus.collect import TIMES, Collected
from evenhand.corpus.steps import SAYS, CorpusSettings, facts
from evenhand.gender import DECIDED, GENDERS
from evenhand.measures.calibration import Calibration
from evenhand.measures.corrected import Corrected
from evenhand.measures.definitions.counts import Counted
from evenhand.measures.definitions.gendered import SHARES_OF, TFG
from evenhand.measures.definitions.optimal import SHARE
from evenhand.measures.rows import EstimateRow, columns
from evenhand.measures.sampling import Sampler
from evenhand.notes import Note, NoteKind
from evenhand.pipeline.intake import Taken
from evenhand.references.reference import Reference, attach
from evenhand.results.runs import Manifest, Run
from evenhand.statistics.effective import RESAMPLES
from evenhand.statistics.intervals import Interval
from evenhand.statistics.measure import Floats, Job, Statistics
from evenhand.storage.atomic import write_text
from evenhand.storage.tables import ALL, ESTIMATES, RENDERINGS, VERDICTS, conform
from evenhand.suites.suite import SuiteInfo, designed

MEASURES: tuple[Counted, ...] = (TFG, *SHARES_OF)
CLUSTER = "document or block of lines"
FEWEST = 3  # clusters, and effective clusters, that carry an interval
PER_MILLION = "persons_per_million"
STATED = {"female": "stated_female", "male": "stated_male", "unclear": "unclear"}
SAMPLED = "random persons from parallel text; the shares of the whole text are in the folder above"


class Tallied(NamedTuple):
    """Distinct counts of clusters (a column per gender, in the order of GENDERS), and how many clusters have them."""

    counts: Floats
    times: Floats

    def persons(self, genders: Sequence[str]) -> int:
        return int((self.times @ self.counts[:, _places(genders)]).sum())

    @property
    def lopsided(self) -> str:
        """Why these clusters carry no interval though there are enough of them; "" where they do. Kish's effective
        number of clusters (1965), (sum n)^2 / sum n^2, is below three where one or two hold nearly all persons: how
        much such clusters differ cannot be seen. With nine tenths of 600 persons in one of 61 documents, intervals
        covered 75 to 82 % of the time; with half of them in one, as often as they say."""
        sizes = self.counts.sum(axis=1)
        whole, largest = float(self.times @ sizes), float(sizes.max(initial=0.0))
        if not whole or whole**2 / float(self.times @ sizes**2) >= FEWEST or int(self.times[sizes > 0].sum()) < FEWEST:
            return ""
        return f"none: one {CLUSTER} holds {largest / whole:.0%} of the persons".replace("%", " %")

    def of(self, genders: Sequence[str]) -> Self:
        """Only these genders: fewer counts are distinct, in their sorted order."""
        cells, inverse = np.unique(self.counts[:, _places(genders)], axis=0, return_inverse=True)
        times: Floats = np.bincount(inverse.reshape(-1), weights=self.times).astype(np.float64)
        return type(self)(cells, times)


def _places(genders: Sequence[str]) -> list[int]:
    return [GENDERS.index(gender) for gender in genders]


def levels(table: pl.DataFrame) -> Iterator[tuple[str | int, Tallied]]:
    """The levels of a grouping in their order; the table is sorted by level."""
    for (level,), part in table.group_by("level", maintain_order=True):
        counts, times = part.select(GENDERS).to_numpy(), part[TIMES].to_numpy()
        yield level, Tallied(counts.astype(np.float64), times.astype(np.float64))


@dataclass(frozen=True)
class Estimator:
    """How counts become estimates: the seed, the level and, where there is one, the detector's error rates."""

    seed: int
    level: float
    calibration: Calibration | None = None
    resamples: int = RESAMPLES

    def rows(self, part: Tallied, group: str, level: str, measures: Sequence[Counted] = MEASURES) -> list[EstimateRow]:
        """Estimates of one part, raw and, with a calibration, corrected."""
        counts = {"n": part.persons(GENDERS), "n_decided": part.persons(DECIDED), "n_clusters": int(part.times.sum())}
        variants = ("raw", "corrected") if self.calibration is not None else ("raw",)
        return [
            {"measure": measure.name, "group": group, "level": level, "variant": variant}
            | columns(self.interval(part, measure, corrected=variant == "corrected"))
            | counts
            for measure, variant in product(measures, variants)
        ]

    def interval(self, part: Tallied, measure: Counted, *, corrected: bool = False) -> Interval:
        """The value of a measure on counts by cluster, with its interval."""
        names, sampled, drawn = tuple(measure.cells()), measure, None
        rates = self.calibration if corrected else None
        alike = part.of(names if rates is None else DECIDED)
        cells, times, lopsided = alike.counts, alike.times, alike.lopsided
        if rates is not None:
            sampled = _corrected(measure, rates)
            cells = np.hstack([cells, np.zeros((len(cells), len(names)))])
            drawn = rates.drawn_matrices(None, seed=self.seed, count=self.resamples)
        sampler = Sampler(("cluster",), [int(times.sum())], (CLUSTER,), self.seed, self.resamples, self.level, drawn)
        codes = np.arange(len(cells), dtype=np.int64).reshape(-1, 1)
        n = int((times @ cells).sum())
        interval = sampler.estimate(Job(sampled, Statistics(codes, cells, names, n, n, times=times))).interval
        return replace(interval, low=np.nan, high=np.nan, method=lopsided) if lopsided else interval


def _corrected(measure: Counted, calibration: Calibration) -> Corrected:
    """The measure on counts of the decided genders, corrected by the matrix of all labels."""
    patterns: Floats = np.array([[[float(gender == cell) for cell in measure.cells()] for gender in DECIDED]])
    return Corrected(measure, calibration.matrices(), patterns, np.zeros(1, dtype=np.int64))


def per_million(collected: Collected) -> EstimateRow:
    """Persons per million words of the source side: a count of all there is, not a sample, so no interval."""
    words = sum(n for name, n in collected.summary.counts.items() if name.startswith("words/"))
    persons = collected.summary.counts["persons"]
    decided = sum(int(collected.counts[gender].sum()) for gender in DECIDED)
    value, method = 1e6 * persons / words if words else None, "none: a count of the whole text"
    row: EstimateRow = {"measure": PER_MILLION, "group": ALL, "level": "", "variant": "raw"}
    return row | {"value": value, "interval": method, "n": persons, "n_decided": decided}


def overall(collected: Collected, files: Sequence[str], estimator: Estimator) -> list[EstimateRow]:
    """All persons, by what the source says, open ones by file (where there is more than one); women by sector."""
    clusters = {grouping: dict(levels(collected.clusters[grouping])) for grouping in (ALL, "source", "file", "sector")}
    none = Tallied(np.zeros((0, len(GENDERS))), np.zeros(0))
    rows = estimator.rows(clusters[ALL].get("", none), ALL, "")
    for says in filter(clusters["source"].__contains__, SAYS):
        rows += estimator.rows(clusters["source"][says], "source", says)
    for number, part in clusters["file"].items() if len(files) > 1 else ():
        rows += estimator.rows(part, "file", files[int(number)])
    for sector, part in clusters["sector"].items():
        rows += estimator.rows(part, "sector", str(sector), (TFG,))
    return rows


def by_word(collected: Collected, estimator: Estimator) -> list[EstimateRow]:
    """The share of women among the gendered, for every concept that has some, the most frequent first."""
    words = levels(collected.clusters["concept"])
    parts = ((-part.persons(tuple(TFG.cells())), str(word), part) for word, part in words)
    ordered = sorted((some for some in parts if some[0]), key=itemgetter(0, 1))
    return [row for _, word, part in ordered for row in estimator.rows(part, "concept", word, (TFG,))]


def counts_table(collected: Collected, files: Sequence[str]) -> pl.DataFrame:
    """One row per file and what the source says: persons by gender, and the file's words on the source side."""
    words = {number: collected.summary.counts[f"words/{number}"] for number in range(len(files))}
    names = pl.col("file").replace_strict(dict(enumerate(files)), return_dtype=pl.String)
    sizes = pl.col("file").replace_strict(words, return_dtype=pl.Int64).alias("words")
    return collected.counts.select(names, sizes, "says", *GENDERS)


def word_table(collected: Collected, estimates: pl.DataFrame, reference: Reference) -> pl.DataFrame:
    """One row per concept, the most frequent first: persons the source leaves open by gender, the share of women among
    the gendered with its interval, how many the source states or leaves unclear, sector, share in the reference."""
    said = collected.said.with_columns(n=pl.sum_horizontal(GENDERS))
    raw, corrected = (estimates.filter(pl.col("variant") == variant) for variant in ("raw", "corrected"))
    interval = {"value": "share", "low": "low", "high": "high"}
    beside = [
        said.filter(pl.col("says") == "open").select("concept", *GENDERS),
        *(said.filter(pl.col("says") == says).select("concept", pl.col("n").alias(c)) for says, c in STATED.items()),
        raw.rename(interval | {"level": "concept"}).select("concept", *interval.values(), "n_clusters"),
    ]
    if corrected.height:
        rates = {name: f"corrected_{shown}" for name, shown in interval.items()}
        beside.append(corrected.rename(rates | {"level": "concept"}).select("concept", *rates.values()))
    table = said.select("concept").unique().sort("concept")
    for columns_of in (*beside, design_effects(collected.clusters["concept"]), facts()):
        table = table.join(columns_of, on="concept", how="left", maintain_order="left")
    table = table.with_columns(pl.col(*GENDERS, *STATED.values()).fill_null(0), english=pl.col("concept"))
    compared = attach(table, reference).rename({SHARE: "reference_share"})
    gendered = pl.col("female") + pl.col("male")
    return compared.drop("english", "employed", "reference_key").sort(
        gendered, pl.sum_horizontal(GENDERS), "concept", descending=[True, True, False]
    )


def design_effects(words: pl.DataFrame) -> pl.DataFrame:
    """The design effect of each word's share: its variance over clusters divided by that of independent persons (Kish
    1965), at least 1. Null where a word has one gender only, or is in one cluster. `words`: level, female, male and
    how many clusters have these numbers (`times`)."""
    f, k, n = (pl.col(c).cast(pl.Float64) for c in ("female", TIMES, "gendered"))
    clusters, persons = k.sum(), (k * n).sum()
    share = (k * f).sum() / persons
    spread = (k * (f - share * n) ** 2).sum() * clusters / (clusters - 1)
    effect = (spread / (persons * share * (1 - share))).clip(1.0)
    seen = words.with_columns(gendered=pl.col("female") + pl.col("male")).filter(pl.col("gendered") > 0)
    known = pl.when((share > 0) & (share < 1) & (clusters > 1)).then(effect)
    return seen.group_by(concept="level", maintain_order=True).agg(effect=known).sort("concept")


def write_words(words: pl.DataFrame, path: Path) -> None:
    """The table as TSV, an empty cell where nothing is known."""
    shown = words.with_columns(pl.col(pl.Float64).round(6))
    write_text(path, shown.write_csv(separator="\t", quote_style="never", line_terminator="\n"))


def run_of(
    sample: pl.DataFrame, taken: Taken, settings: CorpusSettings, detector: str, estimator: Estimator
) -> Run | None:
    """The sample as a run without estimates; None where there is no person at all."""
    if not sample.height:
        return None
    files = dict(enumerate(taken.files))
    constants = {
        "source_lang": settings.source,
        "target_lang": settings.target,
        "sample": 0,
        "candidate": 0,
        "valid": True,
    }
    named = sample.with_columns(
        id=pl.concat_str("file", "line", pl.col("focus_start").fill_null(0), separator="-"),
        focus=pl.col("source").str.slice("focus_start", pl.col("focus_end") - pl.col("focus_start")),
        file=pl.col("file").replace_strict(files, return_dtype=pl.String),
        **{name: pl.lit(value) for name, value in constants.items()},
    ).sort("id")
    place = ("source_lang", "focus", "focus_start", "focus_end")
    probes = named.select("id", "source", *place, "concept", "says", "file", "line", "cluster")
    fields = {"version": "1", "source_lang": settings.source, "kind": settings.kind}
    name, measures = f"corpus-{settings.source}-{settings.target}", tuple(measure.name for measure in MEASURES)
    suite = designed("corpus", lambda: probes, name=name, measures=measures, **fields)
    made = (SuiteInfo.of(suite), "corpus", taken.digest, settings.target, detector)
    drawn = (estimator.seed, estimator.resamples, __version__)
    manifest = Manifest(*made, *drawn, level=estimator.level, notes=(Note(SAMPLED, NoteKind.CHOSEN),))
    renderings = conform(named.select(*RENDERINGS), RENDERINGS, name="renderings")
    verdicts = conform(named.select(*VERDICTS), VERDICTS, name="verdicts")
    return Run(manifest, suite.probes, renderings, verdicts, pl.DataFrame(schema=ESTIMATES))
