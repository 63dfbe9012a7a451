"""The detector's error rates from a person's labels, and what they mean for a count of verdicts.

A person labels a sample of decided verdicts (`evenhand review RUN --sample N` draws it by verdict, with inclusion
weights). From it comes the confusion matrix P(verdict | true gender). The observed shares of the verdicts are that
matrix applied to the true shares; inverting it, within 0 and 1, gives the corrected shares. In the run that the
labels were drawn from, labels and verdicts are one sample and have one interval over its clusters (corrected.py). In
other runs, uncertainty about the matrix is drawn from a Dirichlet distribution for each stratum (verdict), its labels
divided by their design effect over clusters. Where the labels suffice, every level of a grouping has its own matrix: a
detector that misses more women in one group than in the other makes a difference that no common matrix removes.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
import scipy

from evenhand.errors import BadInput, listed
from evenhand.gender import DECIDED, SPELLINGS
from evenhand.level import LEVEL, tails
from evenhand.statistics.classical import adjust
from evenhand.statistics.measure import Floats
from evenhand.storage.atomic import write_text
from evenhand.storage.tables import schema
from evenhand.suites.suite import Grouping
from evenhand.visible import shortened

FORMAT = 1
PRIOR = 0.5  # pseudo-count (Jeffreys) per cell of the sample when its uncertainty is drawn, never for the estimate
ENOUGH = 20  # labels of a gender from which on it gets the whole pseudo-count
FEWEST_CLUSTERS = 3
LABELLED = "_label"  # column with a person's label on a rendering of the run itself
LabelledRow = tuple[str, str, str, str]  # id, sample, verdict, label
_NO_CALIBRATION = (OSError, KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True)
class Calibration:
    """Labels by verdict and true gender (counts: verdict x true), and the number of renderings with each verdict. It
    holds for one target language and one kind of suite. `left_out` counts labels without a gender (unknown)."""

    language: str
    kind: str
    counts: Floats
    weights: Floats
    left_out: int = 0
    groups: "Mapping[str, Mapping[str, Calibration]]" = field(default_factory=dict)
    """The same by grouping and level, from the labels of that level alone."""
    effect: float = 1.0
    """The labels' design effect over clusters."""
    rows: tuple[LabelledRow, ...] = ()
    """The labelled renderings, where the labels say which they are."""
    strata: tuple[float, ...] = ()
    """How many renderings with each verdict the run had from which they were drawn."""

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
        parts: list[object] = [self.language, self.kind, self.counts.tolist(), self.weights.tolist()]
        parts += [self.effect, self.rows, self.strata] if self.rows or self.effect != 1 else []
        for grouping, levels in self.groups.items():
            parts += [grouping, {level: one.fingerprint for level, one in levels.items()}]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]

    def confusion(self) -> Floats:
        """P(verdict | true gender), rows are true genders. A gender without labels is taken as always recognised."""
        return np.asarray(self._confusion(self.counts[None, :, :])[0])

    def draws(self, *, seed: int, count: int, level: int = 0) -> Floats:
        """`count` confusion matrices from the uncertainty of the sample, strata (verdicts) independent. Of a `level`
        (from 1 on) of a grouping the sample also estimates how often it gets each verdict."""
        rng = np.random.default_rng(np.random.SeedSequence([seed, 0xCA11, level] if level else [seed, 0xCA11]))
        drawn = np.zeros((count, len(DECIDED), len(DECIDED)))
        # a gender that was hardly labelled must not be made up from pseudo-counts alone
        pseudo = PRIOR * np.minimum(1.0, self.counts.sum(axis=0) / ENOUGH) * (self.weights @ self.counts > 0)
        for verdict, row in enumerate(self.counts):
            if row.sum():
                drawn[:, verdict, :] = rng.standard_gamma(row / self.effect + pseudo, size=(count, len(DECIDED)))
        if not level:
            return self._confusion(drawn)
        n = self.counts.sum(axis=1) / self.effect
        n = np.where(n > 0, n, 1.0)
        return self._confusion(drawn, rng.standard_gamma(n, size=(count, len(DECIDED))) / n)

    def _confusion(self, by_verdict: Floats, often: Floats | float = 1.0) -> Floats:
        """P(verdict | true gender) from compositions by verdict, each verdict `often` times as frequent."""
        total = by_verdict.sum(axis=2, keepdims=True)
        shares = np.divide(by_verdict, total, out=np.zeros_like(by_verdict), where=total > 0)
        joint = np.swapaxes(shares * np.broadcast_to(self.weights * often, total.shape[:2])[:, :, None], 1, 2)
        total, seen = joint.sum(axis=2, keepdims=True), self.counts.sum(axis=0) > 0
        matrix = np.where(total > 0, joint / np.where(total > 0, total, 1.0), np.eye(len(DECIDED)))
        matrix[:, ~seen, :] = np.eye(len(DECIDED))[~seen]
        return matrix

    def matrices(self, grouping: str | None = None) -> Floats:
        """The confusion matrix of all labels, then that of each level of a grouping."""
        return np.stack([self.confusion(), *(one.confusion() for one in self._levels(grouping).values())])

    def drawn_matrices(self, grouping: str | None = None, *, seed: int, count: int) -> Floats:
        """`count` times the same from the uncertainty of the sample (count x matrices x true x verdict)."""
        levels = enumerate(self._levels(grouping).values(), start=1)
        drawn = [self.draws(seed=seed, count=count), *(one.draws(seed=seed, count=count, level=n) for n, one in levels)]
        return np.stack(drawn, axis=1)

    def labels_in(self, table: pl.DataFrame) -> pl.Series | None:
        """The label of each row of the run that the labels were drawn from (null: none); None for another run. It is
        that run where every labelled rendering has the same verdict in it, and as many renderings have each verdict as
        the sample's weights add up to."""
        if not self.rows or "id" not in table.columns:
            return None
        keys = ["id", *(["sample"] if "sample" in table.columns else [])]
        own = table.select(pl.col(*keys).cast(pl.String), verdict=pl.col("gender").cast(pl.String))
        sizes = [own.filter(verdict=verdict).height for verdict in DECIDED]
        types = schema(pl.String, "id", "sample", "verdict", LABELLED)
        labels = pl.DataFrame(self.rows, schema=types, orient="row").select(*keys, "verdict", LABELLED)
        if not np.allclose(sizes, self.strata, rtol=1e-6, atol=0.01) or labels.select(keys).is_duplicated().any():
            return None
        joined = own.join(labels, on=[*keys, "verdict"], how="left", maintain_order="left")
        return joined[LABELLED] if joined[LABELLED].count() == labels.height else None

    def _levels(self, grouping: str | None) -> "Mapping[str, Calibration]":
        return self.groups.get(grouping, {}) if grouping else {}

    def too_few(self, grouping: str) -> str:
        """Why the levels of a grouping cannot have their own matrices; empty where they can."""
        if grouping not in self.groups:
            return "the labels do not name their group"
        few = [
            f"{n} labelled {gender} in {level}, {ENOUGH} are needed"
            for level, one in self.groups[grouping].items()
            for gender, n in one._few().items()
        ]
        return few[0] if few else ""

    @property
    def thin(self) -> str:
        """What too few labels say; empty where there are enough of women and of men."""
        few = [f"{n or 'none'} labelled {gender}" for gender, n in self._few().items()]
        return f"too few labels to know the detector's errors: {', '.join(few)}, {ENOUGH} are needed" if few else ""

    def _few(self) -> dict[str, int]:
        """The genders, of female and male, with too few labels, and how many they have."""
        labelled = {gender: int(self.counts[:, DECIDED.index(gender)].sum()) for gender in ("female", "male")}
        return {gender: n for gender, n in labelled.items() if n < ENOUGH}

    def pooling(self, *, seed: int = 0) -> dict[str, float]:
        """For each grouping the p of the detector erring alike in all its levels, corrected over groupings (Holm)."""
        p = [homogeneity([one.counts for one in levels.values()], seed=seed) for levels in self.groups.values()]
        return dict(zip(self.groups, map(float, adjust(p, "holm")), strict=True)) if p else {}

    def by_level(self, *, seed: int = 0, level: float = LEVEL) -> pl.DataFrame:
        """The confusion matrix of every level of every grouping: grouping, group, and the columns of `table`."""
        tables = [
            one.table(seed=seed, level=level, part=number).select(
                pl.lit(grouping).alias("grouping"), pl.lit(name).alias("group"), pl.all()
            )
            for grouping, levels in self.groups.items()
            for number, (name, one) in enumerate(levels.items(), start=1)
        ]
        return pl.concat(tables) if tables else pl.DataFrame()

    def table(self, *, seed: int = 0, level: float = LEVEL, part: int = 0) -> pl.DataFrame:
        """The confusion matrix with intervals: true, verdict, labels, share, low, high (`part`: of a level). No
        interval where nothing can vary because every label is of one gender: that does not make a share sure."""
        share, drawn = self.confusion(), self.draws(seed=seed, count=4_000, level=part)
        low, high = np.quantile(drawn, tails(level), axis=0)
        ends = np.where(high - low > 1e-9, [np.minimum(low, share), np.maximum(high, share)], np.nan)
        rows = [
            (self.language, true, verdict, int(self.counts[v, t]), share[t, v], *ends[:, t, v])
            for t, true in enumerate(DECIDED)
            for v, verdict in enumerate(DECIDED)
            if self.counts[:, t].sum()
        ]
        types = {**schema(pl.String, "language", "true", "verdict"), **schema(pl.Int64, "labels")}
        types |= schema(pl.Float64, "share", "low", "high")
        return pl.DataFrame(rows, schema=types, orient="row").fill_nan(None)

    def save(self, path: Path) -> None:
        """Write as JSON; people can read and compare it."""
        groups = {g: {level: one._content() for level, one in levels.items()} for g, levels in self.groups.items()}
        content = {"format": FORMAT, "language": self.language, "kind": self.kind, **self._content()}
        content |= {"left_out": self.left_out, "effect": self.effect, "rows": self.rows, "strata": self.strata}
        write_text(path, json.dumps({**content, "groups": groups}, indent=2) + "\n")

    def _content(self) -> dict[str, object]:
        labels = {v: dict(zip(DECIDED, row, strict=True)) for v, row in zip(DECIDED, self.counts.tolist(), strict=True)}
        return {"labels": labels, "weights": dict(zip(DECIDED, self.weights.tolist(), strict=True))}

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a calibration file; anything else is an error that names the file."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            language, kind = str(content["language"]), str(content["kind"])
            groups = {
                grouping: {level: cls(language, kind, *_numbers(**part)) for level, part in levels.items()}
                for grouping, levels in content.get("groups", {}).items()
            }
            left_out, (effect, rows, strata) = int(content.get("left_out", 0)), _drawn(content)
            counts, weights = _numbers(**content)
            return cls(language, kind, counts, weights, left_out, groups, effect, rows, strata)
        except FileNotFoundError as error:
            raise BadInput(f"{path}: no such calibration file") from error
        except _NO_CALIBRATION as error:
            cause = f"{type(error).__name__}: {shortened(str(error), 200)}"
            raise BadInput(f"{path}: not a calibration file ({cause}); make one by `evenhand calibrate`") from error


