"""The detector against people's labels: the floors of the project, recall of male and female apart."""

from __future__ import annotations

import warnings
from pathlib import Path

import polars as pl
import pytest
from tests.detect.labelled_sets import SETS, judged, share_right

from evenhand.detect.nouns import shipped


def verdicts(data: Path, name: str, code: str) -> pl.DataFrame:
    reader = SETS[name][0]
    return judged(shipped("en", code), list(reader(data, code))).filter(pl.col("label") != "wrong")


def sure_and_right(table: pl.DataFrame) -> float:
    return share_right(table.filter(pl.col("confidence") > 0.95))


@pytest.mark.parametrize("code", ["es", "it", "pt"])
def test_both_variants_of_gender_alternatives_are_told_apart(shared_data: Path, code: str) -> None:
    table = verdicts(shared_data, "gender-alternatives", code)
    assert share_right(table, "male") >= 0.95
    assert share_right(table, "female") >= 0.95
    assert sure_and_right(table) >= 0.97


@pytest.mark.parametrize("code", ["de", "es", "fr", "it"])
def test_hand_labelled_noun_gender_is_found(shared_data: Path, code: str) -> None:
    table = verdicts(shared_data, "noun-gender", code)
    assert share_right(table) >= 0.95
    assert (share_right(table, "male") + share_right(table, "female")) / 2 >= 0.97
    assert sure_and_right(table) >= 0.97


def test_the_published_wibemt_labels_are_reproduced(shared_data: Path) -> None:
    table = verdicts(shared_data, "wibemt", "de")
    for system in ("DeepL", "Microsoft"):
        mine = table.filter(pl.col("id").str.starts_with(system))
        assert share_right(mine, "female") >= 0.995
        assert share_right(mine, "male") >= 0.995
        assert share_right(mine, "neutral") >= 0.90


@pytest.mark.parametrize("code", ["de", "es"])
def test_the_published_target_word_of_natgenmt_is_found_with_its_gender(shared_data: Path, code: str) -> None:
    table = verdicts(shared_data, "natgenmt", code)
    at = [
        row["evidence_start"] is not None
        and row["rendering"][row["evidence_start"] : row["evidence_end"]] == row["target"]
        for row in table.iter_rows(named=True)
    ]
    found = table.filter(pl.Series(at))
    assert found.height / table.height >= 0.97
    assert share_right(found) >= 0.97


# Rows where the annotator followed something else than the noun: a pronoun, or a guess at what "someone" means.
FOLLOWED_OTHERS = {
    "es": {"es.google.first50.2545"},
    "it": {
        f"it.google.annotator{k}.first50.{row}"
        for k in (1, 2)
        for row in (1089, 2602, 3344, 3729, 331, 3026, 356, 671, 3533, 1370)
    },
}


@pytest.mark.parametrize("code", ["es", "it"])
def test_winomt_annotators_who_followed_the_noun_agree(shared_data: Path, code: str) -> None:
    table = verdicts(shared_data, "winomt", code)
    table = table.filter(pl.col("label").is_in(["male", "female"]) & ~pl.col("id").is_in(list(FOLLOWED_OTHERS[code])))
    assert share_right(table) >= 0.97


@pytest.mark.parametrize("code", ["de", "fr"])
def test_where_winomt_annotators_followed_the_pronoun_the_conflict_is_recorded(shared_data: Path, code: str) -> None:
    table = verdicts(shared_data, "winomt", code).filter(pl.col("label").is_in(["male", "female"]))
    apart = table.filter(pl.col("gender") != pl.col("label"))
    for row in apart.iter_rows(named=True):
        warnings.warn(
            f"{row['id']}: {row['label']}, but {row['gender']} by {row['evidence']!r}: {row['rendering']}", stacklevel=1
        )
    opposite = apart.filter(pl.col("gender").is_in(["male", "female"]))
    agreeing = table.filter(pl.col("gender") == pl.col("label"))
    assert opposite["conflict"].sum() / opposite.height >= 0.7
    assert agreeing["conflict"].sum() / agreeing.height <= 0.2
