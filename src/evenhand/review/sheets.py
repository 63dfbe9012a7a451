"""Sheets for a person: what is undecided by frequency, a sample with weights, and reading them back. A label on (focus,
target words) holds for every rendering with these words, and is kept as a form (`forms.tsv`, or the user's file)."""

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

LABELLED = Column("label", type=GENDER, required=True, spelt=SPELLINGS, means=LABEL)
SHEET = Layout("row", (LABELLED, Column("weight", type=pl.Float64(), means="a number")), some=False, gaps=True)


def calibrate(
    labels: Path | str | pl.DataFrame, *, language: str | None = None, kind: str | None = None
) -> Calibration:
    """The detector's own error rates from a person's labels, to be given to `audit` or `score`. `labels` is the sheet
    of `sample` with `label` filled in, as a file or a table: columns gender (the verdict), label and weight. Language
    and kind of suite come from its columns target_lang and kind, or from the arguments."""
    language = code(language) if language else None
    if isinstance(labels, pl.DataFrame):
        return error_rates(labels, language=language, kind=kind)
    try:
        return error_rates(read(labels, SHEET).drop(LINE), language=language, kind=kind)
    except BadInput as error:
        raise error if str(labels) in str(error) else BadInput(f"{labels}: {error}") from error


def undecided(run: Run) -> pl.DataFrame:
    """Undecided (focus, target words: those that render it, else the whole rendering), most frequent first, with an
    example; `label` is for the person to fill in."""
    rows = worded(run).filter(pl.col("gender") == Gender.UNKNOWN.value)
    shown = ("source", "rendering", "reason")
    counted = rows.group_by("focus", "target_words", maintain_order=True).agg(
        pl.first(*shown), count=pl.len(), example_id=pl.first("id")
    )
    counted = counted.sort("count", descending=True, maintain_order=True)
    return counted.select("count", "focus", "target_words", pl.lit("").alias("label"), "example_id", *shown)


def sample(run: Run, size: int, *, seed: int = 0) -> pl.DataFrame:
    """Decided verdicts drawn by verdict in equal numbers (small strata whole); `weight` is how many renderings each one
    represents, by_GROUPING its groups, `cluster` which renderings are alike. `evenhand calibrate` reads the sheet with
    `label` filled in."""
    rows = worded(run).filter(pl.col("gender") != Gender.UNKNOWN.value)
    strata = {g: rows.filter(gender=g) for g in rows["gender"].unique().sort()}
    sizes = dict.fromkeys(strata, 0)
    for number, gender in enumerate(sorted(strata, key=lambda g: strata[g].height)):
        sizes[gender] = min(strata[gender].height, (size - sum(sizes.values())) // (len(strata) - number))
    drawn = []
    for number, (gender, stratum) in enumerate(strata.items()):
        if sizes[gender]:
            rng = np.random.default_rng(np.random.SeedSequence([seed, number]))
            picked = np.sort(rng.choice(stratum.height, size=sizes[gender], replace=False))
            drawn.append(stratum[picked.tolist()].with_columns(weight=pl.lit(stratum.height / sizes[gender])))
    if not drawn:
        raise BadInput("no decided verdict to sample from, or the sample is too small")
    mixed = pl.concat(drawn)
    order = np.random.default_rng(np.random.SeedSequence([seed, len(strata)])).permutation(mixed.height)
    shuffled: pl.DataFrame = mixed[order.tolist()]
    axis = next((c for c in run.manifest.suite.clusters if c in shuffled.columns), None)
    named = {} if axis is None else {"cluster": shuffled[axis].cast(pl.String).str.replace_all(r"[\t\r\n]+", " ")}
    levels = {PREFIX + g.name: level_of(g, shuffled) for g in run.manifest.suite.groupings}
    named |= {name: level for name, level in levels.items() if level is not None}
    judged = shuffled.with_columns(**named, kind=pl.lit(run.manifest.suite.kind), label=pl.lit(""))
    texts = ("focus", "target_words", "evidence", "source", "rendering")
    return judged.select(*KEYS, "kind", "gender", "weight", "label", *texts, *named)


def take_labels(run: Run, path: Path, *, labeller: str, forms_file: Path | None = None) -> tuple[int, int]:
    """Read a sheet back: (renderings labelled, forms kept). A row with an id labels that rendering, one with focus and
    target_words every rendering with them. Rows that show another rendering than the run has label nothing: a caution
    says how many."""
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
    if elsewhere and elsewhere == sheet.height:
        raise BadInput(
            f"{path}: none of its labels is on a rendering of this run: does the sheet belong to another run?"
        )
    if elsewhere:
        text = f"labels left out, because this run has other renderings: {elsewhere:,}. Is it another run's sheet?"
        warn(f"{path}: {text}", Caution, stacklevel=2)
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
        words = {name: line[name] for name in ("focus", "target_words")}
        return rows.filter(**words, gender=Gender.UNKNOWN.value), (words["focus"], words["target_words"])
    raise BadInput.at(path, number, "a label needs an id, or focus and target_words")


def _spaced(text: str) -> str:
    """A text as a spreadsheet may give it back: blanks are one blank, none at the ends."""
    return " ".join(text.split())


def worded(run: Run) -> pl.DataFrame:
    """First answers with `focus` and `target_words` (folded) as text."""

    def line(text: pl.Expr) -> pl.Expr:
        return text.fill_null("").str.replace_all(r"[\t\r\n]+", " ")

    start, end = pl.col("evidence_start"), pl.col("evidence_end")
    words = pl.coalesce(pl.col("rendering").str.slice(start, end - start), "rendering")
    return run.answers.with_columns(
        gender=pl.col("gender").cast(pl.String).fill_null(Gender.UNKNOWN.value),
        focus=line(pl.col("focus") if "focus" in run.answers.columns else pl.lit("")).str.to_lowercase(),
        target_words=line(words).str.to_lowercase().str.strip_chars(),
        **{column: line(pl.col(column)) for column in ("source", "rendering", "evidence", "reason")},
    )


def keep_forms(path: Path, forms: list[tuple[str, str, str]]) -> int:
    """Add (concept, form, gender) to a forms file, one writer at a time; a form already there, or one that would be
    more than one cell, is left out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    own_file(path)
    added = 0
    with one_writer(path.parent if (path.parent / MANIFEST).is_file() else path):
        known: dict[str, dict[str, list[str]]] = {
            row["concept"]: {c: [f for f in row.get(c, "").split("|") if f] for c in FORM_COLUMNS[1:]}
            for row in table_rows(path)
        }
        for given, words, gender in forms:
            concept, form = " ".join(given.split()), " ".join(words.split())  # a line break would be another row
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
            rows = ([c, *("|".join(cells[k]) for k in FORM_COLUMNS[1:])] for c, cells in sorted(known.items()))
            lines = ["# source\tlabels given with `evenhand review`", *map("\t".join, (FORM_COLUMNS, *rows))]
            write_text(path, "\n".join(lines) + "\n")
    return added
