"""Alignment and neighbours against brute force."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ortho_group

from evenhand.embeddings import alignment
from evenhand.embeddings.alignment import align, english_first, read_dictionary
from evenhand.embeddings.vectors import Vectors, unit_rows
from evenhand.errors import BadInput


def space(n: int, dim: int, seed: int) -> Vectors:
    rng = np.random.default_rng(seed)
    return Vectors([f"w{i}" for i in range(n)], rng.normal(size=(n, dim)).astype(np.float32))


def test_a_hidden_rotation_is_found_again() -> None:
    target = space(400, 20, 1)
    turn = ortho_group.rvs(20, random_state=2)
    source = Vectors(target.words, (target.matrix @ turn.T).astype(np.float32))
    pairs = tuple((f"w{i}", f"w{i}") for i in range(60))
    found = align(source, target, pairs, refine=1)
    assert np.abs(found.apply(source).matrix - target.matrix).max() < 1e-3
    assert np.allclose(found.rotation @ found.rotation.T, np.eye(20), atol=1e-10)


def test_refinement_helps_with_a_small_noisy_dictionary() -> None:
    rng = np.random.default_rng(4)
    target = space(600, 30, 3)
    turn = ortho_group.rvs(30, random_state=5)
    noise = 0.35 * rng.normal(size=target.matrix.shape)
    source = Vectors(target.words, ((target.matrix + noise) @ turn.T).astype(np.float32))
    pairs = tuple((f"w{i}", f"w{i}") for i in range(55))

    def error(rounds: int) -> float:
        return float(np.linalg.norm(align(source, target, pairs, refine=rounds).rotation - turn))

    assert error(3) < error(0)


def test_too_few_known_pairs_and_other_dimensions_are_refused() -> None:
    a, b = space(100, 5, 0), space(100, 6, 0)
    with pytest.raises(BadInput, match="dimensions"):
        align(a, b, (("w1", "w1"),))
    with pytest.raises(BadInput, match="of 2 dictionary pairs"):
        align(a, a, (("w1", "w1"), ("x", "y")))


@pytest.mark.parametrize("cells", [64, 1 << 25])
def test_ranks_and_neighbours_are_those_of_a_full_sort(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    monkeypatch.setattr(alignment, "CELLS", cells)
    queries, candidates = unit_rows(space(37, 8, 1).matrix), unit_rows(space(211, 8, 2).matrix)
    gold = [[i, (i * 7) % 211] for i in range(37)]
    scores = queries.astype(np.float64) @ candidates.T.astype(np.float64)
    sides = np.sort(candidates.astype(np.float64) @ queries.T.astype(np.float64), axis=1)[:, -10:].mean(axis=1)
    penalty = alignment.crowding(candidates, queries)
    assert np.allclose(penalty, sides, atol=1e-6)
    for values, given in ((scores, None), (2 * scores - sides, penalty)):
        order = np.argsort(-values, axis=1)
        expected = [1 + min(int(np.flatnonzero(order[i] == g)[0]) for g in gold[i]) for i in range(37)]
        assert alignment.gold_ranks(queries, candidates, gold, penalty=given).tolist() == expected
        rows, _ = alignment.nearest(queries, candidates, given)
        assert rows.tolist() == order[:, 0].tolist()


@pytest.mark.parametrize("others", [5, 10, 1_279, 1_280, 1_301, 4_000])
def test_crowding_is_the_mean_of_the_ten_nearest_however_many_there_are(others: int) -> None:
    words, candidates = unit_rows(space(40, 6, 3).matrix), unit_rows(space(others, 6, 4).matrix)
    cosines = np.sort(words.astype(np.float64) @ candidates.T.astype(np.float64), axis=1)
    assert np.allclose(alignment.crowding(words, candidates), cosines[:, -10:].mean(axis=1), atol=1e-6)
    alike = np.repeat(candidates[:1], others, axis=0)
    assert np.allclose(alignment.crowding(words, alike), words @ candidates[0], atol=1e-6), "ties count too"


def test_an_excluded_candidate_does_not_push_the_answer_down() -> None:
    candidates = unit_rows(np.array([[1, 0], [0.9, 0.1], [0, 1]]))
    query = candidates[:1]
    assert alignment.gold_ranks(query, candidates, [[1]]).tolist() == [2]
    assert alignment.gold_ranks(query, candidates, [[1]], exclude=[0]).tolist() == [1]


def test_the_dictionary_says_itself_which_language_comes_first(
    shared_data: Path, europarl_en: Vectors, europarl_es: Vectors
) -> None:
    folder = shared_data / "eval"
    assert english_first(read_dictionary(folder / "muse.en-es.0-5000.txt"), europarl_en, europarl_es)
    assert not english_first(read_dictionary(folder / "muse.es-en.0-5000.txt"), europarl_en, europarl_es)


def test_a_dictionary_line_with_one_word_is_refused_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("a b\nc\n")
    with pytest.raises(BadInput, match=r"line 2.*expected two words"):
        read_dictionary(tmp_path / "d.txt")
    (tmp_path / "e.txt").write_text("\n")
    with pytest.raises(BadInput, match="empty"):
        read_dictionary(tmp_path / "e.txt")
