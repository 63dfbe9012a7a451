"""The system `mended:SYSTEM`: another system's answers, in which the gender that the source states is obeyed.

The systems room knows nothing of detection, so this wrapper stands here and the registry names it. For every person
noun of an English text whose gender the text states (`persons`), the first of the wrapped system's candidates that
gives all of them is taken; where none does, the first is rewritten. Each answer says which way it came, in its
`version`:

    as is       the wrapped system's first answer, because it gives what is stated
    chosen      another of its candidates
    rewritten   the first answer with words changed by the mender
    declined    the first answer, because the mender declined
    open        the first answer, because the source states nothing
    unclear     the first answer: the source has a he or she, but it may mean more than one person
"""

import asyncio
import dataclasses
import hashlib
from collections.abc import Iterator
from functools import cached_property
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.errors import BadInput, Unknown
from evenhand.gender import Gender
from evenhand.languages import primary
from evenhand.mend.hints import hinted
from evenhand.mend.mender import Mender
from evenhand.persons import LexiconFinder
from evenhand.readers.focus import resolve_focus
from evenhand.systems.protocol import Answer, Batch, Request, System, fingerprint, fingerprint_of
from evenhand.systems.registry import Setting, open_system
from evenhand.workflows.mend import stated

VERSION = "1"
MEND, GRAMMAR = (Path(str(files(f"evenhand.{room}"))) for room in ("mend", "grammar"))
OPEN = ("keep", "alternatives")


class Wish(NamedTuple):
    """A person of the source and the gender it states for them; None where it states none."""

    start: int
    end: int
    wanted: Gender | None


class MendedSystem:
    """SYSTEM is another system's spec; its settings are handed on.

    `leave_open`: "keep" leaves persons alone of whom the source states nothing; "alternatives" adds, as further
    candidates, the sentence with each such person female and male. `gold`: obey the column `gold` of the suite for its
    focus instead of the source's own words, which shows what an ideal reader of the source could reach. A gender that
    an audit asks for is obeyed for the probe's focus instead.
    """

    asks = frozenset({"female", "male"})

    def __init__(self, argument: str, *, leave_open: str = "keep", gold: bool = False, **settings: Setting) -> None:
        if leave_open not in OPEN:
            raise Unknown("treatment of open genders", leave_open, OPEN)
        self.inner: System = open_system(argument, **settings)
        self.name = f"mended:{self.inner.name}"
        self._leave_open, self._gold = leave_open, gold
        self._probes: dict[str, Wish] = {}
        self._focus: dict[str, tuple[int, int]] = {}
        self._menders: dict[str, Mender] = {}
        self.remote = bool(getattr(self.inner, "remote", False))
        self.may_change = bool(getattr(self.inner, "may_change", self.remote))

    @property
    def batch(self) -> Batch:
        batch = self.inner.batch
        return dataclasses.replace(batch, by_probe=True) if self._gold else batch

    @property
    def fingerprint(self) -> str:
        return self._fingerprint(self.inner.fingerprint, "")

    def fingerprint_for(self, source: str, target: str) -> str:
        return self._fingerprint(fingerprint_of(self.inner, source, target), self._mender(target).detector.fingerprint)

    def pairs(self) -> set[tuple[str, str]] | None:
        ask = getattr(self.inner, "pairs", None)
        known: set[tuple[str, str]] | None = ask() if ask is not None else None
        return known

    def bind(self, probes: pl.DataFrame) -> None:
        """Shows the wrapped system the probes, and keeps their focus and gold where these are to be obeyed."""
        bind = getattr(self.inner, "bind", None)
        if bind is not None:
            bind(probes)
        if {"focus_start", "focus_end"} <= set(probes.columns):
            places = probes.select("id", "focus_start", "focus_end").drop_nulls()
            self._focus = {str(name): (start, end) for name, start, end in places.iter_rows()}
        if not self._gold:
            return
        if "gold" not in probes.columns:
            raise BadInput(f"{self.name} needs the column gold, which this suite does not have")
        stated = resolve_focus(probes).select("id", "focus_start", "focus_end", "gold").drop_nulls("focus_start")
        for name, start, end, gold in stated.iter_rows():
            wanted = Gender(gold) if gold in {Gender.FEMALE, Gender.MALE} else None
            self._probes[str(name)] = Wish(start, end, wanted)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        answers = await self.inner.translate(requests)
        return await asyncio.to_thread(lambda: list(map(self.answer, requests, answers)))

    async def aclose(self) -> None:
        close = getattr(self.inner, "aclose", None)
        if close is not None:
            await close()

    def answer(self, request: Request, answer: Answer) -> Answer:
        """The wrapped system's answer as this system gives it."""
        if answer.refusal is not None or not answer.text.strip():
            return answer
        if primary(request.source) != "en":
            raise BadInput(f"{self.name} reads English sources, not {request.source!r}")
        mender, wishes = self._mender(request.target), list(self._wishes(request))
        stated_wishes = [wish for wish in wishes if wish.wanted is not None]
        text, way = self._obeyed(mender, request.text, answer, stated_wishes)
        if not stated_wishes:
            way = "unclear" if wishes and not self._gold and hinted(request.text) else "open"
        others = [answer.text, *answer.alternatives]
        if self._leave_open == "alternatives":
            places = ((wish.start, wish.end) for wish in wishes if wish.wanted is None)
            both = product(places, (Gender.FEMALE, Gender.MALE))
            others += [mender.mend(request.text, text, *place, wanted).text for place, wanted in both]
        further = tuple(dict.fromkeys(other for other in others if other and other != text))
        return dataclasses.replace(answer, text=text, alternatives=further, version=f"mended {VERSION}: {way}")

    def _wishes(self, request: Request) -> Iterator[Wish]:
        probe = request.probe or ""
        if request.ask in self.asks:
            yield from (Wish(*place, Gender(request.ask)) for place in [self._focus.get(probe)] if place)
        elif self._gold:
            yield from filter(None, [self._probes.get(probe)])
        else:
            for one in self._finder.find_all([request.text])[0]:
                if not one.thing and not one.gendered:
                    yield Wish(one.start, one.end, stated(self._finder, request.text, one.start))

    def _obeyed(self, mender: Mender, source: str, answer: Answer, wishes: list[Wish]) -> tuple[str, str]:
        for number, candidate in enumerate((answer.text, *answer.alternatives)):
            verdicts = (mender.detector.verdict(source, candidate, wish.start, wish.end) for wish in wishes)
            if all(verdict.gender is wish.wanted for verdict, wish in zip(verdicts, wishes, strict=True)):
                return candidate, "chosen" if number else "as is"
        text = answer.text
        for wish in wishes:
            if wish.wanted is not None:
                text = mender.mend(source, text, wish.start, wish.end, wish.wanted).text or text
        return text, "declined" if text == answer.text else "rewritten"

    @cached_property
    def _finder(self) -> LexiconFinder:
        return LexiconFinder()

    def _mender(self, target: str) -> Mender:
        code = primary(target)
        if code not in self._menders:
            self._menders[code] = Mender(target)
        return self._menders[code]

    def _fingerprint(self, inner: str, detector: str) -> str:
        digest = hashlib.sha256()
        for file in sorted(path for folder in (MEND, GRAMMAR) for path in folder.rglob("*.tsv")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
        tables, way = digest.hexdigest()[:16], self._leave_open
        return fingerprint(
            "mended", inner=inner, detector=detector, tables=tables, version=VERSION, leave_open=way, gold=self._gold
        )
