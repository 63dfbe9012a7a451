"""Before an audit: what it would send and cost, and what differences its suite could show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import code
from evenhand.measures.counts import encode, is_gender
from evenhand.runs import Run
from evenhand.statistics.power import Design, needed, power
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems.agenda import Limits, Plan
from evenhand.systems.agenda import plan as plan_requests
from evenhand.systems.memory import Memory
from evenhand.systems.protocol import System
from evenhand.systems.registry import Translates
from evenhand.workflows.audit import memory_path, open_for, requests_of
from evenhand.workflows.unmarked import with_persons


def plan(
    suite: str | Path | Suite,
    system: str | System | Translates,
    *,
    target: str,
    samples: int = 1,
    price: float | None = None,
    memory: Path | str | None = None,
    limits: Limits | None = None,
) -> Plan:
    """What an audit with these settings would send, and cost at `price` per million characters; sends nothing."""
    asked = suite if isinstance(suite, Suite) else load_suite(suite)
    answering = open_for(system, asked)
    asked, _ = with_persons(asked)
    with Memory(Path(memory) if memory else memory_path()) as store:
        requests = list(requests_of(asked, code(target), samples))
        return plan_requests(answering, requests, store, limits=limits, price_per_million=price)


@dataclass(frozen=True)
class Strength:
    """What a suite can detect: a difference between two systems, and how likely it would be reported."""

    difference: float
    share: float
    icc: float
    clusters: int
    probes: int
    power: float
    needed_clusters: int
    needed_probes: int


def plan_power(suite: str | Path | Suite, difference: float, *, pilot: Path | None = None) -> Strength:
    """The chance that this suite reports a difference of a share, and the size that reports it 80 times in 100."""
    if not 0 < abs(difference) < 1:
        raise BadInput(f"a difference of shares lies between 0 and 1 (0.05: five points), not {difference:g}")
    asked = suite if isinstance(suite, Suite) else load_suite(suite)
    column = asked.clusters[0] if asked.clusters else "id"
    clusters = asked.probes[column].n_unique()
    each = len(asked) / clusters
    if pilot is not None:
        run = Run.load(pilot)
        design = replace(design_of(run.table, run.manifest.suite.clusters or ("id",)), each=each)
    else:
        design = Design(share=0.3, each=each)
    wanted = needed(design, difference)
    return Strength(
        difference=difference,
        share=design.share,
        icc=design.icc,
        clusters=clusters,
        probes=len(asked),
        power=power(design, difference, clusters),
        needed_clusters=wanted.clusters,
        needed_probes=wanted.probes,
    )


def design_of(table: pl.DataFrame, clusters: tuple[str, ...], *, shared: float = 0.5) -> Design:
    """The design of a run that exists (a pilot): share of female among female and male, and its icc over clusters.

    The icc is the analysis-of-variance estimate over the first cluster column, cut at 0.
    """
    coded, axes = encode(table.filter(is_gender("female", "male")), clusters[:1])
    if not coded.height:
        raise BadInput("no rendering of this run takes a gender: there is no share to plan with")
    counts = coded.group_by(axes[0]).agg(n=pl.len(), hits=is_gender("female").sum())
    n, hits = counts["n"].to_numpy().astype(float), counts["hits"].to_numpy().astype(float)
    total, share = n.sum(), hits.sum() / n.sum()
    if len(n) < 2 or total <= len(n):
        return Design(float(share), float(max(total / len(n), 1)), 0.0, shared)
    between = float((n * (hits / n - share) ** 2).sum() / (len(n) - 1))
    within = float((hits * (1 - hits / n)).sum() / (total - len(n)))
    size = float((total - (n**2).sum() / total) / (len(n) - 1))
    icc = (between - within) / (between + (size - 1) * within) if between + within > 0 else 0.0
    return Design(float(share), float(total / len(n)), float(np.clip(icc, 0.0, 1.0)), shared)
