"""Sentences with their focus and evidence marked, as text that cannot do anything.

A rendering is hostile text: it may hold HTML, control characters or marks that turn the reading direction around.
Templates escape it; here the characters nobody can see become names that everybody can.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from evenhand.gender import Gender

LETTERS = {
    Gender.FEMALE.value: "F",
    Gender.MALE.value: "M",
    Gender.NEUTRAL.value: "N",
    Gender.BOTH.value: "B",
    Gender.UNKNOWN.value: "?",
}

# Joiners are ordinary letters' companions in Persian and Indic scripts; everything else of category Cf is named.
_KEPT = frozenset("\u200c\u200d")
_NAMED = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})


@dataclass(frozen=True)
class Piece:
    """A stretch of a sentence: `role` is "", "focus" or "evidence"."""

    text: str
    role: str = ""


def visible(text: str) -> str:
    """The text with control, direction and private characters written as ⟨U+XXXX⟩; a line break becomes ⏎."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(c) for c in text)


def _shown(character: str) -> str:
    if character in "\n\r":
        return "⏎"
    if character == "\t":
        return "⇥"
    if character in _KEPT or unicodedata.category(character) not in _NAMED:
        return character
    return f"⟨U+{ord(character):04X}⟩"


def pieces(text: str | None, start: int | None, end: int | None, role: str) -> list[Piece]:
    """The text cut at [start, end) code points. Offsets that do not fit the text mark nothing."""
    whole = text or ""
    if start is None or end is None or not 0 <= start < end <= len(whole):
        return [Piece(visible(whole))] if whole else []
    parts = [Piece(visible(whole[:start])), Piece(visible(whole[start:end]), role), Piece(visible(whole[end:]))]
    return [p for p in parts if p.text]


def letter(gender: str | None) -> str:
    """F, M, N, B or ?: what tells the genders apart without colour."""
    return LETTERS.get(gender or "", "?")
