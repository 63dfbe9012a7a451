"""The shipped word vectors, as a user meets them: evenhand embeddings ... --vectors pocket."""

from __future__ import annotations

import json
import math
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Never, TypeAlias

import numpy as np
import pytest
from evenhand_pocket.vectors import word_vectors
from tests.command_line import evenhand as command

from evenhand import BadInput, WordLists, load_vectors
from evenhand.embeddings.opening import sources

Loaded: TypeAlias = "dict[str, Loaded] | list[Loaded] | str | float | int | bool | None"
LANGUAGES = ("de", "en", "es", "fr")


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever reaches for a network ends the command."""

    def refuse(*_: object, **__: object) -> Never:
        raise SystemExit("a network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def evenhand(*arguments: object, folder: Path) -> CompletedProcess[str]:
    return command("embeddings", *arguments, folder=folder, environment={"EVENHAND_CACHE": str(folder / "cache")})


def numbers(value: Loaded) -> Iterator[float]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from numbers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize("language", ["es", "fr", "de"])
def test_an_audit_of_the_pocket_vectors_needs_nothing_but_their_name(language: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    arguments = ("audit", "--language", language, "--vectors", "pocket", "--permutations", 500, "--json", "-o", page)
    done = evenhand(*arguments, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    measured = {(row["measure"], row["level"]) for row in told["estimates"]}
    assert {("MWEAT", method) for method in ("original", "shift-ori", "de-align", "hybrid-en")} <= measured
    assert not any("was not run" in note for note in told["notes"])
    assert ("d_g_accuracy", "original") in measured
    assert told["tables"]["pairs"]
    values = list(numbers(told))
    assert len(values) > 100
    assert all(math.isfinite(value) for value in values)
    assert page.read_text(encoding="utf-8").count("<svg") >= 3


def test_the_long_spelling_means_the_same_as_the_short_one() -> None:
    name = Path("pocket")
    assert sources("es", name, name, name) == sources("es", name) == sources("es", name, name)


def test_english_vectors_from_elsewhere_are_not_paired_with_the_pocket_dictionary_unasked() -> None:
    own, name = Path("mine.vec"), Path("pocket")
    assert sources("es", name, own).dictionary is None
    assert sources("es", own, own).dictionary is None
    assert sources("es", own, own, name).dictionary == sources("es", name).dictionary


def test_english_vectors_with_spanish_lists_are_refused(tmp_path: Path) -> None:
    english = word_vectors() / "pocket.en.safetensors"
    done = evenhand("audit", "--language", "es", "--vectors", english, folder=tmp_path)
    assert done.returncode == 2
    assert "the vocabulary is en, the word lists are es" in done.stderr
    assert done.stdout == ""


def test_a_language_without_pocket_vectors_is_refused_with_those_there_are(tmp_path: Path) -> None:
    done = evenhand("audit", "--language", "it", "--vectors", "pocket", folder=tmp_path)
    assert done.returncode == 2
    assert "de, en, es, fr" in done.stderr


def test_an_unknown_name_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    done = evenhand("audit", "--language", "es", "--vectors", "poket", folder=tmp_path)
    assert done.returncode == 2
    assert "'pocket'" in done.stderr


def test_a_folder_called_pocket_does_not_hide_the_name(tmp_path: Path) -> None:
    (tmp_path / "pocket").mkdir()
    (tmp_path / "words.txt").write_text("nurse\ncarpenter\nking\nqueen\n", encoding="utf-8")
    done = evenhand("score", "words.txt", "--vectors", "pocket", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    scores = {row["word"]: row["score"] for row in json.loads(done.stdout)["tables"]["scores"]}
    assert scores["queen"] < scores["king"]


def test_mitigated_pocket_vectors_differ_only_where_it_is_said(tmp_path: Path) -> None:
    out = tmp_path / "es.vec"
    command = ("debias", "--language", "es", "--vectors", "pocket", "--method", "hybrid-ori", "-o", out, "--json")
    done = evenhand(*command, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    before, after = load_vectors(sources("es", Path("pocket")).vectors), load_vectors(out)
    changed = int(np.sum(np.any(before.matrix != after.matrix, axis=1)))
    assert told["pairs_shifted"] > 10
    assert 0 < changed <= 2 * told["pairs_shifted"] + told["inanimate_freed"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_a_word_and_stands_once(language: str) -> None:
    vectors = load_vectors(word_vectors() / f"pocket.{language}.safetensors")
    assert vectors.dim == 100
    assert 20_000 < len(vectors) < 20_200
    assert len(set(vectors.words)) == len(vectors)
    assert not [
        word for word in vectors.words if not word[0].isalpha() or any(c.isdigit() or c.isspace() for c in word)
    ]
    if language != "de":
        assert not [word for word in vectors.words if word != word.lower()]


@pytest.mark.parametrize("language", ["es", "fr", "de"])
def test_no_word_the_audit_measures_is_in_the_dictionary(language: str) -> None:
    lines = (word_vectors() / f"pocket.en-{language}.dictionary.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines]
    assert len(pairs) > 3_000
    occupations = WordLists.shipped(language).occupations
    forms = {form.lower() for pair in occupations for form in (pair.masculine, pair.feminine)}
    assert not forms & {other.lower() for _, other in pairs}
    assert not {pair.english for pair in occupations} & {english for english, _ in pairs}


def test_the_vectors_stay_under_10_megabytes() -> None:
    assert sum(file.stat().st_size for file in word_vectors().iterdir()) <= 10_000_000


def test_a_damaged_8_bit_file_is_refused(tmp_path: Path) -> None:
    whole = (word_vectors() / "pocket.es.safetensors").read_bytes()
    broken = tmp_path / "es.safetensors"
    (tmp_path / "es.vocab").write_text("a\n", encoding="utf-8")
    broken.write_bytes(whole[:-8])
    with pytest.raises(BadInput, match="scales does not fit"):
        load_vectors(broken)
    broken.write_bytes(whole.replace(b'"scales"', b'"scaled"', 1))
    with pytest.raises(BadInput, match="one factor per row"):
        load_vectors(broken)


def test_an_audit_says_how_many_forms_the_text_hardly_has(tmp_path: Path) -> None:
    done = evenhand("audit", "--language", "es", "--vectors", "pocket", "--method", "none", "--json", folder=tmp_path)
    told = json.loads(done.stdout)
    rare = set(load_vectors(word_vectors() / "pocket.es.safetensors").notes.seldom)
    few = [p for p in WordLists.shipped("es").occupations if rare & {p.masculine, p.feminine}]
    assert 0 < len(few) < 60
    assert any(f"in {len(few)} of 77 occupations a form occurs fewer than 5 times" in note for note in told["notes"])
    often = f"over the {77 - len(few)} occupations whose two forms are both more frequent, MWEAT is "
    assert any(re.fullmatch(re.escape(often) + r"0\.\d\d \[0\.\d\d, 1\.\d\d\]", note) for note in told["notes"])
    association = next(row for row in told["estimates"] if row["measure"] == "MWEAT")
    assert association["n_decided"] == 77
    assert association["low"] < association["value"] < association["high"]
