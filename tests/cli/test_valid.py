"""What the verbs print about answers that are no renderings."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import evenhand

Cli = Callable[..., subprocess.CompletedProcess[str]]


def english(texts: list[str]) -> list[str]:
    return [f"{'She' if len(text) % 2 else 'He'} is a good doctor." for text in texts]


def lazy(texts: list[str]) -> list[str]:
    return [*texts[:10], *english(texts[10:])]


@pytest.fixture
def runs(tmp_path: Path) -> dict[str, Path]:
    """Sixty sentences through a system that translates, and through one that hands ten of them back."""
    whole = evenhand.load_suite("pronouns-basque")
    suite = replace(whole, make=lambda: whole.probes.head(60))
    folders = {"english": tmp_path / "english", "lazy": tmp_path / "lazy"}
    for name, answer in (("english", english), ("lazy", lazy)):
        evenhand.audit(suite, answer, target="en", output=folders[name], memory=tmp_path / f"{name}.sqlite")
    return folders


def test_score_prints_valid_beside_decided(cli: Cli, runs: dict[str, Path]) -> None:
    printed = cli("score", runs["lazy"]).stdout
    head = next(line for line in printed.splitlines() if line.startswith("measure "))
    assert head.index("valid") < head.index("decided")
    assert "50/60" in printed
    assert "note: 10 of 60 answers (repeats the source: 10) are unusable" in printed


def test_compare_names_who_is_left_out_of_the_ranking(cli: Cli, runs: dict[str, Path]) -> None:
    printed = cli("compare", *runs.values()).stdout
    assert "is left out of the ranking: 16.7 % of its answers are unusable" in printed
    unranked = json.loads(cli("compare", *runs.values(), "--json").stdout)["unranked"]
    assert list(unranked.values()) == [pytest.approx(1 / 6)]
    assert "lazy" in next(iter(unranked))


def test_a_gate_is_shut_for_who_does_not_translate(cli: Cli, runs: dict[str, Path], tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text('[[limit]]\nmeasure = "P_S"\nmin = 0.0\n')
    for against in (limits, runs["english"]):
        shut = cli("check", runs["lazy"], "--against", against)
        assert shut.returncode == 1
        assert "60 renderings, 50 valid, 50 decided" in shut.stdout
        assert "16.7 % of " in shut.stdout
        assert "unusable" in shut.stdout
    passed = cli("check", runs["english"], "--against", limits)
    assert passed.returncode == 0
    assert "60 renderings, 60 valid, 60 decided" in passed.stdout
    counted = json.loads(cli("check", runs["english"], "--against", limits, "--json").stdout)
    assert (counted["n"], counted["n_valid"], counted["n_decided"]) == (60, 60, 60)


def test_detect_tells_what_is_no_rendering(cli: Cli, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("id\tsource\trendering\tfocus\n1\tThe nurse slept.\tThe nurse slept.\tnurse\n")
    printed = cli("detect", pairs, "--target", "de").stdout.splitlines()
    row = dict(zip(printed[0].split("\t"), printed[1].split("\t"), strict=True))
    assert (row["gender"], row["reason"], row["valid"]) == ("unknown", "repeats the source", "false")


def test_detect_finds_the_persons_of_pairs_without_a_focus(cli: Cli, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(
        "id\tsource\trendering\n"
        "a\tThe nurse called the carpenter.\tDie Pflegerin rief den Tischler an.\n"
        "b\tThe table is red.\tDer Tisch ist rot.\n"
        "c\tPlease ask your administrator.\tBitten Sie Ihren Administrator.\n",
        encoding="utf-8",
    )
    done = cli("detect", pairs, "--target", "de")
    rows = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    assert [(row[0], row[1], row[7]) for row in rows] == [
        ("a-1", "female", "false"),
        ("a-2", "male", "false"),
        ("c-1", "male", "false"),
    ]
    assert "note: pairs without a marked focus: 3; persons in them: 3, read as prose" in done.stderr
    assert "pairs left out because they name no person: 1 (b)" in done.stderr


def test_detect_explains_step_by_step(cli: Cli, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("id\tsource\trendering\tfocus\n1\tThe nurse slept.\tERROR 500\tnurse\n", encoding="utf-8")
    assert cli("detect", pairs, "--target", "de", "--explain").stdout.splitlines() == [
        "1",
        "    rendering: no, error message: it says 'error 500'",
        "    verdict: unknown; error message",
    ]
