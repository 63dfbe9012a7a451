"""A real mining run: natural sentences, Apertium English-Spanish, start to report, through the command line."""

from __future__ import annotations

import json
import lzma
import shutil
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenhand.cli.mine import app

pytestmark = pytest.mark.apertium


def test_natural_text_is_mined_with_apertium(shared_data: Path, tiny_lm: Path, tmp_path: Path) -> None:
    if shutil.which("apertium") is None:
        pytest.skip("apertium is not installed")
    text = tmp_path / "text.txt"
    with lzma.open(shared_data / "mono" / "common-voice.en.txt.xz", "rt", encoding="utf-8") as stream:
        text.write_text("".join(islice(stream, 44_000, 45_500)), encoding="utf-8")
    out = tmp_path / "out"
    asked = [str(text), "-s", "apertium", "-t", "es", "-o", str(out), "--lm", str(tiny_lm), "--workers", "1", "--json"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    funnel = {(row["step"], row["what"]): row["count"] for row in told["funnel"]}
    assert 50 < funnel["person", "kept"] < 500  # the study kept one sentence in seven, of another kind of text
    assert funnel["es", "at risk"] > 0
    report = (out / "report.html").read_text("utf-8")
    assert f"{funnel['es', 'at risk']:,} pairs at risk" in report
    seconds = json.loads((out / "report.json").read_text("utf-8"))["seconds"]
    assert {"text", "person", "perturb", "translate", "judge"} <= seconds.keys()
    words = (out / "es" / "words.tsv").read_text("utf-8").splitlines()
    assert words[0].startswith("pairs\tword\tmasculine\tfeminine\tlog_ratio")
