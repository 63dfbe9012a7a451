"""Sentences with their focus and evidence marked, as text that cannot do anything.

A rendering is hostile text: templates escape it, and `visible` names the characters nobody can see.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.gender import LOOKS, Gender
from evenhand.visible import visible

LETTERS = {gender.value: look.letter for gender, look in LOOKS.items()}
LETTERS_TOLD = ", ".join(
    f"{look.letter} {gender}{f' ({look.meaning})' if look.meaning else ''}" for gender, look in LOOKS.items()
)


@dataclass(frozen=True)
class Piece:
    """A stretch of a sentence: `role` is "", "focus" or "evidence"."""

    text: str
    role: str = ""


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
