"""The forms tables: what every language promises, whoever wrote it."""

from __future__ import annotations

from pathlib import Path

import pytest

import evenhand
from evenhand import languages
from evenhand.grammar import codes, language
from evenhand.grammar.lexicon import Column, Forms
from evenhand.tsv import rows

FIRST_WAVE = ("german", "spanish", "french", "italian", "russian", "ukrainian")
GRAMMAR = Path(evenhand.__file__).parent / "grammar"
TABLES = sorted(GRAMMAR.glob("*/occupations.tsv"))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_every_row_names_a_concept_once_and_renders_it(path: Path) -> None:
    seen: set[str] = set()
    for row in rows(path):
        assert list(row) == ["concept", "female", "male", "neutral", "other"]
        assert row["concept"] == row["concept"].lower().strip()
        assert row["concept"] not in seen
        seen.add(row["concept"])
        assert row["female"] or row["male"] or row["neutral"]
        for cell in row.values():
            forms = cell.split("|")
            assert cell == "" or all(form == form.strip() != "" for form in forms)
            assert len(forms) == len(set(forms))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_every_table_says_where_it_comes_from(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# source: ")


def test_all_tables_know_the_same_concepts() -> None:
    judged = {languages.known()[code].nouns for code in codes()}
    known = {path.parent.name: {row["concept"] for row in rows(path)} for path in TABLES if path.parent.name in judged}
    assert set(known) == judged
    assert all(concepts == known["german"] for concepts in known.values())


def test_the_person_nouns_of_winomt_and_the_occupations_of_wibemt_are_known(shared_data: Path) -> None:
    nouns = {
        line.split("\t")[3].lower() for line in (shared_data / "winomt/aggregates/en.txt").read_text().splitlines()
    }
    lines = (shared_data / "wibemt/verb_sentences.txt").read_text().splitlines()
    occupations = {line.split("\t")[3].lower() for line in lines}
    known = set(Forms(language("de")).concepts)
    assert nouns - known == set()
    assert occupations - known == set()


@pytest.mark.parametrize("name", FIRST_WAVE)
def test_every_occupation_of_wibemt_has_a_female_and_a_male_form_in_the_first_wave(
    name: str, shared_data: Path
) -> None:
    lines = (shared_data / "wibemt/verb_sentences.txt").read_text().splitlines()
    table = {row["concept"]: row for row in rows(GRAMMAR / name / "occupations.tsv")}
    for occupation in sorted({line.split("\t")[3].lower() for line in lines}):
        assert table[occupation]["female"], occupation
        assert table[occupation]["male"], occupation


@pytest.mark.parametrize("code", sorted(codes()))
def test_the_first_word_of_every_form_is_found_again_in_a_rendering(code: str) -> None:
    spoken = language(code)
    forms = Forms(spoken)
    for row in rows(GRAMMAR / spoken.name / "occupations.tsv"):
        for form in row["female"].split("|") + row["male"].split("|"):
            if not form:
                continue
            matches = forms.find(forms.concepts[row["concept"]], spoken.tokens(form))
            assert any(match.columns & (Column.FEMALE | Column.MALE) for match in matches), (row["concept"], form)
