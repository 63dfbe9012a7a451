"""The command line's promises: exit codes, one clear line for bad input, JSON that is only JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.aged import made_older

from evenhand.runs import Run
from evenhand.workflows.frozen import read_plan, write_plan

Cli = Callable[..., subprocess.CompletedProcess[str]]

SHE = "command:sh she.sh"
PAIRS = "id\tsource\trendering\tfocus\n"
ROWS = (
    "a\tThe nurse is here.\tDie Krankenschwester ist hier.\tnurse\n"
    "b\tThe developer is here.\tDer Entwickler ist hier.\tdeveloper\n"
)


@pytest.fixture
def probes(tmp_path: Path) -> Path:
    path = tmp_path / "mine.tsv"
    (tmp_path / "she.sh").write_text("sed 's/^Ő /She is number /'\n", encoding="utf-8")
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
        (PAIRS + "\n" + ROWS, "line 2: a blank line between rows"),
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
        (("plan", "pronouns-basque", "-s", "apertium", "-t", "en", "--samples", "0"), "--samples"),
        (("audit", "occupations-verbs:foo", "-s", "command:cat", "-t", "es"), "takes no argument"),
        (("plan", "pronouns-basque", "-s", "command:cat", "-t", "en", "--power", "2"), "between 0 and 1"),
        (("audit", "pronouns-basque", "-s", "command:cat", "--set", "texts=0", "-t", "en"), "at least 1"),
    ):
        result = cli(*arguments)
        assert result.returncode == 2
        assert result.stderr.count("\n") == 1, result.stderr
        assert result.stderr.startswith("evenhand: ")
        assert expected in result.stderr


def test_every_setting_of_a_system_has_a_default_folder_of_its_own(cli: Cli, probes: Path, tmp_path: Path) -> None:
    (tmp_path / "sim.tsv").write_text("p_female\tp_male\tp_neutral\n0.5\t0.5\t0\n")
    common = ("audit", probes, "-s", "simulated:sim.tsv", "-t", "en", "--no-report", "--resamples", "100")
    for more in ((), ("--set", "seed=1"), ("--set", "seed=2"), ("--samples", "2")):
        assert cli(*common, *more).returncode == 0
    assert sorted(folder.name for folder in (tmp_path / "runs").glob("[!.]*")) == [
        "mine.tsv.simulated-sim.tsv.en",
        "mine.tsv.simulated-sim.tsv.en.samples=2",
        "mine.tsv.simulated-sim.tsv.en.seed=1",
        "mine.tsv.simulated-sim.tsv.en.seed=2",
    ]


def test_plan_counts_calls_and_minutes_within_the_limits_given(cli: Cli, probes: Path) -> None:
    common = ("plan", probes, "-s", "command:cat", "-t", "en", "--json")
    found = json.loads(cli(*common, "--texts-per-call", "5", "--requests-per-minute", "2").stdout)
    assert (found["calls"], found["minutes"]) == (5, 2.5)
    assert json.loads(cli(*common).stdout)["minutes"] is None


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


def test_an_audit_keeps_to_the_limits_given(cli: Cli, probes: Path, tmp_path: Path) -> None:
    (tmp_path / "slow.sh").write_text("tee lines.log | wc -l >> calls.log; cat lines.log\n")
    limits = ("--texts-per-call", "6", "--concurrency", "1", "--characters-per-minute", "100000")
    done = cli("audit", probes, "-s", "command:sh slow.sh", "-t", "en", "--no-report", "--resamples", "100", *limits)
    assert done.returncode == 0, done.stderr
    assert max(map(int, (tmp_path / "calls.log").read_text().split())) <= 6


def test_tables_keep_one_row_a_line_in_a_pipe(cli: Cli, probes: Path, tmp_path: Path) -> None:
    (tmp_path / "he.txt").write_text("He is here.\n" * 24)
    shown = cli("audit", probes, "-s", "file:he.txt", "-t", "en", "--no-report").stdout
    rows = [line for line in shown.splitlines() if line.startswith(("share_", "P_S"))]
    assert len(rows) == 5
    assert all(row.endswith("(1)") for row in rows)
    assert "(1) this system does not choose: 24 of 24 decided renderings are male" in shown


def test_scoring_again_rewrites_the_report_in_the_folder_and_says_what_it_drops(
    cli: Cli, probes: Path, lines: Path, tmp_path: Path
) -> None:
    done = cli("audit", probes, "-s", f"file:{lines}", "-t", "en", "-o", "run", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert cli("score", "run", "--seed", "77").returncode == 0
    assert "seed:77" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_scoring_into_the_folder_of_another_run_is_refused(cli: Cli, probes: Path, lines: Path, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("She is here.\n" * 24)
    for name, file in (("one", lines), ("two", tmp_path / "other.txt")):
        assert cli("audit", probes, "-s", f"file:{file}", "-t", "en", "-o", name, "--no-report").returncode == 0
    before = (tmp_path / "two" / "manifest.json").read_bytes()
    refused = cli("score", "one", "-o", "two")
    assert refused.returncode == 2
    assert "two holds a run of mine" in refused.stderr
    assert (tmp_path / "two" / "manifest.json").read_bytes() == before


def test_detect_prints_nothing_when_a_later_row_is_bad(cli: Cli) -> None:
    for text in ("", PAIRS + ROWS + ROWS, PAIRS + ROWS + "c\tone cell too few\n"):
        result = cli("detect", "-", "--target", "de", stdin=text)
        assert (result.returncode, result.stdout) == (2, "")


def test_a_large_input_is_judged_by_several_processes_in_its_own_order(cli: Cli, tmp_path: Path) -> None:
    rows = [ROWS.splitlines()[n % 2].partition("\t")[2] for n in range(45_000)]
    (tmp_path / "large.tsv").write_text(PAIRS + "".join(f"{n}\t{row}\n" for n, row in enumerate(rows)))
    result = cli("detect", "large.tsv", "--target", "de", "--workers", "2")
    assert result.returncode == 0, result.stderr
    table = [line.split("\t")[:2] for line in result.stdout.splitlines()[1:]]
    assert table == [[str(n), ("female", "male")[n % 2]] for n in range(45_000)]
    bad = (tmp_path / "large.tsv").read_text() + "no columns\n"
    (tmp_path / "large.tsv").write_text(bad)
    refused = cli("detect", "large.tsv", "--target", "de", "--workers", "2")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "45002" in refused.stderr


def test_a_pool_is_learnt_from_the_file_when_asked_and_never_from_a_pipe(cli: Cli, tmp_path: Path) -> None:
    """Only the rows at hand can tell which made-up word renders the focus."""
    pytest.importorskip("systran_align")
    lines, n = [], 0
    for thing, word in (("dog", "Hund"), ("house", "Haus"), ("tree", "Baum"), ("song", "Lied")):
        for verb, done in (("saw", "sah"), ("loved", "liebte"), ("sold", "verkaufte")):
            lines.append(f"{n}\tThe zorbist {verb} a {thing}.\tDie Quimpfe {done} einen {word}.\tzorbist\n")
            lines.append(f"{n + 1}\tThe pilot {verb} a {thing}.\tDer Pilot {done} einen {word}.\tpilot\n")
            n += 2
    (tmp_path / "pairs.tsv").write_text(PAIRS + "".join(lines))
    first, second = (cli("detect", "pairs.tsv", "-t", "de", "-o", "out.tsv", *more) for more in ((), ("--pool",)))
    assert first.returncode == second.returncode == 0, second.stderr
    assert first.stderr.split("detector ")[1] != second.stderr.split("detector ")[1]
    judged = [line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()[1:]]
    assert {row[1] for row in judged[::2]} == {"female"}
    assert "Quimpfe" in judged[0][2]
    assert cli("detect", "-", "-t", "de", "--pool", stdin=PAIRS + ROWS).returncode == 2


def test_detect_refuses_a_kind_or_a_forms_file_that_is_not_there(cli: Cli) -> None:
    for option, value in (("--kind", "noun"), ("--forms", "nowhere.tsv")):
        result = cli("detect", "-", "--target", "de", option, value, stdin=PAIRS + ROWS)
        assert result.returncode == 2
        assert value in result.stderr


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


def test_a_disk_that_takes_no_more_leaves_no_half_written_run(probes: Path, tmp_path: Path) -> None:
    """RLIMIT_FSIZE stands for a full disk: a write beyond it fails in the same place, with another word."""
    rows = "".join(f"x{n}\tŐ {n * 7919 % 10_007} {n**5 % 999_983}.\thu\n" for n in range(9_000))
    probes.write_text("id\tsource\tsource_lang\n" + rows, encoding="utf-8")
    (tmp_path / "he.txt").write_text("He.\n" * 9_000)
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)); "
        "from evenhand.cli.main import main; main()"
    )
    arguments = ["audit", str(probes), "-s", "file:he.txt", "-t", "en", "-o", "out/run", "--resamples", "100"]
    environment = {**os.environ, "EVENHAND_MEMORY": str(tmp_path / "m.sqlite")}
    result = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True, text=True, cwd=tmp_path, env=environment, check=False, timeout=300,
    )  # fmt: skip
    assert result.returncode == 2, result.stderr
    assert result.stderr == "evenhand: out/run: cannot be written (File too large). Nothing was written.\n"
    assert {path.name for path in (tmp_path / "out").iterdir()} <= {".run.lock", ".run.audit.lock"}


def test_a_plan_needs_no_key_and_an_audit_says_which(cli: Cli, probes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DEEPL_AUTH_KEY", "AZURE_TEXT_TRANSLATION_APIKEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for system in ("deepl", "azure", "openai:gpt-5"):
        planned = cli("plan", probes, "-s", system, "-t", "EN", "--json")
        assert planned.returncode == 0, planned.stderr
        assert json.loads(planned.stdout)["sent"] == 24
        audited = cli("audit", probes, "-s", system, "-t", "en")
        assert audited.returncode == 2
        assert "needs a key: set the environment variable" in audited.stderr


def test_a_frozen_plan_goes_from_plan_to_audit(cli: Cli, probes: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"{'She' if n % 3 else 'He'} is {n}.\n" for n in range(24)))
    common = (probes, "-s", f"file:{lines}", "-t", "en")
    frozen = cli("plan", *common, "--freeze", "plan.toml", "--confirm", "share_female", "--margin", "P_S=0.02")
    assert frozen.returncode == 0, frozen.stderr
    assert "24 of 24 texts are answered already" in frozen.stdout
    audited = cli("audit", *common, "--plan", "plan.toml", "-o", "run")
    assert audited.returncode == 0, audited.stderr
    assert "confirmatory are share_female" in audited.stdout
    assert "the plan was made after the answers" in audited.stdout
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert 'class="planned confirmatory"' in page
    assert 'class="planned exploratory"' in page
    told = json.loads(cli("score", "run", "--json").stdout)["estimates"]
    assert {row["planned"] for row in told} == {"confirmatory", "exploratory"}


def test_an_audit_by_a_plan_needs_nothing_named_again(cli: Cli, probes: Path, tmp_path: Path) -> None:
    frozen = ("plan", probes, "-s", SHE, "-t", "EN", "--only", "concept=c3", "--set", "version=3")
    assert cli(*frozen, "--freeze", "plan.toml", "--confirm", "P_S").returncode == 0
    audited = cli("audit", "--plan", "plan.toml", "-o", "run", "--no-report")
    assert audited.returncode == 0, audited.stderr
    whole = cli(*("audit", *frozen[1:]), "--plan", "plan.toml", "-o", "whole", "--no-report")
    assert Run.load(tmp_path / "run").signature == Run.load(tmp_path / "whole").signature
    assert "deviates" not in audited.stdout + whole.stdout
    other = cli("audit", "--plan", "plan.toml", "-t", "de", "-o", "other")
    assert (other.returncode, "is for target" in other.stderr) == (2, True)


def test_a_plan_that_an_earlier_version_froze_still_holds_but_names_no_suite(
    cli: Cli, probes: Path, tmp_path: Path
) -> None:
    common = (probes, "-s", SHE, "-t", "en")
    cli("plan", *common, "--freeze", "new.toml", "--confirm", "P_S")
    write_plan(tmp_path / "plan.toml", replace(read_plan(tmp_path / "new.toml"), asked={}))
    assert "[asked]" not in (tmp_path / "plan.toml").read_text()
    assert cli("audit", *common, "--plan", "plan.toml", "-o", "run", "--no-report").returncode == 0
    refused = cli("audit", "--plan", "plan.toml")
    assert refused.returncode == 2
    assert refused.stderr.startswith("evenhand: SUITE is missing; the plan does not say how it was named")


def test_what_is_missing_is_named(cli: Cli, probes: Path) -> None:
    for verb in ("plan", "audit"):
        assert cli(verb).stderr.startswith("evenhand: SUITE is missing.")
        assert cli(verb, probes).stderr.startswith("evenhand: --system is missing.")
        assert cli(verb, probes, "-s", "command:cat").stderr.startswith("evenhand: --target is missing.")


def test_a_plan_counts_what_would_be_asked_anew(cli: Cli, probes: Path, tmp_path: Path) -> None:
    common = (probes, "-s", SHE, "-t", "en")
    cli("audit", *common, "--no-report", "--resamples", "100")

    def sent(*options: str) -> int:
        return int(json.loads(cli("plan", *common, *options, "--json").stdout)["sent"])

    assert (sent(), sent("--max-age", "1d"), sent("--refresh")) == (0, 0, 24)
    made_older(tmp_path / "memory.sqlite")
    assert (sent(), sent("--max-age", "1d")) == (0, 24)
    assert "12h, 30d or 2w" in cli("plan", *common, "--max-age", "soon").stderr


def test_an_output_of_an_unknown_kind_is_refused_with_the_list(cli: Cli, probes: Path, tmp_path: Path) -> None:
    cli("audit", probes, "-s", "command:cat", "-t", "en", "-o", "run", "--no-report")
    refused = cli("report", "run", "-o", "x.pdf")
    assert refused.returncode == 2
    assert all(suffix in refused.stderr for suffix in (".html", ".csv", ".json", ".tex", ".md"))
    assert not (tmp_path / "x.pdf").exists()
