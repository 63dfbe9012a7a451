"""The figures of Zhou et al. 2019 (and Figure 1 of Troles & Schmid 2021), drawn from findings."""

import altair as alt
import polars as pl

from evenhand.report.charts import basic
from evenhand.report.charts.basic import TOP, inline, layered, scale
from evenhand.report.charts.drawing import NARROW
from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.charts.scatter import scatter
from evenhand.results.findings import Findings

INK = {"feminine": basic.COLOURS["female"], "masculine": basic.COLOURS["male"], "English": "#7A7A7A"}
FILLS = INK | {"feminine": "transparent"}  # distinguishable without colour too
FORMS = {"feminine": "circle", "masculine": "circle", "English": "diamond"}
SHAPES = {"definition": "circle", "two forms": "square", "thing": "triangle-up"}
SEMANTIC = ("semantic", "semantic gender (feminine – masculine)")
FEWEST = 3  # points of a scatter plot


def study_figures(findings: Findings) -> list[Figure]:
    """Every figure the tables allow: projections, before and after, MWEAT, across languages; of English WEAT and the
    occupations."""
    tables, estimates = findings.tables, findings.estimates
    sets = estimates.filter((pl.col("measure") == "WEAT") & pl.col("value").is_not_null())
    if sets.height:
        occupations = [_occupations(tables["occupations"])] if "occupations" in tables else []
        return [_sets(sets), *occupations]
    made = [_projection(tables["projection"])] if "projection" in tables else []
    if "shifted" in tables:
        made.append(_before_after(tables["shifted"]))
    association = estimates.filter((pl.col("measure") == "MWEAT") & pl.col("value").is_not_null())
    if association.height:
        made.append(_association(association))
    if "across" in tables and tables["across"].height >= FEWEST:
        made.append(_across(tables["across"], findings.manifest.parts["language"]))
    return made


def score_figures(findings: Findings) -> list[Figure]:
    """The gender score against an outside statistic, where there is one."""
    scores = findings.tables.get("scores")
    if scores is None or "reference" not in scores.columns:
        return []
    data = scores.filter(pl.col("reference").is_not_null()).select("word", "score", "reference")
    name = findings.estimates["reference"][0]
    axes = ("score", "gender score (feminine – masculine)"), ("reference", name)
    caption = f"{data.height} words with both values; the numbers above show how well they agree."
    heading = Heading("word-scores", "Gender score and the outside statistic", caption)
    return [scatter(data, *axes, heading, label="word", size=(600, 420))]


def _projection(data: pl.DataFrame) -> Figure:
    """The paper's Figure 1: words on the grammatical and the semantic direction."""
    shape = alt.Shape("kind:N", scale=scale(SHAPES), legend=TOP)
    grammatical = ("grammatical", "grammatical gender (feminine – masculine)")
    two = ("feminine", "masculine")
    caption = (
        "Hollow: feminine; filled: masculine. Things should be near zero on the semantic axis; the two forms of an "
        "occupation on opposite sides of it, equally far. The table also has the words that would cover others."
    )
    heading, marks = Heading("projection", "Words on both gender directions", caption), [shape, *_genders(two)]
    return scatter(data, grammatical, SEMANTIC, heading, label="word", size=(620, 460), marks=marks)


def _before_after(data: pl.DataFrame) -> Figure:
    """The paper's Figures 2 and 3: both forms and the English word on d_s, before and after."""
    before, after = data["method"].unique(maintain_order=True).to_list()
    panels = [_panel(data, before, "before"), _panel(data, after, after)]
    return Figure(
        "before-after",
        f"Two forms on the semantic direction, before and after {after}",
        "Hollow: feminine; filled: masculine; diamond: English. The dashed line is the neutral point. After a shift "
        "to the origin the two forms are equally far from it.",
        alt.hconcat(*panels),
        data,
        alt.vconcat(*(panel.properties(width=NARROW) for panel in panels)),
    )


