"""The charts of a report, made by Altair. Each carries its data, so that the page can show it as a table too.

Genders differ by colour (Okabe and Ito's set, safe for colour-blind readers), by shape and by letter. Text and axes
are drawn in `currentColor`: the page decides whether it is dark or light.
"""

from collections.abc import Sequence

import altair as alt
import polars as pl

from evenhand.gender import GENDERS, LOOKS
from evenhand.report.charts.drawing import LINE, WIDE, split_name
from evenhand.report.charts.figure import Figure
from evenhand.report.composition import long
from evenhand.report.pages.marks import LETTERS
from evenhand.report.words.vocabulary import wording

COLOURS = {gender.value: look.colour for gender, look in LOOKS.items()}
INKS = {gender.value: look.ink for gender, look in LOOKS.items()}
SHAPES = {gender.value: look.shape for gender, look in LOOKS.items()}
WIDTH, WIDEST = WIDE, 240  # pixels of a chart, and of the names beside it
TWO_LINES = split_name(LINE, 2)  # a system's name may have sixty letters
#: None of them is a gender's.
SYSTEM_COLOURS = ("#332288", "#8A6D00", "#882255", "#117733", "#7B3FA0", "#6B4423", "#5A5A5A", "#00736B")
PLAIN = SYSTEM_COLOURS[0]  # a value that is of no gender
SHOWN = 60  # occupations drawn; more are in the table
LABELLED = 0.05  # a narrower part of a bar has no letter in it


def scale(values: dict[str, str]) -> alt.Scale:
    return alt.Scale(domain=list(values), range=list(values.values()))


def percent_axis(title: str) -> alt.Axis:
    return alt.Axis(format=".0%", title=title, grid=True, tickCount=6)


def inline(table: pl.DataFrame) -> alt.InlineData:
    return alt.InlineData(values=table.to_dicts())


def stacked(counted: pl.DataFrame, level: str, *, key: str, title: str, caption: str) -> Figure:
    """Bars of 100 % of the renderings, one a level, with a letter in every part wide enough."""
    order = counted[level].to_list()
    data = long(counted, level).with_columns(
        letter=pl.col("gender").replace_strict(LETTERS),
        rank=pl.col("gender").replace_strict({g: i for i, g in enumerate(GENDERS)}, return_dtype=pl.Int64),
    )
    data = data.sort("rank", maintain_order=True).with_columns(
        end=pl.col("share").cum_sum().over(level),
        text=pl.format("{} {}%", "letter", (pl.col("share") * 100).round(0).cast(pl.Int64)),
    )
    data = data.with_columns(start=pl.col("end") - pl.col("share"), middle=pl.col("end") - pl.col("share") / 2)
    y = alt.Y(f"{level}:N", sort=order, title=None, axis=names_axis())
    base = alt.Chart(inline(data)).encode(y=y)
    bars = base.mark_bar(stroke="white", strokeWidth=1).encode(
        x=alt.X("start:Q", scale=alt.Scale(domain=[0, 1]), axis=percent_axis("share of all renderings")),
        x2="end:Q",
        color=alt.Color("gender:N", scale=scale(COLOURS), legend=alt.Legend(title=None, orient="top")),
    )
    text = base.transform_filter(f"datum.share >= {LABELLED}").mark_text(fontSize=11, fontWeight="bold")
    labels = text.encode(
        x="middle:Q",
        text=alt.Text("text:N"),
        color=alt.Color("gender:N", scale=scale(INKS), legend=None),
    )
    chart = alt.layer(bars, labels).resolve_scale(color="independent")
    columns = [level, *GENDERS, "n", "decided"]
    return Figure(key, title, caption, sized(chart, len(order), 15 + 15 * lines_of(order)), counted.select(columns))


def one_measure(estimates: pl.DataFrame, measure: str, *, key: str, title: str, caption: str) -> Figure:
    """One measure by level with intervals, largest first."""
    words = wording(measure)
    data = estimates.filter((pl.col("measure") == measure) & pl.col("value").is_not_null())
    data = data.select("level", "value", "low", "high", "interval", "n", "n_decided")
    axis = percent_axis(words.title) if words.unit in ("percent", "points") else alt.Axis(title=words.title)
    return Figure(key, title, caption, dots(data, "level", axis), data)


