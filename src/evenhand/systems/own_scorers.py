"""Scorers that a user brings: a Python function, a program, a file of scores."""

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput, BadReply
from evenhand.readers.layout import Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import read
from evenhand.storage.tables import content_hash
from evenhand.systems.command import BREAKS, CommandSystem, run_program
from evenhand.systems.protocol import Batch, Request, fingerprint
from evenhand.systems.python import code_hash, imported, keywords_of, returned
from evenhand.systems.scoring import Scale, Score


class _OwnScorer(ABC):
    """`values` says what the numbers are (score, or log-probability summed over tokens), `better` which way is better,
    `lowest` and `highest` their range. At most `texts` renderings per call."""

    def __init__(
        self,
        argument: str,
        *,
        values: str = "score",
        better: str = "higher",
        lowest: str = "",
        highest: str = "",
        version: str = "",
        texts: int = 1_000,
    ) -> None:
        self.scale, self.version = Scale.stated(values, better, lowest, highest), version
        self._open(argument, texts)

    @abstractmethod
    def _open(self, argument: str, texts: int) -> None:
        """Set name, fingerprint and batch."""

    @abstractmethod
    async def _numbers(self, requests: list[Request]) -> Iterable[object]:
        """One number per request."""

    async def score(self, requests: list[Request]) -> list[Score]:
        values = list(await self._numbers(requests))
        name: str = getattr(self, "name", "")
        if len(values) != len(requests):
            raise BadReply(f"{name} was given {len(requests)} renderings and returned {len(values)} numbers")
        scores = []
        for n, value in enumerate(values, start=1):
            try:
                scores.append(Score(float(value)))  # type: ignore[arg-type]  # whatever a user's code returns
            except (TypeError, ValueError):
                raise BadReply(f"{name} must give a number per rendering; number {n} is {value!r}") from None
        return scores


class PythonScorer(_OwnScorer):
    """`python:module:function`: called with a list of sources and one of renderings, returns as many numbers. It may
    also take `references` (a list), `source` and `target` (languages) as keywords."""

    def _open(self, argument: str, texts: int) -> None:
        self.name, self._function = f"python:{argument}", imported(argument)
        code = self.version or code_hash(self._function)
        self.fingerprint = fingerprint(self.name, code=code)
        self._keywords = keywords_of(self._function, ("references", "source", "target"))
        self.batch = Batch(texts=texts, characters=1_000_000, concurrency=1, context=False, remembered=bool(code))

    async def _numbers(self, requests: list[Request]) -> Iterable[object]:
        first, sides = requests[0], ([r.text for r in requests], [r.rendering for r in requests])
        given = {"references": [r.reference for r in requests], "source": first.source, "target": first.target}
        keywords = {name: given[name] for name in self._keywords}
        return await returned(self.name, self._function, *sides, kind="numbers", **keywords)


class CommandScorer(_OwnScorer):
    """One process per batch: lines of source TAB rendering (TAB reference, where the suite has one) in, a number per
    line out. Otherwise as the system `command`."""

    def _open(self, argument: str, texts: int) -> None:
        self._program = CommandSystem(argument, version=self.version, texts=texts)
        self.name, self.fingerprint, self.batch = self._program.name, self._program.fingerprint, self._program.batch
        self.may_change = self._program.may_change

    async def _numbers(self, requests: list[Request]) -> Iterable[object]:
        rows = [[r.text, r.rendering or "", *([] if r.reference is None else [r.reference])] for r in requests]
        lines = ["\t".join(BREAKS.sub(" ", cell).replace("\t", " ") for cell in row) for row in rows]
        command = self._program.filled(requests[0].source, requests[0].target)
        return (await run_program(command, "".join(f"{line}\n" for line in lines), name=self.name)).split()


class ScoreTable:
    """Scores by pair and rendering that a workflow has made (means over systems); `content` is what they rest on."""

    batch = Batch(texts=10_000, characters=100_000_000, concurrency=1, context=False, by_probe=True, remembered=False)

    def __init__(self, name: str, scores: Mapping[tuple[str, str], float], content: pl.DataFrame) -> None:
        self.name, self._scores = name, dict(scores)
        self.scale = Scale("score", "higher", (-math.inf, math.inf))
        self.fingerprint = fingerprint(name, content=content_hash(content))

    def _key(self, request: Request) -> tuple[str, str]:
        return request.probe or "", request.rendering or ""

    async def score(self, requests: list[Request]) -> list[Score]:
        for request in requests:
            if self._key(request) not in self._scores:
                name = self.name.removeprefix("file:")
                raise BadInput(f"{name}: no score of {request.rendering!r} (pair {request.probe!r})")
        return [Score(self._scores[self._key(request)]) for request in requests]


class ScoreFile(ScoreTable):
    """PATH has scores by pair (id, feminine, masculine) or by text (source, rendering, score); settings as `python`.

    A file of several systems' renderings (system, id, rendering, scores) is for a suite that states a gender: its
    renderings are paired within the sentence. `column` names the scores where a file has several.
    """

    def __init__(
        self,
        argument: str,
        *,
        column: str = "score",
        values: str = "score",
        better: str = "higher",
        lowest: str = "",
        highest: str = "",
    ) -> None:
        self.name, self.path, self.column = f"file:{argument}", Path(argument), column
        self.scale = Scale.stated(values, better, lowest, highest)
        file = UserFile(self.path)
        content = hashlib.sha256(file.content()).hexdigest()[:16]
        self.fingerprint = fingerprint("file", content=content, column=column, better=better)
        named = set(read(file, Layout("row")).columns)
        self.by_pair, self.of_systems = {"id", "feminine", "masculine"} <= named, {"system", "id", "rendering"} <= named
        self._scores: dict[tuple[str, str], float] = {}
        if self.of_systems:
            return
        texts, scores = (("id",), ("feminine", "masculine")) if self.by_pair else (("source", "rendering"), (column,))
        columns = [Column(name, required=True, filled=self.by_pair) for name in texts]
        columns += [Column(name, type=pl.Float64(), means="a number", required=True, given=True) for name in scores]
        self._table = read(file, Layout("pair", tuple(columns), unique=("id",) if self.by_pair else ()))
        if not self.by_pair:
            self._scores = {(text, other): n for text, other, n in self._table.select(*texts, *scores).iter_rows()}

    def bind(self, probes: pl.DataFrame) -> None:
        """The scores of each half by the pair's id."""
        if self.by_pair:
            scores = self._table.select("id", f="feminine", m="masculine")
            joined = probes.select("id", "feminine", "masculine").join(scores, on="id")
            for name, *halves, feminine, masculine in joined.iter_rows():
                self._scores |= {(name, halves[0]): feminine, (name, halves[1]): masculine}

    def _key(self, request: Request) -> tuple[str, str]:
        return (request.probe or "" if self.by_pair else request.text), request.rendering or ""
