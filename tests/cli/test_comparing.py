"""compare and check on two made-up systems whose difference is known."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


@pytest.fixture
def runs(cli: Cli, tmp_path: Path) -> dict[str, Path]:
    """Two systems over 60 concepts of two sentences: one female for every second concept, one for every sixth."""
    probes = tmp_path / "mine.tsv"
    rows = [f"p{n:03d}\tŐ {n}.\thu\tc{n // 2}" for n in range(120)]
    probes.write_text("id\tsource\tsource_lang\tconcept\n" + "\n".join(rows) + "\n", encoding="utf-8")
    made = {}
    for name, step in (("even", 2), ("skewed", 6)):
        lines = tmp_path / f"{name}.txt"
        lines.write_text("".join(f"{'She' if (n // 2) % step == 0 else 'He'} is {n}.\n" for n in range(120)))
        made[name] = tmp_path / f"run-{name}"
        result = cli("audit", probes, "-s", f"file:{lines}", "-t", "en", "-o", made[name], "--no-report")
        assert result.returncode == 0, result.stderr
    return made


def test_compare_reports_the_paired_difference_and_ranks(cli: Cli, runs: dict[str, Path]) -> None:
    result = cli("compare", runs["even"], runs["skewed"], "--json")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["common"] == 120
    (share,) = [d for d in found["differences"] if d["measure"] == "share_female"]
    assert share["value"] == pytest.approx(30 / 60 - 10 / 60)
    assert share["p_adjusted"] < 0.05
    assert len(found["differing"]) == 40


def test_the_page_shows_the_comparison_the_terminal_prints(cli: Cli, runs: dict[str, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = cli("compare", runs["even"], runs["skewed"], "-o", page, "--json")
    assert result.returncode == 0, result.stderr
    tested = {d["p_adjusted"] for d in json.loads(result.stdout)["differences"] if d["p_adjusted"] is not None}
    shown = page.read_text(encoding="utf-8")
    words = {"&lt; 0.001" if p < 0.001 else f"{p:.3f}" for p in tested}
    assert words
    assert all(f'data-label="p, adjusted">{word}<' in shown for word in words)


def test_check_fails_against_a_better_baseline_and_passes_the_other_way(cli: Cli, runs: dict[str, Path]) -> None:
    worse = cli("check", runs["skewed"], "--against", runs["even"])
    assert worse.returncode == 1
    assert "FAILED  P_S: significantly worse" in worse.stdout
    assert cli("check", runs["even"], "--against", runs["skewed"]).returncode == 0


def test_check_against_limits_says_in_one_line_which_is_broken(cli: Cli, runs: dict[str, Path], tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text('[[limit]]\nmeasure = "share_female"\nmin = 0.4\n')
    assert cli("check", runs["even"], "--against", limits).returncode == 0
    broken = cli("check", runs["skewed"], "--against", limits)
    assert broken.returncode == 1
    assert [line for line in broken.stdout.splitlines() if line.startswith("FAILED")] == broken.stdout.splitlines()[1:2]
    assert "below the limit 0.4" in broken.stdout


def test_check_gates_the_measure_that_is_asked_for_and_says_what_it_left_out(cli: Cli, runs: dict[str, Path]) -> None:
    against = ("check", runs["skewed"], "--against", runs["even"])
    lower = json.loads(cli(*against, "--measure", "share_male:lower", "--json").stdout)
    assert [(c["name"], c["outcome"]) for c in lower["checks"]] == [("share_male", "worse")]
    assert lower["not_gated"]["P_S"] == "not asked for"
    assert cli(*against, "--measure", "share_male:higher").returncode == 0
    undirected = cli(*against, "--measure", "share_male")
    assert undirected.returncode == 2
    assert "no direction" in undirected.stderr
    assert "not gated: share_female, share_male" in cli(*against).stdout


def test_a_margin_asks_for_proof(cli: Cli, runs: dict[str, Path], tmp_path: Path) -> None:
    before = shutil.copytree(runs["even"], tmp_path / "before")
    same = ("check", runs["even"], "--against", before, "--measure", "P_S")
    assert cli(*same, "--margin", "P_S=0.02").returncode == 0
    against = ("check", runs["skewed"], "--against", runs["even"], "--measure", "P_S", "--margin")
    assert cli(*against, "P_S=0.4").returncode == 0
    unclear = cli(*against, "P_S=13points")
    assert unclear.returncode == 1
    assert ": cannot confirm no worse by more than 0.13, worse by up to" in unclear.stdout
    assert "smallest detectable change: " in unclear.stdout
    assert cli(*against, "P_S=13points", "--not-shown", "pass").returncode == 0


def test_compare_says_what_is_shown_within_a_margin(cli: Cli, runs: dict[str, Path]) -> None:
    found = json.loads(
        cli("compare", runs["even"], runs["skewed"], "--measure", "P_S", "--margin", "P_S=0.4", "--json").stdout
    )
    assert [m["outcome"] for m in found["margins"]] == ["no worse", "no worse"]
    assert [d["measure"] for d in found["differences"]] == ["P_S"]


def test_a_failed_gate_is_a_failed_test_case_and_an_annotation(cli: Cli, runs: dict[str, Path]) -> None:
    against = ("check", runs["skewed"], "--against", runs["even"], "--format")
    written = cli(*against, "junit")
    assert written.returncode == 1
    etree = pytest.importorskip("lxml.etree", reason="lxml is not installed")
    schema = etree.XMLSchema(etree.parse(FIXTURES / "junit-10.xsd"))  # the one Jenkins' xUnit plug-in reads by
    schema.assertValid(etree.fromstring(written.stdout.encode()))
    suite = ElementTree.fromstring(written.stdout).find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    told = {name: len(suite.findall(f"testcase/{name}")) for name in ("failure", "skipped")}
    assert (len(cases), told["failure"], told["skipped"]) == tuple(
        int(suite.attrib[name]) for name in ("tests", "failures", "skipped")
    )
    assert [c.attrib["name"] for c in cases if c.find("failure") is not None] == ["P_S", "TFG"]
    lines = cli(*against, "github").stdout.splitlines()
    assert lines[0].startswith("::error title=evenhand%3A P_S::P_S: significantly worse than the baseline: ")
    assert " (95 %25)" in lines[0]
    assert lines[-1].startswith("::notice title=evenhand::")


def test_single_strings_are_gated_and_accepted_in_a_file(cli: Cli, runs: dict[str, Path], tmp_path: Path) -> None:
    against = ("check", runs["skewed"], "--against", runs["even"], "--measure", "P_S", "--not-shown", "pass")
    sentences = (*against, "--margin", "P_S=0.4", "--sentences")
    failed = cli(*sentences)
    assert failed.returncode == 1
    lines = [line for line in failed.stdout.splitlines() if line.startswith("FAILED")]
    assert len(lines) == 40
    assert "female to male: “She is 4.” is now “He is 4.” (Ő 4.)" in lines[0]
    accepted = tmp_path / "accepted.tsv"
    assert cli(*sentences, "--accept", accepted).returncode == 2
    assert cli(*sentences, "--accept", accepted, "--accept-new").returncode == 0
    assert cli(*sentences, "--accept", accepted).returncode == 0
    assert cli(*against, "--accept", accepted).returncode == 2


def test_runs_of_other_sentences_are_refused(cli: Cli, runs: dict[str, Path]) -> None:
    fixture = Path(__file__).parents[1] / "fixtures" / "run-0.1.0"
    result = cli("compare", runs["even"], fixture)
    assert result.returncode == 2
    assert "same sentences" in result.stderr


def test_the_shipped_hypotheses_are_answered_for_any_run(cli: Cli, runs: dict[str, Path]) -> None:
    result = cli("score", runs["even"], "--hypotheses", "troles2021", "--json")
    answers = {a["id"]: a["answer"] for a in json.loads(result.stdout)["hypotheses"]}
    assert set(answers) == {"H1", "H2a", "H2b", "H2c"}
    assert set(answers.values()) == {"not answerable"}


def test_plan_says_how_many_probes_detect_a_difference(cli: Cli) -> None:
    result = cli("plan", "occupations-verbs", "-s", "command:cat", "-t", "de", "--power", "0.05", "--json")
    told = json.loads(result.stdout)["power"]
    assert told["clusters"] == 99
    assert told["power_independent"] < told["power"] < told["power_alike"]
    assert told["needed_clusters"] > 99


def test_what_the_power_rests_on_is_printed_and_can_be_set(cli: Cli, runs: dict[str, Path]) -> None:
    common = ("plan", "pronouns-basque", "-s", "command:cat", "-t", "en", "--power", "0.1")
    assumed = cli(*common).stdout
    assert "correlation 0.500" in assumed
    assert assumed.count("(assumed)") == 3
    given = cli(*common, "--correlation", "0.9", "--icc", "0.2", "--share", "0.4").stdout
    assert given.count("(given)") == 3
    one = cli(*common, "--like", runs["even"]).stdout
    assert "one run cannot show it" in one
    two = cli(*common, "--like", runs["even"], "--like", runs["skewed"]).stdout
    assert "one run cannot show it" not in two
    assert "at the unfavourable ends" in two
    assert cli(*common, "--correlation", "2").returncode == 2


def test_a_pilot_alone_gives_the_smallest_difference_that_would_be_seen(cli: Cli, runs: dict[str, Path]) -> None:
    result = cli("plan", "pronouns-basque", "-s", "command:cat", "-t", "en", "--like", runs["even"], "--json")
    told = json.loads(result.stdout)
    assert told["power"]["power"] == pytest.approx(0.8, abs=0.06)


def test_a_run_is_not_held_against_itself(cli: Cli, runs: dict[str, Path], tmp_path: Path) -> None:
    for arguments in (("compare", runs["even"], runs["even"]), ("check", runs["even"], "--against", runs["even"])):
        told = cli(*arguments)
        assert told.returncode == 2
        assert told.stderr.endswith("run-even is given twice; name two different runs\n")
