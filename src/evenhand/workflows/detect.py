"""Verdicts on pairs that already exist, marked or not: a table in memory, or a file of any size, batch by batch. What
`evenhand.detect(...)` calls."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import polars as pl

from evenhand.cores import cores
from evenhand.detect import RULE, Detector, open_detector
from evenhand.detect.own_forms import given_forms
from evenhand.detect.pairs import in_order, read_pairs
from evenhand.errors import BadInput, Unknown, listed
from evenhand.languages import known, primary
from evenhand.options import DOMAIN, OWN_FORMS, Option, Target, by_keywords
from evenhand.persons import Domain
from evenhand.readers.focus import resolve_focus, unstarred
from evenhand.suites.suite import SuiteKind
from evenhand.workflows.unmarked import Persons

KINDS: tuple[SuiteKind, ...] = ("nouns", "pronouns", "speaker", "listener")
Mark = Callable[[pl.DataFrame], pl.DataFrame]
_POOL_BATCHES = 10  # 200,000 rows teach what more rows would


@dataclass(frozen=True)
class Verdicts:
    """The detector's fingerprint and its verdicts, in the order of the pairs; they are made while batches are read."""

    fingerprint: str
    batches: Iterator[pl.DataFrame]


@dataclass(frozen=True, kw_only=True)
class DetectSettings:
    """How pairs are judged; `workers` are processes for a file of more than one batch of nouns (0: one per core)."""

    target: Target
    source: Annotated[str, Option("source language", "LANG", "--source -s")] = "en"
    kind: Annotated[str, Option("nouns, pronouns, speaker (I), listener (you) or auto", "KIND")] = "auto"
    rule: Annotated[str, Option("evenhand, cho2019, stanovsky2019 (needs a column alignment)", "RULE")] = RULE
    forms: Annotated[Path | str | None, OWN_FORMS] = None
    pool: Annotated[bool, Option("also learn word translations from these rows; verdicts then depend on them")] = False
    explain: Annotated[bool, Option("for every pair the steps to its verdict, in plain words")] = False
    domain: Annotated[Domain, DOMAIN] = "prose"
    workers: int = 1

    def __post_init__(self) -> None:
        if self.kind not in KINDS and self.kind != "auto":
            raise Unknown("kind", self.kind, ("auto", *KINDS))
        given_forms(self.forms)

    @property
    def judged_by(self) -> SuiteKind:
        """The kind, "auto" resolved (see `detect`)."""
        language = known().get(primary(self.source))
        one_word = language is not None and language.pronouns == "one"
        return next((kind for kind in KINDS if kind == self.kind), "pronouns" if one_word else "nouns")

    def detector(self, pool: pl.DataFrame | None = None) -> Detector:
        kind, forms = self.judged_by, given_forms(self.forms)
        return open_detector(kind, source=self.source, target=self.target, rule=self.rule, user_forms=forms, pool=pool)

    def table(self, pairs: pl.DataFrame, mark: Mark | None = None) -> pl.DataFrame:
        """Verdicts on pairs in memory; `mark` as for a file."""
        nouns = self.judged_by == "nouns"
        if nouns and pairs.schema.get("source") == pl.String:
            pairs = unstarred(pairs)
        focus = ["focus"] if nouns and mark is None and "focus_start" not in pairs.columns else []
        missing = [column for column in ("id", "source", "rendering", *focus) if column not in pairs.columns]
        if missing:
            raise BadInput(f"the pairs have no column {missing[0]!r}; they have {listed(pairs.columns)}")
        if nouns and mark:
            pairs = mark(resolve_focus(pairs.with_columns(pl.col("id").cast(pl.String))))
        return self._judged(self.detector(pairs.select("source", "rendering") if self.pool else None), pairs)

    def file(self, pairs: Path | str, mark: Mark | None = None) -> Verdicts:
        """Verdicts on a file of pairs ("-" is standard input) in constant memory. `mark` gives a focus to pairs of
        nouns that have none; without it they are an error."""
        nouns = self.judged_by == "nouns"
        if self.pool and (not nouns or str(pairs) == "-"):
            raise BadInput("--pool reads a file of noun pairs twice; it cannot read standard input or judge pronouns")
        texts = (batch.select("source", "rendering") for batch in read_pairs(pairs)) if self.pool else iter(())
        learnt = pl.concat(list(islice(texts, _POOL_BATCHES))) if self.pool else None
        read = read_pairs(pairs, needs_focus=nouns and mark is None)
        return self.batches(map(mark, read) if nouns and mark else read, learnt)

    def batches(self, pairs: Iterator[pl.DataFrame], pool: pl.DataFrame | None = None) -> Verdicts:
        """Verdicts on batches of pairs, one table each; `pool` is text to learn from. The number of processes changes
        no verdict, because none depends on another row."""
        detector, head, processes = self.detector(pool), list(islice(pairs, 2)), self.workers or cores()
        one_by_one = self.explain or self.judged_by != "nouns" or pool is not None or self.rule != RULE
        if len(head) < 2 or processes < 2 or one_by_one:
            return Verdicts(detector.fingerprint, map(partial(self._judged, detector), chain(head, pairs)))
        return Verdicts(detector.fingerprint, in_order(partial(_judge, self), chain(head, pairs), processes))

    def _judged(self, detector: Detector, pairs: pl.DataFrame) -> pl.DataFrame:
        if not self.explain:
            return detector.detect(pairs)
        from evenhand.detect.explain import explained

        return explained(detector, pairs)


_opened = cache(DetectSettings.detector)  # once per process


def _judge(settings: DetectSettings, batch: pl.DataFrame) -> pl.DataFrame:
    return _opened(settings).detect(batch)


@by_keywords(DetectSettings)
def detect(pairs: pl.DataFrame | Path | str, settings: DetectSettings) -> pl.DataFrame:
    """Which gender each rendering gives the focus: one row per pair, in their order (id, gender, evidence, how, ...).

    `pairs` is a table or a file with id, source, rendering, and for nouns the focus: its words in `focus`, or its
    offsets in focus_start and focus_end (code points, end exclusive). Of an English source without a focus every person
    it names is a row of its own (id-1, id-2, ...), none where it names no one; `domain` is the kind of text in which
    they are found ("prose" or "interface"), and a column `focus` says which word a row is about. `kind` "auto" judges
    by pronouns where the source language has one word for she and he, by the noun phrase of the focus otherwise;
    "speaker" and "listener" judge what the rendering says of "I" and "you" and need no focus. `rule` is evenhand's or a
    published one (cho2019 for pronouns; stanovsky2019 for nouns, with a column `alignment`), `forms` a file of your own
    forms. `pool` also learns word translations from these pairs: verdicts then depend on them. `explain` adds a column
    `explanation`: the chain from rendering and focus to the verdict, in plain words.
    """
    verdicts, _ = judge_pairs(pairs, settings, Persons(settings.domain, source=settings.source))
    return pl.concat(list(verdicts.batches))


def judge_pairs(pairs: pl.DataFrame | Path | str, settings: DetectSettings, persons: Persons) -> tuple[Verdicts, bool]:
    """The verdicts in batches, and whether each row has a focus that `persons` may have found."""
    focused = settings.judged_by == "nouns"
    mark = persons.mark if focused else None
    if isinstance(pairs, pl.DataFrame):
        verdicts = Verdicts("", iter([settings.table(pairs, mark)]))
    else:
        verdicts = settings.file(pairs, mark)
    batches = map(persons.labelled, verdicts.batches) if focused else verdicts.batches
    return Verdicts(verdicts.fingerprint, batches), focused
