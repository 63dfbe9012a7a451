"""Charts against outside statistics: people and translation side by side, sector means of B, two references."""

from __future__ import annotations

import altair as alt
import polars as pl

from evenhand.level import interval_words
from evenhand.report.charts.basic import COLOURS, SHAPES, WIDTH, Figure, inline, names_axis, sized
from evenhand.report.words.vocabulary import labelled
from evenhand.results.runs import Run

FARTHEST = 30
LABELLED = 14
DOMINATED = {"B_female_dominated": "female", "B_male_dominated": "male"}


def reference_figures(run: Run) -> list[Figure]:
    """Charts for every reference the run was compared with; none where there is none."""
    if run.occupations is None:
        return []
    made = []
    names = run.occupations["reference"].unique(maintain_order=True).to_list()
    for name in names:
        rows = run.occupations.filter(pl.col("reference") == name)
        made += [*_distance(rows, name), *_sectors(run, name)]
    if len(names) > 1:
        made += _two_references(run.occupations, names[0], names[1])
    return made


def _sectors(run: Run, reference: str) -> list[Figure]:
    rows = run.estimates.filter(
        (pl.col("reference") == reference)
        & (pl.col("group") == "sector")
        & pl.col("measure").is_in(list(DOMINATED))
        & pl.col("value").is_not_null()
        & ~pl.col("level").str.contains(" - ", literal=True)
    ).with_columns(dominated=pl.col("measure").replace_strict(DOMINATED))
    if rows["level"].n_unique() < 2:
        return []
    data = labelled(rows).select("level", "dominated", "value", "low", "high", "n")
    order = data.group_by("level").agg(pl.col("value").max()).sort("value", descending=True)["level"].to_list()
    genders = list(DOMINATED.values())
    legend = alt.Legend(
        title="occupations held mostly by", orient="top", labelExpr="{female: 'women', male: 'men'}[datum.label]"
    )
    base = alt.Chart(inline(data)).encode(
        y=alt.Y("level:N", sort=order, title=None, axis=names_axis()),
        yOffset=alt.YOffset("dominated:N", sort=genders),
        color=alt.Color(
            "dominated:N", scale=alt.Scale(domain=genders, range=[COLOURS[g] for g in genders]), legend=legend
        ),
    )
    lines = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title="weighted mean of B"), x2="high:Q")
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x="value:Q",
        shape=alt.Shape(
            "dominated:N", scale=alt.Scale(domain=genders, range=[SHAPES[g] for g in genders]), legend=legend
        ),
    )
    caption = (
        f"B against {reference}: 0 is the translator that always picks the majority. Means are weighted by the women "
        "of female-dominated and the men of male-dominated occupations and are not mixed. Lines are "
        f"{interval_words(run.manifest.level)}s."
    )
    chart = sized(alt.layer(lines, points), len(order), 40)
    return [
        Figure(
            f"sectors-{reference}", f"Distance from an optimal translator by sector ({reference})", caption, chart, data
        )
    ]


def _distance(rows: pl.DataFrame, reference: str) -> list[Figure]:
    """Who is in the job, and who is in the translation: two marks an occupation and the way between them."""
    column = "english" if "english" in rows.columns else rows.columns[0]
    known = rows.filter(pl.col("share_women").is_not_null() & pl.col("rendered_female").is_not_null())
    known = known.with_columns(distance=pl.col("rendered_female") - pl.col("share_women"))
    if known.height < 2:
        return []
    farthest = known.sort(pl.col("distance").abs(), descending=True, maintain_order=True)
    data = farthest.head(FARTHEST).sort("share_women", descending=True, maintain_order=True)
    order = data[column].to_list()
    y = alt.Y(f"{column}:N", sort=order, title=None, axis=names_axis())
    axis = alt.Axis(format=".0%", title="share of women", tickCount=6)
    base = alt.Chart(inline(data.select(column, "share_women", "rendered_female", "distance"))).encode(y=y)
    way = base.mark_rule(strokeWidth=1.5, opacity=0.5, color="currentColor").encode(
        x=alt.X("share_women:Q", scale=alt.Scale(domain=[0, 1]), axis=axis), x2="rendered_female:Q"
    )
    marks = ["people in the job", "she in the translation"]
    legend = alt.Legend(title=None, orient="top")
    colours = alt.Scale(domain=marks, range=[COLOURS["male"], COLOURS["female"]])
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
        f"Each line is one occupation: a diamond where the people are (share of women in {reference}), a circle where "
        f"the translation is (share of she among its she and he). The {data.height} of {known.height} occupations that "
        "lie farthest apart, those with the most women first. A long line to the left: women in the job are "
        "rendered as men."
    )
    title = f"People in the job and in the translation ({reference})"
    table = farthest.select(
        column, "share_women", "rendered_female", "distance", "E_t", "E_o", "B", "female", "male", "neutral"
    )
    return [Figure(f"distance-{reference}", title, caption, sized(alt.layer(way, points), data.height, 17), table)]


def _two_references(occupations: pl.DataFrame, first: str, second: str) -> list[Figure]:
    """Share of women in one reference against the other: what is perceived against what is, where one is a survey."""
    key = "concept" if "concept" in occupations.columns else occupations.columns[0]
    name = "english" if "english" in occupations.columns else key
    real = occupations.filter(pl.col("reference") == first).select(key, pl.col(name).alias("label"), x="share_women")
    other = occupations.filter(pl.col("reference") == second).select(key, y="share_women")
    data = real.join(other, on=key).drop_nulls().with_columns(gap=(pl.col("x") - pl.col("y")).abs())
    if data.height < 3:
        return []
    outliers = data.sort("gap", descending=True).unique(["x", "y"], keep="first", maintain_order=True).head(LABELLED)
    axis = alt.Axis(format=".0%")
    scale = alt.Scale(domain=[0, 1])
    points = alt.Chart(inline(data)).mark_point(filled=True, size=35, opacity=0.6, color=COLOURS["male"])
    drawn = points.encode(
        x=alt.X("x:Q", scale=scale, axis=axis, title=f"share of women, {first}"),
        y=alt.Y("y:Q", scale=scale, axis=axis, title=f"share of women, {second}"),
    )
    words = alt.Chart(inline(outliers)).mark_text(align="left", dx=6, fontSize=11, color="currentColor")
    named = words.encode(x="x:Q", y="y:Q", text="label:N")
    ends = alt.InlineData(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    diagonal = alt.Chart(ends).mark_line(strokeDash=[4, 3], color="currentColor").encode(x="x:Q", y="y:Q")
    chart = sized(alt.layer(diagonal, drawn, named), 1, int(WIDTH * 0.75))
    caption = "On the dashed line both references agree. The occupations farthest from it are named."
    return [Figure("two-references", f"{second} against {first}", caption, chart, data.sort("gap", descending=True))]
