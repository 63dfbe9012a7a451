"""The charts of a report, made by Altair. Each carries its data, so that the page can show it as a table too.

Genders differ by colour (Okabe and Ito's set, safe for colour-blind readers), by shape and by letter. Text and axes
are drawn in `currentColor`: the page decides whether it is dark or light.
"""

from collections.abc import Sequence

import altair as alt
import polars as pl

from evenhand.gender import GENDERS, LOOKS
from evenhand.report.charts.drawing import LINE, WIDE, wrap_label, wrapped
from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.pages.marks import LETTERS
from evenhand.report.words.vocabulary import wording

COLOURS = {gender.value: look.colour for gender, look in LOOKS.items()}
INKS = {gender.value: look.ink for gender, look in LOOKS.items()}
SHAPES = {gender.value: look.shape for gender, look in LOOKS.items()}
SHARES = {f"share_{gender}": gender for gender in ("female", "male", "neutral", "both")}
WIDEST, NAMES = 240, 250  # pixels of the names beside a chart; the same in every panel of a figure
#: None of them is a gender's. There is one shape fewer, so that only every 56th mark looks like another.
SYSTEM_COLOURS = ("#332288", "#8A6D00", "#882255", "#117733", "#7B3FA0", "#6B4423", "#5A5A5A", "#00736B")
SYSTEM_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left")
MARKED = 8  # systems that marks can distinguish; more of them have a row with their name each
PLAIN = SYSTEM_COLOURS[0]  # a value that is of no gender
SHOWN = 60  # occupations drawn; more are in the table
LABELLED = 0.05  # a narrower part of a bar has no letter in it
KEPT = ("level", "system", "gender", "value", "low", "high", "p_adjusted", "interval", "n", "n_decided")
TOP = alt.Legend(title=None, orient="top")
PanelParts = Sequence[tuple[str, pl.DataFrame]]  # the panel's title, its estimates


def scale(values: dict[str, str]) -> alt.Scale:
    return alt.Scale(domain=list(values), range=list(values.values()))


def percent_axis(title: str) -> alt.Axis:
    return alt.Axis(format=".0%", title=title, grid=True, tickCount=6)


def axis_of(unit: str, title: str | None) -> alt.Axis:
    """The axis of a measure's unit."""
    return percent_axis(title or "") if unit in ("percent", "points") else alt.Axis(title=title)


def inline(table: pl.DataFrame) -> alt.InlineData:
    return alt.InlineData(values=table.to_dicts())


def names_axis(*, aligned: bool = False) -> alt.Axis:
    """The names of the rows; `aligned` where plots below each other shall begin at the same place."""
    return alt.Axis(
        labelLimit=NAMES if aligned else WIDEST,
        labelExpr=wrap_label(LINE),
        minExtent=NAMES if aligned else alt.Undefined,
        maxExtent=NAMES if aligned else alt.Undefined,
        grid=False if aligned else alt.Undefined,
        ticks=False,
        domain=False,
        labelPadding=8,
    )


def sized(chart: alt.LayerChart | alt.FacetChart, names: Sequence[str], step: int) -> alt.LayerChart:
    """A chart whose rows are `step` pixels high, or as high as the lines of the longest name."""
    lines = max((len(wrapped(name, LINE)) for name in names), default=1)
    return layered(chart).properties(width=WIDE, height=alt.Step(max(step, 15 * lines), **{"for": "position"}))


def layered(chart: alt.LayerChart | alt.FacetChart) -> alt.LayerChart:
    """What `alt.layer` made, as what it is: Altair types it wider."""
    if not isinstance(chart, alt.LayerChart):
        raise TypeError("a layered chart was expected")
    return chart


def stacked(counted: pl.DataFrame, level: str, heading: Heading) -> Figure:
    """Bars of 100 % of the renderings, one per level, with a letter in every part wide enough."""
    order = counted[level].to_list()
    rank, letter = pl.col("gender").cast(pl.Enum(GENDERS)), pl.col("gender").replace_strict(LETTERS)
    long = counted.unpivot(on=GENDERS, index=[level, "n"], variable_name="gender", value_name="count")
    data = long.filter(pl.col("count") > 0).sort(rank, maintain_order=True)
    data = data.with_columns(share=pl.col("count") / pl.col("n")).with_columns(
        end=pl.col("share").cum_sum().over(level),
        text=pl.format("{} {}%", letter, (pl.col("share") * 100).round(0).cast(pl.Int64)),
    )
    data = data.with_columns(start=pl.col("end") - pl.col("share"), middle=pl.col("end") - pl.col("share") / 2)
    base = alt.Chart(inline(data)).encode(y=alt.Y(f"{level}:N", sort=order, title=None, axis=names_axis()))
    bars = base.mark_bar(stroke="white", strokeWidth=1).encode(
        x=alt.X("start:Q", scale=alt.Scale(domain=[0, 1]), axis=percent_axis("share of all renderings")),
        x2="end:Q",
        color=alt.Color("gender:N", scale=scale(COLOURS), legend=TOP),
    )
    text = base.transform_filter(f"datum.share >= {LABELLED}").mark_text(fontSize=11, fontWeight="bold")
    labels = text.encode(
        x="middle:Q",
        text=alt.Text("text:N"),
        color=alt.Color("gender:N", scale=scale(INKS), legend=None),
    )
    chart = alt.layer(bars, labels).resolve_scale(color="independent")
    return Figure(*heading, sized(chart, order, 30), counted.select(level, *GENDERS, "n", "decided"))


