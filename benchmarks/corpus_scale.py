"""Time and memory of `evenhand corpus` by size: natural text, 10^4 lines and more, the whole command each time.

Not part of `make bench`, for ten million lines take a quarter of an hour:
    PYTHONPATH=. python benchmarks/corpus_scale.py [--sizes 10000 100000 ...] [--data ../shared/data] [--target de]
The text is half Europarl and half Tatoeba; what is longer than they are repeats them with a number at the end of both
sides, so that no pair is there twice. The rows are put into the table of docs/corpus-measured.md beside those of other
sizes, and the picture is drawn of all of them.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import altair as alt
from benchmarks.ratios import put, standing

from evenhand.readers.opening import UserFile

ROOT = Path(__file__).resolve().parents[1]
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
FILES = {"de": "deu", "es": "spa", "fr": "fra"}
NAME = "corpus scale"
HEAD = "| lines | by the clock, s | lines per second | processor, s | largest process, MB | largest worker, MB |"
ROW = re.compile(r"\| ([\d,]+) \| ([\d.,]+) \| [\d,]+ \| ([\d.,]+) \| ([\d,]+) \| ([\d,]+) \|")
RUN = "import sys; from evenhand.cli.main import run; run(sys.argv[1:])"
WORKER = re.compile(r"largest memory of a worker ([\d,]+) MB")


class Measured(NamedTuple):
    """One run of the command."""

    lines: int
    clock: float
    processor: float
    peak: int
    worker: int

    def row(self) -> str:
        rate = f"{self.lines / self.clock:,.0f}"
        return (
            f"| {self.lines:,} | {self.clock:,.1f} | {rate} | {self.processor:,.1f} | {self.peak:,} | {self.worker:,} |"
        )


def text(data: Path, target: str) -> Iterator[tuple[str, str]]:
    """Pairs without end: one of Europarl, one of Tatoeba; from the second time on with a number."""
    names = f"europarl.en-{target}.250k.tsv.xz", f"tatoeba.eng-{FILES[target]}.train.tsv.xz"
    again = 0
    while True:
        one, two = (UserFile(data / "parallel" / name).lines() for name in names)
        for lines in zip(one, two, strict=False):
            for _, line in lines:
                source, rendering = line.split("\t")[:2]
                yield (f"{source} ({again})", f"{rendering} ({again})") if again else (source, rendering)
        again += 1


def measure(path: Path, target: str, size: int, workers: int, folder: Path) -> Measured:
    """The whole command in a process of its own, with its report."""
    command = [sys.executable, "-c", RUN, "corpus", str(path), "--target", target]
    command += ["-o", str(folder), "--workers", str(workers)]
    begun = time.perf_counter()
    with (folder.parent / "log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)  # the processor's time of the workers too: it waits for them
    if status:
        raise SystemExit(f"the command failed: {(folder.parent / 'log').read_text('utf-8')[-500:]}")
    clock = time.perf_counter() - begun
    told = WORKER.search((folder / "manifest.json").read_text("utf-8"))
    largest = int(told[1].replace(",", "")) if told else 0
    return Measured(size, clock, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, largest)


def kept(page: Path) -> list[Measured]:
    """The rows the page has already."""
    rows = []
    for found in ROW.finditer(standing(page, NAME)):
        lines, clock, processor, peak, worker = (group.replace(",", "") for group in found.groups())
        rows.append(Measured(int(lines), float(clock), float(processor), int(peak), int(worker)))
    return rows


def picture(rows: Sequence[Measured], path: Path) -> None:
    """Seconds by size on logarithmic axes."""
    values = [
        {"lines": row.lines, "kind": kind, "seconds": seconds}
        for row in rows
        for kind, seconds in (("by the clock", row.clock), ("processor", row.processor))
    ]
    axis = alt.Axis(values=[10**power for power in range(8)], format=",")
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X("lines:Q", scale=alt.Scale(type="log"), title="lines", axis=axis),
        y=alt.Y("seconds:Q", scale=alt.Scale(type="log"), title="seconds", axis=axis),
        strokeDash=alt.StrokeDash("kind:N", legend=None),
        shape=alt.Shape("kind:N", title="seconds"),
    )
    chart = base.mark_line(color="#1f4e79") + base.mark_point(filled=True, size=60, color="#1f4e79")
    chart.properties(width=420, height=260).save(str(path), format="svg")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--target", choices=sorted(FILES), default="de")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "corpus-measured.md")
    options = parser.parse_args(arguments)
    rows = {row.lines: row for row in kept(options.page)}
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "text.tsv"
            with path.open("w", encoding="utf-8") as stream:
                stream.writelines(f"{s}\t{t}\n" for s, t in islice(text(options.data, options.target), size))
            rows[size] = measure(path, options.target, size, options.workers, Path(folder) / "audited")
        print(rows[size].row(), flush=True)
    ordered = [rows[size] for size in sorted(rows)]
    put(options.page, NAME, [HEAD, "|--:|--:|--:|--:|--:|--:|", *(row.row() for row in ordered)])
    picture(ordered, options.page.parent / "corpus-scale.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
