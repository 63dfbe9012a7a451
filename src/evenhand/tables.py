"""The four tables of a run: column names and types, checked in one place."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender

GENDER = pl.Enum([g.value for g in Gender])

KEY: dict[str, pl.DataType] = {
    "id": pl.String(),
    "target_lang": pl.String(),
    "sample": pl.UInt16(),
    "candidate": pl.UInt16(),
}

PROBES: dict[str, pl.DataType] = {"id": pl.String(), "source": pl.String(), "source_lang": pl.String()}

PROBES_OPTIONAL: dict[str, pl.DataType] = {
    "focus": pl.String(),
    "focus_start": pl.Int64(),
    "focus_end": pl.Int64(),
    "gold": GENDER,
    "stereotype": pl.String(),
    "base": pl.String(),
    "pair": pl.String(),
    "context": pl.String(),
}

RENDERINGS: dict[str, pl.DataType] = {**KEY, "rendering": pl.String()}

JUDGED: dict[str, pl.DataType] = {  # what a detector says of one rendering
    "gender": GENDER,
    "evidence": pl.String(),
    "evidence_start": pl.Int64(),
    "evidence_end": pl.Int64(),
    "how": pl.String(),
    "confidence": pl.Float64(),
    "reason": pl.String(),
    "adequate": pl.Boolean(),
    "conflict": pl.Boolean(),
}

VERDICTS: dict[str, pl.DataType] = {
    **KEY,
    **JUDGED,
    "valid": pl.Boolean(),  # null in runs judged before validity was looked at
}

MOST_INVALID = 0.1  # share of answers that are no renderings, above which a system is not ranked and a gate is shut
FIRST_ANSWER = pl.col("candidate").fill_null(0) == 0

ALL = "all"  # the group, with level "", of an estimate over a whole result

ESTIMATES: dict[str, pl.DataType] = {
    "measure": pl.String(),
    "group": pl.String(),
    "level": pl.String(),
    "variant": pl.String(),
    "reference": pl.String(),
    "value": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "interval": pl.String(),
    "n": pl.Int64(),
    "n_decided": pl.Int64(),
    "n_valid": pl.Int64(),
    "n_clusters": pl.Int64(),
    "p": pl.Float64(),
    "p_adjusted": pl.Float64(),
    "family": pl.String(),
    "bounds_low": pl.Float64(),
    "bounds_high": pl.Float64(),
    "note": pl.String(),
}


def conform(table: pl.DataFrame, schema: Mapping[str, pl.DataType], *, name: str) -> pl.DataFrame:
    """The table with every column of the schema in its type (missing ones null), further columns after them."""
    required = "id" in schema and "id" not in table.columns
    if required:
        raise BadInput(f"the {name} table has no column 'id'; it has {', '.join(table.columns) or 'none'}")
    try:
        columns = [
            (pl.col(c).cast(t) if c in table.columns else pl.lit(None, dtype=t).alias(c)) for c, t in schema.items()
        ]
        rest = [pl.col(c) for c in table.columns if c not in schema]
        return table.select(*columns, *rest)
    except pl.exceptions.PolarsError as error:
        raise BadInput(f"the {name} table does not have the expected types: {error}") from error


def first_answers(table: pl.DataFrame) -> pl.DataFrame:
    """Without a system's alternatives (candidate > 0): the rows that measures count. Repeated answers all stay."""
    return table.filter(FIRST_ANSWER) if "candidate" in table.columns else table


def count_valid(table: pl.DataFrame) -> int | None:
    """How many rows are renderings at all; None where nobody looked (runs judged before validity was checked)."""
    if "valid" not in table.columns or (table.height and table["valid"].null_count() == table.height):
        return None
    return int(table["valid"].fill_null(value=True).sum())


def count_decided(table: pl.DataFrame) -> int:
    """How many rows have a verdict other than unknown."""
    known = table["gender"].cast(pl.String) != Gender.UNKNOWN.value
    return int(known.fill_null(value=False).sum())


def check_unique_ids(table: pl.DataFrame, *, name: str) -> None:
    """A duplicate id is an error that names the first one."""
    duplicated = table.filter(pl.col("id").is_duplicated())
    if duplicated.height:
        raise BadInput(f"{name}: id {duplicated['id'][0]!r} occurs more than once ({duplicated.height} rows in all)")


def content_hash(table: pl.DataFrame) -> str:
    """A hash of a table's content that does not depend on row chunking or the Parquet writer."""
    digest = hashlib.sha256("\t".join(f"{c}:{t}" for c, t in table.schema.items()).encode())
    for batch in table.iter_slices(50_000):
        digest.update(batch.write_ndjson().encode())
    return digest.hexdigest()[:16]
