"""Which estimates a run will have, known before anything is sent: a limit on something else is a slip."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evenhand._version import __version__
from evenhand.gender import Gender
from evenhand.references.reference import Reference
from evenhand.results.runs import Manifest, Run
from evenhand.storage.tables import ESTIMATES, KEY, VERDICTS, conform
from evenhand.suites.info import SuiteInfo
from evenhand.suites.suite import Suite
from evenhand.systems.protocol import Answer
from evenhand.workflows.audit import tabulate
from evenhand.workflows.score import added_measures, estimated

_RESAMPLES = 100
_GENDERS = [Gender.FEMALE.value, Gender.MALE.value, Gender.NEUTRAL.value]


def rehearsed(suite: Suite, *, measures: Sequence[str] = (), references: Sequence[Reference] = ()) -> pl.DataFrame:
    """The estimates of a made-up run: measure, group and level are those of a real one, no value means anything.

    Genders take turns, so that every measure has something to count. It goes the same way as a real run, so that it
    cannot come to know of other rows.
    """
    renderings = tabulate(suite, "", 1, [Answer("")] * len(suite))
    turns = [_GENDERS[number % len(_GENDERS)] for number in range(renderings.height)]
    judged = renderings.select(list(KEY)).with_columns(gender=pl.Series(turns), valid=pl.lit(value=True))
    manifest = Manifest(
        suite=SuiteInfo.of(suite),
        system="",
        system_fingerprint="",
        target_lang="",
        detector="",
        seed=0,
        resamples=_RESAMPLES,
        evenhand=__version__,
        measures=added_measures(suite, measures),
    )
    verdicts = conform(judged, VERDICTS, name="verdicts")
    run = Run(manifest, suite.probes, renderings, verdicts, pl.DataFrame(schema=ESTIMATES))
    return estimated(run, references=references).estimates
