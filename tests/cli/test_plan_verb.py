"""evenhand plan: what it counts, freezes and refuses; audits by a frozen plan."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.aged import made_older

from evenhand.results.runs import Run
from evenhand.workflows.frozen import read_plan, write_plan

Cli = Callable[..., subprocess.CompletedProcess[str]]
SHE = "command:sh she.sh"


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


def test_plan_counts_calls_and_minutes_within_the_limits_given(cli: Cli, probes: Path) -> None:
    common = ("plan", probes, "-s", "command:cat", "-t", "en", "--json")
    found = json.loads(cli(*common, "--texts-per-call", "5", "--requests-per-minute", "2").stdout)
    assert (found["calls"], found["minutes"]) == (5, 2.5)
    assert json.loads(cli(*common).stdout)["minutes"] is None


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
    assert refused.stderr.startswith("evenhand: SUITE is missing; the plan does not record its name")


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
