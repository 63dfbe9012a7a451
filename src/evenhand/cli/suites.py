"""evenhand suites: what can be asked."""

from typing import Annotated

import typer

from evenhand.cli.options import inside, verbs
from evenhand.cli.output import Columns, print_columns, print_json, print_table, say
from evenhand.measures.definitions.registry import DEFAULT
from evenhand.options import Argument, Json, Option
from evenhand.suites.glosses import sentence_gloss
from evenhand.suites.registry import SuiteEntry, list_suites, load_suite


@verbs
def suites(ctx: typer.Context, json: Json = False) -> None:
    """List the suites that ship with Evenhand and the readers for published files."""
    if ctx.invoked_subcommand:
        return
    entries = list_suites()
    rows = [{"name": e.name, "takes_path": e.takes_path, "summary": e.summary, **_facts(e)} for e in entries]
    if json:
        print_json(rows)
        return
    columns: Columns = {"suite": lambda row: row["name"] + ":PATH" * row["takes_path"], "what it is": "summary"}
    print_columns(None, columns, rows, whole=("suite",))
    typer.echo("")
    columns = {
        "suite": "name",
        "from": "source_lang",
        "into": lambda row: ",".join(row["targets"]),
        "sentences": lambda row: f"{row['probes']:,}",
        "measures": lambda row: ", ".join(name for name in row["measures"] if not name.startswith("share_")),
    }
    print_columns(None, columns, [row for row in rows if "probes" in row], whole=("suite", "from", "sentences"))
    say(
        "\nEvery suite has the shares of female, male, neutral and both as well. `evenhand suites show NAME` prints "
        "its probes with English glosses, `evenhand glossary NAME` explains a measure. The path of your own table "
        "works in place of a suite."
    )


def _facts(entry: SuiteEntry) -> dict[str, object]:
    """Languages, size and measures of a suite that ships; one that needs a file, or comes from another package, is made
    only when it is asked for."""
    if entry.takes or not entry.module.startswith("evenhand."):
        return {}
    suite = load_suite(entry.name)
    facts = {"source_lang": suite.source_lang, "targets": suite.targets}
    return {**facts, "probes": len(suite), "measures": suite.measures or DEFAULT}
    return {
        "source_lang": suite.source_lang,
        "targets": suite.targets,
        "probes": len(suite),
        "measures": suite.measures or DEFAULT,
    }


@inside(suites)
def show(
    name: Annotated[str, Argument("a suite, reader:PATH, or your own table", "SUITE")],
    ids: Annotated[bool, Option("print the ids only")] = False,
    first: Annotated[int, Option("how many probes to print (0: all, as TSV)", "N", least=0)] = 10,
    json: Json = False,
) -> None:
    """Describe a suite and print its probes (as TSV: `--first 0`)."""
    suite = load_suite(name)
    if ids:
        typer.echo("\n".join(suite.probes["id"].to_list()))
        return
    probes = suite.probes if first == 0 else suite.probes.head(first)
    if json:
        facts = {name: getattr(suite, name) for name in ("name", "version", "hash")} | {"probes": len(suite)}
        facts |= {name: getattr(suite, name) for name in ("kind", "clusters", "measures", "targets")}
        print_json({**facts, "first": [{**row, "gloss": sentence_gloss(row)} for row in probes.to_dicts()]})
        return
    if first == 0:
        typer.echo(probes.write_csv(separator="\t", quote_style="never"), nl=False)
        return
    say(f"{suite.name} {suite.version} (hash {suite.hash}): {suite.summary}")
    into = f" into {', '.join(suite.targets)}" if suite.targets else ""
    say(f"{len(suite):,} probes from {suite.source_lang}{into}; clusters: {', '.join(suite.clusters) or 'none'}")
    say(f"measures: {', '.join(suite.measures or DEFAULT)} (`evenhand glossary NAME` explains one)")
    if suite.citation:
        say(suite.citation)
    rows = [(r["id"], r["source"], r.get("focus") or "", sentence_gloss(r)) for r in probes.to_dicts()]
    columns = ("id", "source", "focus", "in English") if any(row[-1] for row in rows) else ("id", "source", "focus")
    print_table(None, columns, [row[: len(columns)] for row in rows], whole=("id",))


@inside(suites)
def diff(
    first: Annotated[str, Argument("a suite, e.g. pronouns-hungarian@1.0", "SUITE")],
    second: Annotated[str, Argument("another one, e.g. pronouns-hungarian", "SUITE")],
    json: Json = False,
) -> None:
    """List the probes in which two suites, or two versions of one, differ."""
    from evenhand.suites.suite import diff as compare_probes

    one, two = load_suite(first), load_suite(second)
    table = compare_probes(one, two)
    if json:
        print_json(table.to_dicts())
        return
    title = " and ".join(f"{some.name} {some.version} ({len(some):,} probes)" for some in (one, two))
    print_columns(title, {name: name for name in ("id", "change", "old", "new")}, table.iter_rows(named=True))
    counts = table["change"].value_counts(sort=True).iter_rows()
    typer.echo(", ".join(f"{count:,} {change}" for change, count in counts) or "the same sentences")
