"""The options and the words of a frozen plan: `evenhand plan --freeze plan.toml --confirm TFG:verb_class`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.asking import Asking
from evenhand.detect import RULE
from evenhand.level import LEVEL
from evenhand.measures.definitions.direction import margin as read_margin
from evenhand.statistics.effective import RESAMPLES
from evenhand.suites.suite import Suite
from evenhand.systems import Plan, System
from evenhand.workflows.frozen import Frozen, freeze
from evenhand.workflows.settings import Settings


@dataclass(frozen=True)
class FreezeOptions:
    """What a plan fixes besides suite, system and language."""

    freeze: Annotated[
        Path | None,
        typer.Option("--freeze", metavar="FILE", help="write the plan of a study, fixed by a hash, for `audit --plan`"),
    ] = None
    confirm: Annotated[
        list[str] | None,
        typer.Option(
            "--confirm",
            metavar="MEASURE[:GROUP]",
            help="with --freeze: a result the study is made for (repeatable); all others are exploratory",
        ),
    ] = None
    measure: Annotated[
        list[str] | None, typer.Option("--measure", metavar="NAME", help="with --freeze: measure this too (repeatable)")
    ] = None
    margin: Annotated[
        list[str] | None,
        typer.Option("--margin", metavar="NAME=D", help="with --freeze: no worse by more than D in a comparison"),
    ] = None
    reference: Annotated[
        list[str] | None, typer.Option("--reference", metavar="REF", help="with --freeze: a reference (repeatable)")
    ] = None
    level: Annotated[
        float, typer.Option("--level", metavar="X", help="with --freeze: confidence level of every interval")
    ] = LEVEL
    rule: Annotated[str, typer.Option("--rule", metavar="RULE", help="with --freeze: pronoun rule")] = RULE
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="with --freeze: root of the randomness")] = 0
    resamples: Annotated[
        int, typer.Option("--resamples", metavar="N", min=100, help="with --freeze: draws behind an interval")
    ] = RESAMPLES

    def frozen(self, asking: Asking, suite: Suite, system: System, sending: Plan) -> Frozen | None:
        """The plan that was written; None where nobody asked for one."""
        if self.freeze is None:
            return None
        return freeze(
            self.freeze,
            suite=suite,
            system=system,
            target=asking.target,
            settings=Settings(
                samples=asking.samples,
                ask=asking.ask,
                context=asking.context,
                seed=self.seed,
                resamples=self.resamples,
                level=self.level,
                rule=self.rule,
                references=tuple(self.reference or ()),
                measures=tuple(self.measure or ()),
            ),
            sending=sending,
            confirmatory=self.confirm or (),
            margins=dict(map(read_margin, self.margin or ())),
            asked=asking.named(),
        )


def print_frozen(plan: Frozen, path: Path) -> None:
    """What was fixed, where, and the hash to publish."""
    typer.echo(f"\nfrozen      {plan.hash}  {path}  ({plan.frozen})")
    typer.echo(f"confirmatory  {', '.join(plan.confirmatory)}; everything else is exploratory")
    if plan.known:
        typer.echo(f"{plan.known:,} of {plan.texts:,} texts are answered already: the plan comes after those answers.")
    typer.echo(
        "Publish the hash before the audit: it shows that this plan was not changed, not that no other was frozen."
    )
