"""`evenhand sentences`: what is listed is what the tables of the run hold, and every format brings it back."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import polars as pl
import pytest

import evenhand

Cli = Callable[..., CompletedProcess[str]]


def verdicts(run: Path) -> dict[str, str]:
    table = pl.read_parquet(run / "verdicts.parquet")
    return dict(zip(table["id"].to_list(), table["gender"].cast(pl.String).to_list(), strict=True))


def renderings(run: Path) -> dict[str, str]:
    table = pl.read_parquet(run / "renderings.parquet")
    return dict(zip(table["id"].to_list(), table["rendering"].to_list(), strict=True))


@pytest.fixture
def stated(tmp_path: Path) -> Path:
    """Two pairs whose source states a gender, one half of each rendered wrong; a rendering looks like a formula."""
    probes = [
        (f"{noun[0]}{n}", f"The **{noun}** hurt {self}.", gold, noun)
        for noun in ("nurse", "cook")
        for n, self, gold in ((1, "herself", "female"), (2, "himself", "male"))
    ]
    table = tmp_path / "stated.tsv"
    table.write_text("id\tsource\tgold\tpair\n" + "".join("\t".join(probe) + "\n" for probe in probes))
    said = {"nurse": "=La enfermera se hizo | mucho *daño*", "cook": "El cocinero se hizo daño."}

    def engine(texts: list[str]) -> list[str]:
        return [next(line for noun, line in said.items() if noun in text) for text in texts]

    folder = tmp_path / "stated-run"
    evenhand.audit(table, engine, target="es", output=folder, memory=tmp_path / "m.sqlite")
    return folder


@pytest.mark.parametrize("gender", ["female", "male", "neutral", "both", "unknown"])
def test_a_gender_is_listed_whole_and_alone(cli: Cli, mixed_run: Path, gender: str) -> None:
    listed = cli("sentences", mixed_run, "--gender", gender, "--format", "jsonl")
    assert listed.returncode == 0, listed.stderr
    rows = [json.loads(line) for line in listed.stdout.splitlines()]
    said = renderings(mixed_run)
    assert {row["id"]: row["rendering"] for row in rows} == {
        name: said[name] for name, verdict in verdicts(mixed_run).items() if verdict == gender
    }


def test_what_changed_between_two_runs_stands_with_both_renderings(cli: Cli, mixed_run: Path, other_run: Path) -> None:
    before, after = verdicts(mixed_run), verdicts(other_run)
    listed = cli("sentences", other_run, "--against", mixed_run, "--was", "male", "--gender", "female")
    rows = list(csv.DictReader(io.StringIO(listed.stdout), delimiter="\t", quoting=csv.QUOTE_NONE))
    expected = {name for name in after if (before[name], after[name]) == ("male", "female")}
    assert expected
    assert {row["id"] for row in rows} == expected
    for row in rows:
        assert row["rendering_before"] == renderings(mixed_run)[row["id"]]
        assert row["rendering"] == renderings(other_run)[row["id"]]
    everything = evenhand.sentences(other_run, against=mixed_run)
    assert set(everything["id"]) == {name for name in after if before[name] != after[name]}


def test_columns_groups_pairs_and_what_is_stated_choose_sentences(stated: Path, mixed_run: Path) -> None:
    assert evenhand.sentences(stated, wrong=True)["id"].to_list() == ["n2", "c1"]
    assert evenhand.sentences(stated, gold=["female"])["id"].to_list() == ["n1", "c1"]
    assert evenhand.sentences(stated, pair=["cook"], gold=["male"])["id"].to_list() == ["c2"]
    probes = pl.read_parquet(mixed_run / "probes.parquet")
    positive = probes.filter(kind="positive")["id"].to_list()
    assert evenhand.sentences(mixed_run, only=["kind=positive"])["id"].to_list() == positive
    grouping = next(g for g in evenhand.load_run(mixed_run).manifest.suite.groupings if g.name == "sets")
    for level, condition in grouping.filters(probes).items():
        ids = probes.filter(condition)["id"].to_list()
        assert evenhand.sentences(mixed_run, group=[f"sets={level}"])["id"].to_list() == ids


def test_every_format_is_written_by_the_file_s_name_and_a_spreadsheet_runs_nothing(
    cli: Cli, stated: Path, tmp_path: Path
) -> None:
    for suffix in ("tsv", "csv", "jsonl", "md"):
        done = cli("sentences", stated, "--pair", "nurse", "-o", tmp_path / f"out.{suffix}")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert "2 sentences in" in done.stderr
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["rendering"] for row in rows] == ["'=La enfermera se hizo | mucho *daño*"] * 2
    lines_of_json = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["rendering"] for line in lines_of_json] == ["=La enfermera se hizo | mucho *daño*"] * 2
    markdown = (tmp_path / "out.md").read_text(encoding="utf-8").splitlines()
    assert markdown[:2] == ["| id | source | gold | rendering | gender |", "|---|---|---|---|---|"]
    assert r"=La enfermera se hizo \| mucho \*daño\*" in markdown[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--gender", "femal"), "'female'"),
        (("--was", "male"), "needs an earlier run"),
        (("--group", "sets"), "is not GROUPING=LEVEL"),
        (("--group", "sex=x"), "unknown grouping"),
        (("--group", "sets=x"), "unknown level of sets"),
        (("--only", "colour=red"), "'colour'"),
        (("--gold", "male"), "no column 'gold'"),
        (("-o", "out.xlsx"), "'xlsx'"),
    ],
)
def test_what_cannot_be_chosen_is_one_line(
    cli: Cli, mixed_run: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = cli("sentences", mixed_run, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_runs_of_other_sentences_are_not_set_against_each_other(cli: Cli, stated: Path, mixed_run: Path) -> None:
    done = cli("sentences", stated, "--against", mixed_run)
    assert done.returncode == 2
    assert "only runs of the same sentences can be compared" in done.stderr