def _numbers(
    labels: Mapping[str, Mapping[str, float]], weights: Mapping[str, float], **_: object
) -> tuple[Floats, Floats]:
    counts = np.array([[float(labels[v][t]) for t in DECIDED] for v in DECIDED])
    sizes = np.array([float(weights[v]) for v in DECIDED])
    if not all(np.isfinite(part).all() and (part >= 0).all() for part in (counts, sizes)):
        raise ValueError("a count that is not a number of 0 or more")
    return counts, sizes


def _drawn(content: Mapping[str, Any]) -> tuple[float, tuple[LabelledRow, ...], tuple[float, ...]]:
    """What a file says about how its labels were drawn; ValueError where that cannot be."""
    effect, strata = float(content.get("effect", 1.0)), tuple(float(n) for n in content.get("strata", ()))
    rows = tuple((str(id), str(sample), str(v), str(t)) for id, sample, v, t in content.get("rows", ()))
    if not 1 <= effect < math.inf or not all(map(math.isfinite, strata)) or len(strata) not in (0, len(DECIDED)):
        raise ValueError("a design effect below 1, or no number of renderings")
    if not all(v in DECIDED and t in DECIDED for *_, v, t in rows):
        raise ValueError("a labelled rendering without a gender")
    return effect, rows, strata


