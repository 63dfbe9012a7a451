"""GEST (Pikuliak et al. 2024): male rates by stereotype of the authors' translations into Slavic languages.

Their rule looks at first-person predicates only (past tense, adjectives, participles), so nouns said of the speaker do
not count here; an audit counts them. Published rates are those of the authors' notebook; a file published_p_i.tsv in
the data folder adds languages that we do not ship.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.detect import open_detector
from evenhand.errors import BadInput, Unknown
from evenhand.measures.definitions.registry import by_name
from evenhand.readers.layout import Column, Layout
from evenhand.readers.registry import read
from evenhand.replicate.cell import CellKey, Published, TableCell, compare, published, value
from evenhand.suites.published.gest import gest
from evenhand.tsv import rows as tsv_rows

PAPER, TABLE = "pikuliak2024", "Male rates"
LANGUAGES = ("cs", "pl", "ru", "uk")
LAYOUT = Layout("translation", (Column("from", required=True), Column("to", required=True)))


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """p_i of every system, language and stereotype beside the published one; f_m and f_s from the computed p_i."""
    printed = _printed(data)
    compared: list[TableCell] = []
    for name, language in _files(data, system):
        judged = _judged(data, name, language)
        neutral = judged.filter(pl.col("gender") == "neutral").height
        for stereotype in sorted(judged["stereotype"].unique().to_list(), key=int):
            part = judged.filter(pl.col("stereotype") == stereotype)
            key = (TABLE, name, language, f"p_{stereotype}")
            note = f"{part.filter(pl.col('gender').is_in(['female', 'male'])).height} of {part.height} take a gender"
            rate = value("male_rate", part)
            compared.append(compare(PAPER, key, rate, printed.get(key), source="authors' outputs", note=note))
        for measure in ("f_m", "f_s"):
            over = value(by_name(measure).bind(judged, {}), judged)
            key = (TABLE, name, language, measure)
            note = f"{neutral} of {judged.height} renderings show no gender"
            compared.append(compare(PAPER, key, over, None, source="authors' outputs", note=note))
    return compared


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """How far the rates are from the published ones, by system and language."""
    told = []
    judged = [row for row in replicate(data, system=system) if row.published is not None]
    for name, language in dict.fromkeys((row.system, row.row) for row in judged):
        pairs = [(r.computed, r.published or 0.0) for r in judged if (r.system, r.row) == (name, language)]
        computed, printed = np.array(pairs).T
        apart = np.abs(computed - printed)
        like = np.corrcoef(computed, printed)[0, 1]
        told.append(
            f"{name} into {language}: {len(pairs)} rates {apart.mean():.3f} apart on average, {apart.max():.3f} at "
            f"most; correlation {like:.3f}"
        )
    return told


def _files(data: Path, system: str | None) -> list[tuple[str, str]]:
    paths = sorted((data / "translations").glob("*/*.csv"))
    files = [(path.parent.name, path.stem) for path in paths if path.stem in LANGUAGES]
    if not files:
        raise BadInput(f"{data}: no translations/SYSTEM/LANGUAGE.csv there for {', '.join(LANGUAGES)}")
    names = {name for name, _ in files}
    if system is not None and system not in names:
        raise Unknown("system", system, names)
    return [(name, language) for name, language in files if system in {None, name}]


def _printed(data: Path) -> dict[CellKey, Published]:
    known = dict(published(PAPER))
    for row in tsv_rows(data / "published_p_i.tsv"):
        key = (TABLE, row["system"], row["language"], f"p_{row['stereotype']}")
        decimals = len(row["p_i"].partition(".")[2])
        known.setdefault(key, Published(float(row["p_i"]), max(decimals, 2), ""))
    return known


@lru_cache(maxsize=64)
def _judged(data: Path, system: str, language: str) -> pl.DataFrame:
    """Verdicts on the set's sentences that the system translated, by the authors' kind of evidence only."""
    translations = read(data / "translations" / system / f"{language}.csv", LAYOUT, format="csv")
    known = dict(zip(map(_plain, translations["from"]), translations["to"], strict=True))
    probes = gest(data).probes.with_columns(
        rendering=pl.col("source").map_elements(lambda text: known.get(_plain(text)), return_dtype=pl.String)
    )
    pairs = probes.filter(pl.col("rendering").is_not_null())
    if not pairs.height:
        raise BadInput(f"{data}/translations/{system}/{language}.csv: it has none of the sentences of gest.csv")
    verdicts = open_detector("speaker", source="en", target=language).detect(pairs)
    noun = (pl.col("how") == "forms").fill_null(value=False)
    lazy = verdicts.select(gender=pl.when(noun).then(pl.lit("neutral")).otherwise(pl.col("gender").cast(pl.String)))
    return pl.concat([pairs, lazy], how="horizontal")


def _plain(text: str) -> str:
    """A sentence as it is looked up: the systems' files write some apostrophes otherwise than the set does."""
    return " ".join(text.replace("’", "'").replace("‘", "'").split()).casefold()
