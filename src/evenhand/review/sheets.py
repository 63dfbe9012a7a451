"""Sheets for a person: what is undecided by frequency, a sample with weights, and reading them back with labels.

A label on (focus, target words) holds for every rendering with the same words, and is kept as a form: in the file the
user names, else in `forms.tsv` in the run's folder. Other runs know it where they are given that file.
"""

from __future__ import annotations

from pathlib import Path
from warnings import warn

import numpy as np
import polars as pl

from evenhand.detect import own_forms
from evenhand.detect.own_forms import COLUMNS as FORM_COLUMNS
from evenhand.errors import BadInput, Caution
from evenhand.gender import LABEL, SPELLINGS, Gender
from evenhand.languages import code
from evenhand.measures.calibration import PREFIX, Calibration, level_of
from evenhand.measures.calibration import calibrate as error_rates
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.results.runs import Run
from evenhand.review.labels import KEYS, LabelKey, add_labels
from evenhand.storage.atomic import write_text
from evenhand.storage.folders import MANIFEST, own_file
from evenhand.storage.locking import one_writer
from evenhand.storage.tables import GENDER
from evenhand.tsv import rows as table_rows

SHEET = Layout(
    "row",
    (
        Column("label", type=GENDER, required=True, spelt=SPELLINGS, means=LABEL),
        Column("weight", type=pl.Float64(), means="a number"),
    ),
    some=False,
    gaps=True,
)


def calibrate(
    labels: Path | str | pl.DataFrame, *, language: str | None = None, kind: str | None = None
) -> Calibration:
    """The detector's own error rates from a person's labels, to be given to `audit` or `score`.

    `labels` is the sheet of `sample` with `label` filled in, as a file or a table: columns gender (the verdict), label
    and weight. Language and kind of suite come from its columns target_lang and kind, or from the arguments.
    """
    language = code(language) if language else None
    if isinstance(labels, pl.DataFrame):
        return error_rates(labels, language=language, kind=kind)
    try:
        return error_rates(read(labels, SHEET).drop(LINE), language=language, kind=kind)
    except BadInput as error:
        raise error if str(labels) in str(error) else BadInput(f"{labels}: {error}") from error


def undecided(run: Run) -> pl.DataFrame:
    """Undecided (focus, target words), most frequent first, with an example; `label` is for the person to fill in.

    The target words are the words that render the focus where the detector found them, else the whole rendering.
    """
    rows = worded(run).filter(pl.col("gender") == Gender.UNKNOWN.value)
    return (
        rows.group_by("focus", "target_words", maintain_order=True)
        .agg(
            pl.len().alias("count"),
            pl.first("id").alias("example_id"),
            pl.first("source"),
            pl.first("rendering"),
            pl.first("reason"),
        )
        .sort("count", descending=True, maintain_order=True)
        .select(
            "count", "focus", "target_words", pl.lit("").alias("label"), "example_id", "source", "rendering", "reason"
        )
    )


