"""Lines weighed or kept by --write-balanced, counted again by the command itself."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest
from tests.corpus.test_corpus import as_tsv, audited

from evenhand.workflows.balance import Evened, balance

WORDS = {
    "doctor": ("Ärztin", "Arzt", 0.2),
    "nurse": ("Krankenschwester", "Krankenpfleger", 0.9),
    "baker": ("Bäckerin", "Bäcker", 0.4),
}
Pairs = list[tuple[str, str]]


def drawn(lines: int) -> Pairs:
    """Lines with one person or two; those that open with a man come up to four times."""
    dice, pairs = random.Random(6), Pairs()
    for number in range(lines):
        named = dice.sample(sorted(WORDS), dice.choice((1, 2)))
        told = [f"die {WORDS[w][0]}" if dice.random() < WORDS[w][2] else f"der {WORDS[w][1]}" for w in named]
        bought = "kauften" if len(named) > 1 else "kaufte"
        english = f"The {' and the '.join(named)} bought some bread, says letter {number}."
        german = f"{' und '.join(told).capitalize()} {bought} Brot, sagt Brief {number}."
        for word in WORDS.values():  # capitalize() made the nouns small
            for noun in word[:2]:
                german = german.replace(f" {noun.lower()} ", f" {noun} ")
        pairs += [(english, german)] * (1 + (dice.randrange(4) if german.startswith("Der") else 0))
    dice.shuffle(pairs)
    return pairs


def evened(pairs: Pairs, wanted: dict[str, float] | float, folder: Path) -> tuple[Evened, pl.DataFrame]:
    audited(as_tsv(folder / "text.tsv", pairs), folder / "out", shard_size=10_000)
    told = balance(folder / "out", wanted, folder / "weights.tsv")
    return told, pl.read_csv(folder / "weights.tsv", separator="\t")


def test_lines_that_are_kept_have_the_wanted_shares_when_they_are_counted_again(tmp_path: Path) -> None:
    pairs, wanted = drawn(900), {"doctor": 0.5, "nurse": 0.5, "baker": 0.6}
    told, weights = evened(pairs, wanted, tmp_path)
    gone = set(weights.filter(keep=0)["line"])
    kept = [pair for line, pair in enumerate(pairs, 1) if line not in gone]
    again = audited(as_tsv(tmp_path / "kept.tsv", kept), tmp_path / "again")
    counted = dict(again.words.select("concept", "share").iter_rows())
    said = dict(told.words.select("concept", "kept").iter_rows())
    assert len(set(kept)) == len(kept)  # a copy of a line that is gone would bring it back
    for word, share in wanted.items():
        assert counted[word] == pytest.approx(said[word], abs=1e-12)
        assert counted[word] == pytest.approx(share, abs=0.02)  # whole lines: some 120 persons per word


def test_weights_over_all_lines_give_the_wanted_shares(tmp_path: Path) -> None:
    pairs = drawn(900)
    told, weights = evened(pairs, 0.5, tmp_path)
    weight = dict(weights.select("line", "weight").iter_rows())
    assert told.repeats == len(pairs) - len(set(pairs))
    for female, male, _ in WORDS.values():
        women, men = (
            sum(weight.get(line, 1.0) for line, (_, german) in enumerate(pairs, 1) if f" {noun} " in german)
            for noun in (female, male)
        )
        assert women / (women + men) == pytest.approx(0.5, abs=0.001)


def test_copies_of_lines_whose_words_are_not_balanced_stay(tmp_path: Path) -> None:
    pairs = drawn(300)
    _, weights = evened(pairs, {"nurse": 0.5}, tmp_path)
    assert weights.height
    assert all("nurse" in pairs[line - 1][0] for line in weights["line"])


def test_files_of_the_same_name_are_told_apart_by_their_folder(tmp_path: Path) -> None:
    pairs = drawn(120)
    files = []
    for half, part in (("one", pairs[::2]), ("two", pairs[1::2])):
        (tmp_path / half).mkdir()
        files.append(as_tsv(tmp_path / half / "text.tsv", part))
    audited(files, tmp_path / "out")
    balance(tmp_path / "out", 0.5, tmp_path / "weights.tsv")
    weights = pl.read_csv(tmp_path / "weights.tsv", separator="\t")
    assert set(weights["file"]) == {str(file) for file in files}
