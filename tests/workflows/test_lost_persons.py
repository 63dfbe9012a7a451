"""Renderings in which the source's person became somebody or something else: unknown, told apart, and no gain."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from evenhand.results.runs import Run
from evenhand.workflows.audit import audit
from evenhand.workflows.settings import Settings

WORDS = dict(
    zip(
        "kertész tanár ács pék orvos bíró költő rendőr pincér vadász zenész szabó".split(),
        "gardener teacher carpenter baker doctor judge poet constable caterer hunter musician tailor".split(),
        strict=True,
    )
)


def run_of(folder: Path, subjects: list[str], *, rule: str = "evenhand") -> Run:
    """Twelve Hungarian sentences, each rendered with the next of the subjects."""
    path = folder / "own.tsv"
    lines = [f"{word}\tŐ egy {word}.\t{word}" for word in WORDS]
    path.write_text(
        "id\tsource\toccupation\tsource_lang\tfocus\tkind\n" + "".join(f"{line}\thu\tŐ\tpronouns\n" for line in lines),
        encoding="utf-8",
    )

    def system(texts: list[str]) -> list[str]:
        return [
            f"{subjects[n % len(subjects)]} a {WORDS[text.split()[-1].rstrip('.')]}." for n, text in enumerate(texts)
        ]

    settings = Settings(resamples=100, rule=rule)
    return audit(path, system, target="en", memory=folder / f"{rule}.sqlite", settings=settings)


def value(run: Run, measure: str) -> float:
    overall = run.estimates.filter(pl.col("measure") == measure, pl.col("level") == "", pl.col("variant") == "raw")
    return float(overall["value"].item())


def test_a_person_who_became_you_or_it_is_unknown_and_counted_in_a_note(tmp_path: Path) -> None:
    run = run_of(tmp_path, ["He is", "You are", "It is"])
    genders = run.verdicts["gender"].cast(pl.String).value_counts()
    assert dict(genders.iter_rows()) == {"male": 4, "unknown": 8}
    assert [note for note in run.manifest.notes if "do not keep the person" in note] == [
        "8 of 12 renderings (it speaks of you, me or us, not of the person: 4, the person became it: 4) do not keep "
        "the person of the source: they count as unknown, not as neutral"
    ]


def test_losing_the_person_does_not_raise_p_s(tmp_path: Path) -> None:
    (tmp_path / "he").mkdir()
    (tmp_path / "it").mkdir()
    male, lost = run_of(tmp_path / "he", ["He is"]), run_of(tmp_path / "it", ["He is", "It is"])
    assert value(lost, "P_S") == value(male, "P_S") == pytest.approx(0.0)


def test_the_published_rule_still_says_neutral(tmp_path: Path) -> None:
    run = run_of(tmp_path, ["He is", "It is"], rule="cho2019")
    assert dict(run.verdicts["gender"].cast(pl.String).value_counts().iter_rows()) == {"male": 6, "neutral": 6}
    assert not [note for note in run.manifest.notes if "do not keep the person" in note]
