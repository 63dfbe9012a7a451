"""From a chart to SVG, PNG and PDF without browser or network. The converter ends the whole process on a character that
XML forbids, so none reaches it; any other failure costs that chart only."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from evenhand.errors import require
from evenhand.storage.atomic import replacing_bytes
from evenhand.visible import visible

if TYPE_CHECKING:
    from evenhand.report.charts.figure import Figure

FORMATS = ("svg", "png", "pdf")
_SHAPES = frozenset("svg g path rect line circle text tspan defs clipPath linearGradient stop title".split())
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
    return json.dumps(_drawable(spec))


def _drawable(value: object) -> object:
    """The same specification with every text as characters that can be drawn."""
    if isinstance(value, dict):
        return {_drawable(key): _drawable(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_drawable(part) for part in value]
    return visible(value) if isinstance(value, str) else value


def inline_svg(figure: Figure) -> str:
    """SVG for a page, one image to a screen reader; "" where the chart cannot be drawn, or holds anything but shapes
    and text."""
    svg = _drawn(specification(figure), "svg").decode()
    if not _only_shapes(svg):
        return ""
    svg = _IDS.sub(lambda m: f"{m.group(1)}{figure.key}-{m.group(2)}", svg)
    svg = _EMPTY.sub("", _ROLES.sub("", svg))
    return svg.replace("<svg ", f'<svg role="img" aria-labelledby="title-{figure.key}" ', 1)


def write_figures(figures: list[Figure], folder: Path) -> list[Path]:
    """Every chart that can be drawn as SVG, PNG (2x) and PDF, black on white, for a paper."""
    written = [write_figure(figure, folder / f"{figure.key}.{form}") for figure in figures for form in FORMATS]
    return [path for path in written if path is not None]


def write_figure(figure: Figure, path: Path) -> Path | None:
    """One chart in the format that the file's ending names, black on white; None where it cannot be drawn."""
    made = _drawn(specification(figure, ink="black", background="white"), path.suffix[1:])
    if not made:
        return None
    with replacing_bytes(path) as stream:
        stream.write(made)
    return path


def _drawn(spec: str, form: str) -> bytes:
    """What the converter makes of a specification; nothing where it fails, in whatever way it does."""
    converter = require("vl_convert", purpose="drawing charts", extra="report")
    options = {"scale": 2} if form == "png" else {}
    try:
        made = getattr(converter, f"vegalite_to_{form}")(spec, allowed_base_urls=[], **options)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic of the converter is no Exception
        return b""
    return made.encode() if isinstance(made, str) else bytes(made)


def _only_shapes(svg: str) -> bool:
    """Whether this is a drawing and nothing else: no script, no link, no HTML, nothing that loads."""
    try:
        names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
    except ElementTree.ParseError:
        return False
    return names <= _SHAPES
