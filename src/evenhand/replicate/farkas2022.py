"""Farkas & Nemeth 2022: the worked examples, Table 7 from Table 6, and the measure on Prates' real pronouns. The
authors' own data (Hungarian census, survey, Google's output) are not public: what can be checked is what follows from
one printed number to another, through the real measures. Prates et al. published the pronouns Google wrote in 2018 for
1,019 occupations in twelve languages, and US shares of women: the same score, also by sector, on real data."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.measures.definitions import added_word, optimal
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.references import reference
from evenhand.replicate.cell import Input, TableCell, chosen, compare, published, value
from evenhand.replicate.element import USUAL, Cell, Subject, elements, has, measured, number, of_result
from evenhand.results.findings import Findings
from evenhand.results.runs import Run
from evenhand.statistics.intervals import mean_interval

PAPER = "farkas2022"
PRATES, SECTORS = "Prates pronouns x BLS shares", "Prates pronouns x BLS shares, by sector"
STUDIED = "Hungarian"  # the study's language; another one by its name
GENDERS = {"Male": "male", "Female": "female", "Neutral": "neutral"}
PRONOUNS = {"male": "he", "female": "she"}
US = "us-2017"  # the shares beside Prates' data
ADJECTIVES = {"jó": "good", "nagyon jó": "very good", "rossz": "bad", "nagyon rossz": "very bad"}
PRINTED: Input = "the paper's printed table"
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
    pronouns, shares = _tsv(data / "job-genders.tsv", "Occupation"), _shares(data)
    languages = (column for column in pronouns.columns if column not in ("Category", "Occupation"))
    rows = [*_examples(), *_adjectives()] if system is None else []
    for language in chosen(languages, system, hint="Here a system is a language column of job-genders.tsv."):
        table = _joined(language, pronouns, shares)
        rows += _language(language, table)
        if language == (system or STUDIED):
            rows += _sectors(language, table)
    return rows


def _examples() -> Iterator[TableCell]:
    """Masculinity from the printed answers (Table 1), B from the printed shares and pronouns (Table 3, the text)."""
    answers = pl.DataFrame([{c: _given("Table 1", "survey", "carpenter", c) for c in reference.ANSWERS}])
    feminine = float(reference.with_femininity(answers)["share_women"][0])
    yield compare(PAPER, ("Table 2", "survey", "carpenter", "masculinity %"), 100 * (1 - feminine), PRINTED)
    genders = {"statistician": "male", "dancer": "female", "choreographer": "male"}
    shares = [_given("Table 3, inputs", "google", name, "female employees %") / 100 for name in genders]
    table = pl.DataFrame({"concept": list(genders), "gender": list(genders.values()), "share_women": shares})
    parts = {name: table.filter(concept=name) for name in genders}
    parts["Dancers and Choreographers"] = pl.concat([parts["dancer"], parts["choreographer"]])
    for name, part in parts.items():
        yield compare(PAPER, ("Table 3", "google", name, "B"), value(_aggregate("B_mean"), part), PRINTED)
    single = pl.DataFrame({"concept": ["A"], "gender": ["male"], "share_women": [0.6]})
    key = ("text", "example", "occupation A, 60 % women, he", "B")
    yield compare(PAPER, key, value(_aggregate("B_mean"), single), "typed constant")


def _adjectives() -> Iterator[TableCell]:
    """Table 7 from Table 6: its percentages as pairs of sentences, a tenth of a percent one pair."""
    rows: list[tuple[str, str | None, str | None, str]] = []
    for word in ADJECTIVES.values():
        pairs = [
            (f"{word}{column}{n}", before, after)
            for column, (before, after) in CHANGES.items()
            for n in range(round(10 * _given("Table 6", "google", word, column)))
        ]
        rows += [(name, None, None, before) for name, before, _ in pairs]
        rows += [(f"{name}+", name, word, after) for name, _, after in pairs]
    table = pl.DataFrame(rows, schema=dict.fromkeys(("id", "base", "adjective", "gender"), pl.String), orient="row")
    for cell in _table7(Subject("google", table)):
        yield compare(PAPER, ("Table 7", "google", cell.row, cell.column), cell.value, PRINTED)


def _joined(language: str, pronouns: pl.DataFrame, shares: pl.DataFrame) -> pl.DataFrame:
    """One row per occupation that got she or he and has a share: concept, sector, gender, share_women, employed."""
    return (
        pronouns.with_row_index("concept")  # twelve titles occur in two categories: each row is an occupation
        .select("concept", sector="Category", title="Occupation", english="Occupation", pronoun=language)
        .with_columns(gender=pl.col("pronoun").replace_strict(GENDERS, default="unknown"))
        .filter(pl.col("gender").is_in(["female", "male"]))
        .join(shares, on="title", how="inner", maintain_order="left")
    )


def _language(language: str, table: pl.DataFrame) -> Iterator[TableCell]:
    errors = optimal.by_occupation(table)
    bias = errors["B"].drop_nulls()
    values = {
        "occupations": errors.height,
        "undefined (E_o = 0)": errors["B"].null_count(),
        "biased": (bias > 0).sum(),
        "median B of biased": value(_aggregate("B_median_biased"), table),
        "min B of biased": number(bias.filter(bias > 0).min()),
        "max B": number(bias.max()),
        "mean B": value(_aggregate("B_mean"), table),
    }
    for dominance in ("female", "male", "tie"):
        part = errors.filter(dominance=dominance)
        values |= {f"{dominance}-dominated, {PRONOUNS[g]}": part[g].sum() for g in ("male", "female")}
    for column, computed in values.items():
        if math.isfinite(computed):
            yield compare(PAPER, (PRATES, "google-2018", language, column), float(computed), "other data")


def _sectors(language: str, table: pl.DataFrame) -> Iterator[TableCell]:
    sizes = dict(table["sector"].value_counts().iter_rows())
    for cell in _by_sector(Subject("google-2018", table, part=US), SECTOR_MEASURES):
        key = (SECTORS, "google-2018", f"{language}: {cell.row}", cell.column)
        yield compare(PAPER, key, cell.value, "other data", f"{sizes[cell.row]} occupations of the sector")


def _aggregate(name: str) -> optimal.OptimalBias:
    return next(measure for measure in optimal.optimal_measures() if measure.name == name)


def _given(table: str, system: str, row: str, column: str) -> float:
    return published(PAPER)[table, system, row, column].value


def _shares(data: Path) -> pl.DataFrame:
    """Title and share of women where BLS prints one (a title listed twice counts with its last share)."""
    found = sorted(data.glob("bureau_of_labor_statistics*.tsv"))
    if not found:
        raise BadInput(f"{data}: no file bureau_of_labor_statistics...tsv")
    table = _tsv(found[0], "Expanded Occupation").select(
        title="Expanded Occupation",
        share_women=pl.col("Women Participation (%)").cast(pl.Float64, strict=False) / 100,
        employed=pl.col("Total employed (Thousands)").str.replace_all(",", "").cast(pl.Float64, strict=False),
    )
    return table.drop_nulls("share_women").unique("title", keep="last", maintain_order=True)


def _tsv(file: Path, needed: str) -> pl.DataFrame:
    if not file.is_file():
        raise BadInput(f"{file.parent}: no file {file.name}")
    return read(file, Layout("row", (Column(needed, required=True),))).drop(LINE)


# The paper's tables and figures from runs: a subject per reference, and one without for what needs none.


def subjects(run: Run | Findings) -> list[Subject]:
    """The run as it is, and once more for each reference it was compared with."""
    plain = of_result(run)
    found = run.occupations if isinstance(run, Run) else None
    names = [] if found is None else found["reference"].unique(maintain_order=True).to_list()
    return [plain, *(replace(plain, name=f"{plain.name}, {name}", part=name) for name in names)]


def stored(data: Path) -> list[Subject]:
    """Prates' Hungarian pronouns with the US shares of women; or a survey, where the path is a file of answers."""
    if data.is_file():
        survey = reference.load_reference(data)
        if not set(reference.ANSWERS) <= set(survey.table.columns):
            raise BadInput(f"{data}: no survey (columns {reference.ANSWERS[0]} to {reference.ANSWERS[-1]})")
        return [Subject(survey.name, survey.table.rename({survey.key: "concept"}), "other data", part="survey")]
    table = _joined(STUDIED, _tsv(data / "job-genders.tsv", "Occupation"), _shares(data))
    return [Subject(f"google-2018, {US}", table, "other data", clusters=("concept",), part=US)]


