"""The figures that docs/board.md quotes, from the numbers that `make board BOARD=--ship` wrote.

    make board-figures

What needs more than those numbers has commands of its own: the second reading (builders/second_opinion.py) and the time
of a build, which `make board` prints.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer
from scipy.stats import spearmanr

from evenhand.replicate.cell import published
from evenhand.suites.published.gest import LAST_ABOUT_WOMEN

DOCS = Path(__file__).resolve().parents[1] / "docs"
SPEECH = " (speech 2026)"
MANY = 10  # systems in the window of accuracies that is told
Row = Mapping[str, str]


def main() -> None:
    board, runs = read(DOCS / "board.csv"), read(DOCS / "board-runs.csv")
    typer.echo(f"runs: {len(runs)}; systems: {len({row['system'] for row in runs})}")
    typer.echo(f"dates: {', '.join(sorted({row['date'] for row in runs}))}")
    typer.echo(f"versions: {', '.join(sorted({row['signature'].rpartition('evenhand:')[2] for row in runs}))}")
    suites(runs)
    gest(board)
    accuracies = [row for row in board if (row["suite"], row["measure"]) == ("winomt-en", "accuracy")]
    repeaters(accuracies)
    for target in sorted({row["target_lang"] for row in accuracies}):
        crowded(target, [row for row in accuracies if row["target_lang"] == target and row["system"].endswith(SPEECH)])


def read(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def suites(runs: Sequence[Row]) -> None:
    """Each suite with its languages and how many systems were asked."""
    for suite in dict.fromkeys(row["suite"] for row in runs):
        mine = [row for row in runs if row["suite"] == suite]
        languages = ", ".join(sorted({row["target_lang"] for row in mine}))
        typer.echo(f"  {suite}: {len({row['system'] for row in mine})} systems into {languages}")


def gest(board: Sequence[Row]) -> None:
    """f_m of the board beside f_m from the rates that GEST's authors published."""
    rates: dict[tuple[str, str], dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for (_, system, target, column), printed in published("pikuliak2024").items():
        rates[system, target][int(column.removeprefix("p_")) <= LAST_ABOUT_WOMEN].append(printed.value)
    theirs = {key: sum(sum(side) / len(side) for side in sides.values()) / 2 for key, sides in rates.items()}
    ours = {
        (row["system"].removesuffix(" (2024)"), row["target_lang"]): float(row["value"])
        for row in board
        if (row["suite"], row["measure"]) == ("gest", "f_m")
    }
    both = sorted(set(ours) & set(theirs))
    apart = [100 * (ours[key] - theirs[key]) for key in both]
    correlation = spearmanr([ours[key] for key in both], [theirs[key] for key in both]).statistic
    typer.echo(
        f"GEST: {len(both)} systems and languages, f_m: Spearman {correlation:.3f}, mean difference "
        f"{sum(apart) / len(apart):+.1f} points (at most {max(map(abs, apart)):.1f})"
    )


def repeaters(accuracies: Sequence[Row]) -> None:
    """Systems with answers that are no renderings: all that are not ranked, and the worst of those that are."""
    for row in accuracies:
        missing = int(row["n"]) - int(row["n_valid"])
        if row["invalid_share"] or missing > 0.02 * int(row["n"]):
            group = [float(other["value"]) for other in accuracies if other["target_lang"] == row["target_lang"]]
            place = 1 + sorted(group, reverse=True).index(float(row["value"]))
            typer.echo(
                f"no renderings: {row['system']} into {row['target_lang']}: {missing:,} of {int(row['n']):,} "
                f"({100 * missing / int(row['n']):.1f} %); accuracy {100 * float(row['value']):.1f} %, "
                f"{place} of {len(group)}; {'not ranked' if row['invalid_share'] else 'rank ' + row['rank']}"
            )


def crowded(target: str, accuracies: Sequence[Row]) -> None:
    """The narrowest window of accuracies that holds ten speech systems."""
    values = sorted(100 * float(row["value"]) for row in accuracies)
    if len(values) >= MANY:
        windows = [(values[n + MANY - 1] - values[n], values[n]) for n in range(len(values) - MANY + 1)]
        size, start = min(windows)
        typer.echo(f"speech systems into {target}: {MANY} lie within {size:.1f} points, from {start:.1f} %")


if __name__ == "__main__":
    main()
