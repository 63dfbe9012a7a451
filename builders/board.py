"""The board of this repository (`make board`): every stored output there is, pocket and Apertium live, one site.

    PYTHONPATH=. python builders/board.py --data ../shared/data --work board-out

Outputs are read in place and laid out as tables under --work, which is never committed; the numbers alone go to
docs/board.csv, board-runs.csv and board-numbers.md with `--ship`. A run that is there with the same input, detector and
version is kept, so a build that was stopped goes on. What an absent input leaves out is printed.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import os
import shutil
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

import typer
from builders.board_sources import SOURCES, Site, Wanted, live, suite_of

import evenhand
from evenhand.detect import open_detector
from evenhand.measures.definitions.direction import directed
from evenhand.report.pages.page import badness_of
from evenhand.report.words.vocabulary import show, span, wording
from evenhand.results.runs import read_manifest
from evenhand.systems.protocol import fingerprint_of

THREADS = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ROOT / "docs" / "board.csv"
RUNS = ROOT / "docs" / "board-runs.csv"
PAGE = ROOT / "docs" / "board-numbers.md"
MOST = 8  # systems of a table of the page
LEAD = ("accuracy", "P_S", "f_m")  # the measure of a suite on that page: the first that it has


@cache
def _detector(spec: str, target: str) -> str:
    suite = suite_of(spec)
    return open_detector(suite.kind, source=suite.source_lang, target=target).fingerprint


def make(wanted: Wanted) -> tuple[Wanted, str, bool]:
    """The run, made or kept; "" or why it could not be made; whether it was made now."""
    try:
        suite = suite_of(wanted.suite)
        held = read_manifest(wanted.folder)
        system = evenhand.open_system(wanted.system)
        now = (suite.hash, fingerprint_of(system, suite.source_lang, wanted.target), evenhand.__version__)
        there = held and (held.suite.hash, held.system_fingerprint, held.evenhand)
        if held is not None and there == now and held.detector == _detector(wanted.suite, wanted.target):
            return wanted, "", False
        evenhand.audit(
            suite,
            system,
            target=wanted.target,
            output=wanted.folder,
            memory=wanted.memory,
            settings=evenhand.Settings(name=wanted.name, replace=True),
        )
    except evenhand.EvenhandError as error:
        return wanted, str(error), False
    return wanted, "", True


def _line(row: dict[str, str], unit: str, *, alone: bool) -> str:
    """One system in a table of the page."""
    value, low, high = (float(row[name]) if row[name] else None for name in ("value", "low", "high"))
    rank = "–" if alone else row["rank"] or "not ranked"
    interval, valid = span(low, high, unit) or "–", f"{row['n_valid']} of {row['n']}"
    cells = (rank, row["system"], show(value, unit), interval, row["letters"] or "–", valid)
    return f"| {' | '.join(cells)} |".replace("\u00a0", " ").replace("_", "\\_")


def numbers_page(path: Path) -> str:
    """The leading measure of every suite and language as a page of the docs: ranks, values, intervals, letters."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    told = [
        "# The board's numbers",
        "",
        "This page ranks the systems of the board by suite and language pair, with intervals. All systems and",
        "measures are in [board.csv](board.csv), all signatures in [board-runs.csv](board-runs.csv). A rank is one",
        "more than the number of systems that the corrected paired test finds better on the same sentences.",
        "Systems that share a letter are tied: the test finds neither better. A system is not ranked if more than",
        "a tenth of its answers are unusable. `make board BOARD=--ship` makes the page from the stored outputs",
        "named in [The board](board.md), which are not shipped.",
    ]
    runs = Counter((row["suite"], row["target_lang"]) for row in rows)
    for suite, target in sorted(runs, key=lambda group: (-sum(n for g, n in runs.items() if g[0] == group[0]), group)):
        group = [row for row in rows if (row["suite"], row["target_lang"]) == (suite, target)]
        there = {row["measure"] for row in group}
        lead = next((measure for measure in LEAD if measure in there), group[0]["measure"])
        mine = sorted((row for row in group if row["measure"] == lead), key=partial(_standing, lead))
        told += ["", f"## {suite}, {mine[0]['source_lang']} to {target}: {wording(lead).title}", ""]
        told += ["| rank | system | value | 95 % interval | tied | valid |", "|---|---|---:|---|---|---:|"]
        told += [_line(row, wording(lead).unit, alone=len(mine) == 1) for row in mine[:MOST]]
        told += [f"| | and {len(mine) - MOST} more in [board.csv](board.csv) | | | | |"] * (len(mine) > MOST)
    return "\n".join(told) + "\n"


def _standing(lead: str, row: dict[str, str]) -> tuple[float, float]:
    value = float(row["value"]) if row["value"] else None
    return float(row["rank"] or "inf"), badness_of(directed(lead), value)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--work", type=Path, default=ROOT / "board-out")
    parser.add_argument("--ship", action="store_true", help="write the numbers, and no sentence, to docs")
    parser.add_argument("--stored", action="store_true", help="stored outputs only: ask no system on this machine")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    site = Site(options.data, options.work, [])
    began = time.monotonic()
    sources = [source for source in SOURCES if source is not live or not options.stored]
    asked = [wanted for source in sources for wanted in source(site)]
    for name in THREADS:
        os.environ.setdefault(name, "1")  # the processes share the cores
    with ProcessPoolExecutor(options.workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        made = list(pool.map(make, asked, chunksize=4))
    site.missing += [f"{one.folder.name}: {why}" for one, why, _ in made if why]
    there = [one.folder for one, why, _ in made if not why]
    for line in site.missing:
        typer.echo(f"missing  {line}")
    if not there:
        typer.echo("no run could be made: there is nothing to build a board of", err=True)
        return 2
    runs = time.monotonic() - began
    board = evenhand.board(there, site.work / "site", workers=options.workers)
    typer.echo(f"runs     {len(there)} in {runs:.0f} s, {sum(now for _, _, now in made)} made now")
    typer.echo(f"board    {board.index} in {time.monotonic() - began - runs:.0f} s")
    if options.ship:
        shutil.copyfile(board.index.with_name("overall.csv"), SHIPPED)
        shutil.copyfile(board.index.with_name("runs.csv"), RUNS)
        PAGE.write_text(numbers_page(SHIPPED), encoding="utf-8")
        typer.echo(f"shipped  {SHIPPED}, {RUNS}, {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
