"""WinoBias files as published (Zhao et al. 2018): "1 [The pilot] thanked the baker because [he] ..."."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.opening import UserFile
from evenhand.suites.suite import Suite, gender_of_pronoun, gold_suite

# blanks at its ends are cut off afterwards: three repetitions side by side would try every way to share them
_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_DETERMINER = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
FILE_NAME = re.compile(r"^(pro|anti)_stereotyped_type([12])\.txt\.(dev|test)$")


def winobias(path: Path) -> Suite:
    """One file, or all eight of a folder in the order pro/anti, type, dev/test."""
    return gold_suite(
        "winobias",
        f"WinoBias sentences of {path.name}",
        lambda: winobias_probes(path),
        citation="Zhao et al. 2018, Gender Bias in Coreference Resolution",
    )


def winobias_probes(path: Path) -> pl.DataFrame:
    """The probes of a file or folder: sentence without brackets, focus without its determiner, gold of the pronoun."""
    files = sorted(f for f in path.iterdir() if FILE_NAME.match(f.name)) if path.is_dir() else [path]
    if not files:
        raise BadInput(f"{path}: no file named like pro_stereotyped_type1.txt.dev")
    rows = [row for file in files for row in _rows(file)]
    return pl.DataFrame(rows, schema_overrides={"stereotype": pl.String, "split": pl.String})


def _rows(file: Path) -> list[dict[str, object]]:
    named = FILE_NAME.match(file.name)
    side, kind, split = named.groups() if named else (None, "", None)
    prefix = f"{side}{kind}{split}" if named else file.stem
    return [
        {
            "id": f"{prefix}-{number:03d}",
            **marked(line, file, number),
            "stereotype": side,
            "split": split,
        }
        for number, line in UserFile(file).lines()
    ]


def marked(line: str, file: Path, number: int) -> dict[str, object]:
    """Sentence, focus and gold of a bracketed line; further bracketed pronouns are plain text."""
    text = re.sub(r"^\d+\s+", "", line)
    brackets = [(match.span(), match[1].strip()) for match in _BRACKET.finditer(text)]
    people = [(span, words) for span, words in brackets if gender_of_pronoun(words) is None]
    pronouns = [words for _, words in brackets if gender_of_pronoun(words) is not None]
    if len(people) != 1 or not pronouns:
        raise BadInput.at(file, number, "expected one person and at least one pronoun in [brackets]")
    [((at, _), person)] = people
    first = at - sum(end - start - len(words) for (start, end), words in brackets if start < at)
    skipped = _DETERMINER.match(person)
    start, end = first + (skipped.end() if skipped else 0), first + len(person)
    source = _BRACKET.sub(lambda match: match[1].strip(), text)
    return {
        "source": source,
        "source_lang": "en",
        "focus": source[start:end],
        "focus_start": start,
        "focus_end": end,
        "gold": gender_of_pronoun(pronouns[0]),
        "occupation": source[start:end].casefold(),
    }
