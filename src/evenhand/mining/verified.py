"""Verified pairs: the published block format (Gonen & Webster 2020, NatGenMT), and pairs that a reader has verified.

A block is a heading ("Original sentences:" or "Substitution sentences:"), the English sentence, its translation, and
labelled lines ("Focus word source: nurse", "Focus word target: enfermera", "Gender: fem"). The number of blank lines
between blocks is irregular and labels can be missing, so a file is read heading by heading.

The study had people pick the true at-risk pairs, because nouns of fixed gender are the main false positive. A reader
fills the column `verified` of DIR/LANG/pairs.tsv (yes or no; empty: not looked at) and hands it back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import read
from evenhand.storage.atomic import write_text

Role = Literal["original", "substitution"]
_HEADING = re.compile(r"(original|substitution)s?\s+sentences?\s*:?", re.IGNORECASE)
_LABEL = re.compile(r"(focus word source|focus word target|gender)\s*:\s*(.*)", re.IGNORECASE)
YES = frozenset(("yes", "y", "1", "true", "x"))
NO = frozenset(("no", "n", "0", "false", ""))
LABELS = Layout("pair", (Column("pair", required=True, filled=True), Column("verified", required=True)), some=False)
COLUMNS = (
    "id", "source", "source_lang", "focus", "focus_start", "focus_end", "pair", "role", "mined_lang", "mined_rendering",
    "mined_gender",
)  # fmt: skip
_CODES = {Gender.MALE: "masc", Gender.FEMALE: "fem", Gender.NEUTRAL: "neut"}


@dataclass(frozen=True)
class Block:
    """One sentence with its translation; `line` is where its heading stands. A missing label is None."""

    line: int
    role: Role
    source: str
    rendering: str
    focus: str | None = None
    target_focus: str | None = None
    gender: Gender | None = None

    def focus_span(self, other: Block | None = None) -> tuple[int, int] | None:
        """Offsets of the focus in the source: the token in which a true pair differs, else the first one that fits."""
        tokens = list(re.finditer(r"\S+", self.source))
        if other is not None and (at := differing_token(self.source, other.source)) is not None:
            return tokens[at].span()
        return next((t.span() for t in tokens if t[0] == self.focus), None)

    def target_spans(self) -> list[tuple[int, int]]:
        """Offsets of every token of the translation that is the target focus."""
        return [t.span() for t in re.finditer(r"\S+", self.rendering) if t[0] == self.target_focus]


@dataclass(frozen=True)
class Published:
    """A file's true pairs (original, substitution) and the blocks that have no other half."""

    pairs: tuple[tuple[Block, Block], ...]
    alone: tuple[Block, ...] = field(default=())

    @property
    def blocks(self) -> list[Block]:
        """Every block, in the order of the file."""
        halves = [block for pair in self.pairs for block in pair]
        return sorted([*halves, *self.alone], key=lambda block: block.line)


def differing_token(one: str, other: str) -> int | None:
    """Index of the only blank-separated token in which two sentences differ; None when there is not exactly one."""
    left, right = one.split(), other.split()
    if len(left) != len(right):
        return None
    differing = [i for i, (a, b) in enumerate(zip(left, right, strict=True)) if a != b]
    return differing[0] if len(differing) == 1 else None


def read_blocks(path: Path) -> list[Block]:
    """The blocks of a file in order; one without a sentence or a translation is an error that names its line."""
    found: list[tuple[int, Role, list[tuple[int, str]]]] = []
    for number, raw in UserFile(path).lines():
        line = raw.strip()
        match = _HEADING.fullmatch(line)
        if match:
            found.append((number, "original" if match[1].lower() == "original" else "substitution", []))
        elif line and not found:
            raise BadInput.at(path, number, 'expected "Original sentences:" or "Substitution sentences:" first')
        elif line:
            found[-1][2].append((number, line))
    if not found:
        raise BadInput(f"{path}: no block in it (a block begins with 'Original sentences:')")
    return [_block(path, *one) for one in found]


def _block(path: Path, line: int, role: Role, body: list[tuple[int, str]]) -> Block:
    texts: list[str] = []
    labels: dict[str, str] = {}
    gender: Gender | None = None
    for number, text in body:
        match = _LABEL.fullmatch(text)
        if match is None:
            texts.append(text)
            continue
        name, said = match[1].lower(), match[2].strip()
        labels[name] = said
        if name == "gender" and said:
            gender = _gender(path, number, said)
    if len(texts) != 2:
        raise BadInput.at(
            path, line, f"the block has {len(texts)} text lines where the sentence and its translation belong"
        )
    focus, target = (labels.get(f"focus word {side}") or None for side in ("source", "target"))
    return Block(line, role, texts[0], texts[1], focus, target, gender)


