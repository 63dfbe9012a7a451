"""GATE's score: hand-worked on our sentences, and at least the floor we promise on the published ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.replicate import gate2023

HEADER = "labels\tsource\tf\tm\tkw_s\tkw_f\tkw_m\tdata_split\n"
ROWS = (
    "SUBJ\tThe doctor sings.\tLa doctora canta.\tEl doctor canta.\tdoctor\t\t\tdev\n"
    "SUBJ;PLUR\tThe nurses sing.\tLas enfermeras cantan.\tUnos enfermeros cantan.\tnurses\t\t\tdev\n"
    "DROP\tThey are tired.\tEstán cansadas.\tEstán cansados.\tthey\t\t\tdev\n"
)


def test_precision_counts_what_was_given_and_recall_all_that_was_asked(tmp_path: Path) -> None:
    """Two of three sentences are answered in both directions, the first rightly: P 2/4, R 2/6, F0.5 5/11."""
    (tmp_path / "ES_2_variants.tsv").write_text(HEADER + ROWS, encoding="utf-8")
    rows = {(row.row, row.column): row.computed for row in gate2023.replicate(tmp_path)}
    assert rows["all", "precision"] == pytest.approx(1 / 2)
    assert rows["all", "recall"] == pytest.approx(1 / 3)
    assert rows["all", "F0.5"] == pytest.approx(5 / 11)
    assert rows["PLUR", "precision"] == 0
    assert rows["DROP", "recall"] == 0


@pytest.mark.parametrize(("language", "least", "precision"), [("es", 0.86, 0.89), ("it", 0.79, 0.82)])
def test_published_sentences_are_rewritten_as_people_did(
    shared_data: Path, language: str, least: float, precision: float
) -> None:
    rows = {(row.row, row.column): row.computed for row in gate2023.replicate(shared_data / "gate", system=language)}
    assert rows["all", "F0.5"] >= least
    assert rows["all", "precision"] >= precision
