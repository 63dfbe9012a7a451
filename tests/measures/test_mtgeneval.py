"""The reference-based measure against the published checks, and quality against sacrebleu itself."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from evenhand.detect.contrastive import words
from evenhand.errors import BadInput
from evenhand.measures.estimate import estimate
from evenhand.measures.mtgeneval import contextual, counterfactual
from evenhand.measures.registry import by_name
from evenhand.suites.suite import Grouping

# README of the data: masculine references for both genders, feminine ones for both, flipped ones in context
CHECKS = {
    "de": (0.0, 0.0167, 0.0073),
    "es": (0.0467, 0.0667, 0.0401),
    "pt": (0.0, 0.0, 0.0312),
    "hi": (0.1233, 0.12, 0.0483),
}


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def share(right: list[bool]) -> float:
    return round(sum(right) / len(right), 4)


@pytest.mark.parametrize("language", CHECKS)
def test_the_published_checks_come_out(shared_data: Path, language: str) -> None:
    folder = shared_data / "mtgeneval"
    feminine, masculine = (
        lines(folder / "sentences" / "test" / f"geneval-sentences-{g}-test.en_{language}.{language}")
        for g in ("feminine", "masculine")
    )
    assert share(counterfactual(feminine, masculine, feminine, masculine)) == 1.0
    assert share(counterfactual(masculine, masculine, feminine, masculine)) == CHECKS[language][0]
    assert share(counterfactual(feminine, feminine, feminine, masculine)) == CHECKS[language][1]
    original, flipped = (
        lines(folder / "context" / f"geneval-context-wikiprofessions-{k}-test.en_{language}.{language}")
        for k in ("original", "flipped")
    )
    assert share(contextual(original, original, flipped)) == 1.0
    assert share(contextual(flipped, original, flipped)) == CHECKS[language][2]


def test_measures_of_a_run_give_the_same_numbers(shared_data: Path) -> None:
    folder = shared_data / "mtgeneval" / "sentences" / "test"
    feminine, masculine = (lines(folder / f"geneval-sentences-{g}-test.en_es.es") for g in ("feminine", "masculine"))
    pairs = [str(n) for n in range(len(feminine))]
    halves = [
        pl.DataFrame({"pair": pairs, "gold": gold, "rendering": masculine, "reference": own, "reference_other": other})
        for gold, own, other in (("female", feminine, masculine), ("male", masculine, feminine))
    ]
    table = pl.concat(halves).with_columns(id=pl.col("gold") + pl.col("pair"))
    found = estimate(
        table, clusters=("pair",), measures=("reference_accuracy", "counterfactual_accuracy"), resamples=200
    )
    by_measure = {row["measure"]: row for row in found.iter_rows(named=True)}
    assert round(by_measure["counterfactual_accuracy"]["value"], 4) == CHECKS["es"][0]
    assert by_measure["counterfactual_accuracy"]["n"] == 300
    assert by_measure["reference_accuracy"]["value"] > 0.5


def test_an_empty_rendering_is_not_right() -> None:
    table = pl.DataFrame(
        {"id": ["1"], "rendering": [""], "reference": ["la doctora"], "reference_other": ["el doctor"]}
    )
    assert estimate(table, measures=("reference_accuracy",))["value"][0] == 0


def test_words_are_lower_case_without_ascii_punctuation() -> None:
    assert words("«Die Ärztin», sagt er: Nein!") == {"«die", "ärztin»", "sagt", "er", "nein"}


def test_lists_of_different_length_are_an_error() -> None:
    with pytest.raises(BadInput, match="2 outputs, 1 references"):
        contextual(["a", "b"], ["a"], ["b"])


def test_quality_by_gender_is_sacrebleus(shared_data: Path) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    folder = shared_data / "mtgeneval" / "sentences" / "test"
    feminine, masculine = (lines(folder / f"geneval-sentences-{g}-test.en_pt.pt") for g in ("feminine", "masculine"))
    other = [*feminine[1:], feminine[0]]
    halves = [(masculine, "female"), (other, "male")]
    table = pl.concat(
        pl.DataFrame({"pair": range(300), "gold": gold, "rendering": rendered, "reference": feminine}).with_columns(
            id=pl.col("pair").cast(pl.String) + gold
        )
        for rendered, gold in halves
    )
    groupings = (Grouping("gold", column="gold"),)
    estimates = estimate(table, clusters=("pair",), groupings=groupings, measures=("chrF", "BLEU"), resamples=100)
    score = {(row["measure"], row["level"]): row for row in estimates.iter_rows(named=True)}
    whole = sacrebleu.corpus_chrf(masculine + other, [feminine + feminine]).score
    assert score["chrF", ""]["value"] == pytest.approx(whole)
    assert score["chrF", "female"]["value"] == pytest.approx(sacrebleu.corpus_chrf(masculine, [feminine]).score)
    assert score["BLEU", "female"]["value"] == pytest.approx(sacrebleu.corpus_bleu(masculine, [feminine]).score)
    gap = score["BLEU", "female - male"]
    assert gap["value"] == pytest.approx(score["BLEU", "female"]["value"] - score["BLEU", "male"]["value"])
    assert gap["low"] < gap["value"] < gap["high"]
    assert by_name("BLEU").fingerprint == f"sacrebleu-{sacrebleu.__version__}"
