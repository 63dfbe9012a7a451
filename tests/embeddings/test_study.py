"""The whole audit on real vectors: what the issue requires of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evenhand.embeddings.alignment import Dictionary, read_dictionary
from evenhand.embeddings.directions import gender_directions
from evenhand.embeddings.files import load_vectors
from evenhand.embeddings.findings import study_findings
from evenhand.embeddings.mitigation import METHODS, Space
from evenhand.embeddings.opening import open_space
from evenhand.embeddings.study import Study, StudySettings, UtilityTests, biased_nouns, residual, run
from evenhand.embeddings.utility import read_similarity
from evenhand.embeddings.vectors import Vectors, WordMatch
from evenhand.embeddings.wordlists import WordLists
from evenhand.results.findings import Findings
from evenhand.statistics.classical import adjust


def halves(path: Path) -> tuple[Dictionary, Dictionary]:
    """The first 4,000 source words to learn from, the rest to test on."""
    pairs = read_dictionary(path)
    early = set(list(dict.fromkeys(a for a, _ in pairs))[:4000])
    return tuple(p for p in pairs if p[0] in early), tuple(p for p in pairs if p[0] not in early)


@pytest.fixture(scope="module", params=["es", "fr"])
def europarl(request: pytest.FixtureRequest, shared_data: Path, europarl_en: Vectors) -> Study:
    language, evaluation = str(request.param), shared_data / "eval"
    lists = WordLists.shipped(language)
    vectors = load_vectors(
        shared_data / "embeddings" / f"europarl.{language}.20k300.vec.gz", match=WordMatch(case="ignore")
    )
    train, test = halves(evaluation / f"muse.en-{language}.0-5000.txt")
    _, back = halves(evaluation / f"muse.{language}-en.0-5000.txt")
    unseen = {b for _, b in back}
    train = tuple((a, b) for a, b in train if a not in unseen)
    space, warnings = open_space(vectors, lists, english=europarl_en, dictionary=train, refine=1)
    here = {language: read_similarity(evaluation / "es.trial.txt")} if language == "es" else {}
    tests = UtilityTests(
        here, {"en": read_similarity(evaluation / "en.test.txt")}, {f"en-{language}": test, f"{language}-en": back}
    )
    settings = StudySettings(retrieval="nn", permutations=2_000, refine=1)
    return run(space, lists, tests=tests, settings=settings, warnings=warnings)


def test_every_method_is_measured_beside_the_original(europarl: Study) -> None:
    assert [row.method for row in europarl.versions] == ["original", *METHODS]
    assert europarl.impossible == {}


def test_mitigation_costs_at_most_a_point_of_precision_and_a_hundredth_of_similarity(europarl: Study) -> None:
    for row in europarl.versions[1:]:
        assert len(row.precision_change) == 2, "both directions"
        for name, change in row.precision_change.items():
            assert change.value >= -0.01, (row.method, name)
            assert change.low <= change.value <= change.high
            assert change.n > 500
        assert row.similarity_change
        for similar in row.similarity_change.values():
            assert similar.value >= -0.01, row.method


def test_no_asymmetry_is_left_for_shifted_pairs(europarl: Study) -> None:
    shifted = [row for row in europarl.versions if row.moved is not None]
    assert {row.method for row in shifted} == {"shift-ori", "shift-en", "hybrid-ori", "hybrid-en"}
    for row in shifted:
        assert row.moved is not None
        assert row.moved.worst < 1e-6
        assert len(row.moved.pairs) >= 7, "as many as these vectors hold"


def test_de_align_leaves_the_gendered_language_as_it_was(europarl: Study) -> None:
    original, aligned = europarl.original, next(row for row in europarl.versions if row.method == "de-align")
    assert original.mweat is not None
    assert aligned.mweat is not None
    assert aligned.mweat.statistic == original.mweat.statistic
    assert np.array_equal(aligned.space.gendered.matrix, original.space.gendered.matrix)
    if "es" in aligned.similarity_change:
        assert aligned.similarity_change["es"].value == 0.0


def test_ps_are_corrected_over_the_versions(europarl: Study) -> None:
    for measure, tests in (
        ("MWEAT", [version.mweat.swap for version in europarl.versions if version.mweat]),
        ("MWEAT_splits", [version.mweat.test for version in europarl.versions if version.mweat]),
    ):
        rows = study_findings(europarl).estimates.filter(measure=measure)
        assert rows["p"].to_list() == [test.p for test in tests]
        assert rows["p_adjusted"].to_list() == pytest.approx(adjust(rows["p"].to_list(), "holm").tolist())


def test_every_number_is_an_estimate_of_a_version_with_its_coverage_and_interval(europarl: Study) -> None:
    findings = study_findings(europarl)
    rows = findings.estimates
    assert rows["group"].unique().to_list() == ["method"]
    similar = rows.filter(measure="Pearson", reference="en")
    assert similar["level"].to_list() == ["original", *METHODS]
    assert similar.select("n", "n_decided").unique().rows() == [(500, 164)]
    told = rows.filter(measure="d_g_accuracy").row(0, named=True)
    assert told["low"] > 0.8
    assert "5 folds" in told["note"]
    for version in europarl.versions:
        assert version.mweat is not None
        assert version.inanimate is not None
        row = rows.filter(measure="MWEAT", level=version.method).row(0, named=True)
        assert f"of {version.mweat.swap.permutations:,} arrangements" in row["note"]
        words = findings.tables["pairs"].filter(method=version.method).drop_nulls("s_masculine")
        assert words.height == row["n_decided"]
        masculine, feminine = words["s_masculine"].to_numpy(), words["s_feminine"].to_numpy()
        assert np.array_equal(words["b_w"].to_numpy(), np.abs(np.abs(masculine) - np.abs(feminine)))
        assert row["value"] == pytest.approx(abs(masculine.sum()) - abs(feminine.sum()))
        things = findings.tables["inanimate"].filter(method=version.method)["s"].abs().mean()
        mean = rows.filter(measure="inanimate_association", level=version.method)["value"][0]
        assert mean == pytest.approx(things) == pytest.approx(version.inanimate.value)


def test_another_level_makes_every_interval_narrower_and_changes_nothing_else(made_up_vectors: Vectors) -> None:
    lists = WordLists.shipped("es")

    def measured(level: float) -> Findings:
        settings = StudySettings(permutations=50, level=level)
        return study_findings(run(Space(made_up_vectors), lists, methods=("shift-ori",), settings=settings))

    usual, narrow = measured(0.95), measured(0.8)
    assert usual.signature.replace("|level:0.95|", "|level:0.8|") == narrow.signature
    bounds = ["low", "high"]
    assert usual.estimates.drop(bounds).equals(narrow.estimates.drop(bounds))
    width = [f.estimates.drop_nulls("low").select(pl.col("high") - pl.col("low")).to_series() for f in (usual, narrow)]
    assert len(width[0]) == len(width[1]) >= 7
    assert (width[1] < width[0]).all()


def test_the_signature_follows_the_vectors_and_the_lists(made_up_vectors: Vectors) -> None:
    lists = WordLists.shipped("es")

    def measured(vectors: Vectors, lists: WordLists) -> Findings:
        return study_findings(run(Space(vectors), lists, methods=(), settings=StudySettings(permutations=50)))

    def signed(vectors: Vectors, lists: WordLists) -> str:
        return measured(vectors, lists).signature

    one, two = measured(made_up_vectors, lists), measured(made_up_vectors, lists)
    first = one.signature
    assert first == two.signature
    assert one.estimates.equals(two.estimates)
    assert all(table.equals(two.tables[name]) for name, table in one.tables.items())
    moved = np.array(made_up_vectors.matrix)
    moved[0, 0] += 1
    assert signed(made_up_vectors.with_matrix(moved), lists) != first
    assert signed(made_up_vectors, replace(lists, occupations=lists.occupations[1:])) != first


def test_thin_tests_and_answers_seen_in_training_are_said_aloud(europarl: Study) -> None:
    assert "en: only 164 of 500 word pairs have vectors" in europarl.warnings
    space = europarl.original.space
    assert space.dictionary is not None
    seen = tuple(space.dictionary[:40])
    asked = UtilityTests(translation={"seen": (*seen, ("house", "maison"), ("house", "casa"))})
    lists = WordLists.shipped(europarl.language)
    told = run(space, lists, methods=(), tests=asked, settings=StudySettings(retrieval="nn"), bias=False).warnings
    assert any(line.startswith("seen: ") and "in the alignment dictionary too" in line for line in told)


def test_vectors_that_cover_other_words_get_no_paired_change(europarl: Study) -> None:
    space = europarl.original.space
    pairs = tuple((a, b) for a, b in space.dictionary or () if a in (space.english or ()))[:300]
    found = run(
        space,
        WordLists.shipped(europarl.language),
        methods=(),
        tests=UtilityTests(translation={"d": pairs}),
        settings=StudySettings(retrieval="nn"),
        bias=False,
        others=[replace(space.gendered, words=space.gendered.words[:800], matrix=space.gendered.matrix[:800])],
    )
    assert found.versions[1].precision_change == {}
    assert any("do not cover the same words" in note for note in found.versions[1].notes)


def test_the_former_lean_is_readable_before_and_less_so_after(europarl: Study) -> None:
    before, after = europarl.versions[0].residual, europarl.versions[1].residual
    assert before is not None
    assert after is not None
    assert before.classifier.low > 0.5
    assert after.classifier.value < before.classifier.value


def test_grammatical_gender_alone_is_not_found_as_residual_bias() -> None:
    """Nouns with a strong class axis and no bias beyond noise: the classifier must stay near chance."""
    rng = np.random.default_rng(8)
    classes = np.arange(600) % 2
    rows = rng.normal(size=(600, 40))
    rows[:, 0] += np.where(classes == 0, 12.0, -12.0)
    words = [f"w{i}" for i in range(600)] + [f"f{i}" for i in range(5)] + [f"m{i}" for i in range(5)]
    pairs = rng.normal(size=(5, 40))
    axis = np.eye(40)[1] * 4
    vectors = Vectors(words, np.concatenate([rows, pairs - axis, pairs + axis]).astype(np.float32))
    nouns = {f"w{i}": ("masculine", "feminine")[k] for i, k in enumerate(classes)}
    lists = WordLists("es", tuple((f"f{i}", f"m{i}") for i in range(5)), nouns=nouns)
    directions = gender_directions(vectors, lists)
    nouns_by_side = biased_nouns(vectors, nouns, directions)
    assert nouns_by_side is not None
    chosen, labels = nouns_by_side
    assert abs(np.corrcoef(labels, [classes[row] for row in chosen])[0, 1]) < 1e-12
    d = directions.orthogonal
    matrix = vectors.matrix.astype(np.float64)
    cleared = vectors.with_matrix((matrix - np.outer(matrix @ d, d) / (d @ d)).astype(np.float32))
    left = residual(cleared, nouns_by_side, directions)
    assert left.classifier.low < 0.6
    assert residual(vectors, nouns_by_side, directions).classifier.value > 0.8
    assert left.cluster.value - left.cluster_by_chance < 0.1
