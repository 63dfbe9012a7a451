"""A view is its URL: what is asked for, read from the query string, and turned into a lazy filter."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.gender import GENDERS
from evenhand.report.web.book import TEXT, Book
from evenhand.storage.tables import FIRST_ANSWER

PAGE = 25
SORTS = ("", "differ", "sure", "unsure")
FLAGS = ("conflict", "inadequate", "invalid", "differ", "wrong", "alternatives")


@dataclass(frozen=True)
class View:
    """Runs, filters, order and page. Unknown runs, columns or values are dropped: a URL can ask for nothing else."""

    runs: tuple[str, ...] = ()
    gender: tuple[str, ...] = ()
    gold: str = ""
    how: str = ""
    evidence: str = ""
    text: str = ""
    where: tuple[tuple[str, str], ...] = ()
    flag: str = ""
    sort: str = ""
    page: int = 1

    def without(self, name: str) -> View:
        """The first page of the view without one of its plain filters."""
        return replace(self, **{name: ""}, page=1)  # type: ignore[arg-type]  # the name of a text field

    def url(self, path: str = "/explore", **changes: object) -> str:
        """The permalink of this view, or of one that differs from it."""
        view = replace(self, **changes)  # type: ignore[arg-type]  # names are fields, checked by replace
        pairs = [("run", r) for r in view.runs] + [("gender", g) for g in view.gender]
        for name in ("gold", "how", "evidence", "text", "flag", "sort"):
            if getattr(view, name):
                pairs.append((name, getattr(view, name)))
        pairs += [(f"at.{column}", value) for column, value in view.where]
        if view.page > 1:
            pairs.append(("page", str(view.page)))
        return f"{path}?{urlencode(pairs)}"


def whole_number(text: str, *, missing: int = 0) -> int:
    """A number of at most seven digits from a query string; `missing` where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else missing


def read_view(parameters: Sequence[tuple[str, str]], known: Mapping[str, Book]) -> View:
    """A view from query parameters."""
    given: dict[str, list[str]] = {}
    for name, value in parameters:
        given.setdefault(name, []).append(value[:500])

    def one(name: str) -> str:
        return given.get(name, [""])[-1]

    runs = tuple(dict.fromkeys(r for r in given.get("run", []) if r in known)) or tuple(known)[:1]
    columns = known[runs[0]].attributes if runs else {}
    where = tuple(
        (name[3:], values[-1])
        for name, values in given.items()
        if name.startswith("at.") and name[3:] in columns and values[-1]
    )
    return View(
        runs=runs,
        gender=tuple(g for g in GENDERS if g in given.get("gender", [])),
        gold=one("gold") if one("gold") in GENDERS else "",
        how=one("how"),
        evidence=one("evidence"),
        text=one("text"),
        where=where,
        flag=one("flag") if one("flag") in FLAGS else "",
        sort=one("sort") if one("sort") in SORTS else "",
        page=min(max(whole_number(one("page"), missing=1), 1), 1_000_000),
    )


def condition(view: View, book: Book) -> pl.Expr | None:
    """The filter on one run's table; None where everything is asked for. A system's alternatives come only where they
    are asked for."""
    columns = book.columns
    parts: list[pl.Expr] = []
    if view.flag == "alternatives":
        parts.append(~FIRST_ANSWER)
    elif book.alternatives:
        parts.append(FIRST_ANSWER)
    if view.gender:
        parts.append(pl.col("gender").is_in(list(view.gender)))
    if view.gold and "gold" in columns:
        parts.append(pl.col("gold") == view.gold)
    if view.how:
        parts.append(pl.col("how").is_null() if view.how == "none" else pl.col("how") == view.how)
    if view.evidence:
        parts.append(pl.col("evidence").str.to_lowercase() == view.evidence.lower())
    if view.text:
        parts.append(pl.col(TEXT).str.contains(view.text.lower(), literal=True))
    parts += [pl.col(column).cast(pl.String) == value for column, value in view.where if column in columns]
    parts += _flagged(view.flag, columns)
    return pl.all_horizontal(parts) if parts else None


def _flagged(flag: str, columns: Collection[str]) -> list[pl.Expr]:
    """What a flag asks of a row; nothing for none, and for one that the run's columns cannot answer."""
    if flag == "conflict":
        return [pl.col("conflict").fill_null(value=False)]
    if flag == "invalid":
        return [~pl.col("valid").fill_null(value=True) if "valid" in columns else pl.lit(value=False)]
    if flag == "inadequate":
        return [~pl.col("adequate").fill_null(value=True)]
    if flag == "wrong" and "gold" in columns:
        return [pl.col("gold").is_not_null() & (pl.col("gold") != pl.col("gender"))]
    return []


