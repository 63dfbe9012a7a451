"""English alone: directions, WEAT with intervals, occupations; on real vectors and by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.embeddings.test_cli import evenhand

from evenhand.embeddings.findings import study_findings
from evenhand.embeddings.mitigation import Space
from evenhand.embeddings.study import StudySettings, measure_occupations, run, weat_of_sets
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import WordLists
from evenhand.errors import BadInput
from evenhand.results.findings import Findings


@pytest.fixture(scope="module")
def lists() -> WordLists:
    return WordLists.shipped("en")


def test_the_lists_are_two_sets_of_equal_size_a_test_and_no_word_stands_twice(lists: WordLists) -> None:
    assert not lists.gendered
    for test in lists.targets:
        assert len(test.x) == len(test.y) >= 8, test.name
        assert len({*test.x, *test.y}) == len(test.x + test.y)
        assert not {*test.x, *test.y} & {*lists.male, *lists.female}
    assert len(lists.titles) > 100
    assert not {"actress", "waitress"} & set(lists.titles)


def test_association_and_direct_bias_are_their_formulas(europarl_en: Vectors, lists: WordLists) -> None:
    direction = np.eye(europarl_en.dim)[0]
    notes: list[str] = []
    assert [name for name, _ in weat_of_sets(europarl_en, lists, notes)] == [test.name for test in lists.targets]
    assert not notes
    held = measure_occupations(europarl_en, lists, direction)
    word, s, along = held.words[0]
    unit = {
        w: europarl_en[w] / np.linalg.norm(europarl_en[w])
        for w in (word, *lists.male, *lists.female)
        if w in europarl_en
    }
    male = np.mean([unit[word] @ unit[w] for w in lists.male if w in unit])
    female = np.mean([unit[word] @ unit[w] for w in lists.female if w in unit])
    assert s == pytest.approx(male - female, abs=1e-5)
    assert along == pytest.approx(unit[word][0], abs=1e-6)
    assert held.nearer_male.value == np.mean([s > 0 for _, s, _ in held.words])
    assert held.direct_bias.value == pytest.approx(np.mean([abs(c) for _, _, c in held.words]))


def test_one_attribute_word_on_each_side_gives_effects_without_interval_or_p(
    europarl_en: Vectors, lists: WordLists
) -> None:
    study = run(Space(europarl_en), replace(lists, male=("he",), female=("she",)), methods=())
    weat = study_findings(study).estimates.filter(measure="WEAT")
    assert weat.height == len(lists.targets)
    assert weat["value"].null_count() == 0
    for column in ("low", "high", "interval", "p", "p_adjusted"):
        assert weat[column].null_count() == weat.height


def test_a_study_of_english_has_every_estimate_with_an_interval_and_a_corrected_p(
    europarl_en: Vectors, lists: WordLists
) -> None:
    study = run(Space(europarl_en), lists, methods=(), settings=StudySettings(permutations=500))
    estimates = study_findings(study).estimates
    weat = estimates.filter(measure="WEAT")
    assert weat["reference"].to_list() == [test.name for test in lists.targets]
    assert weat.select("low", "high", "p", "p_adjusted").null_count().sum_horizontal()[0] == 0
    assert (weat["p_adjusted"] >= weat["p"]).all()
    assert (weat["p"] < 0.05).to_list() == ((weat["low"] > 0) | (weat["high"] < 0)).to_list()
    assert not any("grammatical" in note for note in study_findings(study).manifest.notes)


def test_a_mitigation_of_two_forms_is_refused(europarl_en: Vectors, lists: WordLists) -> None:
    with pytest.raises(BadInput, match="English has one"):
        run(Space(europarl_en), lists, methods=("shift-ori",))


def test_a_set_without_vectors_is_named_and_the_rest_is_measured(mini_en: Vectors, lists: WordLists) -> None:
    notes: list[str] = []
    assert [name for name, _ in weat_of_sets(mini_en, lists, notes)] == ["career – family"]
    assert any(note.startswith("science – arts: no WEAT") for note in notes)


def test_english_alone_on_the_command_line(shared_data: Path, tmp_path: Path) -> None:
    targets, held = tmp_path / "sets.tsv", tmp_path / "held.tsv"
    sides = {"laws": "law treaty vote", "people": "people citizens families"}
    rows = [f"laws – people\t{side}\t{word}\n" for side, words in sides.items() for word in words.split()]
    targets.write_text("test\tset\tword\n" + "".join(rows), encoding="utf-8")
    held.write_text("english\njudge\nlawyer\nnurse\nteacher\n")
    vectors = shared_data / "embeddings" / "europarl.en.20k300.vec.gz"
    options = ("--targets", targets, "--occupations", held, "-o", tmp_path / "en")
    done = evenhand("audit", "--language", "en", "--vectors", vectors, *options, cache=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "WEAT · laws – people (6)" in done.stdout
    findings = Findings.load(tmp_path / "en")
    assert findings.tables["occupations"]["word"].to_list() == ["judge", "lawyer", "nurse", "teacher"]
    page = (tmp_path / "en" / "report.html").read_text("utf-8")
    assert page.index('id="figure-weat"') < page.index('id="typical"') < page.index('id="numbers"')


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("audit", "--english", "pocket"), "leave --english and --dictionary out"),
        (("debias", "-o", "x.vec"), "English has one"),
        (("audit", "--method", "shift-ori"), "English has one"),
        (("audit", "--nouns", "x.tsv"), "--nouns is for languages with grammatical gender"),
    ],
)
def test_what_english_has_not_is_refused_in_one_line(
    options: tuple[str, ...], told: str, shared_data: Path, tmp_path: Path
) -> None:
    vectors = shared_data / "embeddings" / "wiki.en.aligned.mini.vec"
    verb, *more = options
    done = evenhand(verb, "--language", "en", "--vectors", vectors, *more, cache=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_test_with_one_set_is_refused_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "sets.tsv"
    path.write_text("test\tset\tword\nlone\ta\tx\n")
    with pytest.raises(BadInput, match=r"sets\.tsv.*'lone' has 1 sets"):
        WordLists.shipped("en").with_files(targets=path)
