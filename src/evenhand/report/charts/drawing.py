"""From a chart to SVG, PNG and PDF without browser or network. The converter ends the whole process on a character that
XML forbids, so none reaches it; any other failure costs that chart only."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import polars as pl

from evenhand.errors import require
from evenhand.storage.atomic import replacing_bytes
from evenhand.visible import visible

if TYPE_CHECKING:
    from evenhand.report.charts.figure import Figure

AXIS = {
    "gridOpacity": 0.15,
    "labelFontSize": 12,
    "labelSeparation": 8,
    "titleFontSize": 12,
    "titleFontWeight": "normal",
}
#: Legends side by side keep their distance, and so do the columns of one.
LEGEND = {"columnPadding": 28, "layout": {"top": {"margin": 28}}}
FORMATS = ("svg", "png", "pdf")
WIDE, NARROW = 680, 190  # pixels of a chart beside its names, on a screen and on a phone
PHONE = 270  # pixels of a plot without names beside it, on a phone
LINE, SHORT = 32, 22  # letters of a name on one line, likewise
_SHAPES = frozenset("svg g path rect line circle text tspan defs clipPath linearGradient stop title".split())
_IDS = re.compile(r'(id="|url\(#)([A-Za-z]+[0-9_]+)')
_ROLES = re.compile(r' (?:role="graphics-[a-z]+"|aria-roledescription="[^"]*"|aria-hidden="true"|aria-label="[^"]*")')
_EMPTY = re.compile(r'<path class="(?:foreground|background)"[^>]*? d=""[^>]*/>')


def specification(figure: Figure, *, ink: str = "currentColor", background: str = "transparent") -> str:
    """The chart as Vega-Lite, in one look. `ink` colours text and axes."""
    axis = {f"{part}Color": ink for part in ("label", "title", "domain", "tick", "grid")}
    spec = figure.chart.to_dict()
    spec["background"] = background
    room = 20 + min(max(map(len, _names(figure)), default=0), 80)  # a reader's font may be wider than the measured one
    spec["padding"] = {"left": room, "right": room, "top": 5, "bottom": 5}
    spec["config"] = {
        **spec.get("config", {}),
        "font": "Helvetica, Arial, sans-serif",
        "view": {"stroke": None},
        "axis": {**axis, **AXIS},
        "legend": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "symbolSize": 90, **LEGEND},
        "title": {"color": ink},
        "text": {"color": ink},
    }
    return json.dumps(_drawable(spec))


def wrap_label(line: int) -> str:
    """The expression that breaks an axis label into lines of so many letters, as `wrapped` does."""
    breaks = "regexp('" + _breaks(line).replace("\\", "\\\\") + "', 'g')"
    return f"length(datum.label) > {line} ? split(replace(datum.label, {breaks}, '$1$2\\n'), '\\n') : datum.label"


def wrapped(name: str, line: int) -> list[str]:
    """The lines of a name: broken between words, a longer word where the line ends."""
    return re.sub(_breaks(line), r"\1\2\n", name).split("\n")


def _breaks(line: int) -> str:
    """What ends a line, as a pattern that Python and the chart library both know: where more than a line is left, its
    last space, else its last letter."""
    more = f"(?=.{{{line + 1}}})"
    return rf"{more}(.{{1,{line}}})\s+|{more}(\S{{{line}}})"


def _narrowed(value: object, lines: int, longest: int) -> object:
    """The specification for a phone: narrower plots, names on more lines, fewer ticks and legend columns."""
    if isinstance(value, list):
        return [_narrowed(part, lines, longest) for part in value]
    if not isinstance(value, dict):
        return wrap_label(SHORT) if value == wrap_label(LINE) else value
    made = {key: _narrowed(part, lines, longest) for key, part in value.items()}
    if made.get("width") == WIDE:
        made["width"] = NARROW
    if isinstance(step := made.get("step"), int):
        made["step"] = max(step, 14 * lines)
    if "labelLimit" in made and made.get("orient") != "top":
        made["labelLimit"] = 150
        made |= {name: 150 for name in ("minExtent", "maxExtent") if name in made}
    if "margin" in made:
        made = {"direction": "vertical", "margin": 4}
    if made.get("orient") == "top":
        made["columns"] = 1 if "columns" in made and longest > SHORT else 3
    if "tickCount" in made:
        made["tickCount"] = 3
    if isinstance(cut := made.get("filter"), str):
        made["filter"] = cut.replace("datum.share >= 0.05", "datum.share >= 0.2")
    return made


def _narrow(figure: Figure) -> str:
    """The specification of a chart on a phone: the figure's own, or its chart with narrower plots; "" for one of a
    size that cannot be changed."""
    specified = specification(figure if figure.narrow is None else replace(figure, chart=figure.narrow))
    if figure.narrow is None and f'"width": {WIDE}' not in specified:
        return ""
    names = _names(figure)
    lines = max((len(wrapped(name, SHORT)) for name in names), default=1)
    return json.dumps(_narrowed(json.loads(specified), lines, max(map(len, names), default=0)))


def _names(figure: Figure) -> list[str]:
    """The names that a chart's axis and legend have: texts of its data, but for how an interval was made."""
    columns = (c for c in figure.table.iter_columns() if c.dtype == pl.String and c.name not in ("interval", "by"))
    return [text for column in columns for text in column.unique()[:500] if text]


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
    specified = _narrow(figure) if narrow else specification(figure)
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
