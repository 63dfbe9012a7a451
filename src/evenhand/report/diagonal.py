"""Two shares of the same words against each other, with the diagonal on which they agree."""

from __future__ import annotations

import altair as alt
import polars as pl

from evenhand.report.charts import COLOURS, WIDTH, Figure, inline, sized

LABELLED = 16


def against_diagonal(
    data: pl.DataFrame,
    titles: tuple[str, str],
    *,
    key: str,
    title: str,
    caption: str,
    colour: tuple[str, str] | None = None,
) -> Figure:
    """Words (`concept`) at x and y, with the interval of y (`low`, `high`); those farthest from the diagonal are named.

    `colour` is a further column and its title: a share that colours the points; where it is null a point is grey.
    """
    gap = (pl.col("x") - pl.col("y")).abs()
    far = data.sort(gap, "concept", descending=[True, False]).unique(["x", "y"], keep="first", maintain_order=True)
    scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(format=".0%")
    base = alt.Chart(inline(data)).encode(x=alt.X("x:Q", scale=scale, axis=axis, title=titles[0]))
    lines = base.mark_rule(opacity=0.35, color="currentColor").encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")
    points = base.mark_point(filled=True, size=60, opacity=0.85, color=COLOURS["male"]).encode(
        y=alt.Y("y:Q", scale=scale, axis=axis, title=titles[1])
    )
    if colour is not None:
        ramp = alt.Scale(domain=[0, 0.5, 1], range=[COLOURS["male"], "#DDDDDD", COLOURS["female"]])
        shade = alt.Color(f"{colour[0]}:Q", scale=ramp, legend=alt.Legend(title=colour[1], format=".0%", orient="top"))
        unknown = alt.condition(f"isValid(datum['{colour[0]}'])", shade, alt.value(COLOURS["unknown"]))
        points = points.encode(color=unknown, stroke=alt.value("currentColor"), strokeWidth=alt.value(0.6))
    words = alt.Chart(inline(far.head(LABELLED))).mark_text(align="left", dx=7, fontSize=11, color="currentColor")
    named = words.encode(x="x:Q", y="y:Q", text="concept:N")
    ends = alt.InlineData(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    diagonal = alt.Chart(ends).mark_line(strokeDash=[4, 3], color="currentColor").encode(x="x:Q", y="y:Q")
    chart = sized(alt.layer(diagonal, lines, points, named), 1, int(WIDTH * 0.85))
    return Figure(key, title, f"{caption} The words farthest from the line are named.", chart, data)
