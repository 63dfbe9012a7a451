"""Amplification of 1 by a system whose templates have a tendency each: alarms and coverage, through the public verb."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
from benchmarks.validate import amplification as text
from benchmarks.validate.coverage import Interval
from benchmarks.validate.layouts import Generator
from scipy.special import expit

from evenhand import amplification
from evenhand._version import __version__
from evenhand.results.findings import Findings, FindingsManifest
from evenhand.results.runs import Manifest, Run
from evenhand.storage.tables import ESTIMATES, RENDERINGS, VERDICTS, conform
from evenhand.suites.suite import Suite, SuiteInfo


def beside(rng: Generator, layout: text.Layout, *, templates: int, spread: float, own: float = 0.0) -> pl.DataFrame:
    """Estimates of a run of words x templates; `spread` of the templates' log-odds, `own` of each combination's."""
    theta = text.odds(layout, rng)
    words = text.text(theta, layout, rng)
    eta = layout.shift + layout.factor * theta + rng.normal(0, layout.spread, layout.words)
    leaning = eta[:, None] + rng.normal(0, spread, templates) + rng.normal(0, own, (layout.words, templates))
    each = layout.sentences // templates
    word, template, number = (axis.ravel() for axis in np.indices((layout.words, templates, each)))
    female = rng.random(len(word)) < expit(leaning[word, template])
    probes = pl.DataFrame(
        {
            "id": [f"{w}-{t}-{n}" for w, t, n in zip(word, template, number, strict=True)],
            "source": [f"{w} {t} {n}" for w, t, n in zip(word, template, number, strict=True)],
            "source_lang": "en",
            "occupation": np.char.add("w", word.astype(str)),
            "template": np.char.add("t", template.astype(str)),
        }
    )
    suite = Suite("own", "1", "en", "nouns", "words in templates", make=lambda: probes, clusters=("occupation",))
    manifest = Manifest(SuiteInfo.of(suite), "simulated", "simulated", "de", "simulated", 0, 500, __version__)
    keys = {"target_lang": pl.lit("de"), "sample": pl.lit(0), "candidate": pl.lit(0), "rendering": pl.lit("")}
    answers = probes.select("id", **keys, gender=pl.Series(np.where(female, "female", "male")))
    verdicts = answers.with_columns(pl.lit(None).alias(c) for c in VERDICTS if c not in answers.columns)
    run = Run(
        manifest,
        probes,
        conform(answers.select(*RENDERINGS), RENDERINGS, name="renderings"),
        conform(verdicts.select(*VERDICTS), VERDICTS, name="verdicts"),
        pl.DataFrame(schema=ESTIMATES),
    )
    n = pl.col("female") + pl.col("male")
    seen = words.with_columns(
        share=pl.col("female") / n, sector=pl.lit(""), **dict.fromkeys(("neutral", "both", "unknown"), pl.lit(0)),
        **dict.fromkeys(("low", "high", "reference_share"), pl.lit(None, pl.Float64)),
    )  # fmt: skip
    told = FindingsManifest("corpus", "a text", "a text", {"source": "en", "target": "de"})
    return amplification(Findings(told, pl.DataFrame(schema=ESTIMATES), {"words": seen}), run).estimates


Kind = tuple[int, float, float]  # templates, spread of their log-odds, and of each word in each


def alarmed(rng: Generator, layout: text.Layout, kind: Kind) -> dict[str, bool]:
    found = beside(rng, layout, templates=kind[0], spread=kind[1], own=kind[2]).filter(measure="amplification")
    return {"amplification = 1": bool((found["p"] < 0.05).any())}


def covered(rng: Generator, layout: text.Layout, kind: Kind) -> list[Interval]:
    found = beside(rng, layout, templates=kind[0], spread=kind[1], own=kind[2])
    row = found.row(by_predicate=pl.col("measure") == "amplification", named=True)
    return [Interval("amplification", row["low"], row["high"], layout.factor)]


_KINDS: dict[str, Kind] = {
    "10 templates with spread 1": (10, 1.0, 0.0),
    "4 templates with spread 1": (4, 1.0, 0.0),
    "10 templates with spread 1, each pair .5": (10, 1.0, 0.5),
    "10 templates with spread 1, each pair .7": (10, 1.0, 0.7),
    "10 templates without effect": (10, 0.0, 0.0),
}
ALARMS = {
    f"amplification, {name}": partial(alarmed, layout=text.Layout(1.0), kind=kind) for name, kind in _KINDS.items()
}
COVERAGE = {
    f"amplification, {name}": partial(covered, layout=replace(text.Layout(1.5), words=40), kind=kind)
    for name, kind in list(_KINDS.items())[:2]
}
