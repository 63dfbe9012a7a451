"""Troles & Schmid 2021 (WiBeMT): verb sentences, occupation classes, Table 3 and Figure 1, beside the printed numbers.

Each system's results file is `results/VerbSentences_NAME_GenderCategorized.txt` (id, English, verb, occupation, German,
label). It is measured with the authors' labels and again, as rows of their own, with our detector's verdicts. The
extended WinoBias sentences are not at hand: everything about adjectives is measured on the counts of the printed Table
3, and those rows say so. "wrong" is a judgement of adequacy: such a rendering is undecided, in no percentage.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from evenhand.detect import open_detector
from evenhand.embeddings import wordscore
from evenhand.errors import BadInput, Unknown
from evenhand.readers.layout import Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import read
from evenhand.replicate.cell import CellKey, Input, TableCell, compare, counts, printed_remarks, published, value
from evenhand.statistics import classical

PAPER = "troles2021"
VERBS, CLASSES, TABLE3, FIGURE1 = "verb sentences", "occupation classes", "Table 3", "Figure 1"
OURS = " (our detector)"
LABELS = ("female", "male", "neutral", "wrong")
_FILE = re.compile(r"^VerbSentences_(.+)_GenderCategorized\.txt$")
_VERB = {"F": "feminine verbs", "M": "masculine verbs"}
_OCCUPATION = {"F": "feminine occupations", "N": "neutral occupations", "M": "masculine occupations"}
_ADJECTIVE = {"feminine": "feminine adjective", "masculine": "masculine adjective", "none": "no adjective"}
_CELLS = {  # of Table 3: the pronoun's gender, the rendering's
    "true_feminine": ("female", "female"),
    "false_masculine": ("female", "male"),
    "true_masculine": ("male", "male"),
    "false_feminine": ("male", "female"),
    "neutral": (None, "neutral"),
    "wrong": (None, "unknown"),
}
Tables = dict[str, pl.DataFrame]


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """Counts, %TFG and %TCG (in percent) and chi-square with Yates' correction for every system there is."""
    files, table3 = _files(data), _table3(data)
    known = sorted({*files, *table3})
    if system is not None and system not in known:
        raise Unknown("system", system, known)
    rows: list[TableCell] = []
    for name, file in files.items():
        if system in (None, name):
            table = read_results(file)
            rows += _verbs(name, table, "label", "")
            rows += _verbs(name, with_verdicts(table), "gender", OURS)
    for name, tables in table3.items():
        if system in (None, name):
            rows += _adjectives(name, tables)
    return rows if system else [*rows, *_correct_by_pronoun(table3), *_figure1(data)]


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """The paper's known slips, and how our labels differ from theirs."""
    told = printed_remarks(PAPER)
    for name, file in _files(data).items():
        if system in (None, name):
            told.append(_agreement(name, file))
    return told


def _verbs(system: str, table: pl.DataFrame, column: str, suffix: str) -> Iterator[TableCell]:
    """Verb and occupation classes by the authors' labels (column label) or our verdicts (column gender)."""
    source: Input = "authors' outputs" if suffix else "authors' labels"
    judged = table.with_columns(gender=pl.col(column).replace("wrong", "unknown"))

    def row(title: str, name: str, measure: str, computed: float) -> TableCell:
        printed = None if suffix else published(PAPER).get((title, system, name, measure))
        return compare(PAPER, (title + suffix, system, name, measure), computed, printed, source=source)

    yield row(VERBS, "all verbs", "%TFG", 100 * value("TFG", judged))
    for title, attribute, names in ((VERBS, "verb_class", _VERB), (CLASSES, "occupation_class", _OCCUPATION)):
        groups = {
            names[code]: part for (code,), part in judged.group_by(attribute, maintain_order=True) if code in names
        }
        for name, part in groups.items():
            labels = Counter(part[column].to_list())
            gendered = dict(zip(("female", "male"), counts("TFG", part), strict=True))
            for label in (*LABELS, *sorted(set(labels) - set(LABELS))):
                yield row(title, name, label, gendered.get(label, labels[label]))
            yield row(title, name, "%TFG", 100 * value("TFG", part))
        first, *others = groups
        for name in others:
            label = f"{first.split()[0]} - {name}"
            test = classical.chi_square([counts("TFG", groups[one]) for one in (first, name)])
            yield row(title, label, "chi2", test.statistic or 0.0)
            yield row(title, label, "p", test.p)
            yield row(title, label, "delta %TFG", _difference("TFG", groups[first], groups[name]))


def _adjectives(system: str, tables: Tables) -> Iterator[TableCell]:
    for kind, table in tables.items():
        name = _ADJECTIVE[kind]
        yield _printed((TABLE3, system, name, "female"), counts("TFG", table)[0])
        yield _printed((TABLE3, system, name, "%TFG"), 100 * value("TFG", table))
        for pronoun in ("female", "male"):
            yield _printed((TABLE3, system, name, f"%TCG {pronoun} pronoun"), 100 * value(f"TCG_{pronoun}", table))
    pairs = (("feminine", "none"), ("masculine", "none"), ("feminine", "masculine"))
    tests = [classical.chi_square([counts("TFG", tables[kind]) for kind in pair]) for pair in pairs]
    adjusted = classical.adjust([test.p for test in tests], "bonferroni")
    for (first, second), test, p in zip(pairs, tests, adjusted, strict=True):
        name = f"{first} - {_ADJECTIVE[second]}"
        yield _printed((TABLE3, system, name, "chi2"), test.statistic or 0.0)
        note = "Bonferroni over the three comparisons of a system"
        yield _printed((TABLE3, system, name, "p x 3"), float(p), note)
        yield _printed((TABLE3, system, name, "delta %TFG"), _difference("TFG", tables[first], tables[second]))


