"""Farkas & Nemeth 2022: the worked examples, Table 7 from Table 6, and the measure on Prates' real pronouns.

The authors' own data (Hungarian census, survey, Google's output) are not public: what can be checked is what follows
from one printed number to another, through the real measures. Prates et al. published the pronouns Google wrote in
2018 for 1,019 occupations in twelve languages, and US shares of women: the same score, also by sector, on real data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.measures.definitions import added_word, optimal
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.references import reference
from evenhand.replicate.cell import CellKey, Input, TableCell, compare, printed_remarks, published, value

PAPER = "farkas2022"
PRATES, SECTORS = "Prates pronouns x BLS shares", "Prates pronouns x BLS shares, by sector"
STUDIED = "Hungarian"  # the study's language; another one by its name
GENDERS = {"Male": "male", "Female": "female", "Neutral": "neutral"}
PRONOUNS = {"male": "he", "female": "she"}
TABLE_1, TABLE_3, TABLE_6 = "Table 1", "Table 3, inputs", "Table 6"
SECTOR_MEASURES = ("B_female_dominated", "B_male_dominated", "wrong_female_dominated", "wrong_male_dominated")
# Printed columns of Table 6 (original sentence -> sentence with an adjective), as pronouns before and after.
CHANGES = {
    "she -> she %": ("female", "female"),
    "he -> he %": ("male", "male"),
    "she -> he %": ("female", "male"),
    "he -> she %": ("male", "female"),
}


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """Worked examples of the paper; then for each language of Prates' file counts, wrong pronouns and B."""
    pronouns, shares = _pronouns(data), _shares(data)
    languages = [c for c in pronouns.columns if c not in ("Category", "Occupation")]
    if system is not None and system not in languages:
        raise Unknown("system", system, languages, hint="Here a system is a language column of job-genders.tsv.")
    rows = [*_examples(), *_adjectives()] if system is None else []
    for language in languages:
        if system in (None, language):
            table = _joined(language, pronouns, shares)
            rows += _language(language, table)
            if language == (system or STUDIED):
                rows += _sectors(language, table)
    return rows


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """What cannot be recomputed, and the paper's slips."""
    del data, system
    return printed_remarks(PAPER)


def _examples() -> Iterator[TableCell]:
    """Masculinity from the printed answers (Table 1), B from the printed shares and pronouns (Table 3, the text)."""
    answers = pl.DataFrame([{c: _given(TABLE_1, "survey", "carpenter", c) for c in reference.ANSWERS}])
    feminine = float(reference.with_femininity(answers)["share_women"][0])
    yield _row(("Table 2", "survey", "carpenter", "masculinity %"), 100 * (1 - feminine))
    given = (("statistician", "male"), ("dancer", "female"), ("choreographer", "male"))
    each = {
        name: _occupation(name, _given(TABLE_3, "google", name, "female employees %") / 100, gender)
        for name, gender in given
    }
    category = pl.concat([each["dancer"], each["choreographer"]])
    for name, table in (*each.items(), ("Dancers and Choreographers", category)):
        yield _row(("Table 3", "google", name, "B"), value(_aggregate("B_mean"), table))
    example = "occupation A, 60 % women, he"
    bias = value(_aggregate("B_mean"), _occupation("A", 0.6, "male"))
    yield _row(("text", "example", example, "B"), bias, source="typed constant")


def _occupation(name: str, share: float, gender: str) -> pl.DataFrame:
    return pl.DataFrame({"concept": [name], "gender": [gender], "share_women": [share]})


def _adjectives() -> Iterator[TableCell]:
    """Table 7 from Table 6: its percentages as pairs of sentences, a tenth of a percent one pair."""
    for word in ("good", "very good", "bad", "very bad"):
        pairs = [
            (n, before, after)
            for column, (before, after) in CHANGES.items()
            for n in range(round(10 * _given(TABLE_6, "google", word, column)))
        ]
        plain = [(f"{before}{after}{n}", None, None, before) for n, before, after in pairs]
        variants = [(f"{before}{after}{n}+", f"{before}{after}{n}", word, after) for n, before, after in pairs]
        table = pl.DataFrame(
            [*plain, *variants], schema=dict.fromkeys(("id", "base", "adjective", "gender"), pl.String), orient="row"
        )
        effect = added_word.word_counts(table).row(0, named=True)
        for name, she in (("none", effect["share_before"]), (word, effect["share_after"])):
            if name != "none" or word == "good":  # the plain sentences are the same for every adjective
                yield _row(("Table 7", "google", name, "she %"), 100 * she)
                yield _row(("Table 7", "google", name, "he %"), 100 * (1 - she))


