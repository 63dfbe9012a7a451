"""Gonen & Webster 2020: the pairs that people verified are the oracle."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evenhand.errors import BadInput, Unknown
from evenhand.mining.verified import pair_blocks, read_blocks
from evenhand.replicate import gonen2020


@pytest.fixture(scope="module")
def natgenmt(shared_data: Path) -> Path:
    return shared_data / "natgenmt"


@pytest.mark.parametrize("language", ["de", "es"])
def test_the_focus_and_its_gender_are_recovered(natgenmt: Path, language: str) -> None:
    shares = {
        row.column: row.computed
        for row in gonen2020.replicate(natgenmt)
        if row.row == language and row.table == gonen2020.DETECTION
    }
    assert shares["focus_found"] >= 0.97
    assert shares["gender_right"] / shares["focus_found"] >= 0.97
    assert shares["pairs_at_risk"] >= 0.95


def test_irregular_blocks_are_read_as_they_are(natgenmt: Path) -> None:
    german = pair_blocks(read_blocks(natgenmt / "high_precision_career_de"))
    assert len(german.pairs) == 99
    assert [block.line for block in german.alone] == [1014, 1024]
    assert [half.line for pair in german.pairs for half in pair if half.gender is None] == [1467]
    spanish = pair_blocks(read_blocks(natgenmt / "high_precision_career_es"))
    directions = [(str(a.gender), str(b.gender)) for a, b in spanish.pairs]
    assert directions.count(("male", "female")) == 51
    assert directions.count(("female", "male")) == 49


def test_the_missing_label_is_told_by_the_other_half(natgenmt: Path) -> None:
    told = gonen2020.remarks(natgenmt)
    assert any("line 1467: no gender label; taken as female" in remark for remark in told)
    assert any("lines 1014, 1024" in remark for remark in told)


def test_words_are_counted_as_they_are_labelled(natgenmt: Path) -> None:
    rows = {(r.table, r.row, r.column): r.computed for r in gonen2020.replicate(natgenmt)}
    total = sum(
        v for (table, _, column), v in rows.items() if table.endswith(", es") and column in ("masculine", "feminine")
    )
    assert total == 200
    assert rows["Table 3, at risk, es", "nurse", "masculine"] == 0
    assert rows["Table 3, at risk, es", "nurse", "log_ratio"] < 0


def test_files_of_other_languages_in_the_layout_need_no_change(natgenmt: Path, tmp_path: Path) -> None:
    (tmp_path / "high_precision_career_fr").write_text(
        "Original sentences:\nask the manager .\ndemander au gestionnaire .\nFocus word source: manager\n"
        "Focus word target: gestionnaire\nGender: masc\n\n\n\nSubstitution sentences:\nask the nurse .\n"
        "demander à l' infirmière .\nFocus word source: nurse\nFocus word target: infirmière\nGender: fem\n",
        encoding="utf-8",
    )
    shutil.copy(natgenmt / "high_precision_career_es", tmp_path)
    rows = [r for r in gonen2020.replicate(tmp_path) if r.table == gonen2020.DETECTION]
    assert {r.row for r in rows} == {"es", "fr"}
    assert {r.column for r in rows} == {"focus_found", "gender_right", "pairs_at_risk"}
    assert next(r.computed for r in rows if (r.row, r.column) == ("fr", "focus_found")) == 1.0


def test_a_folder_without_the_files_and_an_unknown_system_are_errors(natgenmt: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="high_precision_career_LANG"):
        gonen2020.replicate(tmp_path)
    with pytest.raises(Unknown, match="google"):
        gonen2020.replicate(natgenmt, system="deepl")
