"""Verified pairs: the published block format (Gonen & Webster 2020, NatGenMT), read heading by heading because labels
and blank lines are irregular; and pairs that a reader verified (column `verified` of DIR/LANG/pairs.tsv)."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple, Self

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


class Block(NamedTuple):
    """One sentence with its translation; `line` is that of its heading. A missing label is None."""

    line: int
    role: Role
    source: str
    rendering: str
    focus: str | None = None
    target_focus: str | None = None
    gender: Gender | None = None

    def __str__(self) -> str:
        """The block in the published format."""
        focus = f"Focus word source: {self.focus or ''}\nFocus word target: {self.target_focus or ''}"
        gender = f"\nGender: {_CODES[self.gender]}" if self.gender in _CODES else ""
        return f"{self.role.capitalize()} sentences:\n{self.source}\n{self.rendering}\n{focus}{gender}"

    def focus_span(self, other: Self | None) -> tuple[int, int] | None:
        """Offsets of the focus in the source: the token in which a true pair differs, else the first one that fits."""
        tokens = list(re.finditer(r"\S+", self.source))
        if other is not None and (at := differing_token(self.source, other.source)) is not None:
            return tokens[at].span()
        return next((t.span() for t in tokens if t[0] == self.focus), None)

    def target_spans(self) -> list[tuple[int, int]]:
        """Offsets of every token of the translation that is the target focus."""
        return [t.span() for t in re.finditer(r"\S+", self.rendering) if t[0] == self.target_focus]


class Published(NamedTuple):
    """A file's true pairs (original, substitution) and the blocks that have no other half."""

    pairs: tuple[tuple[Block, Block], ...]
    alone: tuple[Block, ...] = ()


def differing_token(one: str, other: str) -> int | None:
    """Index of the only blank-separated token in which two sentences differ; None when there is not exactly one."""
    left, right = one.split(), other.split()
    if len(left) != len(right):
        return None
    differing = [i for i, (a, b) in enumerate(zip(left, right, strict=True)) if a != b]
    return differing[0] if len(differing) == 1 else None


def read_blocks(path: Path) -> list[Block]:
    """The blocks of a file in order; one without a sentence or a translation is an error that names its line."""
    blocks: list[tuple[int, Role, list[tuple[int, str]]]] = []
    for number, raw in UserFile(path).lines():
        line = raw.strip()
        if match := _HEADING.fullmatch(line):
            blocks.append((number, "original" if match[1].lower() == "original" else "substitution", []))
        elif line and not blocks:
            raise BadInput.at(path, number, 'expected "Original sentences:" or "Substitution sentences:" first')
        elif line:
            blocks[-1][2].append((number, line))
    if not blocks:
        raise BadInput(f"{path}: no block in it (a block begins with 'Original sentences:')")
    return [_block(path, *block) for block in blocks]


def _block(path: Path, line: int, role: Role, body: list[tuple[int, str]]) -> Block:
    texts, labels, gender = list[str](), dict[str, str](), None
    for number, text in body:
        match = _LABEL.fullmatch(text)
        if match is None:
            texts.append(text)
            continue
        name, label = match[1].lower(), match[2].strip()
        labels[name] = label
        if name == "gender" and label:
            gender = next((g for g, code in _CODES.items() if label.lower().startswith(code)), None)
            if gender is None:
                raise BadInput.at(path, number, f"the gender {label!r} is none of masc, fem, neut")
    if len(texts) != 2:
        raise BadInput.at(path, line, f"the block has {len(texts)} lines of text, not a sentence and its translation")
    focus, target = (labels.get(f"focus word {side}") or None for side in ("source", "target"))
    return Block(line, role, texts[0], texts[1], focus, target, gender)


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


def write_blocks(pairs: Iterable[tuple[Block, Block]]) -> str:
    """A file in this format; two blank lines between pairs as in the published one."""
    return "\n\n\n".join("\n\n".join(map(str, pair)) for pair in pairs) + "\n"


class Verified(NamedTuple):
    """What was exported: how many pairs were said to be right, how many wrong, and where the files are."""

    language: str
    right: int
    wrong: int
    files: tuple[Path, ...]


