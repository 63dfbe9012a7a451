"""Reading references: a share of women for each occupation, from a statistic or a survey (format.txt says what a table
may hold; a missing share is counted, never guessed), and joining it to probes. Other national codes: adding.py."""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.measures.definitions.optimal import EMPLOYED, REFERENCE_KEY, SHARE
from evenhand.readers.layout import LINE, Column, Layout, check_unique
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import BY_SUFFIX, read
from evenhand.tsv import frame, rows

SAMPLE = "sample"
KLDB = "kldb2010"
KEYS = ("concept", "isco08", KLDB, "occupation")
DIGITS = {"isco08": 4, KLDB: 3}  # of the longest code
NAMED = {"isco08": "ISCO-08", KLDB: "KldB 2010"}
_THOUSANDS = re.compile(r"^\d{1,3}(,\d{3})+(\.\d+)?$")
MISSING = frozenset({"", "-", "–", "—", "..", ":", "NA", "n/a"})
FOLDER = files("evenhand.references")


@dataclass(frozen=True)
class Reference:
    """One row per key (concept, code or gloss) with share_women and, where known, employed, sample and a survey's
    answers; `years`, `country`, `source` and `licence` are "" where they are not stated."""

    name: str
    key: str
    table: pl.DataFrame
    missing: int
    kind: str
    source: str
    years: str
    digest: str
    country: str = ""
    licence: str = ""
    files: tuple[Path, ...] = field(default=(), compare=False)
    """Where it was read, with its mapping; empty where it ships with Evenhand."""

    @property
    def origin(self) -> str:
        """Country, year, source and licence on one line; what the file does not state is said to be missing."""
        parts = {"country": self.country, "year": self.years, "source": self.source, "licence": self.licence}
        return ", ".join(value or f"{name} not stated" for name, value in parts.items())

    @property
    def description(self) -> str:
        """Its origin, and the sample it is based on."""
        sizes = self.table[SAMPLE].drop_nulls().sort()
        if not sizes.len():
            return f"{self.name} is {self.origin}; its sampling error is not stated"
        span = f"{sizes[0]:,.0f}" + (f" to {sizes[-1]:,.0f}" if sizes[-1] > sizes[0] else "")
        return f"{self.name} is {self.origin}; it is based on {span} people per occupation"

    @property
    def fingerprint(self) -> str:
        return f"{self.name}#{self.digest}"


def shipped() -> list[str]:
    """Names of the references that come with Evenhand."""
    names = [f.name.removesuffix(".tsv") for f in FOLDER.iterdir() if f.name.endswith(".tsv")]
    return sorted(name for name in names if "." not in name)


def load_reference(spec: str | Path) -> Reference:
    """A shipped reference by name, or a user's file by path."""
    path = Path(spec)
    if UserFile(path).suffix in BY_SUFFIX:
        if not path.is_file():
            raise BadInput(f"{path}: no such reference file")
        return _read(path, UserFile(path).stem)
    if str(spec) not in shipped():
        raise Unknown("reference", str(spec), shipped(), hint="A path to your own .tsv or .csv works too.")
    return _read(Path(str(FOLDER / f"{spec}.tsv")), str(spec), ours=True)


def attach(probes: pl.DataFrame, reference: Reference) -> pl.DataFrame:
    """The table with share_women and employed of each row's occupation (null: the reference has none), and
    `reference_key`, the row they come from: occupations of one row share its sampling error."""
    column = {"occupation": "english", KLDB: "concept"}.get(reference.key, reference.key)
    if column not in probes.columns:
        lack = f"reference {reference.name} goes by {reference.key}, but the probes have no column {column!r}"
        raise BadInput(f"{lack}; use a suite with occupations (occupations-hungarian, pronouns-...)")
    table = probes.drop(SHARE, EMPLOYED, REFERENCE_KEY, strict=False)
    values = reference.table.select(pl.col(reference.key).alias(REFERENCE_KEY), SHARE, EMPLOYED)
    if reference.key not in DIGITS:
        key = pl.col(column).str.to_lowercase() if reference.key == "occupation" else pl.col(column)
    else:
        # The finest code that has a share gives both numbers, so that share and people belong together.
        codes = values.filter(pl.col(SHARE).is_not_null())[REFERENCE_KEY].to_list()
        coded = pl.col(column)
        if reference.key == KLDB:
            groups = dict(frame(FOLDER / "concepts.kldb2010.tsv").iter_rows())  # of our concepts
            coded = coded.replace_strict(groups, default=None, return_dtype=pl.String)
        key = pl.lit(None, dtype=pl.String)
        for length in sorted({len(code) for code in codes}):
            prefix = coded.str.slice(0, length)
            key = pl.when(prefix.is_in([code for code in codes if len(code) == length])).then(prefix).otherwise(key)
    return table.with_columns(key.alias(REFERENCE_KEY)).join(
        values, on=REFERENCE_KEY, how="left", maintain_order="left"
    )


