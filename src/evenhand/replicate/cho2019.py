"""Cho et al. 2019: Table 1 from the published translations, file by file; VBias, SBias and the occupations made female.

Each set is scored from its own file, because the stored Papago files contradict each other on the same sentence. The
rule is the paper's word list; numbers are truncated to four decimals before they are compared, as the paper does.
VBias and SBias are defined in section 3.2.1 without a number; the lists belong to its qualitative analysis (4.2).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand.detect import open_detector
from evenhand.errors import BadInput, Unknown
from evenhand.measures.definitions.counts import rendered_female
from evenhand.measures.definitions.registry import by_name
from evenhand.readers.opening import text_lines
from evenhand.replicate.cell import (
    CellKey,
    TableCell,
    against_base,
    compare,
    printed_remarks,
    published,
    truncated,
    value,
)

PAPER, TABLE = "cho2019", "Table 1"
BIAS, FEMALE, COMMON = "section 3.2.1", "occupations rendered female", "words of occupations rendered female"
SETS = {
    "informal": ("inf", "set1_informal"),
    "formal": ("f", "set2_formal"),
    "impolite": ("imp", "set3_impolite"),
    "polite": ("p", "set4_polite"),
    "negative": ("neg", "set5_neg"),
    "positive": ("pos", "set6_pos"),
    "occupation": ("job", "set7_job"),
}
COLUMNS = {"P_S": "P_S", "p_w": "share_female", "p_n": "share_neutral"}
SEVERAL = 8  # renderings of a word (two occupations in all four forms) from which on it is counted as a group
_FILE = re.compile(r"^total_(.+)_(inf|f|imp|p|neg|pos|job)\.txt$")
_WORD = re.compile(r"[a-z][a-z'-]*")


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """Table 1, then both biases and the occupations, for every system whose seven files are there."""
    rows: list[TableCell] = []
    for name in _chosen(data, system):
        table = pl.concat([judged(data, name, set_name) for set_name in SETS])
        rows += [*_table(name, table), *_biases(name, table), *_occupations(data, name, table)]
    return rows


def judged(data: Path, system: str, set_name: str) -> pl.DataFrame:
    """One translations file with the published rule's verdicts: id, set, line, rendering, gender."""
    file = data / "translations" / f"total_{system}_{SETS[set_name][0]}.txt"
    lines = text_lines(file)
    if not lines:
        raise BadInput(f"{file}: empty")
    pairs = pl.DataFrame({"id": [f"{set_name}-{n}" for n in range(len(lines))], "rendering": lines})
    verdicts = open_detector("pronouns", source="ko", target="en", rule="cho2019", as_published=True).detect(pairs)
    return pairs.with_columns(
        set=pl.lit(set_name), line=pl.int_range(pl.len()), gender=verdicts["gender"].cast(pl.String)
    )


def _table(system: str, table: pl.DataFrame) -> Iterator[TableCell]:
    for set_name in SETS:
        part = table.filter(pl.col("set") == set_name)
        for column, measure in COLUMNS.items():
            yield _row((TABLE, system, set_name, column), value(measure, part))
    index = by_name("TGBI").bind(table, {set_name: pl.col("set") == set_name for set_name in SETS})
    yield _row((TABLE, system, "average", "P_S"), value(index, table))


def _biases(system: str, table: pl.DataFrame) -> Iterator[TableCell]:
    """VBias over all sets; SBias of each set against the base rate of all seven files."""
    yield _row((BIAS, system, "all sets", "VBias"), value("VBias", table))
    base = f"base rate {value('share_female', table):.4f} over the seven files"
    for set_name in SETS:
        difference = against_base("SBias", table.filter(pl.col("set") == set_name), table)
        yield _row((BIAS, system, set_name, "SBias"), difference, base)


def _occupations(data: Path, system: str, table: pl.DataFrame) -> Iterator[TableCell]:
    """Each occupation rendered female at least once; then what they share: the last word of the English renderings."""
    lexicon = data / "original" / "job.txt"
    if not lexicon.is_file():
        return
    names = text_lines(lexicon)
    jobs = table.filter(pl.col("set") == "occupation").with_columns(
        occupation=pl.col("line").map_elements(lambda line: names[line % len(names)], return_dtype=pl.String),
        word=pl.col("rendering").map_elements(_last_word, return_dtype=pl.String),
    )
    shown = {row["occupation"]: row["rendering"] for row in jobs.filter(pl.col("gender") == "female").to_dicts()}
    for row in rendered_female(jobs, "occupation").iter_rows(named=True):
        note = f"of {row['n']} sentences; {shown[row['occupation']]}"
        yield _row((FEMALE, system, row["occupation"], "female"), float(row["female"]), note)
    for row in rendered_female(jobs, "word").filter(pl.col("n") >= SEVERAL).iter_rows(named=True):
        difference = against_base("SBias", jobs.filter(pl.col("word") == row["word"]), jobs)
        note = f"{row['female']} of {row['n']} female; base rate of the set {value('share_female', jobs):.4f}"
        yield _row((COMMON, system, row["word"], "SBias"), difference, note)


def _last_word(rendering: str) -> str | None:
    words = _WORD.findall(rendering.lower())
    return words[-1] if words else None


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """What a reader must know: files that contradict each other, and the paper's own slips."""
    told = []
    for name in _chosen(data, system):
        differing, overlaps = contradictions(data, name)
        if differing:
            told.append(
                f"the {name} files contradict each other: {differing:,} of {overlaps:,} repeated source sentences have "
                "another translation in another file; every set is scored from its own file"
            )
    if "google" in _chosen(data, system):
        told.append("known misprint: the Google average is printed 0.2992; the mean of its own column is 0.2997")
    return told + printed_remarks(PAPER)


def contradictions(data: Path, system: str) -> tuple[int, int]:
    """How many source sentences in a further file have another translation than in the first; and how many recur."""
    sources = data / "sets"
    if not sources.is_dir():
        return 0, 0
    first: dict[tuple[str, int], str] = {}
    differing = overlaps = 0
    for code, set_file in SETS.values():
        asked = text_lines(sources / f"{set_file}.txt")
        answered = text_lines(data / "translations" / f"total_{system}_{code}.txt")
        seen: Counter[str] = Counter()
        for source, rendering in zip(asked, answered, strict=False):
            key = (source, seen[source])  # the lexicon has duplicates: the second one is a sentence of its own
            seen[source] += 1
            if key in first:
                overlaps += 1
                differing += first[key] != rendering
            else:
                first[key] = rendering
    return differing, overlaps


def systems(data: Path) -> list[str]:
    """Names of all systems with a complete set of files."""
    folder = data / "translations"
    if not folder.is_dir():
        raise BadInput(f"{data}: no folder 'translations' (expected files like total_google_inf.txt in it)")
    found: dict[str, set[str]] = {}
    for file in folder.iterdir():
        if match := _FILE.match(file.name):
            found.setdefault(match.group(1), set()).add(match.group(2))
    codes = {code for code, _ in SETS.values()}
    return sorted(name for name, have in found.items() if have == codes)


def _chosen(data: Path, system: str | None) -> list[str]:
    known = systems(data)
    if system is None:
        return known
    if system not in known:
        raise Unknown("system", system, known, hint=f"{data} needs its seven files total_{system}_*.txt.")
    return [system]


def _row(key: CellKey, computed: float, note: str = "") -> TableCell:
    printed = published(PAPER).get(key)
    return compare(PAPER, key, computed, printed, source="authors' outputs", note=note, cut=truncated)
