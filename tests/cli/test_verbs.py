"""The command line's promises: exit codes, one clear line for bad input, JSON that is only JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]

PAIRS = "id\tsource\trendering\tfocus\n"
ROWS = (
    "a\tThe nurse is here.\tDie Krankenschwester ist hier.\tnurse\n"
    "b\tThe developer is here.\tDer Entwickler ist hier.\tdeveloper\n"
)


@pytest.fixture
def probes(tmp_path: Path) -> Path:
    path = tmp_path / "mine.tsv"
    rows = [f"p{n:02d}\tŐ {n}.\thu\tc{n // 2}" for n in range(24)]
    path.write_text("id\tsource\tsource_lang\tconcept\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("".join(f"{'She' if n % 4 == 0 else 'He'} is {n}.\n" for n in range(24)))
    return path


def test_help_lists_every_verb_and_each_verb_explains_itself(cli: Cli) -> None:
    overview = cli("--help").stdout
    for verb in ("suites", "systems", "plan", "audit", "detect", "score", "report", "replicate"):
        assert verb in overview
        assert "Usage: evenhand" in cli(verb, "--help").stdout


def test_an_unknown_verb_suite_or_system_suggests_the_right_one_and_exits_2(cli: Cli) -> None:
    for arguments, hint in (
        (("audti",), "'audit'"),
        (("suites", "show", "pronouns-basqe"), "'pronouns-basque'"),
        (("audit", "pronouns-basque", "--system", "apertum", "--target", "en"), "'apertium'"),
    ):
        result = cli(*arguments)
        assert result.returncode == 2
        assert hint in result.stderr
        assert result.stderr.startswith("evenhand: ")
        assert "Traceback" not in result.stderr


def test_suites_show_prints_ids_for_a_spreadsheet(cli: Cli) -> None:
    ids = cli("suites", "show", "occupations-verbs", "--ids").stdout.split()
    assert len(ids) == 4_158
    assert ids[0] == "VF01OccF01"


def test_an_audit_of_existing_translations_writes_a_run_and_prints_its_signature(
    cli: Cli, probes: Path, lines: Path, tmp_path: Path
) -> None:
    result = cli("audit", probes, "--system", f"file:{lines}", "--target", "en", "-o", tmp_path / "run", "--no-report")
    assert result.returncode == 0, result.stderr
    assert "share_female" in result.stdout
    assert "signature" in result.stdout
    assert (tmp_path / "run" / "manifest.json").is_file()
    scored = cli("score", tmp_path / "run", "--seed", "7", "--json")
    values = {(e["measure"], e["level"]): e["value"] for e in json.loads(scored.stdout)["estimates"]}
    assert values["share_female", ""] == pytest.approx(6 / 24)


def test_a_translations_file_of_another_length_is_refused_and_nothing_is_written(
    cli: Cli, probes: Path, lines: Path, tmp_path: Path
) -> None:
    lines.write_text("He is here.\n")
    result = cli("audit", probes, "--system", f"file:{lines}", "--target", "en", "-o", tmp_path / "run", "--no-report")
    assert result.returncode == 2
    assert "24" in result.stderr
    assert not (tmp_path / "run").exists()


def test_plan_counts_and_sends_nothing(cli: Cli, probes: Path) -> None:
    result = cli("plan", probes, "--system", "command:false", "--target", "en", "--price", "20", "--json")
    assert result.returncode == 0, result.stderr
    plan = json.loads(result.stdout)
    assert plan["texts"] == plan["sent"] == 24
    assert plan["characters"] == sum(len(f"Ő {n}.") for n in range(24))
    assert plan["price"] == pytest.approx(plan["characters"] * 20 / 1e6)


def test_a_budget_in_characters_refuses_to_start(cli: Cli, probes: Path, tmp_path: Path) -> None:
    arguments = ("--system", "command:cat", "--target", "en", "--max-characters", "10", "-o", tmp_path / "run")
    result = cli("audit", probes, *arguments)
    assert result.returncode == 2
    assert "10" in result.stderr
    assert not (tmp_path / "run").exists()


def test_detect_writes_one_verdict_a_pair_and_reads_standard_input(cli: Cli, tmp_path: Path) -> None:
    result = cli("detect", "-", "--source", "en", "--target", "de", stdin=PAIRS + ROWS)
    assert result.returncode == 0, result.stderr
    table = [line.split("\t") for line in result.stdout.splitlines()]
    assert table[0][:5] == ["id", "gender", "evidence", "how", "confidence"]
    assert [row[:2] for row in table[1:]] == [["a", "female"], ["b", "male"]]


def test_detect_json_is_one_object_a_line(cli: Cli) -> None:
    result = cli("detect", "-", "--target", "de", "--json", stdin=PAIRS + ROWS)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["gender"] for row in rows] == ["female", "male"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id\tsource\n", "line 1"),
        (PAIRS + ROWS + "c\ttoo few\n", "line 4"),
        (PAIRS + ROWS + ROWS, "line 4"),
        (PAIRS + "a\tThe nurse met the nurse.\tx\tnurse\n", "2 times"),
    ],
)
def test_bad_pairs_name_the_line_and_leave_no_file(cli: Cli, tmp_path: Path, text: str, expected: str) -> None:
    result = cli("detect", "-", "--target", "de", "-o", tmp_path / "out.tsv", stdin=text)
    assert result.returncode == 2
    assert expected in result.stderr
    assert not (tmp_path / "out.tsv").exists()


def test_a_sentence_from_a_pronoun_language_goes_to_the_pronoun_detector(cli: Cli) -> None:
    text = "id\tsource\trendering\na\tŐ orvos.\tShe is a doctor.\nb\tOrvos.\tHe or she is a doctor.\n"
    result = cli("detect", "-", "--source", "hu", "--target", "en", stdin=text)
    assert [line.split("\t")[1] for line in result.stdout.splitlines()[1:]] == ["female", "both"]


def test_replicate_json_is_one_array_and_warnings_go_to_stderr(cli: Cli, shared_data: Path) -> None:
    result = cli("replicate", "cho2019", "--data", shared_data / "tgbi", "--json")
    rows = json.loads(result.stdout)
    keys = {"paper", "table", "system", "row", "column", "published", "computed", "agrees", "note"}
    assert all(set(row) == keys for row in rows)
    assert "contradict" in result.stderr


def test_replicate_without_its_folder_says_what_to_give(cli: Cli, tmp_path: Path) -> None:
    result = cli("replicate", "cho2019", "--data", tmp_path / "nowhere")
    assert result.returncode == 2
    assert "no such folder" in result.stderr
