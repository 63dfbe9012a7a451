"""Mitigation moves what it says and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.embeddings.alignment import read_dictionary
from evenhand.embeddings.association import pair_biases
from evenhand.embeddings.directions import semantic_direction
from evenhand.embeddings.mitigation import METHODS, Space, asymmetry, hard_debiased, mitigation, shift
from evenhand.embeddings.opening import open_space
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import TwoForms, WordLists
from evenhand.errors import BadInput, Unknown


@pytest.fixture(scope="module")
def lists(shared_data: Path) -> WordLists:
    return WordLists.shipped("es").with_files(occupations=shared_data / "embeddings" / "es_occupation_pairs.tsv")


@pytest.fixture(scope="module")
def joined(shared_data: Path, europarl_es: Vectors, europarl_en: Vectors) -> Space:
    dictionary = read_dictionary(shared_data / "eval" / "muse.en-es.0-5000.txt")
    space, _ = open_space(europarl_es, WordLists.shipped("es"), english=europarl_en, dictionary=dictionary, refine=0)
    return space


@pytest.mark.parametrize("anchor", ["origin", "english"])
def test_shifted_forms_are_equally_far_from_the_anchor(
    mini_es: Vectors, mini_en: Vectors, lists: WordLists, anchor: str
) -> None:
    method = mitigation("shift-en" if anchor == "english" else "shift-ori")
    space = Space(mini_es, mini_en)
    after = method.fit(space, lists).transform(space).gendered
    assert method.directions is not None
    assert method.moved is not None
    d = method.directions.orthogonal
    assert len(method.moved.pairs) == 17
    for pair in lists.occupations:
        at = float(mini_en[pair.english].astype(np.float64) @ d) if anchor == "english" else 0.0
        assert asymmetry(after[pair.masculine], after[pair.feminine], d, at) < 1e-6
    assert method.moved.worst < 1e-6


def test_words_in_no_list_keep_every_bit(mini_es: Vectors, mini_en: Vectors, lists: WordLists) -> None:
    before = mini_es.matrix.copy()
    space = Space(mini_es, mini_en)
    after = mitigation("shift-ori").fit(space, lists).transform(space).gendered
    listed = {w for p in lists.occupations for w in (p.masculine, p.feminine)} | set(lists.inanimate)
    for row, word in enumerate(mini_es.words):
        same = np.array_equal(after.matrix[row].view(np.uint32), before[row].view(np.uint32))
        assert same == (word not in listed), word
    assert np.array_equal(mini_es.matrix, before), "the original must not be touched"


def test_things_lose_the_semantic_component_only(europarl_es: Vectors) -> None:
    lists = WordLists.shipped("es")
    method = mitigation("shift-ori")
    after = method.fit(Space(europarl_es), lists).transform(Space(europarl_es)).gendered
    assert method.directions is not None
    assert method.directions.grammatical is not None
    d, g = method.directions.orthogonal, method.directions.grammatical.basis[0]
    for word in ("casa", "libro", "noche"):
        assert abs(float(after[word].astype(np.float64) @ d)) < 1e-7
        kept = float(after[word].astype(np.float64) @ g), float(europarl_es[word].astype(np.float64) @ g)
        assert kept[0] == pytest.approx(kept[1], abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 50))
def test_any_pair_in_any_space_ends_up_symmetric(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    vectors = Vectors(["m", "f", "x"], (scale * rng.normal(size=(3, 7))).astype(np.float32))
    d = rng.normal(size=7)
    matrix, moved = shift(vectors, d, [TwoForms("m", "f")], ["m", "x"])
    assert moved.worst < 1e-5 * scale * np.linalg.norm(d)
    assert moved.inanimate == ("x",), "a word of a pair is not treated as a thing too"
    assert (matrix[0] - matrix[1]) @ d == pytest.approx((vectors.matrix[0] - vectors.matrix[1]) @ d, rel=1e-3, abs=1e-3)


def test_two_forms_with_one_vector_are_no_pair() -> None:
    """Pruned tables (spaCy's) give a rare form its neighbour's vector: there is nothing to compare or to move."""
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(6, 5)).astype(np.float32)
    rows[3] = rows[2]
    vectors = Vectors(["juez", "jueza", "sastre", "sastra", "él", "ella"], rows)
    pairs = [TwoForms("juez", "jueza"), TwoForms("sastre", "sastra")]
    biases, skipped = pair_biases(vectors, pairs, ["él"], ["ella"])
    assert ([b.forms.masculine for b in biases], skipped) == (["juez"], ("sastre/sastra",))
    matrix, moved = shift(vectors, rng.normal(size=5), pairs, [])
    assert moved.skipped == ("sastre/sastra",)
    assert np.array_equal(matrix[2:], rows[2:])


def test_hard_debiasing_clears_neutral_words_and_equalises_pairs(mini_en: Vectors) -> None:
    lists = WordLists.shipped("es")
    d = semantic_direction((mini_en, lists.english_definitions)).direction
    english = hard_debiased(mini_en, d, lists)
    assert abs(float(mini_en["nurse"].astype(np.float64) @ d)) > 0.05
    assert abs(float(english["nurse"].astype(np.float64) @ d)) < 1e-6
    she, he, nurse = (english[w].astype(np.float64) for w in ("she", "he", "nurse"))
    assert she @ nurse == pytest.approx(he @ nurse, abs=1e-5)
    assert np.allclose(english["hers"], mini_en["hers"], atol=1e-6), "a gendered word outside the pairs is left alone"
    lengths = np.linalg.norm(english.matrix, axis=1) / np.linalg.norm(mini_en.matrix, axis=1)
    assert np.allclose(lengths, 1, atol=1e-5)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_leaves_unlisted_words_alone_and_shifted_pairs_symmetric(joined: Space, name: str) -> None:
    lists = WordLists.shipped("es")
    method = mitigation(name)
    after = method.fit(joined, lists).transform(joined)
    listed = {w for p in lists.occupations for w in (p.masculine, p.feminine)} | set(lists.inanimate)
    free = np.array([word not in listed for word in joined.gendered.words])
    assert np.array_equal(after.gendered.matrix[free], joined.gendered.matrix[free])
    assert (method.moved is None) == (name == "de-align")
    if method.moved is not None:
        assert method.moved.worst < 1e-6
        assert len(method.moved.pairs) > 5


def test_hybrid_moves_the_gendered_language_as_shift_does_and_english_as_de_align(joined: Space) -> None:
    lists = WordLists.shipped("es")
    hybrid = mitigation("hybrid-ori").fit(joined, lists).transform(joined)
    shifted = mitigation("shift-ori").fit(joined, lists).transform(joined)
    assert np.array_equal(hybrid.gendered.matrix, shifted.gendered.matrix)
    assert hybrid.english is not None
    assert joined.english is not None
    assert not np.allclose(hybrid.english.matrix, joined.english.matrix)


def test_methods_that_need_english_or_a_dictionary_say_so(mini_es: Vectors, mini_en: Vectors, lists: WordLists) -> None:
    with pytest.raises(BadInput, match="--english"):
        mitigation("shift-en").fit(Space(mini_es), lists)
    with pytest.raises(BadInput, match="--dictionary"):
        mitigation("hybrid-ori").fit(Space(mini_es, mini_en), lists)
    with pytest.raises(BadInput, match="fit"):
        mitigation("shift-ori").transform(Space(mini_es))
    with pytest.raises(Unknown, match="shift-ori"):
        mitigation("shift-origin")
