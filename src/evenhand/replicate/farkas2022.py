"""Farkas & Nemeth 2022: the worked examples, Table 7 from Table 6, and the measure on Prates' real pronouns.

The authors' own data (Hungarian census, survey, Google's output) are not public. Prates et al. published the pronouns
Google wrote in 2018 for 1,019 occupations in twelve languages, and US shares of women: the same score on real data.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.measures.added_word import shares_after
from evenhand.measures.optimal import by_occupation
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.references.survey import femininity
from evenhand.replicate.cell import Row
from evenhand.replicate.published import published

PAPER = "farkas2022"
PRATES = "Prates pronouns x BLS shares"
GENDERS = {"Male": "male", "Female": "female", "Neutral": "neutral"}
CARPENTER = (170, 12, 7, 3, 4, 0)
TABLE_6 = {"good": (5, 0), "very good": (7, 0.1), "bad": (11, 0), "very bad": (12, 0)}  # she-he, he-she in percent
BASELINE = 21


def replicate(data: Path, *, system: str | None = None) -> list[Row]:
    """Worked examples of the paper; then for each language of Prates' file counts, wrong pronouns and B."""
    pronouns, shares = _pronouns(data), _shares(data)
    languages = [c for c in pronouns.columns if c not in ("Category", "Occupation")]
    if system is not None and system not in languages:
        raise Unknown("system", system, languages, hint="Here a system is a language column of job-genders.tsv.")
    rows = _examples() if system is None else []
    for language in languages:
        if system in (None, language):
            rows += _language(language, pronouns, shares)
    return rows


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """What cannot be recomputed, and the paper's slips."""
    del data, system
    return [
        "the study's census figures, survey and Google output are not public: only its examples can be checked",
        "the Prates rows are Google Translate of 2018 from that language; neutral and '?' pronouns are left out",
        "twelve titles of Prates' list stand twice; each is an occupation of its own and takes the last share listed",
        "known slip: Table 4's FEOR column counts categories (424); the numbering of Tables 3 to 5 is off by one",
    ]


def _examples() -> list[Row]:
    feminine = femininity(CARPENTER) or 0.0
    rows = [_row("Table 2", "survey", "carpenter", "masculinity %", 100 * (1 - feminine), 0)]
    cases = (("statistician", 0.73, "male"), ("dancer", 0.58, "female"), ("choreographer", 0.58, "male"))
    bias = {name: _bias(share, gender) for name, share, gender in cases}
    rows += [_row("Table 3", "google", name, "B", value, 1) for name, value in bias.items()]
    category = (bias["dancer"] + bias["choreographer"]) / 2
    rows.append(_row("Table 3", "google", "Dancers and Choreographers", "B", category, 1))
    rows.append(_row("text", "example", "occupation A, 60 % women, he", "B", _bias(0.6, "male"), 1))
    rows += [
        _row("Table 7", "google", "none", "she %", float(BASELINE), 0),
        _row("Table 7", "google", "none", "he %", 100.0 - BASELINE, 0),
    ]
    for word, (she_he, he_she) in TABLE_6.items():
        she, he = shares_after(BASELINE / 100, she_he / 100, he_she / 100)
        rows += [
            _row("Table 7", "google", word, "she %", 100 * she, 0),
            _row("Table 7", "google", word, "he %", 100 * he, 0),
        ]
    return rows


def _bias(share_women: float, gender: str) -> float:
    table = pl.DataFrame({"concept": ["x"], "gender": [gender], "share_women": [share_women]})
    return float(by_occupation(table)["B"][0])


def _language(language: str, pronouns: pl.DataFrame, shares: pl.DataFrame) -> list[Row]:
    table = (
        pronouns.with_row_index("concept")  # twelve titles stand twice, in two categories: each row is an occupation
        .select("concept", pl.col("Occupation").alias("title"), pl.col(language).alias("pronoun"))
        .with_columns(gender=pl.col("pronoun").replace_strict(GENDERS, default="unknown"))
        .filter(pl.col("gender").is_in(["female", "male"]))
        .join(shares, on="title", how="inner", maintain_order="left")
    )
    errors = by_occupation(table)
    defined = errors.filter(pl.col("B").is_not_null())
    biased = defined.filter(pl.col("B") > 0)["B"]
    counts = {
        (dominance, pronoun): int(errors.filter(pl.col("dominance") == dominance)[pronoun].sum())
        for dominance in ("female", "male", "tie")
        for pronoun in ("male", "female")
    }
    values: dict[tuple[str, str], float | None] = {
        (language, "occupations"): float(errors.height),
        (language, "undefined (E_o = 0)"): float(errors["B"].null_count()),
        (language, "biased"): float(biased.len()),
        (language, "median B of biased"): _as_float(biased.median()),
        (language, "min B of biased"): _as_float(biased.min()),
        (language, "max B"): _as_float(defined["B"].max()),
        (language, "mean B"): _as_float(defined["B"].mean()),
    }
    for (dominance, pronoun), count in counts.items():
        values[language, f"{dominance}-dominated, {'he' if pronoun == 'male' else 'she'}"] = float(count)
    return [
        Row(PAPER, PRATES, "google-2018", row, column, None, value, None)
        for (row, column), value in values.items()
        if value is not None
    ]


def _as_float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _row(table: str, system: str, row: str, column: str, computed: float, decimals: int = 1) -> Row:  # noqa: PLR0917
    known = published(PAPER).get((table, system, row, column))
    agrees = None if known is None else abs(round(computed, decimals) - known.value) < 1e-9
    return Row(
        PAPER, table, system, row, column, known.value if known else None, computed, agrees, known.note if known else ""
    )


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
