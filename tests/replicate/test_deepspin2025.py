"""DeepSPIN's tables: means over languages from the printed values, and own scores beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import Unknown
from evenhand.replicate import deepspin2025


def test_the_printed_means_follow_from_the_values_by_language(tmp_path: Path) -> None:
    rows = deepspin2025.replicate(tmp_path)
    different = {(row.table, row.system) for row in rows if row.agrees is False}
    assert sum(bool(row.agrees) for row in rows) == 54
    assert different == {("References", "GPT 4"), ("References", "Kiwi 23 XXL"), ("gt", "MetricX23 LARGE")}
    assert all(abs((row.published or 0) - row.computed) < 0.001 for row in rows if row.agrees is False)


def test_own_scores_are_put_beside_the_published_ones(tmp_path: Path) -> None:
    (tmp_path / "Kiwi 22.de.tsv").write_text(
        "pair\tgold\tfeminine\tmasculine\n1\tfemale\t0.9\t0.8\n1\tmale\t0.7\t0.9\n2\tfemale\t0.5\t0.6\n2\tmale\t0.9\t0.5\n"
    )
    rows = {row.column: row for row in deepspin2025.replicate(tmp_path, system="Kiwi 22") if row.row == "de"}
    assert rows["ratio_mean"].computed == pytest.approx((0.9 / 0.9 + 0.5 / 0.5) / 2)
    assert rows["ratio_mean"].published == 0.995
    assert rows["error_rate_ratio"].computed == pytest.approx(1.0)
    assert rows["error_rate_ratio"].published == 2.5
    with pytest.raises(Unknown, match="metric"):
        deepspin2025.replicate(tmp_path, system="nobody")
