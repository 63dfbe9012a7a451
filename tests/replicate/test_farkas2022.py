"""Farkas & Nemeth 2022: worked examples of the paper, and Prates' real pronouns with BLS shares."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import BadInput
from evenhand.replicate import farkas2022
from evenhand.replicate.cell import TableCell


@pytest.fixture(scope="module")
def rows(shared_data: Path) -> list[TableCell]:
    return farkas2022.replicate(shared_data / "prates")


def test_every_printed_number_that_can_be_checked_agrees(rows: list[TableCell]) -> None:
    judged = [r for r in rows if r.agrees is not None]
    assert len(judged) == 26  # ten of them from the notes beside Prates' data
    assert all(r.agrees for r in judged)


def test_worked_examples_to_the_third_decimal(rows: list[TableCell]) -> None:
    found = {(r.row, r.column): r.computed for r in rows if r.table != farkas2022.PRATES}
    assert found["carpenter", "masculinity %"] == pytest.approx(98.35, abs=0.005)
    assert found["statistician", "B"] == pytest.approx(1.704, abs=5e-4)
    assert found["dancer", "B"] == 0
    assert found["choreographer", "B"] == pytest.approx(0.381, abs=5e-4)
    assert found["Dancers and Choreographers", "B"] == pytest.approx(0.190, abs=5e-4)
    assert found["occupation A, 60 % women, he", "B"] == pytest.approx(0.5)


def test_hungarian_pronouns_of_2018_against_us_shares(rows: list[TableCell]) -> None:
    found = {r.column: r.computed for r in rows if r.row == "Hungarian"}
    assert found["occupations"] == 552
    assert (found["female-dominated, he"], found["female-dominated, she"]) == (124, 106)
    assert (found["male-dominated, he"], found["male-dominated, she"]) == (237, 85)
    assert found["biased"] == 209
    assert found["median B of biased"] == pytest.approx(1.2573, abs=5e-5)
    assert found["min B of biased"] == pytest.approx(0.0121, abs=5e-5)
    assert found["max B"] == pytest.approx(140.857, abs=5e-4)
    assert found["undefined (E_o = 0)"] == 0


def test_sectors_are_weighted_by_the_people_of_the_dominating_gender(rows: list[TableCell], shared_data: Path) -> None:
    found = {(r.row, r.column): r.computed for r in rows if r.table == farkas2022.SECTORS}
    lines = (shared_data / "prates" / "job-genders.tsv").read_text(encoding="utf-8").splitlines()
    header = lines[0].split("\t")
    people = {}
    for line in next((shared_data / "prates").glob("bureau*.tsv")).read_text(encoding="utf-8").splitlines()[1:]:
        title, thousands, women, *_ = line.split("\t")
        if women.replace(".", "").isdigit():
            people[title] = (float(thousands.replace(",", "")), float(women) / 100)
    weighted, total = 0.0, 0.0
    for line in lines[1:]:
        row = dict(zip(header, line.split("\t"), strict=True))
        if row["Category"] != "Management occupations" or row["Hungarian"] not in ("Male", "Female"):
            continue
        employed, share = people.get(row["Occupation"], (0.0, 0.0))
        if share > 0.5:
            bias = (share - (1 - share)) / (1 - share) if row["Hungarian"] == "Male" else 0.0
            weighted, total = weighted + bias * employed * share, total + employed * share
    expected = weighted / total
    assert found["Hungarian: Management occupations", "B_female_dominated"] == pytest.approx(expected)


def test_every_language_of_the_file_is_scored(rows: list[TableCell]) -> None:
    languages = {r.row for r in rows if r.table == farkas2022.PRATES}
    assert all(r.input == "other data" for r in rows if r.table in (farkas2022.PRATES, farkas2022.SECTORS))
    assert {"Hungarian", "Turkish", "Finnish", "Estonian", "Basque", "Japanese", "Malay", "Chinese"} <= languages


def test_a_folder_without_prates_files_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"job-genders\.tsv"):
        farkas2022.replicate(tmp_path)
