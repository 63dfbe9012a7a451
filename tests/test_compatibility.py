"""The promise of docs/compatibility.md: folders written by 0.1.0 load, score, compare and report in this version.

`run-0.1.0` was written by the first code of 0.1.0, `run-german-0.1.0` and `corpus-0.1.0` by its last (commit 576b579a).
"""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest
from tests.command_line import evenhand as command

import evenhand
from evenhand.corpus.soundness import FOUND, PERSONS
from evenhand.detect.pronouns import LOSSES
from evenhand.detect.validity import Reason
from evenhand.mining.pairs import Risk
from evenhand.notes import NoteKind, read_notes
from evenhand.results.findings import Findings
from evenhand.results.runs import Run

FIXTURES = Path(__file__).parent / "fixtures"
RUNS = ("run-0.1.0", "run-german-0.1.0")
DROPPED = {"worst_low", "worst_high", "other_low", "other_high", "other_interval"}  # before 1.0.0; later ones stay


def test_this_version_follows_the_stored_one() -> None:
    assert evenhand.__version__.split(".")[0] == "1"
    assert {Run.load(FIXTURES / name).manifest.evenhand for name in RUNS} == {"0.1.0"}


@pytest.mark.parametrize("name", RUNS)
def test_a_stored_run_keeps_its_signature_and_scores_to_the_same_shares(name: str, tmp_path: Path) -> None:
    before = Run.load(FIXTURES / name)
    assert "|evenhand:0.1.0" in before.signature
    after = evenhand.score(FIXTURES / name, output=tmp_path / "again")
    share = (pl.col("measure") == "share_female") & (pl.col("level") == "")
    kept = ["value", "n", "n_decided"]
    assert after.estimates.filter(share).select(kept).equals(before.estimates.filter(share).select(kept))
    assert f"|evenhand:{evenhand.__version__}" in after.signature
    assert set(before.estimates.columns) - set(after.estimates.columns) <= DROPPED


@pytest.mark.parametrize("name", [*RUNS, "corpus-0.1.0"])
def test_a_stored_folder_is_shown_and_reported(name: str, tmp_path: Path) -> None:
    folder = shutil.copytree(FIXTURES / name, tmp_path / name)
    assert command("show", folder, folder=tmp_path).returncode == 0
    pytest.importorskip("altair", reason="the extra `report` is not installed")
    page = tmp_path / "page.html"
    assert command("report", folder, "-o", page, folder=tmp_path).returncode == 0
    assert "<h1" in page.read_text("utf-8")


def test_a_stored_run_is_compared_with_one_of_this_version(tmp_path: Path) -> None:
    evenhand.score(FIXTURES / RUNS[1], output=tmp_path / "again")
    done = command("compare", FIXTURES / RUNS[1], "again", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no significant difference" in done.stdout


def test_stored_findings_keep_their_tables() -> None:
    stored = Findings.load(FIXTURES / "corpus-0.1.0")
    assert {"words", "counts", "funnel"} <= set(stored.tables)
    assert {PERSONS, FOUND} <= set(stored.tables["funnel"]["what"])  # rows that are read by their words
    assert {"nurse", "teacher", "doctor"} <= set(stored.tables["words"]["concept"])


def test_words_that_stored_tables_hold_and_code_compares_stay() -> None:
    """A rewording of these would silently read stored runs, corpora and mining results as if they had no such row."""
    assert LOSSES == (
        "the source's pronoun was left as it is",
        "it speaks of you, me or us, not of the person",
        "the person became it",
    )
    assert (PERSONS, FOUND) == ("persons looked at", "persons looked at whose target has a word known to render them")
    assert {reason.value for reason in Reason} >= {
        "empty", "repeats the source", "another language", "refusal", "error message", "degenerate", "cut off"
    }  # fmt: skip
    assert {Risk.AT_RISK.value, Risk.SAME.value} == {"at risk", "not at risk"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("3 renderings do not keep the person of the source: they count as unknown", NoteKind.LOST),
        ("12 answers (3 %) are unusable: they count as unknown", NoteKind.INVALID),
        ("3 answers a sentence: 2 of 40 change", NoteKind.REPEATED),
        ("no firm finding: it depends on undecided renderings", NoteKind.CONDITION),
    ],
)
def test_a_plain_note_of_the_stored_version_keeps_its_kind(text: str, kind: NoteKind) -> None:
    assert read_notes([text])[0].kind is kind
