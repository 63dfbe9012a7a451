"""Benchmarks read the package's own tables: where those move, a benchmark must not go on with nothing."""

from __future__ import annotations

from pathlib import Path

from benchmarks.scale import write_pairs
from benchmarks.soak import words_of
from benchmarks.wibemt import german_forms

from evenhand.languages import known


def test_the_fuzz_of_judges_speaks_every_language_with_a_table() -> None:
    assert all(len(words_of(code)) > 1_000 for code, language in known().items() if language.nouns)


def test_german_sentences_are_made_from_the_german_table(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.tsv", 20)
    lines = (tmp_path / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 21
    assert german_forms()["nurse"][1].startswith("Krankenschwester")
