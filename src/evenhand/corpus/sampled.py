"""Persons drawn from parallel text as a run of their own: to be read, labelled and calibrated like any other."""

from __future__ import annotations

import polars as pl

from evenhand._version import __version__
from evenhand.corpus.steps import CorpusSettings
from evenhand.notes import Note, NoteKind
from evenhand.pipeline.intake import Taken
from evenhand.results.runs import Manifest, Run
from evenhand.storage.tables import ESTIMATES, RENDERINGS, VERDICTS, conform
from evenhand.suites.info import SuiteInfo
from evenhand.suites.suite import Grouping, Suite

NOTE = "persons drawn by lot from parallel text; the shares of the whole text are in the folder above"
MEASURES = ("TFG", "share_female", "share_male", "share_neutral", "share_both")


def run_of(
    sample: pl.DataFrame,
    taken: Taken,
    settings: CorpusSettings,
    detector: str,
    *,
    seed: int,
    level: float,
    resamples: int,
) -> Run | None:
    """The sample as a run without estimates; None where there is no person at all."""
    if not sample.height:
        return None
    files = dict(enumerate(taken.files))
    named = sample.with_columns(
        id=pl.concat_str("file", "line", pl.col("focus_start").fill_null(0), separator="-"),
        source_lang=pl.lit(settings.source),
        target_lang=pl.lit(settings.target),
        focus=pl.struct("source", "focus_start", "focus_end").map_elements(_focus, return_dtype=pl.String),
        file=pl.col("file").replace_strict(files, return_dtype=pl.String),
        sample=pl.lit(0),
        candidate=pl.lit(0),
        valid=pl.lit(value=True),
    ).sort("id")
    probes = named.select(
        "id", "source", "source_lang", "focus", "focus_start", "focus_end", "concept", "says", "file", "line", "cluster"
    )
    suite = Suite(
        name=f"corpus-{settings.source}-{settings.target}",
        version="1",
        source_lang=settings.source,
        kind=settings.kind,
        summary="persons drawn from parallel text",
        make=lambda: probes,
        clusters=("cluster",),
        groupings=(Grouping("says", column="says"),),
        measures=MEASURES,
    )
    manifest = Manifest(
        suite=SuiteInfo.of(suite),
        system="corpus",
        system_fingerprint=taken.digest,
        target_lang=settings.target,
        detector=detector,
        seed=seed,
        resamples=resamples,
        evenhand=__version__,
        level=level,
        notes=(Note(NOTE, NoteKind.CHOSEN),),
    )
    renderings = conform(named.select(*RENDERINGS), RENDERINGS, name="renderings")
    verdicts = conform(named.select(*VERDICTS), VERDICTS, name="verdicts")
    return Run(manifest, suite.probes, renderings, verdicts, pl.DataFrame(schema=ESTIMATES))


def _focus(row: dict[str, object]) -> str | None:
    text, start, end = row["source"], row["focus_start"], row["focus_end"]
    if not isinstance(text, str) or not isinstance(start, int) or not isinstance(end, int):
        return None
    return text[start:end]
