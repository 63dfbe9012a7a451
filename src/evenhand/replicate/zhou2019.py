"""Zhou et al. 2019: Tables 1 and 2 and the numbers of the text, on whatever vectors the data folder holds. The authors
published their word lists but no vectors. Where a row depends on vectors it can agree only by accident: it shows beside
the published value whether the direction of the result holds. A system here is a vector set and a language, as the file
is named: `embeddings/europarl.es.20k300.vec.gz` is europarl.es."""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from evenhand.embeddings import study
from evenhand.embeddings.alignment import Dictionary, read_dictionary
from evenhand.embeddings.files import load_vectors
from evenhand.embeddings.findings import STUDY, study_findings
from evenhand.embeddings.opening import open_space
from evenhand.embeddings.utility import read_similarity
from evenhand.embeddings.vectors import WordMatch
from evenhand.embeddings.wordlists import TwoForms, WordLists
from evenhand.errors import BadInput
from evenhand.languages import name_of
from evenhand.readers.opening import text_lines
from evenhand.replicate.cell import TableCell, chosen, compare
from evenhand.replicate.element import Cell, Cells, Fits, Subject, elements, finds, number, numbers, recomputed
from evenhand.results.findings import Findings
from evenhand.results.runs import Run

PAPER = "zhou2019"
LANGUAGES = ("es", "fr")
HELD_OUT = 4_000  # of the training dictionary's source words, without a test dictionary
SETTINGS = study.StudySettings(retrieval="nn")  # section 4.3: "retrieving its k nearest neighbours"
_VECTORS = re.compile(r"^(?P<set>[\w-]+)\.(?P<language>[a-z]{2})\.(?!raw)(?P<rest>.*(vec|txt|bin)(\.gz|\.xz|\.zst)?)$")


class PublishedVectors(NamedTuple):
    """Vectors of a gendered language with the English ones of the same set. `aligned`: already in one space."""

    name: str
    language: str
    path: Path
    english: Path
    aligned: bool


def replicate(data: Path, system: str | None = None) -> list[TableCell]:
    """Every number these vectors allow. `system` is a vector set (europarl.es) or a language (es)."""
    sets = vector_sets(data)
    names = chosen([*LANGUAGES, *(vectors.name for vectors in sets)], system)
    rows = [cell for language in LANGUAGES if language in names for cell in _counts(_lists(data), language)]
    tables = [element for element in ELEMENTS.values() if not element.is_figure]
    wanted = [vectors for vectors in sets if {vectors.name, vectors.language} & set(names)]
    rows += recomputed(PAPER, tables, (_studied(data, vectors) for vectors in wanted))
    return [row for row in rows if math.isfinite(row.computed)]  # undefined (too few words covered) is no number


def remarks(data: Path, system: str | None = None) -> list[str]:
    """Whether there are vectors."""
    missing = f"no vectors under {data / 'embeddings'}: only the sizes of the word lists were checked"
    return [] if vector_sets(data) else [missing]


def _lists(data: Path) -> Path:
    return data / "zhou2019" if (data / "zhou2019").is_dir() else data


def vector_sets(data: Path) -> list[PublishedVectors]:
    """Vector files of es and fr with English ones beside them; raw (not aligned) doubles of a set are passed over."""
    sets = []
    for match, path in ((_VECTORS.match(path.name), path) for path in sorted(data.glob("embeddings/*"))):
        english = path.with_name(f"{match['set']}.en.{match['rest']}") if match else path
        if match and match["language"] in LANGUAGES and english.is_file():
            name = f"{match['set']}.{match['language']}"
            sets.append(PublishedVectors(name, match["language"], path, english, "aligned" in match["rest"]))
    return sets


def word_lists(folder: Path, language: str) -> WordLists:
    """The authors' lists in place of ours; attribute words, inanimate nouns and feminine adjective forms stay ours."""
    ours = WordLists.shipped(language)
    genders: dict[str, set[str]] = defaultdict(set)
    for gender in ("masculine", "feminine"):
        for word in _lines(folder / f"{gender}_nouns_{language}"):
            genders[word].add(gender)
    jobs = [line.split("\t") for line in _lines(folder / f"{language.upper()}_occupation_words_with_EN_translations")]
    column = {"es": 1, "fr": 2}[language]
    theirs = {line.split("\t")[column] for line in _lines(folder / "WordPair_adj_EN_ES_FR")}
    ambiguous = sum(len(g) > 1 for g in genders.values())
    return replace(
        ours,
        definitions=_pairs(folder / f"{language.upper()}_definitional_pairs.json"),
        english_definitions=_pairs(folder / "EN_definitional_pairs.json"),
        occupations=tuple(TwoForms(m, f, e) for f, m, e in jobs),
        adjectives=tuple(pair for pair in ours.adjectives if pair.masculine in theirs) or ours.adjectives,
        nouns={word: next(iter(g)) for word, g in genders.items() if len(g) == 1},
        notes=(f"{ambiguous} nouns are in both lists and left out",),
    )


