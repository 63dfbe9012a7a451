"""Parts of the corpus room against what they must equal."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

from evenhand.errors import BadInput
from evenhand.persons.finder import LexiconFinder
from evenhand.readers.opening import UserFile
from evenhand.readers.tmx import pairs
from evenhand.workflows.balance import Balance

SENTENCES = [
    "The passer-by saw the doctor’s car.",
    "Ma'am, this way please.",
    "So-and-so is a know-it-all.",
    "An ex-officer and a rain-maker met.",
    "It rained.",
    "The house is old, and nobody lives in it.",
    "WORKERS OF THE WORLD",
    "",
]


def natural(shared_data: Path, count: int) -> list[str]:
    path = shared_data / "mono" / "common-voice.en.txt.xz"
    if not path.is_file():
        pytest.skip("no natural text in the shared data")
    return [text for _, text in zip(range(count), (line for _, line in UserFile(path).lines()), strict=False)]


def test_persons_of_many_texts_together_are_those_of_each_alone(shared_data: Path) -> None:
    finder = LexiconFinder()
    lines = [*SENTENCES, *natural(shared_data, 1_500)]
    assert finder.find_all(lines) == [finder.find_all([line])[0] for line in lines]


def test_sentences_tagged_together_get_the_tags_they_get_alone(shared_data: Path) -> None:
    tagger = LexiconFinder().tagger
    lines = [line.split() for line in [*SENTENCES, *natural(shared_data, 300)]]
    assert tagger.tag_all(lines) == [tagger.tag(line) for line in lines]


def persons(rng: random.Random, count: int) -> pl.DataFrame:
    rows = []
    for line in range(count):
        for _ in range(rng.choice((1, 1, 2, 3))):
            word = rng.choice(("nurse", "doctor", "teacher"))
            women = {"nurse": 0.9, "doctor": 0.2, "teacher": 0.5}[word]
            rows.append((0, line, word, "female" if rng.random() < women else "male"))
    return pl.DataFrame(rows, schema=["file", "line", "concept", "gender"], orient="row")


def test_weights_meet_the_wanted_shares_also_where_persons_share_lines() -> None:
    table = persons(random.Random(3), 4_000)
    wanted = {"nurse": 0.5, "doctor": 0.5, "teacher": 0.4}
    lines = Balance([table], wanted, seed=1).lines(table)
    weighed = table.join(lines, on=["file", "line"], how="left").with_columns(pl.col("weight").fill_null(1.0))
    assert weighed["weight"].min() > 0  # type: ignore[operator]
    assert weighed["weight"].max() <= 1.0  # type: ignore[operator]
    for word, share in wanted.items():
        rows = weighed.filter(pl.col("concept") == word)
        women = float(rows.filter(pl.col("gender") == "female")["weight"].sum())
        assert women / float(rows["weight"].sum()) == pytest.approx(share, abs=0.002)


def test_lines_kept_by_the_draw_have_the_wanted_shares_but_for_whole_lines_and_depend_on_the_seed_only() -> None:
    table = persons(random.Random(4), 6_000)
    first, again = (Balance([table], {"nurse": 0.5}, seed=seed) for seed in (7, 8))
    lines = first.lines(table)
    assert lines.equals(Balance([table], {"nurse": 0.5}, seed=7).lines(table))
    assert not lines.equals(again.lines(table))
    kept = first.words().row(by_predicate=pl.col("concept") == "nurse", named=True)
    assert kept["kept"] == pytest.approx(0.5, abs=0.01)  # by a lot for each line the s.e. is 0.02


def test_lines_in_parts_get_the_weights_they_get_together() -> None:
    table = persons(random.Random(5), 2_000)
    parts = [table.filter(pl.col("line") < 700), table.filter(pl.col("line") >= 700)]
    whole, cut = Balance([table], 0.5, seed=2), Balance(parts, 0.5, seed=2)
    together = whole.lines(table)
    assert pl.concat([cut.lines(part) for part in parts]).equals(together)
    assert cut.words().equals(whole.words())
    assert together["keep"].n_unique() == 2


def test_a_word_of_one_gender_only_is_left_and_said_so() -> None:
    table = pl.DataFrame({"file": [0, 0], "line": [1, 2], "concept": ["smith"] * 2, "gender": ["male"] * 2})
    evened = Balance([table], {"smith": 0.5}, seed=0)
    assert evened.lines(table).is_empty()
    assert evened.words()["note"].to_list() == ["only one gender occurs"]


def test_a_tmx_that_declares_an_entity_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.tmx"
    path.write_text('<!DOCTYPE tmx [<!ENTITY a "b">]><tmx><body/></tmx>', encoding="utf-8")
    with pytest.raises(BadInput, match="entity"):
        list(pairs(UserFile(path), source="en", target="de"))
