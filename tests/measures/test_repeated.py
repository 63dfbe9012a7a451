"""Repeated answers: the split of the variance, against answers simulated with known parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import evenhand
from evenhand.measures.estimate import estimate
from evenhand.measures.pilot import repeated
from evenhand.systems import Memory


def answers(occupations: int, each: int, k: int, *, concentration: float = 1.5, seed: int = 0) -> pl.DataFrame:
    """Sentences whose chances of female are beta distributed around .3; between / all variance is 1 / (1 + conc.)."""
    rng = np.random.default_rng(seed)
    chance = rng.beta(0.3 * concentration, 0.7 * concentration, (occupations, each))
    female = rng.random((occupations, each, k)) < chance[:, :, None]
    occupation, sentence, sample = (axis.ravel() for axis in np.indices(female.shape))
    return pl.DataFrame(
        {
            "id": [f"{o}-{s}" for o, s in zip(occupation, sentence, strict=True)],
            "occupation": occupation.astype(str),
            "sample": sample.astype(np.uint16),
            "gender": np.where(female.ravel(), "female", "male"),
        }
    )


def test_the_variance_is_split_as_it_was_made() -> None:
    split = repeated(answers(400, 10, 3), clusters=("occupation",))
    assert split is not None
    assert split.between / (split.between + split.within) == pytest.approx(1 / 2.5, abs=0.02)
    assert split.samples == 3
    # sentences are independent here: of a mean over 3 answers the sampling is within / 3 of between + within / 3
    assert split.of_error == pytest.approx((0.6 / 3) / (0.4 + 0.6 / 3), abs=0.05)
    assert f"{split.between / (split.between + split.within):.0%} is between sentences" in split.note


def test_a_system_that_always_answers_alike_is_told() -> None:
    table = answers(30, 4, 1)
    thrice = pl.concat([table.with_columns(sample=pl.lit(n, dtype=pl.UInt16)) for n in range(3)])
    split = repeated(thrice, clusters=("occupation",))
    assert split is not None
    assert split.within == 0
    assert "no sentence takes both genders" in split.note


def test_one_answer_a_sentence_is_not_split() -> None:
    assert repeated(answers(10, 4, 1), clusters=("occupation",)) is None


@pytest.mark.parametrize("k", [1, 3, 5])
def test_the_interval_covers_sentences_and_sampling(k: int) -> None:
    held = 0
    for seed in range(150):
        table = answers(25, 4, k, seed=seed)
        row = estimate(table, clusters=("occupation",), measures=("TFG",), resamples=300, seed=seed).row(0, named=True)
        held += row["low"] <= 0.3 <= row["high"]
    assert 0.89 <= held / 150 <= 1.0  # .92 to .985 in the long run (make validate); three standard errors below


def dice(texts: list[str], *, sample: int = 0) -> list[str]:
    """She in one answer of three."""
    return [f"{'She' if (int(t[2:-1]) + sample) % 3 == 0 else 'He'} is {t[2:-1]}." for t in texts]


def test_an_audit_keeps_every_answer_apart_and_tells_the_split(tmp_path: Path) -> None:
    probes, memory = tmp_path / "mine.tsv", tmp_path / "memory.sqlite"
    rows = "".join(f"p{n}\tŐ {n}.\thu\tc{n // 2}\n" for n in range(40))
    probes.write_text("id\tsource\tsource_lang\tconcept\n" + rows, encoding="utf-8")
    settings = evenhand.Settings(samples=3)
    first = evenhand.audit(probes, dice, target="en", memory=memory, settings=settings)
    with Memory(memory) as store:
        assert len(store) == 120
    by_sentence = first.renderings.group_by("id").agg(pl.col("rendering").n_unique(), pl.col("sample").n_unique())
    assert by_sentence["rendering"].to_list() == [2] * 40
    assert by_sentence["sample"].to_list() == [3] * 40
    again = evenhand.audit(probes, dice, target="en", memory=memory, settings=settings)
    assert again.renderings.equals(first.renderings)
    assert any("3 answers per sentence: 40 of 40 sentences take both genders" in note for note in first.manifest.notes)
    assert evenhand.score(first).manifest.notes == first.manifest.notes
