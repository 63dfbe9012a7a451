"""evenhand suites: what can be asked."""

from __future__ import annotations

import typer

from evenhand.cli.output import print_json, print_table
from evenhand.suites.registry import list_suites, load_suite

app = typer.Typer(
    invoke_without_command=True, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
)


@app.callback()
def suites(ctx: typer.Context, json: bool = typer.Option(False, "--json", help="machine-readable")) -> None:
    """List the suites that ship with Evenhand and the readers for published files."""
    if ctx.invoked_subcommand:
        return
    entries = list_suites()
    if json:
        print_json([{"name": e.name, "takes_path": e.takes_path, "summary": e.summary} for e in entries])
        return
    print_table(
        None, ("suite", "what it is"), [(e.name + (":PATH" if e.takes_path else ""), e.summary) for e in entries]
    )
    typer.echo(
        "\n`evenhand suites show NAME` prints its probes; a path to a table of your own stands for a suite everywhere."
    )


@app.command()
def show(
    name: str = typer.Argument(help="a suite, reader:PATH, or a table of your own", metavar="SUITE"),
    ids: bool = typer.Option(False, "--ids", help="print the ids only"),
    first: int = typer.Option(10, "--first", metavar="N", min=0, help="how many probes to print (0: all, as TSV)"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Describe a suite and print its probes (as TSV: `--first 0`)."""
    suite = load_suite(name)
    if ids:
        typer.echo("\n".join(suite.probes["id"].to_list()))
        return
    probes = suite.probes if first == 0 else suite.probes.head(first)
    if json:
        print_json(
            {
                "name": suite.name,
                "version": suite.version,
                "hash": suite.hash,
                "probes": len(suite),
                "kind": suite.kind,
                "clusters": suite.clusters,
                "measures": suite.measures,
                "first": probes.to_dicts(),
            }
        )
        return
    if first == 0:
        typer.echo(probes.write_csv(separator="\t", quote_style="never"), nl=False)
        return
    typer.echo(f"{suite.name} {suite.version} (hash {suite.hash}): {suite.summary}")
    typer.echo(f"{len(suite):,} probes from {suite.source_lang}; clusters: {', '.join(suite.clusters) or 'none'}")
    if suite.citation:
        typer.echo(suite.citation)
    print_table(
        None, ("id", "source", "focus"), [(r["id"], r["source"], r.get("focus") or "") for r in probes.to_dicts()]
    )
