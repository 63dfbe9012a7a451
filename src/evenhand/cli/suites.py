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


@app.command()
def diff(
    first: str = typer.Argument(help="a suite, e.g. pronouns-hungarian@1.0", metavar="SUITE"),
    second: str = typer.Argument(help="another one, e.g. pronouns-hungarian", metavar="SUITE"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """The probes that two suites, or two versions of one, do not share."""
    from evenhand.suites.diff import diff as compare_probes

    one, two = load_suite(first), load_suite(second)
    table = compare_probes(one, two)
    if json:
        print_json(table.to_dicts())
        return
    print_table(
        f"{one.name} {one.version} ({len(one):,} probes) and {two.name} {two.version} ({len(two):,} probes)",
        ("id", "change", "old", "new"),
        [tuple(cell or "" for cell in row) for row in table.iter_rows()],
    )
    counts = table["change"].value_counts(sort=True).iter_rows()
    typer.echo(", ".join(f"{count:,} {change}" for change, count in counts) or "the same sentences")


@app.command()
def lint(json: bool = typer.Option(False, "--json", help="machine-readable")) -> None:
    """Check the word lists that ship with Evenhand by rule; exit code 1 where one is broken."""
    from dataclasses import asdict

    from evenhand.suites.lint import languages
    from evenhand.suites.lint import lint as problems_of

    broken = {language: problems_of(language) for language in languages()}
    if json:
        print_json([asdict(problem) for problems in broken.values() for problem in problems])
    else:
        for language, problems in broken.items():
            typer.echo(f"{language}: {len(problems) or 'no'} broken rule{'' if len(problems) == 1 else 's'}")
            for problem in problems:
                typer.echo(f"  {problem.concept}: {problem.form} {problem.rule}")
    if any(broken.values()):
        raise typer.Exit(1)
