"""Every speed benchmark in one run, and its tables in docs/benchmarks.md (`make bench`).

    python benchmarks/bench.py [--data ../shared/data] [--only detect align ...] [--page docs/benchmarks.md]

Each benchmark is a process of its own, one after the other; the sizes below keep the whole within ten minutes on two
idle cores. A benchmark alone (python benchmarks/NAME.py --help) takes other sizes. Not among them: scale.py (`make
scale`), soak.py (`make soak`), and those that measure errors (labelled.py, treebanks.py, garbage.py, validity.py).
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.ratios import figure_rows, put, ratio_rows

from evenhand._version import __version__

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
READS_DATA = ("detect", "align", "check_file")  # these take --data
SIZES: dict[str, tuple[str, ...]] = {
    "detect": (),
    "align": (),
    "embeddings": ("--permutations", "1000"),  # WEFE takes 20 ms each
    "bench_mining": ("--lines", "3000"),
    "dispatch": ("--rest-texts", "20000"),
    "audit": (),
    "check_file": ("--strings", "20000"),
    "measures": (),
    "wibemt": (),
    "bench_serve": (),
}
RATIOS = [
    "| what | ours | beside | theirs | times as fast, by the clock | by processor |",
    "|---|--:|---|--:|--:|--:|",
]
FIGURES = ["| what | measured | wanted |", "|---|--:|--:|"]


def ran(name: str, further: tuple[str, ...]) -> tuple[str, int]:
    """A benchmark's output, which is also shown, and its exit code."""
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), *further]
    print(f"== {name} {' '.join(further)}", flush=True)
    began = time.monotonic()
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, text=True, check=False
    )
    print(done.stdout, f"-- {time.monotonic() - began:.0f} s, exit code {done.returncode}", sep="", flush=True)
    return done.stdout, done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", nargs="+", choices=list(SIZES), default=list(SIZES), metavar="NAME")
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args()
    began, load = time.monotonic(), os.getloadavg()[0]
    ratios, figures, failed = list[str](), list[str](), list[str]()
    for name in options.only:
        data = ("--data", str(options.data.resolve())) if name in READS_DATA else ()
        output, code = ran(name, (*data, *SIZES[name]))
        ratios += ratio_rows(output)
        figures += figure_rows(output)
        failed += [f"`{name}` ended with {code}"] if code else []
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    about = (
        f"Evenhand {__version__}, {day}, Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}"
    )
    ended = [f"Not finished or a mark missed: {', '.join(failed)}.", ""] if failed else []
    put(options.page, "bench", [f"{about} at the start.", "", *RATIOS, *ratios, "", *ended, *FIGURES, *figures])
    print(f"{time.monotonic() - began:.0f} s; tables in {options.page}; {', '.join(failed) or 'all done'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
