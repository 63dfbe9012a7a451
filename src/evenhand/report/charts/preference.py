"""How far a scorer prefers the feminine: the log-odds of every pair by occupation, and against a reference."""

import altair as alt
import polars as pl

from evenhand.level import interval_words
from evenhand.measures.definitions.preference import LOG_ODDS
from evenhand.report.charts.basic import COLOURS, PLAIN, dashed, inline, names_axis, sized
from evenhand.report.charts.figure import Figure, Heading
from evenhand.results.runs import Run

DRAWN = 40  # occupations; of more, the ends
BY = ("occupation", "concept", "word", "stereotype", "gold")
SHARE = "share_women"


def preference_figures(run: Run, table: pl.DataFrame) -> list[Figure]:
    """The distribution of log-odds (of a metric: of score differences) by occupation, stereotype or stated gender."""
    column = next((c for c in BY if c in table.columns and table[c].drop_nulls().n_unique() > 1), None)
    metric = "P_feminine" not in run.manifest.suite.measures
    unit = "score difference, feminine - masculine" if metric else "log-odds of the feminine half"
    values = table.with_columns(odds=LOG_ODDS).filter(pl.col("odds").is_not_null())
    if column is None or not values.height:
        return []
    values = values.filter(pl.col(column).is_not_null()).with_columns(pl.col(column).cast(pl.String))
    shares = _shares(run, column)
    words = values.group_by(column).agg(pl.col("odds").mean().alias("mean"), pl.len().alias("pairs"))
    words = words.join(shares, on=column, how="left").sort("mean", column, descending=[True, False])
    cut = words.height > DRAWN
    drawn = pl.concat([words.head(DRAWN // 2), words.tail(DRAWN // 2)]) if cut else words
    y = alt.Y(f"{column}:N", sort=drawn[column].to_list(), title=None, axis=names_axis())
    x = alt.X("odds:Q", axis=alt.Axis(title=unit, grid=True))
    points = values.join(drawn.select(column), on=column).select(column, "odds")
    ticks = alt.Chart(inline(points)).mark_tick(thickness=1, opacity=0.35, color=COLOURS["unknown"])
    layers = [dashed("x"), ticks.encode(x=x, y=y), *_means(drawn, y)]
    caption = [
        "Each tick is a pair, each circle the mean: left of the dashed line the masculine half is preferred, right of "
        "it the feminine one."
    ]
    if shares.height:
        reference = run.manifest.references[0].partition("#")[0]
        caption.append(
            f"Colours are the share of women in {reference}: orange on the left is an occupation of women in which "
            "the masculine is preferred."
        )
    if cut:
        caption.append(
            f"The chart has the {DRAWN // 2} highest and the {DRAWN // 2} lowest of {words.height}; the table has all."
        )
    title = f"{'Score differences' if metric else 'Log-odds'} by {column}"
    chart = sized(alt.layer(*layers), drawn[column].to_list(), 16)
    return [Figure("preference", title, " ".join(caption), chart, words), *_line(run, words, column, metric=metric)]


def _shares(run: Run, column: str) -> pl.DataFrame:
    """The first reference's share of women by occupation; no rows without one."""
    known = run.occupations
    if known is None or column not in known.columns:
        return pl.DataFrame(schema={column: pl.String, SHARE: pl.Float64})
    first = known.filter(reference=known["reference"][0]).filter(pl.col(SHARE).is_not_null())
    return first.select(pl.col(column).cast(pl.String), SHARE).unique(column, maintain_order=True)


def _means(drawn: pl.DataFrame, y: alt.Y) -> list[alt.Chart]:
    x = alt.X("mean:Q")
    known = drawn.filter(pl.col(SHARE).is_not_null())
    rest = alt.Chart(inline(drawn.filter(pl.col(SHARE).is_null())))
    plain = rest.mark_point(filled=True, size=70, opacity=1, color=COLOURS["unknown"] if known.height else PLAIN)
    if not known.height:
        return [plain.encode(x=x, y=y)]
    ramp = alt.Scale(domain=[0, 0.5, 1], range=[COLOURS["male"], "#DDDDDD", COLOURS["female"]])
    legend = alt.Legend(title="women in the occupation", format=".0%", orient="top")
    marks = alt.Chart(inline(known)).mark_point(filled=True, size=70, opacity=1, stroke="currentColor", strokeWidth=0.6)
    return [plain.encode(x=x, y=y), marks.encode(x=x, y=y, color=alt.Color(f"{SHARE}:Q", scale=ramp, legend=legend))]


def _line(run: Run, words: pl.DataFrame, column: str, *, metric: bool) -> list[Figure]:
    """Occupations by their share of women and their mean preference."""
    from evenhand.report.charts.scatter import scatter

    known = words.filter(pl.col(SHARE).is_not_null())
    if known.height < 3:
        return []
    row = run.estimates.filter(measure="reference_slope").head(1)
    caption = "Each point is an occupation; a preference that follows the labour market rises from left to right."
    if row.height and row["low"][0] is not None:
        value, low, high = row.select("value", "low", "high").row(0)
        unit = "score difference" if metric else "mean P(feminine)"
        words_ = interval_words(run.manifest.level)
        caption += f" From no women to only women, {unit} changes by {value:.3f} ({words_} {low:.3f} to {high:.3f})."
    vertical = ("mean", "mean score difference" if metric else "mean log-odds of the feminine half")
    axes = (SHARE, "share of women in the occupation"), vertical
    heading = Heading("preference-reference", "Preference and share of women in the job", caption)
    return [scatter(known, *axes, heading, label=column, size=(680, 420))]
