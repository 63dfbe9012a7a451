"""Zhou et al. 2019: the authors' list sizes, the real fastText subset, and the shape of every row."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evenhand.errors import BadInput, Unknown
from evenhand.replicate import zhou2019
from evenhand.replicate.cell import TableCell, published


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENHAND_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def mini(shared_data: Path) -> dict[tuple[str, str], TableCell]:
    rows = zhou2019.replicate(shared_data, system="wiki.es")
    return {(row.row, row.column): row for row in rows}


def test_the_vector_sets_are_found_by_their_names(shared_data: Path) -> None:
    assert [s.name for s in zhou2019.vector_sets(shared_data)] == ["europarl.es", "europarl.fr", "wiki.es"]


def test_the_real_subset_shows_the_papers_effect(mini: dict[tuple[str, str], TableCell]) -> None:
    assert mini["original", "masculine form nearer"].computed == 16
    assert mini["original", "ASD"].computed == pytest.approx(0.1574, abs=1e-4)
    assert "0.1574 from cosines rounded to three digits" in mini["original", "ASD"].note
    assert mini["shift-ori", "MWEAT-Diff"].computed < 0.2 * mini["original", "MWEAT-Diff"].computed
    assert mini["shift-ori", "largest asymmetry on d_s"].computed < 1e-6
    assert "too few nouns" in mini["grammatical direction", "nouns"].note


def test_nothing_published_belongs_to_the_subset(mini: dict[tuple[str, str], TableCell]) -> None:
    assert all(row.published is None and row.agrees is None for row in mini.values())
    assert all(math.isfinite(row.computed) for row in mini.values())


def test_sizes_of_the_authors_lists_agree_without_any_vectors(shared_data: Path, tmp_path: Path) -> None:
    shutil.copytree(shared_data / "zhou2019", tmp_path / "zhou2019")
    rows = zhou2019.replicate(tmp_path)
    assert [(r.system, r.row, r.computed, r.agrees) for r in rows] == [
        ("es", "occupations with two forms", 58, True),
        ("es", "word pairs", 406, True),
        ("fr", "occupations with two forms", 23, True),
        ("fr", "word pairs", 161, True),
    ]
    assert any("no vectors" in remark for remark in zhou2019.remarks(tmp_path))


def test_the_authors_lists_replace_ours(shared_data: Path) -> None:
    lists = zhou2019.word_lists(shared_data / "zhou2019", "es")
    assert len(lists.definitions) == len(lists.english_definitions) == 10
    assert {pair.masculine for pair in lists.adjectives} == {"bueno", "malo", "trabajador"}
    assert "430 nouns are in both lists" in lists.notes[0]


def test_the_published_tables_are_complete() -> None:
    printed = published("zhou2019")
    assert sum(key[0] == "Table 1" for key in printed) == 36
    assert sum(key[0] == "Table 2" for key in printed) == 96
    for language in ("es", "fr"):
        for method in ("original", "shift-ori", "shift-en", "de-align", "hybrid-ori", "hybrid-en"):
            f, m, gap = (printed["Table 2", language, method, c].value for c in ("F_MRR", "M_MRR", "MRR Diff"))
            assert m - f == pytest.approx(gap, abs=1.5e-4), "the paper's own difference"


def test_an_unknown_system_and_a_wrong_folder_are_refused(shared_data: Path, tmp_path: Path) -> None:
    with pytest.raises(Unknown, match=r"europarl\.es"):
        zhou2019.replicate(shared_data, system="glove.es")
    with pytest.raises(BadInput, match="no such file"):
        zhou2019.replicate(tmp_path)
