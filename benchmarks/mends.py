"""Red before, green after: every mend of docs/threats.md is taken out of a copy of the tree, and its test must fail.

    python benchmarks/mends.py [--only 3 12 ...]      (make mends; about five minutes)

mends.tsv says which line is the mend, what stood there without it, and which test keeps it. Each test is run first as
the code is (green), then without the mend (red: it fails, or is not done after LONGEST seconds). Ends with 1 when one
is not green, not red, or the line of the mend is no longer there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from evenhand.tsv import rows

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 90  # seconds after which a test without its mend counts as failed: some mends are about time
COPIED = ("src", "tests", "pyproject.toml", "pocket")


def passes(tree: Path, test: str) -> bool:
    """Whether the test is green in a tree."""
    paths = os.pathsep.join(str(tree / part) for part in (".", "src", "pocket/src"))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test]
    try:
        done = subprocess.run(
            command,
            cwd=tree,
            env={**os.environ, "PYTHONPATH": paths},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="FINDING")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "tree"
        tree.mkdir()
        for part in COPIED:
            place = ROOT / part
            copy = shutil.copytree if place.is_dir() else shutil.copy
            copy(place, tree / part)
        for row in rows(Path(__file__).with_name("mends.tsv")):
            if options.only and row["finding"] not in options.only:
                continue
            path = tree / row["file"]
            whole = path.read_text(encoding="utf-8")
            if row["mend"] not in whole:
                told = f"{row['file']} has no longer the line of the mend"
            else:
                before = passes(tree, row["test"])
                path.write_text(whole.replace(row["mend"], row["without"], 1), encoding="utf-8")
                after = passes(tree, row["test"])
                path.write_text(whole, encoding="utf-8")
                told = "" if before and not after else f"with the mend {before}, without {after}"
            wrong += bool(told)
            print(f"{row['finding']:>3} {'NOT SHOWN: ' + told if told else 'green, red':12} {row['test']}", flush=True)
    print(f"{wrong} not shown")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