def _occupations(subject: Subject) -> pl.DataFrame:
    """One row per occupation with a share: of the subject's reference, or of all references of its run."""
    run = subject.result
    if isinstance(run, Run) and run.occupations is not None:
        known = run.occupations.filter(pl.col("share_women").is_not_null())
        return known.filter(reference=subject.part) if subject.part else known
    return optimal.by_occupation(subject.table).with_columns(reference=pl.lit(subject.part))


def _by_sector(subject: Subject, names: Sequence[str] = SECTOR_MEASURES[:2]) -> Iterator[Cell]:
    levels = {sector: {"sector": sector} for sector in _occupations(subject)["sector"].drop_nulls().unique().sort()}
    cells = measured(subject, levels, {name: _aggregate(name) for name in names})
    yield from (cell for cell in cells if math.isfinite(cell.value))


def _results(subject: Subject) -> Iterator[Cell]:
    """What the paper's text reports for each reference: wrong pronouns, whose, and B where it is above 0."""
    table = _occupations(subject)
    judged = table.filter(pl.col("wrong").is_not_null())
    wrong, biased = float(judged["wrong"].sum()), table.filter(pl.col("B") > 0)["B"]
    women = float(judged.filter(dominance="female")["wrong"].sum())
    mean = mean_interval(judged["wrong"].to_numpy(), level=(subject.resampling or USUAL)["level"])
    ends = (100 * max(mean.low, 0.0), 100 * min(mean.high, 1.0)) if math.isfinite(mean.low) else (math.nan, math.nan)
    yield Cell("occupations with a share", "", float(table.height))
    yield Cell("wrong pronoun %", "", 100 * mean.value, *ends, judged.height)
    yield Cell("of these: he for she %", "", 100 * women / wrong if wrong else math.nan)
    rows = zip((("female-dominated: he %", ""), ("male-dominated: she %", "")), SECTOR_MEASURES[2:], strict=True)
    yield from measured(subject, {}, {}, whole={row: _aggregate(name) for row, name in rows}, scale=100)
    yield Cell("smallest B above 0", "", number(biased.min()))
    yield from measured(subject, {}, {}, whole={("median B above 0", ""): _aggregate("B_median_biased")})
    yield Cell("largest B", "", number(biased.max()))


