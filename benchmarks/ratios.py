"""What a piece of work costs, beside what one would otherwise run; and tables that are written into the documents."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

RATIO, FIGURE = "ratio ", "figure "  # how a benchmark's lines for the tables of docs/benchmarks.md begin


class Ratio(NamedTuple):
    """A row of the table beside peers: seconds by the clock, and the ratio of processor seconds where it says much."""

    what: str
    ours: float
    peer: str
    theirs: float
    processor: float | None


class Figure(NamedTuple):
    """A row of the table of what has no peer."""

    what: str
    measured: str
    wanted: str


@dataclass
class Cost:
    """Seconds by the clock and of this process's processor time, of what runs inside `with Cost() as cost`."""

    clock: float = 0.0
    processor: float = 0.0

    def __enter__(self) -> Cost:
        self.clock, self.processor = -time.perf_counter(), -time.process_time()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.clock += time.perf_counter()
        self.processor += time.process_time()

    def each(self, number: int) -> Cost:
        """The same for one of `number` things."""
        return Cost(self.clock / number, self.processor / number)


def beside(what: str, ours: Cost, peer: str, theirs: Cost, *, waits: bool = False) -> float:
    """Print how many times faster we are, for people and for the table; the ratio by the clock comes back.

    Costs are of the same amount of work. Where most of the time is waiting for a server (`waits`), processor seconds
    say nothing.
    """
    clock = theirs.clock / ours.clock
    processor = None if waits else theirs.processor / ours.processor
    also = "" if processor is None else f", {times(processor)} by processor seconds"
    print(f"{what}: {times(clock)} times as fast as {peer}{also}")
    print(RATIO + json.dumps(Ratio(what, ours.clock, peer, theirs.clock, processor)), flush=True)
    return clock


def figure(what: str, measured: str, wanted: str) -> None:
    """Print what has no peer but a mark of its own, for people and for the table."""
    print(f"{what}: {measured} (wanted: {wanted})")
    print(FIGURE + json.dumps(Figure(what, measured, wanted)), flush=True)


def ratio_rows(output: str) -> list[str]:
    """The rows of the table beside peers that a benchmark printed."""
    rows = []
    for told in (Ratio(*json.loads(line)) for line in _marked(output, RATIO)):
        by_processor = "–" if told.processor is None else times(told.processor)
        cells = [told.what, seconds(told.ours), told.peer, seconds(told.theirs)]
        rows.append("| " + " | ".join([*cells, times(told.theirs / told.ours), by_processor]) + " |")
    return rows


def figure_rows(output: str) -> list[str]:
    """The rows of the table of what has no peer."""
    return ["| " + " | ".join(Figure(*json.loads(line))) + " |" for line in _marked(output, FIGURE)]


def _marked(output: str, mark: str) -> list[str]:
    return [line.removeprefix(mark) for line in output.splitlines() if line.startswith(mark)]


def times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}"


def seconds(value: float) -> str:
    """With three digits, in seconds, milliseconds or microseconds."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"


def put(page: Path, name: str, lines: Sequence[str]) -> None:
    """Replace what stands in the page between the comments `name` and `end of name`."""
    before, _, after = _around(page, name)
    page.write_text(before + "\n".join(lines) + "\n" + after, encoding="utf-8")


def standing(page: Path, name: str) -> str:
    """What stands in the page between the comments `name` and `end of name`."""
    return _around(page, name)[1]


def _around(page: Path, name: str) -> tuple[str, str, str]:
    first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, found, rest = page.read_text(encoding="utf-8").partition(first)
    inside, ended, after = rest.partition(last)
    if not (found and ended):
        raise SystemExit(f"{page}: the comments {first.strip()} and {last} are missing")
    return before + found, inside, ended + after
