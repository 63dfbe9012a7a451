"""Verdicts of the `simulated:` translator on a shipped suite: a fault anywhere before the statistics would show."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import polars as pl

from evenhand import load_suite
from evenhand.detect.pronouns import PronounDetector
from evenhand.systems.simulated import Simulated

SUITE = "pronouns-turkish"


@cache
def translator(shares: tuple[float, float, float]) -> Simulated:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "truth.tsv"
        file.write_text("p_female\tp_male\tp_neutral\n" + "\t".join(map(str, shares)) + "\n")
        system = Simulated(str(file))
        system.bind(load_suite(SUITE).probes)
    return system


@cache
def _judged() -> dict[str, str]:
    return {}


def verdicts(shares: tuple[float, float, float], seed: int) -> pl.DataFrame:
    """Probes with the gender the detector gave their rendering; equal renderings are judged once."""
    probes = load_suite(SUITE).probes
    rendered = probes.with_columns(rendering=pl.Series(translator(shares).renderings("en", seed)))
    known = _judged()
    new = rendered.filter(~pl.col("rendering").is_in(list(known))).unique("rendering", maintain_order=True)
    if new.height:
        genders = PronounDetector("en").detect(new)["gender"].cast(pl.String)
        known.update(zip(new["rendering"], genders, strict=True))
    return rendered.with_columns(gender=pl.col("rendering").replace_strict(known, return_dtype=pl.String))
