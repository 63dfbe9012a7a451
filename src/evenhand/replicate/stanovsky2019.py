"""Stanovsky et al. 2019 (WinoMT): accuracy, dG and dS of stored translations, with our detector's verdicts.

Equality is not expected: the published numbers rest on fast_align, spaCy and other analysers, ours on Evenhand's
detector. `agrees` says whether the two are equal at one decimal; the note says how many verdicts were undecided.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.detect.languages import codes
from evenhand.detect.nouns import NounDetector
from evenhand.errors import BadInput, Unknown
from evenhand.measures.registry import by_name
from evenhand.readers.layout import Layout
from evenhand.readers.registry import FORMATS, read
from evenhand.replicate.cell import Row
from evenhand.replicate.published import published
from evenhand.statistics.measure import Measure
from evenhand.suites.published import winomt

PAPER, TABLE = "stanovsky2019", "WinoMT"
_FILE = re.compile(r"^en-(\w+)\.txt$")


def replicate(data: Path, *, system: str | None = None) -> list[Row]:
    """Every system and language with a translations file (source ||| translation) that our detector knows."""
    aggregates = data / "aggregates"
    base = next((aggregates / n for n in ("en_2019.txt", "en.txt") if (aggregates / n).is_file()), None)
    if base is None or not (data / "translations").is_dir():
        raise BadInput(f"{data}: expected folders 'aggregates' (en.txt) and 'translations' in it")
    suites = {side: winomt(_side(base, side)).probes for side in ("pro", "anti")}
    probes = winomt(base).probes
    folders = sorted(f for f in (data / "translations").iterdir() if f.is_dir())
    names = [f.name for f in folders]
    if system is not None and system not in names:
        raise Unknown("system", system, names)
    rows: list[Row] = []
    for folder in folders:
        if system in (None, folder.name):
            for file in sorted(folder.iterdir()):
                match = _FILE.match(file.name)
                if match and match.group(1) in codes():
                    rows += _rows(folder.name, match.group(1), file, probes, suites)
    return rows


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """Why the numbers differ."""
    del data, system
    return [
        "differences come from the detector: the published ones used fast_align with spaCy and other analysers",
        "Microsoft's and SYSTRAN's printed cells are not shipped: they could not be checked against anything here",
    ]


def _side(base: Path, side: str) -> Path:
    file = base.with_name(base.name.replace("en", f"en_{side}", 1))
    return file if file.is_file() else base.with_name(f"en_{side}.txt")


def _rows(system: str, language: str, file: Path, probes: pl.DataFrame, suites: dict[str, pl.DataFrame]) -> list[Row]:
    given = read(file, Layout("translation"), format=FORMATS["pairs"])
    by_source = dict(given.select("source", "rendering").iter_rows())
    detector = NounDetector("en", language)
    judged = _judged(probes, by_source, detector, file)
    sides = {side: _judged(table, by_source, detector, file) for side, table in suites.items()}
    values = {
        "accuracy": _value(by_name("accuracy"), judged),
        "dG": _value(by_name("dG_published"), judged),
        "dS": _value(by_name("accuracy"), sides["pro"]) - _value(by_name("accuracy"), sides["anti"]),
    }
    undecided = judged.filter(pl.col("gender") == "unknown").height
    note = f"{undecided} of {judged.height} undecided by our detector"
    printed = published(PAPER)
    rows = []
    for column, value in values.items():
        known = printed.get((TABLE, system, language, column))
        computed = 100 * value
        agrees = None if known is None else abs(round(computed, 1) - known.value) < 1e-9
        rows.append(Row(PAPER, TABLE, system, language, column, known.value if known else None, computed, agrees, note))
    return rows


def _judged(probes: pl.DataFrame, by_source: dict[str, str], detector: NounDetector, file: Path) -> pl.DataFrame:
    renderings = [by_source.get(source.strip()) for source in probes["source"]]
    missing = sum(r is None for r in renderings)
    if missing:
        raise BadInput(f"{file}: {missing} of {probes.height} WinoMT sentences have no translation in it")
    pairs = probes.with_columns(rendering=pl.Series(renderings, dtype=pl.String))
    found = detector.detect(pairs)
    return pairs.with_columns(gender=found["gender"])


def _value(measure: Measure, table: pl.DataFrame) -> float:
    coded = table.with_columns(_cluster=pl.lit(0, dtype=pl.Int64))
    statistics = measure.statistics(coded, ("_cluster",))
    return float(measure.value(statistics, np.ones((1, len(statistics.codes))))[0])
