"""evenhand plan: what an audit would send; sends nothing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import typer

from evenhand.cli.asking import Asking
from evenhand.cli.option_groups import grouped
from evenhand.cli.output import print_json
from evenhand.workflows import plan as planning

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
@grouped
def plan(
    asking: Asking,
    price: float | None = typer.Option(
        None, "--price", metavar="X", min=0, help="price per million characters, any currency"
    ),
    power: float | None = typer.Option(
        None,
        "--power",
        metavar="X",
        help="also say how many probes detect this difference of a share (0.05: five points)",
    ),
    pilot: Path | None = typer.Option(
        None, "--pilot", metavar="RUN", help="a run to take the share and its clustering from"
    ),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Count texts, characters, calls and memory hits of an audit, and its price where one is given."""
    suite = asking.probes()
    planned = planning.plan(
        suite,
        asking.answering(),
        target=asking.target,
        samples=asking.samples,
        price=price,
        memory=asking.memory,
        limits=asking.limits(),
    )
    strength = planning.plan_power(suite, power, pilot=pilot) if power is not None else None
    if json:
        print_json({**asdict(planned), **({"power": asdict(strength)} if strength else {})})
        return
    calls = "call" if planned.calls == 1 else "calls"
    typer.echo(f"texts       {planned.texts:>12,}")
    typer.echo(f"distinct    {planned.distinct:>12,}")
    typer.echo(f"in memory   {planned.memory_hits:>12,}")
    typer.echo(f"to send     {planned.sent:>12,} texts, {planned.characters:,} characters, {planned.calls:,} {calls}")
    if planned.price is not None:
        typer.echo(f"price       {planned.price:>12,.2f}")
    if planned.minutes is not None:
        typer.echo(f"time        {planned.minutes:>12,.1f} minutes at least, by the limits a minute")
    typer.echo("Nothing was sent.")
    if strength:
        typer.echo(
            f"\nA difference of {strength.difference:.3f} between two systems (share {strength.share:.2f}, "
            f"intra-cluster correlation {strength.icc:.2f}{'' if pilot else ', both assumed: give --pilot RUN'}):\n"
            f"  this suite ({strength.clusters:,} clusters, {strength.probes:,} probes) reports it with probability "
            f"{strength.power:.2f};\n"
            f"  {strength.needed_clusters:,} clusters ({strength.needed_probes:,} probes) report it 80 times in 100."
        )
