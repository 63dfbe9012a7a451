"""WinoMT measures on stored translations; differences to the published ones are reported, not hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import BadInput, Unknown
from evenhand.replicate import stanovsky2019


def test_german_google_is_scored_beside_the_published_numbers(shared_data: Path, tmp_path: Path) -> None:
    data = tmp_path / "winomt"
    (data / "translations" / "google").mkdir(parents=True)
    (data / "aggregates").symlink_to(shared_data / "winomt" / "aggregates")
    name = Path("translations") / "google" / "en-de.txt"
    (data / name).symlink_to(shared_data / "winomt" / name)
    rows = {r.column: r for r in stanovsky2019.replicate(data)}
    assert {c: r.published for c, r in rows.items()} == {"accuracy": 59.4, "dG": 12.5, "dS": 12.5}
    # Our detector follows the noun, the published one often the pronoun, so accuracy is lower, yet near.
    assert rows["accuracy"].computed == pytest.approx(59.4, abs=7)
    assert "of 3888 undecided" in rows["accuracy"].note


def test_printed_cells_stand_beside_both_rules(shared_data: Path, tmp_path: Path) -> None:
    data = tmp_path / "winomt"
    (data / "translations" / "google").mkdir(parents=True)
    for folder in ("aggregates", "alignments"):
        (data / folder).symlink_to(shared_data / "winomt" / folder)
    name = Path("translations") / "google" / "en-ar.txt"
    (data / name).symlink_to(shared_data / "winomt" / name)
    rows = {(r.table, r.column): r for r in stanovsky2019.replicate(data)}
    for column, printed in (("accuracy", 48.5), ("dG", 43.7), ("dS", 16.1)):
        assert rows[stanovsky2019.TABLE, column].published == rows[stanovsky2019.BY_RULE, column].published == printed
        assert rows[stanovsky2019.BY_RULE, column].agrees
        assert "rule stanovsky2019" in rows[stanovsky2019.BY_RULE, column].note
    (data / "alignments").unlink()
    assert {r.table for r in stanovsky2019.replicate(data)} == {stanovsky2019.TABLE}
    assert stanovsky2019.replicate(data, rule="stanovsky2019") == []


def test_missing_folders_and_unknown_systems_are_named(shared_data: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="aggregates"):
        stanovsky2019.replicate(tmp_path)
    with pytest.raises(Unknown, match="google"):
        stanovsky2019.replicate(shared_data / "winomt", system="gogle")
    with pytest.raises(Unknown, match="stanovsky2019"):
        stanovsky2019.replicate(shared_data / "winomt", rule="stanovsky")