def _spelt(labels: pl.DataFrame) -> pl.Series:
    """What the people said, spelt out; BadInput for what is no label."""
    genders = labels["label"].cast(pl.String).fill_null("").str.strip_chars().str.to_lowercase()
    genders = genders.replace(SPELLINGS).replace("", "unknown")
    wrong = genders.filter(~genders.is_in([*DECIDED, "unknown"]))
    if len(wrong):
        row = int((genders == wrong[0]).arg_max() or 0) + 2
        raise BadInput(f"labels line {row}: {wrong[0]!r} is not a label. Use {', '.join(DECIDED)} or unknown.")
    return genders


def _weights(labels: pl.DataFrame) -> pl.Series:
    weight = labels["weight"].cast(pl.Float64) if "weight" in labels.columns else pl.Series([1.0] * labels.height)
    if weight.null_count() or (weight <= 0).any() or not weight.is_finite().all():
        raise BadInput("column 'weight' of the labels must be a positive number in every row")
    return weight


def calibrate(labels: pl.DataFrame, *, language: str | None = None, kind: str | None = None) -> Calibration:
    """Error rates from a person's labels: columns gender (the verdict), label (what the person says), weight?.

    `label` takes the five words or their first letters; unknown or empty labels are counted and left out, as are
    verdicts that were undecided. Language and kind come from the columns target_lang and kind, or the arguments.
    Columns by_GROUPING say which level a rendering belongs to; every level gets its own error rates. Column
    `cluster` says which renderings are alike, `id` (and `sample`) which rendering of its run each one is.
    """
    for column in ("gender", "label"):
        if column not in labels.columns:
            raise BadInput(f"the labels have no column {column!r}; they have {listed(labels.columns)}")
    language = language or _only(labels, "target_lang", "language")
    kind = kind or _only(labels, "kind", "suite kind")
    label, weight = _spelt(labels), _weights(labels)
    verdict = labels["gender"].cast(pl.String)
    used = verdict.is_in(list(DECIDED)) & label.is_in(list(DECIDED))
    if not used.any():
        raise BadInput("no row of the labels has both a decided verdict and a gender by a person")
    labelled = pl.DataFrame({"verdict": verdict, "label": label, "weight": weight}).with_columns(
        [labels[c].cast(pl.String) for c in labels.columns if c.startswith(PREFIX) or c in ("id", "sample", "cluster")]
    )
    kept = labelled.filter(used)
    known = "id" in kept.columns and not kept["id"].null_count()  # which renderings were labelled
    sample = pl.col("sample").fill_null("0") if "sample" in kept.columns else pl.lit("0")
    rows = tuple(kept.select("id", sample, "verdict", "label").rows()) if known else ()
    groups = {}
    for column in (c for c in kept.columns if c.startswith(PREFIX)):
        parts = {str(x): part for (x,), part in kept.group_by(column) if x}
        if len(parts) > 1:
            levels = {x: Calibration(language, kind, *_counted(parts[x])) for x in sorted(parts)}
            groups[column.removeprefix(PREFIX)] = levels
    strata = tuple(float(labelled.filter(verdict=v)["weight"].sum()) for v in DECIDED) if rows else ()
    counts, weights = _counted(kept)
    left_out, effect = len(label) - kept.height, _design_effect(kept)
    return Calibration(language, kind, counts, weights, left_out, groups, effect, rows, strata)


