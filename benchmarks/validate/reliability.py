"""How far the noun detector's confidence can be believed: docs/reliability.md and its picture (make validate).

Every labelled set in ../shared/data, read in place, and our own readings of weak renderings (tests/detect). Verdicts
that give a gender are put into bins of confidence; a bin shows the share that agrees with the label, with Wilson's
interval. WinoMT's German and French labels are left out (the annotators followed the pronoun), and WiBeMT's "wrong",
which is about adequacy.
Run: PYTHONPATH=. python benchmarks/validate/reliability.py [--data DIR] [--output FOLDER]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import altair as alt
import polars as pl
from tests.detect.labelled_sets import SETS, judged

from evenhand._version import __version__
from evenhand.detect import open_detector
from evenhand.detect.nouns import NounDetector
from evenhand.statistics.intervals import wilson

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = {("winomt", "de"), ("winomt", "fr")}
DRAWS = ROOT / "tests" / "detect" / "draws.tsv"
EDGES = (0.0, 0.6, 0.8, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 1.0)


def labelled(data: Path) -> Iterator[pl.DataFrame]:
    """Verdicts beside labels: set, gender, label, confidence."""
    for name, (reader, codes) in SETS.items():
        for code in codes:
            if (name, code) in LEFT_OUT:
                continue
            cases = [case for case in reader(data, code) if case.label != "wrong"]
            verdicts = judged(NounDetector("en", code), cases)
            yield verdicts.select(pl.lit(name).alias("set"), "gender", "label", "confidence")
    rows = pl.read_csv(DRAWS, separator="\t", comment_prefix="#", quote_char=None)
    for (code,), pairs in rows.group_by("language", maintain_order=True):
        verdicts = open_detector("nouns", source="en", target=str(code)).detect(pairs)
        columns = [pl.lit("weak renderings").alias("set"), pairs["label"]]
        yield (
            verdicts.select("gender", "confidence").with_columns(columns).select("set", "gender", "label", "confidence")
        )


def binned(verdicts: pl.DataFrame) -> pl.DataFrame:
    """One row a bin that is not empty: mean confidence, n, share right with its 95 % interval."""
    decided = verdicts.filter(pl.col("gender").cast(pl.String) != "unknown").with_columns(
        right=pl.col("gender").cast(pl.String) == pl.col("label")
    )
    rows = []
    for low, high in pairwise(EDGES):
        inside = (pl.col("confidence") > low) & (pl.col("confidence") <= high)
        some = decided.filter(inside)
        if not some.height:
            continue
        right = int(some["right"].sum())
        interval = wilson(right, some.height)
        rows.append(
            {
                "bin": f"{low:g} to {high:g}",
                "confidence": float(some["confidence"].sum()) / some.height,
                "n": some.height,
                "right": right / some.height,
                "low": interval.low,
                "high": interval.high,
            }
        )
    return pl.DataFrame(rows)


def picture(bins: pl.DataFrame, path: Path) -> None:
    """The diagram as SVG: bars of the intervals, points, and the line on which confidence is what it says."""
    scale = alt.Scale(domain=[0, 1])
    base = alt.Chart(alt.InlineData(values=bins.to_dicts())).encode(
        x=alt.X("confidence:Q", scale=scale, title="confidence said"),
    )
    points = base.mark_point(filled=True, size=60, color="#1f4e79").encode(
        y=alt.Y("right:Q", scale=scale, title="share that agrees with the label")
    )
    bars = base.mark_rule(color="#1f4e79").encode(y="low:Q", y2="high:Q")
    ends = alt.Chart(alt.InlineData(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    line = ends.mark_line(strokeDash=[4, 4], color="#888888").encode(x="x:Q", y="y:Q")
    (line + bars + points).properties(width=320, height=320).save(str(path), format="svg")


def page(bins: pl.DataFrame, verdicts: pl.DataFrame) -> str:
    """The document: how it was made, the picture, the numbers."""
    decided = verdicts.filter(pl.col("gender").cast(pl.String) != "unknown")
    error = sum(abs(row["right"] - row["confidence"]) * row["n"] for row in bins.iter_rows(named=True))
    per_set = ", ".join(f"{name} {n:,}" for name, n in decided.group_by("set", maintain_order=True).len().iter_rows())
    lines = [
        f"| {row['bin']} | {row['n']:,} | {row['confidence']:.3f} | {row['right']:.3f} | "
        f"[{row['low']:.3f}, {row['high']:.3f}] |"
        for row in bins.iter_rows(named=True)
    ]
    table = ["| confidence | n | mean | right | 95 % interval |", "|---|--:|--:|--:|---|", *lines]
    text = Path(__file__).with_name("reliability.md").read_text(encoding="utf-8")
    for name, said in {
        "VERSION": __version__,
        "SETS": per_set,
        "N": f"{decided.height:,}",
        "ERROR": f"{error / max(decided.height, 1):.3f}",
        "TABLE": "\n".join(table),
    }.items():
        text = text.replace(f"{{{name}}}", said)
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--output", type=Path, default=ROOT / "docs")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        print(f"{options.data} is not there: the reliability of the detector's confidence is not measured")
        return 0
    verdicts = pl.concat(list(labelled(options.data)), how="vertical_relaxed")
    bins = binned(verdicts)
    picture(bins, options.output / "reliability.svg")
    (options.output / "reliability.md").write_text(page(bins, verdicts), encoding="utf-8")
    print(bins)
    return 0


if __name__ == "__main__":
    sys.exit(main())
