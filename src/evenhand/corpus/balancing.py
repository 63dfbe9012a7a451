"""Weights for lines, so that a text meets the shares of women somebody wants for its words.

A line's weight is the product of one factor for every person in it whose gender the source leaves open and the target
gives, by word and gender; of the two factors of a word the larger is 1. The factors are found by raking (Deming &
Stephan 1940): word after word is set to its share until none moves. Weights lie in (0, 1], so that a weight is also the
chance to keep a line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.statistics.measure import Floats

ROUNDS, CLOSE = 200, 1e-4
PAIR = ("female", "male")


@dataclass(frozen=True)
class Balanced:
    """`lines`: file, line, weight (below 1) and keep; `words`: what each word's share was, is wanted, and becomes."""

    lines: pl.DataFrame
    words: pl.DataFrame


def balanced(persons: pl.DataFrame, wanted: Mapping[str, float], *, seed: int) -> Balanced:
    """Weights of the lines of `persons` (file, line, concept, gender: open in the source, female or male).

    `keep` draws by the seed whether a line stays if lines are filtered instead of weighted. A word of which only one
    gender occurs cannot be balanced by weights; it stays as it is, and its row says so.
    """
    lines = persons.select("file", "line").unique(maintain_order=True).with_row_index("place")
    placed = persons.join(lines, on=["file", "line"], how="left", maintain_order="left")
    place = placed["place"].to_numpy().astype(np.int64)
    female = (placed["gender"] == "female").to_numpy()
    of_word = {
        str(key[0]): part["row"].to_numpy().astype(np.int64)
        for key, part in placed.with_row_index("row").partition_by("concept", as_dict=True).items()
    }
    possible = {w: rows for w, rows in of_word.items() if w in wanted and 0 < female[rows].sum() < len(rows)}
    weights = _raked(possible, place, female, wanted, lines.height)
    chances = _lots(lines, seed)
    keep = chances < weights
    table = lines.select("file", "line").with_columns(weight=pl.Series(weights), keep=pl.Series(keep).cast(pl.Int8))
    told = []
    for word in sorted(of_word):
        rows = of_word[word]
        was, now, kept = (
            _share(w[place[rows]], female[rows]) for w in (np.ones(lines.height), weights, keep.astype(float))
        )
        one_sided = "" if word in possible or word not in wanted else "only one gender occurs"
        told.append((word, len(rows), was, wanted.get(word), now, kept, one_sided))
    names = ("concept", "persons", "share", "wanted", "weighted", "kept", "note")
    types = (pl.String, pl.Int64, pl.Float64, pl.Float64, pl.Float64, pl.Float64, pl.String)
    words = pl.DataFrame(told, schema=dict(zip(names, types, strict=True)), orient="row")
    return Balanced(table.filter(pl.col("weight") < 1), words)


def _raked(
    words: Mapping[str, npt.NDArray[np.int64]],
    place: npt.NDArray[np.int64],
    female: npt.NDArray[np.bool_],
    wanted: Mapping[str, float],
    lines: int,
) -> Floats:
    factors = {word: np.zeros(2) for word in words}  # logarithms, of women and of men
    logs = np.zeros(lines)
    for _ in range(ROUNDS):
        moved = 0.0
        for word, rows in words.items():
            share = _share(np.exp(logs[place[rows]]), female[rows])
            moved = max(moved, abs(share - wanted[word]))
            odds = np.log(wanted[word] / (1 - wanted[word])) - np.log(share / (1 - share))
            fresh = factors[word] + np.array([odds, 0.0])
            fresh -= fresh.max()
            np.add.at(logs, place[rows], np.where(female[rows], *(fresh - factors[word])))
            factors[word] = fresh
        if moved < CLOSE:
            break
    weights: Floats = np.exp(np.minimum(logs, 0.0))
    return weights


def _share(weights: Floats, female: npt.NDArray[np.bool_]) -> float:
    total = float(weights.sum())
    return float(weights[female].sum()) / total if total else float("nan")


def _lots(lines: pl.DataFrame, seed: int) -> Floats:
    """A number in [0, 1) for each line that depends on the seed and its place only."""
    digests = b"".join(
        hashlib.blake2b(f"{seed}:{file}:{line}".encode(), digest_size=8).digest()
        for file, line in lines.select("file", "line").iter_rows()
    )
    lots: Floats = np.frombuffer(digests, dtype="<u8").astype(np.float64) / 2.0**64
    return lots
