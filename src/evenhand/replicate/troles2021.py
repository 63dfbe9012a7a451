"""Troles & Schmid 2021 (WiBeMT): verb sentences, occupation classes, Table 3 and Figure 1, beside the printed numbers.

Each system's results file is `results/VerbSentences_NAME_GenderCategorized.txt` (id, English, verb, occupation, German,
label). It is measured with the authors' labels and again, as further rows, with our detector's verdicts. The
extended WinoBias sentences are not available: everything about adjectives is measured on the counts of the printed
Table 3, and those rows note it. "wrong" is a judgement of adequacy: such a rendering is undecided, in no percentage.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import polars as pl

from evenhand.detect import open_detector
from evenhand.embeddings import wordscore
from evenhand.embeddings.findings import WORD_SCORES, score_findings
from evenhand.errors import BadInput
from evenhand.level import LEVEL
from evenhand.measures.decisions.hypotheses import answer, read_hypotheses
from evenhand.readers.layout import Column, Layout
from evenhand.readers.opening import UserFile
from evenhand.readers.registry import read
from evenhand.replicate.cell import TableCell, chosen, compare, counts
from evenhand.replicate.element import (
    Cell,
    Levels,
    Subject,
    elements,
    finds,
    has,
    measured,
    number,
    numbers,
    recomputed,
)
from evenhand.results.runs import Run
from evenhand.statistics import classical

PAPER = "troles2021"
VERBS, TABLE3 = "verb sentences", "Table 3"
OURS = " (our detector)"
LABELS = ("female", "male", "neutral", "wrong")
_FILE = re.compile(r"^VerbSentences_(.+)_GenderCategorized\.txt$")
_CLASS = {"F": "feminine", "N": "neutral", "M": "masculine"}
_VERB: Levels = {f"{c} verbs": {"verb_class": c} for c in ("feminine", "masculine")}
_OCCUPATION: Levels = {f"{c} occupations": {"occupation_class": c} for c in _CLASS.values()}
_NONE = "no adjective"
_ADJECTIVE: Levels = {f"{c} adjective": {"adjective_class": c} for c in ("feminine", "masculine")} | {
    _NONE: {"adjective_class": "none"}
}
_CELLS = {  # of Table 3: the pronoun's gender, the rendering's
    "true feminine": ("female", "female"),
    "false masculine": ("female", "male"),
    "true masculine": ("male", "male"),
    "false feminine": ("male", "female"),
    "neutral": (None, "neutral"),
    "wrong": (None, "unknown"),
}
_TFG = {"%TFG": "TFG"}
_TCG = {f"{gender} pronoun": f"TCG_{gender}" for gender in ("female", "male")}


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """Counts, %TFG and %TCG (in percent) and chi-square with Yates' correction for every system there is."""
    verbs, table3 = _verbs(data), _table3(data)
    names = chosen({subject.name: None for subject in (*verbs, *table3)}, system)
    by_class = [ELEMENTS[key] for key in ("verbs", "classes")]
    rows: list[TableCell] = []
    for labelled in (subject for subject in verbs if subject.name in names):
        rows += recomputed(PAPER, by_class, [labelled])
        ours = replace(labelled, table=with_verdicts(labelled.table), source="authors' outputs")
        rows += recomputed(PAPER, [replace(e, table=e.name + OURS) for e in by_class], [ours])
    rows += recomputed(PAPER, [ELEMENTS["shares"]], [subject for subject in table3 if subject.name in names])
    if system is None:
        rows += [*_correct_by_pronoun(table3), *recomputed(PAPER, [ELEMENTS["figure1"]], _scores(data))]
    return rows


def stored(data: Path) -> list[Subject]:
    """The authors' labels of every system, the printed Table 3, and the word scores of the occupations."""
    return [*_verbs(data), *_table3(data), *_scores(data)]