def _study(data: Path, vectors: PublishedVectors) -> study.Study:
    match = WordMatch(case="ignore")
    gendered, english = (load_vectors(path, match=match) for path in (vectors.path, vectors.english))
    lists, train, tests = word_lists(_lists(data), vectors.language), None, study.UtilityTests()
    pairs = vectors.path.parent / f"{vectors.language}_occupation_pairs.tsv"
    if vectors.aligned and pairs.is_file():
        lists = lists.with_files(occupations=pairs)
    if not vectors.aligned:
        train, test = _dictionaries(data / "eval", vectors.language)
        similar = [data / "eval" / f"{vectors.language}.{kind}.txt" for kind in ("test", "trial")]
        known = [file for file in similar if file.is_file()][:1]
        tests = study.UtilityTests({file.name: read_similarity(file) for file in known}, translation=test)
    space, warnings = open_space(gendered, lists, english=english, dictionary=train, refine=SETTINGS.refine)
    return study.run(space, lists, tests=tests, settings=SETTINGS, warnings=warnings)


def _dictionaries(folder: Path, language: str) -> tuple[Dictionary, dict[str, Dictionary]]:
    """Training pairs and test pairs in both directions. Without the 5000-6500 files the last source words
    of the training files are kept for the test and taken out of training, on either side."""
    names = (f"en-{language}", f"{language}-en")
    given = {name: folder / f"muse.{name}.5000-6500.txt" for name in names}
    full = {name: read_dictionary(folder / f"muse.{name}.0-5000.txt") for name in names}
    if all(path.is_file() for path in given.values()):
        return full[names[0]], {name: read_dictionary(path) for name, path in given.items()}
    early = {name: set(list(dict.fromkeys(a for a, _ in pairs))[:HELD_OUT]) for name, pairs in full.items()}
    test = {name: tuple(pair for pair in pairs if pair[0] not in early[name]) for name, pairs in full.items()}
    hidden = set(test[names[0]]) | {(b, a) for a, b in test[names[1]]}
    asked = {a for a, _ in test[names[0]]} | {b for _, b in test[names[1]]}
    return tuple(p for p in full[names[0]] if p not in hidden and p[0] not in asked), test


def subjects(findings: Run | Findings) -> list[Subject]:
    """A study of one language; the name is the language's code and the vectors'."""
    parts = findings.manifest.parts if isinstance(findings, Findings) else {}
    vectors = parts.get("vectors", "").partition("#")[0].partition(".")[0]
    return [Subject(f"{parts.get('language', '?')} {vectors}".strip(), result=findings, part=parts.get("language", ""))]


def stored(data: Path) -> list[Subject]:
    """Every vector set of the folder, studied with the authors' lists."""
    return [_studied(data, vectors) for vectors in vector_sets(data)]


def _studied(data: Path, vectors: PublishedVectors) -> Subject:
    """A vector set, studied; the fastText subset is too small to be compared with the paper."""
    findings = study_findings(_study(data, vectors))
    named, note = "-" if vectors.aligned else vectors.language, f"other vectors than the paper's: {vectors.path.name}"
    return Subject(vectors.name, result=findings, part=vectors.language, printed=named, note=note)


def _directions(subject: Subject) -> Iterator[Cell]:
    rows = _estimates(subject)
    if ("d_g_accuracy", ORIGINAL, None) not in rows:
        why = next((note for note in subject.findings.manifest.notes if note.startswith("No grammatical")), "")
        yield Cell("grammatical direction", "nouns", 0.0, note=why)
        return
    accuracy, cosine = rows["d_g_accuracy", ORIGINAL, None], rows["cos(d_PCA, d_g)", ORIGINAL, None]
    yield Cell("grammatical direction", "accuracy", *numbers(accuracy), accuracy["n"], note=accuracy["note"])
    yield Cell("cos(d_PCA, d_g)", "cosine", *numbers(cosine), cosine["n"])


ORIGINAL = "original"
_MRR = {"F_MRR": "F_MRR", "M_MRR": "M_MRR", "MRR_gap": "MRR Diff"}


def _estimates(subject: Subject) -> dict[tuple[str, str, str | None], dict[str, Any]]:
    rows = subject.findings.estimates.filter(pl.col("value").is_not_null()).iter_rows(named=True)
    return {(row["measure"], row["level"], row["reference"]): row for row in rows}


