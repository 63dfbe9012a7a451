"""The study's steps as stateless batch steps: a table in, a table out, whatever engine runs them.

Each step is made once per process or actor from the settings (that is when models are loaded) and then called with one
table after another (Polars frames, which are Arrow tables). What a step drops it counts; counts and seconds travel in
the `Batch` beside the table.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

import polars as pl

from evenhand._version import __version__
from evenhand.detect.languages import language
from evenhand.detect.languages.protocol import Kind as NounKind
from evenhand.detect.nouns import NounDetector
from evenhand.mining.person import Finding, LexiconFinder, Outcome, PersonFinder, open_finder
from evenhand.mining.perturb import Kind, Perturber, open_masked_lm
from evenhand.systems import Dispatcher, Memory, Request, blocking, fingerprint_of, open_system
from evenhand.tables import VERDICTS

SOURCE = "en"

PROBES: dict[str, pl.DataType] = {
    "sentence": pl.String(),
    "rank": pl.Int32(),  # 0 is the original; substitutes have the place among the model's candidates
    "word": pl.String(),
    "score": pl.Float64(),
    "source": pl.String(),
    "focus": pl.String(),
    "focus_start": pl.Int64(),
    "focus_end": pl.Int64(),
    "plural": pl.Boolean(),
    "file": pl.String(),
    "line": pl.Int64(),
}
JUDGEMENT = (
    "gender",
    "evidence",
    "evidence_start",
    "evidence_end",
    "how",
    "confidence",
    "reason",
    "adequate",
    "conflict",
)


@dataclass(frozen=True)
class MiningSettings:
    """Everything that changes the result of a shard, as plain data that can travel to a worker."""

    system: str
    targets: tuple[str, ...]
    lm: str = "pocket"
    finder: str = "lexicon"
    perturb: Kind = "noun"
    threshold: float = 0.5
    candidates: int = 100
    accept: int = 10
    singular: bool = False
    system_settings: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> MiningSettings:
        data = json.loads(text)
        data["targets"] = tuple(data["targets"])
        data["system_settings"] = tuple((name, value) for name, value in data["system_settings"])
        return cls(**data)


@dataclass(frozen=True)
class WorkerPlace:
    """Where a worker runs: how many threads a model may take, and the translation memory (a file)."""

    threads: int = 0
    memory: str | None = None


@dataclass(frozen=True)
class Batch:
    """A table on its way through the steps, with the funnel's counts and the seconds of each step so far."""

    shard: str
    table: pl.DataFrame
    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)


class Step(Protocol):
    """One step of the study. Stateless: what it gives depends on its batch and the settings only."""

    name: str

    def __call__(self, batch: Batch) -> Batch: ...


class FindPersons:
    """Sentences with exactly one person noun stay; every other outcome is counted."""

    name = "person"

    def __init__(self, settings: MiningSettings, place: WorkerPlace) -> None:
        self._finder = open_finder(settings.finder, threshold=settings.threshold)
        self._singular = settings.singular

    def __call__(self, batch: Batch) -> Batch:
        texts = batch.table["text"].to_list()
        findings = self._finder.find(texts)
        counts = Counter(f"person/{found.outcome.value}" for found in findings)
        keep = [f.outcome is Outcome.KEPT and not (self._singular and f.plural) for f in findings]
        if self._singular:
            counts["person/plural, left out as asked"] = sum(f.outcome is Outcome.KEPT and f.plural for f in findings)
            counts["person/kept"] = sum(keep)
        kept = [found for found, stays in zip(findings, keep, strict=True) if stays]
        table = batch.table.filter(pl.Series(keep, dtype=pl.Boolean)).with_columns(
            pl.Series("focus_start", [f.start for f in kept], dtype=pl.Int64),
            pl.Series("focus_end", [f.end for f in kept], dtype=pl.Int64),
            pl.Series("plural", [f.plural for f in kept], dtype=pl.Boolean),
        )
        counts["sentences"] = len(texts)
        return Batch(batch.shard, table, batch.counts + counts, batch.seconds)