def _panel(data: pl.DataFrame, method: str, title: str) -> alt.LayerChart:
    """One side of before and after; both sides share the scale."""
    order = data["occupation"].unique(maintain_order=True).to_list()
    bounds = [float(end) for end in data.select(low=pl.min("semantic"), high=pl.max("semantic")).row(0)]
    here = data.filter(pl.col("method") == method)
    x = alt.X("semantic:Q", title=SEMANTIC[1], scale=alt.Scale(domain=bounds, nice=True))
    y = alt.Y("occupation:N", title=None, sort=order)
    forms = alt.Chart(inline(here.filter(pl.col("gender") != "English"))).mark_line(strokeWidth=1, opacity=0.5)
    points = alt.Chart(inline(here)).mark_point(size=60, opacity=1)
    shape = alt.Shape("gender:N", scale=scale(FORMS), legend=TOP)
    layers = (
        forms.encode(x=x, y=y, detail="occupation:N"),
        points.encode(x, y, shape, *_genders(tuple(INK))),
        basic.dashed("semantic"),
    )
    return layered(alt.layer(*layers, title=title, width=270, height=18 * len(order) + 20))


def _association(estimates: pl.DataFrame) -> Figure:
    """MWEAT of every version; the nearer zero, the more alike the two sets of forms are associated."""
    data = estimates.select("level", "value", "low", "high", "p_adjusted", "interval", "n", "n_decided")
    caption = "Zero: masculine and feminine forms are equally strongly associated with their gender's words."
    heading = Heading("mweat", "Difference of association before and after mitigation", caption)
    axis = alt.Axis(format="+.2f", title="MWEAT: |masculine forms| – |feminine forms|")
    return basic.effects(data, "level", heading, axis=axis, colour=basic.SYSTEM_COLOURS[2], ordered=False)


def _sets(estimates: pl.DataFrame) -> Figure:
    """WEAT of every pair of word sets, in every version."""
    several = estimates["level"].n_unique() > 1
    name = pl.concat_str("reference", "level", separator=", ") if several else pl.col("reference")
    columns = ("value", "low", "high", "p_adjusted", "interval", "n", "n_decided")
    caption = (
        "Zero: both sets of a pair are equally near to male and female words. On the right, the first set is "
        "nearer to male words than the other. Lines are intervals."
    )
    heading = Heading("weat", "Word sets between male and female words", caption)
    axis = alt.Axis(format="+.1f", title="WEAT effect size", tickCount=6)
    data = estimates.select(name.alias("sets"), *columns)
    return basic.effects(data, "sets", heading, axis=axis, colour=basic.SYSTEM_COLOURS[2])


def _occupations(words: pl.DataFrame) -> Figure:
    """Occupations of the original vectors, by association and on the gender direction."""
    data = words.filter(pl.col("method") == words["method"][0]).drop("method")
    across, up = ("s", "association s (female – male)"), ("cos_d_PCA", "cosine with d_PCA (female – male)")
    caption = (
        f"{data.height} occupations of the original vectors. The table also has the words that would cover others."
    )
    return scatter(data, across, up, Heading("occupations", "Occupations", caption), label="word", size=(600, 420))


def _across(data: pl.DataFrame, language: str) -> Figure:
    """The paper's Figure 4: bias of an occupation here against its association in English."""
    here = ("bias", f"{language}: |s(masculine)| – |s(feminine)|")
    english = ("s_english", "English: s(w), female – male")
    caption = f"{data.height} occupations; the numbers above give the correlation."
    heading = Heading("across-languages", "The same occupations in two languages", caption)
    return scatter(data, english, here, heading, label="english", size=(560, 360))


def _genders(shown: tuple[str, ...]) -> list[alt.Color | alt.Fill]:
    """Colour and fill: hollow marks for feminine words."""
    ink, fill = ({name: values[name] for name in shown} for values in (INK, FILLS))
    return [alt.Color("gender:N", scale=scale(ink), legend=TOP), alt.Fill("gender:N", scale=scale(fill), legend=TOP)]
