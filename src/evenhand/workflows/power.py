"""Before an audit: what differences its suite could show, from what is assumed, given or learnt from a pilot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np

from evenhand.errors import BadInput
from evenhand.level import ALPHA
from evenhand.measures.decisions.paired import comparable
from evenhand.measures.definitions import registry
from evenhand.measures.definitions.counts import encode
from evenhand.measures.definitions.gendered import FeminineShare
from evenhand.measures.pilot import ALONE, Pilot, pilot_of
from evenhand.options import Option
from evenhand.results.runs import Run, load_run
from evenhand.statistics.power import Clustered, Design, detectable, family_alpha, needed, power
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.workflows.compare import same_suite

SHARE, ICC, CORRELATION = 0.3, 0.3, 0.5  # where nothing is known
INDEPENDENT, ALIKE = 0.0, 0.8  # correlations that the power is shown for besides


@dataclass(frozen=True)
class Assumption:
    """One number the power rests on. `source`: assumed, given, or the run it was estimated from."""

    name: str
    value: float
    source: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Strength:
    """What a suite can detect between two systems, by the test that `compare` makes of one share (TFG).

    `difference` is the one asked for, else the smallest rise that is reported 80 times in 100 (None: no rise is).
    `power_independent` and `power_alike` are the power with correlations 0 and 0.8; `power_unfavourable` with the
    unfavourable ends of the pilot's intervals. `tests` is the number that alpha is divided by; the p is corrected over
    `measures`, those of the suite.
    """

    assumptions: tuple[Assumption, ...]
    difference: float | None
    clusters: int
    probes: int
    tests: int
    alpha: float
    measures: int = 1
    power: float | None = None
    power_independent: float | None = None
    power_alike: float | None = None
    power_unfavourable: float | None = None
    needed_clusters: int | None = None
    needed_probes: int | None = None
    not_counted: tuple[str, ...] = ()
    """Further axes of the suite: leanings by them are not counted and would lower the power."""

    def assumed(self, name: str) -> float:
        """The value of one assumption."""
        return next(a.value for a in self.assumptions if a.name == name)


def plan_power(
    suite: str | Path | Suite,
    *,
    difference: Annotated[
        float | None,
        Option(
            "also say how likely, and with how many probes, a comparison of two systems reports this difference of a "
            "share (0.05: five points)",
            "X",
            "--power",
        ),
    ] = None,
    like: Annotated[
        Sequence[Run | Path | str],
        Option("a pilot run to learn share and icc from; a second of the same suite: the correlation too", "RUN"),
    ] = (),
    share: Annotated[float | None, Option("the first system's share, if known", "X", least=0, most=1)] = None,
    icc: Annotated[float | None, Option("correlation of two sentences of a cluster", "X", least=0, most=1)] = None,
    correlation: Annotated[
        float | None, Option("how alike the two systems' biases are, by cluster", "X", least=0, most=1)
    ] = None,
    tests: Annotated[int, Option("comparisons that share the 5 % (Bonferroni)", "N", least=1)] = 1,
) -> Strength:
    """The chance that comparing two systems on this suite reports a difference, and the size that does 80 times in 100.

    `like`: one pilot run (share and icc; the correlation is then taken as 0, the most cautious) or two of the same
    suite (the correlation too). What is given by hand counts before the pilot. Without either, 0.3, 0.3 and 0.5 are
    assumed. Leanings by a second axis (verbs) are not counted: where systems have them, the power is lower.
    """
    if difference is not None and not 0 < abs(difference) < 1:
        raise BadInput(f"a difference of shares lies between 0 and 1 (0.05: five points), not {difference:g}")
    asked = suite if isinstance(suite, Suite) else load_suite(suite)
    layout, measure = layout_of(asked), FeminineShare()
    runs = [load_run(run) for run in like]
    pilot = _pilot(runs)
    assumptions = _assumptions(runs, pilot, share=share, icc=icc, correlation=correlation)
    values = {a.name: a.value for a in assumptions}
    design = Design(**values, sentence=pilot.sentence if pilot else 0.0, counted=pilot.counted if pilot else 1.0)
    family = [m for m in map(registry.by_name, asked.measures or registry.DEFAULT) if comparable(m)]

    def decided(gap: float) -> float:
        """The plain p at which `compare` reports a difference of this size."""
        return family_alpha(design, gap, layout, measures=family, alpha=ALPHA / max(tests, 1))

    gap, alpha = difference, decided(0.0 if difference is None else difference)
    if gap is None:
        gap = detectable(design, layout, measure=measure, alpha=alpha)
    told = Strength(
        assumptions,
        gap,
        layout.clusters,
        layout.probes,
        tests,
        ALPHA,
        measures=len(family),
        not_counted=asked.clusters[1:],
    )
    if gap is None:
        return told

    def reached(other: Design) -> float:
        return power(other, gap, layout, measure=measure, alpha=alpha)

    wanted = needed(design, gap, layout, measure=measure, alpha=alpha)
    unfavourable = _unfavourable(design, assumptions, gap)
    return replace(
        told,
        power=reached(design),
        power_independent=reached(replace(design, correlation=INDEPENDENT)),
        power_alike=reached(replace(design, correlation=ALIKE)),
        power_unfavourable=reached(unfavourable) if unfavourable != design else None,
        needed_clusters=wanted.clusters,
        needed_probes=wanted.probes,
    )


def layout_of(suite: Suite) -> Clustered:
    """A suite's probes by the clusters of its first axis."""
    coded, axes = encode(suite.probes, suite.clusters[:1])
    return Clustered(coded.group_by(axes[0]).len().sort(axes[0])["len"].to_numpy().astype(np.float64))


