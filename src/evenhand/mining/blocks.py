"""The published block format of at-risk pairs (Gonen & Webster 2020, NatGenMT): read, pair and write it.

A block is a heading ("Original sentences:" or "Substitution sentences:"), the English sentence, its translation, and
labelled lines ("Focus word source: nurse", "Focus word target: enfermera", "Gender: fem"). The number of blank lines
between blocks is irregular and labels can be missing, so a file is read heading by heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.readers.opening import UserFile

Role = Literal["original", "substitution"]
_HEADING = re.compile(r"(original|substitution)s?\s+sentences?\s*:?", re.IGNORECASE)
_LABEL = re.compile(r"(focus word source|focus word target|gender)\s*:\s*(.*)", re.IGNORECASE)
_GENDERS = {"masc": Gender.MALE, "fem": Gender.FEMALE, "neut": Gender.NEUTRAL}
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
    blocks: list[Block] = []
    heading: tuple[int, Role] | None = None
    body: list[tuple[int, str]] = []
    for number, raw in UserFile(path).lines():
        line = raw.strip()
        match = _HEADING.fullmatch(line)
        if match:
            if heading:
                blocks.append(_block(path, *heading, body))
            heading, body = (number, "original" if match[1].lower() == "original" else "substitution"), []
        elif line and heading is None:
            raise BadInput.at(path, number, 'expected "Original sentences:" or "Substitution sentences:" first')
        elif line:
            body.append((number, line))
    if heading:
        blocks.append(_block(path, *heading, body))
    if not blocks:
        raise BadInput(f"{path}: no block in it (a block begins with 'Original sentences:')")
    return blocks


def _block(path: Path, line: int, role: Role, body: list[tuple[int, str]]) -> Block:
    texts: list[str] = []
    labels: dict[str, str] = {}
    gender: Gender | None = None
    for number, text in body:
        match = _LABEL.fullmatch(text)
        if match is None:
            texts.append(text)
            continue
        labels[match[1].lower()] = match[2].strip()
        if match[1].lower() == "gender" and match[2].strip():
            gender = next((g for code, g in _GENDERS.items() if match[2].strip().lower().startswith(code)), None)
            if gender is None:
                raise BadInput.at(path, number, f"the gender {match[2].strip()!r} is none of masc, fem, neut")
    if len(texts) != 2:
        raise BadInput.at(
            path, line, f"the block has {len(texts)} text lines where the sentence and its translation belong"
        )
    source, rendering = texts
    return Block(
        line,
        role,
        source,
        rendering,
        labels.get("focus word source") or None,
        labels.get("focus word target") or None,
        gender,
    )


def pair_blocks(blocks: Iterable[Block]) -> Published:
    """Join each original with the substitution right after it when they differ in exactly one token."""
    pairs: list[tuple[Block, Block]] = []
    alone: list[Block] = []
    waiting: Block | None = None
    for block in blocks:
        joins = (
            waiting is not None
            and block.role == "substitution"
            and differing_token(waiting.source, block.source) is not None
        )
        if waiting is not None and joins:
            pairs.append((waiting, block))
            waiting = None
            continue
        if waiting is not None:
            alone.append(waiting)
            waiting = None
        if block.role == "original":
            waiting = block
        else:
            alone.append(block)
    if waiting is not None:
        alone.append(waiting)
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
