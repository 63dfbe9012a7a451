"""From a chart to SVG, PNG and PDF without browser or network. The converter ends the whole process on a character that
XML forbids, so none reaches it; any other failure costs that chart only."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import polars as pl

from evenhand.errors import require
from evenhand.storage.atomic import replacing_bytes
from evenhand.visible import visible

if TYPE_CHECKING:
    from evenhand.report.charts.figure import Figure

FORMATS = ("svg", "png", "pdf")
WIDE, NARROW = 680, 190  # pixels of a chart beside its names, on a screen and on a phone
LINE, SHORT = 32, 22  # letters of a name on one line, likewise
_STEP = 15  # pixels of the lowest rows
_SHAPES = frozenset("svg g path rect line circle text tspan defs clipPath linearGradient stop title".split())
_IDS = re.compile(r'(id="|url\(#)([A-Za-z]+[0-9_]+)')
_ROLES = re.compile(r' (?:role="graphics-[a-z]+"|aria-roledescription="[^"]*"|aria-hidden="true"|aria-label="[^"]*")')
_EMPTY = re.compile(r'<path class="(?:foreground|background)"[^>]*? d=""[^>]*/>')


def specification(figure: Figure, *, ink: str = "currentColor", background: str = "transparent") -> str:
    """The chart as Vega-Lite, in one look. `ink` colours text and axes."""
    axis = {f"{part}Color": ink for part in ("label", "title", "domain", "tick", "grid")}
    spec = figure.chart.to_dict()
    spec["background"] = background
    room = 20 + min(_longest(figure), 80)  # a reader's font may be wider than the measured one
    spec["padding"] = {"left": room, "right": room, "top": 5, "bottom": 5}
    spec["config"] = {
        **spec.get("config", {}),
        "font": "Helvetica, Arial, sans-serif",
        "view": {"stroke": None},
        "axis": {**axis, "gridOpacity": 0.15, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
        "legend": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "symbolSize": 90, "columnPadding": 28},
        "title": {"color": ink},
        "text": {"color": ink},
    }
    return json.dumps(_drawable(spec))


def split_name(line: int, lines: int) -> str:
    """The expression that breaks an axis label into lines of so many letters."""
    cuts = [f"slice(datum.label, {n * line}, {(n + 1) * line})" for n in range(lines - 1)]
    return f"length(datum.label) > {line} ? [{', '.join(cuts)}, slice(datum.label, {(lines - 1) * line})] : datum.label"


def _narrowed(value: object, taller: float, longest: int) -> object:
    """The specification for a phone: narrower plots, names on more lines, fewer ticks and legend columns."""
    if isinstance(value, list):
        return [_narrowed(part, taller, longest) for part in value]
    if not isinstance(value, dict):
        return split_name(SHORT, 4) if value == split_name(LINE, 2) else value
    made = {key: _narrowed(part, taller, longest) for key, part in value.items()}
    if made.get("width") == WIDE:
        made["width"] = NARROW
        height = made.get("height")
        made |= {"height": height * taller} if isinstance(height, int) else {}
    if "labelLimit" in made and made.get("orient") != "top":
        made["labelLimit"] = 150
        made |= {name: 150 for name in ("minExtent", "maxExtent") if name in made}
    if made.get("orient") == "top":
        made["columns"] = 1 if "columns" in made and longest > SHORT else 3
    if "tickCount" in made:
        made["tickCount"] = 3
    if isinstance(cut := made.get("filter"), str):
        made["filter"] = cut.replace("datum.share >= 0.05", "datum.share >= 0.2")
    return made


def _narrow(figure: Figure, specified: str) -> str:
    """The specification of a chart on a phone; "" for one of fixed size: words are placed in its pixels."""
    if f'"width": {WIDE}' not in specified or '"place"' in specified:
        return ""
    longest = _longest(figure)
    lines = min(-(-longest // SHORT), 4)
    return json.dumps(_narrowed(json.loads(specified), max(1.0, 14 * lines / _STEP), longest))


def _longest(figure: Figure) -> int:
    """Letters of the longest name in a chart's data."""
    names = [text for column in figure.table.iter_columns() if column.dtype == pl.String for text in column.unique()]
    return max((len(text) for text in names[:500] if text), default=0)


def _drawable(value: object) -> object:
    """The same specification with every text as characters that can be drawn."""
    if isinstance(value, dict):
        return {_drawable(key): _drawable(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_drawable(part) for part in value]
    return visible(value) if isinstance(value, str) else value


def inline_svg(figure: Figure, *, narrow: bool = False) -> str:
    """SVG for a page (or a phone), one image to a screen reader; "" where the chart cannot be drawn, or holds anything
    but shapes and text."""
    specified = specification(figure)
    specified = _narrow(figure, specified) if narrow else specified
    svg = _drawn(specified, "svg").decode() if specified else ""
    if not _only_shapes(svg):
        return ""
    prefix = f"{figure.key}-narrow" if narrow else figure.key
    svg = _IDS.sub(lambda m: f"{m.group(1)}{prefix}-{m.group(2)}", svg)
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