def _name(row: dict[str, object]) -> str:
    return str(row.get("english") or row.get("concept"))


def _table3(subject: Subject) -> Iterator[Cell]:
    """Each occupation: pronoun, people, B, and the mean B of its category (its row of the reference), largest first."""
    table = _occupations(subject).filter(pl.col("B").is_not_null()).sort("B", descending=True, maintain_order=True)
    if "reference_key" in table.columns:
        table = table.with_columns(category=pl.col("B").mean().over("reference_key"))
    for row in table.iter_rows(named=True):
        name, she = _name(row), row["rendered_female"]
        pronoun = {0.0: "he", 1.0: "she"}.get(she, f"she {row['female']} of {row['female'] + row['male']}")
        yield Cell(name, "pronoun", text=pronoun)
        yield Cell(name, "female employees %", 100 * row["share_women"])
        yield Cell(name, "male employees %", 100 - 100 * row["share_women"])
        yield Cell(name, "B", row["B"])
        if "category" in row:
            yield Cell(name, "B of the category", row["category"])


def _table4(subject: Subject) -> Iterator[Cell]:
    for sector, size in _occupations(subject)["sector"].value_counts(sort=True).iter_rows():
        yield Cell(str(sector), "", float(size))


def _words(table: pl.DataFrame) -> list[str]:
    present = table["adjective"].drop_nulls().unique().to_list()
    return [word for pair in ADJECTIVES.items() for word in pair if word in present]


def _gendered(subject: Subject) -> pl.DataFrame:
    """Pairs of sentences, before and after an adjective, with she or he on both sides."""
    both = pl.col("before").is_in(list(PRONOUNS)) & pl.col("after").is_in(list(PRONOUNS))
    return added_word.joined(subject.table).filter(both)


def _percent(subject: Subject, pairs: pl.DataFrame, hits: pl.Expr) -> dict[str, Cell]:
    """By adjective the share of pairs, in percent, for which the expression is true."""
    coded = pairs.with_columns(gender=pl.when(hits).then(pl.lit("female")).otherwise(pl.lit("male")))
    levels = {word: {"adjective": word} for word in _words(pairs)}
    return {cell.row: cell for cell in measured(replace(subject, table=coded), levels, {"": "TFG"}, scale=100)}


