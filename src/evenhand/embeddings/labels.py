"""Where the words of a scatter plot go so that none covers another: right of the point, left, above, below, or nowhere.

A word that finds no free place keeps its point, and its numbers in the table under the figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from evenhand.embeddings.grammar import Array

Place = Literal["right", "left", "above", "below", ""]
Box = tuple[float, float, float, float]  # left, top, right, bottom, in pixels
MARGIN = 0.04  # how much longer than the data an axis is, on either side
LETTER, LINE, POINT, GAP = (
    5.9,
    11.0,
    4.0,
    6.0,
)  # of 10-pixel text: width of a letter, height; radius of a point; distance


def places(x: Array, y: Array, words: Sequence[str], *, width: int, height: int) -> list[Place]:
    """A place for every word of points spread over a plot of that many pixels. Earlier words choose first."""
    across, up = _pixels(x, width), height - _pixels(y, height)
    points = [(px - POINT, py - POINT, px + POINT, py + POINT) for px, py in zip(across, up, strict=True)]
    taken: list[Box] = []
    chosen: list[Place] = []
    for i, (px, py, word) in enumerate(zip(across, up, words, strict=True)):
        others = [box for j, box in enumerate(points) if j != i]
        place: Place = ""
        for candidate, box in _boxes(px, py, LETTER * len(word)):
            inside = box[0] >= -GAP and box[2] <= width + GAP and box[1] >= 0 and box[3] <= height
            if inside and not any(_meet(box, other) for other in (*taken, *others)):
                place = candidate
                taken.append(box)
                break
        chosen.append(place)
    return chosen


def _pixels(values: Array, size: int) -> Array:
    """Where values fall on an axis; the axis is a little longer than the data."""
    low, high = float(values.min()), float(values.max())
    margin = MARGIN * (high - low) or 1.0
    scaled: Array = size * (values - low + margin) / (high - low + 2 * margin)
    return scaled


def _boxes(px: float, py: float, wide: float) -> list[tuple[Place, Box]]:
    half = LINE / 2
    return [
        ("right", (px + GAP, py - half, px + GAP + wide, py + half)),
        ("left", (px - GAP - wide, py - half, px - GAP, py + half)),
        ("above", (px - wide / 2, py - GAP - LINE, px + wide / 2, py - GAP)),
        ("below", (px - wide / 2, py + GAP, px + wide / 2, py + GAP + LINE)),
    ]


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
