"""Give the person of every pair the wanted gender, or say why not."""

from collections.abc import Iterator
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.cores import cores
from evenhand.detect.pairs import in_order, read_pairs
from evenhand.detect.validity import Validity
from evenhand.errors import BadInput, Unknown
from evenhand.gender import Gender
from evenhand.languages import code, primary
from evenhand.mend.mender import Mended, Mender
from evenhand.mend.styles import Styler, known_style
from evenhand.persons import LexiconFinder
from evenhand.readers.focus import resolve_focus
from evenhand.storage.tables import schema

WISHES = ("female", "male", "source", "both", "neutral")
COLUMNS = ("id", "to", "gender", "mended", "changed", "confidence", "reason")
SCHEMA = {**schema(pl.String, *COLUMNS), "confidence": pl.Float64()}
ENOUGH = 10_000  # rows below which a second process costs more time to start than it saves
PART = 2_000  # rows given to a process at once
STATED = "the source states the gender, so nothing changes"
NOTHING_STATED = "the source states no gender, so nothing changes"


class Pair(NamedTuple):
    """One row of the user's table; `gold` is the gender that the source states, where the table says it."""

    id: str
    source: str
    rendering: str
    start: int | None
    end: int | None
    gold: str | None


class Mending:
    """What is wished for renderings of English into one language; opened once, used for any number of tables."""

    def __init__(self, *, target: str, to: str = "", source: str = "en", style: str = "") -> None:
        if bool(to) == bool(style):
            raise BadInput("give either a gender (--to) or a house style (--style)")
        if to and to not in WISHES:
            raise Unknown("wish", to, WISHES)
        if primary(source) != "en":
            raise BadInput(f"mend reads English sources, not {source!r}")
        self.to, self.target, self.style = to, target, style
        if style:
            known_style(style, target)
        self.mender = Mender(code(target))
        self._styler = Styler(self.mender, target, style) if style else None
        self._validity = Validity("en", code(target))
        self._finder = LexiconFinder() if style or to == "source" else None

    def table(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """One row a pair, in their order, two (female, male) for both; columns as in `mend`."""
        missing = [column for column in ("id", "source", "rendering") if column not in pairs.columns]
        if missing:
            raise BadInput(f"the pairs have no column {missing[0]!r}; they have {', '.join(pairs.columns) or 'none'}")
        pairs = resolve_focus(pairs, noted=True) if "focus_problem" not in pairs.columns else pairs
        refused = pairs.select(pl.coalesce("focus_problem", self._validity.check(pairs))).to_series().to_list()
        columns = ["id", "source", "rendering", "focus_start", "focus_end"]
        gold = pairs["gold"].cast(pl.String).to_list() if "gold" in pairs.columns else [None] * pairs.height
        texts = pairs.select(pl.col(columns[:3]).cast(pl.String).fill_null(""), *columns[3:]).iter_rows()
        each = zip(texts, gold, refused, strict=True)
        rows = [row for pair, stated, reason in each for row in self._rows(Pair._make((*pair, stated)), reason)]
        return pl.DataFrame(rows, schema=SCHEMA, orient="row")

    def file(self, pairs: Path | str, *, workers: int = 1) -> Iterator[pl.DataFrame]:
        """The same for a file, batch by batch ("-" is standard input); `workers` are the processes for a large one
        (0: one a core), which change nothing but the time."""
        batches = read_pairs(pairs, noted=True)
        head = list(islice(batches, 1))
        processes = workers or cores()
        if processes < 2 or sum(batch.height for batch in head) < ENOUGH:
            return map(self.table, chain(head, batches))
        parts = (part for batch in chain(head, batches) for part in batch.iter_slices(PART))
        return in_order(partial(_mended, target=self.target, to=self.to, style=self.style), parts, processes)

    def _rows(self, pair: Pair, invalid: str | None) -> Iterator[tuple[object, ...]]:
        for wanted in self._wanted(pair):
            if invalid is not None:
                mended = Mended(Gender.UNKNOWN, "", (), 0.0, invalid)
            elif self._styler and self._of_one_gender(pair):
                mended = Mended(Gender.UNKNOWN, pair.rendering, (), 1.0, STATED)
            elif self._styler:
                mended = self._styler.mend(pair.source, pair.rendering, pair.start, pair.end)
            elif wanted is None:
                verdict = self.mender.detector.verdict(pair.source, pair.rendering, pair.start, pair.end)
                mended = Mended(verdict.gender, pair.rendering, (), verdict.confidence, NOTHING_STATED)
            else:
                mended = self.mender.mend(pair.source, pair.rendering, pair.start, pair.end, wanted)
            changed = "; ".join(f"{old} > {new}" for old, new in mended.changed)
            to = self.style or (None if wanted is None else str(wanted))
            yield pair.id, to, str(mended.gender), mended.text, changed, mended.confidence, mended.reason

    def _of_one_gender(self, pair: Pair) -> bool:
        """The source says the person's gender, which no style takes away."""
        if pair.gold is not None:
            return pair.gold in {Gender.FEMALE, Gender.MALE}
        return bool(self._finder and pair.start is not None and stated(self._finder, pair.source, pair.start))

    def _wanted(self, pair: Pair) -> tuple[Gender | None, ...]:
        if self._styler:
            return (None,)
        if self.to == "both":
            return Gender.FEMALE, Gender.MALE
        if self.to != "source":
            return (Gender(self.to),)
        if pair.gold is not None:
            return (Gender(pair.gold) if pair.gold in {Gender.FEMALE, Gender.MALE} else None,)
        if pair.start is None or self._finder is None:
            return (None,)
        return (stated(self._finder, pair.source, pair.start),)


def stated(finder: LexiconFinder, source: str, start: int) -> Gender | None:
    """The gender that the source states for the person at `start`; None where it states none or leaves it unclear."""
    says = finder.stated(source, start)
    return Gender(says) if says in {Gender.FEMALE, Gender.MALE} else None


_opened = cache(Mending)  # once per process


def _mended(pairs: pl.DataFrame, **asked: str) -> pl.DataFrame:
    return _opened(**asked).table(pairs)


def mend(
    pairs: pl.DataFrame | Path | str, *, target: str, to: str = "", source: str = "en", style: str = ""
) -> pl.DataFrame:
    """Each rendering rewritten so that the person of the focus has the wanted gender, and only that person.

    `pairs` as for `detect`. `to`: "female", "male"; "source" (the gender that the English states: a column `gold`, else
    "the female ...", else she or he where the sentence names no other person, by noun or name; nothing is changed where
    it states none); "both" (two rows, female and male); "neutral" (an established word for any person: die Lehrkraft,
    la persona usuaria; only where the table has one). `style`, instead of `to`: a house style, by which the person has
    both genders or none ("star": Benutzer*innen; docs/mend.md lists the styles of each language). Columns: id, to,
    gender (before), mended (empty where it declines), changed (old > new; ...), confidence, reason. A rendering that
    has the wanted gender comes back as it is, byte for byte.
    Languages: ca, cs, de, es, fr, it, pl, pt, ru, uk.
    """
    mending = Mending(target=target, to=to, source=source, style=style)
    if isinstance(pairs, pl.DataFrame):
        return mending.table(pairs)
    return pl.concat(list(mending.file(pairs)))