def _verbs(data: Path) -> list[Subject]:
    files = {match[1]: file for file in sorted(data.glob("results/*")) if (match := _FILE.match(file.name))}
    if not files:
        raise BadInput(f"{data}: no file results/VerbSentences_NAME_GenderCategorized.txt")
    gender = pl.col("label").replace("wrong", "unknown")
    return [
        Subject(name, _results(file).with_columns(gender=gender), "authors' labels", ("occupation", "verb"))
        for name, file in files.items()
    ]


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """How our verdicts differ from the authors' labels."""
    return [_agreement(subject) for subject in _verbs(data) if system in (None, subject.name)]


def _by_class(subject: Subject, levels: Levels, whole: dict[tuple[str, str], str] | None = None) -> Iterator[Cell]:
    parts = _parts(subject, levels)
    made = list(measured(subject, levels, _TFG, whole=whole, scale=100, differences=True))
    yield from (cell for cell in made if whole and (cell.row, cell.column) in whole)
    for name, part in parts.items():
        labels = Counter(part["label" if "label" in part.columns and subject.source == "authors' labels" else "gender"])
        if isinstance(subject.result, Run):
            labels["wrong"] = labels.pop("unknown", 0)  # as in Table 3: what could not be decided
        gendered = dict(zip(("female", "male"), counts("TFG", part), strict=True))
        for label in (*LABELS, *sorted(set(labels) - set(LABELS))):
            yield Cell(name, label, float(gendered.get(label, labels[label])), n=part.height)
        yield from (cell for cell in made if cell.row == name)
    names = list(parts)
    for name in names[1:]:
        yield from _compared(parts, made, names[0], name)


def _parts(subject: Subject, levels: Levels) -> dict[str, pl.DataFrame]:
    return {name: part for name, level in levels.items() if (part := subject.table.filter(**level)).height}


def _compared(
    parts: dict[str, pl.DataFrame], made: Iterable[Cell], first: str, second: str, tests: int = 1
) -> Iterator[Cell]:
    """The difference of %TFG of two levels with the study's chi-square; p corrected for so many `tests`."""
    name = f"{first.split(maxsplit=1)[0]} - {second}"
    test = classical.chi_square([counts("TFG", parts[one]) for one in (first, second)])
    p = float(classical.adjust([test.p, *[1.0] * (tests - 1)], "bonferroni")[0])
    column, note = (f"p x {tests}", "Bonferroni over the three comparisons of a system") if tests > 1 else ("p", "")
    yield Cell(name, "chi2", test.statistic or 0.0)
    yield Cell(name, column, p, note=note)
    yield from (cell._replace(row=name, column="delta %TFG") for cell in made if cell.row == f"{first} - {second}")


def _adjectives(subject: Subject) -> Iterator[Cell]:
    measures = _TFG | {f"%TCG {pronoun}": measure for pronoun, measure in _TCG.items()}
    parts = _parts(subject, _ADJECTIVE)
    made = list(measured(subject, _ADJECTIVE, measures, scale=100, differences=True))
    for name, part in parts.items():
        yield Cell(name, "female", float(counts("TFG", part)[0]), n=part.height)
        yield from (cell for cell in made if cell.row == name)
    shares = [cell for cell in made if cell.column == "delta %TFG"]
    feminine, masculine, _ = _ADJECTIVE
    for first, second in ((feminine, _NONE), (masculine, _NONE), (feminine, masculine)):
        if {first, second} <= set(parts):
            yield from _compared(parts, shares, first, second, tests=3)


def _counts(subject: Subject) -> Iterator[Cell]:
    """Table 3 as it is printed: what became of a sentence, by the class of its adjective."""
    for name, part in _parts(subject, _ADJECTIVE).items():
        gold, gender = (part[column].cast(pl.String) for column in ("gold", "gender"))
        for category, (stated, rendered) in _CELLS.items():
            hits = (gender == rendered) if stated is None else (gender == rendered) & (gold == stated)
            yield Cell(name, category, float(hits.sum()), n=part.height)
        if both := int((gender == "both").sum()):
            yield Cell(name, "both genders named", float(both), n=part.height)


