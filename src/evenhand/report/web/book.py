"""One run, opened for the explorer. It is never held whole: its tables are streamed into one Parquet file, from which
every page reads only what it needs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.report.composition import counts, first_answers
from evenhand.report.words.narrative import RunFacts
from evenhand.results.runs import Manifest, Run, read_manifest
from evenhand.storage.folders import MANIFEST, own_file, read_table
from evenhand.storage.tables import ESTIMATES, KEY, VERDICTS, conform, joined
from evenhand.suites.suite import Grouping

TEXT = "_text"  # source and rendering, lower case: what a search looks at
OPTIONS = 2_000  # a column with more values is searched, not chosen from
GROUP = 20_000  # rows a group of the Parquet file: what a page has to read at least
NEAR = 2_000
LEVELS = 80  # a grouping with more levels gets no bars
_NOT_ATTRIBUTES = {
    *KEY, *VERDICTS, "rendering", "source", "source_lang", "focus", "focus_start", "focus_end", "base", "pair",
    "context", "reference", "reference_other", "gold", TEXT,
}  # fmt: skip


@dataclass(frozen=True)
class Bar:
    """One level of a grouping: what came out, and the filters that lead to its sentences."""

    level: str
    counts: dict[str, int]
    where: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Book:
    """One run, opened: manifest, estimates, the joined table, its attributes' values; `alternatives` counts a system's,
    which no measure counts."""

    slug: str
    name: str
    path: Path
    manifest: Manifest
    estimates: pl.DataFrame = field(repr=False)
    file: Path
    columns: tuple[str, ...]
    height: int
    ids: int
    alternatives: int
    attributes: dict[str, list[str]] = field(repr=False)
    facts: RunFacts = field(repr=False)
    bars: dict[str, list[Bar]] = field(repr=False)

    def scan(self) -> pl.LazyFrame:
        """The joined table, nothing read yet."""
        return pl.scan_parquet(self.file)

    def rows(self, numbers: Sequence[int]) -> pl.DataFrame:
        """These rows in this order: near ones are read together, far ones one by one."""
        wanted = sorted(set(numbers))
        if not wanted:
            return self.scan().head(0).collect()
        spans: list[list[int]] = []
        for number in wanted:
            if spans and number - spans[-1][-1] < NEAR:
                spans[-1].append(number)
            else:
                spans.append([number])
        parts = pl.collect_all([self.scan().slice(s[0], s[-1] - s[0] + 1) for s in spans])
        read = pl.concat([part[[n - span[0] for n in span]] for span, part in zip(spans, parts, strict=True)])
        place = {number: at for at, number in enumerate(wanted)}
        return read[[place[number] for number in numbers]]

    def load(self) -> Run:
        """The run itself, from its own files: for reports and for applying labels."""
        return Run.load(self.path)


def read_book(slug: str, path: Path, target: Path) -> Book:
    """The run in a folder, its joined table written to `target`; BadInput where it cannot be read."""
    manifest = read_manifest(path)
    if manifest is None:
        raise BadInput(f"{path}: not a run folder (no {MANIFEST})")
    for name in ("probes", "renderings", "verdicts"):
        if not own_file(path / f"{name}.parquet"):
            raise BadInput(f"{path}: cannot be read as a run (there is no {name}.parquet)")
    try:
        _joined(path).sink_parquet(target, row_group_size=GROUP)
        estimates = conform(read_table(path, "estimates"), ESTIMATES, name=f"estimates of {path}")
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise BadInput(f"{path}: cannot be read as a run ({str(error).splitlines()[0]})") from error
    scan = pl.scan_parquet(target)
    columns = tuple(scan.collect_schema().names())
    # The order counts too: equal sums mean that row n is the same sentence in both runs.
    order = (pl.struct("id", "sample", "candidate").hash() // 2**20) * (pl.int_range(pl.len()) % 1009 + 1).cast(
        pl.UInt64
    )
    height, ids = scan.select(pl.len().alias("n"), (order % 2**31).sum().alias("ids")).collect().row(0)
    narrow = [c for c in columns if c not in ("source", "rendering", "evidence", TEXT)]
    table = scan.select(narrow).collect()
    return Book(
        slug=slug,
        name=path.name,
        path=path,
        manifest=manifest,
        estimates=estimates,
        file=target,
        columns=columns,
        height=height,
        ids=ids,
        alternatives=height - first_answers(table).height,
        attributes=_attributes(table),
        facts=RunFacts.of(manifest, estimates, table),
        bars={g.name: _bars(first_answers(table), g) for g in manifest.suite.groupings},
    )


def _joined(path: Path) -> pl.LazyFrame:
    """Renderings, verdicts and probes of a run as one lazy table."""
    probes, renderings, verdicts = (
        pl.scan_parquet(path / f"{table}.parquet", glob=False) for table in ("probes", "renderings", "verdicts")
    )
    table = joined(probes, renderings, verdicts, name=str(path))
    named = table.collect_schema().names()
    gold = [pl.col("gold").cast(pl.String)] if "gold" in named else []
    return table.with_columns(
        pl.col("gender").cast(pl.String).fill_null(Gender.UNKNOWN.value),
        *gold,
        pl.concat_str(pl.col("source").fill_null(""), pl.lit("\n"), pl.col("rendering").fill_null(""))
        .str.to_lowercase()
        .alias(TEXT),
    )


def _bars(table: pl.DataFrame, grouping: Grouping) -> list[Bar]:
    """Counts by level with the filters that select it; none for a grouping with too many levels."""
    levels = grouping.filters(table)
    if not 1 < len(levels) <= LEVELS:
        return []
    column = grouping.column or grouping.name
    made = []
    for level, wanted in levels.items():
        counted = counts(table.filter(wanted)).row(0, named=True)
        where = dict(grouping.levels[level]) if grouping.levels is not None else {column: level}
        if counted["n"]:
            made.append(Bar(level, counted, tuple(where.items())))
    return made


def _attributes(table: pl.DataFrame) -> dict[str, list[str]]:
    """Columns to choose from with their values, most telling first: text or truth values, not too many of them."""
    attributes: dict[str, list[str]] = {}
    for column, kind in table.schema.items():
        if column in _NOT_ATTRIBUTES or kind not in (pl.String, pl.Boolean, pl.Int64):
            continue
        values = table[column].drop_nulls().unique()
        if 1 < len(values) <= OPTIONS:
            attributes[column] = sorted(str(v) for v in values.to_list())
    return attributes
