"""evenhand embeddings, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess
from typing import TypeAlias

import numpy as np
import polars as pl
import pytest
from tests import command_line

from evenhand.embeddings.files import load_vectors
from evenhand.results.findings import Findings, load_result

Loaded: TypeAlias = "dict[str, Loaded] | list[Loaded] | str | float | int | bool | None"


def evenhand(*arguments: object, cache: Path, verb: str = "embeddings") -> CompletedProcess[str]:
    return command_line.evenhand(verb, *arguments, folder=cache, environment={"EVENHAND_CACHE": str(cache)})


@pytest.fixture(scope="module")
def real(shared_data: Path) -> Path:
    return shared_data / "embeddings"


@pytest.fixture(scope="module")
def mini(real: Path) -> list[object]:
    files: list[object] = [
        "--vectors",
        real / "wiki.es.aligned.mini.vec",
        "--english",
        real / "wiki.en.aligned.mini.vec",
    ]
    return ["--language", "es", *files, "--occupations", real / "es_occupation_pairs.tsv"]


def test_an_audit_prints_json_and_nothing_else(mini: list[object], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = evenhand("audit", *mini, "--json", "-o", page, cache=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    values = {(row["measure"], row["level"]): row["value"] for row in told["estimates"]}
    assert values["masculine_nearer", "original"] == 16 / 17
    assert values["ASD", "original"] == pytest.approx(0.1574, abs=1e-4)
    assert ("d_g_accuracy", "original") not in values
    assert any("too few nouns" in note for note in told["notes"])
    unrun = {note.split()[0] for note in told["notes"] if "was not run" in note}
    assert unrun == {"de-align", "hybrid-ori", "hybrid-en"}
    assert abs(values["MWEAT", "shift-ori"]) < 0.2 * abs(values["MWEAT", "original"])
    html = page.read_text(encoding="utf-8")
    assert html.count("<svg") >= 3
    assert "<details class=" in html
    assert told["signature"] in html
    for asked in ("src=", 'href="http', "url(http", "@import", '<link rel="stylesheet'):
        assert asked not in html, asked


def test_published_lists_stand_in_for_ours_in_audit_and_evaluate(
    mini: list[object], shared_data: Path, tmp_path: Path
) -> None:
    lists = f"zhou2019:{shared_data / 'zhou2019'}"
    plain = json.loads(evenhand("audit", *mini, "--method", "none", "--json", cache=tmp_path).stdout)
    done = evenhand("audit", *mini, "--method", "none", "--lists", lists, "--json", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert any("nouns are in both lists and left out" in note for note in told["notes"])
    assert told["signature"] != plain["signature"]
    assert evenhand("evaluate", *mini, "--method", "none", "--lists", lists, cache=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("lists", "said"),
    [("zhou2020:x", "Did you mean 'zhou2019'"), ("zhou2019:nowhere", "there is no folder 'nowhere'")],
)
def test_published_lists_that_are_not_there_are_refused(
    mini: list[object], lists: str, said: str, tmp_path: Path
) -> None:
    done = evenhand("audit", *mini, "--lists", lists, cache=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr


def test_an_audit_prints_tables_for_people(mini: list[object], tmp_path: Path) -> None:
    done = evenhand("audit", *mini, "--method", "shift-ori", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "No grammatical direction" in done.stdout
    assert "Bias before and after" in done.stdout
    assert "\nshift-ori  −0.0" in done.stdout
    assert "signature  kind:embeddings|language:es|vectors:wiki.es.aligned.mini.vec#" in done.stdout


def test_a_saved_study_is_reported_exported_and_compared_like_a_run(mini: list[object], tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 1)):
        asked = ["--method", "shift-ori", "--seed", seed, "-o", tmp_path / name]
        done = evenhand("audit", *mini, *asked, cache=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / name / "report.html").is_file()
    findings = load_result(tmp_path / "a")
    assert isinstance(findings, Findings)
    page = tmp_path / "again.html"
    assert evenhand(tmp_path / "a", "-o", page, cache=tmp_path, verb="report").returncode == 0
    assert page.read_text(encoding="utf-8") == (tmp_path / "a" / "report.html").read_text(encoding="utf-8")
    table = tmp_path / "t.csv"
    assert evenhand(tmp_path / "a", "-o", table, cache=tmp_path, verb="report").returncode == 0
    assert pl.read_csv(table).height == findings.estimates.height
    done = evenhand(tmp_path / "a", tmp_path / "b", "--json", cache=tmp_path, verb="compare")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert set(told["results"]) == {"a", "b"}
    assert {row["b - a"] for row in told["estimates"] if row["measure"] == "MWEAT"} == {0.0}
    assert "no test of a difference would be sound" in told["note"]


def test_a_study_and_a_run_are_not_compared(mini: list[object], tmp_path: Path) -> None:
    run = Path(__file__).parents[1] / "fixtures" / "run-0.1.0"
    assert evenhand("audit", *mini, "--method", "none", "-o", tmp_path / "a", cache=tmp_path).returncode == 0
    for verb in ("compare", "report"):
        done = evenhand(tmp_path / "a", run, cache=tmp_path, verb=verb)
        assert done.returncode == 2
        assert "results of different kinds (embeddings, run) cannot be compared" in done.stderr
    done = evenhand("audit", *mini, "-o", run, cache=tmp_path)
    assert "holds a result of a suite through a system, not of embeddings" in done.stderr


def test_debias_writes_vectors_that_differ_only_where_it_says(mini: list[object], real: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.vec.gz"
    done = evenhand("debias", *mini, "--method", "shift-en", "-o", out, "--json", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["pairs_shifted"] == 17
    assert told["worst_asymmetry"] < 1e-6
    before, after = load_vectors(real / "wiki.es.aligned.mini.vec"), load_vectors(out)
    changed = [w for i, w in enumerate(before.words) if not np.array_equal(before.matrix[i], after.matrix[i])]
    assert len(changed) == 2 * 17 + told["inanimate_freed"]


def test_evaluate_compares_other_versions_of_the_vectors(mini: list[object], tmp_path: Path) -> None:
    out = tmp_path / "out.vec"
    assert evenhand("debias", *mini, "-o", out, cache=tmp_path).returncode == 0
    dictionary = tmp_path / "d.txt"
    pairs = "lawyer abogado\nlawyer abogada\nnurse enfermera\njudge juez\ndoctor doctor\n"
    dictionary.write_text(pairs, encoding="utf-8")
    asked = ["--translation", dictionary, "--method", "none", "--against", out, "--json"]
    done = evenhand("evaluate", *mini, *asked, cache=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [row for row in json.loads(done.stdout)["estimates"] if row["reference"] == "d.txt"]
    assert [row["n_decided"] for row in rows if (row["measure"], row["level"]) == ("P@1", "original")] == [4]
    changes = [(row["level"], row["value"] <= 0.5) for row in rows if row["measure"] == "P@1_change"]
    assert changes == [("out.vec", True)]


def test_english_words_on_spanish_vectors_are_refused_not_ranked(real: Path, tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("general\npresidente\ndirector\n", encoding="utf-8")
    done = evenhand("score", tmp_path / "w.txt", "--vectors", real / "europarl.es.20k300.vec.gz", cache=tmp_path)
    assert done.returncode == 2
    assert "the vocabulary is es, the word lists are en" in done.stderr


def test_files_of_the_same_name_are_both_tested_and_broken_lines_told(mini: list[object], tmp_path: Path) -> None:
    pairs = ["lawyer abogado", "nurse enfermera", "judge juez", "doctor doctor"]
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "d.txt").write_text("\n".join(pairs[: 4 if folder == "a" else 3]) + "\n", encoding="utf-8")
    (tmp_path / "c.txt").write_text("\n".join([*pairs * 20, "lonely"]) + "\n", encoding="utf-8")
    asked = [part for name in ("a/d.txt", "b/d.txt", "c.txt") for part in ("--translation", tmp_path / name)]
    done = evenhand("evaluate", *mini, *asked, "--method", "none", "--json", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {row["reference"]: row["n_decided"] for row in told["estimates"] if row["measure"] == "P@1"} == {
        str(tmp_path / "a" / "d.txt"): 4,
        str(tmp_path / "b" / "d.txt"): 3,
        "c.txt": 4,
    }
    assert any("1 lines without two words left out, the first is 81" in line for line in told["notes"])


@pytest.mark.parametrize("verb", ["audit", "evaluate"])
def test_translation_without_english_is_refused_not_forgotten(real: Path, tmp_path: Path, verb: str) -> None:
    (tmp_path / "d.txt").write_text("judge juez\n", encoding="utf-8")
    vectors = ["--language", "es", "--vectors", real / "wiki.es.aligned.mini.vec"]
    done = evenhand(verb, *vectors, "--translation", tmp_path / "d.txt", cache=tmp_path)
    assert done.returncode == 2
    assert "need --english vectors" in done.stderr


def test_score_ranks_words_and_compares_with_a_reference(real: Path, tmp_path: Path) -> None:
    words, reference = tmp_path / "w.txt", tmp_path / "r.tsv"
    words.write_text("nurse\ndoctor\nlawyer\nmechanic\nsecretary\nunheardof\n", encoding="utf-8")
    reference.write_text(
        "word\twomen\nnurse\t90\ndoctor\t40\nlawyer\t36\nmechanic\t4\nsecretary\t93\n", encoding="utf-8"
    )
    vectors = ["--vectors", real / "wiki.en.raw.mini.vec", "--vectors", real / "wiki.en.aligned.mini.vec"]
    figure = tmp_path / "f.svg"
    done = evenhand("score", words, *vectors, "--reference", reference, "--figure", figure, "--json", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["measured"].startswith("5 of 6 words")
    assert "without a vector: unheardof" in told["notes"]
    assert told["tables"]["scores"][0]["word"] == "nurse"
    assert [(row["measure"], row["reference"]) for row in told["estimates"]] == [("Pearson", "r"), ("Spearman", "r")]
    assert told["estimates"][0]["value"] < -0.5
    assert figure.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit", "--language", "hu", "--vectors", "x.vec"], "unknown language 'hu'"),
        (["audit", "--language", "es", "--vectors", "nowhere.vec"], "nowhere.vec: no such file"),
        (["debias", "--language", "es", "--vectors", "x.vec", "-o", "o.pkl"], "not a known vector format"),
        (
            ["debias", "--language", "es", "--vectors", "x.vec", "-o", "o.vec", "--method", "magic"],
            "unknown method 'magic'",
        ),
        (["evaluate", "--language", "es", "--vectors", "x.vec"], "nothing to evaluate"),
        (["audit", "--language", "es", "--vectors", "x.vec", "-o", "/dev/null/p.html"], "p.html: cannot be written"),
        (["audit", "--language", "es", "--vectors", "x.vec", "-o", "/dev/null/study"], "study: cannot be written"),
    ],
)
def test_wrong_use_is_one_clear_line_and_exit_code_2(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = evenhand(*arguments, cache=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.startswith("evenhand: ")
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_two_outputs_need_two_names_and_english_output_english(mini: list[object], real: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.vec"
    done = evenhand("debias", *mini, "-o", out, "--english-output", tmp_path / "." / "o.vec", cache=tmp_path)
    assert (done.returncode, out.exists()) == (2, False)
    assert "are the same file" in done.stderr
    alone = ["--language", "es", "--vectors", real / "wiki.es.aligned.mini.vec"]
    done = evenhand("debias", *alone, "-o", out, "--english-output", tmp_path / "e.vec", cache=tmp_path)
    assert (done.returncode, out.exists()) == (2, False), "nothing is written before everything is checked"
    assert "--english-output without --english" in done.stderr


def test_an_input_is_never_overwritten(mini: list[object], real: Path, tmp_path: Path) -> None:
    copy = tmp_path / "v.vec"
    copy.write_bytes((real / "wiki.es.aligned.mini.vec").read_bytes())
    done = evenhand("debias", "--language", "es", "--vectors", copy, "-o", copy, cache=tmp_path)
    assert done.returncode == 2
    assert "is an input of this command" in done.stderr
    assert copy.read_bytes() == (real / "wiki.es.aligned.mini.vec").read_bytes()
