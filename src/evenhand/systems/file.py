"""Translations that already exist, read from a file instead of asked of a system."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.errors import BadInput
from evenhand.readers.format import Format
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import chosen, read
from evenhand.systems.protocol import Answer, Batch, Request, fingerprint


class FileTranslation(NamedTuple):
    """One translation and its line."""

    line: int
    text: str
    sample: int
    candidate: int


class FileSystem:
    """Answers from PATH. `format`: auto (by name, then content) or one of the readers' formats, matched as they allow:

    texts      (lines) one translation per line, parallel to the suite: line n is probe n
    columns    (tsv, csv, jsonl, json, parquet) `id` and `rendering` (or `translation`, `target`), perhaps `sample` and
               `candidate`, in any order; messages by key (json) are such a table
    units      (xliff, tmx, po) by id where the file has every id of the suite, else by source sentence
    pairs      `source ||| target`, matched by source sentence, in any order

    `bind` must be given the suite's probes before the first question; it refuses files with a missing, extra or
    duplicate entry. An empty translation is an answer like any other. Pairs also work without `bind`.
    """

    batch = Batch(texts=10_000, characters=100_000_000, concurrency=1, context=False, by_probe=True, remembered=False)

    def __init__(self, argument: str, *, format: str = "auto") -> None:
        self.path = Path(argument)
        self.name = f"file:{argument}"
        file = UserFile(self.path)
        self._format = chosen(file, given=format, otherwise="lines", guess=True)
        self._table = read(file, _layout(self._format), format=self._format)
        content = hashlib.sha256(file.content()).hexdigest()[:16]
        self.fingerprint = fingerprint("file", content=content, format=self._format.name)
        self._by_id: dict[tuple[str, int], Answer] = {}
        self._by_text: dict[tuple[str, int], Answer | None] = {}
        if self._format.carries in ("pairs", "units"):
            self._index_texts(self._keyed("source"))

    def bind(self, probes: pl.DataFrame) -> None:
        """Match the file with the probes (columns `id`, `source`), in the suite's order; where several probes were made
        of one string, the column `string` has its id. A file of strings may have more than the suite."""
        ids, sources = probes["id"].to_list(), probes["source"].to_list()
        strings = probes["string"].to_list() if "string" in probes.columns else ids
        match self._format.carries:
            case "texts":
                matched = self._by_order(ids)
            case "pairs":
                matched = self._by_source(ids, sources)
            case "units" if not set(strings) <= set(self._table["id"]):
                matched = self._by_source(ids, sources)
            case "units" | "columns":
                matched = self._by_name(ids, strings)
        self._by_id = _answers(matched)
        source_of = dict(zip(ids, sources, strict=True))
        self._by_text = {}
        self._index_texts((source_of[probe], line) for probe, line in matched)

    def _keyed(self, column: str) -> list[tuple[str, FileTranslation]]:
        """Every translation with its value in this column."""
        rows = self._table.select(LINE, "rendering", "sample", "candidate").iter_rows()
        return [(key, FileTranslation(*row)) for key, row in zip(self._table[column], rows, strict=True)]

    async def translate(self, requests: list[Request]) -> list[Answer]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        answer = None
        if request.probe is not None:
            answer = self._by_id.get((request.probe, request.sample))
        if answer is None:
            place = (request.text.strip(), request.sample)
            if place in self._by_text and self._by_text[place] is None:
                raise BadInput(f"{self.path}: {request.text!r} has two different translations; ask by probe id")
            answer = self._by_text.get(place)
        if answer is None:
            if not self._by_id and not self._by_text:
                raise BadInput(f"{self.path}: {self._format.name} need a suite to belong to; use it in an audit")
            which = f"sample {request.sample} of " if request.sample else ""
            raise BadInput(f"{self.path}: no translation of {which}{request.probe or request.text!r}")
        return answer

    def _by_order(self, ids: list[str]) -> list[tuple[str, FileTranslation]]:
        if self._table.height != len(ids):
            lines = (
                f"{self._table.height:,} line{'s' * (self._table.height != 1)}, but the suite has {len(ids):,} probes"
            )
            raise BadInput(f"{self.path}: {lines}; line n must be the translation of probe n")
        return [(probe, line) for probe, (_, line) in zip(ids, self._keyed("rendering"), strict=True)]

    def _by_name(self, ids: list[str], strings: list[str]) -> list[tuple[str, FileTranslation]]:
        lines_of = defaultdict[str, list[FileTranslation]](list)
        for name, line in self._keyed("id"):
            lines_of[name].append(line)
        known = set(strings)
        extra = next((name for name in lines_of if name not in known), None)
        if extra is not None and strings is ids and self._format.carries == "columns":
            close = get_close_matches(extra, ids, n=1, cutoff=0.6)
            meant = f" Did you mean {close[0]!r}?" if close else ""
            why = f"id {extra!r} is not among the suite's {len(ids):,} probes.{meant}"
            where = lines_of[extra][0].line
            raise BadInput.at(self.path, where, f"{why} `evenhand suites show SUITE --ids` lists them.")
        self._check_complete(strings, set(lines_of), "id")
        return [(probe, line) for probe, string in zip(ids, strings, strict=True) for line in lines_of[string]]

    def _by_source(self, ids: list[str], sources: list[str]) -> list[tuple[str, FileTranslation]]:
        probes_of, lines_of = defaultdict[str, list[str]](list), defaultdict[str, list[FileTranslation]](list)
        for probe, source in zip(ids, sources, strict=True):
            probes_of[source.strip()].append(probe)
        for source, line in self._keyed("source"):
            if source.strip() not in probes_of and self._format.carries == "units":
                continue
            if source.strip() not in probes_of:
                raise BadInput.at(self.path, line.line, f"the suite has no sentence {source!r}")
            lines_of[source.strip()].append(line)
        self._check_complete([source.strip() for source in sources], set(lines_of), "sentence")
        matched: list[tuple[str, FileTranslation]] = []
        for source, lines in lines_of.items():
            probes = probes_of[source]
            if len({line.text for line in lines}) == 1:
                matched += [(probe, lines[0]) for probe in probes]
            elif len(lines) == len(probes):
                matched += zip(probes, lines, strict=True)
            else:
                other = f"{source!r} was already translated otherwise in line {lines[0].line}"
                raise BadInput.at(self.path, lines[1].line, other)
        return matched

    def _check_complete(self, wanted: list[str], given: set[str], what: str) -> None:
        missing = [name for name in wanted if name not in given]
        if missing:
            more = f" ({len(missing):,} of {len(wanted):,} are missing)" if len(missing) > 1 else ""
            raise BadInput(f"{self.path}: the suite's {what} {missing[0]!r} has no translation{more}")

    def _index_texts(self, pairs: Iterable[tuple[str, FileTranslation]]) -> None:
        """By source sentence; None marks a sentence with different translations, which only an id can distinguish."""
        by_text = defaultdict[str, list[FileTranslation]](list)
        for source, line in pairs:
            by_text[source.strip()].append(line)
        for source, lines in by_text.items():
            for (_, sample), answer in _answers([(source, line) for line in lines if line.candidate == 0]).items():
                texts = {line.text for line in lines if line.sample == sample and line.candidate == 0}
                self._by_text[source, sample] = answer if len(texts) == 1 else None


def _layout(format: Format) -> Layout:
    """What a translation is in this format; only tables distinguish samples and candidates."""
    numbers = (Column(name, type=pl.UInt16(), default=0, means="a whole number") for name in ("sample", "candidate"))
    text = Column("rendering", ("translation", "target", "text"), required=True, given=True)
    if format.carries != "columns":
        return Layout("translation", (text, *numbers))
    named = Column("id", required=True, filled=True)
    return Layout("translation", (named, text, *numbers), unique=("id", "sample", "candidate"))


def _answers(matched: list[tuple[str, FileTranslation]]) -> dict[tuple[str, int], Answer]:
    """Candidate 0 is the answer, higher ones its alternatives; a repeated candidate is the same one again."""
    candidates = defaultdict[tuple[str, int], dict[int, str]](dict)
    for probe, line in matched:
        candidates[probe, line.sample].setdefault(line.candidate, line.text)
    ordered = {key: [texts[n] for n in sorted(texts)] for key, texts in candidates.items()}
    return {key: Answer(texts[0], tuple(texts[1:])) for key, texts in ordered.items()}
