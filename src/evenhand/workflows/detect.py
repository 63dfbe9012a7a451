"""Verdicts on pairs that already exist, marked or not: what `evenhand.detect(...)` calls."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import polars as pl

from evenhand.detect import RULE
from evenhand.detect.verdicts import Judging, Verdicts
from evenhand.languages import primary
from evenhand.options import DOMAIN, OWN_FORMS, Option, Target, by_keywords
from evenhand.persons import Domain
from evenhand.workflows.unmarked import Persons


@dataclass(frozen=True, kw_only=True)
class DetectSettings:
    """How pairs are judged; `workers` are processes for a large file."""

    target: Target
    source: Annotated[str, Option("source language", "LANG", "--source -s")] = "en"
    kind: Annotated[
        str,
        Option(
            "nouns, pronouns, speaker (I), listener (you), or auto: pronouns where the source has one word for both",
            "KIND",
        ),
    ] = "auto"
    rule: Annotated[
        str,
        Option("evenhand; published ones: cho2019 (pronouns), stanovsky2019 (nouns; needs a column alignment)", "RULE"),
    ] = RULE
    forms: Annotated[Path | str | None, OWN_FORMS] = None
    pool: Annotated[bool, Option("also learn word translations from the rows given; verdicts then depend on them")] = (
        False
    )
    explain: Annotated[bool, Option("for every pair the steps to its verdict, in plain words")] = False
    domain: Annotated[Domain, DOMAIN] = "prose"
    workers: int = 1


@by_keywords(DetectSettings)
def detect(pairs: pl.DataFrame | Path | str, settings: DetectSettings) -> pl.DataFrame:
    """Which gender each rendering gives the focus: one row per pair, in their order (id, gender, evidence, how, ...).

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
    verdicts, _ = judge_pairs(pairs, settings, Persons(settings.domain))
    return pl.concat(list(verdicts.batches))


def judge_pairs(pairs: pl.DataFrame | Path | str, settings: DetectSettings, persons: Persons) -> tuple[Verdicts, bool]:
    """The verdicts in batches, and whether each row has a focus that `persons` may have found."""
    given = {name: getattr(settings, name) for name in ("target", "source", "kind", "rule", "forms", "explain")}
    judging = Judging.of(**given)
    focused = judging.kind == "nouns" and primary(settings.source) == "en"
    mark = persons.mark if focused else None
    if isinstance(pairs, pl.DataFrame):
        verdicts = Verdicts("", iter([judging.table(pairs, pool=settings.pool, mark=mark)]))
    else:
        verdicts = judging.file(pairs, pool=settings.pool, workers=settings.workers, mark=mark)
    batches = map(persons.labelled, verdicts.batches) if focused else verdicts.batches
    return Verdicts(verdicts.fingerprint, batches), focused
