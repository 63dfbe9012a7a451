"""Person nouns from open dictionaries, beside our own tables."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.detect import open_detector
from evenhand.grammar import language, source_grammar
from evenhand.grammar.lexicon import Column, Forms, shipped_forms
from evenhand.languages import known
from evenhand.tsv import rows

GRAMMAR = Path(evenhand.__file__).parent / "grammar"
TABLES = sorted(GRAMMAR.glob("*/lexicon*.tsv"))
PERSON = Column.FEMALE | Column.MALE


@pytest.mark.parametrize("path", TABLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_derived_table_names_its_sources_and_the_licence_in_its_name(path: Path) -> None:
    head = path.read_text(encoding="utf-8").split("\n")[:2]
    licence = head[1].removeprefix("# licence: ")
    assert re.match(r"# source: derived by builders/(lexicon|lexicon_packages|common_nouns)\.py from ", head[0])
    own = "" if licence == "CC BY 4.0" else f".{licence.lower().replace(' ', '-')}"
    assert path.name in {f"lexicon{own}.tsv", f"lexicon_more{own}.tsv"}
    table = list(rows(path))
    assert table
    assert all(row["female"] or row["male"] or row["common"] for row in table)
    assert all(row["sure"] in "123" and row["source"] for row in table)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_form_of_a_derived_table_is_spelt_as_words_are_looked_up(path: Path) -> None:
    spoken = next(source_grammar(code) for code, at in known().items() if path.parent.name in (at.nouns, at.source))
    forms = [row[column] for row in rows(path) for column in ("female", "male", "common") if row[column]]
    assert [form for form in forms if spoken.plain(form) != form] == []


@pytest.mark.parametrize("code", ["de", "es", "fr", "it", "pt", "ca", "ru", "pl", "cs", "uk", "nl"])
def test_our_tables_win_where_a_dictionary_differs(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_dictionaries = shipped_forms(language(code))
    monkeypatch.setattr(Forms, "_derive", lambda self, paths: None)
    ours = Forms(language(code))
    assert len(with_dictionaries.known) > len(ours.known)
    assert {form: with_dictionaries.known[form] for form in ours.known} == ours.known
    assert not (with_dictionaries.known.keys() - ours.known.keys()) & ours.others


@pytest.mark.parametrize(
    ("code", "source", "focus", "rendering", "gender"),
    [
        ("pl", "My aunt lives here.", "aunt", "Moja ciocia mieszka tutaj.", "female"),
        ("pl", "The workers were tired.", "workers", "Robotnicy byli zmęczeni.", "male"),
        ("pl", "The beekeeper slept.", "beekeeper", "Pszczelarka spała.", "female"),
        ("cs", "The archer smiled.", "archer", "Lukostřelkyně se usmála.", "female"),
        ("fr", "The falconer left.", "falconer", "La fauconnière est partie.", "female"),
        ("de", "The busker sang.", "busker", "Die Straßenkünstlerin sang.", "female"),
        ("it", "The bookmaker won.", "bookmaker", "L'allibratrice ha vinto.", "female"),
        ("el", "The archaeologist left.", "archaeologist", "Η αρχαιολόγος έφυγε.", "female"),
        ("ru", "The reporter left.", "reporter", "Репортёр ушла.", "female"),
        ("nl", "The heretic fled.", "heretic", "De ketter vluchtte.", "male"),
        ("es", "The editor-in-chief resigned.", "editor-in-chief", "La editora en jefe dimitió.", "female"),
    ],
)
def test_a_noun_of_a_dictionary_has_its_gender(code: str, source: str, focus: str, rendering: str, gender: str) -> None:
    start = source.index(focus)
    row = {"id": ["1"], "source": [source], "rendering": [rendering], "focus_start": [start]}
    pair = pl.DataFrame(row | {"focus_end": [start + len(focus)]})
    assert open_detector("nouns", source="en", target=code).detect(pair)["gender"].item() == gender
