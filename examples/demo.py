"""The demo behind `make demo`: audits every system this machine has, and prints where the report lies."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import typer

import evenhand

OUT = Path("demo-out")


@dataclass(frozen=True)
class Part:
    """One audit of the demo."""

    suite: str
    system: str
    target: str
    asks: str

    @property
    def folder(self) -> Path:
        return OUT / f"{self.suite}.{self.system}.{self.target}"


PARTS = (
    Part("pronouns-basque", "apertium", "en", "Basque has one pronoun for she and he: what does English get?"),
    Part("pronouns-hungarian", "pocket", "en", "Hungarian has one pronoun for she and he: what does English get?"),
    Part("occupations-coreference", "apertium", "es", "English sentences that say she or he: what does Spanish get?"),
    Part("occupations-coreference", "pocket", "es", "The same sentences through the neural pocket model"),
)


def main() -> None:
    done: list[tuple[Part, evenhand.Run]] = []
    for part in PARTS:
        typer.echo(f"\n{part.suite} through {part.system} into {part.target}\n  {part.asks}")
        try:
            run = evenhand.audit(
                part.suite,
                part.system,
                target=part.target,
                output=part.folder,
                memory=OUT / "memory.sqlite",
                settings=evenhand.Settings(replace=True),  # an older demo's run may be of other sentences
                progress=sys.stderr.isatty(),
            )
        except evenhand.EvenhandError as error:
            typer.echo(f"  left out: {error}")
            continue
        done.append((part, run))
        for line in headline(run):
            typer.echo(f"  {line}")
    if not done:
        typer.echo("No system could be audited here; `evenhand systems` says what each needs.")
        raise typer.Exit(3)
    pages = write_pages(done)
    typer.echo("\nReports, to be opened in a browser:")
    for page in pages:
        typer.echo(f"  {page.resolve()}")


def headline(run: evenhand.Run) -> list[str]:
    """The overall numbers of a run, with their intervals."""
    lines = []
    for row in run.estimates.iter_rows(named=True):
        if row["level"] == "" and row["measure"] in ("share_female", "share_male", "share_neutral", "P_S", "accuracy"):
            lines.append(
                f"{row['measure']:<14} {row['value']:.3f}  [{row['low']:.3f}, {row['high']:.3f}]  n {row['n']:,}"
            )
    note = next((r["note"] for r in run.estimates.iter_rows(named=True) if r["note"] and r["level"] == ""), None)
    return [*lines, *([note] if note and "does not choose" in note else [])]


def write_pages(done: list[tuple[Part, evenhand.Run]]) -> list[Path]:
    """One page a suite and language: a report of one run, or the comparison of several."""
    groups: dict[tuple[str, str], list[evenhand.Run]] = {}
    for part, run in done:
        groups.setdefault((part.suite, part.target), []).append(run)
    return [evenhand.report(runs, OUT / f"{suite}.{target}.html") for (suite, target), runs in groups.items()]


if __name__ == "__main__":
    main()
