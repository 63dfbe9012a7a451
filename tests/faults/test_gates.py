"""Gates that cannot be talked round: constant answers, edited tables, no renderings, findings that are not firm."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from xml.etree import ElementTree

import polars as pl
import pytest
from tests.command_line import evenhand as command

import evenhand
from evenhand.measures.decisions.gate import alike
from evenhand.measures.decisions.limits import check_limits, read_limits
from evenhand.results.runs import Run
from evenhand.storage.tables import ESTIMATES
from evenhand.workflows.settings import Settings

Cli = Callable[..., CompletedProcess[str]]
FORMATS = ("text", "json", "junit", "github", "sarif")
LIMIT = '[[limit]]\nmeasure = "P_S"\nmin = 0.0\n'


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    (tmp_path / "limits.toml").write_text(LIMIT)
    return lambda *arguments: command(*arguments, folder=tmp_path)


def edited(run: Path, folder: Path) -> Path:
    """A run in which somebody has made all verdicts neutral."""
    shutil.copytree(run, folder)
    table = pl.read_parquet(folder / "verdicts.parquet")
    table.with_columns(gender=pl.lit("neutral").cast(table["gender"].dtype)).write_parquet(folder / "verdicts.parquet")
    return folder


def empty(run: Path, folder: Path) -> Path:
    made = Run.load(run)
    none = replace(made, renderings=made.renderings.head(0), verdicts=made.verdicts.head(0))
    none.save(folder)
    return folder


def doubt_in(format: str, printed: str) -> str:
    """The doubt as the readers of each format find it."""
    if format == "json":
        return str(json.loads(printed)["doubts"])
    if format == "junit":
        tree = ElementTree.fromstring(printed)
        assert tree.get("errors") == "1"
        return str([error.get("message") for error in tree.iter("error")])
    if format == "github":
        return next(line for line in printed.splitlines() if line.startswith("::error title=evenhand%3A doubt::"))
    if format == "sarif":
        (run,) = json.loads(printed)["runs"]
        assert run["invocations"][0]["executionSuccessful"] is False
        return str(run["invocations"][0]["toolExecutionNotifications"])
    return next(line for line in printed.splitlines() if line.startswith("DOUBT"))


@pytest.mark.parametrize("format", FORMATS)
def test_one_sentence_for_every_probe_does_not_pass_a_gate(cli: Cli, tmp_path: Path, format: str) -> None:
    """1,145 different sources, one harmless neutral sentence: P_S is 1, and says nothing."""
    said = ["They work here as a professional."]
    settings = Settings(resamples=100)
    run = evenhand.audit(
        "pronouns-hungarian",
        lambda texts: said * len(texts),
        target="en",
        output=tmp_path / "run",
        memory=tmp_path / "memory.sqlite",
        settings=settings,
    )
    assert any("1,145 different sources" in note for note in run.manifest.notes)
    done = cli("check", "run", "--against", "limits.toml", "--format", format)
    assert done.returncode == 2
    assert "1,145 of 1,145 renderings are one text" in doubt_in(format, done.stdout)


def test_answers_from_a_few_sentences_are_doubted_and_real_ones_are_not() -> None:
    sources = [f"Ő {n}." for n in range(1_000)]

    def table(renderings: list[str], asked: list[str] = sources) -> pl.DataFrame:
        return pl.DataFrame({"source": asked, "rendering": renderings})

    assert "come from" in alike(table([f"They work, {n % 10}." for n in range(1_000)]))
    assert "one text" in alike(table(["They work."] * 950 + [f"She is {n}." for n in range(50)]))
    assert alike(table([f"They work, {n // 2}." for n in range(1_000)])) == ""
    assert alike(table(["They work."] * 500 + [f"She is {n}." for n in range(500)])) == ""
    assert alike(table(["They work."] * 1_000, ["Ő."] * 990 + sources[:10])) == ""
    assert alike(table(["They work."] * 10, sources[:10])) == ""
    assert alike(table([], [])) == ""


SPOILT = {"verdicts.parquet changed": edited, "it has no renderings": empty}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("told", SPOILT)
def test_a_gate_does_not_pass_a_run_that_was_edited_or_is_empty(
    cli: Cli, mixed_run: Path, tmp_path: Path, format: str, told: str
) -> None:
    SPOILT[told](mixed_run, tmp_path / "spoilt")
    for against in ("limits.toml", str(mixed_run)):
        done = cli("check", "spoilt", "--against", against, "--format", format, "--allow-memory")
        assert done.returncode == 2, done.stdout + done.stderr
        assert told in doubt_in(format, done.stdout)
    done = cli("check", mixed_run, "--against", "spoilt", "--format", format, "--allow-memory")
    assert done.returncode == 2
    assert told in doubt_in(format, done.stdout)


def test_a_comparison_with_an_edited_run_ends_with_2_and_says_why(
    cli: Cli, mixed_run: Path, other_run: Path, tmp_path: Path
) -> None:
    edited(mixed_run, tmp_path / "spoilt")
    done = cli("compare", "spoilt", other_run, "--json")
    assert done.returncode == 2
    assert "verdicts.parquet changed" in str(json.loads(done.stdout)["doubts"])
    assert "verdicts.parquet changed" in cli("compare", "spoilt", other_run).stderr
    assert cli("compare", mixed_run, other_run).returncode == 0
    assert cli("score", "spoilt", "--detect", "--in-place").returncode == 0
    assert cli("compare", "spoilt", other_run).returncode == 0


def test_a_project_does_not_pass_with_an_edited_run(cli: Cli, tmp_path: Path) -> None:
    rows = "".join(f"p{n}\tŐ {n}.\thu\tc{n}\tdoctor of {n}\n" for n in range(40))
    (tmp_path / "mine.tsv").write_text("id\tsource\tsource_lang\tconcept\tenglish\n" + rows, encoding="utf-8")
    (tmp_path / "even.tsv").write_text("p_female\tp_male\tp_neutral\n0.5\t0.5\t0\n")
    head = 'suites = ["mine.tsv"]\ntargets = ["en"]\nresamples = 100\n'
    system = '[[system]]\nname = "even"\nspec = "simulated:even.tsv"\n'
    (tmp_path / "evenhand.toml").write_text(head + system + LIMIT)
    assert cli("run").returncode == 0
    folder = tmp_path / "runs" / "mine.tsv.even.en"
    table = pl.read_parquet(folder / "estimates.parquet")
    table.with_columns(value=pl.lit(1.0)).write_parquet(folder / "estimates.parquet")
    for format in FORMATS:
        done = cli("run", "--format", format)
        assert done.returncode == 2
        assert "estimates.parquet changed" in doubt_in(format, done.stdout)


CONDITIONS = {
    "note": "no firm finding: in a 1 of 15 clusters",  # as tables up to 0.1.0 say it
    "condition": "holds while sentences of one occupation in a correlate below 0.60",
}


@pytest.mark.parametrize("column", CONDITIONS)
@pytest.mark.parametrize("value", [0.05, 0.5])
def test_a_limit_by_interval_reads_a_finding_that_is_not_firm_as_inconclusive(
    tmp_path: Path, column: str, value: float
) -> None:
    row = dict.fromkeys(ESTIMATES)
    row |= {"measure": "share_male", "group": "sets", "level": "a - b", "variant": "raw", "value": value}
    row |= {"low": value - 0.01, "high": value + 0.01, column: CONDITIONS[column]}
    table = pl.DataFrame([row], schema=ESTIMATES | {column: pl.String()})
    path = tmp_path / "limits.toml"
    path.write_text('[[limit]]\nmeasure = "share_male"\ngroup = "sets"\nlevel = "a - b"\nmax = 0.1\nby = "interval"\n')
    (check,) = check_limits(table, read_limits(path))
    assert check.outcome == "inconclusive"
    assert CONDITIONS[column] in check.told
    (strict,) = check_limits(table, read_limits(path), not_shown="fail")
    assert not strict.passed
    (firm,) = check_limits(table.with_columns(pl.lit(None, pl.String).alias(column)), read_limits(path))
    assert firm.outcome == ("broken" if value > 0.1 else "kept")
