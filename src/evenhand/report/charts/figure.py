"""A chart with what is said about it and its data; Altair itself is imported where charts are made."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from evenhand.notebook import html_notes, html_title
from evenhand.report.charts import drawing

if TYPE_CHECKING:
    import altair as alt

_NOT_IN_A_KEY = re.compile(r"[^A-Za-z0-9_-]+")


class Heading(NamedTuple):
    """What is said about a chart: `key` is its id on a page and its file's name, `caption` says how to read it."""

    key: str
    title: str
    caption: str


@dataclass(frozen=True)
class Figure:
    """A chart with its heading and its data."""

    key: str
    title: str
    caption: str
    chart: alt.Chart | alt.LayerChart | alt.HConcatChart | alt.VConcatChart = field(repr=False)
    table: pl.DataFrame = field(repr=False)
    narrow: alt.Chart | alt.LayerChart | alt.VConcatChart | None = field(default=None, repr=False)
    """The chart for a phone, where it is another one than `chart` with narrower plots."""

    def __post_init__(self) -> None:
        plain = _NOT_IN_A_KEY.sub("-", self.key)[:60]
        if plain != self.key:  # two names that only differ in what was taken out stay different
            plain += "-" + hashlib.sha256(self.key.encode()).hexdigest()[:8]
        object.__setattr__(self, "key", plain)

    def save(self, path: Path | str) -> Path | None:
        """Write the chart as the file's ending says (svg, png, pdf); None where it cannot be drawn."""
        return drawing.write_figure(self, Path(path))

    def _repr_html_(self) -> str:
        """For a notebook: a drawing that needs no script and no network."""
        return f"{html_title(self.title)}{drawing.inline_svg(self)}{html_notes([self.caption])}"
