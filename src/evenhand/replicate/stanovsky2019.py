"""Stanovsky et al. 2019 (WinoMT): accuracy, dG and dS of the stored translations, by their rule and by ours. Table
"WinoMT" is judged by Evenhand's detector: equality is not expected there, the note says how many verdicts were
undecided. Table "WinoMT, rule stanovsky2019" is judged the authors' way, for the languages whose analyser can still be
had and wherever fast_align's links are stored (`alignments/SYSTEM.LANG.align`): the printed numbers must come out."""

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand.detect import open_detector
from evenhand.detect.stanovsky2019 import ALIGNMENT, LANGUAGES, NAME
from evenhand.errors import BadInput, Unknown
from evenhand.grammar import codes
from evenhand.readers.layout import Layout
from evenhand.readers.opening import text_lines
from evenhand.readers.registry import FORMATS, read
from evenhand.replicate.cell import TableCell, chosen, compare, published, value
from evenhand.suites.published.winograd import side_file, winomt

PAPER, TABLE = "stanovsky2019", "WinoMT"
BY_RULE = f"{TABLE}, rule {NAME}"
RULES = ("evenhand", NAME)
MEASURES = {"accuracy": "accuracy", "dG": "dG_published", "dS": "dS"}
_FILE = re.compile(r"^en-(\w+)\.txt$")


def replicate(data: Path, *, system: str | None = None, rule: str | None = None) -> list[TableCell]:
    """Every system and language with a translations file (source ||| translation), by both rules or by one."""
    if rule is not None and rule not in RULES:
        raise Unknown("rule", rule, RULES)
    probes = _probes(data)
    rows: list[TableCell] = []
    for name, language, file in _files(data, system):
        renderings = _read(data, name, language, file)
        by_rule = language in LANGUAGES and ALIGNMENT in renderings.columns
        for one, possible in ((RULES[0], language in codes()), (NAME, by_rule)):
            if possible and rule in (None, one):
                detector = open_detector("nouns", source="en", target=language, rule=one, as_published=True)
                pairs = [_joined(part, renderings, file) for part in probes]
                judged = [some.with_columns(gender=detector.detect(some)["gender"]) for some in pairs]
                rows += _rows((name, language), one, getattr(detector, "dictionary", ""), *judged)
    return rows


def _probes(data: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """All sentences; and those of en_pro and en_anti with their side as `stereotype`."""
    aggregates = data / "aggregates"
    base = next((aggregates / n for n in ("en_2019.txt", "en.txt") if (aggregates / n).is_file()), None)
    if base is None or not (data / "translations").is_dir():
        raise BadInput(f"{data}: expected folders 'aggregates' (en.txt) and 'translations' in it")
    files = {side: side_file(base, side) or base.with_name(f"en_{side}.txt") for side in ("pro", "anti")}
    sides = [winomt(file).probes.with_columns(stereotype=pl.lit(side)) for side, file in files.items()]
    return winomt(base).probes, pl.concat(sides)


def _files(data: Path, system: str | None) -> Iterator[tuple[str, str, Path]]:
    folders = {folder.name: folder for folder in sorted((data / "translations").iterdir()) if folder.is_dir()}
    for name in chosen(folders, system):
        for file in sorted(folders[name].iterdir()):
            if match := _FILE.match(file.name):
                yield name, match[1], file


def _read(data: Path, system: str, language: str, file: Path) -> pl.DataFrame:
    """The translations by source sentence, with links where they are stored; of a repeated sentence the last."""
    given = read(file, Layout("translation"), format=FORMATS["pairs"])
    table = given.select(key=pl.col("source").str.strip_chars(), rendering=pl.col("rendering").fill_null(""))
    stored = data / "alignments" / f"{system}.{language}.align"
    if stored.is_file():
        links = text_lines(stored)
        if len(links) != table.height:
            raise BadInput(f"{stored}: {len(links)} lines of links for the {table.height} sentences of {file.name}")
        table = table.with_columns(pl.Series(ALIGNMENT, links, dtype=pl.String))
    return table.unique("key", keep="last", maintain_order=True)


def _joined(probes: pl.DataFrame, renderings: pl.DataFrame, file: Path) -> pl.DataFrame:
    key = pl.col("source").str.strip_chars()
    pairs = probes.with_columns(key=key).join(renderings, on="key", how="left", maintain_order="left").drop("key")
    missing = pairs["rendering"].null_count()
    if missing:
        raise BadInput(f"{file}: {missing} of {probes.height} WinoMT sentences have no translation in it")
    return pairs


def _rows(
    where: tuple[str, str], rule: str, dictionary: str, judged: pl.DataFrame, sides: pl.DataFrame
) -> Iterator[TableCell]:
    undecided = f"{judged.filter(pl.col('gender') == 'unknown').height} of {judged.height} undecided"
    table, measures, note = TABLE, MEASURES, f"{undecided} by our detector"
    if rule == NAME:
        table, measures = BY_RULE, MEASURES | {"dS": "dS_published"}
        note = "; ".join(filter(None, (f"rule {NAME} on stored alignments", undecided, dictionary)))
    for column, measure in measures.items():
        computed = 100 * value(measure, sides if column == "dS" else judged)
        printed = published(PAPER).get((TABLE, *where, column))  # the same printed number for both rules
        yield compare(PAPER, (table, *where, column), computed, "authors' outputs", note, printed=printed)
