"""Troles & Schmid 2021: printed numbers and the recomputed ones of the study's own data are the oracle."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evenhand.errors import BadInput
from evenhand.replicate import troles2021
from evenhand.replicate.cell import TableCell


@pytest.fixture(scope="module")
def wibemt(shared_data: Path) -> Path:
    return shared_data / "wibemt"


@pytest.fixture(scope="module")
def rows(wibemt: Path) -> list[TableCell]:
    return troles2021.replicate(wibemt)


def value(rows: list[TableCell], table: str, system: str, row: str, column: str) -> float:
    (found,) = [r.computed for r in rows if (r.table, r.system, r.row, r.column) == (table, system, row, column)]
    return found


@pytest.mark.parametrize(
    ("system", "chi2", "feminine", "masculine"),
    [("DeepL_Translator", 33.66, 11.94, 6.62), ("Microsoft_Translator", 8.36, 7.49, 5.21)],
)
def test_verb_tables_and_chi_square_are_the_study_s(
    rows: list[TableCell], system: str, chi2: float, feminine: float, masculine: float
) -> None:
    table = "verb sentences"
    assert value(rows, table, system, "feminine - masculine verbs", "chi2") == pytest.approx(chi2, abs=0.005)
    assert value(rows, table, system, "feminine verbs", "%TFG") == pytest.approx(feminine, abs=0.005)
    assert value(rows, table, system, "masculine verbs", "%TFG") == pytest.approx(masculine, abs=0.005)


@pytest.mark.parametrize(
    ("system", "shares", "chi2"),
    [
        ("DeepL_Translator", (25.15, 0.95, 2.00), (351.6, 306.5)),
        ("Microsoft_Translator", (18.96, 0.38, 0.0), (258.4, 281.8)),
    ],
)
def test_occupation_classes_are_the_study_s(
    rows: list[TableCell], system: str, shares: tuple[float, ...], chi2: tuple[float, ...]
) -> None:
    table = "occupation classes"
    classes = ("feminine", "neutral", "masculine")
    found = [value(rows, table, system, f"{c} occupations", "%TFG") for c in classes]
    assert found == pytest.approx(shares, abs=0.006)
    tests = [value(rows, table, system, f"feminine - {c} occupations", "chi2") for c in classes[1:]]
    assert tests == pytest.approx(chi2, abs=0.06)


def test_only_the_paper_s_own_slips_differ(rows: list[TableCell]) -> None:
    different = [(r.system, r.row, r.column) for r in rows if r.agrees is False]
    assert different == [
        ("DeepL", "masculine - no adjective", "chi2"),  # printed 9.1 for 9.0
        ("all systems", "feminine - no adjective", "smallest gain of %TCG, female pronoun"),  # printed 12 for 11.4
    ]


@pytest.mark.parametrize(
    ("key", "printed"),
    [
        (("verb sentences", "DeepL_Translator", "all verbs", "%TFG"), 9.3),
        (("verb sentences", "Microsoft_Translator", "feminine - masculine verbs", "p"), 0.004),
        (("occupation classes", "DeepL_Translator", "feminine - neutral occupations", "chi2"), 352),
        (("Table 3", "DeepL", "masculine - no adjective", "p x 3"), 0.008),
        (("Table 3", "DeepL", "no adjective", "female"), 1259),
        (("Table 3", "Microsoft", "no adjective", "female"), 1041),
        (("Table 3", "Google", "no adjective", "female"), 976),
        (("Figure 1", "word scores", "gender score and % women", "Pearson"), -0.809),
    ],
)
def test_numbers_of_the_text_agree(rows: list[TableCell], key: tuple[str, str, str, str], printed: float) -> None:
    (cell,) = [r for r in rows if (r.table, r.system, r.row, r.column) == key]
    assert cell.published == printed
    assert cell.agrees


def test_the_rank_correlation_of_figure_1_is_the_one_of_the_notes(rows: list[TableCell]) -> None:
    found = value(rows, "Figure 1", "word scores", "gender score and % women", "Spearman")
    assert found == pytest.approx(-0.832, abs=5e-4)


def test_correct_gender_by_pronoun_follows_from_table_3(rows: list[TableCell]) -> None:
    for system, row, female, male in (
        ("DeepL", "feminine adjective", 89.6, 88.8),
        ("Microsoft", "masculine adjective", 72.5, 92.5),
        ("Google", "no adjective", 55.5, 88.9),
    ):
        assert value(rows, "Table 3", system, row, "%TCG female pronoun") == pytest.approx(female, abs=0.05)
        assert value(rows, "Table 3", system, row, "%TCG male pronoun") == pytest.approx(male, abs=0.05)


def test_our_detector_s_rows_stand_apart_and_claim_no_agreement(rows: list[TableCell]) -> None:
    ours = [r for r in rows if r.table.endswith("(our detector)")]
    assert ours
    assert all(r.published is None and r.agrees is None for r in ours)


def test_a_third_system_needs_no_code(wibemt: Path, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    source = wibemt / "results" / "VerbSentences_DeepL_Translator_GenderCategorized.txt"
    shutil.copy(source, tmp_path / "results" / "VerbSentences_Some_Other_Thing_GenderCategorized.txt")
    assert {r.system for r in troles2021.replicate(tmp_path)} == {"Some_Other_Thing"}


def test_a_broken_results_row_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    file = tmp_path / "results" / "VerbSentences_X_GenderCategorized.txt"
    file.write_text("VF01OccF01\tThe nurse bakes.\tbake\tnurse\tDie Pflegerin backt.\tfemale\nbroken\n")
    with pytest.raises(BadInput, match="line 2"):
        troles2021.replicate(tmp_path)
