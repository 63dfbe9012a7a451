"""A study as rows of the estimates table: group "method", the version of the vectors as level.

`n` is what a list or test asks for, `n_decided` what has vectors, `reference` the test a number is of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from evenhand.embeddings.results import Study, Version
from evenhand.statistics.classical import adjust
from evenhand.statistics.intervals import Interval, wilson
from evenhand.statistics.permutation import Permutation
from evenhand.storage.tables import ESTIMATES

GROUP = "method"
PAIRED = ("MWEAT", "MWEAT_splits")  # the swap test, which respects the pairs; the test of the paper
TESTED = (*PAIRED, "WEAT")
FAMILY, FAMILY_OF_SETS = "Holm over the versions", "Holm over the word sets and versions"
Estimate = dict[str, object]


def study_estimates(study: Study) -> pl.DataFrame:
    """Directions and the agreement with English first (they are the original's), then every version."""
    rows = [*_directions(study), *_across(study)]
    for version in study.versions:
        rows += [
            *_association(study, version),
            *_one_form(study, version),
            *_nearness(study, version),
            *_utility(version),
        ]
    for measure in TESTED:
        over = [row for row in rows if row["measure"] == measure]
        for row, p in zip(over, adjust([float(str(row["p"])) for row in over], "holm").tolist(), strict=True):
            row["p_adjusted"] = p
    return pl.DataFrame(rows, schema=ESTIMATES)


def estimate(measure: str, level: str, interval: Interval, **further: object) -> Estimate:
    """A row; undefined numbers are null. `further` are other columns."""
    return {
        "measure": measure,
        "group": GROUP,
        "level": level,
        "variant": "raw",
        "value": _number(interval.value),
        "low": _number(interval.low),
        "high": _number(interval.high),
        "interval": interval.method if math.isfinite(interval.low) else None,
        "n": interval.n,
        "n_decided": interval.n,
        **further,
    }


def _tested(test: Permutation) -> str:
    """What stands behind a p."""
    kind = "exact" if test.exact else f"sampled, seed {test.seed}, p = (1 + hits) / (1 + n)"
    return f"{test.hits:,} of {test.permutations:,} arrangements as extreme ({kind}; {test.alternative})"


def _plain(value: float, n: int) -> Interval:
    """A number that has no interval."""
    return Interval(value, math.nan, math.nan, n, "")


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _directions(study: Study) -> Iterator[Estimate]:
    d, level = study.directions, study.original.method
    pairs = d.semantic.pairs + len(d.semantic.missing)
    explained = _plain(d.semantic.explained[0], d.semantic.pairs)
    yield estimate("variance_explained", level, explained, n=pairs)
    if d.grammatical is None:
        return
    g = d.grammatical
    nouns = ", ".join(f"{n} {name}" for n, name in zip(g.counts, g.classes, strict=True))
    folds = f"{g.kind.upper()}, {len(g.accuracy.folds)} folds, {nouns} nouns; by chance {g.accuracy.chance:.3f}"
    yield estimate("d_g_accuracy", level, g.accuracy.interval, note=folds)
    yield estimate("cos(d_PCA, d_g)", level, d.cosine_interval or _plain(d.cosine, sum(g.counts)))


def _across(study: Study) -> Iterator[Estimate]:
    if study.across is not None:
        correlation, p, _ = study.across
        asked = len(study.lists.occupations)
        yield estimate("bias_across_languages", study.original.method, correlation, n=asked, p=_number(p))


def _association(study: Study, version: Version) -> Iterator[Estimate]:
    level, asked = version.method, len(study.lists.occupations)
    if version.mweat is not None:
        m = version.mweat
        tests = (m.interval, m.swap), (_plain(m.statistic, m.pairs), m.test)
        for measure, (interval, test) in zip(PAIRED, tests, strict=True):
            yield estimate(measure, level, interval, n=asked, p=test.p, family=FAMILY, note=_tested(test))
    if version.moved is not None and version.moved.pairs:
        yield estimate("asymmetry", level, _plain(version.moved.worst, len(version.moved.pairs)), n=asked)
    if version.inanimate is not None:
        yield estimate("inanimate_association", level, version.inanimate, n=len(study.lists.inanimate))
    if version.residual is not None:
        r = version.residual
        yield estimate("residual_classifier", level, r.classifier)
        yield estimate("residual_cluster", level, r.cluster, note=f"by chance {r.cluster_by_chance:.3f}")


def _one_form(study: Study, version: Version) -> Iterator[Estimate]:
    """English: the effect size of every WEAT with the names of its sets as reference, then the occupations."""
    if version.english is None:
        return
    level, asked = version.method, {test.name: len(test.x + test.y) for test in study.lists.targets}
    for name, weat in version.english.tests:
        yield estimate(
            "WEAT",
            level,
            weat.interval,
            n=asked[name],
            n_decided=sum(weat.n),
            reference=name,
            p=weat.test.p,
            family=FAMILY_OF_SETS,
            note=_tested(weat.test),
        )
    if version.english.occupations is not None:
        held, listed = version.english.occupations, len(study.lists.titles)
        yield estimate("occupation_association", level, held.association, n=listed)
        yield estimate("occupations_nearer_male", level, held.nearer_male, n=listed)
        yield estimate("direct_bias", level, held.direct_bias, n=listed)


def _nearness(study: Study, version: Version) -> Iterator[Estimate]:
    level, asked = version.method, len(study.lists.occupations)
    if version.nearness is not None:
        near = version.nearness
        nearer = wilson(near.masculine_nearer, len(near.pairs), study.settings.level)
        yield estimate("ASD", level, near.asd, n=asked)
        yield estimate("ASD_absolute", level, near.absolute, n=asked)
        yield estimate("masculine_nearer", level, nearer, n=asked)
    if version.pair_translation is not None:
        t = version.pair_translation
        counted = {
            "n": t.questions,
            "n_decided": t.questions,
            "n_clusters": t.occupations,
            "note": f"{t.occupations} occupations x {t.adjectives} adjectives, both genders' forms",
        }
        for measure, interval in (("F_MRR", t.feminine), ("M_MRR", t.masculine), ("MRR_gap", t.gap)):
            yield estimate(measure, level, interval, **counted)


def _utility(version: Version) -> Iterator[Estimate]:
    level = version.method
    for name, similar in version.similarity.items():
        asked = {"n": similar.asked, "n_decided": similar.covered, "reference": name}
        yield estimate("Pearson", level, similar.pearson, **asked)
        yield estimate("Spearman", level, similar.spearman, **asked)
        if name in version.similarity_change:
            yield estimate("Pearson_change", level, version.similarity_change[name], **asked)
    for name, answer in version.translation.items():
        asked = {"n": answer.asked, "n_decided": answer.covered, "reference": name}
        for k, precision in answer.precision.items():
            note = f"{answer.candidates:,} candidates, {answer.retrieval.upper()}"
            yield estimate(f"P@{k}", level, precision, **asked, note=note)
        if name in version.precision_change:
            yield estimate("P@1_change", level, version.precision_change[name], **asked)
