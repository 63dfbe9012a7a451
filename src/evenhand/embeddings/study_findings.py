"""A study as findings: estimates, what they cannot hold (words, points of figures), and the signature's parts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from evenhand.embeddings.english import English
from evenhand.embeddings.grammar import Array
from evenhand.embeddings.mitigation import Moved
from evenhand.embeddings.results import Study, Version
from evenhand.embeddings.study_estimates import study_estimates
from evenhand.embeddings.wordlists import TwoForms
from evenhand.languages import name_of
from evenhand.notes import Note
from evenhand.results.findings import Findings, FindingsManifest

KIND = "embeddings"
MOST_PAIRS, MOST_THINGS = 25, 16  # drawn; more cannot be read
SHIFTED = ("hybrid-ori", "shift-ori")  # which version is drawn beside the original


def study_findings(study: Study, sources: Mapping[str, str] | None = None) -> Findings:
    """What `evenhand embeddings audit` and `evaluate` save and show.

    `sources` are the signature's parts for what was read (`Reader.parts`); left out, the vectors as they were given.
    """
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
    manifest = FindingsManifest(
        kind=KIND,
        title=f"Gender in {name_of(study.language)} word vectors",
        measured=named + (f", {len(study.versions)} versions" if len(study.versions) > 1 else ""),
        parts=parts,
        level=s.level,
        seed=s.seed,
        notes=tuple(map(Note, dict.fromkeys(_notes(study)))),
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
    )
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
            [(v.method, *word) for v in study.versions if v.english for word in _held(v.english)],
            "method", "word", "s", "cos_d_PCA",
        ),
        "inanimate": _table([(v.method, *thing) for v in study.versions for thing in v.things], "method", "word", "s"),
        "skipped": _table(
            [(v.method, forms) for v in study.versions for forms in (v.moved or Moved()).skipped], "method", "forms"
        ),
        "projection": _projection(study),
        "shifted": _shifted(study),
        "across": _across(study),
    }  # fmt: skip


def _notes(study: Study) -> Iterator[str]:
    if study.directions.why and study.lists.gendered:
        yield f"No grammatical direction: {study.directions.why}. The semantic direction is used as it is"
    yield from study.warnings
    yield from (f"{name} was not run: {why}" for name, why in study.impossible.items())
    yield from (note for version in study.versions for note in version.notes)


def _held(english: English) -> tuple[tuple[str, float, float], ...]:
    return english.occupations.words if english.occupations else ()


def _table(rows: Sequence[tuple[object, ...]], *columns: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=list(columns), orient="row", infer_schema_length=None)


def _pairs(study: Study) -> pl.DataFrame:
    """Both forms of every occupation in every version: association, its difference, cosine to the English word."""
    rows: list[tuple[object, ...]] = []
    for version in study.versions:
        cosines = {pair: (m, f) for pair, m, f in version.nearness.pairs} if version.nearness else {}
        biases = {bias.forms: bias for bias in version.mweat.biases} if version.mweat else {}
        for pair in dict.fromkeys((*biases, *cosines)):
            bias = biases.get(pair)
            association = (bias.masculine, bias.feminine, bias.bias) if bias else (None, None, None)
            near = cosines.get(pair, (None, None))
            rows.append((version.method, pair.english, pair.masculine, pair.feminine, *association, *near))
    columns = (
        "method",
        "english",
        "masculine",
        "feminine",
        "s_masculine",
        "s_feminine",
        "b_w",
        "cos_masculine",
        "cos_feminine",
    )
    return _table(rows, *columns)


def _projection(study: Study) -> pl.DataFrame:
    """The paper's Figure 1: words on the grammatical and the semantic direction; empty without the former."""
    directions, vectors, lists = study.directions, study.original.space.gendered, study.lists
    if directions.grammatical is None:
        return pl.DataFrame()
    words: list[tuple[str, str, str]] = []
    for feminine, masculine in lists.definitions:
        words += [(feminine, "definition", "feminine"), (masculine, "definition", "masculine")]
    covered = [pair for pair in lists.occupations if pair.masculine in vectors and pair.feminine in vectors]
    for pair in covered[:MOST_PAIRS]:
        words += [(pair.feminine, "two forms", "feminine"), (pair.masculine, "two forms", "masculine")]
    for gender in ("feminine", "masculine"):
        things = [word for word in lists.inanimate if word in vectors and lists.nouns.get(word) == gender]
        words += [(word, "thing", gender) for word in things[: MOST_THINGS // 2]]
    d, rows = directions.orthogonal / np.linalg.norm(directions.orthogonal), []
    for word, kind, gender in dict.fromkeys(words):
        row = vectors.row(word)
        if row is not None:
            unit = vectors.unit[row].astype(np.float64)
            rows.append((word, kind, gender, float(unit @ d), float(unit @ directions.grammatical.basis[0])))
    return _table(rows, "word", "kind", "gender", "semantic", "grammatical")


def _shifted(study: Study) -> pl.DataFrame:
    """The paper's Figures 2 and 3: both forms and the English word on d_s, before and after a shift to the origin."""
    after = next((v for v in reversed(study.versions) if v.method in SHIFTED and v.moved and v.moved.pairs), None)
    if after is None or after.moved is None:
        return pl.DataFrame()
    d = study.directions.orthogonal / np.linalg.norm(study.directions.orthogonal)
    rows = [
        row
        for pair in after.moved.pairs[:MOST_PAIRS]
        for version in (study.original, after)
        for row in _forms(version, pair, d)
    ]
    return _table(rows, "occupation", "method", "gender", "word", "semantic")


def _forms(version: Version, pair: TwoForms, d: Array) -> Iterator[tuple[object, ...]]:
    english = version.space.english
    asked = [("masculine", pair.masculine, version.space.gendered), ("feminine", pair.feminine, version.space.gendered)]
    if english is not None and pair.english in english:
        asked.append(("English", pair.english, english))
    for gender, word, vectors in asked:
        semantic = float(vectors[word].astype(np.float64) @ d)
        yield pair.english or pair.masculine, version.method, gender, word, semantic


def _across(study: Study) -> pl.DataFrame:
    """The paper's Figure 4: association of an occupation in English and the bias of its forms here."""
    points = study.across[2] if study.across else []
    rows = [(pair.english, pair.masculine, pair.feminine, s, bias) for pair, bias, s in points]
    return _table(rows, "english", "masculine", "feminine", "s_english", "bias")
