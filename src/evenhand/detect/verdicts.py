"""Verdicts on pairs that already exist: a table in memory, or a file of any size, batch by batch."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path

import polars as pl

from evenhand.detect import RULE, Detector, open_detector
from evenhand.detect.own_forms import own_forms
from evenhand.detect.pairs import read_pairs
from evenhand.detect.parallel import detect_batches
from evenhand.errors import BadInput, Unknown
from evenhand.languages import known, primary
from evenhand.suites.suite import Kind

KINDS = ("auto", "nouns", "pronouns")
COLUMNS = ("id", "source", "rendering")
_POOL_BATCHES = 10  # 200,000 rows teach what more rows would


@dataclass(frozen=True)
class Verdicts:
    """What judges, and its verdicts in the order of the pairs; they are made while the batches are read."""

    fingerprint: str
    batches: Iterator[pl.DataFrame]


def stream_verdicts(
    pairs: Path | str,
    *,
    target: str,
    source: str = "en",
    kind: str = "auto",
    rule: str = RULE,
    forms: Path | str | None = None,
    pool: bool = False,
    workers: int = 0,
    explain: bool = False,
) -> Verdicts:
    """Verdicts on a file of pairs ("-" is standard input) in constant memory. See `detect` for the settings.

    `workers` are the processes for a file of more than one batch of nouns; 0 takes one a core.
    """
    chosen, own = _chosen(kind, source), _given(forms)
    if pool and (chosen == "pronouns" or str(pairs) == "-"):
        raise BadInput("--pool reads a file of noun pairs twice; it cannot read standard input or judge pronouns")
    taught = pl.concat(list(islice(_texts(pairs), _POOL_BATCHES))) if pool else None
    detector = open_detector(chosen, source=source, target=target, rule=rule, user_forms=own, pool=taught)

    def batches() -> Iterator[pl.DataFrame]:
        read = read_pairs(pairs, needs_focus=chosen == "nouns")
        head = list(islice(read, 2))
        processes = workers or os.cpu_count() or 1
        if explain or len(head) < 2 or chosen == "pronouns" or pool or processes < 2 or rule != RULE:
            return map(partial(_judged, detector, explain=explain), chain(head, read))
        user_forms = own or own_forms(target)
        return detect_batches(chain(head, read), source=source, target=target, user_forms=user_forms, workers=processes)

    return Verdicts(detector.fingerprint, batches())


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
) -> pl.DataFrame:
    """Which gender each rendering gives the focus: one row a pair, in their order (id, gender, evidence, how, ...).

    `pairs` is a table or a file with id, source, rendering, and for nouns the focus: its words in `focus`, or its
    offsets in focus_start and focus_end (code points, end exclusive). `kind` "auto" judges by pronouns where the source
    language has one word for she and he, by the noun phrase of the focus otherwise. `rule` is evenhand's or a published
    one (cho2019 for pronouns; stanovsky2019 for nouns, with a column `alignment`), `forms` a file of your own forms.
    `pool` also learns word translations from these pairs: verdicts then depend on them. `explain` adds a column
    `explanation`: the chain from rendering and focus to the verdict, in plain words.
    """
    if not isinstance(pairs, pl.DataFrame):
        judged = stream_verdicts(
            pairs,
            target=target,
            source=source,
            kind=kind,
            rule=rule,
            forms=forms,
            pool=pool,
            workers=workers,
            explain=explain,
        )
        return pl.concat(list(judged.batches))
    chosen = _chosen(kind, source)
    wanted = [*COLUMNS, *(["focus"] if chosen == "nouns" and "focus_start" not in pairs.columns else [])]
    missing = [column for column in wanted if column not in pairs.columns]
    if missing:
        raise BadInput(f"the pairs have no column {missing[0]!r}; they have {', '.join(pairs.columns) or 'none'}")
    taught = pairs.select("source", "rendering") if pool else None
    detector = open_detector(chosen, source=source, target=target, rule=rule, user_forms=_given(forms), pool=taught)
    return _judged(detector, pairs, explain=explain)


def _judged(detector: Detector, pairs: pl.DataFrame, *, explain: bool) -> pl.DataFrame:
    if not explain:
        return detector.detect(pairs)
    from evenhand.detect.explain import explained

    return explained(detector, pairs)


def _chosen(kind: str, source: str) -> Kind:
    if kind not in KINDS:
        raise Unknown("kind", kind, KINDS)
    language = known().get(primary(source))
    one_word = language is not None and language.pronouns == "one"
    return "pronouns" if kind == "pronouns" or (kind == "auto" and one_word) else "nouns"


def _given(forms: Path | str | None) -> Path | None:
    if forms is not None and not Path(forms).is_file():
        raise BadInput(f"{forms}: no such file of forms")
    return None if forms is None else Path(forms)


def _texts(pairs: Path | str) -> Iterator[pl.DataFrame]:
    """Sources and renderings to learn from, by batch, so that memory stays bounded."""
    return (batch.select("source", "rendering") for batch in read_pairs(pairs))
