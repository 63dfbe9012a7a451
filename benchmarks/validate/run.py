"""All simulations: docs/validation.md and docs/validation-further.md (make validate).

Every layout goes through the public functions of `evenhand.measures` (and `evenhand.embeddings` for MWEAT). A rate is
printed with its standard error; widths stand beside the narrowest other method that covers at least 92 % there.
Run: PYTHONPATH=. python benchmarks/validate/run.py [--runs N] [--only TEXT] [--processes N] [--keep FILE]
[--output FILE] [--add]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from benchmarks.validate import (
    alarms,
    amplified,
    coverage,
    fresh,
    further,
    labelled,
    layouts,
    lossy,
    occupations,
    owned,
    power,
    samples,
    searched,
    several,
    texts,
    words,
)
from benchmarks.validate.power import Power

from evenhand._version import __version__

COVERED, FALSE, WIDER, ENOUGH = (0.92, 0.985), (0.02, 0.065), 1.3, 0.92
FRESH = (*fresh.false_alarms(), *fresh.coverages(), *further.ALARMS, *further.COVERAGE)
FRESH += (*owned.ALARMS, *owned.COVERAGE)
LATER = (*lossy.ALARMS, *lossy.COVERAGE, *searched.ALARMS, *searched.COVERAGE, *several.ALARMS, *several.COVERAGE)
ALARMS = alarms.LAYOUTS | fresh.false_alarms() | lossy.ALARMS | searched.ALARMS | several.ALARMS | several.FOUND
ALARMS |= amplified.ALARMS | words.ALARMS | further.ALARMS | owned.ALARMS | owned.FOUND
COVERAGE = coverage.LAYOUTS | occupations.LAYOUTS | samples.LAYOUTS | fresh.coverages() | lossy.COVERAGE
COVERAGE |= searched.COVERAGE | labelled.LAYOUTS | texts.LAYOUTS | several.COVERAGE | amplified.COVERAGE
COVERAGE |= words.COVERAGE | further.COVERAGE | owned.COVERAGE
NIGHTS = {**several.FOUND, **owned.FOUND}
TABLE = Path(__file__).resolve().parents[2] / "docs" / "validation.md"
Task = tuple[str, str]  # alarmed, covered or power; the layout
FEW = 3.0  # standard errors a rate may lie outside its band before it is said to


@dataclass
class Tally:
    """Over the runs of a layout, for one measure or family: how often, how wide, and the same of other methods."""

    runs: int = 0
    hits: int = 0
    width: float = 0.0
    others: dict[str, list[float]] = field(default_factory=dict)

    def __add__(self, more: Tally) -> Tally:
        others = {
            name: [a + b for a, b in zip(self.others.get(name, [0, 0]), more.others.get(name, [0, 0]), strict=True)]
            for name in {**self.others, **more.others}
        }
        return Tally(self.runs + more.runs, self.hits + more.hits, self.width + more.width, others)

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


Found = dict[str, Tally | Power]


def drawn(layout: str, seed: int, number: int) -> layouts.Generator:
    """The random numbers of one run: no two layouts share them."""
    return np.random.default_rng([seed, number, zlib.crc32(layout.encode())])


def covered(layout: str, runs: int, seed: int) -> dict[str, Tally]:
    """Coverage and width of one layout by measure."""
    tallies: dict[str, Tally] = {}
    for number in range(runs):
        for one in COVERAGE[layout](drawn(layout, seed, number)):
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
        for family, alarm in ALARMS[layout](drawn(layout, seed, number)).items():
            tally = tallies.setdefault(family, Tally())
            tally.runs += 1
            tally.hits += alarm
    return tallies


def verdict(rate: float, runs: int, band: tuple[float, float]) -> str:
    """Inside the band, or outside it by more than chance explains at the band's nearer end."""
    if band[0] <= rate <= band[1]:
        return "yes"
    end = min(band, key=lambda one: abs(one - rate))
    return "within error" if abs(rate - end) <= FEW * np.sqrt(end * (1 - end) / runs) else "**no**"


