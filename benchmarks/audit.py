"""What Evenhand itself costs in a whole audit. Run: python benchmarks/audit.py [--probes 100000]

100,000 probes through a translator that answers at once: dispatcher, translation memory on disk, pronoun detection,
every measure with 2,000 resamples, the run folder. Wanted: under 15 s on 2 cores and under 1 GB. Then the same audit
again, answered wholly from the memory; the memory alone must give at least 20,000 texts a second.

Processor seconds say what we cost; on a machine that is busy with other work the clock says something else. To see
what an idle machine would show, give the benchmark precedence: chrt -f 5 python benchmarks/audit.py (as root).
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import polars as pl
from benchmarks.ratios import figure

import evenhand
from evenhand.systems import Answer, Batch, Dispatcher, Memory, Request

T = TypeVar("T")
WANTED_SECONDS, WANTED_MEGABYTES, WANTED_RATE = 15.0, 1_000.0, 20_000.0
FORMS = ("She is a doctor", "He is a doctor", "They are a doctor", "He or she is a doctor", "The doctor is here")


class Instant:
    """Answers at once; the gender depends on the text alone."""

    name, fingerprint = "instant", "instant-audit-1"
    batch = Batch(texts=50, characters=10_000, concurrency=8)

    async def translate(self, requests: list[Request]) -> list[Answer]:
        return [Answer(f"{FORMS[len(r.text) % len(FORMS)]}, number {r.text[6:12]}.") for r in requests]


def suite_of(number: int) -> evenhand.Suite:
    """Different sentences in the columns of our own pronoun suites: 20 about each concept."""
    probes = pl.DataFrame(
        {
            "id": [f"p{n:06d}" for n in range(number)],
            "source": [f"Ő egy {n:06d}. {'orvos' * (1 + n % 7)}." for n in range(number)],
            "source_lang": "hu",
            "concept": [f"c{n // 20:05d}" for n in range(number)],
            "formality": ["plain" if n % 2 else "polite" for n in range(number)],
        }
    )
    return evenhand.Suite(
        name="benchmark",
        version="1.0",
        source_lang="hu",
        kind="pronouns",
        summary="different sentences for a benchmark",
        make=lambda: probes,
        clusters=("concept",),
        measures=("share_female", "share_male", "share_neutral", "share_both", "P_S", "TFG"),
    )


def timed(work: Callable[[], T]) -> tuple[T, float, float]:
    began, spent = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - began, time.process_time() - spent


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probes", type=int, default=100_000)
    number = parser.parse_args().probes
    suite = suite_of(number)
    with tempfile.TemporaryDirectory() as folder:
        store, place = Path(folder) / "m.sqlite", Path(folder) / "run"
        for name in ("first audit", "second audit"):
            run, clock, spent = timed(lambda: evenhand.audit(suite, Instant(), target="en", memory=store, output=place))
            assert run.verdicts.height == number
            what = f"{name} of {number:,} probes, the system answering at once"
            figure(what, f"{clock:.1f} s, {spent:.1f} s of processor", f"{WANTED_SECONDS:.0f} s")
        requests = [Request(text, "hu", "en") for text in suite.probes["source"].to_list()]
        with Memory(store) as memory:
            answers, clock, spent = timed(lambda: asyncio.run(Dispatcher(Instant(), memory).run(requests)))
        assert len(answers) == number
        print(f"memory alone: {clock:.2f} s, {spent:.2f} s cpu")
        figure("the translation memory alone", f"{number / clock:,.0f} texts a second", f"{WANTED_RATE:,.0f}")
    figure("memory of the audits", f"{peak():,.0f} MB", f"below {WANTED_MEGABYTES:,.0f}")


if __name__ == "__main__":
    main()