def _joined(language: str, pronouns: pl.DataFrame, shares: pl.DataFrame) -> pl.DataFrame:
    """One row an occupation that got she or he and has a share: concept, Category, gender, share_women, employed."""
    return (
        pronouns.with_row_index("concept")  # twelve titles stand twice, in two categories: each row is an occupation
        .select("concept", "Category", pl.col("Occupation").alias("title"), pl.col(language).alias("pronoun"))
        .with_columns(gender=pl.col("pronoun").replace_strict(GENDERS, default="unknown"))
        .filter(pl.col("gender").is_in(["female", "male"]))
        .join(shares, on="title", how="inner", maintain_order="left")
    )


def _language(language: str, table: pl.DataFrame) -> Iterator[TableCell]:
    errors = optimal.by_occupation(table)
    bias = errors["B"].drop_nulls()
    values: dict[str, object] = {
        "occupations": errors.height,
        "undefined (E_o = 0)": errors["B"].null_count(),
        "biased": (bias > 0).sum(),
        "median B of biased": value(_aggregate("B_median_biased"), table),
        "min B of biased": bias.filter(bias > 0).min(),
        "max B": bias.max(),
        "mean B": value(_aggregate("B_mean"), table),
    }
    for dominance in ("female", "male", "tie"):
        part = errors.filter(pl.col("dominance") == dominance)
        values |= {f"{dominance}-dominated, {PRONOUNS[g]}": part[g].sum() for g in ("male", "female")}
    for column, computed in values.items():
        if isinstance(computed, int | float) and math.isfinite(computed):
            yield _row((PRATES, "google-2018", language, column), float(computed), source="other data")


def _sectors(language: str, table: pl.DataFrame) -> Iterator[TableCell]:
    for (sector,), part in table.group_by("Category", maintain_order=True):
        for name in SECTOR_MEASURES:
            score = value(_aggregate(name), part)
            if math.isfinite(score):
                key = (SECTORS, "google-2018", f"{language}: {sector}", name)
                yield _row(key, score, source="other data", note=f"{part.height} occupations of the sector")


def _aggregate(name: str) -> optimal.OptimalBias:
    return next(measure for measure in optimal.optimal_measures() if measure.name == name)


def _given(table: str, system: str, row: str, column: str) -> float:
    """A printed number that others are computed from."""
    return published(PAPER)[table, system, row, column].value


def _row(key: CellKey, computed: float, *, source: Input = "the paper's printed table", note: str = "") -> TableCell:
    return compare(PAPER, key, computed, published(PAPER).get(key), source=source, note=note)


def _pronouns(data: Path) -> pl.DataFrame:
    return _tsv(data / "job-genders.tsv", "Occupation")


def _shares(data: Path) -> pl.DataFrame:
    """Title and share of women where BLS prints one (a title listed twice counts with its last share)."""
    found = sorted(data.glob("bureau_of_labor_statistics*.tsv"))
    if not found:
        raise BadInput(f"{data}: no file bureau_of_labor_statistics...tsv")
    table = _tsv(found[0], "Expanded Occupation")
    return (
        table.select(
            pl.col("Expanded Occupation").alias("title"),
            (pl.col("Women Participation (%)").cast(pl.Float64, strict=False) / 100).alias("share_women"),
            pl.col("Total employed (Thousands)")
            .str.replace_all(",", "")
            .cast(pl.Float64, strict=False)
            .alias("employed"),
        )
        .filter(pl.col("share_women").is_not_null())
        .unique("title", keep="last", maintain_order=True)
    )


def _tsv(file: Path, needed: str) -> pl.DataFrame:
    if not file.is_file():
        raise BadInput(f"{file.parent}: no file {file.name}")
    return read(file, Layout("row", (Column(needed, required=True),))).drop(LINE)
