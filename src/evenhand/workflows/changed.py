"""Single strings against an earlier run: where a person's gender changed, and which of these changes are accepted.

An accepted change is a line of a text file that people can review: the string, both genders, and the rendering that was
accepted. It holds for that rendering alone; the next one has to be looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.measures.decisions.gate import Check
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text
from evenhand.storage.tables import GENDER

Change = Literal["to-male", "to-female", "gendered", "any"]
RULES: dict[Change, str] = {
    "to-male": "was not male and is male now",
    "to-female": "was not female and is female now",
    "gendered": "was neutral or both and is female or male now",
    "any": "has another gender now",
}
KEYS = ("id", "sample", "now", "rendering")  # what an accepted change is told by
ACCEPTED = Layout(
    "accepted change",
    (
        Column("id", required=True, filled=True),
        Column("sample", type=pl.UInt16(), default=0, means="a whole number"),
        Column("was", type=GENDER, required=True, filled=True),
        Column("now", type=GENDER, required=True, filled=True),
        Column("rendering", required=True),
        Column("note"),
    ),
    some=False,
    notes="anywhere",
    gaps=True,
)
HEAD = ("id", "sample", "was", "now", "rendering", "note")


@dataclass(frozen=True)
class Changed:
    """What became of the strings two runs share.

    `table`: one row a change that the rule forbids (id, sample, source, was, now, before, rendering). The others are
    counts: strings compared, those that only one of the runs has, those undecided in one of the runs, verdicts that
    changed though the words did not (the detector is another one), and changes to what the source states, which never
    fail.
    """

    table: pl.DataFrame
    compared: int
    other: int
    undecided: int
    same_words: int
    stated: int

    @property
    def words(self) -> str:
        parts = [f"{self.compared:,} strings compared"]
        counts = (
            (self.other, "in one of the runs only"),
            (self.undecided, "undecided in one of the runs"),
            (self.stated, "changed to what the source states"),
        )
        parts += [f"{count:,} {what}" for count, what in counts if count]
        if self.same_words:
            parts.append(f"{self.same_words:,} judged otherwise though their words are the same")
        return ", ".join([*parts, f"{self.table.height:,} changed as gated"])


def changed(run: Run, baseline: Run, change: Change) -> Changed:
    """The strings whose person's gender changed in the way that is gated; unknown is no gender and no change."""
    keys = ["id", "sample"]
    before = baseline.answers.select(
        *keys, "source", pl.col("gender").cast(pl.String).alias("was"), pl.col("rendering").alias("before")
    )
    gold = pl.col("gold").cast(pl.String) if "gold" in run.answers.columns else pl.lit(None, dtype=pl.String)
    now = run.answers.select(
        *keys, "source", pl.col("gender").cast(pl.String).alias("now"), _line("rendering"), gold.alias("gold")
    )
    both = now.join(before.with_columns(_line("before")), on=[*keys, "source"], how="inner", maintain_order="left")
    if not both.height:
        raise BadInput("the two runs have no string in common (by id and source)")
    decided = both.filter((pl.col("was") != Gender.UNKNOWN.value) & (pl.col("now") != Gender.UNKNOWN.value))
    moved = decided.filter((pl.col("was") != pl.col("now")) & _gated(change))
    reworded = moved.filter(pl.col("before") != pl.col("rendering"))
    stated = pl.col("gold").eq_missing(pl.col("now"))
    table = reworded.filter(~stated).select(*keys, "source", "was", "now", "before", "rendering")
    return Changed(
        table=table,
        compared=both.height,
        other=now.height + before.height - 2 * both.height,
        undecided=both.height - decided.height,
        same_words=moved.height - reworded.height,
        stated=reworded.height - table.height,
    )


def _line(column: str) -> pl.Expr:
    return pl.col(column).fill_null("").str.replace_all(r"[\t\r\n]+", " ").alias(column)


def _gated(change: Change) -> pl.Expr:
    now = pl.col("now")
    if change == "any":
        return pl.lit(value=True)
    if change == "gendered":
        return ~pl.col("was").is_in(["female", "male"]) & now.is_in(["female", "male"])
    return now == change.removeprefix("to-")


def sentence_checks(changes: Changed, change: Change, accepted: pl.DataFrame | None = None) -> list[Check]:
    """A check for each change, which fails unless it is accepted."""
    known = set() if accepted is None else set(accepted.select(KEYS).iter_rows())
    checks = []
    for row in changes.table.iter_rows(named=True):
        passed = tuple(row[key] for key in KEYS) in known
        told = f"{row['was']} to {row['now']}: “{row['before']}” is now “{row['rendering']}” ({row['source']})"
        name = row["id"] if not row["sample"] else f"{row['id']} #{row['sample']}"
        outcome = "accepted" if passed else f"{row['was']} to {row['now']}"
        checks.append(Check("sentence", name, RULES[change], outcome, passed, told))
    return checks


def read_accepted(path: Path) -> pl.DataFrame:
    """The accepted changes of a file: id, sample, was, now, rendering, note."""
    if not path.exists():
        raise BadInput(f"{path}: no such file of accepted changes; --accept-new writes one to review")
    rows = read(path, ACCEPTED).drop(LINE)
    if "note" not in rows.columns:
        rows = rows.with_columns(note=pl.lit(""))
    return rows.with_columns(pl.col("was", "now").cast(pl.String), pl.col("note").fill_null("")).select(HEAD)


def write_accepted(path: Path, changes: Changed) -> int:
    """Accept every change: lines of the file that still occur stay as they are; how many new ones came to them."""
    earlier = read_accepted(path) if path.exists() else pl.DataFrame(schema=dict.fromkeys(HEAD, pl.String))
    earlier = earlier.with_columns(pl.col("sample").cast(pl.UInt16))
    current = changes.table.with_columns(note=pl.lit("")).select(HEAD)
    kept = earlier.join(current.select(KEYS), on=KEYS, how="semi", maintain_order="left")
    added = current.join(earlier.select(KEYS), on=KEYS, how="anti", maintain_order="left")
    rows = pl.concat([kept, added]).sort("id", "sample", maintain_order=True)
    lines = ["# changes of a person's gender that were looked at and accepted; say why in note"]
    lines += ["\t".join(HEAD), *("\t".join(map(str, row)) for row in rows.iter_rows())]
    write_text(path, "\n".join(lines) + "\n")
    return added.height
