"""The four tables of a run: column names and types, checked in one place."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, listed
from evenhand.gender import Gender
from evenhand.visible import nameless, shortened

GENDER = pl.Enum([g.value for g in Gender])


def schema(kind: type[pl.DataType], *names: str) -> dict[str, pl.DataType]:
    """Columns of one type."""
    return dict.fromkeys(names, kind())


KEY = {**schema(pl.String, "id", "target_lang"), **schema(pl.UInt16, "sample", "candidate")}

PROBES = schema(pl.String, "id", "source", "source_lang")

PROBES_OPTIONAL: dict[str, pl.DataType] = {
    **schema(pl.String, "focus"),
    **schema(pl.Int64, "focus_start", "focus_end"),
    "gold": GENDER,
    **schema(pl.String, "stereotype", "base", "pair", "context"),
}

RENDERINGS: dict[str, pl.DataType] = {**KEY, "rendering": pl.String()}

JUDGED: dict[str, pl.DataType] = {  # what a detector says of one rendering
    "gender": GENDER,
    "evidence": pl.String(),
    **schema(pl.Int64, "evidence_start", "evidence_end"),
    "how": pl.String(),
    "confidence": pl.Float64(),
    "reason": pl.String(),
    **schema(pl.Boolean, "adequate", "conflict"),
}

VERDICTS: dict[str, pl.DataType] = {
    **KEY,
    **JUDGED,
    "valid": pl.Boolean(),  # null in runs judged before validity was looked at
}

PERSON = "person"  # `how` of a verdict that a person's label has replaced
MOST_INVALID = 0.1  # share of answers that are no renderings, above which a system is not ranked and a gate is shut
FIRST_ANSWER = pl.col("candidate").fill_null(0) == 0

UNPACKED_FREELY, MOST_UNPACKED = 256 << 20, 100  # bytes of any compressed file; beyond, so many times its size
LONGEST_NAME = 200  # characters of a column's name
ALL = "all"  # the group, with level "", of an estimate over a whole result

ESTIMATES = {
    **schema(pl.String, "measure", "group", "level", "variant", "reference"),
    **schema(pl.Float64, "value", "low", "high"),
    **schema(pl.String, "interval"),
    **schema(pl.Int64, "n", "n_decided", "n_valid", "n_clusters"),
    **schema(pl.Float64, "p", "p_adjusted"),
    **schema(pl.String, "family"),
    **schema(pl.Float64, "bounds_low", "bounds_high"),
    **schema(pl.String, "note"),
}


def check_unfolds(path: Path) -> None:
    """Refuse a Parquet file whose rows are far more than its bytes: kilobytes may hold millions of equal rows."""
    scan = pl.scan_parquet(path, glob=False)
    width = sum(1 if kind == pl.Boolean else 8 if kind.is_numeric() else 16 for kind in scan.collect_schema().dtypes())
    rows = scan.select(pl.len()).collect().item()
    if rows * width > max(UNPACKED_FREELY, MOST_UNPACKED * path.stat().st_size):
        times = f"{rows:,} rows would take more than {MOST_UNPACKED} times its size"
        raise BadInput(f"{path}: {times}; if that is right, write it uncompressed or as another format")


def conform(table: pl.DataFrame, schema: Mapping[str, pl.DataType], *, name: str) -> pl.DataFrame:
    """The table with every column of the schema in its type (missing ones null), further columns after them."""
    if "id" in schema and "id" not in table.columns:
        raise BadInput(f"the {name} table has no column 'id'; it has {listed(table.columns)}")
    try:
        columns = [
            (pl.col(c).cast(t) if c in table.columns else pl.lit(None, dtype=t).alias(c)) for c, t in schema.items()
        ]
        rest = [pl.col(c) for c in table.columns if c not in schema]
        return table.select(*columns, *rest)
    except pl.exceptions.PolarsError as error:
        raise BadInput(f"the {name} table does not have the expected types: {error}") from error


def no_name(name: str) -> str:
    """Why this cannot be the name of a column; "" where it can. Polars takes * and ^...$ for patterns."""
    shown = shortened(name, 60)
    if len(name) > LONGEST_NAME:
        return f"the column {shown!r} has a name longer than {LONGEST_NAME} characters; shorten it"
    if name == "*" or (name.startswith("^") and name.endswith("$")):
        return f"the column {shown!r} has a name that is read as a pattern; rename it"
    return f"the column {shown!r} has an invisible character in its name; rename it" if nameless(name) else ""


def check_probes(columns: Iterable[str], *, name: str) -> None:
    """Refuse probes with a column that a joined table could not tell from one of ours (a suite's `gender` would be the
    outcome), or that is no name at all."""
    for column in columns:
        ours = column != "id" and (column in RENDERINGS or column in VERDICTS or column == ALL)
        why = no_name(column)
        if ours or column.startswith("_"):
            hint = "; call it gold if it is the gender the source states" if column == "gender" else ""
            why = f"the column {shortened(column, 60)!r} has a name we use ourselves. Rename it{hint}"
        if why:
            raise BadInput(f"{name}: {why}.")


def joined(probes: pl.LazyFrame, renderings: pl.LazyFrame, verdicts: pl.LazyFrame, *, name: str) -> pl.LazyFrame:
    """One row per rendering, in their order: with its verdict, and with its probe."""
    check_probes(probes.collect_schema().names(), name=name)
    judged = renderings.join(verdicts, on=list(KEY), how="left", maintain_order="left")
    return judged.join(probes, on="id", how="left", maintain_order="left")


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