def _design_effect(kept: pl.DataFrame) -> float:
    """Kish's design effect (1965) of the labels: their variance over clusters, within their verdict, divided by that of
    labels of which no two are alike; at least 1, and 1 where there is no column `cluster`."""
    if "cluster" not in kept.columns or kept["cluster"].n_unique() < FEWEST_CLUSTERS:
        return 1.0
    genders = [(pl.col("label") == gender).cast(pl.Float64).alias(gender) for gender in DECIDED]
    away = [(pl.col("weight") * (pl.col(g) - pl.col(g).mean().over("verdict"))).alias(g) for g in DECIDED]
    moves = kept.with_columns(genders).select("cluster", *away)
    alone = float((moves.select(DECIDED).to_numpy() ** 2).sum())
    sums = moves.group_by("cluster").agg(pl.col(*DECIDED).sum()).select(DECIDED).to_numpy()
    together = float((sums**2).sum()) * len(sums) / (len(sums) - 1)
    return max(together / alone, 1.0) if alone > 0 else 1.0


def _counted(rows: pl.DataFrame) -> tuple[Floats, Floats]:
    """Labels by verdict and true gender, and the weight of each verdict."""
    counts, weights = np.zeros((len(DECIDED), len(DECIDED))), np.zeros(len(DECIDED))
    for verdict, label, weight in rows.select("verdict", "label", "weight").iter_rows():
        counts[DECIDED.index(verdict), DECIDED.index(label)] += 1
        weights[DECIDED.index(verdict)] += weight
    return counts, weights