def sample(run: Run, size: int, *, seed: int = 0) -> pl.DataFrame:
    """Decided verdicts drawn by verdict in equal numbers; `weight` is how many renderings each one stands for.

    Strata smaller than their part are taken whole, and what they leave goes to the larger ones. The same seed draws the
    same rows. Columns by_GROUPING say which group a rendering belongs to, `cluster` which renderings are alike. The
    sheet, with `label` filled in, is what `evenhand calibrate` reads.
    """
    rows = worded(run).filter(pl.col("gender") != Gender.UNKNOWN.value)
    strata = {g: rows.filter(pl.col("gender") == g) for g in rows["gender"].unique().sort().to_list()}
    left = dict.fromkeys(strata, 0)
    for number, gender in enumerate(sorted(strata, key=lambda g: strata[g].height)):
        left[gender] = min(strata[gender].height, (size - sum(left.values())) // (len(strata) - number))
    drawn = []
    for number, (gender, stratum) in enumerate(strata.items()):
        if left[gender]:
            rng = np.random.default_rng(np.random.SeedSequence([seed, number]))
            picked = np.sort(rng.choice(stratum.height, size=left[gender], replace=False))
            drawn.append(stratum[picked.tolist()].with_columns(weight=pl.lit(stratum.height / left[gender])))
    if not drawn:
        raise BadInput("there is no decided verdict to draw a sample from, or the sample is too small")
    mixed = pl.concat(drawn)
    order = np.random.default_rng(np.random.SeedSequence([seed, len(strata)])).permutation(mixed.height)
    shuffled: pl.DataFrame = mixed[order.tolist()]
    axis = next((c for c in run.manifest.suite.clusters if c in shuffled.columns), None)
    named = {} if axis is None else {"cluster": shuffled[axis].cast(pl.String).str.replace_all(r"[\t\r\n]+", " ")}
    levels = {PREFIX + g.name: level_of(g, shuffled) for g in run.manifest.suite.groupings}
    named |= {name: level for name, level in levels.items() if level is not None}
    return shuffled.with_columns(**named).select(
        *KEYS, pl.lit(run.manifest.suite.kind).alias("kind"), "gender", "weight", pl.lit("").alias("label"),
        "focus", "target_words", "evidence", "source", "rendering", *named,
    )  # fmt: skip


def take_labels(run: Run, path: Path, *, labeller: str, forms_file: Path | None = None) -> tuple[int, int]:
    """Read a sheet back: (renderings labelled, forms kept in `forms_file`, or else in the run's folder).

    A row with an id labels that rendering; one with focus and target_words labels every rendering with those words; one
    without a label is passed over. A row that shows another rendering than the run has under its id, as that of another
    run's sheet, labels nothing: a caution says how many, and a sheet of nothing else is an error.
    """
    if run.path is None:
        raise BadInput("labels belong to a run folder: save the run first")
    rows = worded(run)
    labels: list[tuple[LabelKey, str]] = []
    forms: list[tuple[str, str, str]] = []
    elsewhere = 0
    sheet = read(path, SHEET).filter(pl.col("label").is_not_null())
    for line in sheet.with_columns(pl.exclude(LINE).cast(pl.String).fill_null("")).iter_rows(named=True):
        gender = line["label"]
        chosen, words = _rows_of(rows, line, path, line[LINE])
        if line.get("id") and not chosen.height:
            elsewhere += 1
            continue
        labels += [(LabelKey(*row), gender) for row in chosen.select(KEYS).iter_rows()]
        if words and chosen["evidence_start"].is_not_null().any() and gender != Gender.UNKNOWN.value:
            forms.append((*words, gender))
    if elsewhere:
        _tell_elsewhere(path, elsewhere, sheet.height)
    if labels:
        add_labels(run.path, labels, labeller=labeller)
    kept = keep_forms(forms_file or run.path / own_forms.FILE, forms) if run.manifest.suite.kind == "nouns" else 0
    return len(labels), kept


def _rows_of(
    rows: pl.DataFrame, line: dict[str, str], path: Path, number: int
) -> tuple[pl.DataFrame, tuple[str, str] | None]:
    if line.get("id"):
        keys = [c for c in KEYS if line.get(c)]
        fitting = rows.filter(pl.all_horizontal([pl.col(c).cast(pl.String) == line[c] for c in keys]))
        if not fitting.height:
            raise BadInput.at(path, number, f"id {line['id']!r} is not in this run")
        read = _spaced(line.get("rendering", ""))
        return fitting.filter([not read or _spaced(text) == read for text in fitting["rendering"]]), None
    if "focus" in line and "target_words" in line:
        focus, words = line["focus"], line["target_words"]
        fitting = rows.filter((pl.col("focus") == focus) & (pl.col("target_words") == words))
        fitting = fitting.filter(pl.col("gender") == Gender.UNKNOWN.value)
        return fitting, (focus, words)
    raise BadInput.at(path, number, "a label needs an id, or focus and target_words")


def _spaced(text: str) -> str:
    """A text as a spreadsheet may give it back: blanks are one blank, none at the ends."""
    return " ".join(text.split())


def _tell_elsewhere(path: Path, elsewhere: int, labelled: int) -> None:
    if elsewhere == labelled:
        raise BadInput(f"{path}: none of its labels is on a rendering of this run: is it the sheet of another run?")
    rows = "1 label is" if elsewhere == 1 else f"{elsewhere:,} labels are"
    told = f"{path}: {rows} on other renderings than this run has, and left out: is it the sheet of another run?"
    warn(told, Caution, stacklevel=3)


def worded(run: Run) -> pl.DataFrame:
    """First answers with `focus` and `target_words` (folded) as text."""
    table = run.answers
    if "focus" not in table.columns:
        table = table.with_columns(pl.lit("").alias("focus"))
    start = pl.col("evidence_start")
    span = pl.col("rendering").str.slice(start, pl.col("evidence_end") - start)
    words = (
        pl.when(start.is_not_null() & pl.col("evidence_end").is_not_null()).then(span).otherwise(pl.col("rendering"))
    )
    clean = [
        pl.col(c).fill_null("").str.replace_all(r"[\t\r\n]+", " ")
        for c in ("source", "rendering", "evidence", "reason")
    ]
    return table.with_columns(
        gender=pl.col("gender").cast(pl.String).fill_null(Gender.UNKNOWN.value),
        focus=pl.col("focus").fill_null("").str.to_lowercase().str.replace_all(r"[\t\r\n]+", " "),
        target_words=words.fill_null("").str.to_lowercase().str.replace_all(r"[\t\r\n]+", " ").str.strip_chars(),
    ).with_columns(clean)


def keep_forms(path: Path, forms: list[tuple[str, str, str]]) -> int:
    """Add (concept, form, gender) to a forms file; a form already there with that gender is not repeated.

    One writer at a time: what others add meanwhile is kept. A form that would be more than one cell is left out.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    own_file(path)
    with one_writer(path.parent if (path.parent / MANIFEST).is_file() else path):
        return _keep_forms(path, forms)


def _keep_forms(path: Path, forms: list[tuple[str, str, str]]) -> int:
    known = _read_forms(path)
    added = 0
    for given, words, gender in forms:
        concept, form = " ".join(given.split()), " ".join(words.split())  # a line break would be a row of its own
        if not concept or not form or concept.startswith("#") or "|" in form:
            continue
        cells = known.setdefault(concept, {c: [] for c in FORM_COLUMNS[1:]})
        for column, values in cells.items():
            if column != gender and form in values:
                values.remove(form)  # the latest label counts
        if form not in cells[gender]:
            cells[gender].append(form)
            added += 1
    if added:
        lines = ["# source\tlabels given with `evenhand review`", "\t".join(FORM_COLUMNS)]
        lines += ["\t".join([c, *("|".join(cells[k]) for k in FORM_COLUMNS[1:])]) for c, cells in sorted(known.items())]
        write_text(path, "\n".join(lines) + "\n")
    return added


def _read_forms(path: Path) -> dict[str, dict[str, list[str]]]:
    return {
        row["concept"]: {c: [f for f in row.get(c, "").split("|") if f] for c in FORM_COLUMNS[1:]}
        for row in table_rows(path)
    }
