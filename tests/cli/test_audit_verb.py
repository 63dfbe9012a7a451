"""evenhand audit and score: folders, limits and what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import evenhand
from evenhand.workflows.audit import default_folder

Cli = Callable[..., subprocess.CompletedProcess[str]]


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


def test_a_run_of_other_settings_is_not_replaced_in_silence(cli: Cli, probes: Path, tmp_path: Path) -> None:
    (tmp_path / "sim.tsv").write_text("p_female\tp_male\tp_neutral\n0.5\t0.5\t0\n")
    common = ("audit", probes, "-s", "simulated:sim.tsv", "-t", "en", "--no-report", "--resamples", "100", "-o", "run")
    told = [cli(*common, "--set", f"seed={seed}").stderr for seed in (1, 1, 2)]
    assert told[:2] == ["", ""]
    assert told[2].startswith("evenhand: run: replaces the run of 20")
    assert told[2].endswith("through simulated:sim.tsv, of another version or with other settings\n")


def test_one_language_in_two_spellings_is_one_folder() -> None:
    assert {default_folder("s", "pocket", target).name for target in ("en", "EN", "eng")} == {"s.pocket.en"}
    assert default_folder("s", "pocket", "pt_br").name == "s.pocket.pt-BR"


def test_an_audit_keeps_to_the_limits_given(cli: Cli, probes: Path, tmp_path: Path) -> None:
    (tmp_path / "slow.sh").write_text("tee lines.log | wc -l >> calls.log; cat lines.log\n")
    limits = ("--texts-per-call", "6", "--concurrency", "1", "--characters-per-minute", "100000")
    done = cli("audit", probes, "-s", "command:sh slow.sh", "-t", "en", "--no-report", "--resamples", "100", *limits)
    assert done.returncode == 0, done.stderr
    assert max(map(int, (tmp_path / "calls.log").read_text().split())) <= 6


def test_scoring_in_place_rewrites_the_report_in_the_folder(
    cli: Cli, probes: Path, lines: Path, tmp_path: Path
) -> None:
    done = cli("audit", probes, "-s", f"file:{lines}", "-t", "en", "-o", "run", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert cli("score", "run", "--in-place", "--seed", "77").returncode == 0
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


def test_an_output_of_an_unknown_kind_is_refused_with_the_list(cli: Cli, probes: Path, tmp_path: Path) -> None:
    cli("audit", probes, "-s", "command:cat", "-t", "en", "-o", "run", "--no-report")
    refused = cli("report", "run", "-o", "x.pdf")
    assert refused.returncode == 2
    assert all(suffix in refused.stderr for suffix in (".html", ".csv", ".json", ".tex", ".md"))
    assert not (tmp_path / "x.pdf").exists()


def test_the_seven_sets_of_the_korean_suite_are_printed_with_all(cli: Cli, tmp_path: Path) -> None:
    size = len(evenhand.load_suite("pronouns-korean"))
    texts = [
        f"{'She' if number % 5 == 0 else 'He'} is person number {number} of this long list." for number in range(size)
    ]
    (tmp_path / "en.txt").write_text("\n".join(texts) + "\n")
    options = ("--target", "en", "-o", tmp_path / "run", "--no-report", "--all", "--resamples", "100")
    result = cli("audit", "pronouns-korean", "--system", f"file:{tmp_path / 'en.txt'}", *options)
    assert result.returncode == 0, result.stderr
    for name in ("informal", "formal", "impolite", "polite", "negative", "positive", "occupation"):
        assert f"sets={name} " in result.stdout


def test_a_system_that_cannot_read_the_suite_says_so_first_and_names_others(cli: Cli, tmp_path: Path) -> None:
    pytest.importorskip("evenhand_pocket", reason="pocket is not installed")
    result = cli("audit", "pronouns-korean", "--system", "pocket", "--target", "en", "-o", tmp_path / "run")
    assert result.returncode == 2
    assert result.stderr.startswith("evenhand: pocket does not read Korean")
    assert "google" in result.stderr
    assert "file:PATH" in result.stderr
