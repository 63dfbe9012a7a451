"""The options and the words of a suite's power: `evenhand plan --power 0.05 --like RUN`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.output import say
from evenhand.suites.suite import Suite
from evenhand.workflows.power import ALIKE, Assumption, Strength, plan_power

MEANING = {
    "share": "female among female and male",
    "icc": "correlation of two sentences of one cluster",
    "correlation": "of two systems' chances, cluster by cluster",
}


@dataclass(frozen=True)
class PowerOptions:
    """A difference to be detected and what is known about it."""

    power: Annotated[
        float | None,
        typer.Option(
            "--power",
            metavar="X",
            help="also say how likely, and with how many probes, a comparison of two systems reports this difference "
            "of a share (0.05: five points)",
        ),
    ] = None
    like: Annotated[
        list[Path] | None,
        typer.Option(
            "--like",
            metavar="RUN",
            help="a pilot run to learn share and icc from; a second one of the same suite: the correlation too",
        ),
    ] = None
    share: Annotated[
        float | None, typer.Option("--share", metavar="X", min=0, max=1, help="the first system's share, if known")
    ] = None
    icc: Annotated[
        float | None, typer.Option("--icc", metavar="X", min=0, max=1, help="correlation of two sentences of a cluster")
    ] = None
    correlation: Annotated[
        float | None,
        typer.Option("--correlation", metavar="X", min=0, max=1, help="how alike the two systems lean by cluster"),
    ] = None
    tests: Annotated[
        int, typer.Option("--tests", metavar="N", min=1, help="comparisons that share the 5 % (Bonferroni)")
    ] = 1

    def planned(self, suite: Suite) -> Strength | None:
        """None where nobody asked for the power."""
        given = (self.power, self.like or None, self.share, self.icc, self.correlation)
        if all(value is None for value in given):
            return None
        return plan_power(
            suite,
            difference=self.power,
            like=self.like or (),
            share=self.share,
            icc=self.icc,
            correlation=self.correlation,
            tests=self.tests,
        )


def print_strength(strength: Strength) -> None:
    """What the power rests on, then the power."""
    divided = f" / {strength.tests}" if strength.tests > 1 else ""
    say(f"\nTwo systems compared by TFG, with the test of `evenhand compare` at {strength.alpha:g}{divided}")
    for assumption in strength.assumptions:
        say(f"  {assumption.name:<12}{_number(assumption):<22}{_words(assumption)}", hang=36)
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
        say(f"Where systems lean by {axis} as well, the power is lower.")


def _number(assumption: Assumption) -> str:
    interval = "" if assumption.low is None else f" [{assumption.low:.3f}, {assumption.high:.3f}]"
    return f"{assumption.value:.3f}{interval}"


def _words(assumption: Assumption) -> str:
    learnt = assumption.low is not None
    return f"{MEANING[assumption.name]} ({'from ' if learnt else ''}{assumption.source})"
