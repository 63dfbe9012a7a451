"""The builders of this repository's own board: from stored outputs, and against published accuracies."""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_accuracies_are_held_against_published_ones_by_rank_and_mean(tmp_path: Path) -> None:
    # ours 80, 70, 60; theirs 79, 60, 65: one pair of neighbours swapped, so 1 - 6 * 2 / (3 * 8) = .5; mean 2
    lines = [f"winomt-en,de,{name} (x),accuracy,{value}" for name, value in (("a", 0.8), ("b", 0.7), ("c", 0.6))]
    (tmp_path / "overall.csv").write_text("\n".join(["suite,target_lang,system,measure,value", *lines]) + "\n")
    told = "# source\tmade up\nsystem\ttarget_lang\taccuracy\na\tde\t79\nb\tde\t60\nc\tde\t65\nd\tde\t50\n"
    (tmp_path / "published.tsv").write_text(told)
    command_line = [
        sys.executable,
        str(ROOT / "builders" / "agreement.py"),
        "overall.csv",
        "published.tsv",
        "--suffix",
        " (x)",
    ]
    done = subprocess.run(command_line, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "de: 3 systems, Spearman 0.500, mean difference +2.0\nde: on one side only: d\n"


@pytest.mark.slow
def test_the_builder_makes_what_it_can_says_what_is_missing_and_goes_on_where_it_was(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "winomt" / "aggregates").mkdir(parents=True)
    (data / "winost-2026").mkdir()
    nouns = ["doctor", "nurse", "baker", "teacher", "cook", "judge"]
    probes = [f"female\t1\tThe {noun} said that she was late.\t{noun}" for noun in nouns]
    (data / "winomt" / "aggregates" / "en.txt").write_text("\n".join(probes) + "\n")
    said = {"one": "Die Ärztin sagte, dass sie zu spät kam.", "two": "Der Arzt sagte, dass er zu spät kam."}
    lines = [f"{system}\t{n}\t{text}\t1\t1" for system, text in said.items() for n in range(1, len(nouns) + 1)]
    with lzma.open(data / "winost-2026" / "winost.en-de.tsv.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join(["system\tid\trendering\txcomet_qe\tmetricx_qe", *lines]) + "\n")
    build = [sys.executable, "builders/board.py", "--data", data, "--work", tmp_path / "work", "--workers", "1"]
    told = []
    for _ in range(2):
        done = subprocess.run(
            [str(part) for part in (*build, "--stored")],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"},
            capture_output=True,
            text=True,
            check=True,
        )
        told.append(done.stdout)
    assert "missing  WinoMT by 14 systems of 2025" in told[0]
    assert "missing  GEST" in told[0]
    assert "runs     2 in" in told[0]
    made = sorted((tmp_path / "work" / "runs").glob("*/manifest.json"))
    assert [path.parent.name for path in made] == ["winomt.one--speech-2026-.de", "winomt.two--speech-2026-.de"]
    assert (tmp_path / "work" / "site" / "index.html").is_file()
    assert "runs     2 in" in told[1]
    assert "0 made now" in told[1]