def coverage(probes: pl.DataFrame, reference: Reference) -> tuple[int, int]:
    """How many of the occupations in the probes have a share, of how many."""
    column = "concept" if "concept" in probes.columns else "english" if reference.key == "occupation" else reference.key
    people = attach(probes, reference).filter(pl.col(column).is_not_null())
    if "kind" in people.columns:
        people = people.filter(pl.col("kind") == "occupation")
    known = people.filter(pl.col(SHARE).is_not_null())
    return known[column].n_unique(), people[column].n_unique()


def _read(path: Path, name: str, *, ours: bool = False) -> Reference:
    file = UserFile(path)
    given = read(file, LAYOUT).with_columns(pl.exclude(LINE).cast(pl.String).fill_null(""))
    key = next(k for k in KEYS if k in given.columns)
    check_unique(given, (key,), name=file.name, row="row", seen=set())
    survey = set(ANSWERS) <= set(given.columns)
    table = pl.DataFrame(
        [_parse(row, path, row[LINE], key, survey) for row in given.iter_rows(named=True)],
        schema={key: pl.String, **dict.fromkeys((SHARE, EMPLOYED, SAMPLE, *ANSWERS), pl.Float64)},
    )
    if survey:
        table = with_femininity(table).with_columns(pl.col("respondents").alias(SAMPLE)).drop("respondents")
    else:
        table = table.drop(ANSWERS)
    missing = table[SHARE].null_count()
    beside = path.with_name(f"{file.stem}.isco08.tsv")
    mapping = [beside] if beside.is_file() else []
    if key == "occupation" and mapping:
        table, key = _mapped(table, beside), "isco08"
    elif key == "occupation":
        table = table.with_columns(pl.col("occupation").str.to_lowercase())
    stated = {c: given[c][0] if c in given.columns else "" for c in ("source", "country", "licence")}
    about = next((row for row in rows(FOLDER / "about.shipped.tsv") if ours and row["reference"] == name), {})
    kind, source = "survey" if survey else "statistic", about.get("title", stated["source"])
    digest = hashlib.sha256(b"".join((file.content(), *(one.read_bytes() for one in mapping)))).hexdigest()[:8]
    years = sorted(set(given["year"].to_list()) - MISSING) if "year" in given.columns else []
    facts = (
        kind,
        source,
        " to ".join(dict.fromkeys([*years[:1], *years[-1:]])),
        digest,
        stated["country"],
        about.get("licence", stated["licence"]),
    )
    return Reference(name, key, table, missing, *facts, files=() if ours else (path, *mapping))


def _columns_lack(names: Sequence[str]) -> str:
    if not set(KEYS) & set(names):
        return f"no key column ({', '.join(KEYS)})"
    if not {SHARE, "pct_women"} & set(names) and not set(ANSWERS) <= set(names):
        return f"no column {SHARE} (0 to 1), pct_women (0 to 100) or answer_1 to answer_6"
    return ""


LAYOUT = Layout("row", complaint=_columns_lack, notes="anywhere", gaps=True, trimmed=True)


def _parse(row: dict[str, str], path: Path, number: int, key: str, survey: bool) -> dict[str, str | float | None]:
    code = row[key]
    if key in DIGITS and not (code.isdecimal() and 1 <= len(code) <= DIGITS[key]):
        raise BadInput.at(path, number, f"{code!r} is no {NAMED[key]} code of 1 to {DIGITS[key]} digits", column=key)
    parsed: dict[str, str | float | None] = {key: code, SHARE: None, EMPLOYED: None, SAMPLE: None}
    if survey:
        return parsed | {column: parse_count(row[column], path, number, column) or 0.0 for column in ANSWERS}
    counts = {column: parse_count(row.get(column, ""), path, number, column) for column in (EMPLOYED, SAMPLE)}
    return parsed | {SHARE: parse_share(row, path, number)} | counts


def parse_count(text: str, path: Path, number: int, column: str) -> float | None:
    """How many; None where the cell says nothing. A sample is of one at least."""
    count = _parse_number(text, path, number, column)
    if count is not None and (count < 0 or (column == SAMPLE and count == 0)):
        what = "answers" if column in ANSWERS else "people"
        raise BadInput.at(path, number, f"{count:g} {what} cannot be", column=column)
    return count


def parse_share(row: Mapping[str, str], path: Path, number: int) -> float | None:
    """The share of women, from 0 to 1, whether the file gives shares or percentages."""
    column, scale = (SHARE, 1.0) if SHARE in row else ("pct_women", 100.0)
    share = _parse_number(row[column], path, number, column)
    if share is None:
        return None
    if not 0 <= share <= scale:
        hint = " If it is a percentage, name the column pct_women." if column == SHARE and 1 < share <= 100 else ""
        raise BadInput.at(path, number, f"{share:g} is not between 0 and {scale:g}.{hint}", column=column)
    return share / scale