def amounts(data: pl.DataFrame, *, key: str, title: str, caption: str, log: bool = True) -> Figure:
    """Counts (`level`, `count`) as bars, on a logarithmic scale or not, with their numbers; a count of 0 has no bar."""
    shown = data.with_columns(
        bar=pl.col("count").clip(int(log)), text=pl.col("count").map_elements("{:,}".format, pl.String)
    )
    base = alt.Chart(inline(shown)).encode(
        y=alt.Y("level:N", sort=data["level"].to_list(), title=None, axis=names_axis())
    )
    axis = alt.Axis(format="~s", title=None, tickCount=6)
    bars = base.mark_bar(color=COLOURS["unknown"]).encode(
        x=alt.X("bar:Q", scale=alt.Scale(type="log" if log else "linear"), axis=axis), x2=alt.datum(int(log))
    )
    numbers = base.mark_text(align="left", dx=4, color="currentColor").encode(x="bar:Q", text="text:N")
    return Figure(key, title, caption, sized(alt.layer(bars, numbers), data.height, 20), data)


#: One fewer than colours, so that only every 56th mark has the colour and the shape of another.
SYSTEM_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left")
MARKED = 8  # systems that marks can distinguish; more of them have a row with their name each


def by_system(estimates: pl.DataFrame, *, key: str, title: str, caption: str, unit: str) -> Figure:
    """One measure by level, a mark for each system; systems differ by colour and shape."""
    data = estimates.filter(pl.col("value").is_not_null())
    data = data.select("level", "system", "value", "low", "high", "interval", "n", "n_decided")
    chart, height = by_system_layer(data, unit)
    return Figure(key, title, caption, chart.properties(width=WIDTH, height=height), data)


