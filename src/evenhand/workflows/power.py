"""Before an audit: what differences its suite could show, from what is assumed, given or learnt from a pilot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np

from evenhand.errors import BadInput
from evenhand.level import ALPHA
from evenhand.measures.decisions.paired import comparable
from evenhand.measures.definitions import registry
from evenhand.measures.definitions.counts import encode
from evenhand.measures.definitions.gendered import TFG
from evenhand.measures.pilot import ALONE, Pilot, pilot_of
from evenhand.options import Option
from evenhand.results.runs import Run, load_run
from evenhand.statistics.power import Design, Planned
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

    `difference` is the given one, else the smallest rise that is reported 80 times in 100 (None: no rise is).
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
    """Further axes of the suite: bias by them is not counted and would lower the power."""


def plan_power(
    suite: str | Path | Suite,
    *,
    difference: Annotated[
        float | None, Option("also print the power to detect this difference of a share", "X", "--power")
    ] = None,
    like: Annotated[
        Sequence[Run | Path | str], Option("a pilot run for share and icc; two: correlation too", "RUN")
    ] = (),
    share: Annotated[float | None, Option("the first system's share, if known", "X", least=0, most=1)] = None,
    icc: Annotated[float | None, Option("correlation of two sentences of a cluster", "X", least=0, most=1)] = None,
    correlation: Annotated[float | None, Option("of two systems' biases, by cluster", "X", least=0, most=1)] = None,
    tests: Annotated[int, Option("comparisons that share the 5 % (Bonferroni)", "N", least=1)] = 1,
) -> Strength:
    """The chance that comparing two systems on this suite reports a difference, and the size that does 80 times in 100.

    `like`: one pilot run (share and icc; the correlation is then taken as 0, the most cautious) or two of the same
    suite (the correlation too). What is given by hand counts before the pilot. Without either, 0.3, 0.3 and 0.5 are
    assumed. Bias by a second axis (verbs) is not counted: where systems have it, the power is lower.
    """
    if difference is not None and not 0 < abs(difference) < 1:
        raise BadInput(f"a difference of shares must be between 0 and 1 (0.05: five points), not {difference:g}")
    asked = suite if isinstance(suite, Suite) else load_suite(suite)
    runs = [load_run(run) for run in like]
    pilot = _pilot(runs)
    assumptions = _assumptions(runs, pilot, {"share": share, "icc": icc, "correlation": correlation})
    values = {a.name: a.value for a in assumptions}
    design = Design(**values, sentence=pilot.sentence if pilot else 0.0, counted=pilot.counted if pilot else 1.0)
    family = [m for m in map(registry.by_name, asked.measures or registry.DEFAULT) if comparable(m)]
    coded, axes = encode(asked.probes, asked.clusters[:1])
    sizes = coded.group_by(axes[0]).len().sort(axes[0])["len"].to_numpy().astype(np.float64)
    planned = Planned(design, sizes, TFG, ALPHA / max(tests, 1)).corrected(difference or 0.0, family)
    gap = planned.detectable() if difference is None else difference
    sized, further = (planned.clusters, planned.probes), asked.clusters[1:]
    strength = Strength(assumptions, gap, *sized, tests, ALPHA, measures=len(family), not_counted=further)
    if gap is None:
        return strength

    def power(other: Design) -> float:
        return replace(planned, design=other).power(gap)

    needed, unfavourable = planned.needed(gap), _unfavourable(design, assumptions, gap)
    independent, alike = (power(replace(design, correlation=value)) for value in (INDEPENDENT, ALIKE))
    worst = power(unfavourable) if unfavourable != design else None
    return replace(
        strength,
        power=power(design),
        power_independent=independent,
        power_alike=alike,
        power_unfavourable=worst,
        needed_clusters=needed.clusters,
        needed_probes=needed.probes,
    )


def _pilot(runs: Sequence[Run]) -> Pilot | None:
    if len(runs) > 2:
        raise BadInput(f"a plan is like one run or two of them, not {len(runs)}")
    for run in runs[1:]:
        same_suite(run, runs[0])
    return pilot_of(*(run.table for run in runs), clusters=runs[0].manifest.suite.clusters) if runs else None


def _assumptions(runs: Sequence[Run], pilot: Pilot | None, given: Mapping[str, float | None]) -> tuple[Assumption, ...]:
    names = [run.path.name if run.path else run.manifest.system_label for run in runs]
    defaults = {"share": (SHARE, "assumed"), "icc": (ICC, "assumed"), "correlation": (CORRELATION, "assumed")}
    if len(names) == 1:
        defaults["correlation"] = (INDEPENDENT, "assumed, the most cautious value: one run cannot show it")
    listed = []
    for name, default in defaults.items():
        value, estimate = given[name], getattr(pilot, name) if pilot else None
        if value is not None or estimate is None:
            listed.append(Assumption(name, *(default if value is None else (value, "given"))))
        elif estimate.method == ALONE:
            listed.append(Assumption(name, estimate.value, ALONE))
        else:
            source = names[0] if name == "share" else " and ".join(names)
            listed.append(Assumption(name, estimate.value, source, estimate.low, estimate.high))
    return tuple(listed)


def _unfavourable(design: Design, assumptions: Sequence[Assumption], difference: float) -> Design:
    """The ends of the pilot's intervals that make the variance larger: more icc, less correlation, nearer to a half."""
    ends = {a.name: (a.low, a.high) for a in assumptions if a.low is not None and a.high is not None}
    changed = {}
    if "icc" in ends:
        changed["icc"] = min(ends["icc"][1], 1.0)
    if "correlation" in ends:
        changed["correlation"] = ends["correlation"][0]
    if "share" in ends:
        low, high = ends["share"]
        half = min(max(0.5 - difference / 2, low), high)  # both systems together are nearest to a half there
        changed["share"] = min(max(half, 0.0, -difference), 1.0, 1 - difference)
    return replace(design, **changed)
