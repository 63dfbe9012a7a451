"""Words as points of a plot. A word that finds no free place beside its point is in the table under the figure only."""

from collections.abc import Iterator, Sequence
from typing import Literal

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl
from altair.utils.schemapi import UndefinedType

from evenhand.report.charts.basic import COLOURS, PLAIN, inline, layered, names_axis, percent_axis, sized
from evenhand.report.charts.drawing import PHONE, WIDE
from evenhand.report.charts.figure import Figure, Heading
from evenhand.results.runs import Run

FARTHEST = 30


def reference_figures(run: Run) -> list[Figure]:
    """Charts for every reference the run was compared with; none where there is none."""
    if run.occupations is None:
        return []
    names = run.occupations["reference"].unique(maintain_order=True)
    return [made for name in names for made in _distance(run.occupations.filter(reference=name), name)]


def _distance(rows: pl.DataFrame, reference: str) -> list[Figure]:
    """Who is in the job, and who is in the translation: two marks per occupation and the way between them."""
    column = "english" if "english" in rows.columns else rows.columns[0]
    known = rows.filter(pl.col("share_women").is_not_null() & pl.col("rendered_female").is_not_null())
    known = known.with_columns(distance=pl.col("rendered_female") - pl.col("share_women"))
    if known.height < 2:
        return []
    farthest = known.sort(pl.col("distance").abs(), descending=True, maintain_order=True)
    data = farthest.head(FARTHEST).sort("share_women", descending=True, maintain_order=True)
    order = data[column].to_list()
    y = alt.Y(f"{column}:N", sort=order, title=None, axis=names_axis())
    axis = percent_axis("share of women")
    base = alt.Chart(inline(data.select(column, "share_women", "rendered_female", "distance"))).encode(y=y)
    way = base.mark_rule(strokeWidth=1.5, opacity=0.5, color="currentColor").encode(
        x=alt.X("share_women:Q", scale=alt.Scale(domain=[0, 1]), axis=axis), x2="rendered_female:Q"
    )
    marks = ["people in the job", "she in the translation"]
    legend = alt.Legend(title=None, orient="top")
    colours = alt.Scale(domain=marks, range=[PLAIN, COLOURS["female"]])
    shapes = alt.Scale(domain=marks, range=["diamond", "circle"])
    long = data.select(column, people="share_women", she="rendered_female").unpivot(index=column, value_name="share")
    long = long.with_columns(mark=pl.col("variable").replace_strict(dict(zip(("people", "she"), marks, strict=True))))
    points = (
        alt.Chart(inline(long.drop("variable")))
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            y=y,
            x="share:Q",
            color=alt.Color("mark:N", scale=colours, legend=legend),
            shape=alt.Shape("mark:N", scale=shapes, legend=legend),
        )
    )
    caption = (
        f"One line per occupation: the diamond is the share of women in {reference}, the circle the share of she among "
        f"the translation's she and he. The chart has the {data.height} of {known.height} that differ most. "
        "A long line to the left: women in the job are rendered as men."
    )
    title = f"People in the job and in the translation ({reference})"
    table = farthest.select(
        column, "share_women", "rendered_female", "distance", "E_t", "E_o", "B", "female", "male", "neutral"
    )
    return [Figure(f"distance-{reference}", title, caption, sized(alt.layer(way, points), order, 17), table)]


Array = npt.NDArray[np.float64]
LabelPlace = Literal["right", "left", "above", "below", ""]
Box = tuple[float, float, float, float]  # left, top, right, bottom, in pixels
Axis = tuple[str, str]  # column and title
MARGIN = 0.04  # how much longer than the data an axis is, on either side
LETTER, LINE = 5.9, 11.0  # width and height of 10-pixel letters
POINT, GAP = 4.0, 6.0  # radius of a point, distance of a word from its middle
OFFSETS: dict[str, tuple[Literal["left", "right", "center"], int, int]] = {
    "right": ("left", 6, 0),
    "left": ("right", -6, 0),
    "above": ("center", 0, -11),
    "below": ("center", 0, 11),
}


def scatter(
    data: pl.DataFrame,
    horizontal: Axis,
    vertical: Axis,
    heading: Heading,
    *,
    label: str,
    size: tuple[int, int],
    marks: Sequence[alt.Shape | alt.Color | alt.Fill] = (),
) -> Figure:
    """Points with their words. `marks` distinguish points; without them all are filled and of one colour."""
    across, up = (data[name].to_numpy().astype(np.float64) for name, _ in (horizontal, vertical))
    x = alt.X(f"{horizontal[0]}:Q", title=horizontal[1], scale=_around(across))
    y = alt.Y(f"{vertical[0]}:Q", title=vertical[1], scale=_around(up))
    base = alt.Chart(inline(data)).encode(x=x, y=y)
    points = (
        base.mark_point(size=45, opacity=0.9).encode(*marks)
        if marks
        else base.mark_point(filled=True, size=45, color=PLAIN)
    )

    def drawn(width: int, height: int) -> alt.LayerChart:
        placed_at = places(across, up, data[label].to_list(), width=width, height=height)
        placed = data.with_columns(place=pl.Series(placed_at))
        return layered(alt.layer(points, *_texts(placed, x, y, label), width=width, height=height))

    return Figure(*heading, drawn(*size), data, drawn(PHONE, PHONE))


def _texts(
    placed: pl.DataFrame, x: alt.X, y: alt.Y, label: str, colour: str | UndefinedType = alt.Undefined
) -> Iterator[alt.Chart]:
    """The words beside their points, by the places they found."""
    for place, (align, dx, dy) in OFFSETS.items():
        some = placed.filter(pl.col("place") == place)
        if some.height:
            text = alt.Chart(inline(some)).mark_text(align=align, dx=dx, dy=dy, fontSize=10, color=colour)
            yield text.encode(x=x, y=y, text=f"{label}:N")


