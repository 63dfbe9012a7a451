"""Plain English: habits of translated prose that must not come back in texts a user can see, nor in docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "evenhand"
#: What a text says instead of an English phrase, and the phrase.
HABITS = {
    r"\btold apart\b|\btells?(?: \w+){0,4} apart\b": "identified, distinguished",
    r"\bis told (?:that|of|by|whom)\b|\bis not told\b": "learns",
    r"\bheld against\b": "compared with",
    r"\bas it stands\b|\bstands? (?:beside|with|in one (?:report|table|ranking))\b": "is, appears",
    r"\bis not shown\b|\bneither is shown\b|\bnot shown to be\b|\bno change shown\b": "no significant difference",
    r"\b(?:counted|reported|kept|stay) apart\b|\b(?:far|farthest|widest) apart\b": "separately; differ most",
    r"\bdirection of its own\b|\bfile of (?:its|their) own\b|\bpage of its own\b": "a direction, a separate file",
    r"\breckon(?:s|ed)? with\b": "assume",
    r"\bh[au]ngs? on\b": "depend on",
    r"\bgoes on (?:from|where)\b": "resumes",
    r"\bby lots?\b": "random",
    r"\blean(?:s|ed|ing|ings)? (?:to|towards?)\b|\bthe former lean\b": "bias, tendency",
    r"\bfirst in words\b|\bput into words\b|\bsays? in words\b": "described",
    r"\bat hand\b": "available",
    r"\b(?:was|were) there before\b": "already present",
    r"\bnext to none\b|\bhardly known\b|\bhardly measured\b|\bnobody can see\b": "few, too few, invisible",
    r"\b(?:one|a) (?:row|line|page|mark|panel|module|object|sentence|entry|result) an? "
    r"(?:row|line|page|system|language|run|measure|result|rendering|translation|message|outcome|level|group|sentence|"
    r"overall|shard|person|broken|month)\b": "per",
    r"\bno renderings at all\b": "unusable",
    r"\banew\b": "again",
    r"\b(?:says?|said) so\b": "notes it, reports it",
    r"\b(?:asks?|asked) (?:nobody|no (?:other )?host)\b": "loads nothing from other hosts",
    r"\btakes? \w+ for independent\b": "assumes independent",
    r"\btoday's\b|\bof today\b": "current, present",
    r"\bblotted out\b": "removed",
    r"\bhow (?:it|this|that) (?:\w+ )?came about\b": "how it was reached, why",
    r"\b(?:is|are) (?:given|said) in words\b|\bwhat (?:is|was) at hand\b": "described, available",
    r"\bof the (?:renderings|pairs|sentences|persons)[^.;:|]{0,40}, how many\b": "share of ... that",
    r"\b(?:a|its|their|your) [\w ]{1,20} to be had\b|\bnot to be had\b": "available, not available",
}
HABIT = re.compile("|".join(f"(?:{pattern})" for pattern in HABITS), re.IGNORECASE)
#: Tables of words in some language, which are data and no text of ours; figures that a builder measured.
DATA = ("grammar", "persons", "suites", "detect", "published")


def texts() -> Iterator[tuple[str, str]]:
    """Every place and its text: strings and docstrings, word tables, templates, pages of the documentation."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", " ".join(node.value.split())
    tables = [path for path in PACKAGE.rglob("*.tsv") if not set(DATA) & set(path.relative_to(PACKAGE).parts)]
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    for path in sorted([*tables, *PACKAGE.rglob("*.html"), *pages]):
        for number, line in enumerate(path.read_text("utf-8").split("\n"), start=1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def test_no_text_has_a_retired_habit() -> None:
    found = [f"{place}: {match.group()!r}" for place, text in texts() for match in HABIT.finditer(text)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    ["the systems are told apart", "it tells women and men apart", "drawn by lot", "one row a person", "at hand"],
)
def test_a_habit_is_recognised(text: str) -> None:
    assert HABIT.search(text)
