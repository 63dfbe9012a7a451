"""What a caller needs of a file's rows, and the complaints when they are otherwise: file, line, column, remedy."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from evenhand.errors import BadInput, listed
from evenhand.readers.opening import UserFile
from evenhand.storage.tables import no_name
from evenhand.visible import shortened

LONGEST_CELL = 200  # characters of a cell in an error
LINE = "_line"  # the line of each row, from 1; rows of Parquet are counted
MOST_COLUMNS = 5_000
_MARKS = {"\t": "tabs", ";": "semicolons", ",": "commas"}


@dataclass(frozen=True)
class Column:
    """A column a caller knows. Text unless `type` says otherwise; an empty cell is null in every other type.

    `also`: other names it may have, the first that a row fills counts. `given`: null is an error (an empty text is
    not). `filled`: so is an empty or blank text. `default`: what an empty cell, or a missing column, stands for.
    `spelt`: other ways to write a value, in lower case. `within`: the least and the largest number. `means`: what a
    value must be, for the message ("a whole number").
    """

    name: str
    also: tuple[str, ...] = ()
    type: pl.DataType = field(default_factory=pl.String)
    required: bool = False
    given: bool = False
    filled: bool = False
    default: int | None = None
    spelt: Mapping[str, str] = field(default_factory=dict)
    within: tuple[float, float] | None = None
    means: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.also)


@dataclass(frozen=True)
class Layout:
    """The columns a caller knows; any others come along as they are.

    `row` is what one row is ("probe"). `unique`: columns that together identify a row. `complaint`: what else is wrong
    with the names of the columns, or "". `some`: at least one row is needed. `notes`: where lines that start with #
    are skipped (before the header, anywhere, nowhere). `gaps`: so are blank lines between rows. `headed`: whether a
    first line is a header (without one, columns are called 1, 2, ...). `ragged`: rows may be longer or shorter than it.
    `trimmed`: blanks around a text are no part of it.
    """

    row: str
    columns: tuple[Column, ...] = ()
    unique: tuple[str, ...] = ()
    complaint: Callable[[Sequence[str]], str] = lambda names: ""
    some: bool = True
    notes: Literal["before", "anywhere", "nowhere"] = "before"
    gaps: bool = False
    headed: Callable[[Sequence[str]], bool] = lambda names: True
    ragged: bool = False
    trimmed: bool = False

    def check_names(self, file: UserFile, number: int | None, names: Sequence[str], separator: str = "") -> None:
        """The names of a header, or of the first rows where a format has none."""
        told = next((_missing(c) for c in self.columns if c.required and not set(c.names) & set(names)), "")
        told = told or self.complaint(names)
        if told:
            raise BadInput.at(file.name, number, f"{told}; it has {listed(names)}. {self._remedy(names, separator)}")
        check_names(file, number, names)

    @staticmethod
    def _other_mark(names: Sequence[str], separator: str) -> str:
        """A mark that separates columns and stands in the only cell of the header; "" for none."""
        if not separator or len(names) != 1:
            return ""
        return next((mark for mark in _MARKS if mark != separator and mark in names[0]), "")

    def _remedy(self, names: Sequence[str], separator: str) -> str:
        """What to do about a column that is not there: a header of one cell was meant to be more, a name may be written
        otherwise, the header may be missing; else what is needed."""
        if other := self._other_mark(names, separator):
            return f"Columns are separated by {_MARKS[other]} here, not by {_MARKS[separator]}: save it with those"
        known = {name: column.name for column in self.columns for name in column.names}
        needed = [column.name for column in self.columns if column.required]
        plain = {name: name.strip().lower() for name in names}
        written = {name: known[key] for name, key in plain.items() if known.get(key, name) != name}
        if written:
            return f"Write {listed(f'{column} for {name}' for name, column in written.items())}"
        lost = "Is the header missing? " if needed and not set(names) & set(known) else ""
        return f"{lost}Needed: {listed(needed)}" if needed else "Name it in the header"


def check_names(file: UserFile, number: int | None, names: Sequence[str]) -> None:
    """Whether these can be the names of a table's columns: not too many, no two alike, none that is no name."""
    if len(names) > MOST_COLUMNS:
        raise BadInput.at(file.name, number, f"{len(names):,} columns are more than the {MOST_COLUMNS:,} we read")
    if LINE in names:
        raise BadInput.at(file.name, number, f"the column {LINE!r} has a name we use ourselves; rename it")
    repeated = next((name for name, times in Counter(names).items() if times > 1), None)
    if repeated is not None:
        raise BadInput.at(file.name, number, f"the column {shortened(repeated, 60)!r} occurs twice")
    told = next((told for name in names if (told := no_name(name))), "")
    if told:
        raise BadInput.at(file.name, number, told)