def places(x: Array, y: Array, words: Sequence[str], *, width: int, height: int) -> list[LabelPlace]:
    """A place for every word of points spread over a plot of that many pixels. Earlier words choose first."""
    across, up = _pixels(x, width), height - _pixels(y, height)
    points = [(px - POINT, py - POINT, px + POINT, py + POINT) for px, py in zip(across, up, strict=True)]
    taken: list[Box] = []
    chosen: list[LabelPlace] = []
    for i, (px, py, word) in enumerate(zip(across, up, words, strict=True)):
        others = [box for j, box in enumerate(points) if j != i]
        place: LabelPlace = ""
        for candidate, box in _boxes(px, py, LETTER * len(word)):
            inside = box[0] >= -GAP and box[2] <= width + GAP and box[1] >= 0 and box[3] <= height
            if inside and not any(_meet(box, other) for other in (*taken, *others)):
                place = candidate
                taken.append(box)
                break
        chosen.append(place)
    return chosen


def _ends(values: Array) -> tuple[float, float]:
    """An axis a little longer than the data."""
    low, high = float(values.min()), float(values.max())
    margin = MARGIN * (high - low) or 1.0
    return low - margin, high + margin


def _around(values: Array) -> alt.Scale:
    """Not rounded: words are placed in its pixels."""
    return alt.Scale(domain=list(_ends(values)), nice=False, zero=False)


def _pixels(values: Array, size: int) -> Array:
    low, high = _ends(values)
    scaled: Array = size * (values - low) / (high - low)
    return scaled


def _boxes(px: float, py: float, wide: float) -> list[tuple[LabelPlace, Box]]:
    half = LINE / 2
    return [
        ("right", (px + GAP, py - half, px + GAP + wide, py + half)),
        ("left", (px - GAP - wide, py - half, px - GAP, py + half)),
        ("above", (px - wide / 2, py - GAP - LINE, px + wide / 2, py - GAP)),
        ("below", (px - wide / 2, py + GAP, px + wide / 2, py + GAP + LINE)),
    ]


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# Two shares of the same words against each other, with the diagonal on which they agree.

LABELLED = 24
HEIGHT = int(WIDE * 0.85)
TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]


def against_diagonal(
    data: pl.DataFrame, titles: tuple[str, str], heading: Heading, *, colour: tuple[str, str] | None = None
) -> Figure:
    """Words (`concept`) at x and y, with the interval of y; those farthest from the diagonal are named. `colour`: a
    column (a share, grey where it is null) and its title."""
    scale = alt.Scale(domain=[-MARGIN, 1 + MARGIN], nice=False)
    axes = [alt.Axis(format=".0%", title=name, values=TICKS) for name in titles]
    x, y = alt.X("x:Q", scale=scale, axis=axes[0]), alt.Y("y:Q", scale=scale, axis=axes[1])
    lines = alt.Chart(inline(data)).mark_rule(opacity=0.25, color="currentColor")
    ends = alt.InlineData(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    diagonal = alt.Chart(ends).mark_line(strokeDash=[4, 3], color="currentColor")
    layers = [
        diagonal.encode(x=x, y=y),
        lines.encode(x=x, y=alt.Y("low:Q", scale=scale, axis=axes[1]), y2="high:Q"),
        *_points(data, x, y, colour),
    ]

    def drawn(width: int, height: int) -> alt.LayerChart:
        return layered(alt.layer(*layers, *_named(data, x, y, width, height), width=width, height=height))

    caption = f"{heading.caption} Words far from the line have labels if there is space; the table has all."
    return Figure(*heading._replace(caption=caption), drawn(WIDE, HEIGHT), data, drawn(PHONE, PHONE))


def _points(data: pl.DataFrame, x: alt.X, y: alt.Y, colour: tuple[str, str] | None) -> list[alt.Chart]:
    if colour is None:
        plain = alt.Chart(inline(data)).mark_point(filled=True, size=55, opacity=0.8, color=PLAIN)
        return [plain.encode(x=x, y=y)]
    column, title = colour
    known = data.filter(pl.col(column).is_not_null())
    rest = alt.Chart(inline(data.filter(pl.col(column).is_null())))
    grey = rest.mark_point(filled=True, size=55, opacity=0.9, color=COLOURS["unknown"])
    ramp = alt.Scale(domain=[0, 0.5, 1], range=[COLOURS["male"], "#DDDDDD", COLOURS["female"]])
    shade = alt.Color(f"{column}:Q", scale=ramp, legend=alt.Legend(title=title, format=".0%", orient="top"))
    marks = alt.Chart(inline(known)).mark_point(filled=True, size=55, opacity=1, stroke="currentColor", strokeWidth=0.6)
    return [grey.encode(x=x, y=y), marks.encode(x=x, y=y, color=shade)]


def _named(data: pl.DataFrame, x: alt.X, y: alt.Y, width: int, height: int) -> Iterator[alt.Chart]:
    """The words farthest from the diagonal, where no other word or point is in their way."""
    far = data.sort((pl.col("x") - pl.col("y")).abs(), "concept", descending=[True, False])
    far = far.unique(["x", "y"], keep="first", maintain_order=True)
    corners = [0.0, 1.0]  # the axes' ends: words are placed in pixels
    across, up = (np.array([*far[name].to_list(), *corners]) for name in ("x", "y"))
    names = [*(word if n < LABELLED else "" for n, word in enumerate(far["concept"].to_list())), "", ""]
    placed = far.with_columns(place=pl.Series(places(across, up, names, width=width, height=height)[: far.height]))
    return _texts(placed.head(LABELLED), x, y, "concept", "currentColor")
