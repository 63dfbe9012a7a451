"""A reference's own sampling error: its shares of women drawn anew, where the sample behind them is known.

Known is a survey's answers, or the column `sample` of a statistic. A share is drawn from its posterior under Jeffreys'
prior, Beta(women + 1/2, men + 1/2); a survey's answers from the Dirichlet with 1/2 added to each, through the same
weights that made the score. Shares without a known sample stay as they are, and so do 0 and 1 (there B is undefined).
Errors of another kind (coverage, coding, an old year) are not in it. Source: Gelman et al. 2013, Bayesian Data
Analysis, chapters 2 and 3.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.measures.definitions.optimal import SHARE
from evenhand.references.reference import SAMPLE, Reference
from evenhand.references.survey import ANSWERS, WEIGHTS

DRAWS = 400


def drawn_shares(reference: Reference, *, seed: int, draws: int = DRAWS) -> dict[str, npt.NDArray[np.float64]]:
    """By key of the reference `draws` values of its share of women; keys whose sample is unknown are left out."""
    known = reference.table.filter((pl.col(SAMPLE) > 0) & (pl.col(SHARE) > 0) & (pl.col(SHARE) < 1))
    answered = set(ANSWERS) <= set(known.columns)
    rng = np.random.default_rng(seed)
    drawn = {}
    for row in known.iter_rows(named=True):
        if answered:
            answers = rng.dirichlet([row[c] + 0.5 for c in ANSWERS], size=draws) * np.array(WEIGHTS)
            drawn[row[reference.key]] = answers[:, 3:].sum(axis=1) / answers.sum(axis=1)
        else:
            women = row[SAMPLE] * row[SHARE]
            drawn[row[reference.key]] = rng.beta(women + 0.5, row[SAMPLE] - women + 0.5, size=draws)
    return drawn


def told(reference: Reference) -> str:
    """What is known about the reference: country, year, source, licence, and its sample."""
    sizes = reference.table[SAMPLE].drop_nulls().sort()
    if not sizes.len():
        return f"{reference.name} is {reference.told}; its sampling error is not stated"
    span = f"{sizes[0]:,.0f}" + (f" to {sizes[-1]:,.0f}" if sizes[-1] > sizes[0] else "")
    return f"{reference.name} is {reference.told}; it rests on {span} people an occupation"
