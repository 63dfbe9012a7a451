"""Pictures of the mining report as plain SVG: the funnel as bars, words as dots with intervals. No script, no package.

Drawn in the page's own ink, so that they are legible in black and white and on a dark page.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from evenhand.mining.words import WordRatio

WIDTH, ROW, LABELS = 920, 22, 400
PLOT = WIDTH - LABELS - 90


def funnel(rows: Sequence[tuple[str, str, int]]) -> str:
    """One bar a step on a logarithmic scale (counts go from tens of thousands to a handful), with its number."""
    counted = [(f"{step}: {what}", count) for step, what, count in rows]
    most = max((count for _, count in counted), default=0)
    if most < 1:
        return ""
    lines = []
    for n, (name, count) in enumerate(counted):
        y = n * ROW
        width = PLOT * math.log10(count + 1) / math.log10(most + 1)
        lines.append(
            f'<text x="{LABELS - 8}" y="{y + 15}" text-anchor="end">{html.escape(name)}</text>'
            f'<rect x="{LABELS}" y="{y + 4}" width="{width:.1f}" height="{ROW - 8}" opacity="0.55"/>'
            f'<text x="{LABELS + width + 6:.1f}" y="{y + 15}">{count:,}</text>'
        )
    return _svg(lines, len(counted) * ROW, "Counts of each step, bars on a logarithmic scale")


def words(found: Sequence[WordRatio]) -> str:
    """Share masculine of each word with its 95 % interval; the dashed line is balance."""
    found = [word for word in found if math.isfinite(word.share_masculine)]
    if not found:
        return ""
    height = len(found) * ROW
    middle = LABELS + PLOT / 2
    lines = [
        f'<line x1="{middle}" x2="{middle}" y1="0" y2="{height}" stroke="currentColor" stroke-dasharray="4 3"/>',
        f'<text x="{LABELS}" y="{height + 16}">all feminine</text>',
        f'<text x="{LABELS + PLOT}" y="{height + 16}" text-anchor="end">all masculine</text>',
    ]
    for n, word in enumerate(found):
        y = n * ROW + ROW / 2
        low, high, share = (LABELS + PLOT * v for v in (word.share_low, word.share_high, word.share_masculine))
        lines.append(
            f'<text x="{LABELS - 8}" y="{y + 4}" text-anchor="end">{html.escape(word.word)}</text>'
            f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" stroke="currentColor" stroke-width="2"/>'
            f'<circle cx="{share:.1f}" cy="{y}" r="4.5" fill="currentColor"/>'
            f'<text x="{LABELS + PLOT + 8}" y="{y + 4}">{word.masculine} : {word.feminine}</text>'
        )
    return _svg(lines, height + 24, "Share of masculine renderings by word with 95 % intervals")


def _svg(lines: Sequence[str], height: float, title: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" width="100%" style="max-width:{WIDTH}px" font-size="13" '
        f'fill="currentColor" role="img" aria-label="{html.escape(title)}">{"".join(lines)}</svg>'
    )
