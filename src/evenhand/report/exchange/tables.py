"""Estimates as tables for spreadsheets, machines and papers, and a section for a model card."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from evenhand.errors import Unknown
from evenhand.level import interval_words
from evenhand.report.exchange.spreadsheet import csv_table, tsv_table
from evenhand.report.pages.kinds import Result, shown
from evenhand.report.words.narrative import answer
from evenhand.report.words.vocabulary import language, show, span, wording
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text
from evenhand.storage.tables import ALL
from evenhand.visible import visible

_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "Δ": r"$\Delta$",
        "−": r"$-$",
        "–": "--",
        "…": r"\dots{}",
        "\u00a0": "~",
        "→": r"$\rightarrow$",
    }
)


def to_csv(results: Sequence[Result]) -> str:
    """Every estimate, one row each, with what it is of (system and languages) and signature: nothing rounded."""
    return csv_table(_all(results))


def to_json(results: Sequence[Result]) -> str:
    """A list of results with signature and estimates; undefined values are null."""
    content = [
        {
            **_subject(result),
            "signature": result.signature,
            "estimates": result.estimates.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts(),
        }
        for result in results
    ]
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def to_latex(results: Sequence[Result]) -> str:
    """The overall estimates as a booktabs table; needs \\usepackage{booktabs}."""
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{llrrrr}",
        r"\toprule",
        rf"{_of(results)} & Measure & Value & {tex(_interval_words(results))} & Valid & Decided \\",
        r"\midrule",
    ]
    lines += [" & ".join(map(tex, row)) + r" \\" for result in results for row in _headline(result)]
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {visible(result.signature)}" for result in results]
    return "\n".join(lines) + "\n"


def to_markdown(results: Sequence[Result]) -> str:
    """The overall estimates as a Markdown table, signatures below."""
    head = (_of(results), "Measure", "Value", _interval_words(results), "Valid", "Decided")
    lines = [f"| {' | '.join(head)} |", "|---|---|---:|---|---:|---:|"]
    lines += [
        "| " + " | ".join(markdown_text(c) for c in row) + " |" for result in results for row in _headline(result)
    ]
    lines += ["", *(f"Signature: `{visible(result.signature).replace('`', ' ')}`  " for result in results)]
    return "\n".join(lines) + "\n"


def to_model_card(results: Sequence[Result]) -> str:
    """A section for a model card: what was asked, what came out, what it means, limits, how to repeat it."""
    lines = ["## Gender in translation (Evenhand)", ""]
    for result in results:
        if isinstance(result, Run):
            info, headline = result.manifest, answer(result)
            pair = f"{language(info.suite.source_lang)} to {language(info.target_lang)}"
            title = f"{info.suite.name} {info.suite.version}, {pair}"
            judged = "calibrated on a person's labels" if info.calibration else "uncalibrated"
            limits = (
                "the numbers hold for these sentences and this version of the system; "
                f"the detector is {judged}; female, male, neutral, both and undecided are counted separately."
            )
        else:
            what = shown(result)
            title, headline, limits = result.manifest.title, what.answer, " ".join(what.limits)
        lines += [
            f"### {markdown_text(title)}",
            "",
            markdown_text(headline.setting),
            markdown_text(headline.finding),
            markdown_text(headline.meaning),
            "",
        ]
        lines += [to_markdown([result]), f"Limits: {markdown_text(limits)}", ""]
    return "\n".join(lines)


WRITERS: dict[str, Callable[[Sequence[Result]], str]] = {
    ".csv": to_csv,
    ".json": to_json,
    ".tex": to_latex,
    ".md": to_markdown,
}


def write_table(results: Sequence[Result], output: Path) -> None:
    """One table in the format that the file's suffix names."""
    writer = WRITERS.get(output.suffix.lower())
    if writer is None:
        raise Unknown("table format", output.suffix or output.name, WRITERS)
    write_text(output, writer(results))


def write_tables(results: Sequence[Result], folder: Path) -> None:
    """estimates.csv, .json, .tex, .md and model-card.md in one folder."""
    for suffix, writer in WRITERS.items():
        write_text(folder / f"estimates{suffix}", writer(results))
    write_text(folder / "model-card.md", to_model_card(results))


def _of(results: Sequence[Result]) -> str:
    return "System" if isinstance(results[0], Run) else "Of"


def _subject(result: Result) -> dict[str, str]:
    """What the estimates are of."""
    if isinstance(result, Run):
        info = result.manifest
        languages = {"source_lang": info.suite.source_lang, "target_lang": info.target_lang}
        return {"system": info.system_name, "suite": info.suite.name, **languages}
    return {"kind": result.manifest.kind, "title": result.manifest.title}


def _all(results: Sequence[Result]) -> pl.DataFrame:
    parts = [
        result.estimates.with_columns(pl.col(pl.Float64).fill_nan(None)).select(
            *(pl.lit(value).alias(name) for name, value in _subject(result).items()),
            pl.all(),
            pl.lit(result.signature).alias("signature"),
        )
        for result in results
    ]
    return pl.concat(parts, how="diagonal")


def _headline(result: Result) -> list[tuple[str, ...]]:
    """Of a run the overall estimates, of findings all: what they are of, measure, value, interval, valid, decided."""
    overall = result.estimates.filter(pl.col("group") == ALL) if isinstance(result, Run) else result.estimates
    rows: list[tuple[str, ...]] = []
    for row in overall.iter_rows(named=True):
        words = wording(row["measure"])
        variant = "" if row["variant"] in (None, "raw") else f" ({row['variant']})"
        against = f" · {row['reference']}" if row["reference"] else ""
        rows.append(
            (
                result.manifest.system_name if isinstance(result, Run) else row["level"] or result.manifest.title,
                f"{words.title}{against}{variant}",
                show(row["value"], words.unit),
                span(row["low"], row["high"], words.unit),
                "" if row.get("n_valid") is None else f"{row['n_valid']:,} of {row['n']:,}",
                f"{row['n_decided']:,} of {row['n']:,}",
            )
        )
    return rows


def _interval_words(results: Sequence[Result]) -> str:
    return interval_words(*(result.manifest.level for result in results))


def tex(text: str) -> str:
    """Text that stays text in LaTeX."""
    return visible(text).translate(_TEX)


def markdown_text(text: str) -> str:
    """Text that stays text in Markdown: no table breaks, no HTML, no links, no emphasis."""
    return re.sub(r"([\\|\[\]*_`])", r"\\\1", visible(text)).replace("<", "&lt;").replace(">", "&gt;")


# Any table as text for spreadsheets, machines and people: TSV, CSV, JSON lines, Markdown.


def rows_as_jsonl(table: pl.DataFrame) -> str:
    """One object per row; undefined numbers are null."""
    return table.with_columns(pl.col(pl.Float64).fill_nan(None)).write_ndjson()


def rows_as_markdown(table: pl.DataFrame) -> str:
    """One table, in which text stays text."""
    return _row(table.columns) + "|---" * table.width + "|\n" + "".join(map(_row, table.iter_rows()))


def _row(values: Sequence[object]) -> str:
    cells = (markdown_text("" if value is None else " ".join(str(value).split())) for value in values)
    return "| " + " | ".join(cells) + " |\n"


ROW_WRITERS: dict[str, Callable[[pl.DataFrame], str]] = {
    "tsv": tsv_table,
    "csv": csv_table,
    "jsonl": rows_as_jsonl,
    "md": rows_as_markdown,
}