def amounts(data: pl.DataFrame, heading: Heading, *, log: bool = True) -> Figure:
    """Counts (`level`, `count`) as bars, on a logarithmic scale or not, with their numbers; a count of 0 has no bar."""
    shown = data.with_columns(
        bar=pl.col("count").clip(int(log)), text=pl.col("count").map_elements("{:,}".format, pl.String)
    )
    order = data["level"].to_list()
    base = alt.Chart(inline(shown)).encode(y=alt.Y("level:N", sort=order, title=None, axis=names_axis()))
    axis = alt.Axis(format="~s", title=None, tickCount=6)
    bars = base.mark_bar(color=COLOURS["unknown"]).encode(
        x=alt.X("bar:Q", scale=alt.Scale(type="log" if log else "linear"), axis=axis), x2=alt.datum(int(log))
    )
    numbers = base.mark_text(align="left", dx=4, color="currentColor").encode(x="bar:Q", text="text:N")
    return Figure(*heading, sized(alt.layer(bars, numbers), order, 20), data)


def intervals(
    data: pl.DataFrame,
    axis: alt.Axis,
    *,
    row: str = "level",
    mark: str = "",
    span: tuple[float, float] | None = (0, 1),
    step: int = 22,
    colour: str = PLAIN,
    aligned: bool = False,
) -> alt.LayerChart:
    """Values with their intervals, one row per `row` in the data's own order; with `mark`, a row has one mark for each
    of its values (genders look as in every chart, others differ by colour and shape)."""
    names = data[row].unique(maintain_order=True).to_list()
    x = alt.X("low:Q", scale=alt.Scale(domain=list(span)) if span and _inside(data, span) else alt.Scale(), axis=axis)
    y = alt.Y(f"{row}:N", sort=names, title=None, axis=names_axis(aligned=aligned))
    base = alt.Chart(inline(data)).encode(y=y)
    if not mark:
        lines = base.mark_rule(strokeWidth=2, color=colour).encode(x=x, x2="high:Q")
        points = base.mark_point(filled=True, size=55, color=colour, opacity=1).encode(x="value:Q")
        return sized(alt.layer(lines, points), names, step)
    marks = [g for g in GENDERS if g in data[mark]] or sorted(data[mark].unique())
    ours = set(marks) <= set(COLOURS)
    colours = scale({one: COLOURS[one] if ours else SYSTEM_COLOURS[i % 8] for i, one in enumerate(marks)})
    shapes = scale({one: SHAPES[one] if ours else SYSTEM_SHAPES[i % 7] for i, one in enumerate(marks)})
    widest = max(map(len, marks), default=1)
    legend = alt.Legend(title=None, orient="top", labelLimit=420, columns=max(1, min(4, 120 // (widest + 4))))
    base = base.encode(
        yOffset=alt.YOffset(f"{mark}:N", sort=marks), color=alt.Color(f"{mark}:N", scale=colours, legend=legend)
    )
    lines = base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q")
    points = base.mark_point(filled=True, size=62, opacity=1).encode(
        x="value:Q", shape=alt.Shape(f"{mark}:N", scale=shapes, legend=legend)
    )
    return sized(alt.layer(lines, points), names, 12 + 11 * len(marks))


def _inside(data: pl.DataFrame, span: tuple[float, float]) -> bool:
    ends = data.select(pl.min_horizontal("low", "value").min(), pl.max_horizontal("high", "value").max()).row(0)
    return (ends[0] is None or ends[0] >= span[0]) and (ends[1] is None or ends[1] <= span[1])


def panels(
    parts: PanelParts, axis: alt.Axis, heading: Heading, *, row: str = "level", mark: str = "", step: int = 22
) -> Figure:
    """The same question for one part after another, on one scale; a title over each where there are several."""
    tables = [(name, table.select(c for c in KEPT if c in table.columns)) for name, table in parts if table.height]
    several = len(tables) > 1
    charts = [intervals(table, axis, row=row, mark=mark, step=step, aligned=several) for _, table in tables]
    if not several:
        return Figure(*heading, charts[0], tables[0][1])
    titled = [
        chart.properties(title=alt.Title(name, anchor="start", fontSize=13))
        for (name, _), chart in zip(tables, charts, strict=True)
    ]
    drawn = alt.vconcat(*titled, spacing=18)
    if mark == "level":  # each panel has its own levels and legend
        drawn = drawn.resolve_scale(color="independent", shape="independent", yOffset="independent")
    together = pl.concat([table.select(pl.lit(name).alias("by"), pl.all()) for name, table in tables])
    return Figure(*heading, drawn, together)


def shares(parts: PanelParts, heading: Heading) -> Figure:
    """Shares of the genders by level with their intervals, the most female level first; genders differ by shape too."""
    rows = pl.concat([table for _, table in parts]).filter(
        pl.col("measure").is_in(list(SHARES)) & (pl.col("value") > 0)
    )
    tables = [(name, _of_shares(table, rows["measure"].unique().to_list())) for name, table in parts]
    return panels(tables, percent_axis("share of the decided renderings, with intervals"), heading, mark="gender")


def _of_shares(estimates: pl.DataFrame, measures: Sequence[str]) -> pl.DataFrame:
    """Long rows level and gender, levels by share female, highest first."""
    data = estimates.filter(pl.col("measure").is_in(measures) & pl.col("value").is_not_null())
    data = data.with_columns(gender=pl.col("measure").replace_strict(SHARES, return_dtype=pl.String))
    first = pl.col("value").filter(pl.col("gender") == "female").first().over("level")
    return data.sort(first, descending=True, nulls_last=True, maintain_order=True)


def one_measure(parts: PanelParts, measure: str, heading: Heading, *, ordered: bool = True) -> Figure:
    """One measure by level with intervals, the highest level first or in the data's own order."""
    tables = [(name, table.filter(measure=measure).drop_nulls("value")) for name, table in parts]
    if ordered:
        tables = [(name, table.sort("value", descending=True, maintain_order=True)) for name, table in tables]
    return panels(tables, axis_of(wording(measure).unit, wording(measure).title), heading)


def by_system(parts: PanelParts, unit: str, heading: Heading, *, ordered: bool = False) -> Figure:
    """One measure by level, a mark for each system, the level with the highest mean first or in the data's own order.
    Of more systems than marks can distinguish, each has a row and the levels are the marks."""
    systems = max(table["system"].n_unique() for _, table in parts)
    row, mark = ("level", "system") if systems <= MARKED else ("system", "level")
    tables = [(name, table.drop_nulls("value")) for name, table in parts]
    if ordered:
        mean = pl.col("value").mean().over(row)
        tables = [(name, table.sort(mean, descending=True, maintain_order=True)) for name, table in tables]
    return panels(tables, axis_of(unit, None), heading, row=row, mark=mark)


def systems_by_measure(parts: PanelParts, unit: str, heading: Heading) -> Figure:
    """One panel per measure with a row for each system (`system`), the highest value first."""
    tables = [(name, table.drop_nulls("value").sort("value", descending=True).drop("level")) for name, table in parts]
    return panels(tables, axis_of(unit, None), heading, row="system", step=15)


def words(
    counted: pl.DataFrame,
    column: str,
    caption: str,
    *,
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
    values = drawn.rename({"share_female": "value"})
    chart = intervals(values, axis, row=column, step=15, colour=COLOURS["female"])
    if reference:
        marks = alt.Chart(inline(drawn.filter(pl.col("reference").is_not_null()))).mark_point(
            shape="diamond", size=70, color=PLAIN, filled=False, strokeWidth=2, opacity=1
        )
        chart = chart + marks.encode(y=alt.Y(f"{column}:N", sort=drawn[column].to_list()), x="reference:Q")
    if cut:
        caption += (
            f" The chart has the {SHOWN // 2} highest and the {SHOWN // 2} lowest of {data.height}; the table has all."
        )
    extra = ["reference"] if reference else []
    table = data.select(column, "share_female", "low", "high", *GENDERS, "n", *extra)
    return Figure(key, title, caption, chart, table)


def effects(
    data: pl.DataFrame,
    column: str,
    heading: Heading,
    *,
    axis: alt.Axis | None = None,
    colour: str = COLOURS["female"],
    ordered: bool = True,
) -> Figure:
    """Differences (in share female, where no axis says otherwise) with their intervals around zero, largest first."""
    data = data.sort("value", descending=True) if ordered else data
    axis = axis or alt.Axis(format="+.1%", title="difference in share female")
    chart = intervals(data, axis, row=column, span=None, step=18, colour=colour)
    return Figure(*heading, layered(dashed("x") + chart), data)


def dashed(field: str) -> alt.Chart:
    """A dashed line at zero of a horizontal axis, which is not drawn from the data."""
    line = alt.Chart(alt.InlineData(values=[{field: 0}])).mark_rule(strokeDash=[4, 3], color="currentColor")
    drawn: alt.Chart = line.encode(x=f"{field}:Q")
    return drawn
