"""Cho et al. 2019: the paper's Table 1 is the oracle."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evenhand.errors import BadInput, Unknown
from evenhand.replicate import cho2019


@pytest.fixture(scope="module")
def tgbi(shared_data: Path) -> Path:
    return shared_data / "tgbi"


@pytest.mark.parametrize(
    ("system", "set_name", "expected"),
    [
        ("google", "occupation", (203, 2735, 2)),
        ("google", "formal", (0, 2111, 7)),
        ("papago", "informal", (406, 1712, 0)),
        ("papago", "negative", (28, 771, 1)),
    ],
)
def test_counts_are_those_the_published_table_rests_on(
    tgbi: Path, system: str, set_name: str, expected: tuple[int, int, int]
) -> None:
    genders = cho2019.judged(tgbi, system, set_name)["gender"].to_list()
    assert tuple(genders.count(g) for g in ("female", "male", "neutral")) == expected


def test_every_cell_agrees_but_the_misprinted_google_average(tgbi: Path) -> None:
    rows = [r for r in cho2019.replicate(tgbi) if r.table == "Table 1"]
    assert len(rows) == 44
    different = [(r.system, r.row, r.column) for r in rows if r.agrees is False]
    assert different == [("google", "average", "P_S")]


def test_the_tgbi_values_are_the_recomputed_ones(tgbi: Path) -> None:
    averages = {r.system: r.computed for r in cho2019.replicate(tgbi) if r.row == "average"}
    assert averages["google"] == pytest.approx(0.29973, abs=5e-6)
    assert averages["papago"] == pytest.approx(0.24999, abs=6e-6)


def test_the_occupations_rendered_female_are_listed_with_what_they_share(tgbi: Path) -> None:
    rows = cho2019.replicate(tgbi, system="google")
    listed = {r.row: r for r in rows if r.table == cho2019.FEMALE}
    assert sum(r.computed for r in listed.values()) == 203
    assert len(listed) == 137
    assert "hairdresser" in listed["미용사"].note
    shared = {r.row: r for r in rows if r.table == cho2019.COMMON}
    assert shared["teacher"].computed == pytest.approx(19 / 60 - 203 / 2940)
    assert shared["researcher"].computed < 0  # 4 of 113: rarer than the system's own base rate


def test_the_papago_files_are_reported_as_contradicting_each_other(tgbi: Path) -> None:
    assert cho2019.contradictions(tgbi, "papago") == (1963, 8472)
    assert cho2019.contradictions(tgbi, "google")[0] == 0
    assert any("1,963 of 8,472" in remark for remark in cho2019.remarks(tgbi))


def test_another_system_in_the_same_layout_needs_no_code(tgbi: Path, tmp_path: Path) -> None:
    (tmp_path / "translations").mkdir()
    for file in (tgbi / "translations").glob("total_google_*.txt"):
        shutil.copy(file, tmp_path / "translations" / file.name.replace("google", "my_own"))
    rows = cho2019.replicate(tmp_path)  # without the lexicon there are no occupations to name
    assert {r.system for r in rows} == {"my_own"}
    assert all(r.published is None and r.agrees is None for r in rows)


def test_an_unknown_system_is_named_with_the_known_ones(tgbi: Path) -> None:
    with pytest.raises(Unknown, match="google"):
        cho2019.replicate(tgbi, system="gogle")


def test_a_folder_without_translations_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="translations"):
        cho2019.replicate(tmp_path)