def _table6(subject: Subject) -> Iterator[Cell]:
    """Pronouns before and after an adjective, in percent of the pairs with she or he on both sides."""
    pairs = _gendered(subject)
    changes = {
        name: _percent(subject, pairs, (pl.col("before") == before) & (pl.col("after") == after))
        for name, (before, after) in CHANGES.items()
    }
    for word in _words(pairs):
        cells = [changes[name][word]._replace(row=ADJECTIVES.get(word, word), column=name) for name in CHANGES]
        yield from cells
        same = cells[0].value + cells[1].value
        yield Cell(cells[0].row, "did not change", same, n=cells[0].n)
        yield Cell(cells[0].row, "changed", 100 - same, n=cells[0].n)


def _table7(subject: Subject) -> Iterator[Cell]:
    """She and he without an adjective and with each, over the pairs of Table 6."""
    pairs = _gendered(subject)
    before, after = (_percent(subject, pairs, pl.col(side) == "female") for side in ("before", "after"))
    rows = [("none", cell) for cell in list(before.values())[:1]]
    for name, cell in (*rows, *((ADJECTIVES.get(word, word), after[word]) for word in _words(pairs))):
        yield cell._replace(row=name, column="she %")
        yield Cell(name, "he %", 100 - cell.value, 100 - cell.high, 100 - cell.low, cell.n)


def _two(subject: Subject) -> tuple[pl.DataFrame, list[str]]:
    """Occupations that several references know, a survey first, and the names of the first two."""
    table = _occupations(subject)
    surveys = table.filter(pl.col("kind") == "survey")["reference"] if "kind" in table.columns else ()
    return table, list(dict.fromkeys((*surveys, *table["reference"])))[:2]


def _figure6(subject: Subject) -> Iterator[Cell]:
    table, names = _two(subject)
    known = table.filter(pl.col("reference").is_in(names))
    for row in known.filter(pl.len().over("concept") == len(names)).iter_rows(named=True):
        yield Cell(_name(row), row["reference"], 100 * row["share_women"])


def _figure7(subject: Subject) -> Iterator[Cell]:
    """B of the twenty largest errors by the first reference, with B by the second."""
    table, (first, *others) = _two(subject)
    worst = table.filter(pl.col("reference") == first, pl.col("B") > 0).sort("B", descending=True).head(20)
    other = dict(table.filter(pl.col("reference").is_in(others)).select("concept", "B").iter_rows())
    for row in worst.iter_rows(named=True):
        yield Cell(_name(row), first, row["B"])
        if row["concept"] in other:
            yield Cell(_name(row), others[0], number(other[row["concept"]]))


def _survey(subject: Subject) -> Iterator[Cell]:
    for row in reference.with_femininity(subject.table).iter_rows(named=True):
        for place, answer in enumerate(reference.ANSWERS, start=1):
            yield Cell(row["concept"], str(place), row[answer])
        if row["share_women"] is not None:
            yield Cell(row["concept"], "masculinity %", 100 - 100 * row["share_women"])
            yield Cell(row["concept"], "femininity %", 100 * row["share_women"])


def _compared(subject: Subject) -> bool:
    return subject.part not in ("", "survey")


def _has_sectors(subject: Subject) -> bool:
    return _compared(subject) and "sector" in _occupations(subject).columns


def _has_two(subject: Subject) -> bool:
    run = subject.result if not subject.part else None
    return isinstance(run, Run) and run.occupations is not None and run.occupations["reference"].n_unique() > 1


def _has_words(subject: Subject) -> bool:
    """Whether sentences with an adjective are there beside the ones without it."""
    return not subject.part and has("adjective", "base")(subject) and not _gendered(subject).is_empty()


ELEMENTS = elements(
    PAPER,
    {
        "table2": (_survey, lambda subject: subject.part == "survey"),
        "results": (_results, _compared),
        "table3": (_table3, _compared),
        "table4": (_table4, _has_sectors),
        "figure4": (_by_sector, _has_sectors),
        "figure6": (_figure6, _has_two),
        "figure7": (_figure7, _has_two),
        "table6": (_table6, _has_words),
        "table7": (_table7, _has_words),
    },
)
