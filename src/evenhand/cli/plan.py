"""evenhand plan: what an audit would send; sends nothing."""

from __future__ import annotations

from dataclasses import asdict

import typer

from evenhand.cli.asking import Asking
from evenhand.cli.freezing import FreezeOptions, print_frozen
from evenhand.cli.option_groups import grouped
from evenhand.cli.output import print_json
from evenhand.cli.strength import PowerOptions, print_strength
from evenhand.workflows import plan as planning

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
@grouped
def plan(
    asking: Asking,
    power: PowerOptions,
    freezing: FreezeOptions,
    price: float | None = typer.Option(
        None, "--price", metavar="X", min=0, help="price per million characters, any currency"
    ),
    json: bool = typer.Option(False, "--json", help="machine-readable"),
) -> None:
    """Count texts, characters, calls and memory hits of an audit, and its price where one is given."""
    asking = asking.filled()
    suite, system = asking.probes(), asking.answering()
    planned = planning.plan(
        suite,
        system,
        target=asking.target,
        samples=asking.samples,
        price=price,
        memory=asking.memory,
        limits=asking.limits(),
        refresh=asking.refresh,
        max_age=asking.oldest(),
        ask=asking.ask,
        context=asking.context,
    )
    strength = power.planned(suite)
    frozen = freezing.frozen(asking, suite, system, planned)
    if json:
        more = {"power": asdict(strength)} if strength else {}
        more |= {"plan": frozen.content()} if frozen else {}
        print_json({**asdict(planned), **more})
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
        print_strength(strength)
    if frozen and freezing.freeze:
        print_frozen(frozen, freezing.freeze)
