"""Stanovsky et al. 2019 (WinoMT): accuracy, dG and dS of the stored translations, by their rule and by ours.

Table "WinoMT" is judged by Evenhand's detector: equality is not expected there, the note says how many verdicts were
undecided. Table "WinoMT, rule stanovsky2019" is judged the authors' way, for the languages whose analyser can still
be had and wherever fast_align's links are stored (`alignments/SYSTEM.LANG.align`): the printed numbers must come out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from evenhand.detect import Detector, open_detector
from evenhand.detect.stanovsky2019 import ALIGNMENT, LANGUAGES, NAME
from evenhand.errors import BadInput, Unknown
from evenhand.grammar import codes
from evenhand.readers.layout import Layout
from evenhand.readers.opening import text_lines
from evenhand.readers.registry import FORMATS, read
from evenhand.replicate.cell import TableCell, compare, printed_remarks, published, value
from evenhand.suites.published.winograd import winomt

PAPER, TABLE = "stanovsky2019", "WinoMT"
BY_RULE = f"{TABLE}, rule {NAME}"
RULES = ("evenhand", NAME)
MEASURES = {"accuracy": "accuracy", "dG": "dG_published", "dS": "dS"}
BY_RULE_MEASURES = MEASURES | {"dS": "dS_published"}
_FILE = re.compile(r"^en-(\w+)\.txt$")


@dataclass(frozen=True)
class Translated:
    """One system's translations into one language, in the order of its file, with links where they are stored."""

    system: str
    language: str
    renderings: dict[str, str]  # by source sentence
    links: dict[str, str] | None

    def pairs(self, probes: pl.DataFrame, file: Path) -> pl.DataFrame:
        sources = [source.strip() for source in probes["source"]]
        missing = sum(source not in self.renderings for source in sources)
        if missing:
            raise BadInput(f"{file}: {missing} of {probes.height} WinoMT sentences have no translation in it")
        columns = {"rendering": [self.renderings[source] for source in sources]}
        if self.links is not None:
            columns[ALIGNMENT] = [self.links[source] for source in sources]
        return probes.with_columns(pl.Series(name, values, dtype=pl.String) for name, values in columns.items())


def replicate(data: Path, *, system: str | None = None, rule: str | None = None) -> list[TableCell]:
    """Every system and language with a translations file (source ||| translation), by both rules or by one."""
    if rule is not None and rule not in RULES:
        raise Unknown("rule", rule, RULES)
    probes, sides = _probes(data)
    rows: list[TableCell] = []
    for name, language, file in _files(data, system):
        translated = _read(data, name, language, file)
        for chosen in RULES if rule is None else (rule,):
            if chosen == NAME and (language not in LANGUAGES or translated.links is None):
                continue
            if chosen != NAME and language not in codes():
                continue
            detector = open_detector("nouns", source="en", target=language, rule=chosen, as_published=True)
            judged = [_judged(translated.pairs(part, file), detector) for part in (probes, sides)]
            rows += _rows(translated, chosen, getattr(detector, "dictionary", ""), *judged)
    return rows


def remarks(data: Path, *, system: str | None = None, rule: str | None = None) -> list[str]:
    """Why the numbers of our detector differ, and what the authors' way could not be run on."""
    del data, system, rule
    return printed_remarks(PAPER)


def _probes(data: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """All sentences; and those of en_pro and en_anti with their side as `stereotype`."""
    aggregates = data / "aggregates"
    base = next((aggregates / n for n in ("en_2019.txt", "en.txt") if (aggregates / n).is_file()), None)
    if base is None or not (data / "translations").is_dir():
        raise BadInput(f"{data}: expected folders 'aggregates' (en.txt) and 'translations' in it")
    sides = [winomt(_side(base, side)).probes.with_columns(stereotype=pl.lit(side)) for side in ("pro", "anti")]
    return winomt(base).probes, pl.concat(sides)


def _side(base: Path, side: str) -> Path:
    file = base.with_name(base.name.replace("en", f"en_{side}", 1))
    return file if file.is_file() else base.with_name(f"en_{side}.txt")


def _files(data: Path, system: str | None) -> Iterator[tuple[str, str, Path]]:
    """System, language and file of the translations there are."""
    folders = sorted(f for f in (data / "translations").iterdir() if f.is_dir())
    if system is not None and system not in {f.name for f in folders}:
        raise Unknown("system", system, [f.name for f in folders])
    for folder in folders:
        for file in sorted(folder.iterdir()) if system in (None, folder.name) else ():
            if match := _FILE.match(file.name):
                yield folder.name, match.group(1), file


def _read(data: Path, system: str, language: str, file: Path) -> Translated:
    given = read(file, Layout("translation"), format=FORMATS["pairs"])
    sources = [source.strip() for source in given["source"]]
    renderings = dict(zip(sources, given["rendering"].fill_null(""), strict=True))
    stored = data / "alignments" / f"{system}.{language}.align"
    if not stored.is_file():
        return Translated(system, language, renderings, None)
    links = text_lines(stored)
    if len(links) != len(sources):
        raise BadInput(f"{stored}: {len(links)} lines of links for the {len(sources)} sentences of {file.name}")
    return Translated(system, language, renderings, dict(zip(sources, links, strict=True)))


def _judged(pairs: pl.DataFrame, detector: Detector) -> pl.DataFrame:
    return pairs.with_columns(gender=detector.detect(pairs)["gender"])


def _rows(
    translated: Translated, rule: str, dictionary: str, judged: pl.DataFrame, sides: pl.DataFrame
) -> Iterator[TableCell]:
    undecided = judged.filter(pl.col("gender") == "unknown").height
    note = f"{undecided} of {judged.height} undecided by our detector"
    if rule == NAME:
        note = f"rule {NAME} on stored alignments; {undecided} of {judged.height} undecided"
        note += f"; {dictionary}" if dictionary else ""
    table, measures = (BY_RULE, BY_RULE_MEASURES) if rule == NAME else (TABLE, MEASURES)
    for column, measure in measures.items():
        computed = 100 * value(measure, sides if column == "dS" else judged)
        where = (translated.system, translated.language, column)
        printed = published(PAPER).get((TABLE, *where))  # the same printed number stands beside both rules
        yield compare(PAPER, (table, *where), computed, printed, source="authors' outputs", note=note)
