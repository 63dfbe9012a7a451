"""evenhand plan: what an audit would send, its power, and a plan that is frozen; sends nothing."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.audit import Subject
from evenhand.cli.options import chosen, verb
from evenhand.cli.output import print_json, say
from evenhand.measures.definitions.direction import margin
from evenhand.options import Json, Option
from evenhand.report.words.vocabulary import amount
from evenhand.workflows.audit import plan as plan_audit
from evenhand.workflows.frozen import Frozen, freeze
from evenhand.workflows.power import ALIKE, Strength, plan_power
from evenhand.workflows.settings import AskSettings, PlanSettings, ScoreSettings

MEANING = {
    "share": "female among female and male",
    "icc": "correlation of two sentences of one cluster",
    "correlation": "of two systems' chances, cluster by cluster",
}


@dataclass(frozen=True)
class Study:
    """What a frozen plan says besides its settings."""

    freeze: Annotated[Path | None, Option("write the plan, fixed by a hash, for `audit --plan`", "FILE")] = None
    confirm: Annotated[tuple[str, ...], Option("with --freeze: a confirmatory result", "MEASURE[:GROUP]")] = ()
    margins: Annotated[
        Mapping[str, float], Option("with --freeze: no worse by more than D", "NAME=D", "--margin", parse=margin)
    ] = field(default_factory=dict)


@verb
def plan(
    subject: Subject,
    asking: AskSettings,
    study: Study,
    scoring: Annotated[ScoreSettings, "with --freeze: "],
    price: Annotated[float | None, Option("price per million characters, any currency", "X", least=0)] = None,
    power: partial[Strength] = chosen(plan_power),
    json: Json = False,
) -> None:
    """Count texts, characters, calls and memory hits of an audit, and its price if you give one."""
    suite, system, target = subject.checked().probes(), subject.translator(), subject.target
    sending = plan_audit(suite, system, target=target, price=price, memory=subject.memory, **vars(asking))
    wanted = any(value not in (None, (), 1) for value in power.keywords.values())
    strength = power(suite) if wanted else None
    frozen = study.freeze and freeze(
        study.freeze,
        suite=suite,
        system=system,
        target=target,
        settings=PlanSettings(**vars(asking), **vars(scoring)),
        sending=sending,
        confirmatory=study.confirm,
        margins=study.margins,
        asked=subject.named(asking),
    )
    if json:
        power_of, plan_of = ({"power": asdict(strength)} if strength else {}), frozen and {"plan": frozen.content()}
        print_json({**asdict(sending), **power_of, **(plan_of or {})})
        return
    calls = amount(sending.calls, "call")
    for name, count in (("texts", sending.texts), ("distinct", sending.distinct), ("in memory", sending.memory_hits)):
        typer.echo(f"{name:<12}{count:>12,}")
    typer.echo(f"to send     {sending.sent:>12,} texts, {sending.characters:,} characters, {calls}")
    if sending.price is not None:
        typer.echo(f"price       {sending.price:>12,.2f}")
    if sending.minutes is not None:
        typer.echo(f"time        {sending.minutes:>12,.1f} minutes at least, by the limits per minute")
    typer.echo("Nothing was sent.")
    if strength:
        _print_strength(strength)
    if frozen and study.freeze:
        _print_frozen(frozen, study.freeze)


def _print_strength(strength: Strength) -> None:
    """What the power rests on, then the power."""
    divided = f" / {strength.tests}" if strength.tests > 1 else ""
    family = f", corrected over {strength.measures} measures" if strength.measures > 1 else ""
    say(f"\nTwo systems compared by TFG, with the test of `evenhand compare` at {strength.alpha:g}{divided}{family}")
    for one in strength.assumptions:
        pilot = one.low is not None
        value = f"{one.value:.3f}" + (f" [{one.low:.3f}, {one.high:.3f}]" if pilot else "")
        source = f"{MEANING[one.name]} ({'from ' if pilot else ''}{one.source})"
        say(f"  {one.name:<12}{value:<22}{source}", hang=36)
    suite = f"{strength.clusters:,} clusters, {strength.probes:,} probes"
    if strength.difference is None or strength.power is None:
        say(f"No rise of the share is reported 80 times in 100 by this suite ({suite}).")
        return
    say(f"A difference of {strength.difference:.3f}:")
    say(f"  this suite ({suite}) reports it with probability {strength.power:.2f}")
    say(f"  {strength.power_independent:.2f} with correlation 0, {strength.power_alike:.2f} with {ALIKE:g}")
    if strength.power_unfavourable is not None:
        say(f"  {strength.power_unfavourable:.2f} at the unfavourable ends of the pilot's intervals")
    say(f"  {strength.needed_clusters:,} clusters ({strength.needed_probes:,} probes) report it 80 times in 100")
    for axis in strength.not_counted:
        say(f"Where systems are biased by {axis} as well, the power is lower.")


def _print_frozen(plan: Frozen, path: Path) -> None:
    """What was fixed, where, and the hash to publish."""
    typer.echo(f"\nfrozen      {plan.hash}  {path}  ({plan.frozen})")
    typer.echo(f"confirmatory  {', '.join(plan.confirmatory)}; everything else is exploratory")
    if plan.known:
        typer.echo(f"{plan.known:,} of {plan.texts:,} texts are answered already: the plan comes after those answers.")
    typer.echo(
        "Publish the hash before the audit: it proves that this plan was not changed, not that there was no other."
    )