@dataclass(frozen=True)
class Matches:
    """What fits a view: row numbers in each run's table (_row0, _row1, ...), and the order in which the view wants
    them."""

    table: pl.DataFrame
    order: npt.NDArray[np.int64] | None

    @property
    def total(self) -> int:
        return self.table.height

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // PAGE))

    @property
    def genders(self) -> dict[str, int]:
        """How many rows of each gender, in the first run."""
        return dict.fromkeys(GENDERS, 0) | dict(self.table["gender"].value_counts().iter_rows())

    def tables(self, books: Sequence[Book], start: int, count: int) -> list[pl.DataFrame]:
        """The sentences from `start` on as one table per run, side by side."""
        if self.order is None:
            part = self.table.slice(start, count)
        else:
            part = self.table[self.order[start : start + count].tolist()]
        return [book.rows(part[f"_row{n}"].to_list()) for n, book in enumerate(books)]

    def page(self, books: Sequence[Book], number: int) -> list[list[dict[str, object]]]:
        """For each sentence of a page, or of the last one, a dictionary per run."""
        tables = self.tables(books, (min(number, self.pages) - 1) * PAGE, PAGE)
        return [list(row) for row in zip(*(table.to_dicts() for table in tables), strict=True)]


def find(view: View, books: Sequence[Book]) -> Matches:
    """Everything that fits the view. Orders are small whole numbers: a stable radix sort of a million takes no time."""
    lazy, several, wanted = books[0].scan().with_row_index("_row0"), len(books) > 1, condition(view, books[0])
    if several:
        lazy = _beside(lazy, books)
    if wanted is not None:
        lazy = lazy.filter(wanted)
    if several and view.flag == "differ":
        lazy = lazy.filter(_kinds(books) > 1)
    key: list[pl.Expr] = []
    if view.sort == "differ" and several:
        key = [(100 - 10 * _opposed(books).cast(pl.UInt16) - _kinds(books).cast(pl.UInt16)).alias("_key")]
    elif view.sort in ("sure", "unsure"):
        sure = doubt().cast(pl.Int32)
        key = [(sure if view.sort == "sure" else 10_000 - sure).cast(pl.UInt16).alias("_key")]
    rows = lazy.select("gender", *(f"_row{n}" for n in range(len(books))), *key).collect()
    return Matches(rows, stable_order(rows["_key"]) if key else None)


def doubt() -> pl.Expr:
    """0 for a sure verdict to 10,000 for one without any confidence."""
    return ((1 - pl.col("confidence").fill_null(0.0).clip(0.0, 1.0)) * 10_000).round(0).cast(pl.UInt16)


def stable_order(keys: pl.Series) -> npt.NDArray[np.int64]:
    """Positions by ascending key, equal ones in their order."""
    return np.argsort(keys.to_numpy(), kind="stable")


def _beside(lazy: pl.LazyFrame, books: Sequence[Book]) -> pl.LazyFrame:
    """The other runs' genders and row numbers as further columns, put side by side where rows are the same."""
    for number, book in enumerate(books[1:], start=1):
        keys = ["id", "sample", "candidate"]
        other = book.scan().select(*keys, pl.col("gender").alias(f"_gender{number}")).with_row_index(f"_row{number}")
        if book.ids == books[0].ids and book.height == books[0].height:
            lazy = pl.concat([lazy, other.select(f"_row{number}", f"_gender{number}")], how="horizontal")
        else:
            lazy = lazy.join(other, on=keys, how="inner", maintain_order="left")
    return lazy


def _gives(books: Sequence[Book], gender: str) -> pl.Expr:
    """Whether any of the runs gives this gender."""
    columns = ["gender", *(f"_gender{n}" for n in range(1, len(books)))]
    return pl.any_horizontal([pl.col(column) == gender for column in columns])


def _kinds(books: Sequence[Book]) -> pl.Expr:
    """How many different genders the runs give."""
    return pl.sum_horizontal([_gives(books, gender).cast(pl.UInt8) for gender in GENDERS])


def _opposed(books: Sequence[Book]) -> pl.Expr:
    return _gives(books, "female") & _gives(books, "male")
