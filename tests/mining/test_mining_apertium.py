"""A real mining run: Apertium English-Spanish, start to report, through the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.mining.own_text import PERSONS, own_sentences
from typer.testing import CliRunner

from evenhand.cli.mine import mine as app

pytestmark = pytest.mark.apertium


def test_text_is_mined_with_apertium(tiny_lm: Path, tmp_path: Path) -> None:
    if shutil.which("apertium") is None:
        pytest.skip("apertium is not installed")
    text = tmp_path / "text.txt"
    text.write_text("\n".join(own_sentences(1_500)) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    asked = [str(text), "-s", "apertium", "-t", "es", "-o", str(out), "--lm", str(tiny_lm), "--workers", "1", "--json"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    funnel = {(row["step"], row["what"]): row["count"] for row in told["tables"]["funnel"]}
    assert funnel["person", "kept"] == sum(f" {noun} " in line for line in own_sentences(1_500) for noun in PERSONS)
    assert funnel["es", "at risk"] > 0
    page = (out / "report.html").read_text("utf-8")
    assert f"{funnel['es', 'at risk']:,} are at risk into Spanish" in page
    note = next(note for note in told["notes"] if note.startswith("engine local"))
    assert "to read the text" in note
    assert all(f" {step} " in note for step in ("person", "perturb", "translate", "judge"))
    measures = {(row["measure"], row["group"]) for row in told["estimates"]}
    assert {("share_masculine", "es, at risk"), ("log_ratio", "es, not at risk")} <= measures
