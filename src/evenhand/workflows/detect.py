"""Verdicts on pairs that already exist, marked or not: what `evenhand.detect(...)` calls."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from evenhand.detect import RULE
from evenhand.detect.verdicts import Judging
from evenhand.languages import primary
from evenhand.persons import Domain
from evenhand.workflows.unmarked import Persons


def detect(
    pairs: pl.DataFrame | Path | str,
    *,
    target: str,
    source: str = "en",
    kind: str = "auto",
    rule: str = RULE,
    forms: Path | str | None = None,
    pool: bool = False,
    workers: int = 1,
    explain: bool = False,
    domain: Domain = "prose",
) -> pl.DataFrame:
    """Which gender each rendering gives the focus: one row a pair, in their order (id, gender, evidence, how, ...).

    `pairs` is a table or a file with id, source, rendering, and for nouns the focus: its words in `focus`, or its
    offsets in focus_start and focus_end (code points, end exclusive). Of an English source without a focus every person
    it names is a row of its own (id-1, id-2, ...), none where it names no one; `domain` is the kind of text in which
    they are found ("prose" or "interface"), and a column `focus` says which word a row is about.
    `kind` "auto" judges by pronouns where
    the source language has one word for she and he, by the noun phrase of the focus otherwise; "speaker" and "listener"
    judge what the rendering says of "I" and "you" and need no focus. `rule` is evenhand's or a published one (cho2019
    for pronouns; stanovsky2019 for nouns, with a column `alignment`), `forms` a file of your own forms.
    `pool` also learns word translations from these pairs: verdicts then depend on them. `explain` adds a column
    `explanation`: the chain from rendering and focus to the verdict, in plain words.
    """
    judging = Judging.of(target=target, source=source, kind=kind, rule=rule, forms=forms, explain=explain)
    persons = Persons(domain)
    mark = persons.mark if judging.kind == "nouns" and primary(source) == "en" else None
    if isinstance(pairs, pl.DataFrame):
        judged: Iterable[pl.DataFrame] = [judging.table(pairs, pool=pool, mark=mark)]
    else:
        judged = judging.file(pairs, pool=pool, workers=workers, mark=mark).batches
    return pl.concat([persons.labelled(table) if mark else table for table in judged])
