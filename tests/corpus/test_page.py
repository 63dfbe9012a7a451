"""docs/corpus.md: its commands run as written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "corpus.md").read_text("utf-8")


def test_the_commands_of_the_page_run_as_written(tmp_path: Path) -> None:
    text = re.findall(r"^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[0]
    (tmp_path / "text.tsv").write_text(text, encoding="utf-8")
    commands = re.findall(r"^    evenhand (.*)$", PAGE, re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        if command.startswith("compare"):
            continue  # tests/corpus/test_amplification.py runs it on a system with a known factor
        if "labels.tsv" in command and command.startswith("calibrate"):
            labels = pl.read_csv(tmp_path / "labels.tsv", separator="\t", quote_char=None, comment_prefix="# ")
            filled = labels.with_columns(label=pl.col("verdict") if "verdict" in labels.columns else pl.col("gender"))
            filled.write_csv(tmp_path / "labels.tsv", separator="\t", quote_style="never")
        done = subprocess.run(
            [sys.executable, "-m", "evenhand", *command.split()],
            cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (command, done.stderr)
    words = pl.read_csv(tmp_path / "audited" / "words.tsv", separator="\t")
    nurse = words.row(by_predicate=pl.col("concept") == "nurse", named=True)
    assert (nurse["female"], nurse["male"], nurse["share"]) == (1, 1, 0.5)
    assert "corrected_share" in words.columns or (tmp_path / "weights.tsv").is_file()
    assert (tmp_path / "audited" / "report.html").is_file()
