"""From finished shards to counts by cluster and a few sentences, in memory that does not grow with the text: persons go
to the disk as numbers, by cluster, and clusters with equal numbers become one row with their count."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from evenhand.corpus.steps import OPEN, SAYS, facts
from evenhand.gender import GENDERS
from evenhand.pipeline.intake import BUCKETS, Buckets
from evenhand.pipeline.shards import Draw, Summary, hashes, lots
from evenhand.storage.tables import ALL

SAMPLE = 1_000  # persons drawn from all
EXAMPLES = 3  # sentences kept for a word and outcome
PART = 200_000  # persons whose clusters are counted at a time
TIMES = "times"
_PERSON = np.dtype([("cluster", "<u8"), ("file", "<i4"), ("concept", "<u4"), ("says", "u1"), ("gender", "u1")])
_READ = ["file", "line", "cluster", "focus_start", "concept", "says", "gender"]


class Collected(NamedTuple):
    """What all shards together say: `clusters` by grouping (level, a column per gender, how many clusters have these
    numbers), `counts` and `said` by file or concept, the persons drawn (`sample`), `examples` of each word and gender,
    and the steps' counts."""

    clusters: Mapping[str, pl.DataFrame]
    counts: pl.DataFrame
    said: pl.DataFrame
    sample: pl.DataFrame
    examples: pl.DataFrame
    summary: Summary


def collect(shards: Sequence[Path], summary: Summary, scratch: Path, *, seed: int, sample: int = SAMPLE) -> Collected:
    """Read the shards in their order; `scratch` is a folder that exists meanwhile."""
    parts = min(1 + summary.counts["persons"] // PART, BUCKETS)
    concepts: dict[str, int] = {}
    drawn, some = Draw(sample), Draw(EXAMPLES, "concept", "gender")
    with Buckets(scratch, _PERSON, count=parts) as buckets:
        for number, path in enumerate(shards):
            places = pl.read_parquet(path, columns=_READ)
            persons = _numbered(places, concepts)
            buckets.add(persons.to_numpy(structured=True).astype(_PERSON))
            place = pl.concat_str(pl.lit(f"{seed}"), "file", "line", pl.col("focus_start").fill_null(0), separator=":")
            lot = lots(places.select(place.alias("place"))["place"])
            rows = persons.select("concept", "says", "gender", lot).with_row_index("row")
            drawn.add(number, rows)
            some.add(number, rows.filter(pl.col("says") == SAYS.index(OPEN)))
        tally = _Tally(list(concepts))
        for records in buckets:
            tally.add(pl.DataFrame({name: np.ascontiguousarray(records[name]) for name in _PERSON.names or ()}))

    def load(shard: int) -> pl.DataFrame:
        return pl.read_parquet(shards[shard]).with_columns(pl.col("gender").cast(pl.String))

    return Collected(
        clusters=tally.clusters(),
        counts=tally.totals("file"),
        said=tally.totals("concept"),
        sample=drawn.read(load).sort("lot").drop("lot"),
        examples=some.read(load).sort("concept", "gender", "lot").drop("lot"),
        summary=summary,
    )


def _numbered(persons: pl.DataFrame, concepts: dict[str, int]) -> pl.DataFrame:
    """Numbers only; a concept that was not there yet gets the next one."""
    for concept in persons["concept"].unique(maintain_order=True):
        concepts.setdefault(concept, len(concepts))
    clusters = persons["cluster"].unique(maintain_order=True)
    return persons.select(
        pl.col("cluster").replace_strict(clusters, pl.Series(hashes(clusters)), return_dtype=pl.UInt64),
        pl.col("file"),
        pl.col("concept").replace_strict(concepts, return_dtype=pl.UInt32),
        pl.col("says").replace_strict({says: number for number, says in enumerate(SAYS)}, return_dtype=pl.UInt8),
        pl.col("gender").cast(pl.Enum(GENDERS)).to_physical().cast(pl.UInt8),
    )


class _Tally:
    """Clusters counted part by part."""

    def __init__(self, concepts: Sequence[str]) -> None:
        sectors = dict(facts().drop_nulls("sector").select("concept", "sector").iter_rows())
        names = sorted(set(sectors.values()))
        places = [names.index(sectors[concept]) if concept in sectors else None for concept in concepts]
        self._sector = pl.Series("sector", places, dtype=pl.UInt32)
        self._names = {ALL: [""], "says": SAYS, "source": SAYS, "sector": names, "concept": concepts}
        self._clusters: dict[str, pl.DataFrame] = {}
        self._totals: dict[str, pl.DataFrame] = {}

    def add(self, persons: pl.DataFrame) -> None:
        """Persons as numbers; of a cluster all that there are."""
        table = persons.with_columns(sector=self._sector.gather(persons["concept"]))
        opened = table.filter(pl.col("says") == SAYS.index(OPEN))
        wholes = {
            ALL: (table, pl.lit(0, pl.UInt32)),
            "source": (table, pl.col("says")),
            "file": (opened, pl.col("file")),
            "sector": (opened.drop_nulls("sector"), pl.col("sector")),
            "concept": (opened, pl.col("concept")),
        }
        for grouping, (part, level) in wholes.items():
            counted = part.group_by(level.alias("level"), "cluster").agg(_by_gender())
            alike = counted.group_by("level", *GENDERS).agg(pl.len().cast(pl.Int64).alias(TIMES))
            _merge(self._clusters, grouping, alike, ["level", *GENDERS])
        for key in ("file", "concept"):
            _merge(self._totals, key, table.group_by(key, "says").agg(_by_gender()), [key, "says"])

    def clusters(self) -> dict[str, pl.DataFrame]:
        """By grouping, in an order that depends on nothing but the numbers."""
        named = {grouping: self._named(table, "level", grouping) for grouping, table in self._clusters.items()}
        return {grouping: table.sort("level", *GENDERS) for grouping, table in named.items()}

    def totals(self, key: str) -> pl.DataFrame:
        return self._named(self._named(self._totals[key], "says", "says"), key, key).sort(key, "says")

    def _named(self, table: pl.DataFrame, column: str, kind: str) -> pl.DataFrame:
        """The column with names in place of numbers, where this kind has names."""
        if kind not in self._names:
            return table
        names = pl.Series(column, self._names[kind], dtype=pl.String)
        return table.with_columns(names.gather(table[column]).alias(column))


def _by_gender() -> list[pl.Expr]:
    return [(pl.col("gender") == number).sum().cast(pl.Int64).alias(name) for number, name in enumerate(GENDERS)]


def _merge(tables: dict[str, pl.DataFrame], name: str, now: pl.DataFrame, keys: Sequence[str]) -> None:
    """Add counts to those of the parts before."""
    tables[name] = pl.concat([tables[name], now]).group_by(keys).agg(pl.all().sum()) if name in tables else now
