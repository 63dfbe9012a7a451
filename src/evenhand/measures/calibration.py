"""The detector's error rates from a person's labels, and what they mean for a count of verdicts.

A person labels a sample of decided verdicts (`evenhand review RUN --sample N` draws it by verdict, with inclusion
weights). From it comes the confusion matrix P(verdict | true gender). The observed shares of the verdicts are that
matrix applied to the true shares; inverting it, within 0 and 1, gives the corrected shares. Uncertainty about the
matrix is drawn from a Dirichlet distribution for each stratum (verdict) of the sample.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.errors import BadInput, listed
from evenhand.gender import DECIDED, SPELLINGS
from evenhand.level import LEVEL, tails
from evenhand.statistics.measure import Floats

FORMAT = 1
PRIOR = 0.5  # pseudo-count (Jeffreys) a cell of the sample when its uncertainty is drawn, never for the estimate itself
ENOUGH = 20  # labels of a gender from which on it gets the whole pseudo-count


@dataclass(frozen=True)
class Calibration:
    """Labels by verdict and true gender (counts: verdict x true), and how many renderings each verdict stands for.

    It holds for one target language and one kind of suite. `left_out` counts labels without a gender (unknown).
    """

    language: str
    kind: str
    counts: Floats
    weights: Floats
    left_out: int = 0
    note: str = field(default="", compare=False)

    def check(self, *, language: str, kind: str) -> None:
        """Refuse another language or kind of suite: error rates do not carry over."""
        if (language, kind) != (self.language, self.kind):
            raise BadInput(
                f"this calibration is for {self.kind} suites into {self.language!r}, not for a {kind} suite into "
                f"{language!r}. Label a sample of this run (evenhand review RUN --sample N) and calibrate again."
            )

    @property
    def fingerprint(self) -> str:
        """A short hash of everything the correction uses; part of a run's signature."""
        content = json.dumps([self.language, self.kind, self.counts.tolist(), self.weights.tolist()])
        return hashlib.sha256(content.encode()).hexdigest()[:12]

    def confusion(self) -> Floats:
        """P(verdict | true gender), rows are true genders. A gender without labels is taken as always recognised."""
        matrix: Floats = self._confusion(self._joint(self.counts[None, :, :]))[0]
        return matrix

    def draws(self, *, seed: int, count: int) -> Floats:
        """`count` confusion matrices from the uncertainty of the sample, strata (verdicts) independent."""
        rng = np.random.default_rng(np.random.SeedSequence([seed, 0xCA11]))
        drawn = np.zeros((count, len(DECIDED), len(DECIDED)))
        # a gender that was hardly labelled must not be made up from pseudo-counts alone
        pseudo = PRIOR * np.minimum(1.0, self.counts.sum(axis=0) / ENOUGH) * (self.weights @ self.counts > 0)
        for verdict, row in enumerate(self.counts):
            if row.sum():
                drawn[:, verdict, :] = rng.standard_gamma(row + pseudo, size=(count, len(DECIDED)))
        return self._confusion(self._joint(drawn))

    def _joint(self, by_verdict: Floats) -> Floats:
        """Weight of each (true, verdict) pair from compositions by verdict."""
        total = by_verdict.sum(axis=2, keepdims=True)
        shares = np.divide(by_verdict, total, out=np.zeros_like(by_verdict), where=total > 0)
        joint: Floats = np.swapaxes(shares * self.weights[None, :, None], 1, 2)
        return joint

    def _confusion(self, joint: Floats) -> Floats:
        total = joint.sum(axis=2, keepdims=True)
        seen = self.counts.sum(axis=0) > 0
        matrix = np.where(total > 0, joint / np.where(total > 0, total, 1.0), np.eye(len(DECIDED)))
        matrix[:, ~seen, :] = np.eye(len(DECIDED))[~seen]
        return matrix

    def table(self, *, seed: int = 0, level: float = LEVEL) -> pl.DataFrame:
        """The confusion matrix with intervals: true, verdict, labels, share, low, high."""
        share, drawn = self.confusion(), self.draws(seed=seed, count=4_000)
        low, high = np.quantile(drawn, tails(level), axis=0)
        rows = [
            {
                "language": self.language,
                "true": true,
                "verdict": verdict,
                "labels": int(self.counts[v, t]),
                "share": float(share[t, v]),
                "low": float(min(low[t, v], share[t, v])),
                "high": float(max(high[t, v], share[t, v])),
            }
            for t, true in enumerate(DECIDED)
            for v, verdict in enumerate(DECIDED)
            if self.counts[:, t].sum()
        ]
        return pl.DataFrame(rows)

    def save(self, path: Path) -> None:
        """Write as JSON; people can read and compare it."""
        content = {
            "format": FORMAT,
            "language": self.language,
            "kind": self.kind,
            "labels": {
                v: dict(zip(DECIDED, map(float, row), strict=True)) for v, row in zip(DECIDED, self.counts, strict=True)
            },
            "weights": dict(zip(DECIDED, map(float, self.weights), strict=True)),
            "left_out": self.left_out,
        }
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read a calibration file; anything else is an error that names the file."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            labels, weights = content["labels"], content["weights"]
            return cls(
                language=str(content["language"]),
                kind=str(content["kind"]),
                counts=np.array([[float(labels[v][t]) for t in DECIDED] for v in DECIDED]),
                weights=np.array([float(weights[v]) for v in DECIDED]),
                left_out=int(content.get("left_out", 0)),
            )
        except FileNotFoundError as error:
            raise BadInput(f"{path}: no such calibration file") from error
        except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"{path}: not a calibration file ({error!r}). `evenhand calibrate LABELS.tsv` makes one."
            ) from error