def _gender(path: Path, number: int, said: str) -> Gender:
    found = next((g for g, code in _CODES.items() if said.lower().startswith(code)), None)
    if found is None:
        raise BadInput.at(path, number, f"the gender {said!r} is none of masc, fem, neut")
    return found


def pair_blocks(blocks: Iterable[Block]) -> Published:
    """Join each original with the substitution right after it when they differ in exactly one token."""
    pairs: list[tuple[Block, Block]] = []
    alone: list[Block] = []
    original: Block | None = None
    for block in blocks:
        if original and block.role == "substitution" and differing_token(original.source, block.source) is not None:
            pairs.append((alone.pop(), block))
        else:
            alone.append(block)
        original = block if block.role == "original" else None
    return Published(tuple(pairs), tuple(alone))


def write_blocks(pairs: Iterable[tuple[Block, Block]]) -> Iterator[str]:
    """The lines of a file in this format, without their ends; two blank lines between pairs as in the published one."""
    for number, pair in enumerate(pairs):
        if number:
            yield from ("", "")
        for half, block in enumerate(pair):
            if half:
                yield ""
            yield f"{block.role.capitalize()} sentences:"
            yield block.source
            yield block.rendering
            yield f"Focus word source: {block.focus or ''}"
            yield f"Focus word target: {block.target_focus or ''}"
            if block.gender in _CODES:
                yield f"Gender: {_CODES[block.gender]}"


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
    chosen, wrong = _verified(folder / "pairs.parquet", labels)
    code, out = folder.name, folder / "verified"
    rows = [row for pair in chosen.iter_rows(named=True) for row in _probes(pair, code)]
    files = (out / "suite.tsv", out / "suite.jsonl", out / "pairs.jsonl", out / f"high_precision_career_{code}")
    body = ["\t".join(str(row[c]).replace("\t", " ") for c in COLUMNS) for row in rows]
    write_text(files[0], "\n".join(["\t".join(COLUMNS), *body]) + "\n")
    write_text(files[1], "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    joined = [{"pair": a["pair"], "original": a, "substitution": b} for a, b in zip(rows[::2], rows[1::2], strict=True)]
    write_text(files[2], "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in joined))
    write_text(files[3], "\n".join(write_blocks(_blocks(pair) for pair in chosen.iter_rows(named=True))) + "\n")
    return Verified(code, chosen.height, wrong, files)


def _verified(table: Path, labels: Path) -> tuple[pl.DataFrame, int]:
    """The pairs that are marked as right, by name, and how many are marked as wrong."""
    if not table.is_file():
        raise BadInput(f"{table.parent}: not a language folder of a mining run (no pairs.parquet)")
    pairs, said = pl.read_parquet(table), read_labels(labels)
    unknown = sorted(set(said) - set(pairs["pair"].to_list()))
    if unknown:
        raise BadInput(f"{labels}: the pair {unknown[0]} is not in {table} ({len(unknown)} such pairs)")
    right = [pair for pair, yes in said.items() if yes]
    if not right:
        raise BadInput(
            f"{labels}: no pair is marked yes in the column verified ({len(said)} marked no); mark those that are "
            "right. Nothing was written."
        )
    return pairs.filter(pl.col("pair").is_in(right)).sort("pair"), len(said) - len(right)


def _probes(pair: dict[str, object], code: str) -> list[dict[str, object]]:
    """Both halves as probes; what the mining run saw is beside them, for another run has its own renderings."""
    return [
        {
            "id": f"{pair['pair']}-{role[0]}",
            "source_lang": "en",
            "pair": pair["pair"],
            "role": role,
            "mined_lang": code,
            **{f"mined_{c}": pair[f"{c}_{role}"] for c in ("rendering", "gender")},
            **{c: pair[f"{c}_{role}"] for c in ("source", "focus", "focus_start", "focus_end")},
        }
        for role in ("original", "substitute")
    ]


def _blocks(pair: dict[str, object]) -> tuple[Block, Block]:
    """Both halves with blanks around the focus words, so that each is one token, as in the published files."""

    def block(role: str, kind: Role) -> Block:
        (source, focus), (rendering, target) = (
            _spaced(str(pair[f"{text}_{role}"]), pair[f"{at}_start_{role}"], pair[f"{at}_end_{role}"])
            for text, at in (("source", "focus"), ("rendering", "evidence"))
        )
        return Block(0, kind, source, rendering, focus, target, Gender(str(pair[f"gender_{role}"])))

    return block("original", "original"), block("substitute", "substitution")


def _spaced(text: str, start: object, end: object) -> tuple[str, str]:
    if not isinstance(start, int) or not isinstance(end, int):
        return text, ""
    word = text[start:end]
    return " ".join(f"{text[:start]} {word} {text[end:]}".split()), word
