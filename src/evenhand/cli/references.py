"""evenhand references: outside statistics to compare with."""

from __future__ import annotations

import polars as pl
import typer

from evenhand.cli.output import number, print_json, print_table
from evenhand.references.reference import Reference, coverage, load_reference, shipped
from evenhand.suites.registry import load_suite

app = typer.Typer(
    invoke_without_command=True, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
)

FORMAT = """A reference is a table (TSV, CSV, JSONL, Parquet); lines starting with # are notes.

  one key        isco08 (1 to 4 digits, the longest that fits counts), concept, or occupation (our English gloss)
  one number     share_women (0 to 1) or pct_women (0 to 100); empty or a dash: missing
  or a survey    answer_1 ... answer_6: how many people said 1 (very masculine) to 6 (very feminine)
  optional       employed (people: weights of sector means), sample (people asked, where the share is an
                 estimate: its own error is then told), year, country, source

An example with made-up numbers:

  isco08,pct_women,employed,year,country,source
  2211,47.5,1200,2024,XX,made up
  2221,91,5400,2024,XX,made up

Check it:  evenhand references check my.csv
Use it:    evenhand audit occupations-hungarian --system S --target en --reference my.csv"""


@app.callback()
def references(ctx: typer.Context, json: bool = typer.Option(False, "--json", help="machine-readable")) -> None:
    """List the references that come with Evenhand."""
    if ctx.invoked_subcommand:
        return
    found = [load_reference(name) for name in shipped()]
    if json:
        print_json([_facts(reference) for reference in found])
        return
    rows = [(r.name, r.kind, f"{_shares(r):,} by {r.key}", f"{r.missing:,}", r.source) for r in found]
    print_table(None, ("reference", "kind", "shares", "rows without a share", "source"), rows)
    typer.echo("\n`evenhand references check FILE` validates your own, `evenhand references format` explains it.")


@app.command("format")
def show_format() -> None:
    """Explain the format of a reference of your own."""
    typer.echo(FORMAT)


@app.command()
def check(
    reference: str = typer.Argument(help="a name, or a path to your own table", metavar="REF"),
    suite: str = typer.Option(
        "occupations-hungarian", "--suite", metavar="SUITE", help="the suite to report coverage on"
    ),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Validate a reference and say how much of a suite it covers."""
    found = load_reference(reference)
    asked = load_suite(suite)
    known, total = coverage(asked.probes, found)
    if json:
        print_json({**_facts(found), "suite": asked.name, "covered": known, "occupations": total})
        return
    typer.echo(
        f"{found.name}: {found.kind}, {_shares(found):,} shares by {found.key}, {found.missing:,} rows without one"
    )
    typer.echo(f"source: {found.source or 'not stated'}")
    typer.echo(f"covers {known:,} of {total:,} occupations of {asked.name}")
    spread = found.table["share_women"].drop_nulls()
    if spread.len():
        ends = spread.quantile(0.0), spread.quantile(0.5, interpolation="linear"), spread.quantile(1.0)
        typer.echo("share of women, lowest / median / highest: " + " / ".join(map(number, ends)))


@app.command()
def show(
    reference: str = typer.Argument(help="a name, or a path to your own file", metavar="REF"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Print a reference as TSV, one row a key, as it is used."""
    found = load_reference(reference)
    table = found.table.with_columns(pl.col("share_women").round(4))
    if json:
        print_json({**_facts(found), "rows": table.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts()})
        return
    typer.echo(table.write_csv(separator="\t", quote_style="never"), nl=False)


def _shares(reference: Reference) -> int:
    return reference.table["share_women"].drop_nulls().len()


def _facts(reference: Reference) -> dict[str, object]:
    return {
        "name": reference.name,
        "kind": reference.kind,
        "key": reference.key,
        "shares": _shares(reference),
        "missing": reference.missing,
        "source": reference.source,
        "fingerprint": reference.fingerprint,
    }
