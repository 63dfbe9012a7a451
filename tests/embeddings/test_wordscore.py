"""Word gender scores: the published ranking of occupations is the oracle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.embeddings.findings import score_findings
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import read_words
from evenhand.embeddings.wordscore import (
    GenderWords,
    correlate,
    gender_words,
    normalise,
    pronouns,
    read_published,
    read_reference,
    score_words,
)
from evenhand.errors import BadInput, Unknown


@pytest.fixture(scope="module")
def ranked(shared_data: Path) -> Path:
    return shared_data / "wibemt" / "word_lists" / "OccupationsRanked.csv"


def test_the_published_total_is_the_mean_of_its_columns(ranked: Path) -> None:
    found = read_published(ranked)
    assert len(found.scores.words) == 99
    assert found.scores.unranked == ("construction worker",)
    assert set(found.scores.partial) == {"CEO", "CFO", "CTO"}
    printed = np.array([found.printed[word] for word in found.scores.words])
    assert np.abs(found.scores.total - printed).max() <= 5.001e-6
    assert found.scores.words[0] == "nurse"
    assert found.scores.words[-1] == "CTO"


def test_the_scores_correlate_with_the_share_of_women_as_published(ranked: Path) -> None:
    found = read_published(ranked)
    agreement = correlate(found.scores.words, found.scores.total, found.women)
    assert len(agreement.words) == 66
    assert round(agreement.pearson.value, 3) == -0.809
    assert round(agreement.spearman.value, 3) == -0.832
    assert agreement.pearson.low < -0.809 < agreement.pearson.high


def test_scores_are_normalised_cosine_differences_averaged_over_columns(mini_en: Vectors, europarl_en: Vectors) -> None:
    words = ["nurse", "doctor", "lawyer", "secretary", "hunter", "zzqx"]
    lists = [pronouns("en"), gender_words("en")]
    found = score_words(words, [mini_en, europarl_en], lists)
    assert found.unranked == ("zzqx",)
    assert len(found.columns) == 4
    column = found.columns.index(f"{mini_en.name} she/he")

    def raw(word: str) -> float:
        w, he, she = (mini_en[x].astype(np.float64) / np.linalg.norm(mini_en[x]) for x in (word, "he", "she"))
        return float(w @ he - w @ she)

    known = [w for w in words if w in mini_en]
    values = np.array([raw(w) for w in known])
    expected = dict(zip(known, -1 + 2 * (values - values.min()) / np.ptp(values), strict=True))
    got = dict(zip(found.words, found.table[column], strict=True))
    assert all(got[w] == pytest.approx(expected[w], abs=1e-5) for w in known)
    assert np.allclose(found.total, np.nanmean(found.table, axis=0))
    assert list(found.total) == sorted(found.total)
    table = score_findings(found, {}).tables["scores"]
    assert table.columns == ["word", "score", *found.columns]
    assert table["word"].to_list() == list(found.words)


def test_two_files_of_one_name_keep_their_columns_apart(mini_en: Vectors) -> None:
    scored = score_words(["nurse", "doctor", "lawyer"], [mini_en, mini_en], [pronouns("en")])
    table = score_findings(scored, {}).tables["scores"]
    assert table.columns == ["word", "score", f"{mini_en.name} she/he", f"{mini_en.name} she/he #2"]


def test_columns_span_minus_one_to_one_and_equal_scores_are_refused() -> None:
    assert normalise(np.array([3.0, 1.0, 2.0])).tolist() == [1.0, -1.0, 0.0]
    with pytest.raises(BadInput, match="same score"):
        normalise(np.array([2.0, 2.0]))


def test_lists_and_vectors_that_do_not_fit_are_refused(mini_en: Vectors, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="0 of 2 words"):
        score_words(["médico", "jueza"], [mini_en], [pronouns("en")])
    with pytest.raises(BadInput, match="feminine words"):
        score_words(["nurse", "doctor"], [mini_en], [GenderWords("x", ("he",), ("elle",))])
    with pytest.raises(Unknown):
        pronouns("xx")
    (tmp_path / "w.txt").write_text("# nothing\n")
    with pytest.raises(BadInput, match="empty"):
        read_words(tmp_path / "w.txt")


def test_a_reference_names_its_column(tmp_path: Path) -> None:
    path = tmp_path / "r.tsv"
    path.write_text("word\twomen\tyear\nnurse\t90\t2017\ndoctor\t\t2017\n")
    assert read_reference(path) == {"nurse": 90.0}
    assert read_reference(path, "year") == {"nurse": 2017.0, "doctor": 2017.0}
    with pytest.raises(BadInput, match="no column 'men'"):
        read_reference(path, "men")
