"""Small multiples: the same question for one grouping after another, on one scale. Levels are ordered by value."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from evenhand.report.charts import basic
from evenhand.report.charts.figure import Figure
from evenhand.report.words.vocabulary import wording

ROW = 15  # pixels a system, where there are many
NAMES = 250  # pixels for the names of levels, the same in every panel
SHARES = {"share_female": "female", "share_male": "male", "share_neutral": "neutral", "share_both": "both"}
KEPT = ("value", "low", "high", "interval", "n", "n_decided")
PanelParts = Sequence[tuple[str, pl.DataFrame]]  # the panel's title, its estimates


def panel_names() -> alt.Axis:
    return alt.Axis(
        labelLimit=NAMES,
        labelExpr=basic.TWO_LINES,
        minExtent=NAMES,
        maxExtent=NAMES,
        ticks=False,
        domain=False,
        labelPadding=8,
        grid=False,
    )


def shares(parts: PanelParts, *, key: str, title: str, caption: str) -> Figure:
    """Shares of the genders by level with their intervals, the most female level first; genders differ by shape too."""
    tables = [(name, _of_shares(table)) for name, table in parts]
    seen = pl.concat([table for _, table in tables]).group_by("gender").agg(pl.col("value").max())
    drawn = [g for g in SHARES.values() if g in seen.filter(pl.col("value") > 0)["gender"].to_list()]
    legend = alt.Legend(title=None, orient="top")
    colours, shapes = (basic.scale({g: look[g] for g in drawn}) for look in (basic.COLOURS, basic.SHAPES))
    axis = basic.percent_axis("share of the decided renderings, with intervals")
    charts = []
    for name, table in tables:
        data = table.filter(pl.col("gender").is_in(drawn))
        order = data["level"].unique(maintain_order=True).to_list()
        base = alt.Chart(basic.inline(data)).encode(
            y=alt.Y("level:N", sort=order, title=None, axis=panel_names()),
            yOffset=alt.YOffset("gender:N", sort=drawn),
            color=alt.Color("gender:N", scale=colours, legend=legend),
        )
        lines = base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q", scale=alt.Scale(domain=[0, 1]), axis=axis), x2="high:Q"
        )
        points = base.mark_point(filled=True, size=60, opacity=1).encode(
            x="value:Q", shape=alt.Shape("gender:N", scale=shapes, legend=legend)
        )
        charts.append((name, basic.layered(alt.layer(lines, points)), len(order) * (10 + 9 * len(drawn))))
    return Figure(key, title, caption, _stacked(charts), _together(tables))


def _of_shares(estimates: pl.DataFrame) -> pl.DataFrame:
    """Long rows level and gender, levels by share female, highest first."""
    data = estimates.filter(pl.col("measure").is_in(list(SHARES)) & pl.col("value").is_not_null())
    data = data.with_columns(gender=pl.col("measure").replace_strict(SHARES, return_dtype=pl.String))
    first = pl.col("value").filter(pl.col("gender") == "female").first().over("level")
    ordered = data.sort(first, descending=True, nulls_last=True, maintain_order=True)
    return ordered.select("level", "gender", *KEPT)


def one_measure(parts: PanelParts, measure: str, *, key: str, title: str, caption: str) -> Figure:
    """One measure by level with intervals, the highest level first."""
    words = wording(measure)
    axis = basic.percent_axis(words.title) if words.unit in ("percent", "points") else alt.Axis(title=words.title)
    tables = [
        (name, table.filter(measure=measure).drop_nulls("value").sort("value", descending=True).select("level", *KEPT))
        for name, table in parts
    ]
    charts = [
        (name, basic.dots(data, "level", axis, names=panel_names()), 22 * data.height)
        for name, data in tables
        if data.height
    ]
    return Figure(key, title, caption, _stacked(charts), _together(tables))


def by_system(parts: PanelParts, *, key: str, title: str, caption: str, unit: str) -> Figure:
    """One measure by level, a mark for each system, the level with the highest mean first. Of more systems than marks
    can distinguish, each has a row and the levels are the marks."""
    systems = max(table["system"].n_unique() for _, table in parts)
    row, mark = ("level", "system") if systems <= basic.MARKED else ("system", "level")
    tables = [
        (
            name,
            table.drop_nulls("value")
            .sort(pl.col("value").mean().over(row), descending=True, maintain_order=True)
            .select("level", "system", *KEPT),
        )
        for name, table in parts
    ]
    charts = []
    for name, data in tables:
        chart, height = basic.by_system_layer(data, unit, names=panel_names(), row=row, mark=mark)
        charts.append((name, chart, height))
    drawn = _stacked(charts)
    if mark == "level":  # each panel has levels, and a legend, of its own
        drawn = drawn.resolve_scale(color="independent", shape="independent", yOffset="independent")
    return Figure(key, title, caption, drawn, _together(tables))


def systems_by_measure(parts: PanelParts, *, key: str, title: str, caption: str, unit: str) -> Figure:
    """One panel per measure with a row for each system (`system`), the highest value first."""
    tables = [
        (name, table.drop_nulls("value").sort("value", descending=True).select("system", *KEPT))
        for name, table in parts
    ]
    row = ROW * basic.lines_of([system for _, data in tables for system in data["system"]])
    axis = basic.percent_axis("") if unit in ("percent", "points") else alt.Axis(title=None)
    charts = [
        (name, basic.dots(data, "system", axis, names=panel_names(), colour=basic.PLAIN), row * data.height)
        for name, data in tables
    ]
    return Figure(key, title, caption, _stacked(charts), _together(tables))


def _stacked(charts: Sequence[tuple[str, alt.LayerChart, int]]) -> alt.VConcatChart:
    """One under another; a title over each where there are several."""
    panels = [
        chart.properties(
            width=basic.WIDTH,
            height=max(height, 20),
            **({"title": alt.Title(name, anchor="start", fontSize=13)} if len(charts) > 1 else {}),
        )
        for name, chart, height in charts
    ]
    return alt.vconcat(*panels, spacing=18)


def _together(tables: PanelParts) -> pl.DataFrame:
    named = [table.select(pl.lit(name).alias("by"), pl.all()) for name, table in tables]
    return pl.concat(named) if len(tables) > 1 else tables[0][1]
