"""evenhand check: a gate for CI."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from evenhand.cli.options import verb
from evenhand.cli.output import print_columns, print_json, say
from evenhand.errors import BadInput
from evenhand.measures.decisions.gate import Gate
from evenhand.options import Argument, Option
from evenhand.report.exchange.gates import WRITERS, as_json
from evenhand.report.words.vocabulary import amount
from evenhand.results.runs import Run
from evenhand.storage.tables import count_decided, count_valid
from evenhand.workflows.check import accept_changes, gate_history
from evenhand.workflows.check import gate as gate_run
from evenhand.workflows.compare import detectors_differ
from evenhand.workflows.settings import Change, GateSettings

Format = Annotated[
    Literal["text", "json", "junit", "github", "sarif"],
    Option("how to print the gate; junit is XML, github are annotations, sarif is JSON for code scanning"),
]


@verb
def check(
    folder: Annotated[Path, Argument("the run to check", "RUN")],
    settings: GateSettings,
    against: Annotated[Path | None, Option("an earlier run's folder, or a TOML file of limits", "BASELINE")] = None,
    history: Annotated[tuple[Path, ...], Option("folders of all earlier runs of this system", "DIR")] = (),
    plot: Annotated[Path | None, Option("with --history: draw the sequence (SVG, PNG or PDF)", "FILE")] = None,
    sentences: Annotated[bool, Option("gate single strings as well: see --change")] = False,
    change: Annotated[
        Change, Option("the change of a person that fails; to-male: male now and not before")
    ] = "to-male",
    accept_new: Annotated[bool, Option("first add all current changes to that file")] = False,
    format: Format = "text",
    json: Annotated[bool, Option("the same as --format json")] = False,
) -> None:
    """Exit 1 if a limit is broken, a measure got worse, or a margin is missed, with one line per failure.

    Exit 2 when nothing can be concluded: tables that were edited, no renderings, or renderings that are all alike.
    """
    refused = {
        "give --against BASELINE (one earlier run, or a file of limits) or --history DIR (all earlier runs)": (
            (against is None) is not bool(history)
        ),
        "--accept needs --sentences": bool(settings.accept or accept_new) and not sentences,
        "--accept-new needs --accept FILE, the file to write": accept_new and settings.accept is None,
    }
    if any(refused.values()):
        raise BadInput(next(text for text, applies in refused.items() if applies))
    run, before, more = Run.load(folder), None, dict[str, object]()
    if history:
        gate, sequence = gate_history(run, history, settings)
        title = f"{run.path} after {sequence['run'].n_unique() - 1} earlier runs"
        more = {"sequence": sequence.to_dicts()}
        if plot is not None:
            from evenhand.report.charts.history import draw_history

            draw_history(sequence, plot)
    elif against is not None:
        if accept_new and settings.accept is not None:
            added = accept_changes(run, against, settings.accept, sentences=change)
            typer.echo(f"{added:,} changes added to {settings.accept}", err=True)
        gate = gate_run(run, against, **vars(replace(settings, sentences=change if sentences else None)))
        before = None if against.suffix == ".toml" else Run.load(against)
        warning = detectors_differ([run, before] if before else [run])
        if warning:
            typer.echo(f"note: {warning}", err=True)
        title = f"{folder} against {against}"
        more = {"note": warning, **_counts(run), "before": _counts(before) if before else None}
    if json or format == "json":
        print_json({**as_json(gate), **more, "signature": run.signature})
    elif format in WRITERS:
        typer.echo(WRITERS[format](gate, title), nl=False)
    else:
        _print(gate, title, (run, before), settings.level or run.manifest.level)
    raise typer.Exit(gate.exit_code)


def _counts(run: Run) -> dict[str, int | None]:
    return {"n": run.answers.height, "n_valid": count_valid(run.answers), "n_decided": count_decided(run.answers)}


def _decided(run: Run) -> str:
    counts = _counts(run)
    valid = "" if counts["n_valid"] is None else f"{counts['n_valid']:,} valid, "
    return f"{amount(counts['n'] or 0, 'rendering')}, {valid}{counts['n_decided']:,} decided"


def _print(gate: Gate, title: str, runs: tuple[Run, Run | None], level: float) -> None:
    run, before = runs
    typer.echo(_decided(run) + (f" (before {_decided(before)})" if before else ""))
    for line in (*(f"DOUBT   {one}" for one in gate.doubts), *(f"FAILED  {one}" for one in gate.failures)):
        say(line, hang=8)
    checks = [check for check in gate.checks if check.kind != "sentence"]
    measured = [asdict(check) | {"gated": check.name or check.kind} for check in checks]
    if measured:
        bound = f"at most ({100 * level:.4g} %)"
        columns = {"gated": "gated", "was": "was", "now": "now", "worse by": "worse_by", bound: "at_most"}
        print_columns(None, {**columns, "rule": "rule", "outcome": "outcome"}, measured, kept=("gated", "outcome"))
    for why in dict.fromkeys(gate.not_gated.values()):
        say(f"not gated: {', '.join(n for n, other in gate.not_gated.items() if other == why)}: {why}")
    for note in gate.notes:
        say(f"sentences: {note}", hang=11)
    typer.echo(verdict(gate, title, f"passed: {title}"))


def verdict(gate: Gate, title: str, passed: str) -> str:
    """The last line: doubts before failures, failures before `passed`."""
    if gate.doubts:
        return f"nothing can be concluded: {title}"
    failed = len(gate.failures)
    return f"failed: {title}, {failed} of {len(gate.checks)} checks" if failed else passed
