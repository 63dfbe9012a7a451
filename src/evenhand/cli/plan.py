"""evenhand plan: what an audit would send; sends nothing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import typer

from evenhand import auditing
from evenhand.cli.output import print_json
from evenhand.systems import open_system, settings_of

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def plan(
    suite: str = typer.Argument(help="a suite's name, reader:PATH, or a table of your own"),
    system: str = typer.Option(..., "--system", "-s", help="a system's spec"),
    target: str = typer.Option(..., "--target", "-t", help="target language"),
    samples: int = typer.Option(1, "--samples", min=1, help="ask a sampling system this often"),
    price: float | None = typer.Option(None, "--price", help="price per million characters, any currency"),
    setting: list[str] = typer.Option([], "--set", help="a setting of the system, NAME=VALUE (repeatable)"),
    memory: Path | None = typer.Option(None, "--memory", help="translation memory"),
    power: float | None = typer.Option(
        None, "--power", help="also say how many probes detect this difference of a share (0.05: five points)"
    ),
    pilot: Path | None = typer.Option(None, "--pilot", help="a run to take the share and its clustering from"),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Count texts, characters, calls and memory hits of an audit, and its price where one is given."""
    found = auditing.preview(
        suite, open_system(system, **settings_of(setting)), target=target, samples=samples, price=price, memory=memory
    )
    strength = auditing.plan_power(suite, power, pilot=pilot) if power is not None else None
    if json:
        print_json({**asdict(found), **({"power": asdict(strength)} if strength else {})})
        return
    typer.echo(f"texts       {found.texts:>12,}")
    typer.echo(f"distinct    {found.distinct:>12,}")
    typer.echo(f"in memory   {found.memory_hits:>12,}")
    typer.echo(f"to send     {found.sent:>12,} texts, {found.characters:,} characters, {found.calls:,} calls")
    if found.price is not None:
        typer.echo(f"price       {found.price:>12,.2f}")
    typer.echo("Nothing was sent.")
    if strength:
        typer.echo(
            f"\nA difference of {strength.difference:.3f} between two systems (share {strength.share:.2f}, "
            f"intra-cluster correlation {strength.icc:.2f}{'' if pilot else ', both assumed: give --pilot RUN'}):\n"
            f"  this suite ({strength.clusters:,} clusters, {strength.probes:,} probes) reports it with probability "
            f"{strength.power:.2f};\n"
            f"  {strength.needed_clusters:,} clusters ({strength.needed_probes:,} probes) report it 80 times in 100."
        )
