"""Tables of verdicts, made up and real."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

Verbs = Callable[[str], pl.DataFrame]


@pytest.fixture(scope="session")
def verb_labels(shared_data: Path) -> Verbs:
    """The published labels of the WiBeMT verb sentences; "wrong" (adequacy) becomes unknown."""

    def read(system: str) -> pl.DataFrame:
        path = shared_data / "wibemt" / "results" / f"VerbSentences_{system}_Translator_GenderCategorized.txt"
        names = ["id", "source", "verb", "occupation", "rendering", "gender"]
        raw = pl.read_csv(path, separator="\t", has_header=False, quote_char=None, new_columns=names)
        classes = {"F": "feminine", "M": "masculine", "N": "neutral"}
        return raw.with_columns(
            gender=pl.col("gender").replace("wrong", "unknown"),
            verb_class=pl.col("id").str.slice(1, 1).replace(classes),
            occupation_class=pl.col("id").str.slice(7, 1).replace(classes),
        )

    return read
