"""A sixth outcome of a verdict is one row of the gender table: it can be labelled, counted, compared and drawn."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SIXTH = """
import sys, types
from pathlib import Path
import evenhand

home = Path(evenhand.__file__).with_name("gender.py")
source = home.read_text("utf-8")
source = source.replace('    UNKNOWN = "unknown"', '    NONBINARY = "nonbinary"\\n    UNKNOWN = "unknown"')
source = source.replace(
    "    Gender.UNKNOWN: Look(",
    '    Gender.NONBINARY: Look("X", "y", "#56B4E9", "black", "stroke", "#dff0fb", "#123b52", "solid", '
    '"border-style: groove", "a non-binary person", "Rendered as non-binary"),\\n    Gender.UNKNOWN: Look(',
)
module = types.ModuleType("evenhand.gender")
module.__file__ = str(home)
sys.modules["evenhand.gender"] = module  # as if the file were so, before any other module reads it
exec(compile(source, home, "exec"), module.__dict__)
"""
USED = """
from evenhand.review.labels import LabelKey, add_labels, apply_labels

def system(texts):
    return ["She is one." if number % 3 else "He is one." for number, _ in enumerate(texts)]

run = evenhand.audit("mine.tsv", system, target="en", output="run", settings=evenhand.Settings(resamples=100))
for number in range(4):
    add_labels(Path("run"), [(LabelKey(f"p{number}", "en"), "y")], labeller="ada")
labelled = apply_labels(Path("run"))
shares = labelled.estimates.filter(measure="share_nonbinary", level="")
assert shares["value"].to_list() == [4 / 12], shares
assert evenhand.load_run(sys.argv[1]).verdicts.height == 40  # a run that knew five outcomes
old = evenhand.score(sys.argv[1])
assert old.estimates.filter(measure="P_S", level="")["value"].is_not_nan().all()
compared = evenhand.compare([labelled, run])
assert compared.differences.filter(measure="share_nonbinary")["value"].to_list() == [4 / 12]
assert "non-binary" in evenhand.report(labelled, "page.html").read_text("utf-8")
print("used")
"""
FIXTURE = Path(__file__).parent / "fixtures" / "run-0.1.0"


def test_a_sixth_outcome_is_one_row_of_one_table(tmp_path: Path) -> None:
    pytest.importorskip("altair")
    probes = "".join(f"p{n}\tŐ {n}.\thu\n" for n in range(12))
    (tmp_path / "mine.tsv").write_text("id\tsource\tsource_lang\n" + probes, encoding="utf-8")
    environment = {**os.environ, "EVENHAND_MEMORY": str(tmp_path / "m.sqlite"), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", SIXTH + USED, str(FIXTURE)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("used")
