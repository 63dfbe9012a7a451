"""Strings of programs and letters in seven languages: every verdict of `check_file` is what a reader would say."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.detect.markup import plain
from evenhand.tsv import rows

STRINGS = Path(__file__).parent / "interface_strings.tsv"


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "pt", "ru", "uk"])
def test_every_person_of_a_well_rendered_string_has_the_gender_a_reader_sees(tmp_path: Path, language: str) -> None:
    strings = [row for row in rows(STRINGS) if row["language"] == language]
    path = tmp_path / "strings.jsonl"
    texts = {name: [row[name] for row in strings] for name in ("source", "rendering")}
    pl.DataFrame({"id": [str(n) for n in range(len(strings))], **texts}).write_ndjson(path)
    persons = evenhand.check_file(path, source="en", target=language, workers=1).persons
    told: dict[str, list[str]] = defaultdict(list)
    for row in persons.filter((pl.col("says") != "thing?") & (pl.col("kind") == "noun")).iter_rows(named=True):
        told[row["id"]].append(f"{row['person']}={row['gender']}")
    judged = {row["rendering"]: " ".join(told[str(n)]) for n, row in enumerate(strings)}
    assert judged == {row["rendering"]: row["persons"] for row in strings}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Nutzer/-innen", "Nutzer/-innen"),
        ("les étudiant.e.s", "les étudiant.e.s"),
        ("Run with -u NAME", "Run with   NAME"),
        ("see user.email or a.b.c", "see   or  "),
    ],
)
def test_inclusive_endings_are_neither_options_nor_names_of_a_program(text: str, words: str) -> None:
    assert plain(text) == words
