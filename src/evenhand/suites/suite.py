"""A suite: a named, versioned table of probes, and how it wants to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import polars as pl

from evenhand import tsv
from evenhand.errors import BadInput, Unknown
from evenhand.gender import SHARES
from evenhand.languages import primary
from evenhand.notebook import html_table, html_title
from evenhand.storage.tables import PROBES, PROBES_OPTIONAL, check_probes, check_unique_ids, conform, content_hash

SuiteKind = Literal["pronouns", "nouns", "references", "speaker", "listener", "mentions", "contrastive"]


SHOWN = 5  # probes of a suite in a notebook
MANY_LEVELS = 32  # below it filters are as quick, and need no second copy of a large table


@dataclass(frozen=True)
class Grouping:
    """One way to cut a suite: by the values of a column, or by named levels (which may overlap), each a set of column
    values."""

    name: str
    column: str | None = None
    levels: Mapping[str, Mapping[str, str]] | None = None

    @classmethod
    def by(cls, *columns: str) -> tuple[Grouping, ...]:
        """By the values of each of these columns."""
        return tuple(cls(column, column=column) for column in columns)

    def filters(self, table: pl.DataFrame) -> dict[str, pl.Expr]:
        """A filter for each level that this table can have."""
        column = self.column or self.name
        if self.levels is not None:
            return {
                level: pl.all_horizontal([pl.col(c) == v for c, v in conditions.items()])
                for level, conditions in self.levels.items()
                if all(c in table.columns for c in conditions)
            }
        values = table[column].drop_nulls().unique().sort() if column in table.columns else ()
        return {str(value): pl.col(column) == value for value in values}

    def of_many(self, table: pl.DataFrame) -> bool:
        """Whether it goes by a column with many values."""
        column = self.column or self.name
        return self.levels is None and column in table.columns and table[column].n_unique() > MANY_LEVELS

    def parts(self, table: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
        """Each level with its rows, in the order of `filters`; levels without rows are left out. Many values of a
        column are found in one pass: a filter for each would read the table as often."""
        if self.of_many(table):
            column = self.column or self.name
            cut = table.partition_by(column, maintain_order=True, as_dict=True)
            yield from ((str(value), cut[(value,)]) for value in table[column].drop_nulls().unique().sort())
            return
        parts = ((level, table.filter(condition)) for level, condition in self.filters(table).items())
        yield from ((level, part) for level, part in parts if part.height)


Axes = Literal["", "found", "chosen"]


@dataclass(frozen=True)
class Suite:
    """Probes with a name, a version, a detector kind, the columns that cluster them and the groupings worth reporting.

    `make` builds the probes when they are first needed; `stream` hands them out in slices.
    `kind`: "pronouns" judges the rendering by pronouns, "nouns" by the noun phrase of the focus,
    "references" compares with reference translations kept in probe columns, "speaker" and "listener" judge what agrees
    with "I" and "you", "mentions" every mention of the one person a passage is about, "contrastive" the score that a
    model or metric gives two renderings (columns `feminine`, `masculine`).
    `by_target` names the column that says into which language a probe goes, where not all go into every one.
    `axes` says who names the clusters: the suite (""), the data ("found" when a run is scored) or a user ("chosen").
    """

    name: str
    version: str
    source_lang: str
    kind: SuiteKind
    summary: str
    make: Callable[[], pl.DataFrame] = field(repr=False)
    clusters: tuple[str, ...] = ()
    groupings: tuple[Grouping, ...] = ()
    measures: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    citation: str = ""
    by_target: str | None = None
    axes: Axes = ""

    @cached_property
    def probes(self) -> pl.DataFrame:
        table = self.make()
        check_probes(table.columns, name=f"suite {self.name}")
        schema = PROBES | {c: t for c, t in PROBES_OPTIONAL.items() if c in table.columns}
        table = conform(table, schema, name=f"probes of {self.name}")
        check_unique_ids(table, name=f"suite {self.name}")
        return table

    def only(self, conditions: Sequence[str]) -> Suite:
        """The probes with one of the values given for each column (COLUMN=VALUE; an empty value: those without one);
        the version names it."""
        if not conditions:
            return self
        kept = where(self.probes, conditions, name=f"suite {self.name}")
        if not kept.height:
            raise BadInput(f"no probe of suite {self.name} has {' and '.join(conditions)}")
        return replace(self, version=f"{self.version}[{','.join(conditions)}]", make=lambda: kept)

    def into(self, target: str) -> Suite:
        """The probes that go into this language; the whole suite where all go everywhere."""
        if self.by_target is None:
            return self
        known = self.probes[self.by_target].unique().sort().to_list()
        if primary(target) not in known:
            raise Unknown(f"target language of suite {self.name}", target, known)
        part = self.only([f"{self.by_target}={primary(target)}"])
        languages = part.probes["source_lang"].unique().to_list()
        return replace(part, source_lang=languages[0] if len(languages) == 1 else "mixed", by_target=None)

    def stream(self, size: int = 4_096) -> Iterator[pl.DataFrame]:
        yield from self.probes.iter_slices(size)

    @cached_property
    def hash(self) -> str:
        return content_hash(self.probes)

    def __len__(self) -> int:
        return self.probes.height

    def __repr__(self) -> str:
        return f"<Suite {self.name} {self.version}: {self.kind}, from {self.source_lang}>"

    def _repr_html_(self) -> str:
        """For a notebook: what is asked, how it is counted, and the first probes."""
        facts = {"source": self.source_lang, "targets": ", ".join(self.targets), "measures": ", ".join(self.measures)}
        facts |= {"clusters": ", ".join(self.clusters), "groupings": ", ".join(g.name for g in self.groupings)}
        facts |= {"summary": self.summary, "citation": self.citation}
        about = html_table(("", f"{len(self):,} probes"), [pair for pair in facts.items() if pair[1]])
        first = self.probes.head(SHOWN)
        probes = html_table(first.columns, first.iter_rows())
        return f"{html_title(f'{self.name} {self.version}')}{about}{probes}"


def where(table: pl.DataFrame, conditions: Sequence[str], *, name: str) -> pl.DataFrame:
    """The rows of the table called `name` with one of the values given for each column, as COLUMN=VALUE (an empty
    value: rows without one)."""
    wanted: dict[str, list[str]] = {}
    for condition in conditions:
        column, equals, value = condition.partition("=")
        if not equals:
            raise BadInput(f"{condition!r} is not COLUMN=VALUE (an empty value: probes without one)")
        if column not in table.columns:
            raise Unknown(f"column of {name}", column, table.columns)
        wanted.setdefault(column, []).append(value)
    for column, values in wanted.items():
        table = table.filter(pl.col(column).cast(pl.String).fill_null("").is_in(values))
    return table


# A suite as runs remember it.


@dataclass(frozen=True)
class SuiteInfo:
    """What a run keeps of its suite, so that it can be scored and shown again without it."""

    name: str
    version: str
    hash: str
    kind: SuiteKind
    source_lang: str
    clusters: tuple[str, ...] = ()
    groupings: tuple[Grouping, ...] = ()
    measures: tuple[str, ...] = ()
    summary: str = ""
    citation: str = ""
    axes: Axes = ""

    def clustered(self, columns: Sequence[str]) -> SuiteInfo:
        """The same with clusters that a user names; as it is where none are named."""
        return replace(self, clusters=tuple(columns), axes="chosen") if columns else self

    @classmethod
    def of(cls, suite: Suite) -> SuiteInfo:
        return cls(**{part.name: getattr(suite, part.name) for part in fields(cls)})


# What our own makers of suites share: designs.tsv, rows of English probes, the gender of an English pronoun.

DESIGNS = Path(__file__).with_name("designs.tsv")


def designed(design: str, make: Callable[[], pl.DataFrame], *subjects: object, **given: object) -> Suite:
    """A suite by its row of designs.tsv; `subjects` fill in its summary, `given` are fields of its own."""
    row = next(row for row in tsv.rows(DESIGNS) if row["name"] == design)
    cuts = [cut.partition("=") for cut in row["groupings"].split("; ") if cut]
    declared = {
        **{name: row[name] for name in ("name", "kind", "source_lang", "citation")},
        "version": "1.0",
        "summary": row["summary"].format(*subjects),
        "clusters": tuple(row["clusters"].split()),
        "groupings": tuple(Grouping(name, column=column or name) for name, _, column in cuts),
        "measures": tuple(row["measures"].replace("SHARES", " ".join(SHARES)).split()),
        "targets": tuple(row["targets"].split()),
    }
    return Suite(make=make, **(declared | given))  # type: ignore[arg-type]  # fields of ours, by their names


def marked_probe(name: str, source: str, start: int, end: int, **more: object) -> dict[str, object]:
    """A row of an English suite: the sentence, the focus in it, and further columns."""
    span = {"focus": source[start:end], "focus_start": start, "focus_end": end}
    return {"id": name, "source": source, "source_lang": "en", **span, **more}


def gender_of_pronoun(pronoun: str) -> str | None:
    """Gold gender of an English pronoun as the Wino sets use them; None for other words."""
    return {
        **dict.fromkeys(("she", "her", "hers", "herself"), "female"),
        **dict.fromkeys(("he", "him", "his", "himself"), "male"),
        **dict.fromkeys(("they", "them", "their", "theirs", "themself", "themselves"), "neutral"),
    }.get(pronoun.casefold())


# What changed between two suites: probes added, left out, and said in other words.


def diff(first: Suite, second: Suite) -> pl.DataFrame:
    """One row per probe (by id) whose sentence differs: id, change (added, left out, changed), old and new source; in
    the second's order."""
    old = first.probes.select("id", old="source")
    new = second.probes.select("id", new="source")
    matched = new.join(old, on="id", how="left", maintain_order="left").filter(pl.col("new").ne_missing(pl.col("old")))
    gone = old.join(new, on="id", how="anti", maintain_order="left").with_columns(new=pl.lit(None, dtype=pl.String))
    added, left_out = (pl.when(pl.col(c).is_null()).then(pl.lit(n)) for c, n in (("old", "added"), ("new", "left out")))
    change = pl.coalesce(added, left_out, pl.lit("changed"))
    return pl.concat([matched, gone], how="diagonal").select("id", change.alias("change"), "old", "new")