def read_labels(path: Path) -> dict[str, bool]:
    """Pair -> verified, from a table with the columns pair and verified; rows left empty are not in it."""
    verified: dict[str, bool] = {}
    for number, pair, label in read(path, LABELS).select(LINE, "pair", "verified").iter_rows():
        answer = (label or "").strip().lower()
        if answer not in YES | NO:
            raise BadInput.at(path, number, f"{label!r} is neither yes nor no", column="verified")
        if answer and verified.setdefault(pair, answer in YES) != (answer in YES):
            raise BadInput.at(path, number, f"the pair {pair} was labelled otherwise before")
    return verified


def export_verified(folder: Path, labels: Path) -> Verified:
    """Write the verified pairs of a language folder (DIR/LANG) into its subfolder `verified`: suite.tsv and suite.jsonl
    for `audit`, pairs.jsonl, and high_precision_LANG in the published format, for `replicate gonen2020`."""
    chosen, wrong = _verified(folder / "pairs.parquet", labels)
    code, out = folder.name, folder / "verified"
    rows = [row for pair in chosen.iter_rows(named=True) for row in _probes(pair, code)]
    files = (out / "suite.tsv", out / "suite.jsonl", out / "pairs.jsonl", out / f"high_precision_career_{code}")
    body = ["\t".join(str(row[c]).replace("\t", " ") for c in COLUMNS) for row in rows]
    write_text(files[0], "\n".join(["\t".join(COLUMNS), *body]) + "\n")
    joined = [{"pair": a["pair"], "original": a, "substitution": b} for a, b in zip(rows[::2], rows[1::2], strict=True)]
    for file, objects in ((files[1], rows), (files[2], joined)):
        write_text(file, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in objects))
    write_text(files[3], write_blocks(_blocks(pair) for pair in chosen.iter_rows(named=True)))
    return Verified(code, chosen.height, wrong, files)


def _verified(table: Path, labels: Path) -> tuple[pl.DataFrame, int]:
    """The pairs that are marked as right, by name, and how many are marked as wrong."""
    if not table.is_file():
        raise BadInput(f"{table.parent}: not a language folder of a mining run (no pairs.parquet)")
    pairs, answers = pl.read_parquet(table), read_labels(labels)
    unknown = sorted(set(answers) - set(pairs["pair"].to_list()))
    if unknown:
        raise BadInput(f"{labels}: the pair {unknown[0]} is not in {table} ({len(unknown)} such pairs)")
    right = [pair for pair, yes in answers.items() if yes]
    if not right:
        none = f"no pair is marked yes in the column verified ({len(answers)} marked no); mark those that are right"
        raise BadInput(f"{labels}: {none}. Nothing was written.")
    return pairs.filter(pl.col("pair").is_in(right)).sort("pair"), len(answers) - len(right)


def _probes(pair: dict[str, object], code: str) -> list[dict[str, object]]:
    """Both halves as probes; what the mining run saw is beside them, for another run has its own renderings."""
    return [
        {"id": f"{pair['pair']}-{role[0]}", "source_lang": "en", "pair": pair["pair"], "role": role, "mined_lang": code}
        | {f"mined_{c}": pair[f"{c}_{role}"] for c in ("rendering", "gender")}
        | {c: pair[f"{c}_{role}"] for c in ("source", "focus", "focus_start", "focus_end")}
        for role in ("original", "substitute")
    ]


def _blocks(pair: dict[str, object]) -> tuple[Block, Block]:
    """Both halves with blanks around the focus words, so that each is one token, as in the published files."""

    def spaced(role: str, text: str, at: str) -> tuple[str, str]:
        whole, start, end = str(pair[f"{text}_{role}"]), pair[f"{at}_start_{role}"], pair[f"{at}_end_{role}"]
        if not isinstance(start, int) or not isinstance(end, int):
            return whole, ""
        return " ".join(f"{whole[:start]} {whole[start:end]} {whole[end:]}".split()), whole[start:end]

    def block(role: str, kind: Role) -> Block:
        (source, focus), (rendering, target) = spaced(role, "source", "focus"), spaced(role, "rendering", "evidence")
        return Block(0, kind, source, rendering, focus, target, Gender(str(pair[f"gender_{role}"])))

    return block("original", "original"), block("substitute", "substitution")
