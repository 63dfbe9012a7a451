"""Systems that answer garbage, through each kind of suite: nothing is decided, and no estimate looks good."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from evenhand import load_suite
from evenhand.detect import open_detector
from evenhand.suites.suite import Suite

from .garbage import HALVES, KINDS, english

DECIDED = 0.02
PRONOUNS = "basque korean hungarian turkish finnish estonian persian indonesian japanese".split()


def part(name: str, rows: int) -> Suite:
    whole = load_suite(name)
    probes = whole.probes.sample(min(rows, whole.probes.height), seed=1)
    return replace(whole, make=lambda: probes)


def decided(suite: Suite, target: str) -> dict[str, float]:
    """Kind of garbage to the share of probes that got a gender all the same."""
    detector = open_detector(suite.kind, source=suite.source_lang, target=target)
    shares = {}
    for kind, answer in KINDS.items():
        texts = answer(suite.probes["source"].to_list(), target)
        verdicts = detector.detect(suite.probes.with_columns(rendering=pl.Series(texts, dtype=pl.String)))
        known = verdicts["gender"].cast(pl.String) != "unknown"
        assert verdicts.filter(~pl.col("valid"))["gender"].cast(pl.String).is_in(["unknown"]).all()
        shares[kind] = known.mean()
    return {kind: float(share or 0.0) for kind, share in shares.items()}  # type: ignore[arg-type]


@pytest.mark.parametrize("target", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("language", PRONOUNS)
def test_garbage_is_not_decided_by_pronouns(language: str, target: str) -> None:
    shares = decided(part(f"pronouns-{language}", 300), target)
    assert {kind: share for kind, share in shares.items() if share > DECIDED} == {}


@pytest.mark.parametrize(
    ("name", "limit"), [("pronouns-korean", 0.04), ("pronouns-finnish", 0.02), ("occupations-hungarian", 0.04)]
)
def test_half_a_translation_is_hardly_ever_decided(name: str, limit: float) -> None:
    suite = part(name, 300)
    detector = open_detector(suite.kind, source=suite.source_lang, target="en")
    good = english(suite.probes)
    for answers in (good, *(half(good, "en") for half in HALVES.values())):
        verdicts = detector.detect(suite.probes.with_columns(rendering=pl.Series(answers, dtype=pl.String)))
        share = verdicts.filter(pl.col("gender").cast(pl.String) != "unknown").height / verdicts.height
        assert share > 0.99 if answers is good else share <= limit


@pytest.mark.parametrize("target", "de es fr it pt ru uk pl nl ar he el".split())
def test_garbage_is_not_decided_by_nouns(target: str) -> None:
    shares = decided(part("occupations-verbs", 300), target)
    assert {kind: share for kind, share in shares.items() if share > DECIDED} == {}


@pytest.mark.parametrize("target", ["de", "es"])
def test_garbage_is_not_decided_on_winomt(shared_data: Path, target: str) -> None:
    shares = decided(part(f"winomt:{shared_data / 'winomt/aggregates/en.txt'}", 400), target)
    assert {kind: share for kind, share in shares.items() if share > DECIDED} == {}


@pytest.mark.parametrize("target", ["de", "es", "pt", "hi"])
def test_garbage_is_not_decided_by_references(shared_data: Path, target: str) -> None:
    folder = shared_data / "mtgeneval/sentences/test"
    shares = decided(part(f"mtgeneval:{folder / f'geneval-sentences-feminine-test.en_{target}.en'}", 300), target)
    assert {kind: share for kind, share in shares.items() if share > DECIDED} == {}
