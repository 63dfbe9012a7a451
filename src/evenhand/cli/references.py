"""evenhand references: outside statistics to compare with."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from evenhand.cli.options import Overwrite, inside, verbs
from evenhand.cli.output import number, plain_rows, print_json, print_table, say
from evenhand.errors import BadInput, listed
from evenhand.options import Argument, Json, Option
from evenhand.references.adding import CODES, read_national, write_added, write_template
from evenhand.references.adding import add as make_reference
from evenhand.references.reference import Reference, coverage, load_reference, shipped
from evenhand.storage.outputs import claimed
from evenhand.suites.registry import load_suite

COVERS = "covers {covered:,} of {occupations:,} occupations of {suite}"


@dataclass(frozen=True)
class TableOrigin:
    """Where a national table comes from."""

    year: Annotated[str, Option("", "YEAR")] = ""
    country: Annotated[str, Option("", "CODE")] = ""
    source: Annotated[str, Option("", "TEXT")] = ""
    licence: Annotated[str, Option("", "TEXT")] = ""


@verbs
def references(ctx: typer.Context, json: Json = False) -> None:
    """List the references that come with Evenhand."""
    if ctx.invoked_subcommand:
        return
    found = [load_reference(name) for name in shipped()]
    if json:
        print_json([_facts(reference) for reference in found])
        return
    rows = [
        (r.name, r.country, r.years, f"{_shares(r):,} by {r.key}", f"{r.missing:,}", r.licence, r.source) for r in found
    ]
    print_table(None, ("reference", "country", "year", "shares", "without one", "licence", "source"), rows)
    say(
        "\n`evenhand references add TABLE --codes ...` converts a national table; `check FILE` validates your own, "
        "`format` explains it."
    )


@inside(references, "format")
def show_format() -> None:
    """Explain the format of your own reference."""
    typer.echo((files("evenhand.references") / "format.txt").read_text(encoding="utf-8"), nl=False)


@inside(references)
def check(
    reference: Annotated[str, Argument("a name, or a path to your own table", "REFERENCE")],
    suite: Annotated[str, Option("the suite to report coverage on", "SUITE")] = "occupations-hungarian",
    json: Json = False,
) -> None:
    """Validate a reference and show how much of a suite it covers."""
    found = load_reference(reference)
    covered = _covered(found, suite)
    if json:
        print_json({**_facts(found), **covered})
        return
    shares = f"{_shares(found):,} shares by {found.key}, {found.missing:,} rows without one"
    typer.echo(f"{found.name}: {found.kind}, {shares}\n{found.name} is {found.origin}\n{COVERS.format_map(covered)}")
    spread = found.table["share_women"].drop_nulls()
    if spread.len():
        ends = spread.quantile(0.0), spread.quantile(0.5, interpolation="linear"), spread.quantile(1.0)
        typer.echo("share of women, lowest / median / highest: " + " / ".join(map(number, ends)))


@inside(references)
def add(
    table: Annotated[Path, Argument("a national table of people by occupation code", "TABLE")],
    codes: Annotated[str, Option("the classification of its codes", "|".join(CODES))],
    origin: Annotated[TableOrigin, "if the table does not state it"],
    mapping: Annotated[Path | None, Option("soc, feor: table with columns code and isco08", "FILE", "--map")] = None,
    template: Annotated[Path | None, Option("only write such a table to fill in", "FILE", writes=True)] = None,
    output: Annotated[Path | None, Option("default: TABLE.reference.tsv", "FILE", "--output -o")] = None,
    suite: Annotated[str, Option("the suite to report coverage on", "SUITE")] = "occupations-hungarian",
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Convert a national table into a reference: its codes to ours, its women and men to shares."""
    national = read_national(table, codes, **vars(origin))
    if template is not None:
        write_template(national, template)
        typer.echo(f"{template}: {national.table['code'].n_unique():,} codes; fill in isco08, then --map {template}")
        return
    made = make_reference(national, codes, mapping=mapping)
    if not made.table.height:
        raise BadInput(f"{table}: none of its {made.rows:,} rows has a code of ours and a share of women")
    path = output or table.with_name(f"{table.name.partition('.')[0]}.reference.tsv")
    with claimed([] if output else [path], [table], overwrite=overwrite):
        write_added(made, path)
    reference = load_reference(path)
    covered = _covered(reference, suite)
    if json:
        counts = {"rows": made.rows, "without_share": made.without_share, "unmapped": list(made.unmapped)}
        print_json({**_facts(reference), **counts, **covered, "path": str(path)})
        return
    typer.echo(f"{path}: {made.table.height:,} shares of women by {made.key}, from {made.rows:,} rows")
    typer.echo(f"it is {reference.origin}")
    if made.without_share:
        typer.echo(f"{made.without_share:,} rows have no share of women")
    if made.unmapped:
        typer.echo(f"{len(made.unmapped):,} codes have no {made.key}: {listed(made.unmapped)}")
    typer.echo(COVERS.format_map(covered))
    typer.echo(f"\nUse it:    evenhand audit {covered['suite']} --system S --target en --reference {path}")


@inside(references)
def show(
    reference: Annotated[str, Argument("a name, or a path to your own file", "REFERENCE")],
    json: Json = False,
) -> None:
    """Print a reference as TSV, one row per key, as it is used."""
    found = load_reference(reference)
    table = found.table.with_columns(pl.col("share_women").round(4))
    if json:
        print_json({**_facts(found), "rows": plain_rows(table)})
        return
    typer.echo(table.write_csv(separator="\t", quote_style="never"), nl=False)


def _covered(reference: Reference, suite: str) -> dict[str, object]:
    """How many of a suite's occupations have a share."""
    asked = load_suite(suite)
    return {
        "suite": asked.name,
        **dict(zip(("covered", "occupations"), coverage(asked.probes, reference), strict=True)),
    }


def _shares(reference: Reference) -> int:
    return reference.table["share_women"].drop_nulls().len()


def _facts(reference: Reference) -> dict[str, object]:
    facts = {"name": reference.name, "kind": reference.kind, "key": reference.key, "shares": _shares(reference)}
    more = ("missing", "country", "years", "source", "licence", "fingerprint")
    return facts | {name: getattr(reference, name) for name in more}
