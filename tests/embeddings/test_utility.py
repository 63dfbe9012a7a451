"""Utility tests: scipy and hand counts are the oracles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evenhand.embeddings.utility import (
    pair_translation,
    precision_change,
    read_similarity,
    similarity,
    similarity_change,
    translation,
)
from evenhand.embeddings.vectors import Vectors, WordMatch
from evenhand.embeddings.wordlists import TwoForms
from evenhand.errors import BadInput


def test_similarity_is_the_correlation_over_covered_pairs(shared_data: Path, europarl_en: Vectors) -> None:
    pairs = read_similarity(shared_data / "eval" / "en.test.txt")
    found = similarity(europarl_en, pairs)
    cosines, gold = [], []
    for a, b, score in pairs:
        rows = (
            [europarl_en.row(a.replace(" ", joint)) for joint in (" ", "_", "-")],
            [europarl_en.row(b.replace(" ", joint)) for joint in (" ", "_", "-")],
        )
        left, right = (next((r for r in side if r is not None), None) for side in rows)
        if left is not None and right is not None:
            x, y = (europarl_en.matrix[r].astype(np.float64) for r in (left, right))
            cosines.append(x @ y / np.linalg.norm(x) / np.linalg.norm(y))
            gold.append(score)
    assert (found.covered, found.asked) == (len(gold), 500)
    assert found.pearson.value == pytest.approx(stats.pearsonr(cosines, gold).statistic, abs=1e-6)
    assert found.spearman.value == pytest.approx(stats.spearmanr(cosines, gold).statistic, abs=1e-6)
    bounds = stats.pearsonr(cosines, gold).confidence_interval()
    assert (found.pearson.low, found.pearson.high) == pytest.approx((bounds.low, bounds.high), abs=1e-6)


@pytest.mark.parametrize("line", ["{s}\t{a}\t{b}", "{a}\t{b}\t{s}", "{a}\t{s}\t{b}"])
def test_the_score_may_stand_in_any_column(tmp_path: Path, line: str) -> None:
    rows = [("sol", "luna", "3.5"), ("1984", "libro", "2")]
    text = "\n".join(line.format(a=a, b=b, s=s) for a, b, s in rows)
    (tmp_path / "s.txt").write_text(text, encoding="utf-8")
    assert read_similarity(tmp_path / "s.txt") == (("sol", "luna", 3.5), ("1984", "libro", 2.0))


@pytest.mark.parametrize(
    ("text", "said"), [("sol\tluna\n", "line 1"), ("sol\tluna\t1\na\tb\tc\n", "line 2"), ("", "no word pair")]
)
def test_a_broken_similarity_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "s.txt").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        read_similarity(tmp_path / "s.txt")


def test_pairs_of_another_language_are_an_error_not_a_number(shared_data: Path, mini_es: Vectors) -> None:
    with pytest.raises(BadInput, match="of 18 similarity pairs have vectors"):
        similarity(mini_es, read_similarity(shared_data / "eval" / "de.trial.txt"))


def tiny() -> tuple[Vectors, Vectors]:
    english = Vectors(["one", "two", "three"], np.eye(3, dtype=np.float32))
    other = Vectors(
        ["uno", "dos", "tres", "ocho"], np.array([[1, 0, 0], [0, 1, 0], [0, 0.9, 0.5], [0, 0.1, 1]], dtype=np.float32)
    )
    return english, other


def test_precision_counts_a_word_once_with_any_of_its_translations() -> None:
    english, other = tiny()
    pairs = (("one", "uno"), ("one", "ocho"), ("two", "tres"), ("three", "tres"), ("four", "cuatro"), ("two", "nada"))
    found = translation(english, other, pairs, retrieval="nn", at=(1, 2))
    assert (found.covered, found.asked) == (3, 4)
    assert found.ranks.tolist() == [1, 2, 2]
    assert found.precision[1].value == pytest.approx(1 / 3)
    assert found.precision[2].value == 1.0
    bounds = stats.binomtest(1, 3).proportion_ci(method="wilson")
    assert found.precision[1].low == pytest.approx(bounds.low)


def test_expressions_and_other_case_are_found_in_both_languages() -> None:
    match = WordMatch(case="ignore")
    english = Vectors(["new_york", "sunset"], np.eye(2, dtype=np.float32), match=match)
    spanish = Vectors(["nueva-york", "Ocaso"], np.eye(2, dtype=np.float32), match=match)
    pairs = (("New York", "Nueva York"), ("Sunset", "ocaso"), ("sunset", "puesta de sol"))
    found = translation(english, spanish, pairs, retrieval="nn", at=(1,))
    assert (found.covered, found.asked, found.precision[1].value) == (2, 2, 1.0)
    assert found.words == ("new_york", "sunset")


def test_changes_are_paired_over_the_same_words(shared_data: Path, europarl_en: Vectors) -> None:
    english, other = tiny()
    pairs = (("one", "uno"), ("two", "dos"), ("three", "ocho"))
    same = translation(english, other, pairs, retrieval="nn", at=(1,))
    assert precision_change(same, same).value == 0.0
    scores = similarity(europarl_en, read_similarity(shared_data / "eval" / "en.test.txt"))
    nothing = similarity_change(scores, scores)
    assert (nothing.value, nothing.low, nothing.high) == (0.0, 0.0, 0.0)


def test_both_genders_adjectives_ask_for_their_own_form() -> None:
    # one axis for the occupation, one for the adjective, one for gender
    english = Vectors(["doctor", "good"], np.array([[1, 0, 0, 0.1], [0, 1, 0, 0.1]], dtype=np.float32))
    words = ["bueno", "buena", "médico", "médica", "otro"]
    rows = np.array([[0, 1, 1, 0], [0, 1, -1, 0], [1, 0, 1, 0], [1, 0, -1, 0], [0, 0, 0, 1]], dtype=np.float32)
    spanish = Vectors(words, rows)
    pair, adjective = TwoForms("médico", "médica", "doctor"), TwoForms("bueno", "buena", "good")
    fair = pair_translation(spanish, english, [pair], [adjective, TwoForms("otro", "otro", "good")])
    assert (fair.feminine.value, fair.masculine.value, fair.gap.value) == (1.0, 1.0, 0.0)
    assert (fair.questions, fair.adjectives) == (2, 1), "an adjective with one form asks nothing about gender"
    skewed = Vectors(words, np.where(np.arange(5)[:, None] == 3, np.array([-0.5, 0, -0.2, 3], dtype=np.float32), rows))
    assert pair_translation(skewed, english, [pair], [adjective]).gap.value >= 0.5


def test_no_covered_adjective_is_an_error_not_a_zero(mini_es: Vectors, mini_en: Vectors) -> None:
    with pytest.raises(BadInput, match="1 occupations and 0 adjectives"):
        pair_translation(mini_es, mini_en, [TwoForms("juez", "jueza", "judge")], [TwoForms("bueno", "buena", "good")])