def _only(labels: pl.DataFrame, column: str, what: str) -> str:
    values = labels[column].drop_nulls().unique().to_list() if column in labels.columns else []
    if len(values) != 1:
        raise BadInput(f"the labels must be of one {what} (column {column!r}); found {values or 'none'}")
    return str(values[0])


# Does the detector err alike in all groups? Labels by group, and whether one confusion matrix may stand for all.
# A person's labels are drawn by verdict. Among the labelled renderings of one true gender the verdicts are then
# equally distributed in every group if, and only if, the detector's error rates are the same there, and the renderings
# can be dealt out to the groups again. The test is the permutation test of that, over all true genders together
# (Fisher's exact test for larger tables: Agresti 1992, Statistical Science 7). It takes labelled renderings for
# independent.

PREFIX = "by_"  # of a sheet's columns that say which level of a grouping a rendering belongs to
MOST_LEVELS = 4
DRAWS = 5_000


def level_of(grouping: Grouping, table: pl.DataFrame) -> pl.Series | None:
    """The level each row belongs to (null: none); None where levels overlap, or are fewer than two or too many."""
    filters = grouping.filters(table)
    if not 2 <= len(filters) <= MOST_LEVELS:
        return None
    inside = table.select([condition.fill_null(value=False).alias(level) for level, condition in filters.items()])
    if int(inside.select(pl.sum_horizontal(pl.all().cast(pl.Int64)).max()).item() or 0) > 1:
        return None
    named = [pl.when(pl.col(level)).then(pl.lit(level)) for level in inside.columns]
    return inside.select(pl.coalesce(named).alias(grouping.name)).to_series()


def homogeneity(levels: Sequence[Floats], *, seed: int = 0, draws: int = DRAWS) -> float:
    """P of error rates as different as these if the detector erred alike in all levels (labels: verdict x true each).
    NaN where nothing can be compared: no true gender that was labelled in two levels got two verdicts."""
    counts = np.stack(levels).round().astype(np.int64)
    rng = np.random.default_rng([seed, 0x900])
    seen, drawn = [], np.zeros(draws)
    for true in range(counts.shape[2]):
        table = counts[:, :, true]
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        if min(table.shape) >= 2:
            dealt = scipy.stats.random_table(table.sum(axis=1), table.sum(axis=0)).rvs(draws, random_state=rng)
            seen.append(float(_likelihood_ratio(table[None])[0]))
            drawn += _likelihood_ratio(dealt)
    return float((1 + (drawn >= sum(seen) - 1e-9).sum()) / (1 + draws)) if seen else np.nan


def _likelihood_ratio(tables: np.ndarray) -> Floats:
    """G of levels x verdicts against independence, for each table."""
    rows, columns = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
    expected = rows * columns / tables.sum(axis=(1, 2), keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(tables > 0, tables * np.log(tables / expected), 0.0)
    return np.asarray(2 * terms.sum(axis=(1, 2)))
