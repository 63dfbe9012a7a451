"""Sentences with their focus and evidence marked. A rendering is hostile text: templates escape it, `visible` names
invisible characters."""

from dataclasses import dataclass

from evenhand.gender import LOOKS, Gender
from evenhand.visible import visible

LETTERS = {gender.value: look.letter for gender, look in LOOKS.items()}
LETTERS_TOLD = ", ".join(
    f"{look.letter} {gender}{f' ({look.meaning})' if look.meaning else ''}" for gender, look in LOOKS.items()
)


@dataclass(frozen=True)
class MarkedPiece:
    """A stretch of a sentence: `role` is "", "focus" or "evidence"."""

    text: str
    role: str = ""


def pieces(text: object, start: object, end: object, role: str) -> list[MarkedPiece]:
    """The text cut at [start, end) code points. Offsets that do not fit the text mark nothing."""
    whole = text if isinstance(text, str) else ""
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(whole):
        return [MarkedPiece(visible(whole))] if whole else []
    parts = [
        MarkedPiece(visible(whole[:start])),
        MarkedPiece(visible(whole[start:end]), role),
        MarkedPiece(visible(whole[end:])),
    ]
    return [p for p in parts if p.text]


def letter(gender: str | None) -> str:
    """F, M, N, B or ?: the genders without colour."""
    return LETTERS.get(gender or "", LOOKS[Gender.UNKNOWN].letter)


LIT = {  # colours of charts as they are on a dark page: the same hues, lighter
    "#D55E00": "#F2914A",
    "#0072B2": "#56B4E9",
    "#009E73": "#3CCB9F",
    "#CC79A7": "#E3A3C6",
    "#9A9A9A": "#B8B8B8",
    "#332288": "#A79BF0",
    "#8A6D00": "#D9B938",
    "#882255": "#E87FA6",
    "#117733": "#6CC48A",
    "#7B3FA0": "#C08FE0",
    "#6B4423": "#C99A6B",
    "#5A5A5A": "#B0B0B0",
    "#00736B": "#4FC7BD",
}


def chart_style() -> str:
    """Charts on a dark page: lighter hues, dark letters on them, seams in the colour of the paper."""
    rules = [
        f'.picture [{part}="{colour}" i] {{ {part}: light-dark({colour}, {lit}); }}'
        for colour, lit in LIT.items()
        for part in ("fill", "stroke")
    ]
    rules += [
        '.picture text[fill="white"] { fill: light-dark(white, black); }',
        '.picture [stroke="white"] { stroke: var(--paper); }',
    ]
    return "@supports (color: light-dark(red, red)) {\n" + "\n".join(rules) + "\n}\n"


def gender_style() -> str:
    """How genders look on a page: tints for both colour schemes, lines, badges, bars."""
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
