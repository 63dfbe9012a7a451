"""A system's runs over time: each value, and where it lies at all times if nothing ever changed."""

from pathlib import Path

import altair as alt
import polars as pl

from evenhand.errors import BadInput
from evenhand.report.charts.basic import inline
from evenhand.report.charts.drawing import FORMATS, WIDE, write_figure
from evenhand.report.charts.figure import Figure

BAND, LINE, ALARM = "#c9c9c9", "#2f6db3", "#c0392b"


def history_figure(sequence: pl.DataFrame) -> Figure:
    """The sequence of every measure (rows of `follow`), one above the other; a run that shows a change is red."""
    panels = []
    for (measure,), rows in sequence.group_by("measure", maintain_order=True):
        numbered = rows.with_row_index("night", offset=1)
        base = alt.Chart(inline(numbered)).encode(x=alt.X("night:Q", title="run", axis=alt.Axis(tickMinStep=1)))
        value = alt.Y("value:Q", title=str(measure), scale=alt.Scale(zero=False))
        colour = alt.condition("datum.changed", alt.value(ALARM), alt.value(LINE))
        band = base.mark_area(color=BAND, opacity=0.6).encode(y=alt.Y("low:Q", title=str(measure)), y2="high:Q")
        line = base.mark_line(color=LINE).encode(y=value)
        dots = base.mark_point(filled=True, size=36).encode(y=value, color=colour)
        panels.append(alt.layer(band, line, dots).properties(width=WIDE, height=130))
    caption = "Grey: the range of runs if nothing ever changed. Red: a significant change."
    return Figure("history", "Over time", caption, alt.vconcat(*panels), sequence)


def draw_history(sequence: pl.DataFrame, path: Path) -> None:
    """Write the sequence as SVG, PNG or PDF, by the ending of the file."""
    if path.suffix[1:] not in FORMATS:
        raise BadInput(f"{path}: a plot is written as {', '.join(FORMATS)}; name the file so")
    if write_figure(history_figure(sequence), path) is None:
        raise BadInput(f"{path}: the plot could not be drawn")