def calibrate(labels: pl.DataFrame, *, language: str | None = None, kind: str | None = None) -> Calibration:
    """Error rates from a person's labels: columns gender (the verdict), label (what the person says), weight?.

    `label` takes the five words or their first letters; unknown or empty labels are counted and left out, as are
    verdicts that were undecided. Language and kind come from the columns target_lang and kind, or the arguments.
    """
    for column in ("gender", "label"):
        if column not in labels.columns:
            raise BadInput(f"the labels have no column {column!r}; they have {listed(labels.columns)}")
    language = language or _only(labels, "target_lang", "language")
    kind = kind or _only(labels, "kind", "suite kind")
    said = labels["label"].cast(pl.String).fill_null("").str.strip_chars().str.to_lowercase()
    said = said.replace(SPELLINGS).replace("", "unknown")
    wrong = said.filter(~said.is_in([*DECIDED, "unknown"]))
    if len(wrong):
        row = int((said == wrong[0]).arg_max() or 0) + 2
        raise BadInput(f"labels line {row}: {wrong[0]!r} is not a label. Use {', '.join(DECIDED)} or unknown.")
    weight = labels["weight"].cast(pl.Float64) if "weight" in labels.columns else pl.Series([1.0] * len(said))
    if weight.null_count() or (weight <= 0).any() or not weight.is_finite().all():
        raise BadInput("column 'weight' of the labels must be a positive number in every row")
    verdict = labels["gender"].cast(pl.String)
    counts, weights = np.zeros((len(DECIDED), len(DECIDED))), np.zeros(len(DECIDED))
    used = 0
    for v, t, w in zip(verdict, said, weight, strict=True):
        if v in DECIDED and t in DECIDED:
            counts[DECIDED.index(v), DECIDED.index(t)] += 1
            weights[DECIDED.index(v)] += w
            used += 1
    if not used:
        raise BadInput("no row of the labels has both a decided verdict and a gender by a person")
    return Calibration(language, kind, counts, weights, left_out=len(said) - used)


def _only(labels: pl.DataFrame, column: str, what: str) -> str:
    values = labels[column].drop_nulls().unique().to_list() if column in labels.columns else []
    if len(values) != 1:
        raise BadInput(f"the labels must be of one {what} (column {column!r}); found {values or 'none'}")
    return str(values[0])


def invert(observed: Floats, confusion: Floats) -> Floats:
    """True shares behind observed ones: solve confusion^T p = observed with p >= 0 and sum 1 (least squares).

    Both with leading dimensions that broadcast (resamples, contexts). Where the exact solution has no negative share
    it is taken; otherwise genders that come out negative are taken as absent and the others fitted again.
    """
    shape = observed.shape
    mixing = np.broadcast_to(np.swapaxes(confusion, -1, -2), (*shape[:-1], shape[-1], shape[-1]))
    seen, mixes = observed.reshape(-1, shape[-1]), mixing.reshape(-1, shape[-1], shape[-1])
    support = np.ones(seen.shape, dtype=bool)
    shares = np.zeros(seen.shape)
    waiting = np.arange(len(seen))
    while len(waiting):
        # rows with the same genders left are solved together; a gender that comes out negative is taken out
        keys = support[waiting] @ (1 << np.arange(shape[-1]))
        for key in np.unique(keys):
            rows = waiting[keys == key]
            kept = np.flatnonzero(support[rows[0]])
            fitted = np.zeros((len(rows), shape[-1]))
            fitted[:, kept] = _fit(seen[rows], mixes[rows][:, :, kept])
            shares[rows] = fitted
        negative = shares[waiting] < -1e-12
        support[waiting] &= ~negative
        waiting = waiting[negative.any(axis=1)]
    shares[shares < 1e-12] = 0.0
    corrected: Floats = (shares / shares.sum(axis=-1, keepdims=True)).reshape(shape)
    return corrected


def _fit(observed: Floats, columns: Floats) -> Floats:
    """Least squares with sum 1: eliminate the last share, solve the normal equations for the others."""
    if columns.shape[-1] == 1:
        return np.ones((len(observed), 1))
    last = columns[..., -1]
    design = columns[..., :-1] - last[..., None]
    flipped = np.swapaxes(design, -1, -2)
    # the ridge decides where two genders cannot be told apart at all
    square = flipped @ design + 1e-12 * np.eye(design.shape[-1])
    head = np.linalg.solve(square, flipped @ (observed - last)[..., None])[..., 0]
    return np.concatenate([head, 1 - head.sum(axis=-1, keepdims=True)], axis=-1)
