"""WinoMT files as published (Stanovsky et al. 2019): gender, index of the entity's head, sentence, entity."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.readers.opening import UserFile
from evenhand.suites.suite import Suite, gold_suite

WinoMtLine = tuple[str, int, str, str]
_INDEX = re.compile(r"[0-9]{1,6}")


def winomt(path: Path) -> Suite:
    """A suite of one WinoMT file. Where en_pro and en_anti lie beside it, its rows know their stereotype."""
    return gold_suite(
        f"winomt-{path.stem}",
        f"WinoMT sentences of {path.name}",
        lambda: _probes(path),
        citation="Stanovsky, Smith & Zettlemoyer 2019, Evaluating Gender Bias in Machine Translation",
    )


def _probes(path: Path) -> pl.DataFrame:
    rows = read_winomt(path)
    sides = {side: _side(path, side) for side in ("pro", "anti")}
    spans = [focus_span(row, path, number) for number, row in enumerate(rows, start=1)]
    return pl.DataFrame(
        {
            "id": [f"winomt-{n:04d}" for n in range(len(rows))],
            "source": [sentence for _, _, sentence, _ in rows],
            "source_lang": "en",
            "focus": [sentence[start:end] for (_, _, sentence, _), (start, end) in zip(rows, spans, strict=True)],
            "focus_start": [start for start, _ in spans],
            "focus_end": [end for _, end in spans],
            "gold": [gender for gender, _, _, _ in rows],
            "stereotype": [next((side for side, known in sides.items() if row in known), None) for row in rows],
            "occupation": [entity.casefold() for _, _, _, entity in rows],
        },
        schema_overrides={"stereotype": pl.String},
    )


def read_winomt(path: Path) -> list[WinoMtLine]:
    """The rows of a WinoMT file; a malformed one is an error with its line."""
    rows: list[WinoMtLine] = []
    for number, line in UserFile(path).lines():
        cells = line.split("\t")
        if len(cells) != 4 or not _INDEX.fullmatch(cells[1]) or cells[0] not in {g.value for g in Gender}:
            raise BadInput.at(path, number, "not a WinoMT row (gender, index, sentence, entity, separated by tabs)")
        rows.append((cells[0], int(cells[1]), cells[2], cells[3]))
    return rows


def focus_span(row: WinoMtLine, path: Path, number: int) -> tuple[int, int]:
    """Where the entity stands: the occurrence of its words at or around the given blank-separated token."""
    _, index, sentence, entity = row
    tokens = list(re.finditer(r"\S+", sentence))
    if index >= len(tokens):
        raise BadInput.at(path, number, f"index {index} is beyond the sentence's {len(tokens)} words")
    token = tokens[index]
    for match in re.finditer(rf"\b{re.escape(entity)}\b", sentence, re.IGNORECASE):
        if match.start() <= token.end() and token.start() <= match.end():
            return match.span()
    word = re.search(r"\w[\w'-]*", token.group())
    start = token.start() + (word.start() if word else 0)
    return start, start + len(word.group() if word else token.group())


def _side(path: Path, side: str) -> set[WinoMtLine]:
    for name in (path.name.replace("en", f"en_{side}", 1), f"{path.stem}_{side}{path.suffix}", f"en_{side}.txt"):
        file = path.with_name(name)
        if file.is_file():
            return set(read_winomt(file))
    return set()
