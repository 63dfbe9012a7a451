"""Coverage of shares of a word in text: mining and corpus, persons that come in texts of a few sentences each."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl
from benchmarks.validate import layouts, others
from benchmarks.validate.coverage import Interval, Once
from benchmarks.validate.layouts import Generator

from evenhand.corpus.estimates import Estimator, levels
from evenhand.gender import GENDERS
from evenhand.measures.definitions.gendered import TFG
from evenhand.mining.pairs import summed, words_by_text
from evenhand.workflows.mine import word_rows

RESAMPLES = 500


def mined(rng: Generator, *, texts: int, each: int, share: float, icc: float, files: bool = False) -> list[Interval]:
    """The share of masculine renderings of a word; texts are lines of one file, or files of lines."""
    text = np.repeat(np.arange(texts), each)
    male = rng.random(len(text)) < layouts.beta(rng, share, icc, texts)[text]
    pairs = pl.DataFrame(
        {
            "sentence": np.arange(len(text)),
            "file": text.astype(str) if files else np.full(len(text), "a"),
            "line": np.tile(np.arange(each), texts) + 1 if files else text + 1,
            "focus_original": np.full(len(text), "nurse"),
            "gender_original": np.where(male, "male", "female"),
            "focus_substitute": np.full(len(text), "person"),
            "gender_substitute": np.full(len(text), "unknown"),
        }
    )
    estimator = Estimator(int(rng.integers(1 << 30)), 0.95, resamples=RESAMPLES)
    row = word_rows(summed([words_by_text(pairs)]), "es, at risk", estimator)[0]
    hits = np.bincount(text, male).astype(np.float64)
    beside = others.shares(hits, np.full(texts, float(each)), rng)
    return [Interval("share_masculine", _number(row["low"]), _number(row["high"]), share, beside)]


def audited(rng: Generator, *, texts: int, mean: int, share: float, icc: float, kind: str) -> list[Interval]:
    """The share of women of a word in parallel text whose documents have `mean` persons."""
    sizes = layouts.sizes(rng, kind, texts, mean)
    women = rng.binomial(sizes, layouts.beta(rng, share, icc, texts))
    none = {gender: np.zeros(texts, dtype=np.int64) for gender in GENDERS}
    table = pl.DataFrame({"level": ["nurse"] * texts, "times": 1, **none, "female": women, "male": sizes - women})
    (_, part), *_ = levels(table)
    estimator = Estimator(int(rng.integers(1 << 30)), 0.95, resamples=RESAMPLES)
    found = estimator.interval(part, TFG)
    beside = others.shares(women.astype(np.float64), sizes.astype(np.float64), rng)
    return [Interval("share of women", found.low, found.high, share, beside)]


def _number(value: object) -> float:
    return float(value) if isinstance(value, float) else float("nan")


LAYOUTS: dict[str, Once] = {
    "mining, 20 texts x 3, p .3, icc .4": partial(mined, texts=20, each=3, share=0.3, icc=0.4),
    "mining, 8 texts x 8, p .5, icc .4": partial(mined, texts=8, each=8, share=0.5, icc=0.4),
    "mining, 20 files x 3 lines, p .3, icc .4": partial(mined, texts=20, each=3, share=0.3, icc=0.4, files=True),
    "mining, 60 texts x 2, p .05, icc .2": partial(mined, texts=60, each=2, share=0.05, icc=0.2),
    "corpus, 20 documents x 3, p .3, icc .4": partial(audited, texts=20, mean=3, share=0.3, icc=0.4, kind="equal"),
    "corpus, 30 documents of 8, lognormal, p .1, icc .2": partial(
        audited, texts=30, mean=8, share=0.1, icc=0.2, kind="lognormal"
    ),
}