def _hypotheses(subject: Subject) -> Iterator[Cell]:
    """Differences as the hypotheses put them (H2b: masculine minus none, expected below 0), both tests and answers."""
    if subject.resampling is None:
        yield from _counted_tests(subject)
        return
    made = answer(read_hypotheses(PAPER), subject.table, clusters=subject.clusters, **subject.resampling)
    for row in made.filter(pl.col("value").is_not_null()).iter_rows(named=True):
        other = row["smaller"] if row["of"] == row["greater"] else row["greater"]
        of = "verbs" if row["family"] == "verbs" else "adjective"
        name = f"{row['id']}: {row['of']} - {'no' if other == 'none' else other} {of}"
        yield Cell(name, "delta %TFG", *numbers(row, 100))
        yield Cell(name, "chi2", number(row["independent_statistic"]))
        yield Cell(name, "p", number(row["independent_p_adjusted"]))
        yield Cell(name, "by chi-square", text=row["answer_independent"])
        yield Cell(name, "p over clusters", number(row["p_adjusted"]))
        yield Cell(name, "over clusters", text=row["answer"])


def _counted_tests(subject: Subject) -> Iterator[Cell]:
    """The same of counts, which have no clusters: the study's chi-square alone."""
    made = {(cell.row, cell.column): cell for cell in _adjectives(subject)}
    for (table, row), name in _TESTS.items():
        if table == TABLE3 and (row, "chi2") in made:
            delta, chi2, p = (made[row, column] for column in ("delta %TFG", "chi2", "p x 3"))
            as_expected = (delta.value > 0) != name.startswith("H2b")
            outcome = "undecided" if p.value >= 1 - LEVEL else "supported" if as_expected else "rejected"
            yield from (delta._replace(row=name), chi2._replace(row=name), Cell(name, "p", p.value))
            yield Cell(name, "by chi-square", text=outcome)


def _correct_by_pronoun(table3: Sequence[Subject]) -> Iterator[TableCell]:
    """How much a feminine adjective changes %TCG: the smallest and the largest change among the systems."""
    for pronoun, change, sign in (("female", "gain", 1), ("male", "loss", -1)):
        measure = {"": f"TCG_{pronoun}"}
        cells = (cell for one in table3 for cell in measured(one, _ADJECTIVE, measure, scale=100, differences=True))
        changes = [sign * cell.value for cell in cells if cell.row == f"feminine adjective - {_NONE}"]
        for name, extreme in (("smallest", min), ("largest", max)) if changes else ():
            key = (TABLE3, "all systems", f"feminine - {_NONE}", f"{name} {change} of %TCG, {pronoun} pronoun")
            yield compare(PAPER, key, extreme(changes), "the paper's printed table")


def _scores(data: Path) -> list[Subject]:
    """Word scores of the occupations, averaged from the authors' eight columns, with the share of women."""
    file = data / "word_lists" / "OccupationsRanked.csv"
    if not file.is_file():
        return []
    ranked = wordscore.read_published(file)
    agreement = wordscore.correlate(ranked.scores.words, ranked.scores.total, ranked.women)
    found = score_findings(ranked.scores, {"words": file.name}, agreement=agreement, reference="% women")
    return [Subject("word scores", source="authors' word lists", result=found)]


def _figure1(subject: Subject) -> Iterator[Cell]:
    scores = subject.findings.tables["scores"]
    known = scores["reference"].count() if "reference" in scores.columns else 0
    note = f"{known} occupations with a share of women"
    for row in subject.findings.estimates.iter_rows(named=True):
        yield Cell("gender score and % women", row["measure"], *numbers(row), n=known, note=note)


