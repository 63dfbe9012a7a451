"""What a pronoun rule says about one rendering."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evenhand.gender import Gender


@dataclass(frozen=True, slots=True)
class Verdict:
    """A gender with the words it rests on; offsets are code points in the rendering."""

    gender: Gender
    start: int | None = None
    end: int | None = None
    how: str | None = None
    confidence: float = 0.0
    reason: str | None = None
    conflict: bool = False


Rule = Callable[[str, bool], Verdict]
"""(rendering, does the focus open the source sentence as its subject) -> verdict"""
