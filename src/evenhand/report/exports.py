"""Estimates as tables for spreadsheets, machines and papers, and a section for a model card."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from evenhand.atomic import write_text
from evenhand.errors import Unknown
from evenhand.level import interval_words
from evenhand.measures.rows import ALL
from evenhand.report.marks import visible
from evenhand.report.narrative import answer
from evenhand.report.vocabulary import language, show, span, wording
from evenhand.runs import Run

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


def to_csv(runs: Sequence[Run]) -> str:
    """Every estimate, one row each, with system, languages and signature: nothing rounded."""
    table = _all(runs)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_plain(value) for value in row] for row in table.iter_rows())
    return stream.getvalue()


def _plain(value: object) -> object:
    # A spreadsheet runs a cell that starts with = + - @ as a formula; a leading quote keeps text text.
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value


def to_json(runs: Sequence[Run]) -> str:
    """A list of runs with signature and estimates; undefined values are null."""
    content = [
        {
            "system": run.manifest.system,
            "suite": run.manifest.suite.name,
            "target_lang": run.manifest.target_lang,
            "signature": run.signature,
            "estimates": run.estimates.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts(),
        }
        for run in runs
    ]
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def to_latex(runs: Sequence[Run]) -> str:
    """The overall estimates as a booktabs table; needs \\usepackage{booktabs}."""
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{llrrr}",
        r"\toprule",
        rf"System & Measure & Value & {_tex(_interval_words(runs))} & Decided \\",
        r"\midrule",
    ]
    for run in runs:
        for system, measure, value, interval, decided in _headline(run):
            cells = [_tex(c) for c in (system, measure, value, interval, decided)]
            lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {visible(run.signature)}" for run in runs]
    return "\n".join(lines) + "\n"


def to_markdown(runs: Sequence[Run]) -> str:
    """The overall estimates as a Markdown table, signatures below."""
    lines = [f"| System | Measure | Value | {_interval_words(runs)} | Decided |", "|---|---|---:|---|---:|"]
    lines += ["| " + " | ".join(_md(c) for c in row) + " |" for run in runs for row in _headline(run)]
    lines += ["", *(f"Signature: `{visible(run.signature).replace('`', ' ')}`  " for run in runs)]
    return "\n".join(lines) + "\n"


def to_model_card(runs: Sequence[Run]) -> str:
    """A section for a model card: what was asked, what came out, what it means, limits, how to repeat it."""
    lines = ["## Gender in translation (Evenhand)", ""]
    for run in runs:
        info = run.manifest
        said = answer(run)
        pair = f"{language(info.suite.source_lang)} to {language(info.target_lang)}"
        lines += [f"### {_md(info.suite.name)} {info.suite.version}, {pair}", ""]
        lines += [_md(said.asked), _md(said.found), _md(said.means), ""]
        lines += [to_markdown([run])]
        lines += [
            "Limits: the numbers hold for these sentences and this version of the system; "
            + (
                "the detector is calibrated on a person's labels"
                if info.calibration
                else "the detector is uncalibrated"
            )
            + "; female, male, neutral, both and undecided are counted apart.",
            "",
        ]
    return "\n".join(lines)


WRITERS: dict[str, Callable[[Sequence[Run]], str]] = {
    ".csv": to_csv,
    ".json": to_json,
    ".tex": to_latex,
    ".md": to_markdown,
}


def write_tables(runs: Sequence[Run], folder: Path) -> list[Path]:
    """estimates.csv, .json, .tex, .md and model-card.md in one folder."""
    written = []
    for suffix, writer in WRITERS.items():
        written.append(folder / f"estimates{suffix}")
        write_text(written[-1], writer(runs))
    written.append(folder / "model-card.md")
    write_text(written[-1], to_model_card(runs))
    return written


def write_table(runs: Sequence[Run], output: Path) -> Path:
    """One table in the format that the file's suffix names."""
    writer = WRITERS.get(output.suffix.lower())
    if writer is None:
        raise Unknown("table format", output.suffix or output.name, WRITERS)
    write_text(output, writer(runs))
    return output


def _all(runs: Sequence[Run]) -> pl.DataFrame:
    parts = [
        run.estimates.with_columns(pl.col(pl.Float64).fill_nan(None)).select(
            pl.lit(run.manifest.system).alias("system"),
            pl.lit(run.manifest.suite.name).alias("suite"),
            pl.lit(run.manifest.suite.source_lang).alias("source_lang"),
            pl.lit(run.manifest.target_lang).alias("target_lang"),
            pl.all(),
            pl.lit(run.signature).alias("signature"),
        )
        for run in runs
    ]
    return pl.concat(parts, how="diagonal")


def _headline(run: Run) -> list[tuple[str, str, str, str, str]]:
    rows = []
    for row in run.estimates.filter(pl.col("group") == ALL).iter_rows(named=True):
        words = wording(row["measure"])
        variant = "" if row["variant"] in (None, "raw") else f" ({row['variant']})"
        rows.append(
            (
                run.manifest.system,
                f"{words.title}{variant}",
                show(row["value"], words.unit),
                span(row["low"], row["high"], words.unit),
                f"{row['n_decided']:,} of {row['n']:,}",
            )
        )
    return rows


def _interval_words(runs: Sequence[Run]) -> str:
    return interval_words(*(run.manifest.level for run in runs))


def _tex(text: str) -> str:
    return visible(text).translate(_TEX)


def _md(text: str) -> str:
    """Text that stays text in Markdown: no table breaks, no HTML, no links, no emphasis."""
    shown = visible(text)
    for character in "\\|<>[]*_`":
        shown = shown.replace(
            character, f"\\{character}" if character not in "<>" else {"<": "&lt;", ">": "&gt;"}[character]
        )
    return shown
