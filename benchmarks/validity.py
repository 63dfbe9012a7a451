"""The validity check on what real systems answered: echoes of the English found, other renderings refused.

python -m benchmarks.validity [--data ../shared/data] [--read 100 --seed 1]

Sets: winost-2026 (25 speech translators) and winomt-2025 (14 systems). `--read` prints renderings that are no
echoes and were called invalid all the same, drawn by the seed over all sets, for a person to read.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import polars as pl
from tests.detect.validity.renderings import SPEECH, checked, shares, speech_systems, systems_of_2025

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sets = {("winost-2026", target): speech_systems(options.data, target) for target in SPEECH}
    sets |= {("winomt-2025", target): rows for target, rows in sorted(systems_of_2025(options.data).items())}
    tables = []
    print(f"{'set':16}{'echoes':>8}{'called so':>11}{'others':>9}{'called invalid':>16}")
    for (name, target), rows in sets.items():
        table = checked(rows, target)
        echoes, found, others, refused = shares(table)
        print(f"{name} {target:4}{echoes:8,}{found:11.3%}{others:9,}{refused:16.3%}", flush=True)
        tables.append(table.with_columns(set=pl.lit(f"{name} {target}")))
    echoes, found, others, refused = shares(pl.concat(tables))
    print(f"{'all':16}{echoes:8,}{found:11.3%}{others:9,}{refused:16.3%}")
    wrong = pl.concat(tables).filter(~pl.col("echo") & pl.col("reason").is_not_null())
    for row in wrong.sample(min(options.read, wrong.height), seed=options.seed, shuffle=True).iter_rows(named=True):
        print(f"{row['set']} [{row['reason']}]\n    {row['source']}\n    {row['rendering']}")


if __name__ == "__main__":
    main()
