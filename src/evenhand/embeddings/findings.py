"""A study as findings: estimates, what they cannot hold (words, points of figures), and the signature's parts."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from evenhand.embeddings.directions import FOLDS
from evenhand.embeddings.mitigation import Moved
from evenhand.embeddings.study import Study, Version
from evenhand.embeddings.wordlists import TwoForms
from evenhand.embeddings.wordscore import Agreement, WordScores
from evenhand.languages import name_of
from evenhand.level import LEVEL
from evenhand.notes import Note
from evenhand.results.findings import Findings, FindingsManifest
from evenhand.statistics.classical import adjust
from evenhand.statistics.intervals import Array, Interval, none, wilson
from evenhand.statistics.permutation import Permutation
from evenhand.storage.tables import ALL, ESTIMATES

STUDY = "embeddings"
MOST_PAIRS, MOST_THINGS = 25, 16  # drawn; more cannot be read
SHIFTED = ("hybrid-ori", "shift-ori")  # which version is drawn beside the original


def study_findings(study: Study, sources: Mapping[str, str] | None = None) -> Findings:
    """What `embeddings audit` and `evaluate` save and show; `sources` are the signature's parts for what was read."""
    space, s = study.original.space, study.settings
    read = [vectors for vectors in (space.gendered, space.english) if vectors is not None]
    named = " with ".join(f"{v.name} ({len(v):,} words, {v.dim} dimensions)" for v in read)
    parts = {
        "language": study.language,
        **(sources or {name: v.signature for name, v in zip(("vectors", "english"), read, strict=False)}),
        "lists": f"#{study.lists.fingerprint}",
        "tests": study.tests.signature,
        "versions": ",".join(version.method for version in study.versions),
        "match": f"case {space.gendered.match.case}, accents {space.gendered.match.accents}",
        "classifier": s.classifier,
        "retrieval": s.retrieval,
        "refine": str(s.refine),
        "permutations": str(s.permutations),
        "bias": "measured" if study.bias else "not measured",
    }
    title, notes = f"Gender in {name_of(study.language)} word vectors", tuple(map(Note, dict.fromkeys(_notes(study))))
    measured = named + (f", {len(study.versions)} versions" if len(study.versions) > 1 else "")
    manifest = FindingsManifest(STUDY, title, measured, parts, s.level, s.seed, notes)
    tables = {name: table for name, table in _tables(study).items() if table.height}
    return Findings(manifest, study_estimates(study), tables)


def _tables(study: Study) -> dict[str, pl.DataFrame]:
    return {
        "coverage": _table(
            [(c.name, c.found, c.asked, ", ".join(c.missing)) for c in study.coverage],
            "list", "covered", "asked", "missing",
        ),
        "components": pl.DataFrame({"variance_explained": study.directions.semantic.explained}),
        "pairs": _pairs(study),
        "occupations": _table(
            [(v.method, *word) for v in study.versions for word in (v.occupations.words if v.occupations else ())],
            "method", "word", "s", "cos_d_PCA",
        ),
        "inanimate": _table([(v.method, *thing) for v in study.versions for thing in v.things], "method", "word", "s"),
        "skipped": _table(
            [(v.method, forms) for v in study.versions for forms in (v.moved or Moved()).skipped], "method", "forms"
        ),
        "projection": _projection(study),
        "shifted": _shifted(study),
        "across": _table(  # the paper's Figure 4: association of an occupation in English, bias of its forms here
            [(p.english, p.masculine, p.feminine, s, bias) for p, bias, s in (study.across[2] if study.across else ())],
            "english", "masculine", "feminine", "s_english", "bias",
        ),
    }  # fmt: skip


def _notes(study: Study) -> Iterator[str]:
    if study.directions.why and study.lists.gendered:
        yield f"No grammatical direction: {study.directions.why}. The semantic direction is used as it is"
    yield from study.warnings
    yield from (f"{name} was not run: {why}" for name, why in study.impossible.items())
    yield from (note for version in study.versions for note in version.notes)