def coverage_table(found: dict[str, dict[str, Tally]]) -> list[str]:
    """A row per layout; several measures of one stand in a cell, in one order."""
    lines = [
        "| layout | measures | runs | covered | s.e. | in .92 to .985 | mean width | best other: width, coverage |",
        "|---|---|--:|--:|--:|---|--:|---|",
    ]
    for layout, tallies in found.items():
        held = list(tallies.values())
        best = [one.best() for one in held]
        others = (
            [f"{b[0]} {b[2]:.3f}, {b[1]:.2f}" if b else "none" for b in best] if any(t.others for t in held) else []
        )
        cells = (
            each(tallies),
            each(dict.fromkeys(f"{t.runs:,}" for t in held)),
            each(f"{t.rate:.3f}" for t in held),
            f"{max(t.error for t in held):.3f}",
            each(dict.fromkeys(verdict(t.rate, t.runs, COVERED) for t in held)),
            each(f"{t.width / t.runs:.3f}" for t in held),
            each(others),
        )
        lines.append(f"| {layout} | {' | '.join(cells)} |")
    return lines


def each(words: Iterable[str]) -> str:
    return " / ".join(words)


def alarm_table(found: dict[str, dict[str, Tally]]) -> list[str]:
    """A row per layout: all alarms, those that name no condition, and the gate's."""
    lines = [
        "| layout | tested | runs | alarms | without a condition | gate | s.e. | in 2 to 6.5 % |",
        "|---|---|--:|--:|--:|--:|--:|---|",
    ]
    for layout, tallies in found.items():
        tested = {name: t for name, t in tallies.items() if name != "check" and not name.endswith(alarms.FREE)}
        firm = [tallies[name + alarms.FREE] for name in tested if name + alarms.FREE in tallies]
        gate = [tallies["check"]] if "check" in tallies else []
        words = [verdict(t.rate, t.runs, FALSE) for t in tested.values()]
        if words == ["**no**"] and firm and firm[0].rate <= FALSE[1]:
            words = ["with a condition"]
        cells = (
            each(tested),
            each(dict.fromkeys(f"{t.runs:,}" for t in tested.values())),
            *(each(f"{t.rate:.1%}" for t in some) for some in (tested.values(), firm, gate)),
            f"{max(t.error for t in tested.values()):.1%}",
            each(dict.fromkeys(words)),
        )
        lines.append(f"| {layout} | {' | '.join(cells)} |")
    return lines


def found_table(found: dict[str, dict[str, Tally]]) -> list[str]:
    lines = ["| layout | runs | found in 14 nights | s.e. | at least 80 % |", "|---|--:|--:|--:|---|"]
    for layout, tallies in found.items():
        for tally in tallies.values():
            enough = verdict(tally.rate, tally.runs, (0.8, 1.0))
            lines.append(f"| {layout} | {tally.runs:,} | {tally.rate:.1%} | {tally.error:.1%} | {enough} |")
    return lines


def page(template: str, tables: dict[str, list[str]], kept: Kept) -> str:
    """A document: how to read it, the tables, what falls outside and why."""
    text = Path(__file__).with_name(template).read_text(encoding="utf-8")
    for name, lines in tables.items():
        text = text.replace(f"{{{name}}}", "\n".join(lines))
    runs = [one.runs for found in kept.tallies.values() for one in found.values()]
    many = f"{min(runs):,} to {max(runs):,}" if min(runs) < max(runs) else f"{runs[0]:,}"
    blanks = {"VERSION": __version__, "RUNS": many}
    for name, told in blanks.items():
        text = text.replace(f"{{{name}}}", told)
    return text


