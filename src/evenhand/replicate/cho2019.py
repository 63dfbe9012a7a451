"""Cho et al. 2019: Table 1, each set from its own file (the stored Papago files contradict each other), by the
paper's word list and truncated to four decimals as there; VBias and SBias (section 3.2.1); the occupations made
female (4.2)."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand.detect import open_detector
from evenhand.errors import BadInput
from evenhand.measures.definitions.counts import rendered_female
from evenhand.readers.opening import text_lines
from evenhand.replicate.cell import TableCell, chosen, value
from evenhand.replicate.element import Cell, Subject, elements, has, measured, recomputed
from evenhand.suites.pronouns.korean import SET_LEVELS

PAPER = "cho2019"
BIAS, FEMALE, COMMON = "section 3.2.1", "occupations rendered female", "words of occupations rendered female"
CODES = dict(zip(SET_LEVELS, ("inf", "f", "imp", "p", "neg", "pos", "job"), strict=True))  # of each set's file
COLUMNS = {"P_S": "P_S", "p_w": "share_female", "p_n": "share_neutral"}
SEVERAL = 8  # renderings of a word (two occupations in all four forms) from which on it is counted as a group
NAMES = ("occupation", "english", "concept")
_FILE = re.compile(r"^total_(.+)_(inf|f|imp|p|neg|pos|job)\.txt$")


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """Table 1, then both biases and the occupations, for every system whose seven files are there."""
    return list(recomputed(PAPER, ELEMENTS.values(), stored(data, system)))


def stored(data: Path, system: str | None = None) -> list[Subject]:
    """The seven files of each system, judged, with the lexicon item as cluster where the source sentences are there."""
    made = []
    for name in _systems(data, system):
        table = pl.concat([judged(data, name, set_name) for set_name in CODES], how="diagonal")
        made.append(Subject(name, table, "authors' outputs", ("item",) if "item" in table.columns else ()))
    return made


def judged(data: Path, system: str, set_name: str) -> pl.DataFrame:
    """One translations file with the published rule's verdicts; only the set of the file is filled in, because another
    file may translate the same sentence in another way."""
    file = data / "translations" / f"total_{system}_{CODES[set_name]}.txt"
    lines = text_lines(file)
    if not lines:
        raise BadInput(f"{file}: empty")
    pairs = pl.DataFrame({"id": [f"{set_name}-{n}" for n in range(len(lines))], "rendering": lines})
    verdicts = open_detector("pronouns", source="ko", target="en", rule="cho2019", as_published=True).detect(pairs)
    levels = {column: None for level in SET_LEVELS.values() for column in level} | dict(SET_LEVELS[set_name])
    known = {name: pl.lit(level, dtype=pl.String) for name, level in levels.items()}
    table = pairs.with_columns(**known, gender=verdicts["gender"].cast(pl.String))
    items = _items(data, CODES[set_name])
    if len(items) != len(lines):  # without the lexicon nothing says which lines belong together
        return table
    names = [name if set_name == "occupation" else None for _, name in items]
    return table.with_columns(item=pl.Series([item for item, _ in items]), occupation=pl.Series(names, dtype=pl.String))


def _items(data: Path, code: str) -> list[tuple[str, str]]:
    """The lexicon entry behind each line of a set: all blocks of occupations, then of negative, then of positive."""
    blocks = {code: 4} if code in ("job", "neg", "pos") else {"job": 2, "neg": 2, "pos": 2}
    files = {kind: data / "original" / f"{kind}.txt" for kind in blocks}
    if not all(file.is_file() for file in files.values()):
        return []
    lexicon = {kind: list(enumerate(text_lines(file))) for kind, file in files.items()}
    return [(f"{kind}{n}", name) for kind, times in blocks.items() for n, name in lexicon[kind] * times]


def _by_set(subject: Subject, columns: dict[str, str], whole: dict[tuple[str, str], str]) -> Iterator[Cell]:
    levels = {name: level for name, level in SET_LEVELS.items() if set(level) <= set(subject.table.columns)}
    return measured(subject, levels, columns, whole=whole)


def _jobs(subject: Subject) -> pl.DataFrame:
    """The occupations by name, with the last word of each English rendering."""
    name = next(column for column in NAMES if column in subject.table.columns)
    words = pl.col("rendering").str.to_lowercase().str.extract_all("[a-z][a-z'-]*")
    return subject.table.filter(kind="occupation").with_columns(occupation=pl.col(name), word=words.list.last())


def _occupations(subject: Subject) -> Iterator[Cell]:
    """Each occupation rendered female at least once, with one of these renderings."""
    jobs = _jobs(subject)
    shown = dict(jobs.filter(pl.col("gender") == "female").select("occupation", "rendering").iter_rows())
    for row in rendered_female(jobs, "occupation").iter_rows(named=True):
        note = f"of {row['n']} sentences; {shown[row['occupation']]}"
        yield Cell(row["occupation"], "female", float(row["female"]), n=row["n"], note=note)


def _words(subject: Subject) -> Iterator[Cell]:
    """What these occupations share: the last word of the English renderings."""
    jobs = _jobs(subject)
    base = value("share_female", jobs)
    for row in rendered_female(jobs, "word").filter(pl.col("n") >= SEVERAL).iter_rows(named=True):
        note = f"{row['female']} of {row['n']} female; base rate of the set {base:.4f}"
        difference = value("share_female", jobs.filter(word=row["word"])) - base
        yield Cell(row["word"], "SBias", difference, n=row["n"], note=note)


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """Which systems' files contradict each other."""
    counted = {name: contradictions(data, name) for name in _systems(data, system)}
    return [
        f"the {name} files contradict each other: {differing:,} of {overlaps:,} repeated source sentences have "
        "another translation in another file; every set is scored from its own file"
        for name, (differing, overlaps) in counted.items()
        if differing
    ]


