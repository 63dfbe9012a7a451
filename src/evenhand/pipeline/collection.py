"""Rows drawn from all shards by a lot that depends on the seed and the row only, read when the draw is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import polars as pl

from evenhand.pipeline.buckets import hashes


def lots(names: Iterable[str]) -> pl.Series:
    """A number per name; the smallest are drawn."""
    return pl.Series("lot", hashes(names, ">"))


class Draw:
    """The rows with the smallest lots: `limit` of all, or per combination of the columns `over`. Holds places only."""

    def __init__(self, limit: int, *over: str) -> None:
        self._limit, self._over = limit, over
        self._places: pl.DataFrame | None = None

    def add(self, shard: int, rows: pl.DataFrame) -> None:
        """Rows of a shard: `row`, their place in it, `lot`, and the columns `over`."""
        new = rows.select(pl.lit(shard, pl.Int32).alias("shard"), pl.col("row").cast(pl.UInt32), "lot", *self._over)
        places = (new if self._places is None else pl.concat([self._places, new])).sort("lot")
        if self._over:
            places = places.filter(pl.int_range(pl.len()).over(self._over) < self._limit)
        self._places = places if self._over else places.head(self._limit)

    def read(self, load: Callable[[int], pl.DataFrame]) -> pl.DataFrame:
        """The drawn rows with their lots, in the order of the shards; `load` gives the table of a shard."""
        rows: list[tuple[object, ...]] = []  # plain rows: a table's texts would hold those of the whole shard in memory
        places = pl.DataFrame() if self._places is None else self._places.sort("shard", "row")
        shape = load(int(places["shard"][0]) if places.height else 0).clear()
        for (number,), some in places.group_by("shard", maintain_order=True) if places.height else ():
            rows += load(int(str(number)))[some["row"]].with_columns(some["lot"]).rows()
        return pl.DataFrame(rows, schema={**shape.schema, "lot": pl.UInt64()}, orient="row")