def _table1(subject: Subject) -> Iterator[Cell]:
    """MWEAT without its sign, the paper's test and the one that keeps pairs together, and word similarity."""
    for (measure, level, _), row in _estimates(subject).items():
        covered = f"{row['n_decided']} of {row['n']} covered"
        value, low, high = numbers(row)
        if measure == "MWEAT":
            ends, note = (low, high) if value >= 0 else (-high, -low), f"signed {value:.4f}; {covered}"
            yield Cell(level, "MWEAT-Diff", abs(value), *ends, row["n_decided"], note=note)
            yield Cell(level, "stronger forms", text="masculine" if value > 0 else "feminine")
            yield Cell(level, "swap-test p", row["p"], note=row["note"])
        elif measure == "MWEAT_splits":
            yield Cell(level, "MWEAT-p-value", row["p"], note=row["note"])
        elif measure == "Pearson":
            yield Cell(level, "word similarity", value, low, high, row["n_decided"], note=covered)


def _table2(subject: Subject) -> Iterator[Cell]:
    """Word translation in percent, nearness of the two forms to the English word, word-pair translation."""
    for (measure, level, reference), row in _estimates(subject).items():
        n = row["n_decided"]
        if measure in ("P@1", "P@5"):
            note = f"percent; {n} of {row['n']} covered, {row['note']}"
            yield Cell(level, f"{reference} {measure}", *numbers(row, 100), n, note=note)
        elif measure == "ASD":
            pairs = subject.findings.tables["pairs"].filter(method=level).drop_nulls("cos_masculine")
            gap = float((pairs["cos_masculine"].round(3) - pairs["cos_feminine"].round(3)).to_numpy().mean())
            nearer = f"{(pairs['cos_masculine'] > pairs['cos_feminine']).sum()} of {pairs.height}"
            note = f"masculine form nearer in {nearer}; {gap:.4f} from cosines rounded to three digits"
            yield Cell(level, "ASD", *numbers(row), n, note=note)
        elif measure in _MRR:
            yield Cell(level, _MRR[measure], *numbers(row), n, note=row["note"])
        elif measure == "masculine_nearer":
            yield Cell(level, "masculine form nearer", float(round(row["value"] * n)), n=n, note=f"of {n}")


def _shift(subject: Subject) -> Iterator[Cell]:
    for (measure, level, _), row in _estimates(subject).items():
        if measure == "asymmetry":
            n = row["n_decided"]
            yield Cell(level, "largest asymmetry on d_s", row["value"], n=n, note=f"{n} pairs shifted")


def _across(subject: Subject) -> Iterator[Cell]:
    row = _estimates(subject).get(("bias_across_languages", ORIGINAL, None))
    if row is not None:
        note, name = f"{row['n_decided']} occupations covered", f"bias in English and {name_of(subject.part)}"
        yield Cell(name, "Spearman", *numbers(row), row["n_decided"], note=note)
        yield Cell(name, "p", number(row["p"]), note=note)


def _points(table: str, row: str, **columns: str) -> Cells:
    """The points of a figure: a table of the findings, its words as rows; columns by name, which may have slots."""

    def cells(subject: Subject) -> Iterator[Cell]:
        for point in subject.findings.tables[table].iter_rows(named=True):
            for column, name in columns.items():
                yield Cell(point[row], name.format_map(point), point[column])

    return cells


def _with(table: str) -> Fits:
    return lambda subject: _VECTORS_FOUND(subject) and table in subject.findings.tables


_VECTORS_FOUND = finds(STUDY)
ELEMENTS = elements(
    PAPER,
    {
        "directions": (_directions, _VECTORS_FOUND),
        "table1": (_table1, _VECTORS_FOUND),
        "table2": (_table2, _VECTORS_FOUND),
        "shift": (_shift, _VECTORS_FOUND),
        "correlation": (_across, _VECTORS_FOUND),
        "figure1": (_points("projection", "word", grammatical="grammatical", semantic="semantic"), _with("projection")),
        "figure2": (_points("shifted", "occupation", semantic="{method}: {gender}"), _with("shifted")),
        "figure4": (_points("across", "english", s_english="s_english", bias="bias"), _with("across")),
    },
)


def _counts(folder: Path, language: str) -> Iterator[TableCell]:
    jobs = len(_lines(folder / f"{language.upper()}_occupation_words_with_EN_translations"))
    pairs = jobs * len(_lines(folder / "WordPair_adj_EN_ES_FR"))
    for name, computed in (("occupations with two forms", jobs), ("word pairs", pairs)):
        yield compare(PAPER, ("section 4.1", language, name, "count"), float(computed), "authors' word lists")


def _pairs(path: Path) -> tuple[tuple[str, str], ...]:
    if not path.is_file():
        raise BadInput(f"{path}: no such file (the authors' definition pairs)")
    return tuple((feminine, masculine) for feminine, masculine in json.loads(path.read_text(encoding="utf-8")))


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise BadInput(f"{path}: no such file; --data is the folder that holds zhou2019/, embeddings/ and eval/")
    return [line for line in text_lines(path) if line.strip()]
