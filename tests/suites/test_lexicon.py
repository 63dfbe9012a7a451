"""The lexicon of concepts and the occupation forms: what must hold for every row we ship."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from evenhand import tsv
from evenhand.suites.pronouns.lexicon import LEXICON, items, occupations

LANGUAGES = sorted(path.stem for path in (LEXICON / "forms").glob("*.tsv"))

#: How an English gloss names the person's gender.
ENGLISH_GENDERED = r"\b(?!human\b)\w*(man|woman|men|women|boy|girl|lady|mother|father)\b|\b\w{2,}(ress|ette)\b"

#: The least number of occupations issues 4 and 6 and the foundation ask for.
LEAST = {"ko": 735, "hu": 500, "eu": 150}


def without_joins(form: str) -> str:
    return re.sub(r"[\s\u200c-]", "", form).casefold()


def test_every_concept_and_every_gloss_is_there_once() -> None:
    table = occupations()
    assert table.height >= 820
    assert table["concept"].is_unique().all()
    assert not [gloss for gloss, n in Counter(map(without_joins, table["english"])).items() if n > 1]


def test_a_concept_is_the_slug_of_its_gloss() -> None:
    for concept, english in occupations().select("concept", "english").iter_rows():
        assert english == english.lower()
        assert concept == re.sub(r"[^a-z]+", "-", english)


def test_no_english_gloss_names_a_gender() -> None:
    assert not [gloss for gloss in occupations()["english"] if re.search(ENGLISH_GENDERED, gloss)]


def test_core_concepts_come_first() -> None:
    core = occupations()["core"].to_list()
    assert core == sorted(core, reverse=True)
    assert set(core) == {"0", "1"}
    assert core.count("1") >= 220


def test_every_isco_code_is_a_unit_group_of_the_crosswalk(shared_data: Path) -> None:
    with (shared_data / "occupations" / "soc10_isco08.csv").open(encoding="utf-8", newline="") as file:
        known = {row["isco08"].zfill(4) for row in csv.DictReader(file)}  # the file drops the zero of the armed forces
    assert not occupations().filter(~pl.col("isco08").is_in(list(known))).rows()


def test_occupations_spread_over_all_major_groups_of_isco() -> None:
    codes = occupations()["isco08"]
    assert all(re.fullmatch(r"\d{4}", code) for code in codes)
    assert {code[0] for code in codes} == set("0123456789")
    assert codes.n_unique() >= 300


def test_the_eighteen_sectors_are_all_used_and_no_other() -> None:
    sectors = tsv.frame(LEXICON / "sectors.tsv")
    assert sectors.height == 18
    assert set(occupations()["sector"]) == set(sectors["sector"])


def test_an_isco_group_lies_in_one_sector_unless_it_is_a_private_investigator() -> None:
    table = occupations().filter(pl.col("concept") != "private-investigator")  # ISCO files it with legal assistants
    split = table.group_by("isco08").agg(pl.col("sector").n_unique()).filter(pl.col("sector") > 1)
    assert not split.rows()


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_occupations(language: str) -> None:
    jobs = items(language).filter(pl.col("kind") == "occupation")
    assert jobs.height >= LEAST.get(language, 150)


@pytest.mark.parametrize("language", sorted(LEAST))
def test_nearly_every_core_concept_has_a_form(language: str) -> None:
    core = occupations().filter(pl.col("core") == "1")
    missing = core.join(items(language), on="concept", how="anti")["concept"].to_list()
    assert len(missing) <= 5, missing


def test_basque_has_enough_occupations_that_apertium_knows() -> None:
    table = tsv.frame(LEXICON / "forms" / "eu.tsv")
    assert table.filter(pl.col("apertium") == "1").height >= 120


@pytest.mark.parametrize("path", sorted(LEXICON.rglob("*.tsv")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_file_states_its_source_first(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# source")
