"""Sentences with their focus and evidence marked, as text that cannot do anything.

A rendering is hostile text: it may hold HTML, control characters or marks that turn the reading direction around.
Templates escape it; here the characters nobody can see become names that everybody can.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from evenhand.gender import LOOKS, Gender

LETTERS = {gender.value: look.letter for gender, look in LOOKS.items()}
LETTERS_TOLD = ", ".join(
    f"{look.letter} {gender}{f' ({look.meaning})' if look.meaning else ''}" for gender, look in LOOKS.items()
)

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
    return LETTERS.get(gender or "", LOOKS[Gender.UNKNOWN].letter)


def gender_style() -> str:
    """The part of a page's style that tells genders apart: tints for both colour schemes, lines, badges, bars."""
    plain = " ".join(f"--{gender}: {look.tint};" for gender, look in LOOKS.items())
    both = " ".join(f"--{gender}: light-dark({look.tint}, {look.dark});" for gender, look in LOOKS.items())
    rules = [f":root {{ {plain} }}", f"@supports (color: light-dark(red, red)) {{ :root {{ {both} }} }}"]
    for gender, look in LOOKS.items():
        rules += [
            f"mark.{gender} {{ background: var(--{gender}); text-decoration-style: {look.line}; }}",
            f".badge.{gender} {{ background: var(--{gender}); {look.badge}; }}",
            f".bar rect.{gender} {{ fill: {look.colour}; }}",
        ]
    return "\n".join(rules) + "\n"
