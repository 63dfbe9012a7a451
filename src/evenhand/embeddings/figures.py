"""The figures of Zhou et al. 2019 (and Figure 1 of Troles & Schmid 2021) for one study."""

from __future__ import annotations

from typing import Literal

import altair as alt
import numpy as np
import polars as pl

from evenhand.embeddings.grammar import Array
from evenhand.embeddings.labels import MARGIN, places
from evenhand.embeddings.study import Row, Study
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import TwoForms
from evenhand.embeddings.wordscore import Agreement
from evenhand.report.charts import Figure

COLOURS = {"feminine": "#D55E00", "masculine": "#0072B2", "English": "#7A7A7A"}
FILLS = {"feminine": "transparent", "masculine": "#0072B2", "English": "#7A7A7A"}  # told apart without colour too
FORMS = {"feminine": "circle", "masculine": "circle", "English": "diamond"}
SHAPES = {"definition": "circle", "two forms": "square", "thing": "triangle-up"}
OFFSETS: dict[str, tuple[Literal["left", "right", "center"], int, int]] = {
    "right": ("left", 6, 0),
    "left": ("right", -6, 0),
    "above": ("center", 0, -11),
    "below": ("center", 0, 11),
}
MOST_PAIRS = 25
MOST_THINGS = 16


def figures(study: Study) -> list[Figure]:
    """Every figure the data allows: projections, before and after, MWEAT, across languages."""
    made = [projection(study)] if study.directions.grammatical is not None else []
    after = next((r for r in reversed(study.rows) if r.method in ("hybrid-ori", "shift-ori") and r.moved), None)
    if after is not None and after.moved and after.moved.pairs:
        made.append(before_after(study, after))
    if sum(row.mweat is not None for row in study.rows) > 0:
        made.append(mweat_bars(study))
    if study.across is not None and len(study.across[2]) >= 3:
        made.append(across_languages(study))
    return made