class Substitute:
    """Each sentence and its accepted substitutes, one row each; sentences without any are counted and dropped."""

    name = "perturb"

    def __init__(self, settings: MiningSettings, place: WorkerPlace) -> None:
        finder = open_finder(settings.finder, threshold=settings.threshold)
        words = person_words(finder) if settings.perturb == "noun" else ()
        lm = open_masked_lm(settings.lm, words=words, threads=place.threads)
        self._perturber = Perturber(lm, finder, kind=settings.perturb, top=settings.candidates, accept=settings.accept)

    def __call__(self, batch: Batch) -> Batch:
        counts: Counter[str] = Counter()
        rows: list[tuple[object, ...]] = []
        originals = list(batch.table.iter_rows(named=True))
        findings = [Finding(Outcome.KEPT, r["focus_start"], r["focus_end"], r["plural"]) for r in originals]
        proposed = self._perturber.substitutes([r["text"] for r in originals], findings)
        for row, found, accepted in zip(originals, findings, proposed, strict=True):
            if accepted is None:
                counts["perturb/no word of this kind"] += 1
                continue
            if not accepted:
                counts["perturb/no substitute accepted"] += 1
                continue
            focus, where = row["text"][found.start : found.end], (found.plural, row["file"], row["line"])
            rows.append((row["id"], 0, focus, None, row["text"], focus, found.start, found.end, *where))
            for new in accepted:
                focus = new.source[new.focus_start : new.focus_end]
                place = (new.source, focus, new.focus_start, new.focus_end)
                rows.append((row["id"], new.rank, new.word, new.score, *place, *where))
            counts["perturb/sentences with substitutes"] += 1
            counts["perturb/pairs"] += len(accepted)
        table = pl.DataFrame(rows, schema=PROBES, orient="row")
        return Batch(batch.shard, table, batch.counts + counts, batch.seconds)


class Translate:
    """Every source into every target language; refused texts become empty renderings.

    Answers go to the translation memory as they come: a run that is killed inside a shard does not ask, or pay, twice.
    """

    name = "translate"

    def __init__(self, settings: MiningSettings, place: WorkerPlace) -> None:
        self._system = open_system(settings.system, **dict(settings.system_settings))
        self._targets, self._memory = settings.targets, place.memory

    def __call__(self, batch: Batch) -> Batch:
        sources = batch.table["source"].to_list()
        tables = []
        memory = None
        if self._memory and sources:
            path = Path(self._memory.replace("{shard}", batch.shard))
            path.parent.mkdir(parents=True, exist_ok=True)
            memory = Memory(path)
        try:
            for target in self._targets:
                requests = [Request(text, SOURCE, target) for text in sources]
                dispatcher = Dispatcher(self._system, memory)
                answers = blocking(lambda d=dispatcher, r=requests: d.run(r)) if requests else []  # type: ignore[misc]
                texts = pl.Series("rendering", [answer.text for answer in answers], dtype=pl.String)
                tables.append(batch.table.with_columns(pl.lit(target).alias("target_lang"), texts))
        finally:
            if memory is not None:
                memory.close()
        return Batch(batch.shard, pl.concat(tables), batch.counts, batch.seconds)


class Judge:
    """Verdicts on all renderings, and a flag where the noun has a fixed gender (la víctima)."""

    name = "judge"

    def __init__(self, settings: MiningSettings, place: WorkerPlace) -> None:
        self._detectors = {target: NounDetector(SOURCE, target) for target in settings.targets}

    def __call__(self, batch: Batch) -> Batch:
        tables = []
        for target, detector in self._detectors.items():
            table = batch.table.filter(pl.col("target_lang") == target)
            wanted = table.select(pl.col("sentence").alias("id"), "source", "rendering", "focus_start", "focus_end")
            verdicts = detector.detect(wanted).select(pl.col(c).cast(VERDICTS[c]) for c in JUDGEMENT)
            fixed = [
                at is not None and language(target).noun(text[at:end]).kind is NounKind.FIXED
                for text, at, end in zip(
                    table["rendering"], verdicts["evidence_start"], verdicts["evidence_end"], strict=True
                )
            ]
            flag = pl.Series("fixed", fixed, dtype=pl.Boolean).to_frame()
            tables.append(pl.concat([table, verdicts, flag], how="horizontal"))
        return Batch(batch.shard, pl.concat(tables), batch.counts, batch.seconds)


STEPS: tuple[Callable[[MiningSettings, WorkerPlace], Step], ...] = (FindPersons, Substitute, Translate, Judge)


def fingerprint(settings: MiningSettings) -> str:
    """MiningSettings, models, systems, detectors and version: what every shard of a run has in common."""
    system = open_system(settings.system, **dict(settings.system_settings))
    parts = [
        settings.as_json(),
        open_finder(settings.finder, threshold=settings.threshold).fingerprint,
        open_masked_lm(settings.lm).fingerprint,
        *(fingerprint_of(system, SOURCE, target) for target in settings.targets),
        *(NounDetector(SOURCE, target).fingerprint for target in settings.targets),
        __version__,
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def person_words(finder: PersonFinder) -> list[str]:
    """Nouns the model should also be asked for in two pieces: all neutral person nouns, singular and plural."""
    if not isinstance(finder, LexiconFinder):
        return []
    nouns = [n for n in finder.lexicon.nouns.values() if n.share >= 0.75 and not n.gender and n.noun.isalpha()]
    return [form for n in nouns for form in (n.noun, n.plural)]