def by_system_layer(
    data: pl.DataFrame, unit: str, *, names: alt.Axis | None = None, row: str = "level", mark: str = "system"
) -> tuple[alt.LayerChart, int]:
    """Rows in the data's own order with a mark for each of `mark`, and how high they want to be."""
    order, marks = (data[c].unique(maintain_order=True).to_list() for c in (row, mark))
    marks = sorted(marks)
    if set(marks) <= set(COLOURS):  # genders look the same in every chart
        colours, shapes = (scale({one: looks[one] for one in marks}) for looks in (COLOURS, SHAPES))
    else:
        colours = alt.Scale(domain=marks, range=_cycled(SYSTEM_COLOURS, len(marks)))
        shapes = alt.Scale(domain=marks, range=_cycled(SYSTEM_SHAPES, len(marks)))
    longest = max(map(len, marks), default=1)
    legend = alt.Legend(title=None, orient="top", labelLimit=420, columns=max(1, min(4, 120 // (longest + 4))))
    base = alt.Chart(inline(data)).encode(
        y=alt.Y(f"{row}:N", sort=order, title=None, axis=names or names_axis()),
        yOffset=alt.YOffset(f"{mark}:N", sort=marks),
        color=alt.Color(f"{mark}:N", scale=colours, legend=legend),
    )
    span = alt.Scale(domain=[0, 1]) if _inside(data, (0, 1)) else alt.Scale()
    axis = percent_axis("") if unit in ("percent", "points") else alt.Axis(title=None)
    lines = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", scale=span, axis=axis), x2="high:Q")
    points = base.mark_point(filled=True, size=65, opacity=1).encode(
        x="value:Q", shape=alt.Shape(f"{mark}:N", scale=shapes, legend=legend)
    )
    return layered(alt.layer(lines, points)), len(order) * (14 + 12 * len(marks))


def _cycled(values: tuple[str, ...], count: int) -> list[str]:
    return [values[i % len(values)] for i in range(count)]


def words(
    counted: pl.DataFrame,
    column: str,
    *,
    caption: str,
    reference: str | None = None,
    key: str = "occupations",
    title: str = "Occupations by share female",
) -> Figure:
    """Every occupation's (adjective's, verb's) share female with its interval, ordered; a diamond marks the reference's
    share."""
    data = counted.filter(pl.col("decided") > 0).sort(["share_female", column], descending=[True, False])
    cut = data.height > SHOWN
    drawn = pl.concat([data.head(SHOWN // 2), data.tail(SHOWN // 2)]) if cut else data
    axis = percent_axis("share female among the decided renderings")
    chart = dots(drawn.rename({"share_female": "value"}), column, axis, row=15, colour=COLOURS["female"])
    if reference:
        marks = alt.Chart(inline(drawn.filter(pl.col("reference").is_not_null()))).mark_point(
            shape="diamond", size=70, color=PLAIN, filled=False, strokeWidth=2, opacity=1
        )
        chart = chart + marks.encode(y=alt.Y(f"{column}:N", sort=drawn[column].to_list()), x="reference:Q")
    if cut:
        caption += (
            f" Drawn are the {SHOWN // 2} highest and the {SHOWN // 2} lowest of {data.height}; the table has all."
        )
    extra = ["reference"] if reference else []
    table = data.select(column, "share_female", "low", "high", *GENDERS, "n", *extra)
    return Figure(key, title, caption, chart, table)


def effects(
    data: pl.DataFrame,
    column: str,
    *,
    key: str,
    title: str,
    caption: str,
    axis: alt.Axis | None = None,
    colour: str = COLOURS["female"],
    ordered: bool = True,
) -> Figure:
    """Differences (in share female, where no axis says otherwise) with their intervals around zero, largest first."""
    data = data.sort("value", descending=True) if ordered else data
    axis = axis or alt.Axis(format="+.1%", title="difference in share female")
    chart = dots(data, column, axis, span=None, row=18, colour=colour)
    zero = (
        alt.Chart(alt.InlineData(values=[{"x": 0}])).mark_rule(strokeDash=[4, 3], color="currentColor").encode(x="x:Q")
    )
    return Figure(key, title, caption, zero + chart, data)


def dots(
    data: pl.DataFrame,
    level: str,
    axis: alt.Axis,
    *,
    span: tuple[float, float] | None = (0, 1),
    row: int = 22,
    colour: str = PLAIN,
    names: alt.Axis | None = None,
) -> alt.LayerChart:
    """Values with their intervals, one row per level, in the data's own order."""
    order = data[level].to_list()
    inside = span is not None and _inside(data, span)
    scale = alt.Scale(domain=list(span)) if span is not None and inside else alt.Scale()
    base = alt.Chart(inline(data)).encode(y=alt.Y(f"{level}:N", sort=order, title=None, axis=names or names_axis()))
    lines = base.mark_rule(strokeWidth=2, color=colour).encode(x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q")
    points = base.mark_point(filled=True, size=55, color=colour, opacity=1).encode(x="value:Q")
    return sized(alt.layer(lines, points), len(order), max(row, 14 * lines_of(order)))


def _inside(data: pl.DataFrame, span: tuple[float, float]) -> bool:
    ends = data.select(pl.min_horizontal("low", "value").min(), pl.max_horizontal("high", "value").max()).row(0)
    return (ends[0] is None or ends[0] >= span[0]) and (ends[1] is None or ends[1] <= span[1])


def names_axis() -> alt.Axis:
    return alt.Axis(labelLimit=WIDEST, labelExpr=TWO_LINES, ticks=False, domain=False, labelPadding=8)


def lines_of(names: Sequence[str]) -> int:
    """How many lines the longest name of an axis takes."""
    return 2 if max(map(len, names), default=0) > LINE else 1


def layered(chart: alt.LayerChart | alt.FacetChart) -> alt.LayerChart:
    """What `alt.layer` made, as what it is: Altair types it wider."""
    if not isinstance(chart, alt.LayerChart):
        raise TypeError("a layered chart was expected")
    return chart


def sized(chart: alt.LayerChart | alt.FacetChart, rows: int, step: int) -> alt.LayerChart:
    return layered(chart).properties(width=WIDTH, height=max(rows, 1) * step)
