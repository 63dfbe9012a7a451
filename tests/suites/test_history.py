"""Versions of the word lists: the sentences of version 1.0, as they were before 1.1 existed."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

import evenhand
from evenhand import BadInput
from evenhand.suites.history import changes
from evenhand.suites.pronouns.lexicon import LEXICON
from evenhand.suites.suite import diff

#: Content hashes of version 1.0, taken from the release that had no other version.
FIRST = {
    "pronouns-basque": "733a5b71405bca9d",
    "pronouns-korean": "156d6901b6e76d31",
    "pronouns-hungarian": "7e6a2eaed4b273dd",
    "pronouns-turkish": "b6ec3689cd92abc8",
    "pronouns-finnish": "d1b2aa0343a9166e",
    "pronouns-estonian": "10707e9f46585515",
    "pronouns-persian": "1b932620450ac90d",
    "pronouns-indonesian": "9ad45b77f4b791b8",
    "pronouns-japanese": "fad18da8daddff7f",
    "occupations-hungarian": "477b034a57871483",
    "occupations-coreference": "02e2fca7f6336811",
    "occupations-adjectives": "7d16e23fd9c43560",
}


@pytest.mark.parametrize("name", sorted(FIRST))
def test_version_1_0_is_what_it_was(name: str) -> None:
    suite = evenhand.load_suite(f"{name}@1.0")
    assert (suite.version, suite.hash) == ("1.0", FIRST[name])


@pytest.mark.parametrize("name", sorted(FIRST))
def test_without_a_version_the_newest_is_meant(name: str) -> None:
    suite = evenhand.load_suite(name)
    assert suite.version == "1.1"
    assert suite.hash != FIRST[name]


def test_a_version_that_never_was_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadInput, match=r"1\.0, 1\.1"):
        evenhand.load_suite("pronouns-korean@0.9")
    with pytest.raises(BadInput, match="one version only"):
        evenhand.load_suite("occupations-verbs@1.0")


def test_every_change_says_why_and_stands_in_the_list() -> None:
    table = changes()
    assert table["why"].null_count() == 0
    for row in table.filter(table["table"].is_in(["forms", "expressions"])).iter_rows(named=True):
        text = (LEXICON / row["table"] / f"{row['language']}.tsv").read_text(encoding="utf-8")
        if row["new"] and row["key"] != "*":
            assert f"{row['key']}\t" in text
            assert row["new"] in text


def test_the_difference_of_two_versions_is_listed_sentence_by_sentence() -> None:
    table = diff(evenhand.load_suite("pronouns-hungarian@1.0"), evenhand.load_suite("pronouns-hungarian"))
    rows = {row["id"]: row for row in table.iter_rows(named=True)}
    assert rows["hu-occ-passport-officer"]["old"] == "Ő egy útlevélügyintéző."
    assert rows["hu-occ-passport-officer"]["new"] == "Ő egy útlevél-ügyintéző."
    assert rows["hu-occ-actor"]["change"] == "added"
    assert rows["hu-occ-knitter"]["change"] == "left out"
    assert not diff(evenhand.load_suite("pronouns-hungarian"), evenhand.load_suite("pronouns-hungarian")).height


def test_marked_titles_can_be_left_out_and_the_version_says_so() -> None:
    whole = evenhand.load_suite("pronouns-hungarian")
    plain = whole.only(["marked="])
    sources = set(plain.probes["source"])
    assert "Ő egy színész." not in sources
    assert "Ő egy orvos." in sources
    assert plain.version == "1.1[marked=]"
    assert plain.hash != whole.hash
    with pytest.raises(BadInput, match="COLUMN=VALUE"):
        whole.only(["marked"])
    with pytest.raises(BadInput, match="unknown column"):
        whole.only(["nonsense=1"])
    with pytest.raises(BadInput, match="no probe"):
        whole.only(["marked=nobody"])


def test_values_of_one_column_are_alternatives_and_columns_are_combined() -> None:
    probes = evenhand.load_suite("pronouns-hungarian").probes
    asked = ["kind=positive", "kind=occupation", "sector=healthcare", "sector="]
    kept = evenhand.load_suite("pronouns-hungarian").only(asked)
    expected = [
        row["id"] for row in probes.iter_rows(named=True)
        if row["kind"] in ("positive", "occupation") and (row["sector"] or "") in ("healthcare", "")
    ]  # fmt: skip
    assert kept.probes["id"].to_list() == expected
    assert {"positive", "occupation"} == set(kept.probes["kind"])
    assert kept.version.endswith("[kind=positive,kind=occupation,sector=healthcare,sector=]")


def test_the_pages_of_the_word_lists_are_the_ones_the_tables_give() -> None:
    script = Path(__file__).resolve().parents[2] / "builders" / "word_lists_page.py"
    made: dict[str, Callable[[], dict[str, str]]] = runpy.run_path(str(script))
    for name, text in made["pages"]().items():
        page = script.parents[1] / "docs" / name
        assert page.read_text(encoding="utf-8") == text, "run python builders/word_lists_page.py"


def test_a_man_is_not_blonde() -> None:
    suite = evenhand.load_suite("occupations-adjectives")
    rows = suite.probes.filter(suite.probes["adjective"].is_in(["blonde", "brunette"]))
    for source, gold in rows.select("source", "gold").iter_rows():
        feminine = " blonde " in source or " brunette " in source
        assert feminine == (gold == "female"), source
