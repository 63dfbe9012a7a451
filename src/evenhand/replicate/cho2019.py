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
from evenhand.readers.opening import text_lines
from evenhand.replicate.cell import TableCell, printed_remarks, value
from evenhand.replicate.element import Cell, Subject, elements, has, measured, recomputed
from evenhand.suites.pronouns.korean import SET_LEVELS

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
AVERAGE = {("average", "P_S"): "TGBI"}
SEVERAL = 8  # renderings of a word (two occupations in all four forms) from which on it is counted as a group
_FILE = re.compile(r"^total_(.+)_(inf|f|imp|p|neg|pos|job)\.txt$")
_WORD = re.compile(r"[a-z][a-z'-]*")


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """Table 1, then both biases and the occupations, for every system whose seven files are there."""
    return list(recomputed(PAPER, ELEMENTS.values(), [stored_system(data, name) for name in _chosen(data, system)]))


def stored(data: Path) -> list[Subject]:
    """Every system of the authors' folder."""
    return [stored_system(data, name) for name in _chosen(data, None)]


def stored_system(data: Path, system: str) -> Subject:
    """The seven files of a system, judged, with the lexicon item as cluster where the source sentences are there."""
    table = pl.concat([judged(data, system, set_name) for set_name in SETS], how="diagonal")
    return Subject(system, table, "authors' outputs", clusters=("item",) if "item" in table.columns else ())


def judged(data: Path, system: str, set_name: str) -> pl.DataFrame:
    """One translations file with the published rule's verdicts; only the set of the file is filled in, because another
    file may translate the same sentence in another way."""
    file = data / "translations" / f"total_{system}_{SETS[set_name][0]}.txt"
    lines = text_lines(file)
    if not lines:
        raise BadInput(f"{file}: empty")
    pairs = pl.DataFrame({"id": [f"{set_name}-{n}" for n in range(len(lines))], "rendering": lines})
    verdicts = open_detector("pronouns", source="ko", target="en", rule="cho2019", as_published=True).detect(pairs)
    asked = {column: None for level in SET_LEVELS.values() for column in level} | dict(SET_LEVELS[set_name])
    known = {name: pl.lit(value, dtype=pl.String) for name, value in asked.items()}
    table = pairs.with_columns(**known, gender=verdicts["gender"].cast(pl.String))
    items = _items(data, set_name)
    if len(items) != len(lines):  # without the lexicon nothing says which lines belong together
        return table
    names = [name if set_name == "occupation" else None for _, name in items]
    return table.with_columns(item=pl.Series([item for item, _ in items]), occupation=pl.Series(names, dtype=pl.String))


def _items(data: Path, set_name: str) -> list[tuple[str, str]]:
    """The lexicon entry behind each line of a set: all blocks of occupations, then of negative, then of positive."""
    code = SETS[set_name][0]
    blocks = {kind: 4 for kind in ("job", "neg", "pos") if kind == code} or dict.fromkeys(("job", "neg", "pos"), 2)
    files = {kind: data / "original" / f"{kind}.txt" for kind in blocks}
    if not all(file.is_file() for file in files.values()):
        return []
    lexicon = {kind: list(enumerate(text_lines(file))) for kind, file in files.items()}
    return [(f"{kind}{n}", name) for kind, times in blocks.items() for n, name in lexicon[kind] * times]


def _levels(subject: Subject) -> dict[str, dict[str, str]]:
    return {name: dict(level) for name, level in SET_LEVELS.items() if set(level) <= set(subject.table.columns)}


def _table(subject: Subject) -> Iterator[Cell]:
    return measured(subject, _levels(subject), COLUMNS, whole=AVERAGE)


def _biases(subject: Subject) -> Iterator[Cell]:
    """VBias over all sets; SBias of each set against the base rate of all of them."""
    return measured(subject, _levels(subject), {"SBias": "SBias"}, whole={("all sets", "VBias"): "VBias"})


def _jobs(subject: Subject) -> pl.DataFrame:
    name = next(c for c in ("occupation", "english", "concept") if c in subject.table.columns)
    return subject.table.filter(pl.col("kind") == "occupation").with_columns(
        occupation=pl.col(name), word=pl.col("rendering").map_elements(_last_word, return_dtype=pl.String)
    )


def _occupations(subject: Subject) -> Iterator[Cell]:
    """Each occupation rendered female at least once, with one of these renderings."""
    jobs = _jobs(subject)
    shown = {row["occupation"]: row["rendering"] for row in jobs.filter(pl.col("gender") == "female").to_dicts()}
    for row in rendered_female(jobs, "occupation").iter_rows(named=True):
        note = f"of {row['n']} sentences; {shown[row['occupation']]}"
        yield Cell(row["occupation"], "female", float(row["female"]), n=row["n"], note=note)


def _words(subject: Subject) -> Iterator[Cell]:
    """What these occupations share: the last word of the English renderings."""
    jobs = _jobs(subject)
    base = value("share_female", jobs)
    for row in rendered_female(jobs, "word").filter(pl.col("n") >= SEVERAL).iter_rows(named=True):
        note = f"{row['female']} of {row['n']} female; base rate of the set {base:.4f}"
        difference = value("share_female", jobs.filter(pl.col("word") == row["word"])) - base
        yield Cell(row["word"], "SBias", difference, n=row["n"], note=note)


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


_NAMED = has("kind", "rendering")


def _has_jobs(subject: Subject) -> bool:
    return _NAMED(subject) and any(c in subject.table.columns for c in ("occupation", "english", "concept"))


ELEMENTS = elements(
    PAPER,
    {
        "table1": (_table, _NAMED),
        "bias": (_biases, _NAMED),
        "occupations": (_occupations, _has_jobs),
        "words": (_words, _has_jobs),
    },
)
