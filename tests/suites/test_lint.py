"""The lint of the word lists: clean on what we ship, and loud on what it is there to catch."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest
from tests.suites import word_list_rules as linting

from evenhand import tsv
from evenhand.suites.pronouns.lexicon import items

DICTIONARIES = {"hu": "hu_HU", "tr": "tr_TR", "eu": "eu", "id": "id_ID"}
KEPT = Path(__file__).parent / "not_in_dictionaries.tsv"


@pytest.mark.parametrize("language", linting.languages())
def test_no_rule_is_broken_in_a_list_we_ship(language: str) -> None:
    assert linting.lint(language) == []


@pytest.mark.parametrize(
    ("language", "form", "rule"),
    [
        ("hu", "halfeldolgozógépkezelő", "say in hungarian_compounds.tsv"),
        ("hu", "mérnöknő", "names a gender"),
        ("ko", "광부", "names a gender"),
        ("ko", "해녀", "names a gender"),
        ("eu", "neskame", "names a gender"),
        ("et", "lauljanna", "names a gender"),
        ("fi", "lentoemäntä", "names a gender"),
        ("id", "wartawan", "names a gender"),
        ("ja", "看護婦", "names a gender"),
        ("tr", "barmen", "names a gender"),
        ("tr", "otobüs şoföri", "does not follow the vowel"),
        ("fi", "lääkäri", "is the form of"),
        ("tr", "дoktor", "is not written with the letters"),
    ],
)
def test_the_lint_catches(language: str, form: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_one_more(code: str) -> pl.DataFrame:
        wrong = pl.DataFrame({"concept": ["made-up"], "kind": ["occupation"], "form": [form]})
        return pl.concat([items(code), wrong], how="diagonal")

    monkeypatch.setattr(linting, "items", with_one_more)
    problems = linting.lint(language)
    assert [p.concept for p in problems] == ["made-up"]
    assert rule in problems[0].rule


def test_the_lint_catches_a_particle_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = pl.DataFrame({"concept": ["made-up"], "kind": ["negative"], "form": ["남를 속여"]})
    monkeypatch.setattr(linting, "items", lambda code: wrong)
    assert "를" in linting.lint("ko")[0].rule


def test_a_hyphen_too_many_and_a_hyphen_too_few_are_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table = tmp_path / "compounds.tsv"
    table.write_text("word\tmembers\twhy\nszövőgép-kezelő\t3\t6-3\ntoronydarukezelő\t3\t6-3\n", encoding="utf-8")
    forms = pl.DataFrame(
        {"concept": ["a", "b"], "kind": ["occupation"] * 2, "form": ["szövőgép-kezelő", "toronydarukezelő"]}
    )
    monkeypatch.setattr(linting, "COMPOUNDS", table)
    monkeypatch.setattr(linting, "items", lambda code: forms)
    assert [("is solid" in p.rule, "needs a hyphen" in p.rule) for p in linting.lint("hu")] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("language", sorted(DICTIONARIES))
def test_every_word_is_in_an_open_dictionary_or_kept_for_a_reason(language: str) -> None:
    dictionary = Path("/usr/share/hunspell") / f"{DICTIONARIES[language]}.dic"
    if shutil.which("hunspell") is None or not dictionary.exists():
        pytest.skip(f"hunspell or its dictionary for {language} is not installed (make dictionaries)")
    words = sorted({word for form in items(language)["form"] for word in form.split()})
    command = ["hunspell", "-i", "utf-8", "-d", str(dictionary.with_suffix("")), "-l"]
    unknown = subprocess.run(command, input="\n".join(words), capture_output=True, text=True, check=True).stdout.split()
    kept = {row["word"] for row in tsv.rows(KEPT) if row["language"] == language}
    assert set(unknown) - kept == set()


def test_finnish_words_are_words_of_voikko() -> None:
    voikko = pytest.importorskip("libvoikko", reason="libvoikko is not installed")
    try:
        speller = voikko.Voikko("fi")
    except Exception as error:  # the binding raises its own errors where the library or its dictionary is missing
        pytest.skip(f"voikko-fi is not installed (make dictionaries): {error}")
    unknown = {word for form in items("fi")["form"] for word in form.split() if not speller.spell(word)}
    assert unknown == set()


def test_a_hungarian_title_is_marked_where_its_head_has_a_common_partner() -> None:
    wordfreq = pytest.importorskip("wordfreq", reason="wordfreq is not installed")
    table = items("hu").filter(pl.col("kind") == "occupation")
    for form, marked in table.select("form", "marked").iter_rows():
        if marked is None:
            head = form.replace("-", " ").split()[-1]
            assert wordfreq.zipf_frequency(f"{head}nő", "hu") == 0, form
