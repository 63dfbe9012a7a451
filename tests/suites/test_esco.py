"""The occupations of ESCO as suites: titles that fit their frame, ISCO-08 groups that references reach."""

from __future__ import annotations

import re

import pytest

from evenhand import load_suite
from evenhand.references.reference import coverage, load_reference
from evenhand.suites.pronouns.lexicon import LEXICON
from evenhand.tsv import rows

LANGUAGES = {"hu": "hungarian", "fi": "finnish", "et": "estonian"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_statistic_by_isco_group_reaches_every_occupation(language: str) -> None:
    probes = load_suite(f"occupations-esco-{LANGUAGES[language]}").probes
    known, asked = coverage(probes, load_reference("hungary-2024"))
    assert known == asked == probes["concept"].n_unique() > 1_700
    assert set(probes["isco08"].str.len_chars()) == {4}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_title_names_a_gender_or_two_occupations(language: str) -> None:
    gendered = next(row["gendered"] for row in rows(LEXICON / "spelling.tsv") if row["language"] == language)
    for source in load_suite(f"occupations-esco-{LANGUAGES[language]}").probes["source"]:
        assert not re.search(gendered, source.removesuffix(".").lower())
        assert not re.search(r"[/(),;]", source)


def test_every_hungarian_title_is_asked_with_and_without_the_article() -> None:
    probes = load_suite("occupations-esco-hungarian").probes
    assert {"Ő háziorvos.", "Ő egy háziorvos.", "Ő akusztikus mérnök."} <= set(probes["source"])
    assert set(probes.group_by("concept").len()["len"]) == {2}
    assert probes["template"].n_unique() == 2
