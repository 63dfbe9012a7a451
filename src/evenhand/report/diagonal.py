"""Two shares of the same words against each other, with the diagonal on which they agree."""

from __future__ import annotations

import altair as alt
import numpy as np
import polars as pl

from evenhand.report.charts import COLOURS, WIDTH, Figure, inline, layered
from evenhand.report.scatter import MARGIN, OFFSETS, places

LABELLED = 24
HEIGHT = int(WIDTH * 0.85)
TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]


def against_diagonal(
    data: pl.DataFrame,
    titles: tuple[str, str],
    *,
    key: str,
    title: str,
    caption: str,
    colour: tuple[str, str] | None = None,
) -> Figure:
    """Words (`concept`) at x and y, with the interval of y (`low`, `high`); those farthest from the diagonal are named
    where there is room.

    `colour` is a further column and its title: a share that colours the points; where it is null a point is grey.
    """
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
        *_named(data, x, y),
    ]
    chart = layered(alt.layer(*layers, width=WIDTH, height=HEIGHT))
    told = f"{caption} Words far from the line are named where there is room; the table has all."
    return Figure(key, title, told, chart, data)


def _points(data: pl.DataFrame, x: alt.X, y: alt.Y, colour: tuple[str, str] | None) -> list[alt.Chart]:
    if colour is None:
        plain = alt.Chart(inline(data)).mark_point(filled=True, size=55, opacity=0.8, color=COLOURS["male"])
        return [plain.encode(x=x, y=y)]
    column, title = colour
    known = data.filter(pl.col(column).is_not_null())
    rest = alt.Chart(inline(data.filter(pl.col(column).is_null())))
    grey = rest.mark_point(filled=True, size=55, opacity=0.9, color=COLOURS["unknown"])
    ramp = alt.Scale(domain=[0, 0.5, 1], range=[COLOURS["male"], "#DDDDDD", COLOURS["female"]])
    shade = alt.Color(f"{column}:Q", scale=ramp, legend=alt.Legend(title=title, format=".0%", orient="top"))
    marks = alt.Chart(inline(known)).mark_point(filled=True, size=55, opacity=1, stroke="currentColor", strokeWidth=0.6)
    return [grey.encode(x=x, y=y), marks.encode(x=x, y=y, color=shade)]


def _named(data: pl.DataFrame, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """The words farthest from the diagonal, where no other word or point is in their way."""
    far = data.sort((pl.col("x") - pl.col("y")).abs(), "concept", descending=[True, False])
    far = far.unique(["x", "y"], keep="first", maintain_order=True)
    corners = [0.0, 1.0]  # the axes' ends: words are placed in pixels
    across, up = (np.array([*far[name].to_list(), *corners]) for name in ("x", "y"))
    names = [*(word if n < LABELLED else "" for n, word in enumerate(far["concept"].to_list())), "", ""]
    placed = far.with_columns(place=pl.Series(places(across, up, names, width=WIDTH, height=HEIGHT)[: far.height]))
    layers = []
    for place, (align, dx, dy) in OFFSETS.items():
        some = placed.head(LABELLED).filter(pl.col("place") == place)
        if some.height:
            text = alt.Chart(inline(some)).mark_text(align=align, dx=dx, dy=dy, fontSize=10, color="currentColor")
            layers.append(text.encode(x=x, y=y, text="concept:N"))
    return layers
