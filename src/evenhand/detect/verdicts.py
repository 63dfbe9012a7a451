"""Verdicts on pairs that already exist: a table in memory, or a file of any size, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path

import polars as pl

from evenhand.cores import cores
from evenhand.detect import RULE, Detector, open_detector
from evenhand.detect.own_forms import given_forms
from evenhand.detect.pairs import read_pairs
from evenhand.detect.parallel import in_order
from evenhand.errors import BadInput, Unknown, listed
from evenhand.languages import known, primary
from evenhand.readers.focus import resolve_focus, starred
from evenhand.suites.suite import SuiteKind

KINDS: dict[str, SuiteKind] = {
    "nouns": "nouns", "pronouns": "pronouns", "speaker": "speaker", "listener": "listener",
}  # fmt: skip
COLUMNS = ("id", "source", "rendering")
Mark = Callable[[pl.DataFrame], pl.DataFrame]
_POOL_BATCHES = 10  # 200,000 rows teach what more rows would


@dataclass(frozen=True)
class Verdicts:
    """The detector's fingerprint and its verdicts, in the order of the pairs; they are made while batches are read."""

    fingerprint: str
    batches: Iterator[pl.DataFrame]


@dataclass(frozen=True)
class Judging:
    """How pairs are judged, checked: languages, by pronouns or by nouns, the rule, a file of the user's forms, and
    whether a column `explanation` is wanted."""

    target: str
    source: str
    kind: SuiteKind
    rule: str
    forms: Path | None
    explain: bool = False

    @classmethod
    def of(
        cls, *, target: str, source: str, kind: str, rule: str, forms: Path | str | None, explain: bool = False
    ) -> Judging:
        """From what a user says; `kind` may be "auto" (see `detect`)."""
        if kind not in KINDS and kind != "auto":
            raise Unknown("kind", kind, ("auto", *KINDS))
        language = known().get(primary(source))
        one_word = language is not None and language.pronouns == "one"
        chosen = KINDS.get(kind, "pronouns" if one_word else "nouns")
        return cls(target, source, chosen, rule, given_forms(forms), explain)

    def detector(self, pool: pl.DataFrame | None) -> Detector:
        return open_detector(
            self.kind, source=self.source, target=self.target, rule=self.rule, user_forms=self.forms, pool=pool
        )

    def table(self, pairs: pl.DataFrame, *, pool: bool, mark: Mark | None = None) -> pl.DataFrame:
        """Verdicts on pairs in memory; `mark` as for a file."""
        nouns = self.kind == "nouns"
        if nouns and pairs.schema.get("source") == pl.String:
            pairs = starred(pairs)
        focus = ["focus"] if nouns and mark is None and "focus_start" not in pairs.columns else []
        missing = [column for column in (*COLUMNS, *focus) if column not in pairs.columns]
        if missing:
            raise BadInput(f"the pairs have no column {missing[0]!r}; they have {listed(pairs.columns)}")
        if nouns and mark:
            pairs = mark(resolve_focus(pairs.with_columns(pl.col("id").cast(pl.String))))
        return self._judged(self.detector(pairs.select("source", "rendering") if pool else None), pairs)

    def file(self, pairs: Path | str, *, pool: bool, workers: int, mark: Mark | None = None) -> Verdicts:
        """Verdicts on a file of pairs ("-" is standard input) in constant memory.

        `workers` are the processes for a file of more than one batch of nouns; 0 takes one per core. `mark` gives a
        focus to pairs of nouns that have none; without it they are an error.
        """
        if pool and (self.kind != "nouns" or str(pairs) == "-"):
            raise BadInput("--pool reads a file of noun pairs twice; it cannot read standard input or judge pronouns")
        texts = (batch.select("source", "rendering") for batch in read_pairs(pairs)) if pool else iter(())
        learnt = pl.concat(list(islice(texts, _POOL_BATCHES))) if pool else None
        nouns = self.kind == "nouns"
        read = read_pairs(pairs, needs_focus=nouns and mark is None)
        return self.batches(map(mark, read) if nouns and mark else read, pool=learnt, workers=workers)

    def batches(self, pairs: Iterator[pl.DataFrame], *, pool: pl.DataFrame | None, workers: int) -> Verdicts:
        """Verdicts on batches of pairs, one table each; `pool` is text to learn from, `workers` as for a file. The
        number of processes changes no verdict, because none depends on another row."""
        detector, head, processes = self.detector(pool), list(islice(pairs, 2)), workers or cores()
        one_by_one = self.explain or self.kind != "nouns" or pool is not None or self.rule != RULE
        if len(head) < 2 or processes < 2 or one_by_one:
            return Verdicts(detector.fingerprint, map(partial(self._judged, detector), chain(head, pairs)))
        return Verdicts(detector.fingerprint, in_order(partial(_judge, self), chain(head, pairs), processes))

    def _judged(self, detector: Detector, pairs: pl.DataFrame) -> pl.DataFrame:
        if not self.explain:
            return detector.detect(pairs)
        from evenhand.detect.explain import explained

        return explained(detector, pairs)


@cache
def _opened(judging: Judging) -> Detector:
    """Once per process."""
    return judging.detector(None)


def _judge(judging: Judging, batch: pl.DataFrame) -> pl.DataFrame:
    return _opened(judging).detect(batch)
