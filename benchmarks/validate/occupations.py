"""Coverage of B_mean, where few occupations carry half of it, and of corrected shares; the end-to-end check."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import polars as pl
from benchmarks.validate import layouts, others
from benchmarks.validate.coverage import RESAMPLES, Interval, Once
from benchmarks.validate.layouts import Floats, Generator

from evenhand import load_suite
from evenhand.measures.calibration import calibrate
from evenhand.measures.definitions.optimal import optimal_measures
from evenhand.measures.estimate import estimate
from evenhand.references.reference import load_reference

GENDERS = np.array(["female", "male", "neutral"])


@cache
def known_shares() -> Floats:
    """Shares of women in the occupations of the shipped US statistic: a few have nearly none."""
    share = load_reference("us-2020").table["share_women"].drop_nulls()
    return np.asarray(share.filter((share > 0) & (share < 1) & (share != 0.5)).to_numpy(), dtype=np.float64)


@cache
def five_carry_half() -> Floats:
    """200 shares of which five make half of the sum of the stakes."""
    usual = 1 / (2 + np.random.default_rng(2).exponential(1, 195) + 0.2)
    return np.concatenate([np.full(5, 1 / 52), usual])


def stakes(shares: Floats) -> Floats:
    least = np.minimum(shares, 1 - shares)
    return (1 - 2 * least) / least


def b_layout(rng: Generator, *, count: int, wrong: float, drawn: bool) -> list[Interval]:
    """Three renderings an occupation; `drawn`: occupations are drawn from all, else the 200 that five carry."""
    shares = rng.choice(known_shares(), count) if drawn else five_carry_half()
    truth = wrong * float(stakes(known_shares() if drawn else shares).mean())
    errors = rng.binomial(3, layouts.beta(rng, wrong, 0.5, count))
    male = shares > 0.5  # the wrong pronoun in an occupation of women is he
    female = np.where(male, 3 - errors, errors)
    frame = layouts.by_counts(np.column_stack([female, 3 - female]), share_women=shares)  # type: ignore[arg-type]
    frame = frame.with_columns(concept=pl.col("occupation"))
    measure = [m for m in optimal_measures() if m.name == "B_mean"]
    row = estimate(frame, clusters=("concept",), measures=measure, resamples=RESAMPLES).row(0, named=True)
    values = stakes(shares) * errors / 3
    return [Interval("B_mean", row["low"], row["high"], truth, others.means(values, rng))]


def corrected_layout(rng: Generator, *, count: int, each: int, shares: tuple[float, float, float]) -> list[Interval]:
    """A detector that errs, and a person's labels on a sample by verdict: the corrected share of female renderings."""
    errors = np.array([[0.85, 0.10, 0.05], [0.02, 0.95, 0.03], [0.05, 0.10, 0.85]])
    true = layouts.compositions(rng, shares, 0.15, count)
    kinds = np.array([rng.choice(3, each, p=c) for c in true])
    verdict = (rng.random(kinds.shape)[..., None] > errors[kinds].cumsum(axis=-1)).sum(axis=-1)
    other = rng.choice(3, 6_000, p=shares)
    judged = (rng.random(6_000)[:, None] > errors[other].cumsum(axis=1)).sum(axis=1)
    labels = []
    for v in range(3):
        members = np.flatnonzero(judged == v)
        chosen = rng.choice(members, min(150, len(members)), replace=False)
        labels += [(GENDERS[v], GENDERS[other[i]], len(members) / len(chosen)) for i in chosen]
    sample = pl.DataFrame(labels, schema=["gender", "label", "weight"], orient="row")
    found = estimate(
        layouts.table(np.repeat(np.arange(count), each), verdict.ravel()),
        clusters=("occupation",),
        measures=("share_female",),
        calibration=calibrate(sample, language="de", kind="nouns"),
        language="de",
        kind="nouns",
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    ).filter(variant="corrected")
    row = found.row(0, named=True)
    return [Interval("share_female, corrected", row["low"], row["high"], shares[0])]


def end_to_end(rng: Generator, *, shares: tuple[float, float, float]) -> list[Interval]:
    """The `simulated:` translator on a shipped suite, its renderings judged: from the translator to the interval."""
    from benchmarks.validate.simulated import verdicts

    table = verdicts(shares, int(rng.integers(1 << 30)))
    suite = load_suite("pronouns-turkish")
    found = estimate(table, clusters=suite.clusters, measures=("share_female", "P_S"), resamples=RESAMPLES)
    truth = {"share_female": shares[0], "P_S": float(np.sqrt(shares[0] * shares[1] + shares[2]))}
    return [Interval(m, low, high, truth[m]) for m, low, high in found.select("measure", "low", "high").iter_rows()]


LAYOUTS: dict[str, Once] = {
    "60 occupations of the US statistic, wrong .3": partial(b_layout, count=60, wrong=0.3, drawn=True),
    "200 occupations of the US statistic, wrong .3": partial(b_layout, count=200, wrong=0.3, drawn=True),
    "200 occupations, five carry half, wrong .3": partial(b_layout, count=200, wrong=0.3, drawn=False),
    "5 x 40 and 450 labels": partial(corrected_layout, count=5, each=40, shares=(0.3, 0.6, 0.1)),
    "40 x 20 and 450 labels, p .05": partial(corrected_layout, count=40, each=20, shares=(0.05, 0.9, 0.05)),
    "pronouns-turkish end to end, p .3": partial(end_to_end, shares=(0.3, 0.6, 0.1)),
    "pronouns-turkish end to end, p .02": partial(end_to_end, shares=(0.02, 0.98, 0.0)),
}
