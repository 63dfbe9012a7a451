"""evenhand plan: what an audit would send; sends nothing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import typer

from evenhand.cli.options import (
    CHARACTERS_PER_MINUTE,
    MEMORY,
    ONLY,
    REQUESTS_PER_MINUTE,
    SAMPLES,
    SETTING,
    SUITE,
    SYSTEM,
    TARGET,
    TEXTS_PER_CALL,
)
from evenhand.cli.output import print_json
from evenhand.suites.registry import load_suite
from evenhand.systems import Limits, open_system, settings_of
from evenhand.workflows import plan as planning

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def plan(
    suite: str = SUITE,
    only: list[str] = ONLY,
    system: str = SYSTEM,
    target: str = TARGET,
    samples: int = SAMPLES,
    price: float | None = typer.Option(
        None, "--price", metavar="X", min=0, help="price per million characters, any currency"
    ),
    setting: list[str] = SETTING,
    memory: Path | None = MEMORY,
    requests_per_minute: float | None = REQUESTS_PER_MINUTE,
    characters_per_minute: float | None = CHARACTERS_PER_MINUTE,
    texts_per_call: int | None = TEXTS_PER_CALL,
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
    asked = load_suite(suite).only(only)
    found = planning.plan(
        asked,
        open_system(system, **settings_of(setting)),
        target=target,
        samples=samples,
        price=price,
        memory=memory,
        limits=Limits(
            texts=texts_per_call,
            requests_per_minute=requests_per_minute,
            characters_per_minute=characters_per_minute,
        ),
    )
    strength = planning.plan_power(asked, power, pilot=pilot) if power is not None else None
    if json:
        print_json({**asdict(found), **({"power": asdict(strength)} if strength else {})})
        return
    calls = "call" if found.calls == 1 else "calls"
    typer.echo(f"texts       {found.texts:>12,}")
    typer.echo(f"distinct    {found.distinct:>12,}")
    typer.echo(f"in memory   {found.memory_hits:>12,}")
    typer.echo(f"to send     {found.sent:>12,} texts, {found.characters:,} characters, {found.calls:,} {calls}")
    if found.price is not None:
        typer.echo(f"price       {found.price:>12,.2f}")
    if found.minutes is not None:
        typer.echo(f"time        {found.minutes:>12,.1f} minutes at least, by the limits a minute")
    typer.echo("Nothing was sent.")
    if strength:
        typer.echo(
            f"\nA difference of {strength.difference:.3f} between two systems (share {strength.share:.2f}, "
            f"intra-cluster correlation {strength.icc:.2f}{'' if pilot else ', both assumed: give --pilot RUN'}):\n"
            f"  this suite ({strength.clusters:,} clusters, {strength.probes:,} probes) reports it with probability "
            f"{strength.power:.2f};\n"
            f"  {strength.needed_clusters:,} clusters ({strength.needed_probes:,} probes) report it 80 times in 100."
        )