def _parse_number(text: str, path: Path, number: int, column: str) -> float | None:
    """The number in a cell; None where it is missing."""
    if text in MISSING:
        return None
    try:
        value = float(text.replace(",", "") if _THOUSANDS.match(text) else text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadInput.at(path, number, f"{text!r} is not a number", column=column)
    return value


def _mapped(table: pl.DataFrame, mapping: Path) -> pl.DataFrame:
    """Shares by ISCO-08 code: titles weighted by their people, divided evenly over the codes a title belongs to."""
    titles = (Column("occupation", required=True, filled=True), Column("isco08", required=True, filled=True))
    given = read(mapping, Layout("title", titles, notes="anywhere", gaps=True))
    lost = given.join(table, on="occupation", how="anti")
    if lost.height:
        raise BadInput.at(mapping, lost[LINE][0], f"{lost['occupation'][0]!r} is not an occupation of the reference")
    return linked(table, given.select("occupation", "isco08").unique(maintain_order=True))


def linked(table: pl.DataFrame, links: pl.DataFrame) -> pl.DataFrame:
    """Shares by the second column of `links`, from rows named by its first: weighted by their people, which are divided
    evenly over the keys a row belongs to."""
    name, key = links.columns
    links = links.with_columns(_codes=pl.len().over(name))
    joined = links.join(table, on=name).filter(pl.col(SHARE).is_not_null())
    weight = (pl.col(EMPLOYED).fill_null(1.0)) / pl.col("_codes")
    people, known = pl.col("_people"), pl.col(EMPLOYED).is_not_null().any()
    # The sample of a weighted mean of shares is that of one share with the same error (Kish): none if one is unknown.
    asked = pl.when(pl.col(SAMPLE).is_not_null().all()).then(people.sum() ** 2 / (people**2 / pl.col(SAMPLE)).sum())
    share = (pl.col(SHARE) * people).sum() / people.sum()
    columns = {SHARE: share, EMPLOYED: pl.when(known).then(people.sum()), SAMPLE: asked}
    return joined.with_columns(_people=weight).group_by(key, maintain_order=True).agg(**columns)


# Perceived femininity of occupations from survey answers 1 (very masculine) to 6 (very feminine).
# Answers count by their distance from the middle: 2.5, 1.5, 0.5, 0.5, 1.5, 2.5. Masculinity is the weighted sum of the
# answers 1 to 3 over the weighted sum of all (Farkas & Nemeth 2022, Tables 1 and 2: carpenter 170, 12, 7, 3, 4, 0 is
# 98.35 % masculine).

WEIGHTS = (2.5, 1.5, 0.5, 0.5, 1.5, 2.5)
ANSWERS = tuple(f"answer_{n}" for n in range(1, 7))


def with_femininity(table: pl.DataFrame) -> pl.DataFrame:
    """The survey table with `share_women` (perceived, 0 to 1; null without any answer) and `respondents`."""
    weighted = [pl.col(c) * w for c, w in zip(ANSWERS, WEIGHTS, strict=True)]
    total = pl.sum_horizontal(weighted)
    return table.with_columns(
        share_women=pl.when(total > 0).then(pl.sum_horizontal(weighted[3:]) / total),
        respondents=pl.sum_horizontal([pl.col(c) for c in ANSWERS]),
    )


# A reference's own sampling error: its shares of women drawn again, where the sample behind them is known.
# Known is a survey's answers, or the column `sample` of a statistic. A share is drawn from its posterior under
# Jeffreys' prior, Beta(women + 1/2, men + 1/2); a survey's answers from the Dirichlet with 1/2 added to each, through
# the same weights that made the score. Shares without a known sample stay as they are, and so do 0 and 1 (there B is
# undefined). Errors of another kind (coverage, coding, an old year) are not in it. Source: Gelman et al. 2013,
# Bayesian Data Analysis, chapters 2 and 3.

DRAWS = 400


def drawn_shares(reference: Reference, *, seed: int, draws: int = DRAWS) -> dict[str, npt.NDArray[np.float64]]:
    """By key of the reference `draws` values of its share of women; keys whose sample is unknown are left out."""
    known = reference.table.filter((pl.col(SAMPLE) > 0) & (pl.col(SHARE) > 0) & (pl.col(SHARE) < 1))
    rng, drawn = np.random.default_rng(seed), {}
    for row in known.iter_rows(named=True):
        if set(ANSWERS) <= set(row):
            answers = rng.dirichlet([row[c] + 0.5 for c in ANSWERS], size=draws) * np.array(WEIGHTS)
            drawn[row[reference.key]] = answers[:, 3:].sum(axis=1) / answers.sum(axis=1)
        else:
            women = row[SAMPLE] * row[SHARE]
            drawn[row[reference.key]] = rng.beta(women + 0.5, row[SAMPLE] - women + 0.5, size=draws)
    return drawn
