"""From finished shards to counts: by cluster, by word and cluster, and a few sentences, whatever the size of the text.

Shards are read one at a time. What stays in memory is counts (a row a cluster and outcome, a row a word and cluster)
and the sentences drawn by lot.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from evenhand.corpus.steps import OPEN
from evenhand.gender import GENDERS
from evenhand.mining.shards import ShardManifest, summed

SAMPLE = 1_000  # persons drawn from all
EXAMPLES = 3  # sentences kept for a word and outcome
COUNT = pl.UInt32()


@dataclass(frozen=True)
class Collected:
    """What all shards together say.

    `clusters`: file, cluster, says and a column a gender; `words`: concept, cluster and a column a gender, of persons
    the source leaves open; `said`: concept, says and a column a gender; `sample`: persons drawn by the seed;
    `examples`: a few persons of each word and gender that the source leaves open, drawn too. `counts` are the steps'.
    """

    clusters: pl.DataFrame
    words: pl.DataFrame
    said: pl.DataFrame
    sample: pl.DataFrame
    examples: pl.DataFrame
    counts: Counter[str]
    seconds: dict[str, float]
    peak_mb: float


def collect(
    shards: Sequence[Path], manifests: Sequence[ShardManifest], *, seed: int, sample: int = SAMPLE
) -> Collected:
    """Read the shards (at least one) in their order."""
    counts, seconds = summed(manifests)
    clusters, words, said = [], [], []
    drawn = kept = None
    for path in shards:
        persons = pl.read_parquet(path).with_columns(pl.col("gender").cast(pl.String))
        clusters.append(_counted(persons, "file", "cluster", "says"))
        words.append(_counted(persons.filter(pl.col("says") == OPEN), "concept", "cluster"))
        said.append(_counted(persons, "concept", "says"))
        lots = persons.with_columns(lot=_lots(persons, seed)).sort("lot")
        drawn = lots.head(sample) if drawn is None else pl.concat([drawn, lots]).sort("lot").head(sample)
        some = lots.filter(pl.col("says") == OPEN)
        some = some if kept is None else pl.concat([kept, some]).sort("lot")
        kept = some.filter(pl.int_range(pl.len()).over("concept", "gender") < EXAMPLES)
    totals = pl.concat(said).group_by("concept", "says").agg(pl.col(GENDERS).sum()).sort("concept", "says")
    if drawn is None or kept is None:
        raise ValueError("there is no shard to collect")
    return Collected(
        pl.concat(clusters),
        pl.concat(words),
        totals,
        drawn.drop("lot"),
        kept.sort("concept", "gender", "lot").drop("lot"),
        counts,
        seconds,
        max(manifest.peak_mb for manifest in manifests),
    )


def _counted(persons: pl.DataFrame, *keys: str) -> pl.DataFrame:
    columns = [(pl.col("gender") == gender).sum().cast(COUNT).alias(gender) for gender in GENDERS]
    return persons.group_by(keys, maintain_order=True).agg(columns)


def _lots(persons: pl.DataFrame, seed: int) -> pl.Series:
    """A number for each person that depends on the seed and its place only."""
    places = persons.select(pl.concat_str("file", "line", pl.col("focus_start").fill_null(0), separator=":"))
    digests = [hashlib.blake2b(f"{seed}:{place}".encode(), digest_size=8).digest() for place in places.to_series()]
    return pl.Series([int.from_bytes(digest, "big") for digest in digests], dtype=pl.UInt64)
