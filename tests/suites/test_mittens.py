"""MiTTenS read as published; the references against themselves and with every pronoun swapped."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from evenhand.detect import open_detector
from evenhand.errors import Unknown
from evenhand.grammar import codes
from evenhand.suites.registry import load_suite
from evenhand.workflows.audit import audit

SWAPPED = {"she": "he", "he": "she", "her": "his", "hers": "his", "his": "her", "him": "her", "himself": "herself"}
SWAPPED["herself"] = "himself"
PRONOUN = re.compile(r"\b(?:" + "|".join(SWAPPED) + r")\b", re.IGNORECASE)


def swapped(text: str) -> str:
    return PRONOUN.sub(lambda match: SWAPPED[match.group().lower()], text)


def references(shared_data: Path, target: str) -> pl.DataFrame:
    suite = load_suite(f"mittens:{shared_data / 'mittens'}").into(target)
    return suite.probes.with_columns(rendering=pl.col("reference"))


def right(pairs: pl.DataFrame, target: str) -> int:
    verdicts = open_detector("mentions", source="mixed", target=target).detect(pairs)
    return int((verdicts["gender"].cast(pl.String) == pairs["gold"].cast(pl.String)).sum())


def test_both_directions_and_all_languages_are_there(shared_data: Path) -> None:
    probes = load_suite(f"mittens:{shared_data / 'mittens'}").probes
    assert (probes["into"] == "en").sum() == 1_744
    assert (probes["into"] != "en").sum() == 1_888
    assert probes["language"].n_unique() == 26
    assert not any("canary" in column.lower() for column in probes.columns)


def test_every_reference_into_english_is_right_and_none_with_its_pronouns_swapped(shared_data: Path) -> None:
    pairs = references(shared_data, "en")
    assert right(pairs, "en") == pairs.height == 1_744
    turned = pairs.with_columns(pl.col("rendering").map_elements(swapped, return_dtype=pl.String))
    assert right(turned, "en") == 0


@pytest.mark.parametrize(("target", "least"), [("fr", 0.95), ("pt", 0.93), ("es", 0.8), ("ru", 0.85), ("cs", 0.75)])
def test_references_out_of_english_are_mostly_decided_and_rarely_wrong(
    shared_data: Path, target: str, least: float
) -> None:
    pairs = references(shared_data, target)
    verdicts = open_detector("mentions", source="en", target=target).detect(pairs)
    gender, gold = verdicts["gender"].cast(pl.String), pairs["gold"].cast(pl.String)
    assert (gender == gold).sum() >= least * pairs.height
    assert (gender.is_in(["female", "male"]) & (gender != gold)).sum() <= 0.05 * pairs.height


def test_a_language_the_detector_does_not_know_is_named(shared_data: Path) -> None:
    assert "sw" not in codes()
    with pytest.raises(Unknown, match="target language for passages"):
        open_detector("mentions", source="en", target="sw")


def test_an_audit_takes_the_rows_of_its_target_and_one_wrong_mention_spoils_a_passage(tmp_path: Path) -> None:
    head = "example,targets,lang,encoded_gender,eval_set_key,format\n"
    rows = (
        "Es médica. Vive aquí.,She is a doctor. She lives here.,es,feminine,coref,2en\n"
        "Es médico.,He is a doctor.,es,masculine,coref,2en\n"
        "She is a doctor.,Es médica.,es,feminine,coref,2xx\n"
    )
    (tmp_path / "mittens_dataset_v5.csv").write_text(head + rows, "utf-8")
    answers = {"Es médica. Vive aquí.": "She is a doctor. He lives here.", "Es médico.": "He is a doctor."}
    run = audit(f"mittens:{tmp_path}", system=lambda texts: [answers[text] for text in texts], target="en")
    assert run.verdicts["gender"].to_list() == ["unknown", "male"]
    values = {row["measure"]: row["value"] for row in run.estimates.iter_rows(named=True) if row["group"] == "all"}
    assert (values["accuracy"], values["worst_accuracy"]) == (0.5, 0.0)
    with pytest.raises(Unknown, match="target language of suite mittens"):
        audit(f"mittens:{tmp_path}", system=lambda texts: texts, target="fr")