def _table(rows: Sequence[tuple[object, ...]], *columns: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=list(columns), orient="row", infer_schema_length=None)


def _pairs(study: Study) -> pl.DataFrame:
    rows: list[tuple[object, ...]] = []
    for version in study.versions:
        cosines = {pair: near for pair, *near in version.nearness.pairs} if version.nearness else {}
        biases = {b.forms: (b.masculine, b.feminine, b.bias) for b in version.mweat.biases} if version.mweat else {}
        for pair in dict.fromkeys((*biases, *cosines)):
            numbers_of = (*biases.get(pair, [None] * 3), *cosines.get(pair, [None] * 2))
            rows.append((version.method, pair.english, pair.masculine, pair.feminine, *numbers_of))
    words, numbers = "method english masculine feminine", "s_masculine s_feminine b_w cos_masculine cos_feminine"
    return _table(rows, *words.split(), *numbers.split())


def _projection(study: Study) -> pl.DataFrame:
    """The paper's Figure 1: words on the grammatical and the semantic direction; empty without the former."""
    directions, vectors, lists = study.directions, study.original.space.gendered, study.lists
    if directions.grammatical is None:
        return pl.DataFrame()
    covered = [(p.feminine, p.masculine) for p in lists.occupations if p.masculine in vectors and p.feminine in vectors]
    listed = {"definition": lists.definitions, "two forms": covered[:MOST_PAIRS]}
    genders = ("feminine", "masculine")
    paired = [(kind, pair) for kind, pairs in listed.items() for pair in pairs]
    words = [(word, kind, gender) for kind, pair in paired for word, gender in zip(pair, genders, strict=True)]
    for gender in genders:
        things = [word for word in lists.inanimate if word in vectors and lists.nouns.get(word) == gender]
        words += [(word, "thing", gender) for word in things[: MOST_THINGS // 2]]
    d, rows = directions.orthogonal / np.linalg.norm(directions.orthogonal), []
    for word, kind, gender in dict.fromkeys(words):
        if (row := vectors.row(word)) is not None:
            unit = vectors.unit[row].astype(np.float64)
            rows.append((word, kind, gender, float(unit @ d), float(unit @ directions.grammatical.basis[0])))
    return _table(rows, "word", "kind", "gender", "semantic", "grammatical")


def _shifted(study: Study) -> pl.DataFrame:
    """The paper's Figures 2 and 3: both forms and the English word on d_s, before and after a shift to the origin."""
    after = next((v for v in reversed(study.versions) if v.method in SHIFTED and v.moved and v.moved.pairs), None)
    if after is None or after.moved is None:
        return pl.DataFrame()
    d = study.directions.orthogonal / np.linalg.norm(study.directions.orthogonal)
    shown = [(pair, version) for pair in after.moved.pairs[:MOST_PAIRS] for version in (study.original, after)]
    rows = [row for pair, version in shown for row in _forms(version, pair, d)]
    return _table(rows, "occupation", "method", "gender", "word", "semantic")


def _forms(version: Version, pair: TwoForms, d: Array) -> Iterator[tuple[object, ...]]:
    english = version.space.english
    forms = [("masculine", pair.masculine, version.space.gendered), ("feminine", pair.feminine, version.space.gendered)]
    if english is not None and pair.english in english:
        forms.append(("English", pair.english, english))
    for gender, word, vectors in forms:
        semantic = float(vectors[word].astype(np.float64) @ d)
        yield pair.english or pair.masculine, version.method, gender, word, semantic


# A study as rows of the estimates table: group "method", the version of the vectors as level.
# `n` is what a list or test asks for, `n_decided` what has vectors, `reference` the test a number is of.

GROUP = "method"
PAIRED = ("MWEAT", "MWEAT_splits")  # the swap test, which respects the pairs; the test of the paper
TESTED = (*PAIRED, "WEAT")
FAMILY, FAMILY_OF_SETS = "Holm over the versions", "Holm over the word sets and versions"
Estimate = dict[str, object]


def study_estimates(study: Study) -> pl.DataFrame:
    """Directions and the agreement with English first (they are the original's), then every version."""
    rows = list(_directions(study))
    if study.across is not None:
        correlation, p, _ = study.across
        listed = len(study.lists.occupations)
        rows.append(estimate("bias_across_languages", study.original.method, correlation, n=listed, p=p))
    for version in study.versions:
        rows += [*_association(study, version), *_one_form(study, version), *_nearness(study, version)]
        rows += _utility(version)
    for measure in TESTED:
        over = [row for row in rows if row["measure"] == measure]
        for row, p in zip(over, adjust([float(str(row["p"])) for row in over], "holm").tolist(), strict=True):
            row["p_adjusted"] = p
    return _framed(rows)


def _framed(rows: Sequence[Estimate]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=ESTIMATES).with_columns(pl.col(pl.Float64).fill_nan(None))


def estimate(measure: str, level: str, interval: Interval, **further: object) -> Estimate:
    """A row. `further` are other columns."""
    method = interval.method if math.isfinite(interval.low) else None
    row: Estimate = {"measure": measure, "group": GROUP, "level": level, "variant": "raw"}
    row |= {"value": interval.value, "low": interval.low, "high": interval.high, "interval": method}
    return row | {"n": interval.n, "n_decided": interval.n} | further


def _tested(test: Permutation) -> str:
    kind = "exact" if test.exact else f"sampled, seed {test.seed}, p = (1 + hits) / (1 + n)"
    return f"{test.hits:,} of {test.permutations:,} arrangements as extreme ({kind}; two-sided)"


def _directions(study: Study) -> Iterator[Estimate]:
    d, g, level = study.directions, study.directions.grammatical, study.original.method
    explained = none(d.semantic.explained[0], "", d.semantic.pairs)
    yield estimate("variance_explained", level, explained, n=d.semantic.pairs + len(d.semantic.missing))
    if g is None:
        return
    nouns = ", ".join(f"{n} {name}" for n, name in zip(g.counts, g.classes, strict=True))
    folds = f"{g.kind.upper()}, {FOLDS} folds, {nouns} nouns; by chance {max(g.counts) / sum(g.counts):.3f}"
    yield estimate("d_g_accuracy", level, g.accuracy, note=folds)
    yield estimate("cos(d_PCA, d_g)", level, d.cosine_interval or none(d.cosine, "", sum(g.counts)))


def _association(study: Study, version: Version) -> Iterator[Estimate]:
    level, listed = version.method, len(study.lists.occupations)
    if m := version.mweat:
        tests = (m.interval, m.swap), (none(m.statistic, "", m.pairs), m.test)
        for measure, (interval, test) in zip(PAIRED, tests, strict=True):
            yield estimate(measure, level, interval, n=listed, p=test.p, family=FAMILY, note=_tested(test))
    if version.moved and version.moved.pairs:
        yield estimate("asymmetry", level, none(version.moved.worst, "", len(version.moved.pairs)), n=listed)
    if version.inanimate:
        yield estimate("inanimate_association", level, version.inanimate, n=len(study.lists.inanimate))
    if r := version.residual:
        yield estimate("residual_classifier", level, r.classifier)
        yield estimate("residual_cluster", level, r.cluster, note=f"by chance {r.cluster_by_chance:.3f}")


def _one_form(study: Study, version: Version) -> Iterator[Estimate]:
    """English: the effect size of every WEAT with the names of its sets as reference, then the occupations."""
    level, sizes = version.method, {test.name: len(test.x + test.y) for test in study.lists.targets}
    for name, weat in version.weats:
        counted = {"n": sizes[name], "n_decided": sum(weat.n), "reference": name, "note": weat.warning or None}
        yield estimate("WEAT", level, weat.interval, **counted, p=weat.p, family=FAMILY_OF_SETS)
    if held := version.occupations:
        measures = ("occupation_association", "occupations_nearer_male", "direct_bias")
        for measure, interval in zip(measures, held[1:], strict=True):
            yield estimate(measure, level, interval, n=len(study.lists.titles))


def _nearness(study: Study, version: Version) -> Iterator[Estimate]:
    level, listed = version.method, len(study.lists.occupations)
    if near := version.nearness:
        nearer = wilson(near.masculine_nearer, len(near.pairs), study.settings.level)
        for measure, interval in (("ASD", near.asd), ("ASD_absolute", near.absolute), ("masculine_nearer", nearer)):
            yield estimate(measure, level, interval, n=listed)
    if t := version.pair_translation:
        note = f"{t.occupations} occupations x {t.adjectives} adjectives, both genders' forms"
        counted = {"n": t.questions, "n_decided": t.questions, "n_clusters": t.occupations, "note": note}
        for measure, interval in (("F_MRR", t.feminine), ("M_MRR", t.masculine), ("MRR_gap", t.gap)):
            yield estimate(measure, level, interval, **counted)


def _utility(version: Version) -> Iterator[Estimate]:
    level = version.method
    for name, similar in version.similarity.items():
        counts = {"n": similar.asked, "n_decided": similar.covered, "reference": name}
        yield estimate("Pearson", level, similar.pearson, **counts)
        yield estimate("Spearman", level, similar.spearman, **counts)
        if name in version.similarity_change:
            yield estimate("Pearson_change", level, version.similarity_change[name], **counts)
    for name, answer in version.translation.items():
        counts = {"n": answer.asked, "n_decided": answer.covered, "reference": name}
        for k, precision in answer.precision.items():
            note = f"{answer.candidates:,} candidates, {answer.retrieval.upper()}"
            yield estimate(f"P@{k}", level, precision, **counts, note=note)
        if name in version.precision_change:
            yield estimate("P@1_change", level, version.precision_change[name], **counts)


# A ranking of words as findings: the table of scores, and its agreement with an outside statistic as estimates.

WORD_SCORES = "word-scores"


def score_findings(
    scores: WordScores,
    sources: Mapping[str, str],
    *,
    agreement: Agreement | None = None,
    reference: str = "reference",
    warnings: Sequence[str] = (),
    level: float = LEVEL,
) -> Findings:
    """What `evenhand embeddings score` saves and shows; `sources` are the signature's parts for what was read."""
    left_out = {"without a vector": scores.unranked, "averaged over fewer columns": scores.partial}
    notes = [*warnings, *(f"{what}: {', '.join(words)}" for what, words in left_out.items() if words)]
    title = "Words from feminine to masculine"
    measured = f"{len(scores.words)} of {scores.asked} words ranked over {len(scores.columns)} columns"
    manifest = FindingsManifest(WORD_SCORES, title, measured, sources, level, notes=tuple(map(Note, notes)))
    seen = [scores.columns[: n + 1].count(name) for n, name in enumerate(scores.columns)]  # two files of one name
    names = [f"{name} #{times}" if times > 1 else name for name, times in zip(scores.columns, seen, strict=True)]
    columns = {"word": scores.words, "score": scores.total, **dict(zip(names, scores.table, strict=True))}
    table = pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None))
    estimates: list[Estimate] = []
    if agreement is not None:
        known = dict(zip(agreement.words, agreement.values.tolist(), strict=True))
        table = table.with_columns(pl.Series("reference", [known.get(word) for word in scores.words], pl.Float64))
        correlations = {"Pearson": agreement[:2], "Spearman": agreement[2:4]}
        counts = {"group": ALL, "n": len(scores.words), "reference": reference}
        estimates = [estimate(measure, "", interval, **counts, p=p) for measure, (interval, p) in correlations.items()]
    return Findings(manifest, _framed(estimates), {"scores": table})
