"""GEST's published male rates, recomputed from the authors' translations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.errors import BadInput
from evenhand.replicate import pikuliak2024


@pytest.mark.parametrize("system", ["amazon_translate", "deepl", "google_translate", "nllb_3b"])
def test_male_rates_are_those_of_the_study(shared_data: Path, system: str) -> None:
    rows = [row for row in pikuliak2024.replicate(shared_data / "gest", system=system) if row.row in {"cs", "pl", "ru"}]
    rates = [(row.computed, row.published) for row in rows if row.published is not None]
    assert len(rates) == 3 * 16
    computed, published = np.array(rates).T
    assert np.abs(computed - published).mean() <= 0.03
    assert np.abs(computed - published).max() <= 0.10
    assert np.corrcoef(computed, published)[0, 1] >= 0.98


def test_f_m_and_f_s_are_means_over_the_stereotypes(shared_data: Path) -> None:
    """As the study defines them: each stereotype counts once, whatever its number of sentences."""
    rows = {(row.row, row.column): row.computed for row in pikuliak2024.replicate(shared_data / "gest", system="deepl")}
    rates = [rows["cs", f"p_{number}"] for number in range(1, 17)]
    women, men = np.mean(rates[:7]), np.mean(rates[7:])
    assert rows["cs", "f_m"] == pytest.approx((women + men) / 2)
    assert rows["cs", "f_s"] == pytest.approx(men - women)


def test_a_language_we_do_not_ship_is_compared_with_the_rates_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "gest.csv").write_text("sentence,stereotype\nI was tired.,1\nI won.,8\n", "utf-8")
    folder = tmp_path / "translations" / "mine"
    folder.mkdir(parents=True)
    (folder / "uk.csv").write_text("from,to\nI was tired.,Я втомилася.\nI won.,Я переміг.\n", "utf-8")
    head = "system\tlanguage\tstereotype\tlow\tp_i\thigh\n"
    (tmp_path / "published_p_i.tsv").write_text(head + "mine\tuk\t1\t0\t0.0\t0.5\nmine\tuk\t8\t0.5\t1.0\t1\n", "utf-8")
    rows = {row.column: row for row in pikuliak2024.replicate(tmp_path)}
    assert (rows["p_1"].agrees, rows["p_8"].agrees) == (True, True)
    assert rows["f_s"].computed == 1.0


def test_a_folder_without_translations_is_an_error_that_names_the_layout(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no translations/SYSTEM/LANGUAGE\.csv"):
        pikuliak2024.replicate(tmp_path)


def test_a_comparison_is_no_predicate(tmp_path: Path) -> None:
    """Their rule reads first-person predicates: in "jako dospělá" only an adult woman is compared with."""
    (tmp_path / "gest.csv").write_text("sentence,stereotype\nI laugh like an adult.,1\nI was tired.,8\n", "utf-8")
    folder = tmp_path / "translations" / "mine"
    folder.mkdir(parents=True)
    told = "from,to\nI laugh like an adult.,Směju se jako dospělá.\nI was tired.,Byla jsem unavená.\n"
    (folder / "cs.csv").write_text(told, "utf-8")
    rows = {row.column: row.computed for row in pikuliak2024.replicate(tmp_path)}
    assert "p_1" not in rows or np.isnan(rows["p_1"])
    assert rows["p_8"] == 0.0
