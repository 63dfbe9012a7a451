"""The report of a mining run as one HTML page without scripts or outside files."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from importlib.resources import files
from string import Template

import polars as pl

from evenhand.mining import pictures
from evenhand.mining.collect import Collected, MinedLanguage
from evenhand.mining.words import WordRatio

PAIRS_SHOWN, WORDS_SHOWN, WORDS_DRAWN = 200, 40, 20


def page(result: Collected, summary: dict[str, object]) -> str:
    """Funnel, seconds of each step, and for each language words and pairs; everything escaped."""
    template = Template((files("evenhand.mining") / "data" / "report.html").read_text(encoding="utf-8"))
    seconds = summary["seconds"]
    spent = seconds.items() if isinstance(seconds, dict) else ()
    parts = [_language(found) for found in result.languages.values()]
    shared = result.shared()
    if len(result.languages) > 1:
        rows = [tuple(str(v) for v in row) for row in shared.head(PAIRS_SHOWN).iter_rows()]
        parts.append(f"<h2>At risk in several languages ({shared.height})</h2>{_table(shared.columns, rows)}")
    return template.substitute(
        signature=html.escape(str(summary["signature"])),
        funnel=f"{pictures.funnel(list(result.funnel()))}<p>Bars are on a logarithmic scale.</p>"
        + _folded("counts", _table(("step", "what", "count"), [(s, w, f"{n:,}") for s, w, n in result.funnel()])),
        seconds=_table(("step", "seconds, all workers together"), [(k, f"{v:,.1f}") for k, v in spent]),
        peak=f"{result.peak_mb:,.0f}",
        languages="\n".join(parts),
    )


def _language(found: MinedLanguage) -> str:
    at_risk = found.at_risk
    shown = _pairs(at_risk.head(PAIRS_SHOWN))
    return (
        f"<h2>Into {html.escape(found.code)}: {at_risk.height:,} pairs at risk</h2>"
        f"<h3>Words in pairs at risk</h3>{_words(found.words_at_risk)}"
        f"<h3>Words in pairs not at risk</h3>{_words(found.words_not_at_risk)}"
        f"<h3>Pairs at risk (the first {min(PAIRS_SHOWN, at_risk.height)})</h3>{shown}"
    )


def _words(words: Sequence[WordRatio]) -> str:
    rows = [
        (
            w.word,
            str(w.masculine),
            str(w.feminine),
            f"{w.log_ratio:+.2f} [{w.low:+.2f}, {w.high:+.2f}]",
            f"{w.share_masculine:.2f} [{w.share_low:.2f}, {w.share_high:.2f}]",
        )
        for w in words[:WORDS_SHOWN]
    ]
    table = _table(("word", "masculine", "feminine", "log ratio (0.5 added)", "share masculine"), rows)
    return pictures.words(words[:WORDS_DRAWN]) + _folded(f"the first {len(rows)} words", table)


def _folded(name: str, table: str) -> str:
    return f"<details><summary>Table: {html.escape(name)}</summary>{table}</details>"


def _pairs(pairs: pl.DataFrame) -> str:
    rows = []
    for row in pairs.iter_rows(named=True):
        for role in ("original", "substitute"):
            source = _marked(row[f"source_{role}"], row[f"focus_start_{role}"], row[f"focus_end_{role}"])
            rendering = _marked(row[f"rendering_{role}"], row[f"evidence_start_{role}"], row[f"evidence_end_{role}"])
            name = html.escape(row["pair"]) if role == "original" else ""
            cells = (name, source, rendering, html.escape(str(row[f"gender_{role}"])))
            rows.append(f'<tr class="{role}">' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{name}</th>" for name in ("pair", "source", "rendering", "gender"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else "<p>none</p>"


def _marked(text: str, start: int | None, end: int | None) -> str:
    if start is None or end is None:
        return html.escape(text)
    return f"{html.escape(text[:start])}<mark>{html.escape(text[start:end])}</mark>{html.escape(text[end:])}"


def _table(columns: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(c)}</th>" for c in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else "<p>none</p>"
