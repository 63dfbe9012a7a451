"""The validity check on what real systems answered: echoes of the English found, other renderings refused.

python -m benchmarks.validity [--data ../shared/data] [--read 100 --seed 1]

Sets: winost-2026 (25 speech translators) and winomt-2025 (14 systems). `bare` is the share of the valid ones that
would be called invalid from a system that writes no full stops: the same renderings without their last mark. `--read`
prints renderings that are no echoes and were called invalid all the same, drawn by the seed over all sets, for a person
to read.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import polars as pl
from tests.detect.validity.renderings import SPEECH, bare, checked, shares, speech_systems, systems_of_2025

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sets = {("winost-2026", target): speech_systems(options.data, target) for target in SPEECH}
    sets |= {("winomt-2025", target): rows for target, rows in sorted(systems_of_2025(options.data).items())}
    tables, marks = [], []
    print(f"{'set':16}{'echoes':>8}{'called so':>11}{'others':>9}{'called invalid':>16}{'bare':>9}")
    for (name, target), rows in sets.items():
        table = checked(rows, target)
        echoes, found, others, refused = shares(table)
        valid = table.filter(~pl.col("echo") & pl.col("reason").is_null())
        marks.append(
            checked([(source, bare(text)) for source, text in valid["source", "rendering"].iter_rows()], target)
        )
        said = marks[-1]["reason"].count() / max(valid.height, 1)
        print(f"{name} {target:4}{echoes:8,}{found:11.3%}{others:9,}{refused:16.3%}{said:9.3%}", flush=True)
        tables.append(table.with_columns(set=pl.lit(f"{name} {target}")))
    echoes, found, others, refused = shares(pl.concat(tables))
    said = sum(table["reason"].count() for table in marks) / max(sum(table.height for table in marks), 1)
    print(f"{'all':16}{echoes:8,}{found:11.3%}{others:9,}{refused:16.3%}{said:9.3%}")
    wrong = pl.concat(tables).filter(~pl.col("echo") & pl.col("reason").is_not_null())
    for row in wrong.sample(min(options.read, wrong.height), seed=options.seed, shuffle=True).iter_rows(named=True):
        print(f"{row['set']} [{row['reason']}]\n    {row['source']}\n    {row['rendering']}")


if __name__ == "__main__":
    main()
