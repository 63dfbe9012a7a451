"""Our own first- and second-person sentences."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from evenhand.errors import BadInput
from evenhand.languages import with_table
from evenhand.suites.registry import load_suite
from evenhand.workflows.audit import audit

GENDERED = r"(?i)\b(?:he|she|him|her|his|hers|man|woman|men|women|boy|girl|mother|father)\b"


@pytest.mark.parametrize(("name", "word"), [("speaker", "I"), ("listener", "you")])
def test_there_are_six_hundred_sentences_and_each_marks_its_person(name: str, word: str) -> None:
    probes = load_suite(name).probes
    assert probes.height >= 600
    assert probes["source"].n_unique() == probes.height
    assert set(probes["focus"].str.to_lowercase()) == {word.lower()}
    assert not probes["source"].str.contains(r"[{}]").any()
    for article, vowel in (("a", "[aeiou]"), ("an", "[^aeiou]")):
        assert not probes["source"].str.contains(rf"\b{article} {vowel}").any()


def test_no_sentence_says_the_gender_of_its_person() -> None:
    said = load_suite("speaker").probes.filter(pl.col("source").str.contains(GENDERED))
    assert set(said["text"]) == {"saved the drowning man", "hugged the lost girl"}  # other persons


def test_stereotypes_about_women_and_men_are_as_many_and_states_have_none() -> None:
    probes = load_suite("speaker").probes
    counts = dict(probes.group_by("about").len().iter_rows())
    assert counts["women"] == counts["men"]
    assert set(probes.filter(pl.col("about").is_null())["sentence"]) == {"state"}


def test_a_system_that_makes_every_speaker_a_man_has_a_male_rate_of_one() -> None:
    run = audit(
        load_suite("speaker").only(["sentence=state"]), system=lambda texts: ["Я устал." for _ in texts], target="ru"
    )
    rates = run.estimates.filter((pl.col("measure") == "male_rate") & (pl.col("group") == "all"))
    assert rates["value"].to_list() == [1.0]


def test_eurogest_asks_each_language_its_own_sentences(tmp_path: Path) -> None:
    head = "id\tsource\tmasculine\tfeminine\tstereotype\n"
    (tmp_path / "pairs.es.tsv").write_text(head + "3\tI was tired.\tEstaba cansado\tEstaba cansada\t4\n")
    (tmp_path / "pairs.lt.tsv").write_text(head + "5\tI am brave.\tEsu drąsus\tEsu drąsi\t9\n")
    suite = load_suite(f"eurogest:{tmp_path}")
    assert suite.targets == ("es",)
    assert dict(suite.probes.select("language", "about").iter_rows()) == {"es": "women", "lt": "men"}
    run = audit(suite, system=lambda texts: ["Estaba cansada." for _ in texts], target="es")
    assert run.verdicts["gender"].to_list() == ["female"]


def test_eurogest_names_the_file_it_wants(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"pairs\.es\.tsv"):
        load_suite(f"eurogest:{tmp_path}")


def test_every_language_with_a_table_of_the_speaker_is_a_target() -> None:
    assert load_suite("speaker").targets == with_table("participants.tsv")