def _correct_by_pronoun(table3: Mapping[str, Tables]) -> Iterator[TableCell]:
    """How much a feminine adjective changes %TCG: the smallest and the largest change among the systems."""
    for pronoun, sign in (("female", 1), ("male", -1)):
        changes = [sign * _difference(f"TCG_{pronoun}", t["feminine"], t["none"]) for t in table3.values()]
        what = f"{'gain' if sign > 0 else 'loss'} of %TCG, {pronoun} pronoun"
        for name, computed in (("smallest", min(changes, default=0.0)), ("largest", max(changes, default=0.0))):
            if changes:
                yield _printed((TABLE3, "all systems", "feminine - no adjective", f"{name} {what}"), computed)


def _difference(measure: str, first: pl.DataFrame, second: pl.DataFrame) -> float:
    return 100 * (value(measure, first) - value(measure, second))


def _printed(key: CellKey, computed: float, note: str = "") -> TableCell:
    return compare(PAPER, key, computed, published(PAPER).get(key), source="the paper's printed table", note=note)


def _figure1(data: Path) -> Iterator[TableCell]:
    """Word scores of the occupations, averaged from the authors' eight columns, against the share of women."""
    file = data / "word_lists" / "OccupationsRanked.csv"
    if not file.is_file():
        return
    ranked = wordscore.read_published(file)
    agreement = wordscore.correlate(ranked.scores.words, ranked.scores.total, ranked.women)
    note = f"{len(agreement.words)} occupations with a share of women"
    for name, interval in (("Pearson", agreement.pearson), ("Spearman", agreement.spearman)):
        key = (FIGURE1, "word scores", "gender score and % women", name)
        printed = published(PAPER).get(key)
        yield compare(PAPER, key, interval.value, printed, source="authors' word lists", note=note)


def read_results(file: Path) -> pl.DataFrame:
    """A results file as pairs with a focus: id, source, rendering, label, classes."""
    rows = []
    for number, line in UserFile(file).lines():
        cells = line.split("\t")
        if len(cells) != 6 or not re.match(r"V[FM]\d\dOcc[FNM]\d\d$", cells[0]) or cells[5] not in LABELS:
            raise BadInput.at(file, number, "not a results row (id, English, verb, occupation, German, label)")
        start = cells[1].find(cells[3])
        if start < 0:
            raise BadInput.at(file, number, f"the occupation {cells[3]!r} does not stand in the sentence")
        rows.append((cells[0], cells[1], cells[4], cells[5], cells[0][1], cells[0][7], start, start + len(cells[3])))
    columns = ["id", "source", "rendering", "label", "verb_class", "occupation_class", "focus_start", "focus_end"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def with_verdicts(table: pl.DataFrame) -> pl.DataFrame:
    """The table with our detector's gender and adequacy."""
    verdicts = open_detector("nouns", source="en", target="de").detect(table)
    return table.with_columns(gender=verdicts["gender"].cast(pl.String), adequate=verdicts["adequate"])


def _agreement(system: str, file: Path) -> str:
    table = with_verdicts(read_results(file))
    parts = []
    for label in ("female", "male", "neutral"):
        rows = table.filter(pl.col("label") == label)
        same = rows.filter(pl.col("gender") == label).height
        parts.append(f"{label} {same:,} of {rows.height:,}")
    wrong = table.filter(pl.col("label") == "wrong")
    flagged = wrong.filter(~pl.col("adequate").fill_null(value=True)).height
    return (
        f"{system}: our detector gives the same verdict for {', '.join(parts)}; of their {wrong.height} 'wrong' it "
        f"calls {flagged} not adequate"
    )


def _files(data: Path) -> dict[str, Path]:
    folder = data / "results"
    if not folder.is_dir():
        raise BadInput(
            f"{data}: no folder 'results' (expected files like VerbSentences_DeepL_Translator_GenderCategorized.txt)"
        )
    found = {m.group(1): f for f in sorted(folder.iterdir()) if (m := _FILE.match(f.name))}
    if not found:
        raise BadInput(f"{folder}: no file named VerbSentences_NAME_GenderCategorized.txt")
    return found


def _table3(data: Path) -> dict[str, Tables]:
    """The printed counts as renderings, one table a system and kind of adjective: gold and gender."""
    file = data / "published_table3.tsv"
    if not file.is_file():
        return {}
    needed = tuple(Column(name, required=True) for name in ("system", "adjective", *_CELLS))
    tables: dict[str, Tables] = {}
    for row in read(file, Layout("row", needed)).iter_rows(named=True):
        cells = [(*_CELLS[cell], int(row[cell])) for cell in _CELLS]
        counted = pl.DataFrame(cells, schema={"gold": pl.String, "gender": pl.String, "n": pl.Int64}, orient="row")
        each = counted.select(pl.col("gold", "gender").repeat_by("n")).explode("gold", "gender")
        tables.setdefault(row["system"], {})[row["adjective"]] = each
    return tables
