"""The reference-based measure against the published checks, and quality against sacrebleu itself."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from evenhand.detect.contrastive import words
from evenhand.measures.definitions.registry import by_name
from evenhand.measures.estimate import estimate
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


def measured(measure: str, table: pl.DataFrame) -> dict[str, float]:
    row: dict[str, float] = estimate(table, clusters=("pair",), measures=(measure,), resamples=50).row(0, named=True)
    return row


def accuracy(outputs: list[str], references: list[str], others: list[str]) -> float:
    """Contextual accuracy: every output against its reference and the flipped one."""
    columns = {"rendering": outputs, "reference": references, "reference_other": others}
    table = pl.DataFrame(columns).with_row_index("pair").with_columns(id=pl.col("pair").cast(pl.String))
    return round(measured("reference_accuracy", table)["value"], 4)


def both_right(outputs: tuple[list[str], list[str]], references: tuple[list[str], list[str]]) -> dict[str, float]:
    """Counterfactual accuracy of (feminine, masculine) outputs against (feminine, masculine) references."""
    halves = [
        pl.DataFrame({"rendering": rendered, "reference": own, "reference_other": other})
        .with_row_index("pair")
        .with_columns(id=pl.col("pair").cast(pl.String) + f"-{number}")
        for number, (rendered, own, other) in enumerate(zip(outputs, references, references[::-1], strict=True))
    ]
    return measured("counterfactual_accuracy", pl.concat(halves))


@pytest.mark.parametrize("language", CHECKS)
def test_the_published_checks_come_out(shared_data: Path, language: str) -> None:
    folder = shared_data / "mtgeneval"
    feminine, masculine = (
        lines(folder / "sentences" / "test" / f"geneval-sentences-{g}-test.en_{language}.{language}")
        for g in ("feminine", "masculine")
    )
    references = feminine, masculine
    assert both_right(references, references)["value"] == 1.0
    always_male = both_right((masculine, masculine), references)
    assert (round(always_male["value"], 4), always_male["n"]) == (CHECKS[language][0], 300)
    assert round(both_right((feminine, feminine), references)["value"], 4) == CHECKS[language][1]
    original, flipped = (
        lines(folder / "context" / f"geneval-context-wikiprofessions-{k}-test.en_{language}.{language}")
        for k in ("original", "flipped")
    )
    assert accuracy(original, original, flipped) == 1.0
    assert accuracy(flipped, original, flipped) == CHECKS[language][2]


def test_an_empty_rendering_is_not_right() -> None:
    table = pl.DataFrame(
        {"id": ["1"], "rendering": [""], "reference": ["la doctora"], "reference_other": ["el doctor"]}
    )
    assert estimate(table, measures=("reference_accuracy",))["value"][0] == 0


def test_words_are_lower_case_without_ascii_punctuation() -> None:
    assert words("«Die Ärztin», sagt er: Nein!") == {"«die", "ärztin»", "sagt", "er", "nein"}


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
