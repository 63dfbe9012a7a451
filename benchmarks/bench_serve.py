"""Pages of the explorer over a run of a million renderings: each under 300 ms, measured through the app itself.

Prints seconds a page (median and slowest of a few requests) and the ratio to the 300 ms a page may take.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
from benchmarks.ratios import figure
from starlette.testclient import TestClient

import evenhand
from evenhand.report.web.app import create_app
from evenhand.results.runs import Run
from evenhand.workflows.settings import Settings

RENDERINGS = 1_000_000
LIMIT = 0.3  # seconds a page may take
PAGES = (
    "/",
    "/run/1",
    "/explore?run=1",
    "/explore?run=1&gender=female",
    "/explore?run=1&gender=female&at.sector=legal",
    "/explore?run=1&text=nurse",
    "/explore?run=1&sort=unsure&page=20000",
    "/explore?run=1&evidence=she&sort=sure",
    "/explore?run=1&run=2&sort=differ",
    "/explore?run=1&run=2&flag=differ&gender=male",
    "/review/1?labeller=bench",
)


def answers(texts: list[str]) -> list[str]:
    said = ["She is a nurse.", "He is a doctor.", "They are there.", "He or she is good.", "It rains."]
    return [random.Random(t).choices(said, [25, 50, 15, 5, 5])[0] for t in texts]


def large(run: Run, path: Path, seed: int) -> Path:
    """The run many times over, every rendering with words of its own: nothing compresses to nothing."""
    times = -(-RENDERINGS // run.renderings.height)
    rng = random.Random(seed)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(3, 9))) for _ in range(20_000)]

    def many(table: pl.DataFrame) -> pl.DataFrame:
        return pl.concat([table.with_columns(id=pl.col("id") + f"-{i}") for i in range(times)]).head(RENDERINGS)

    renderings = many(run.renderings)
    tails = [" ".join(rng.choices(words, k=6)) for _ in range(renderings.height)]
    renderings = renderings.with_columns(rendering=pl.col("rendering") + " " + pl.Series(tails))
    verdicts = many(run.verdicts).with_columns(
        confidence=pl.Series([rng.random() for _ in range(renderings.height)]),
        gender=pl.col("gender").shuffle(seed=seed),
    )
    replace(run, probes=many(run.probes), renderings=renderings, verdicts=verdicts).save(path)
    return path


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(resamples=100)
        run = evenhand.audit("pronouns-basque", answers, target="en", memory=folder / "m.sqlite", settings=settings)
        runs = [large(run, folder / str(n), seed=n) for n in (1, 2)]
        start = time.perf_counter()
        app = create_app(runs)
        opened = time.perf_counter() - start
        slowest: dict[str, float] = {}
        with TestClient(app, base_url="http://127.0.0.1:8765") as client:
            for page in PAGES:
                client.get(page)
                taken = []
                for _ in range(5):
                    start = time.perf_counter()
                    assert client.get(page).status_code == 200
                    taken.append(time.perf_counter() - start)
                middle = statistics.median(taken)
                slowest[page] = middle
                print(f"{middle * 1000:7.0f} ms median {max(taken) * 1000:7.0f} ms slowest "
                      f"{middle / LIMIT:6.2f} of the limit  {page}")  # fmt: skip
        figure(f"explorer: opening two runs of {RENDERINGS:,} renderings", f"{opened:.1f} s", "–")
        worst = f"{max(slowest.values()) * 1000:.0f} ms (median of five requests)"
        figure(f"explorer: the slowest of {len(PAGES)} pages", worst, f"{LIMIT * 1000:.0f} ms")


if __name__ == "__main__":
    main()
