"""The whole audit on real vectors: what the issue requires of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.embeddings.alignment import Dictionary, read_dictionary
from evenhand.embeddings.directions import gender_directions
from evenhand.embeddings.mitigation import METHODS
from evenhand.embeddings.opening import open_space
from evenhand.embeddings.residual import leaned_words, residual
from evenhand.embeddings.study import Settings, Study, UtilityTests, run
from evenhand.embeddings.tables import bias_table, study_json, utility_table
from evenhand.embeddings.utility import read_similarity
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import WordLists
from evenhand.measures.statistics import adjust


def halves(path: Path) -> tuple[Dictionary, Dictionary]:
    """The first 4,000 source words to learn from, the rest to test on."""
    pairs = read_dictionary(path)
    early = set(list(dict.fromkeys(a for a, _ in pairs))[:4000])
    return tuple(p for p in pairs if p[0] in early), tuple(p for p in pairs if p[0] not in early)


@pytest.fixture(scope="module")
def europarl(shared_data: Path, europarl_es: Vectors, europarl_en: Vectors) -> Study:
    lists = WordLists.shipped("es")
    train, test = halves(shared_data / "eval" / "muse.en-es.0-5000.txt")
    space, warnings = open_space(europarl_es, lists, english=europarl_en, dictionary=train, refine=1)
    tests = UtilityTests(
        {"es": read_similarity(shared_data / "eval" / "es.trial.txt")},
        {"en": read_similarity(shared_data / "eval" / "en.test.txt")},
        {"en-es": test},
    )
    settings = Settings(retrieval="nn", permutations=2_000, refine=1)
    return run(space, lists, tests=tests, settings=settings, warnings=warnings)


def test_every_method_is_measured_beside_the_original(europarl: Study) -> None:
    assert [row.method for row in europarl.rows] == ["original", *METHODS]
    assert europarl.impossible == {}


def test_mitigation_costs_at_most_a_point_of_precision_and_a_hundredth_of_similarity(europarl: Study) -> None:
    for row in europarl.rows[1:]:
        for change in row.precision_change.values():
            assert change.value >= -0.01, row.method
            assert change.low <= change.value <= change.high
        for similar in row.similarity_change.values():
            assert similar.value >= -0.01, row.method


def test_no_asymmetry_is_left_for_shifted_pairs(europarl: Study) -> None:
    shifted = [row for row in europarl.rows if row.moved is not None]
    assert {row.method for row in shifted} == {"shift-ori", "shift-en", "hybrid-ori", "hybrid-en"}
    for row in shifted:
        assert row.moved is not None
        assert row.moved.worst < 1e-6
        assert len(row.moved.pairs) >= 10


def test_de_align_leaves_the_gendered_language_as_it_was(europarl: Study) -> None:
    original, aligned = europarl.original, next(row for row in europarl.rows if row.method == "de-align")
    assert original.mweat is not None
    assert aligned.mweat is not None
    assert aligned.mweat.statistic == original.mweat.statistic
    assert aligned.similarity_change["es"].value == 0.0


def test_ps_are_corrected_over_the_versions(europarl: Study) -> None:
    raw = [row.mweat.swap.p for row in europarl.rows if row.mweat]
    assert [row.swap_p_adjusted for row in europarl.rows] == pytest.approx(adjust(raw, "holm").tolist())
    sides = {row.mweat.test.alternative for row in europarl.rows if row.mweat}
    assert len(sides) == 1, "all versions are tested to the side the original leans to"


def test_what_was_measured_is_told_with_its_coverage_and_intervals(europarl: Study) -> None:
    columns, rows = utility_table(europarl)
    assert any("(164/500)" in column for column in columns)
    assert all(len(row) == len(columns) for row in rows)
    columns, rows = bias_table(europarl)
    assert len(rows) == 6
    told = study_json(europarl)
    assert isinstance(told, dict)
    assert told["directions"]["grammatical"]["accuracy"]["low"] > 0.8
    for version in told["versions"]:
        assert version["mweat"]["test"]["permutations"] > 0
        assert {"p", "hits", "seed", "formula"} <= set(version["mweat"]["test"])


def test_the_former_lean_is_readable_before_and_less_so_after(europarl: Study) -> None:
    before, after = europarl.rows[0].residual, europarl.rows[1].residual
    assert before is not None
    assert after is not None
    assert before.classifier.low > 0.5
    assert after.classifier.value < before.classifier.value


def test_grammatical_gender_alone_is_not_found_as_residual_bias() -> None:
    """Nouns with a strong class axis and no lean beyond noise: the classifier must stay near chance."""
    rng = np.random.default_rng(8)
    classes = np.arange(600) % 2
    rows = rng.normal(size=(600, 40))
    rows[:, 0] += np.where(classes == 0, 12.0, -12.0)
    words = [f"w{i}" for i in range(600)] + [f"f{i}" for i in range(5)] + [f"m{i}" for i in range(5)]
    pairs = rng.normal(size=(5, 40))
    axis = np.eye(40)[1] * 4
    vectors = Vectors(words, np.concatenate([rows, pairs - axis, pairs + axis]).astype(np.float32))
    nouns = {f"w{i}": ("masculine", "feminine")[k] for i, k in enumerate(classes)}
    directions = gender_directions(vectors, [(f"f{i}", f"m{i}") for i in range(5)], nouns)
    leaned = leaned_words(vectors, nouns, directions)
    assert abs(np.corrcoef(leaned.labels, [classes[r] for r in leaned.rows])[0, 1]) < 1e-12
    d = directions.orthogonal
    matrix = vectors.matrix.astype(np.float64)
    cleared = vectors.with_matrix((matrix - np.outer(matrix @ d, d) / (d @ d)).astype(np.float32))
    left = residual(cleared, leaned, directions)
    assert left.classifier.low < 0.6
    assert residual(vectors, leaned, directions).classifier.value > 0.8
    assert left.cluster.value - left.cluster_by_chance < 0.1
