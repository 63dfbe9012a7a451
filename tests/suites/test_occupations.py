"""The English occupation suites, and the study's own set regenerated from its published parts."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

from evenhand import load_suite
from evenhand.suites.occupations.suites import insert, verb_probes


def test_every_focus_stands_where_its_offsets_say() -> None:
    for name in ("occupations-verbs", "occupations-coreference", "occupations-adjectives"):
        probes = load_suite(name).probes
        cut = [text[start:end] for text, start, end in probes.select("source", "focus_start", "focus_end").iter_rows()]
        assert probes["focus"].to_list() == cut


def test_the_coreference_suite_is_balanced_over_gold_stereotype_and_position() -> None:
    probes = load_suite("occupations-coreference").probes
    assert probes["pair"].n_unique() >= 400
    assert probes["occupation"].n_unique() >= 60
    cells = probes.group_by("gold", "stereotype", "referent").len()
    assert cells.height == 8
    assert cells["len"].n_unique() == 1
    uses = probes["occupation"].value_counts()["count"]
    assert uses.max() <= uses.min() + 2  # type: ignore[operator]  # polars types min and max loosely
    assert probes["source"].n_unique() == probes.height


def test_a_pair_differs_only_in_its_pronouns() -> None:
    probes = load_suite("occupations-coreference").probes
    for _, pair in probes.group_by("pair"):
        first, second = (text.split() for text in pair["source"])
        differing = {w.strip(".") for a, b in zip(first, second, strict=True) if a != b for w in (a, b)}
        assert differing <= {"she", "he", "her", "him", "his"}


@pytest.mark.parametrize(
    ("source", "focus", "adjective", "expected"),
    [
        ("She met a cook.", "cook", "arrogant", "She met an arrogant cook."),
        ("She met an editor.", "editor", "lovely", "She met a lovely editor."),
        ("The cook ran.", "cook", "eminent", "The eminent cook ran."),
        ("An editor ran.", "editor", "wiry", "A wiry editor ran."),
    ],
)
def test_the_article_follows_the_adjectives_first_sound(source: str, focus: str, adjective: str, expected: str) -> None:
    start = source.index(focus)
    text, new_start, new_end = insert(source, start, start + len(focus), adjective)
    assert text == expected
    assert text[new_start:new_end] == focus


def test_the_study_s_70686_sentences_come_from_its_parts(shared_data: Path) -> None:
    suite = load_suite(f"occupations-adjectives:winobias:{shared_data / 'winobias'}")
    counts = suite.probes["adjective"].eq("none").value_counts().sort("adjective")["count"].to_list()
    assert counts == [63_360, 3_168]
    assert len(suite) + len(load_suite("occupations-verbs")) == 70_686


def test_the_published_verb_sentences_come_line_by_line_from_their_templates(shared_data: Path) -> None:
    folder = shared_data / "wibemt"
    lines = [line.split("\t") for line in (folder / "verb_sentences.txt").read_text(encoding="utf-8").splitlines()]
    templates = [line.split("\t") for line in (folder / "verb_templates.tsv").read_text(encoding="utf-8").splitlines()]
    frames = pl.DataFrame(
        [(code, verb, cls, frame) for code, cls, verb, _, frame in templates[1:]],
        schema=["code", "verb", "class", "frame"],
        orient="row",
    )
    people = pl.DataFrame(
        [(line[0][4:], line[3], line[0][7]) for line in lines[:99]],
        schema=["code", "occupation", "class"],
        orient="row",
    )
    made = verb_probes(frames, people)
    assert made["id"].to_list() == [line[0] for line in lines]
    assert made["source"].to_list() == [line[1] for line in lines]


def test_readers_print_some_sentences_to_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Thirty sentences of each suite go to the log (pytest -rP) for a person to read; the pronoun must fit the gold."""
    for name in ("occupations-verbs", "occupations-coreference"):
        probes = load_suite(name).probes
        for source in random.Random(1).sample(probes["source"].to_list(), 30):
            print(source)  # noqa: T201
            assert source[0].isupper()
            assert source.endswith(".")
    assert "The " in capsys.readouterr().out
