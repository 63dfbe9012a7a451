"""A sheet with a handful of labels is calibrated like a full one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.command_line import evenhand


@pytest.mark.parametrize(("drawn", "seed"), [(1, 0), (5, 1), (7, 1)])
def test_error_rates_are_shown_however_few_labels_there_are(
    mixed_run: Path, tmp_path: Path, drawn: int, seed: int
) -> None:
    sheet = tmp_path / "sheet.tsv"
    drawing = ("review", mixed_run, "--sample", drawn, "--seed", seed, "-o", sheet)
    assert evenhand(*drawing, folder=tmp_path).returncode == 0
    head, *rows = sheet.read_text(encoding="utf-8").splitlines()
    label, verdict = head.split("\t").index("label"), head.split("\t").index("gender")
    cells = [row.split("\t") for row in rows]
    for row in cells:
        row[label] = row[verdict]
    sheet.write_text("\n".join([head, *("\t".join(row) for row in cells)]) + "\n", encoding="utf-8")
    done = evenhand("calibrate", sheet, "-o", tmp_path / "rates.json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"written to {tmp_path / 'rates.json'}" in done.stdout
