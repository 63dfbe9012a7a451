"""What real systems answered, target language by target language: read in place from the shared data."""

from __future__ import annotations

import lzma
import re
import tarfile
from functools import cache
from pathlib import Path

import polars as pl

from evenhand.detect.validity import Reason, Validity
from evenhand.detect.validity.shape import CLOSING, END

WORD = re.compile(r"\w+")
MARKS = "".join(END)
SPEECH = ("de", "es", "it", "pt")


@cache
def words_of(source: str) -> frozenset[str]:
    return frozenset(WORD.findall(source.lower()))


def copied(source: str, rendering: str) -> float:
    """Share of the rendering's words that are in the source."""
    words, known = WORD.findall(rendering.lower()), words_of(source)
    return sum(word in known for word in words) / max(len(words), 1)


def speech_systems(data: Path, target: str) -> list[tuple[str, str]]:
    """Sources and renderings of winost-2026: 25 speech translators."""
    lines = (data / "winomt/aggregates/en.txt").read_text().splitlines()
    sources = [line.split("\t")[2] for line in lines]
    with lzma.open(data / f"winost-2026/winost.en-{target}.tsv.xz", "rt") as rows:
        next(rows)
        return [(sources[int(cells[1]) - 1], cells[2]) for row in rows if (cells := row.rstrip("\n").split("\t"))]


def systems_of_2025(data: Path) -> dict[str, list[tuple[str, str]]]:
    """Sources and renderings of winomt-2025 by target: 14 systems."""
    by_target: dict[str, list[tuple[str, str]]] = {}
    with tarfile.open(data / "winomt-2025/translations.tar.xz") as archive:
        for member in archive.getmembers():
            stream = archive.extractfile(member)
            if stream is None:
                continue
            target = Path(member.name).stem.partition("en-")[2]
            for line in stream.read().decode().split("\n"):
                source, bar, rendering = line.partition(" ||| ")
                if bar:
                    by_target.setdefault(target, []).append((source.strip(), rendering))
    return by_target


def bare(rendering: str) -> str:
    """What a system that writes no full stops would have answered."""
    text = rendering.rstrip(CLOSING)
    return text.rstrip(MARKS).rstrip() if text[-1:] in END else rendering


def checked(rows: list[tuple[str, str]], target: str) -> pl.DataFrame:
    """The rows with `reason` (null: valid) and `echo`: most of its words are the English source's."""
    table = pl.DataFrame(rows, schema=["source", "rendering"], orient="row")
    reasons = Validity("en", target).check(table).alias("reason")
    echo = pl.Series("echo", [copied(source, rendering) > 0.7 for source, rendering in rows], dtype=pl.Boolean)
    return table.with_columns(reasons, echo)


def shares(table: pl.DataFrame) -> tuple[int, float, int, float]:
    """Of `checked`: how many renderings repeat the English and the share called so; how many others and the share
    called invalid."""
    echoes, others = table.filter("echo"), table.filter(~pl.col("echo"))
    found = echoes.filter(pl.col("reason") == Reason.REPEATS.value).height
    return echoes.height, found / max(echoes.height, 1), others.height, others["reason"].count() / max(others.height, 1)