class Kept:
    """Layouts that are done, a line each in a file: a long simulation can be broken off and taken up again."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.tallies: dict[Task, Found] = {}
        self.took = 0.0
        for line in file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else ():
            kind, name, took, tallies = json.loads(line)
            made = Power if kind == "power" else Tally
            self._add((kind, name), took, {what: made(**tally) for what, tally in tallies.items()})

    def _add(self, task: Task, took: float, found: Found) -> None:
        """Runs of one layout that were made at different times are one tally."""
        self.took += took
        held = self.tallies.setdefault(task, {})
        for what, tally in found.items():
            held[what] = held[what] + tally if what in held else tally  # type: ignore[operator]

    def add(self, task: Task, took: float, found: Found) -> None:
        self._add(task, took, found)
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*task, took, {what: asdict(t) for what, t in found.items()}]) + "\n")

    def seed(self, task: Task, seed: int) -> int:
        """A seed that none of the runs kept so far have."""
        return seed + max((one.runs for one in self.tallies.get(task, {}).values()), default=0)


def timed(task: Task, runs: int, seed: int, known: Found) -> tuple[float, Found]:
    """One layout, and the processor seconds it took; `known` are its earlier runs, with the plan of a power."""
    started = time.process_time()
    kind, name = task
    found: Found = (
        {"TFG": power.simulated(name, min(runs, power.RUNS), seed, next(iter(known.values()), None))}  # type: ignore[arg-type]
        if kind == "power"
        else dict(alarmed(name, runs, seed) if kind == "alarmed" else covered(name, runs, seed))
    )
    return time.process_time() - started, found


def simulate(tasks: Sequence[Task], kept: Kept, options: argparse.Namespace) -> None:
    """Run these layouts in processes, keep each when it is done, and say so."""
    with ProcessPoolExecutor(options.processes) as pool:
        waiting = {
            pool.submit(timed, task, options.runs, kept.seed(task, options.seed), kept.tallies.get(task, {})): task
            for task in tasks
        }
        for done in as_completed(waiting):
            kept.add(waiting[done], *done.result())
            shown = ", ".join(f"{what} {t.rate:.3f}" for what, t in kept.tallies[waiting[done]].items())
            print(f"{kept.took:6.0f} s  {waiting[done][1]}: {shown}", flush=True)


def tables_of(found: dict[Task, Found]) -> dict[str, list[str]]:
    """The tables by title, layouts that were added later in tables of their own."""
    planned = {n: one for (_, n), many in found.items() for one in many.values() if isinstance(one, Power)}
    tallies = {
        task: {what: one for what, one in many.items() if isinstance(one, Tally)} for task, many in found.items()
    }
    tables = {"POWER": power.table_of(planned)}
    for kind, make, title in (("alarmed", alarm_table, "ALARMS"), ("covered", coverage_table, "COVERAGE")):
        done = {name: tally for (k, name), tally in tallies.items() if k == kind}
        done = {name: tally for name, tally in done.items() if name not in NIGHTS}
        tables[title] = make({n: t for n, t in done.items() if n not in FRESH})
        tables[f"FRESH {title}"] = make({n: t for n, t in done.items() if n in FRESH})
    nights = {name: tally for (_, name), tally in tallies.items() if name in NIGHTS}
    return tables | {"FOUND": found_table(nights)}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1_000, help="0: write the page from what the file holds")
    parser.add_argument("--seed", type=int, default=20_261)
    parser.add_argument("--only", default="", help="only layouts whose name holds this text; nothing is written")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, help="keep finished layouts in this file, and take them from it")
    parser.add_argument("--add", action="store_true", help="add runs to layouts that the file holds already")
    parser.add_argument("--output", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    kept = Kept(options.keep)
    kinds = {"alarmed": list(ALARMS), "covered": list(COVERAGE), "power": list(power.SETTINGS)}
    tasks = [(kind, name) for kind, named in kinds.items() for name in named if options.only in name]
    tasks.sort(key=lambda task: task[1] not in LATER)
    if options.runs:
        simulate([task for task in tasks if options.add or task not in kept.tallies], kept, options)
    tables = tables_of({task: kept.tallies[task] for task in tasks if task in kept.tallies})
    if not options.only:
        further = options.output.with_stem(f"{options.output.stem}-further")
        for output, template in ((options.output, "page.md"), (further, "page-further.md")):
            output.write_text(page(template, tables, kept), encoding="utf-8")
    print("\n\n".join("\n".join(lines) for lines in tables.values()))
    outside = sum("**no**" in line for lines in tables.values() for line in lines)
    print(f"{outside} rates lie outside their band by more than chance explains")
    return 0


if __name__ == "__main__":
    sys.exit(main())
