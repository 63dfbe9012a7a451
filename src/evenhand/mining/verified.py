"""The person at the end: verified pairs become a fixed suite, in our tables and in the published block format.

The study had people pick the true at-risk pairs, because nouns of fixed gender are the main false positive. A reader
fills the column `verified` of DIR/LANG/pairs.tsv (yes or no; empty: not looked at) and hands it back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.mining.blocks import Block, Role, write_blocks
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.storage.atomic import write_text

YES = frozenset(("yes", "y", "1", "true", "x"))
NO = frozenset(("no", "n", "0", "false", ""))
LABELS = Layout("pair", (Column("pair", required=True, filled=True), Column("verified", required=True)), some=False)
COLUMNS = (
    "id", "source", "source_lang", "focus", "focus_start", "focus_end", "pair", "role", "mined_lang", "mined_rendering",
    "mined_gender",
)  # fmt: skip


@dataclass(frozen=True)
class Verified:
    """What was exported: how many pairs were said to be right, how many wrong, and where the files are."""

    language: str
    right: int
    wrong: int
    files: tuple[Path, ...]


def read_labels(path: Path) -> dict[str, bool]:
    """Pair -> verified, from a table with the columns pair and verified; rows left empty are not in it."""
    verified: dict[str, bool] = {}
    for number, pair, said in read(path, LABELS).select(LINE, "pair", "verified").iter_rows():
        answer = (said or "").strip().lower()
        if answer not in YES | NO:
            raise BadInput.at(path, number, f"{said!r} is neither yes nor no", column="verified")
        if answer:
            if verified.get(pair, answer in YES) != (answer in YES):
                raise BadInput.at(path, number, f"the pair {pair} was labelled otherwise before")
            verified[pair] = answer in YES
    return verified


def export_verified(folder: Path, labels: Path) -> Verified:
    """Write the verified pairs of a language folder (DIR/LANG) into its subfolder `verified`.

    suite.tsv and suite.jsonl are suites that `evenhand audit` takes; pairs.jsonl has one pair a line; the file
    high_precision_LANG is in the published block format, which `evenhand replicate gonen2020` reads.
    """
    table = folder / "pairs.parquet"
    if not table.is_file():
        raise BadInput(f"{folder}: not a language folder of a mining run (no pairs.parquet)")
    pairs = pl.read_parquet(table)
    said = read_labels(labels)
    unknown = sorted(set(said) - set(pairs["pair"].to_list()))
    if unknown:
        raise BadInput(f"{labels}: the pair {unknown[0]} is not in {table} ({len(unknown)} such pairs)")
    chosen = pairs.filter(pl.col("pair").is_in([pair for pair, right in said.items() if right])).sort("pair")
    if chosen.is_empty():
        raise BadInput(
            f"{labels}: no pair is marked yes in the column verified ({len(said)} marked no); mark those that are "
            "right. Nothing was written."
        )
    code, out = folder.name, folder / "verified"
    rows = [row for pair in chosen.iter_rows(named=True) for row in _probes(pair, code)]
    files = (out / "suite.tsv", out / "suite.jsonl", out / "pairs.jsonl", out / f"high_precision_career_{code}")
    body = ["\t".join(str(row[c]).replace("\t", " ") for c in COLUMNS) for row in rows]
    write_text(files[0], "\n".join(["\t".join(COLUMNS), *body]) + "\n")
    write_text(files[1], "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    joined = [{"pair": a["pair"], "original": a, "substitution": b} for a, b in zip(rows[::2], rows[1::2], strict=True)]
    write_text(files[2], "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in joined))
    write_text(files[3], "\n".join(write_blocks(_blocks(pair) for pair in chosen.iter_rows(named=True))) + "\n")
    return Verified(code, chosen.height, sum(not right for right in said.values()), files)


def _probes(pair: dict[str, object], code: str) -> list[dict[str, object]]:
    return [
        {
            "id": f"{pair['pair']}-{role[0]}",
            "source_lang": "en",
            "pair": pair["pair"],
            "role": role,
            "mined_lang": code,  # what the mining run saw; another run of the suite has renderings of its own
            **{f"mined_{c}": pair[f"{c}_{role}"] for c in ("rendering", "gender")},
            **{c: pair[f"{c}_{role}"] for c in ("source", "focus", "focus_start", "focus_end")},
        }
        for role in ("original", "substitute")
    ]


def _blocks(pair: dict[str, object]) -> tuple[Block, Block]:
    """Both halves with blanks around the focus words, so that each is one token, as in the published files."""
    made = []
    for role in ("original", "substitute"):
        texts = []
        for text, at in (("source", "focus"), ("rendering", "evidence")):
            start, end = pair[f"{at}_start_{role}"], pair[f"{at}_end_{role}"]
            texts.append(_spaced(str(pair[f"{text}_{role}"]), start, end))
        (source, focus), (rendering, target) = texts
        gender = Gender(str(pair[f"gender_{role}"]))
        kind: Role = "original" if role == "original" else "substitution"
        made.append(Block(0, kind, source, rendering, focus, target, gender))
    return made[0], made[1]


def _spaced(text: str, start: object, end: object) -> tuple[str, str]:
    if not isinstance(start, int) or not isinstance(end, int):
        return text, ""
    word = text[start:end]
    return " ".join(f"{text[:start]} {word} {text[end:]}".split()), word
