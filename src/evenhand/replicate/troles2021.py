"""Troles & Schmid 2021 (WiBeMT): verb sentences, occupation classes and Table 3, beside the printed numbers.

Each system's results file is `results/VerbSentences_NAME_GenderCategorized.txt` (id, English, verb, occupation, German,
label). It is scored with the authors' labels and again, as rows of their own, with our detector's verdicts. "wrong" is
their judgement of adequacy and counts in no percentage.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from evenhand.detect.nouns import NounDetector
from evenhand.errors import BadInput, Unknown
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import read
from evenhand.replicate.cell import Row
from evenhand.replicate.published import Published, published
from evenhand.statistics.classical import adjust, chi_square

PAPER = "troles2021"
VERBS, CLASSES, TABLE3 = "verb sentences", "occupation classes", "Table 3"
OURS = " (our detector)"
LABELS = ("female", "male", "neutral", "wrong")
_FILE = re.compile(r"^VerbSentences_(.+)_GenderCategorized\.txt$")
_VERB = {"F": "feminine verbs", "M": "masculine verbs"}
_OCCUPATION = {"F": "feminine occupations", "N": "neutral occupations", "M": "masculine occupations"}
Counts = Mapping[str, Mapping[str, int]]
Key = tuple[str, str, str, str]


def replicate(data: Path, *, system: str | None = None) -> list[Row]:
    """Counts, %TFG (in percent) and chi-square with Yates' correction for every system there is."""
    files = _files(data)
    table3 = _table3(data)
    known = sorted({*files, *table3})
    if system is not None and system not in known:
        raise Unknown("system", system, known)
    rows: list[Row] = []
    for name, file in files.items():
        if system in (None, name):
            rows += _verb_rows(name, file)
    for name, cells in table3.items():
        if system in (None, name):
            rows += _table3_rows(name, cells)
    return rows


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """The paper's known slips, and how our labels differ from theirs."""
    told = [
        "known slip: the second paragraph on 'feminine adjectives' (44.6 / 39.3 / 37.9) means masculine ones",
        "known misprint: DeepL, masculine against no adjective, chi-square 9.1 for 9.0",
        "known slip: '+12 to 13 points for any adjective' holds for feminine adjectives only",
        "known slip: the adjective list is given as 4,889 and as 5,441 words",
        '"wrong" judges adequacy, not gender; it takes up to 19 % of a cell of Table 3 out of %TFG',
    ]
    for name, file in _files(data).items():
        if system in (None, name):
            told.append(_agreement(name, file))
    return told


def _verb_rows(system: str, file: Path) -> Iterator[Row]:
    table = read_results(file)
    yield from _scored(system, table, "label", "")
    yield from _scored(system, with_verdicts(table), "gender", OURS)


def _scored(system: str, table: pl.DataFrame, column: str, suffix: str) -> Iterator[Row]:
    printed = published(PAPER) if not suffix else {}
    for title, attribute, names in ((VERBS, "verb_class", _VERB), (CLASSES, "occupation_class", _OCCUPATION)):
        counts = {
            names[code]: Counter(rows[column].to_list())
            for (code,), rows in table.group_by(attribute, maintain_order=True)
            if code in names
        }

        def row(name: str, measure: str, value: float, *, title: str = title) -> Row:
            return _row((title + suffix, system, name, measure), value, printed.get((title, system, name, measure)))

        for name, found in counts.items():
            for label in (*LABELS, *sorted(set(found) - set(LABELS))):
                yield row(name, label, found[label])
            yield row(name, "%TFG", share(found))
        first = next(iter(counts))
        for name in [n for n in counts if n != first]:
            label = f"{first.split()[0]} - {name}"
            test = chi_square([[c["female"], c["male"]] for c in (counts[first], counts[name])])
            yield row(label, "chi2", test.statistic or 0.0)
            yield row(label, "p", test.p)
            yield row(label, "delta %TFG", share(counts[first]) - share(counts[name]))


def _table3_rows(system: str, cells: Counts) -> Iterator[Row]:
    printed = published(PAPER)

    def row(name: str, measure: str, value: float, note: str = "") -> Row:
        key = (TABLE3, system, name, measure)
        return _row(key, value, printed.get(key), note)

    title = {"feminine": "feminine adjective", "masculine": "masculine adjective", "none": "no adjective"}
    gendered = {
        kind: Counter(female=c["true_feminine"] + c["false_feminine"], male=c["true_masculine"] + c["false_masculine"])
        for kind, c in cells.items()
    }
    for kind, c in cells.items():
        yield row(title[kind], "%TFG", share(gendered[kind]))
        right_f, right_m = c["true_feminine"], c["true_masculine"]
        yield row(title[kind], "%TCG female pronoun", 100 * right_f / (right_f + c["false_masculine"]))
        yield row(title[kind], "%TCG male pronoun", 100 * right_m / (right_m + c["false_feminine"]))
    pairs = (("feminine", "none"), ("masculine", "none"), ("feminine", "masculine"))
    tests = [chi_square([[gendered[k]["female"], gendered[k]["male"]] for k in pair]) for pair in pairs]
    adjusted = adjust([test.p for test in tests], "bonferroni")
    for (first, second), test, p in zip(pairs, tests, adjusted, strict=True):
        name = f"{first} - {title[second]}"
        yield row(name, "chi2", test.statistic or 0.0)
        yield row(name, "p x 3", float(p), "Bonferroni over the three comparisons of a system")
        yield row(name, "delta %TFG", share(gendered[first]) - share(gendered[second]))


def share(counts: Mapping[str, int]) -> float:
    """%TFG: female over female and male, in percent."""
    decided = counts["female"] + counts["male"]
    return 100 * counts["female"] / decided if decided else float("nan")


def _row(key: Key, value: float, known: Published | None, note: str = "") -> Row:
    table, system, row, column = key
    if known is None:
        return Row(PAPER, table, system, row, column, None, value, None, note)
    text = repr(known.value)
    decimals = 0 if known.value == int(known.value) and column == "female" else max(1, len(text.split(".")[1]))
    agrees = abs(round(value, decimals) - known.value) < 1e-9
    return Row(PAPER, table, system, row, column, known.value, value, agrees, known.note)


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
    found = NounDetector("en", "de").detect(table)
    return table.with_columns(gender=found["gender"].cast(pl.String), adequate=found["adequate"])


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


def _table3(data: Path) -> dict[str, dict[str, dict[str, int]]]:
    file = data / "published_table3.tsv"
    if not file.is_file():
        return {}
    table = read(file, Layout("row", (Column("system", required=True), Column("adjective", required=True)))).drop(LINE)
    cells: dict[str, dict[str, dict[str, int]]] = {}
    for row in table.iter_rows(named=True):
        counts = {k: int(v) for k, v in row.items() if k not in ("system", "adjective")}
        cells.setdefault(row["system"], {})[row["adjective"]] = counts
    return cells
