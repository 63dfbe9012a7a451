"""The noun detector against every labelled set in ../shared/data: recall of male and female apart, and their mean.

python -m benchmarks.detect_sets [--data ../shared/data] [--only natgenmt.de ...] [--errors 20]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import polars as pl
from tests.detect.labelled_sets import SETS, judged, share_right

from evenhand.detect.nouns import NounDetector

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def summary(name: str, verdicts: pl.DataFrame) -> str:
    male, female = share_right(verdicts, "male"), share_right(verdicts, "female")
    sure = verdicts.filter(pl.col("confidence") > 0.95)
    line = f"{name:24} n {verdicts.height:5} male {male:.3f} female {female:.3f} mean {(male + female) / 2:.3f} "
    line += f"neutral {share_right(verdicts, 'neutral'):.3f} all {share_right(verdicts):.3f} "
    line += f"| sure {sure.height / verdicts.height:.2f} right {share_right(sure):.4f}"
    if name.startswith("natgenmt"):
        hit = [
            row["evidence_start"] is not None
            and row["target"] in row["rendering"][row["evidence_start"] : row["evidence_end"]].split()
            for row in verdicts.iter_rows(named=True)
        ]
        there = verdicts.filter(pl.Series(hit))
        line += f" | focus found {there.height / verdicts.height:.3f}, "
        line += f"gender there {share_right(there):.3f}"
    if name.startswith("wibemt"):  # their "wrong" is about adequacy
        wrong = verdicts["label"] == "wrong"
        doubted = verdicts["adequate"].eq(False).fill_null(value=False)
        line += f" | adequate is false on {int((doubted & wrong).sum())} of {int(wrong.sum())} wrong ones "
        line += f"and on {int((doubted & ~wrong).sum())} of {int((~wrong).sum())} others"
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--errors", type=int, default=0)
    options = parser.parse_args()
    for name, (reader, codes) in SETS.items():
        for code in codes:
            key = f"{name}.{code}"
            if options.only and not any(key.startswith(only) or code == only for only in options.only):
                continue
            try:
                verdicts = judged(NounDetector("en", code), list(reader(options.data, code)))
            except ModuleNotFoundError as error:
                print(f"{key:24} {error}")
                continue
            print(summary(key, verdicts))
            wrong = verdicts.filter((pl.col("gender") != pl.col("label")) & (pl.col("label") != "wrong"))
            for row in wrong.head(options.errors).iter_rows(named=True):
                print(f"   {row['id']} {row['focus']!r} {row['label']} but {row['gender']} ({row['how']}, ", end="")
                print(f"{row['confidence']}) on {row['evidence']!r}\n      {row['source']}\n      {row['rendering']}")


if __name__ == "__main__":
    main()
