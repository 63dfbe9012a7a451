"""Accuracies of a board beside published ones: rank correlation and mean difference, language by language.

    python builders/agreement.py board-out/site/overall.csv published.tsv --suffix " (speech 2026)"

`published.tsv` has the columns system, target_lang and accuracy (percent). Systems are matched by name, with the suffix
that the board gives them; those that are on one side only are named. The published accuracies of the speech systems of
2026 are not in our data: whoever has them can hold the board against them with this.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import typer
from scipy.stats import spearmanr

from evenhand.tsv import rows


def board_values(overall: Path, suite: str, measure: str, suffix: str) -> dict[tuple[str, str], float]:
    """Percent by language and system (without the suffix that all of them must have)."""
    with overall.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if (row["suite"], row["measure"]) == (suite, measure)]
    return {
        (row["target_lang"], row["system"].removesuffix(suffix)): 100 * float(row["value"])
        for row in rows
        if row["value"] and row["system"].endswith(suffix)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("overall", type=Path, help="overall.csv of a board")
    parser.add_argument("published", type=Path)
    parser.add_argument("--suite", default="winomt-en")
    parser.add_argument("--measure", default="accuracy")
    parser.add_argument("--suffix", default="")
    options = parser.parse_args()
    ours = board_values(options.overall, options.suite, options.measure, options.suffix)
    theirs = {(row["target_lang"], row["system"]): float(row["accuracy"]) for row in rows(options.published)}
    for target in sorted({target for target, _ in theirs}):
        names = sorted(name for code, name in theirs if code == target and (target, name) in ours)
        alone = sorted({name for code, name in {*ours, *theirs} if code == target} - set(names))
        if len(names) > 2:
            pairs = [(ours[target, name], theirs[target, name]) for name in names]
            correlation = float(spearmanr([a for a, _ in pairs], [b for _, b in pairs]).statistic)
            difference = sum(a - b for a, b in pairs) / len(pairs)
            typer.echo(f"{target}: {len(names)} systems, Spearman {correlation:.3f}, mean difference {difference:+.1f}")
        if alone:
            typer.echo(f"{target}: on one side only: {', '.join(alone)}")


if __name__ == "__main__":
    main()
