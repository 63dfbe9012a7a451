"""The sentences of a run, chosen by what was asked and what came out; and those that changed since another run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.gender import GENDERS
from evenhand.options import Option
from evenhand.results.runs import Run, load_run
from evenhand.storage.tables import KEY
from evenhand.suites.suite import where
from evenhand.workflows.compare import same_suite

FIRST = ("id", "sample", "candidate", "source", "focus", "gold", "rendering", "gender")
BEFORE = ("rendering_before", "gender_before")
LEFT_OUT = ("source_lang", "target_lang", "focus_start", "focus_end", "evidence_start", "evidence_end")


def sentences(
    run: Run | Path | str,
    *,
    gender: Annotated[Sequence[str], Option("renderings of this gender (repeatable)", "GENDER")] = (),
    gold: Annotated[Sequence[str], Option("whose source states this (repeatable)", "GENDER")] = (),
    only: Annotated[Sequence[str], Option("of probes with this value (repeatable)", "COLUMN=VALUE")] = (),
    group: Annotated[Sequence[str], Option("of one group of the report (repeatable)", "GROUPING=LEVEL")] = (),
    pair: Annotated[Sequence[str], Option("of this pair (repeatable)", "ID")] = (),
    wrong: Annotated[bool, Option("whose gender is not the one the source states")] = False,
    against: Annotated[Run | Path | str | None, Option("changed since this earlier run", "RUN")] = None,
    was: Annotated[Sequence[str], Option("with --against: from this gender (repeatable)", "GENDER")] = (),
    alternatives: Annotated[bool, Option("alternatives too, which no measure counts")] = False,
) -> pl.DataFrame:
    """One row per rendering: id, source, gold, rendering, gender, what shows it, and the probe's own columns.

    Kept are renderings with one of the `gender`s and one of the stated `gold`s, of probes with one of the values that
    `only` (COLUMN=VALUE) gives for each column, in every GROUPING=LEVEL in `group`, of one of the `pair`s; `wrong`:
    whose gender is not the stated one. `against`, an earlier run of the same sentences, keeps those whose gender has
    changed since (from one of `was`), with the columns rendering_before and gender_before. A system's alternatives
    (candidate > 0), which no measure counts, are listed only with `alternatives`.
    """
    loaded = load_run(run)
    for word in (*gender, *gold, *was):
        if word not in GENDERS:
            raise Unknown("gender", word, GENDERS)
    if was and against is None:
        raise BadInput("`was` needs an earlier run: name it with `against`")
    table = (loaded.table if alternatives else loaded.answers).with_columns(pl.col("gender").cast(pl.String))
    table = where(table, only, name=f"run {loaded.path or loaded.manifest.suite.name}")
    for condition in group:
        table = table.filter(_level(loaded, condition))
    for name, values in (("pair", pair), ("gender", gender), ("gold", gold)):
        if values:
            table = table.filter(_column(table, name).is_in(list(values)))
    if wrong:
        table = table.filter(_column(table, "gold") != pl.col("gender"))
    if against is not None:
        table = _changed(table, loaded, load_run(against), was)
    first = [c for c in (*FIRST, *BEFORE) if c in table.columns]
    return table.select(*first, *(c for c in table.columns if c not in (*first, *LEFT_OUT)))


def _column(table: pl.DataFrame, name: str) -> pl.Expr:
    if name not in table.columns:
        raise BadInput(f"the suite has no column {name!r}, so its sentences cannot be chosen by it")
    return pl.col(name).cast(pl.String)


def _level(run: Run, condition: str) -> pl.Expr:
    name, equals, level = condition.partition("=")
    groupings = {grouping.name: grouping for grouping in run.manifest.suite.groupings}
    if not equals:
        raise BadInput(f"{condition!r} is not GROUPING=LEVEL")
    if name not in groupings:
        raise Unknown(f"grouping of suite {run.manifest.suite.name}", name, groupings)
    levels = groupings[name].filters(run.table)
    if level not in levels:
        raise Unknown(f"level of {name}", level, levels)
    return levels[level]


def _changed(table: pl.DataFrame, run: Run, earlier: Run, was: Sequence[str]) -> pl.DataFrame:
    same_suite(run, earlier)
    one, other = run.manifest.target_lang, earlier.manifest.target_lang
    if one != other:
        raise BadInput(f"one run is into {one}, the other into {other}; compare runs into the same language")
    before = earlier.table.select(*KEY, rendering_before="rendering", gender_before=pl.col("gender").cast(pl.String))
    both = table.join(before, on=list(KEY), how="inner", maintain_order="left")
    both = both.filter(pl.col("gender").ne_missing(pl.col("gender_before")))
    return both.filter(pl.col("gender_before").is_in(list(was))) if was else both
