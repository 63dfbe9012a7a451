"""The shipped lists are sound, the user's are checked, and languages are not mixed up."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from evenhand.embeddings.opening import check_coverage, check_language, coverage, open_space, recognised_language
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import LANGUAGES, WordLists, noun_genders, read_table
from evenhand.errors import BadInput, Unknown


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_full_lists_without_clashes(language: str) -> None:
    lists = WordLists.shipped(language)
    assert len(lists.occupations) >= 60
    assert len(lists.definitions) >= 10
    assert len(lists.adjectives) >= 10
    forms = [w for p in lists.occupations for w in (p.masculine, p.feminine)]
    assert len(forms) == len(set(forms)), "a form belongs to one occupation"
    assert all(p.english and " " not in p.masculine + p.feminine for p in lists.occupations)
    assert not set(forms) & set(lists.inanimate), "a person is not a thing"
    assert not set(lists.male) & set(lists.female)
    assert set(lists.nouns.values()) >= {"masculine", "feminine"}
    assert ("neuter" in lists.nouns.values()) == (language == "de")


def test_german_articles_agree_with_german_nouns_where_it_knows_the_noun() -> None:
    config = pytest.importorskip("german_nouns.config")
    known: dict[str, set[str]] = {}
    with Path(config.CSV_FILE_PATH).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            genders = {row[key] for key in ("genus", "genus 1", "genus 2", "genus 3", "genus 4")} & {"m", "f", "n"}
            if genders and row["pos"].startswith("Substantiv"):
                known.setdefault(row["lemma"], set()).update(genders)
    ours = WordLists.shipped("de").nouns
    assert {word: g for word, g in ours.items() if len(known.get(word, "")) == 1 and known[word] != {g[0]}} == {}
    assert sum(word in known for word in ours) > 200


@pytest.mark.parametrize("language", ["es", "fr"])
def test_our_noun_genders_agree_with_the_published_lists(shared_data: Path, language: str) -> None:
    sides = {
        gender: set((shared_data / "zhou2019" / f"{gender}_nouns_{language}").read_text(encoding="utf-8").split())
        for gender in ("masculine", "feminine")
    }
    only = {"masculine": sides["masculine"] - sides["feminine"], "feminine": sides["feminine"] - sides["masculine"]}
    other = {"masculine": "feminine", "feminine": "masculine"}
    ours = WordLists.shipped(language).nouns
    shared = [word for word in ours if word in only["masculine"] | only["feminine"]]
    wrong = [word for word in shared if word in only[other[ours[word]]]]
    assert len(shared) > 100
    assert len(wrong) <= 0.03 * len(shared), wrong


def test_each_vocabulary_is_recognised(europarl_en: Vectors, europarl_es: Vectors, mini_es: Vectors) -> None:
    assert recognised_language(europarl_en) == "en"
    assert recognised_language(europarl_es) == "es"
    assert recognised_language(mini_es) is None
    assert len(check_language(mini_es, "es")) == 1


def test_lists_of_one_language_on_vectors_of_another_are_refused(europarl_en: Vectors, mini_en: Vectors) -> None:
    with pytest.raises(BadInput, match="the vocabulary is en, the word lists are es"):
        open_space(europarl_en, WordLists.shipped("es"))
    with pytest.raises(BadInput, match="lists and vectors do not fit"):
        open_space(mini_en, WordLists.shipped("es"))


def test_vectors_that_were_never_aligned_are_not_taken_for_one_space(
    europarl_es: Vectors, europarl_en: Vectors
) -> None:
    with pytest.raises(BadInput, match="not in one space"):
        open_space(europarl_es, WordLists.shipped("es"), english=europarl_en)


def test_forms_that_share_a_vector_are_counted(mini_es: Vectors) -> None:
    matrix = mini_es.matrix.copy()
    matrix[mini_es.index["jueza"]] = matrix[mini_es.index["juez"]]
    _, warnings = open_space(mini_es.with_matrix(matrix), WordLists.shipped("es"))
    assert "1 occupations have one vector for both forms and are left out, as juez/jueza" in warnings


def test_thin_coverage_is_a_counted_warning(mini_es: Vectors) -> None:
    report = coverage(mini_es, WordLists.shipped("es"))
    assert any(w.startswith("only 3 of") and "inanimate" in w for w in check_coverage(report))


def test_a_table_says_what_it_misses_and_where(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("# mine\nmasculine\tfeminine\njuez\tjueza\nautor\t\n")
    with pytest.raises(BadInput, match=r"line 4 column feminine"):
        read_table(path, ("masculine", "feminine"))
    with pytest.raises(BadInput, match="no column 'english'"):
        read_table(path, ("english",))
    path.write_text("masculine\tfeminine\n")
    with pytest.raises(BadInput, match="there are no words in it"):
        read_table(path, ("masculine", "feminine"))


def test_nouns_with_two_genders_are_dropped_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "n.tsv"
    path.write_text("word\tgender\nmar\tmasculine\nmar\tfeminine\nsol\tmasculine\n")
    assert noun_genders(path) == ({"sol": "masculine"}, 1)


def test_an_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(Unknown, match="es"):
        WordLists.shipped("hu")
