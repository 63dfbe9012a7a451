"""Files made to take for ever: the work grows with the file, not with its square or cube."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evenhand.suites.published.winograd import winobias_probes

READ = """
import sys
from pathlib import Path
from evenhand.errors import BadInput
from evenhand.suites.registry import load_suite
from evenhand.systems import open_system
spec = sys.argv[1]
try:
    open_system(spec) if spec.startswith("file:") else load_suite(spec).probes
except BadInput as error:
    print(len(str(error)), str(error)[:300])
"""


def told(spec: str) -> str:
    """What a process of its own says of a file; it has a minute, and needs a second or two."""
    return subprocess.run(
        [sys.executable, "-c", READ, spec], capture_output=True, text=True, check=True, timeout=60
    ).stdout


@pytest.mark.parametrize("line", ["1 [{}", "1 [{}x{}", "1 [the {}]", "1 {}[", "1 [{}] [{}]"])
def test_brackets_around_many_blanks_are_read_in_one_pass(line: str, tmp_path: Path) -> None:
    path = tmp_path / "pro_stereotyped_type1.txt.dev"
    path.write_text(line.replace("{}", " " * 50_000) + "\n")
    assert "bracket" in told(f"winobias:{path}")


def test_a_bracketed_line_is_still_read_as_published(tmp_path: Path) -> None:
    """Hand-worked: brackets are no part of the sentence, the determiner is none of the focus."""
    path = tmp_path / "pro_stereotyped_type1.txt.dev"
    path.write_text("1 [The gardener] sang to the violinist while [he] was pruning the roses.\n")
    [row] = winobias_probes(path).iter_rows(named=True)
    assert row["source"] == "The gardener sang to the violinist while he was pruning the roses."
    assert (row["focus"], row["focus_start"], row["focus_end"], row["gold"]) == ("gardener", 4, 12, "male")


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl"])
def test_a_table_of_a_hundred_thousand_columns_is_refused_in_a_sentence(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"wide{ending}"
    names = ["id", "rendering", *(f"c{n}" for n in range(100_000))]
    if ending == ".jsonl":
        path.write_text("{" + ", ".join(f'"{name}": "x"' for name in names) + "}\n")
    else:
        mark = {".tsv": "\t", ".csv": ","}[ending]
        path.write_text("".join(mark.join(row) + "\n" for row in (names, ["x"] * len(names))))
    said = told(f"file:{path}")
    assert "columns" in said
    assert int(said.split()[0]) < 500
