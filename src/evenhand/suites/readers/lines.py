"""Reading published text files with errors that name the line."""

from __future__ import annotations

from pathlib import Path

from evenhand.errors import BadInput
from evenhand.suites.suite import Grouping

GOLD_MEASURES = ("accuracy", "F1_female", "F1_male", "dG", "dS", "TFG")
GOLD_GROUPINGS = (Grouping("gold", column="gold"), Grouping("stereotype", column="stereotype"))


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file without their ends; bytes that are no UTF-8 are an error with their line."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadInput.at(path, line, "not UTF-8; convert the file first (iconv -t utf-8)") from error
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines and lines[-1] == "" else lines


def gender_of_pronoun(pronoun: str) -> str | None:
    """Gold gender of an English pronoun as the Wino sets use them; None for other words."""
    return {
        **dict.fromkeys(("she", "her", "hers", "herself"), "female"),
        **dict.fromkeys(("he", "him", "his", "himself"), "male"),
        **dict.fromkeys(("they", "them", "their", "theirs", "themself", "themselves"), "neutral"),
    }.get(pronoun.casefold())