def _pilot(runs: Sequence[Run]) -> Pilot | None:
    if not runs:
        return None
    if len(runs) > 2:
        raise BadInput(f"a plan is like one run or two of them, not {len(runs)}")
    if len(runs) == 2:
        same_suite(runs[1], runs[0])
    return pilot_of(*(run.table for run in runs), clusters=runs[0].manifest.suite.clusters)


def _assumptions(
    runs: Sequence[Run], pilot: Pilot | None, *, share: float | None, icc: float | None, correlation: float | None
) -> tuple[Assumption, ...]:
    names = [run.path.name if run.path else run.manifest.system_label for run in runs]
    if len(names) == 1:
        cautious = Assumption("correlation", INDEPENDENT, "assumed, the most cautious: one run cannot say")
    else:
        cautious = Assumption("correlation", CORRELATION, "assumed")
    listed = []
    for name, given, default, learnt in (
        ("share", share, Assumption("share", SHARE, "assumed"), pilot.share if pilot else None),
        ("icc", icc, Assumption("icc", ICC, "assumed"), pilot.icc if pilot else None),
        ("correlation", correlation, cautious, pilot.correlation if pilot else None),
    ):
        if given is not None:
            listed.append(Assumption(name, given, "given"))
        elif learnt is not None and learnt.method == ALONE:
            listed.append(Assumption(name, learnt.value, ALONE))
        elif learnt is not None:
            source = names[0] if name == "share" else " and ".join(names)
            listed.append(Assumption(name, learnt.value, source, learnt.low, learnt.high))
        else:
            listed.append(default)
    return tuple(listed)


def _unfavourable(design: Design, assumptions: Sequence[Assumption], difference: float) -> Design:
    """The ends of the pilot's intervals that make the variance larger: more icc, less correlation, nearer to a half."""
    ends = {a.name: (a.low, a.high) for a in assumptions if a.low is not None and a.high is not None}
    changed = design
    if "icc" in ends:
        changed = replace(changed, icc=min(ends["icc"][1], 1.0))
    if "correlation" in ends:
        changed = replace(changed, correlation=ends["correlation"][0])
    if "share" in ends:
        low, high = ends["share"]
        half = min(max(0.5 - difference / 2, low), high)  # both systems together are nearest to a half there
        changed = replace(changed, share=min(max(half, 0.0, -difference), 1.0, 1 - difference))
    return changed
