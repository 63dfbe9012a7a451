"""All simulations, one table: docs/validation.md (make validate).

Every layout goes through the public functions of `evenhand.measures` (and `evenhand.embeddings` for MWEAT). A rate is
printed with its standard error; widths stand beside the narrowest other method that covers at least 92 % there.
Run: PYTHONPATH=. python benchmarks/validate/run.py [--runs N] [--only TEXT] [--processes N] [--output FILE]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from benchmarks.validate import alarms, coverage, occupations, power, samples

from evenhand._version import __version__

COVERED, FALSE, WIDER, ENOUGH = (0.92, 0.985), (0.02, 0.065), 1.3, 0.92
COVERAGE = coverage.LAYOUTS | occupations.LAYOUTS | samples.LAYOUTS
TABLE = Path(__file__).resolve().parents[2] / "docs" / "validation.md"
FEW = 3.0  # standard errors a rate may lie outside its band before it is said to


@dataclass
class Tally:
    """Over the runs of a layout, for one measure or family: how often, how wide, and the same of other methods."""

    runs: int = 0
    hits: int = 0
    width: float = 0.0
    others: dict[str, list[float]] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        return self.hits / self.runs

    @property
    def error(self) -> float:
        return float(np.sqrt(max(self.rate * (1 - self.rate), 0.25 / self.runs) / self.runs))

    def best(self) -> tuple[str, float, float] | None:
        """The narrowest other method that covers enough: name, coverage, mean width."""
        able = [(w / self.runs, n, h / self.runs) for n, (h, w) in self.others.items() if h / self.runs >= ENOUGH]
        if not able:
            return None
        width, name, covered = min(able)
        return name, covered, width


def covered(layout: str, runs: int, seed: int) -> dict[str, Tally]:
    """Coverage and width of one layout by measure."""
    tallies: dict[str, Tally] = {}
    for number in range(runs):
        rng = np.random.default_rng([seed, number, len(layout)])
        for one in COVERAGE[layout](rng):
            tally = tallies.setdefault(one.measure, Tally())
            tally.runs += 1
            tally.hits += one.low - 1e-9 <= one.truth <= one.high + 1e-9
            tally.width += one.high - one.low
            for name, (low, high) in one.others.items():
                other = tally.others.setdefault(name, [0.0, 0.0])
                other[0] += low - 1e-9 <= one.truth <= high + 1e-9
                other[1] += high - low
    return tallies


def alarmed(layout: str, runs: int, seed: int) -> dict[str, Tally]:
    """False alarms of one layout by family."""
    tallies: dict[str, Tally] = {}
    for number in range(runs):
        for family, alarm in alarms.LAYOUTS[layout](np.random.default_rng([seed, number, len(layout)])).items():
            tally = tallies.setdefault(family, Tally())
            tally.runs += 1
            tally.hits += alarm
    return tallies


def verdict(rate: float, error: float, band: tuple[float, float]) -> str:
    """Inside the band, or outside it by more than chance explains."""
    if band[0] <= rate <= band[1]:
        return "yes"
    return "within error" if band[0] - FEW * error <= rate <= band[1] + FEW * error else "**no**"


def coverage_table(found: dict[str, dict[str, Tally]]) -> list[str]:
    lines = [
        "| layout | measure | runs | covered | s.e. | in .92 to .985 | mean width | best other that covers | ratio |",
        "|---|---|--:|--:|--:|---|--:|---|--:|",
    ]
    for layout, tallies in found.items():
        for measure, tally in tallies.items():
            best = tally.best()
            other = f"{best[0]} ({best[1]:.3f}, {best[2]:.4f})" if best else ("none" if tally.others else "")
            ratio = f"{tally.width / tally.runs / best[2]:.2f}" if best else ""
            lines.append(
                f"| {layout} | {measure} | {tally.runs:,} | {tally.rate:.3f} | {tally.error:.3f} | "
                f"{verdict(tally.rate, tally.error, COVERED)} | {tally.width / tally.runs:.4f} | {other} | {ratio} |"
            )
    return lines


def alarm_table(found: dict[str, dict[str, Tally]]) -> list[str]:
    lines = ["| layout | family | runs | false alarms | s.e. | in 2 to 6.5 % |", "|---|---|--:|--:|--:|---|"]
    for layout, tallies in found.items():
        for family, tally in tallies.items():
            lines.append(
                f"| {layout} | {family} | {tally.runs:,} | {tally.rate:.1%} | {tally.error:.1%} | "
                f"{verdict(tally.rate, tally.error, FALSE)} |"
            )
    return lines


def page(alarm_lines: list[str], coverage_lines: list[str], power_lines: list[str], runs: int, took: float) -> str:
    """The document: how to read it, the three tables, what falls outside and why."""
    text = (Path(__file__).with_name("page.md")).read_text(encoding="utf-8")
    for name, lines in (("ALARMS", alarm_lines), ("COVERAGE", coverage_lines), ("POWER", power_lines)):
        text = text.replace(f"{{{name}}}", "\n".join(lines))
    return (
        text.replace("{VERSION}", __version__).replace("{MINUTES}", f"{took / 60:.0f}").replace("{RUNS}", f"{runs:,}")
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=20_261)
    parser.add_argument("--only", default="", help="only layouts whose name holds this text; nothing is written")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    tasks = [(alarmed, name) for name in alarms.LAYOUTS if options.only in name]
    tasks += [(covered, name) for name in COVERAGE if options.only in name]
    results: dict[tuple[str, str], dict[str, Tally]] = {}
    with ProcessPoolExecutor(options.processes) as pool:
        waiting = {pool.submit(run, name, options.runs, options.seed): (run.__name__, name) for run, name in tasks}
        for done in as_completed(waiting):
            kind, name = waiting[done]
            results[kind, name] = done.result()
            shown = ", ".join(f"{what} {t.rate:.3f}" for what, t in results[kind, name].items())
            print(f"{time.perf_counter() - started:6.0f} s  {name}: {shown}", flush=True)
    tables = [
        make({name: results[kind, name] for name in layouts if (kind, name) in results})
        for kind, layouts, make in (("alarmed", alarms.LAYOUTS, alarm_table), ("covered", COVERAGE, coverage_table))
    ]
    tables.append(power.table_of(min(options.runs, power.RUNS), options.seed, options.only, options.processes))
    outside = sum("**no**" in line for lines in tables for line in lines)
    if not options.only:
        options.output.write_text(
            page(tables[0], tables[1], tables[2], options.runs, time.perf_counter() - started), encoding="utf-8"
        )
    print("\n".join([*tables[0], "", *tables[1], "", *tables[2]]))
    print(f"{outside} rates lie outside their band by more than chance explains")
    return 0


if __name__ == "__main__":
    sys.exit(main())
