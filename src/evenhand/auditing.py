"""One audit: a suite through a system, judged, estimated. Data goes one way, left to right."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from evenhand._version import __version__
from evenhand.detect import Detector, open_detector
from evenhand.measures.estimate import estimate
from evenhand.runs import Manifest, Run, SuiteInfo
from evenhand.suites.registry import load_suite
from evenhand.suites.suite import Suite
from evenhand.systems import open_system
from evenhand.systems.dispatch import Dispatcher, Plan, plan
from evenhand.systems.memory import Memory
from evenhand.systems.protocol import Answer, Request, System
from evenhand.tables import ESTIMATES, RENDERINGS, VERDICTS, conform

RESAMPLES = 2_000


@dataclass(frozen=True)
class Settings:
    """How a run is made and scored; all of it is in the signature."""

    samples: int = 1
    seed: int = 0
    resamples: int = RESAMPLES
    rule: str = "evenhand"
    max_characters: int | None = None


def memory_path() -> Path:
    """EVENHAND_MEMORY, or the user's cache folder."""
    given = os.environ.get("EVENHAND_MEMORY")
    if given:
        return Path(given)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "evenhand" / "memory.sqlite"


def audit(
    suite: str | Path | Suite,
    system: str | System | Callable[[list[str]], list[str]],
    *,
    target: str,
    output: Path | str | None = None,
    memory: Path | str | None = None,
    settings: Settings | None = None,
    progress: bool = False,
) -> Run:
    """Translate a suite, judge every rendering, estimate every measure; write the run folder if `output` is given.

    Starting again after a crash asks only what was not answered: every answer is in the translation memory.
    """
    settings = settings or Settings()
    asked = suite if isinstance(suite, Suite) else load_suite(suite)
    answering = _open(system, asked)
    detector = open_detector(asked.kind, source=asked.source_lang, target=target, rule=settings.rule)
    requests = list(_requests(asked, target, settings.samples))
    with Memory(Path(memory) if memory else memory_path()) as store:
        dispatcher = Dispatcher(answering, store, progress=progress, max_characters=settings.max_characters)
        answers = _blocking(dispatcher, requests)
    renderings = tabulate(asked, target, settings.samples, answers)
    verdicts = judge(asked.probes, renderings, detector)
    manifest = Manifest(
        suite=SuiteInfo.of(asked),
        system=answering.name,
        system_fingerprint=answering.fingerprint,
        target_lang=target,
        detector=detector.fingerprint,
        seed=settings.seed,
        resamples=settings.resamples,
        evenhand=__version__,
        samples=settings.samples,
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
    )
    empty = pl.DataFrame(schema=ESTIMATES)
    run = score(Run(manifest, asked.probes, renderings, verdicts, empty))
    return run.save(output) if output else run


def preview(
    suite: str | Path | Suite,
    system: str | System,
    *,
    target: str,
    samples: int = 1,
    price: float | None = None,
    memory: Path | str | None = None,
) -> Plan:
    """What an audit would send; sends nothing."""
    asked = suite if isinstance(suite, Suite) else load_suite(suite)
    answering = _open(system, asked)
    with Memory(Path(memory) if memory else memory_path()) as store:
        return plan(answering, list(_requests(asked, target, samples)), store, price_per_million=price)


def score(run: Run) -> Run:
    """The run with its estimates computed anew from its own tables."""
    info = run.manifest.suite
    estimates = estimate(
        run.table,
        clusters=info.clusters,
        groupings=info.groupings,
        measures=info.measures,
        seed=run.manifest.seed,
        resamples=run.manifest.resamples,
    )
    return Run(run.manifest, run.probes, run.renderings, run.verdicts, estimates, run.path)


def judge(probes: pl.DataFrame, renderings: pl.DataFrame, detector: Detector) -> pl.DataFrame:
    """Verdicts on renderings, one row each, in their order."""
    wanted = [c for c in ("source", "focus", "focus_start", "focus_end") if c in probes.columns]
    pairs = renderings.join(probes.select("id", *wanted), on="id", how="left", maintain_order="left")
    found = detector.detect(pairs)
    verdicts = pl.concat(
        [renderings.select("id", "target_lang", "sample", "candidate"), found.drop("id")], how="horizontal"
    )
    return conform(verdicts, VERDICTS, name="verdicts")


def tabulate(suite: Suite, target: str, samples: int, answers: list[Answer]) -> pl.DataFrame:
    """The renderings table: candidate 0 is the answer, further ones its alternatives; a refusal is an empty rendering."""
    ids = [i for i in suite.probes["id"].to_list() for _ in range(samples)]
    rows = [
        (id_, target, n % samples, candidate, text)
        for n, (id_, answer) in enumerate(zip(ids, answers, strict=True))
        for candidate, text in enumerate((answer.text, *answer.alternatives))
    ]
    return pl.DataFrame(rows, schema=RENDERINGS, orient="row")


def _requests(suite: Suite, target: str, samples: int) -> Iterator[Request]:
    has_context = "context" in suite.probes.columns
    contexts = suite.probes["context"].to_list() if has_context else [None] * len(suite)
    rows = zip(suite.probes["source"], suite.probes["source_lang"], contexts, strict=True)
    for text, source, context in rows:
        for sample in range(samples):
            yield Request(text, source, target, context, sample)


def _open(system: str | System | Callable[[list[str]], list[str]], suite: Suite) -> System:
    opened = system if isinstance(system, System) else open_system(system)
    bind = getattr(opened, "bind", None)
    if bind is not None:
        bind(suite.probes)
    return opened


def _blocking(dispatcher: Dispatcher, requests: list[Request]) -> list[Answer]:
    """Run the dispatcher to its end, also inside a notebook's running event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(dispatcher.run(requests))
    with ThreadPoolExecutor(max_workers=1) as worker:
        return worker.submit(lambda: asyncio.run(dispatcher.run(requests))).result()
