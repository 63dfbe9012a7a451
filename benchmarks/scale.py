"""Time and memory by size: detection, then all measures with their intervals, for 10^4 renderings and more.

Not part of `make bench`, for it takes half an hour: a table of docs/benchmarks.md and its picture are made by
    make scale, or python benchmarks/scale.py [--sizes 10000 100000 ...] [--output FOLDER]
Every size runs in a process of its own, whose peak memory is told (the largest worker's beside it). Pairs are English
to German, written by us with the forms of our own table; each sentence has a number, so that none is seen twice. They
are read from a file in batches, as `evenhand detect` does it; kept of the verdicts is what measures need.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl
from benchmarks.ratios import put

from evenhand._version import __version__
from evenhand.measures.definitions.registry import by_name, names
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping
from evenhand.tsv import rows
from evenhand.workflows.detect import DetectSettings

ROOT = Path(__file__).resolve().parents[1]
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
CHUNK = 100_000
COLUMNS = ("id", "gender", "valid", "candidate", "gold", "occupation", "stereotype")


def write_pairs(path: Path, size: int) -> None:
    """Sentences about the occupations of our German table, with a stated gender and a rendered one."""
    listed = rows(files("evenhand.grammar") / "german" / "occupations.tsv")
    table = [row for row in listed if row["female"] and row["male"]]
    rng = np.random.default_rng(0)
    with path.open("w", encoding="utf-8") as stream:
        stream.write("id\tsource\trendering\tfocus_start\tfocus_end\tgold\toccupation\tstereotype\n")
        for first in range(0, size, CHUNK):
            count = min(CHUNK, size - first)
            chosen, woman, gold = rng.integers(0, len(table), count), rng.random(count) < 0.3, rng.random(count) < 0.5
            lines = []
            for n, (row, female, she) in enumerate(zip((table[i] for i in chosen), woman, gold, strict=True), first):
                word = row["female" if female else "male"].split("|")[0]
                rendering = f"{'Die' if female else 'Der'} {word} bezahlte Rechnung Nummer {n}."
                facts = f"{'female' if she else 'male'}\t{row['concept']}\t{'pro' if n % 2 else 'anti'}"
                end = 4 + len(row["concept"])
                lines.append(f"p{n}\tThe {row['concept']} paid bill number {n}.\t{rendering}\t4\t{end}\t{facts}\n")
            stream.write("".join(lines))


def measure(path: Path, workers: int) -> dict[str, float]:
    """Seconds of each step and the peak memory in MB, of this process and of its largest worker."""
    begun = time.perf_counter()
    judging = DetectSettings(target="de", kind="nouns", workers=workers)
    verdicts = [
        table.select("gender", "valid").with_columns(pl.col("gender").cast(pl.Categorical))
        for table in judging.file(path).batches
    ]
    judged = time.perf_counter()
    facts = pl.read_csv(
        path,
        separator="\t",
        columns=["id", "gold", "occupation", "stereotype"],
        schema_overrides=dict.fromkeys(("gold", "occupation", "stereotype"), pl.Categorical),
    )
    table = pl.concat([facts, pl.concat(verdicts)], how="horizontal")
    fitting = [name for name in names() if set(by_name(name).needs) <= set(COLUMNS)]
    estimate(
        table, clusters=("occupation",), groupings=(Grouping("stereotype", column="stereotype"),), measures=fitting
    )
    done = time.perf_counter()
    own, largest = (resource.getrusage(w).ru_maxrss / 1024 for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "renderings": table.height,
        "measures": len(fitting),
        "detect": judged - begun,
        "estimate": done - judged,
        "peak": own,
        "worker": largest,
    }


def picture(measured: pl.DataFrame, path: Path) -> None:
    """Seconds by size on logarithmic axes."""
    long = measured.unpivot(["detect", "estimate"], index="renderings", variable_name="step", value_name="seconds")
    axis = alt.Axis(values=[10**power for power in range(8)], format=",")
    base = alt.Chart(alt.InlineData(values=long.to_dicts())).encode(
        x=alt.X("renderings:Q", scale=alt.Scale(type="log"), title="renderings", axis=axis),
        y=alt.Y("seconds:Q", scale=alt.Scale(type="log"), title="seconds", axis=axis),
        strokeDash=alt.StrokeDash("step:N", legend=None),
        shape=alt.Shape("step:N", title="step"),
    )
    chart = base.mark_line(color="#1f4e79") + base.mark_point(filled=True, size=60, color="#1f4e79")
    chart.properties(width=420, height=260).save(str(path), format="svg")


def table_of(measured: pl.DataFrame, workers: int) -> list[str]:
    lines = [
        f"| {row['renderings']:,} | {row['detect']:.1f} | {row['estimate']:.1f} | "
        f"{row['renderings'] / (row['detect'] + row['estimate']):,.0f} | {row['peak']:,.0f} | {row['worker']:,.0f} |"
        for row in measured.iter_rows(named=True)
    ]
    head = "| renderings | detect, s | measures, s | renderings a second | peak, MB | largest worker, MB |"
    about = f"Evenhand {__version__}, {measured['measures'][0]} measures, {workers} processes for detection."
    return [about, "", head, "|--:|--:|--:|--:|--:|--:|", *lines]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=Path, default=ROOT / "docs")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        print(json.dumps(measure(options.one, options.workers)))
        return 0
    sizes = []
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            path = Path(folder) / "pairs.tsv"
            write_pairs(path, size)
            command = [sys.executable, __file__, "--one", str(path), "--workers", str(options.workers)]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            sizes.append(json.loads(told.splitlines()[-1]))
            print(sizes[-1], flush=True)
    measured = pl.DataFrame(sizes)
    picture(measured, options.output / "scale.svg")
    put(options.output / "benchmarks.md", "scale", table_of(measured, options.workers))
    return 0


if __name__ == "__main__":
    sys.exit(main())