def _missing(column: Column) -> str:
    if len(column.names) == 1:
        return f"no column {column.name!r}"
    return f"none of the columns {', '.join(column.names)}"


class CheckedRows:
    """Batches of one file made to fit a layout, in the order they come."""

    def __init__(self, file: UserFile, layout: Layout) -> None:
        self._file, self._layout = file, layout
        self._seen: set[int] = set()  # hashes: a million ids take about 60 MB
        self._rows = 0

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        if batch.height and not self._rows:
            self._layout.check_names(self._file, batch[LINE][0], [name for name in batch.columns if name != LINE])
        self._rows += batch.height
        try:
            if self._layout.trimmed:
                batch = batch.with_columns(pl.col(pl.String).str.strip_chars())
            for column in self._layout.columns:
                batch = self._fitted(batch, column)
        except pl.exceptions.PolarsError as error:
            raise BadInput(f"{self._file.name}: {str(error).splitlines()[0]}") from error
        if self._layout.unique:
            check_unique(batch, self._layout.unique, name=self._file.name, row=self._layout.row, seen=self._seen)
        return batch

    def end(self) -> None:
        """After the last batch."""
        if not self._rows and self._layout.some:
            raise BadInput(f"{self._file.name}: there are no {self._layout.row}s in it")

    def refuse(self, batch: pl.DataFrame, wrong: pl.Expr, told: Callable[[object], str], column: str) -> None:
        """A complaint about the first row that is `wrong`; `told` makes it from the value in that column."""
        rows = batch.filter(wrong)
        if rows.height:
            raise BadInput.at(self._file.name, rows[LINE][0], told(rows[column][0]), column=column)

    def _fitted(self, batch: pl.DataFrame, column: Column) -> pl.DataFrame:
        names = [name for name in column.names if name in batch.columns]
        if not names:
            if not column.required and column.default is None:
                return batch
            names = [column.name]  # where required: later rows of a format without a header lack it
            batch = batch.with_columns(pl.lit(None, pl.String).alias(column.name))
        nested = next((name for name in names if batch.schema[name].is_nested()), None)
        if nested:
            raise BadInput.at(self._file.name, batch[LINE][0], "holds lists or objects, not text", column=nested)
        name, text = column.name, pl.coalesce([pl.col(given).cast(pl.String) for given in names])
        batch = batch.with_columns(text.alias(name))
        empty = pl.col(name).is_null()
        if column.filled:
            empty = empty | (pl.col(name).str.strip_chars() == "")
        if column.given or column.filled:
            self.refuse(batch, empty, lambda _: f"the {self._layout.row} has no {name}", name)
        if column.type == pl.String():
            return batch
        return self._typed(batch, column)

    def _typed(self, batch: pl.DataFrame, column: Column) -> pl.DataFrame:
        """With the column's text read as what it means; what cannot be is refused."""
        name = column.name
        bare = pl.when(pl.col(name).str.strip_chars() != "").then(pl.col(name).str.strip_chars())
        usual = bare.str.to_lowercase().replace(column.spelt) if column.spelt else bare
        parsed = usual.cast(column.type, strict=False)
        if column.within:
            parsed = pl.when(parsed.is_between(*column.within)).then(parsed)
        wrong = bare.is_not_null() & parsed.is_null()
        self.refuse(batch, wrong, lambda value: f"{quoted(value)} is not {column.means or 'of the right kind'}", name)
        return batch.with_columns(pl.coalesce(parsed, pl.lit(column.default, column.type)).alias(name))


def quoted(value: object) -> str:
    """A cell as an error shows it: of a long one its two ends."""
    return shortened(repr(value), LONGEST_CELL)


def check_unique(table: pl.DataFrame, columns: Sequence[str], *, name: str, row: str, seen: set[int]) -> None:
    """No two rows alike in these columns, here and in the batches whose keys (hashes) are in `seen`."""
    keys = [hash(key) for key in table.select(columns).iter_rows()]
    fresh = set(keys)
    if len(fresh) == len(keys) and seen.isdisjoint(fresh):
        seen |= fresh
        return
    lines = dict[int, int]()
    for key, line, values in zip(keys, table[LINE], table.select(columns).iter_rows(), strict=True):
        if key in seen or key in lines:
            told = ", ".join(
                f"{column} {quoted(value)}" for column, value in zip(columns, values, strict=True) if value
            )
            at = f" in line {lines[key]}" if key in lines else ""
            raise BadInput.at(name, line, f"{told} is already used{at}; every {row} needs its own {columns[0]}")
        lines[key] = line
