"""From a chart to SVG, PNG and PDF, without a browser and without the network."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.atomic import replacing_bytes
from evenhand.errors import require

if TYPE_CHECKING:
    from evenhand.report.charts import Figure

FORMATS = ("svg", "png", "pdf")
_IDS = re.compile(r'(id="|url\(#)([A-Za-z]+[0-9_]+)')
_ROLES = re.compile(r' (?:role="graphics-[a-z]+"|aria-roledescription="[^"]*"|aria-hidden="true"|aria-label="[^"]*")')
_EMPTY = re.compile(r'<path class="(?:foreground|background)"[^>]*? d=""[^>]*/>')


def specification(figure: Figure, *, ink: str = "currentColor", background: str = "transparent") -> str:
    """The chart as Vega-Lite, in one look. `ink` colours text and axes."""
    axis = {f"{part}Color": ink for part in ("label", "title", "domain", "tick", "grid")}
    spec = figure.chart.to_dict()
    spec["background"] = background
    spec["config"] = {
        **spec.get("config", {}),
        "font": "Helvetica, Arial, sans-serif",
        "view": {"stroke": None},
        "axis": {**axis, "gridOpacity": 0.15, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
        "legend": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "symbolSize": 90},
        "title": {"color": ink},
        "text": {"color": ink},
    }
    return json.dumps(spec)


def inline_svg(figure: Figure) -> str:
    """SVG for a page: ids are its own, and the picture is one image to a screen reader (its table says the rest)."""
    converter = require("vl_convert", purpose="drawing charts", extra="report")
    svg: str = converter.vegalite_to_svg(specification(figure), allowed_base_urls=[])
    svg = _IDS.sub(lambda m: f"{m.group(1)}{figure.key}-{m.group(2)}", svg)
    svg = _EMPTY.sub("", _ROLES.sub("", svg))
    return svg.replace("<svg ", f'<svg role="img" aria-labelledby="title-{figure.key}" ', 1)


def write_figures(figures: list[Figure], folder: Path) -> list[Path]:
    """Every chart as SVG, PNG (2x) and PDF, black on white, for a paper."""
    return [write_figure(figure, folder / f"{figure.key}.{form}") for figure in figures for form in FORMATS]


def write_figure(figure: Figure, path: Path) -> Path:
    """One chart in the format that the file's ending names, black on white."""
    converter = require("vl_convert", purpose="drawing charts", extra="report")
    spec = specification(figure, ink="black", background="white")
    options = {"scale": 2} if path.suffix == ".png" else {}
    made = getattr(converter, f"vegalite_to_{path.suffix[1:]}")(spec, allowed_base_urls=[], **options)
    with replacing_bytes(path) as stream:
        stream.write(made.encode() if isinstance(made, str) else made)
    return path