def contradictions(data: Path, system: str) -> tuple[int, int]:
    """How many source sentences in a further file have another translation than in the first; and how many recur."""
    first: dict[tuple[str, int], str] = {}
    differing = overlaps = 0
    for sources in sorted((data / "sets").glob("set?_*.txt")):
        code = list(CODES.values())[int(sources.name[3]) - 1]
        seen: Counter[str] = Counter()
        renderings = text_lines(data / "translations" / f"total_{system}_{code}.txt")
        for source, rendering in zip(text_lines(sources), renderings, strict=False):
            key = (source, seen[source])  # the lexicon has duplicates: the second one is another sentence
            seen[source] += 1
            overlaps += key in first
            differing += first.setdefault(key, rendering) != rendering
    return differing, overlaps


def _systems(data: Path, system: str | None) -> list[str]:
    codes: dict[str, set[str]] = defaultdict(set)
    for match in filter(None, (_FILE.match(file.name) for file in data.glob("translations/*"))):
        codes[match[1]].add(match[2])
    if not codes:
        raise BadInput(f"{data}: no files like translations/total_google_inf.txt")
    known = sorted(name for name, stored_codes in codes.items() if stored_codes == set(CODES.values()))
    return chosen(known, system, hint=f"{data} needs its seven files total_{system}_*.txt.")


_NAMED = has("kind", "rendering")


def _has_jobs(subject: Subject) -> bool:
    return _NAMED(subject) and not set(NAMES).isdisjoint(subject.table.columns)


ELEMENTS = elements(
    PAPER,
    {
        "table1": (lambda subject: _by_set(subject, COLUMNS, {("average", "P_S"): "TGBI"}), _NAMED),
        "bias": (lambda subject: _by_set(subject, {"SBias": "SBias"}, {("all sets", "VBias"): "VBias"}), _NAMED),
        "occupations": (_occupations, _has_jobs),
        "words": (_words, _has_jobs),
    },
)
