"""Runs of different source languages, paired by the concepts they share, and pooled."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest
from tests.command_line import evenhand as command

import evenhand
from evenhand.errors import BadInput
from evenhand.workflows.settings import Settings

CONCEPTS = [f"job {n}" for n in range(24)]


def suite(folder: Path, name: str, language: str, concepts: Sequence[str], times: int = 1) -> Path:
    rows = [
        f"{language}-{n:02}-{time}\t{language} {concept}, {time}.\t{language}\t{concept}\t{concept}"
        for n, concept in enumerate(concepts)
        for time in range(times)
    ]
    path = folder / f"{name}.tsv"
    path.write_text("id\tsource\tsource_lang\tconcept\tenglish\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def women_up_to(number: int) -> Callable[[list[str]], list[str]]:
    """Women in the first jobs, men in all others."""

    def translate(texts: list[str]) -> list[str]:
        jobs = [int(text.split("job ")[1].split(",")[0]) for text in texts]
        return [f"{'She' if job < number else 'He'} is a worker." for job in jobs]

    return translate


def audit(path: Path, women: int, output: Path) -> Path:
    run = evenhand.audit(
        evenhand.load_suite(str(path)), women_up_to(women), target="en",
        memory=output.parent / f"{output.name}.sqlite", settings=Settings(resamples=200, measures=("TFG",)),
    )  # fmt: skip
    run.save(output)
    return output


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("concepts")
    return {
        "fi": audit(suite(folder, "finnish", "fi", CONCEPTS[:20]), 6, folder / "fi"),
        "hu": audit(suite(folder, "hungarian", "hu", CONCEPTS[4:], times=2), 14, folder / "hu"),
        "tr": audit(suite(folder, "turkish", "tr", [f"other job {n}" for n in range(20)]), 3, folder / "tr"),
    }


def test_runs_of_two_languages_are_paired_by_the_concepts_both_have(runs: dict[str, Path]) -> None:
    found = evenhand.compare([runs["fi"], runs["hu"]], measures=("TFG",))
    assert (found.paired_by, found.common) == ("concept", 16)
    (caution, *_) = found.cautions
    assert "paired by concept, 16 are common (20 in " in caution
    row = found.differences.row(0, named=True)
    assert row["value"] == pytest.approx(2 / 16 - 10 / 16)  # of the jobs 4 to 19, women are 4 and 5, and 4 to 13
    assert row["n_clusters"] == 16
    assert found.left_out == 4 + 24
    assert "fi job 6, 0. | hu job 6, 0." in found.differing["source"].to_list()


def test_the_common_part_is_named_in_terminal_and_json(runs: dict[str, Path], tmp_path: Path) -> None:
    shown = command("compare", runs["fi"], runs["hu"], "--measure", "TFG", folder=tmp_path)
    assert "ranking over 16 common renderings (paired by concept" in shown.stdout
    assert "16 are common" in shown.stderr
    told = json.loads(command("compare", runs["fi"], runs["hu"], "--measure", "TFG", "--json", folder=tmp_path).stdout)
    assert (told["paired_by"], told["common"]) == ("concept", 16)
    assert "16 are common" in told["note"]
    (pooled,) = told["pooled"]
    assert pooled["runs"] == 2
    assert 6 / 20 < pooled["value"] < 10 / 20  # between the two runs' own shares
    assert pooled["spread"] > 0
    assert pooled["another_low"] is None


def test_runs_without_common_concepts_and_gates_of_other_sentences_are_refused(runs: dict[str, Path]) -> None:
    with pytest.raises(BadInput, match="suites that share a column of concepts"):
        evenhand.compare([runs["fi"], runs["tr"]])
    with pytest.raises(BadInput, match="only runs of the same sentences can be compared"):
        evenhand.gate(runs["fi"], runs["hu"])


def test_another_version_of_one_suite_is_refused(runs: dict[str, Path], tmp_path: Path) -> None:
    again = audit(suite(tmp_path, "finnish", "fi", CONCEPTS[:10]), 6, tmp_path / "again")
    with pytest.raises(BadInput, match="only runs of the same sentences can be compared"):
        evenhand.compare([runs["fi"], again])


def test_a_board_pools_a_system_over_its_languages(runs: dict[str, Path], tmp_path: Path) -> None:
    done = command("board", runs["fi"], runs["hu"], "-o", "site", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    pooled = pl.read_csv(tmp_path / "site" / "pooled.csv").filter(measure="TFG")
    compared = evenhand.compare([runs["fi"], runs["hu"]], measures=("TFG",)).pooled
    assert pooled["value"].to_list() == pytest.approx(compared["value"].to_list())
    assert "Over all languages and suites" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