def projection(study: Study) -> Figure:
    """The paper's Figure 1: words on the grammatical and the semantic direction."""
    directions = study.directions
    if directions.grammatical is None:
        raise ValueError("no grammatical direction to draw on")
    vectors = study.original.space.gendered
    words: list[tuple[str, str, str]] = []
    for feminine, masculine in study.lists.definitions:
        words += [(feminine, "definition", "feminine"), (masculine, "definition", "masculine")]
    for pair in _covered(vectors, study.lists.occupations)[:MOST_PAIRS]:
        words += [(pair.feminine, "two forms", "feminine"), (pair.masculine, "two forms", "masculine")]
    things = [(word, study.lists.nouns.get(word, "")) for word in study.lists.inanimate if word in vectors]
    for gender in ("feminine", "masculine"):
        words += [(word, "thing", gender) for word, g in things if g == gender][: MOST_THINGS // 2]
    rows = [(w, kind, gender, r) for w, kind, gender in dict.fromkeys(words) if (r := vectors.row(w)) is not None]
    unit = vectors.unit[[r for *_, r in rows]].astype(np.float64)
    d = directions.orthogonal
    data = pl.DataFrame(
        {
            "word": [w for w, *_ in rows],
            "kind": [kind for _, kind, *_ in rows],
            "gender": [gender for *_, gender, _ in rows],
            "semantic": unit @ (d / np.linalg.norm(d)),
            "grammatical": unit @ directions.grammatical.basis[0],
        }
    )
    shape = alt.Shape("kind:N", scale=_scale(SHAPES), legend=alt.Legend(title=None, orient="top"))
    chart = _scatter(
        data,
        ("grammatical", "grammatical gender (feminine – masculine)"),
        ("semantic", "semantic gender (feminine – masculine)"),
        label="word",
        size=(620, 460),
        encoding={"shape": shape, "color": _gender(), "fill": _fill()},
    )
    caption = (
        "Hollow: feminine; filled: masculine. Things should lie near zero on the semantic axis; the two forms of an "
        "occupation on opposite sides of it, equally far. Words that would cover others are in the table only."
    )
    return Figure("projection", "Words on both gender directions", caption, chart, data)


def before_after(study: Study, after: Row) -> Figure:
    """The paper's Figures 2 and 3: both forms and the English word on d_s, before and after."""
    d = study.directions.orthogonal / np.linalg.norm(study.directions.orthogonal)
    moved = after.moved.pairs[:MOST_PAIRS] if after.moved else ()
    rows: list[tuple[str, str, str, str, float]] = []
    for when, row in (("before", study.original), (after.method, after)):
        vectors, english = row.space.gendered, row.space.english
        for pair in moved:
            label = pair.english or pair.masculine
            for gender, word in (("masculine", pair.masculine), ("feminine", pair.feminine)):
                rows.append((label, when, gender, word, _at(vectors, word, d)))
            if english is not None and pair.english in english:
                rows.append((label, when, "English", pair.english, _at(english, pair.english, d)))
    data = pl.DataFrame(rows, schema=["occupation", "when", "gender", "word", "semantic"], orient="row")
    bounds = [float(v) for v in np.quantile(data["semantic"].to_numpy(), [0, 1])]
    order = [pair.english or pair.masculine for pair in moved]
    panels = [_panel(data.filter(pl.col("when") == when), when, bounds, order) for when in ("before", after.method)]
    return Figure(
        "before-after",
        f"Two forms on the semantic direction, before and after {after.method}",
        "Hollow: feminine; filled: masculine; diamond: English. The dashed line is the neutral point. After a shift "
        "to the origin the two forms are equally far from it.",
        alt.hconcat(*panels),
        data,
    )


def _panel(data: pl.DataFrame, title: str, bounds: list[float], order: list[str]) -> alt.LayerChart:
    """One side of before and after; both sides share the scale."""
    x = alt.X("semantic:Q", title="semantic gender (feminine – masculine)", scale=alt.Scale(domain=bounds, nice=True))
    y = alt.Y("occupation:N", title=None, sort=order)
    forms = alt.Chart(_data(data.filter(pl.col("gender") != "English"))).mark_line(strokeWidth=1, opacity=0.5)
    points = alt.Chart(_data(data)).mark_point(size=60, opacity=1)
    form = alt.Shape("gender:N", scale=_scale(FORMS), legend=alt.Legend(title=None, orient="top"))
    zero = alt.Chart(alt.InlineData(values=[{"semantic": 0.0}])).mark_rule(strokeDash=[4, 4], opacity=0.5)
    return _layers(
        forms.encode(x=x, y=y, detail="occupation:N"),
        points.encode(x=x, y=y, color=_gender(english=True), fill=_fill(english=True), shape=form),
        zero.encode(x=x),
        title=title,
        width=270,
        height=18 * len(order) + 20,
    )


def mweat_bars(study: Study) -> Figure:
    """MWEAT of every version; the nearer zero, the more alike the two sets of forms are associated."""
    data = pl.DataFrame(
        [
            {"vectors": r.method, "mweat": r.mweat.statistic, "p_swap_holm": r.swap_p_adjusted, "pairs": r.mweat.pairs}
            for r in study.rows
            if r.mweat is not None
        ]
    )
    base = alt.Chart(_data(data)).encode(
        x=alt.X("mweat:Q", title="MWEAT: |masculine forms| – |feminine forms|"),
        y=alt.Y("vectors:N", title=None, sort=data["vectors"].to_list()),
    )
    text = alt.Text("mweat:Q", format="+.3f")
    right = base.transform_filter("datum.mweat >= 0").mark_text(dx=4, align="left").encode(text=text)
    left = base.transform_filter("datum.mweat < 0").mark_text(dx=-4, align="right").encode(text=text)
    bars = base.mark_bar(height=14, color="#56B4E9")
    chart = _layers(bars, right, left, width=520, height=24 * len(data) + 10)
    caption = "Zero: masculine and feminine forms are equally strongly associated with their gender's words."
    return Figure("mweat", "Difference of association before and after mitigation", caption, chart, data)


def across_languages(study: Study) -> Figure:
    """The paper's Figure 4: bias of an occupation here against its association in English."""
    if study.across is None:
        raise ValueError("no English to compare with")
    correlation, p, points = study.across
    data = pl.DataFrame(
        [
            {"occupation": pair.english, "forms": f"{pair.masculine}/{pair.feminine}", "english": s, "here": b}
            for pair, b, s in points
        ]
    )
    chart = _scatter(
        data,
        ("english", "English: s(w), female – male"),
        ("here", f"{study.language}: |s(masculine)| – |s(feminine)|"),
        label="occupation",
        size=(560, 360),
    )
    caption = f"Spearman {correlation}, p = {p:.4f}, {len(points)} occupations."
    return Figure("across-languages", "The same occupations in two languages", caption, chart, data)


def score_scatter(agreement: Agreement, reference: str) -> Figure:
    """Figure 1 of Troles & Schmid 2021: gender score against an outside statistic."""
    data = pl.DataFrame({"word": agreement.words, "score": agreement.scores, "reference": agreement.values})
    chart = _scatter(
        data,
        ("score", "gender score (feminine – masculine)"),
        ("reference", reference),
        label="word",
        size=(600, 420),
    )
    caption = f"Pearson {agreement.pearson}, Spearman {agreement.spearman}, {len(agreement.words)} words."
    return Figure("word-scores", "Gender score and the outside statistic", caption, chart, data)


def _covered(vectors: Vectors, pairs: tuple[TwoForms, ...]) -> list[TwoForms]:
    return [pair for pair in pairs if pair.masculine in vectors and pair.feminine in vectors]


def _layers(*charts: alt.Chart, width: int, height: int, title: str = "") -> alt.LayerChart:
    layered = alt.layer(*charts, width=width, height=height, title=title)
    if not isinstance(layered, alt.LayerChart):
        raise TypeError("figures of this room have no facets")
    return layered


def _at(vectors: Vectors, word: str, d: Array) -> float:
    return float(vectors[word].astype(np.float64) @ d)


def _scatter(
    data: pl.DataFrame,
    horizontal: tuple[str, str],
    vertical: tuple[str, str],
    *,
    label: str,
    size: tuple[int, int],
    encoding: dict[str, alt.Shape | alt.Color | alt.Fill] | None = None,
) -> alt.LayerChart:
    """Points with their words, none of which covers another. The axes are given as column and title."""
    across, up = (data[name].to_numpy().astype(np.float64) for name in (horizontal[0], vertical[0]))
    x = alt.X(f"{horizontal[0]}:Q", title=horizontal[1], scale=_around(across))
    y = alt.Y(f"{vertical[0]}:Q", title=vertical[1], scale=_around(up))
    width, height = size
    placed = data.with_columns(place=pl.Series(places(across, up, data[label].to_list(), width=width, height=height)))
    points = alt.Chart(_data(data)).encode(x=x, y=y)
    if encoding is None:
        points = points.mark_point(filled=True, size=45, color="#0072B2")
    else:
        points = points.mark_point(size=45, opacity=0.9).encode(**encoding)
    layers = [points]
    for place, (align, dx, dy) in OFFSETS.items():
        some = placed.filter(pl.col("place") == place)
        if len(some):
            text = alt.Chart(_data(some)).mark_text(align=align, dx=dx, dy=dy, fontSize=10)
            layers.append(text.encode(x=x, y=y, text=f"{label}:N"))
    return _layers(*layers, width=width, height=height)


def _around(values: Array) -> alt.Scale:
    """An axis a little longer than the data, not rounded: labels are placed in its pixels."""
    low, high = float(values.min()), float(values.max())
    margin = MARGIN * (high - low) or 1.0
    return alt.Scale(domain=[low - margin, high + margin], nice=False, zero=False)


def _fill(*, english: bool = False) -> alt.Fill:
    shown = {name: colour for name, colour in FILLS.items() if english or name != "English"}
    return alt.Fill("gender:N", scale=_scale(shown), legend=alt.Legend(title=None, orient="top"))


def _gender(*, english: bool = False) -> alt.Color:
    shown = {name: colour for name, colour in COLOURS.items() if english or name != "English"}
    return alt.Color("gender:N", scale=_scale(shown), legend=alt.Legend(title=None, orient="top"))


def _scale(values: dict[str, str]) -> alt.Scale:
    return alt.Scale(domain=list(values), range=list(values.values()))


def _data(table: pl.DataFrame) -> alt.InlineData:
    return alt.InlineData(values=table.to_dicts())
