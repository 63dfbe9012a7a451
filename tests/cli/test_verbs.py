"""The command line's promises: exit codes, one clear line for bad input, JSON that is only JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Cli = Callable[..., subprocess.CompletedProcess[str]]


def test_help_lists_every_verb_and_each_verb_explains_itself(cli: Cli) -> None:
    overview = cli("--help").stdout
    for verb in ("suites", "systems", "plan", "audit", "detect", "score", "report", "replicate"):
        assert verb in overview
        shown = cli(verb, "--help").stdout
        assert "Usage: evenhand" in shown
        assert not [kind for kind in ("<path>", "<str>", "<list[") if kind in shown]


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


def test_languages_lists_what_each_language_has_and_where_its_words_come_from(cli: Cli) -> None:
    shown = cli("languages")
    assert shown.returncode == 0
    assert "Polish" in shown.stdout
    covered = {row["code"]: row for row in json.loads(cli("languages", "--json").stdout)}
    assert covered["en"]["pronouns"]
    assert not covered["en"]["nouns"]
    assert covered["nl"]["nouns"]
    assert not covered["nl"]["mend"]
    assert covered["fr"]["mend"]
    assert covered["fr"]["speaker"]
    assert "occupations-verbs" in covered["de"]["suites"]
    assert 5_000 > covered["pl"]["pairs"] > 4_000 > 2 * covered["ro"]["pairs"]
    assert covered["pl"]["entries"] > 3 * covered["ar"]["entries"]
    assert covered["ca"]["sources"] == ["Evenhand", "softcatala", "wordnet"]


def test_replicate_json_is_one_array_and_warnings_go_to_stderr(cli: Cli, shared_data: Path) -> None:
    result = cli("replicate", "cho2019", "--data", shared_data / "tgbi", "--json")
    rows = json.loads(result.stdout)
    keys = {"paper", "table", "system", "row", "column", "published", "computed", "agrees", "input", "note"}
    assert all(set(row) == keys for row in rows)
    assert "contradict" in result.stderr


def test_replicate_without_its_folder_says_what_to_give(cli: Cli, tmp_path: Path) -> None:
    result = cli("replicate", "cho2019", "--data", tmp_path / "nowhere")
    assert result.returncode == 2
    assert "no such folder" in result.stderr


def test_wrong_use_is_one_line_that_names_the_option(cli: Cli) -> None:
    for arguments, expected in (
        (("audit", "pronouns-basque"), "--system"),
        (("audit", "pronouns-basque", "--nope"), "--nope"),
        (
            ("plan", "pronouns-basque", "-s", "apertium", "-t", "en", "--samples", "0"),
            "equal to 1. `evenhand plan --help`",
        ),
        (("completion", "tcsh"), "'SHELL': 'tcsh' is not one of"),
        (("audit", "occupations-verbs", "-s", "command:cat", "-t", "en"), "'en'. Known: ar,"),
        (("audit", "occupations-verbs:foo", "-s", "command:cat", "-t", "es"), "takes no argument"),
        (("plan", "pronouns-basque", "-s", "command:cat", "-t", "en", "--power", "2"), "between 0 and 1"),
        (("audit", "pronouns-basque", "-s", "command:cat", "--set", "texts=0", "-t", "en"), "at least 1"),
    ):
        result = cli(*arguments)
        assert result.returncode == 2
        assert result.stderr.count("\n") == 1, result.stderr
        assert result.stderr.startswith("evenhand: ")
        assert expected in result.stderr


def test_suites_are_listed_with_languages_and_sizes_and_shown_with_measures_and_glosses(cli: Cli) -> None:
    listed = {one["name"]: one for one in json.loads(cli("suites", "--json").stdout)}
    assert listed["pronouns-hungarian"]["source_lang"] == "hu"
    assert listed["pronouns-hungarian"]["probes"] == 1145
    assert "TGBI" in listed["pronouns-hungarian"]["measures"]
    assert "probes" not in listed["winomt"]
    shown = cli("suites", "show", "pronouns-turkish", "--first", "1").stdout
    assert "345 probes from tr into en, de, fr, es" in shown
    assert "measures: share_female" in shown
    assert "she/he is a doctor" in shown


def test_tables_keep_one_row_a_line_in_a_pipe(cli: Cli, probes: Path, tmp_path: Path) -> None:
    (tmp_path / "he.txt").write_text("He is here.\n" * 24)
    shown = cli("audit", probes, "-s", "file:he.txt", "-t", "en", "--no-report", "--all").stdout
    rows = [line for line in shown.splitlines() if line.startswith(("share_", "P_S"))]
    assert len(rows) >= 5
    assert all(row.endswith("(1)") for row in rows[:5])
    assert "(1) this system does not choose: 24 of 24 decided renderings are male" in shown


def test_a_reference_about_none_of_the_occupations_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("occupation,share_women\nunicorn tamer,0.5\n")
    common = ("audit", "pronouns-basque", "-s", "command:cat", "-t", "en", "--no-report")
    refused = cli(*common, "--reference", "mine.csv")
    assert refused.returncode == 2
    assert "reference mine has a share for none" in refused.stderr
    assert not (tmp_path / "runs").exists() or not list((tmp_path / "runs").iterdir())


def test_references_count_shares_and_rows_without_one_apart(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("isco08,share_women\n2211,0.4\n2221,0.9\n2212,-\n")
    shown = cli("references", "check", "mine.csv").stdout
    assert "2 shares by isco08, 1 rows without one" in shown
    assert "0.400 / 0.650 / 0.900" in shown
    rows = json.loads(cli("references", "show", "mine.csv", "--json").stdout)["rows"]
    assert {row["isco08"]: row["share_women"] for row in rows} == {"2211": 0.4, "2221": 0.9, "2212": None}


def test_labels_that_cannot_be_used_are_named_with_their_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_text("id\tgender\tlabel\na\tfemale\twoman\n")
    result = cli("calibrate", "labels.tsv", "--language", "en", "--kind", "pronouns")
    assert result.returncode == 2
    assert result.stderr.startswith("evenhand: labels.tsv")
    assert "'woman'" in result.stderr