def _results(file: Path) -> pl.DataFrame:
    """A results file as pairs with a focus: id, source, rendering, label, classes."""
    rows = []
    for place, line in UserFile(file).lines():
        cells = line.split("\t")
        if len(cells) != 6 or not re.match(r"V[FM]\d\dOcc[FNM]\d\d$", cells[0]) or cells[5] not in LABELS:
            raise BadInput.at(file, place, "not a results row (id, English, verb, occupation, German, label)")
        start = cells[1].find(cells[3])
        if start < 0:
            raise BadInput.at(file, place, f"the occupation {cells[3]!r} is not in the sentence")
        rows.append((*cells, _CLASS[cells[0][1]], _CLASS[cells[0][7]], start, start + len(cells[3])))
    columns = "id source verb occupation rendering label verb_class occupation_class focus_start focus_end".split()
    return pl.DataFrame(rows, schema=columns, orient="row")


def with_verdicts(table: pl.DataFrame) -> pl.DataFrame:
    """The table with our detector's gender and adequacy."""
    verdicts = open_detector("nouns", source="en", target="de").detect(table)
    return table.with_columns(gender=verdicts["gender"].cast(pl.String), adequate=verdicts["adequate"])


def _agreement(subject: Subject) -> str:
    table = with_verdicts(subject.table)
    labelled = {label: table.filter(label=label) for label in LABELS}
    wrong = labelled.pop("wrong")
    same = [f"{label} {rows.filter(gender=label).height:,} of {rows.height:,}" for label, rows in labelled.items()]
    return (
        f"{subject.name}: our detector gives the same verdict for {', '.join(same)}; of their {wrong.height} 'wrong' "
        f"it calls {wrong.filter(adequate=False).height} not adequate"
    )


def _table3(data: Path) -> list[Subject]:
    """The printed counts as renderings, one subject a system: adjective_class, gold and gender."""
    file = data / "published_table3.tsv"
    if not file.is_file():
        return []
    keys = {category: category.replace(" ", "_") for category in _CELLS}
    needed = tuple(Column(name, required=True) for name in ("system", "adjective", *keys.values()))
    parts: dict[str, list[pl.DataFrame]] = {}
    for row in read(file, Layout("row", needed)).iter_rows(named=True):
        cells = [(row["adjective"], *_CELLS[category], int(row[key])) for category, key in keys.items()]
        kept = dict.fromkeys(("adjective_class", "gold", "gender"), pl.String)
        counted = pl.DataFrame(cells, schema={**kept, "n": pl.Int64}, orient="row")
        parts.setdefault(row["system"], []).append(counted.select(pl.col(*kept).repeat_by("n")).explode(*kept))
    return [Subject(name, pl.concat(each), "the paper's printed table") for name, each in parts.items()]


_BY_VERB, _BY_ADJECTIVE = has("verb_class"), has("adjective_class", "gold")
ELEMENTS = elements(
    PAPER,
    {
        "verbs": (lambda subject: _by_class(subject, _VERB, {("all verbs", "%TFG"): "TFG"}), _BY_VERB),
        "classes": (lambda subject: _by_class(subject, _OCCUPATION), has("occupation_class")),
        "table3": (_counts, _BY_ADJECTIVE),
        "shares": (_adjectives, _BY_ADJECTIVE),
        "hypotheses": (_hypotheses, lambda subject: _BY_VERB(subject) or has("adjective_class")(subject)),
        "figure1": (_figure1, finds(WORD_SCORES)),
        "figure2": (partial(measured, levels=_VERB, measures=_TFG, scale=100), _BY_VERB),
        "figure3": (partial(measured, levels=_ADJECTIVE, measures=_TFG, scale=100), _BY_ADJECTIVE),
        "figure4": (partial(measured, levels=_ADJECTIVE, measures=_TCG, scale=100), _BY_ADJECTIVE),
    },
)
_TESTS = {
    (VERBS, "feminine - masculine verbs"): "H1: feminine - masculine verbs",
    (TABLE3, "feminine - no adjective"): "H2a: feminine - no adjective",
    (TABLE3, "masculine - no adjective"): "H2b: masculine - no adjective",
    (TABLE3, "feminine - masculine adjective"): "H2c: feminine - masculine adjective",
}
ELEMENTS["hypotheses"] = replace(ELEMENTS["hypotheses"], rows=_TESTS)
