"""Zhou et al. 2019: Tables 1 and 2 and the numbers of the text, on whatever vectors the data folder holds.

The authors published their word lists but no vectors. Where a row depends on vectors it can agree only by accident: it
stands beside the published value to show whether the direction of the result holds. A system here is a vector set and
a language, as the file is named: `embeddings/europarl.es.20k300.vec.gz` is europarl.es.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.embeddings import study
from evenhand.embeddings.alignment import Dictionary, read_dictionary
from evenhand.embeddings.files import load_vectors
from evenhand.embeddings.opening import open_space
from evenhand.embeddings.utility import SimilarityPairs, read_similarity
from evenhand.embeddings.vectors import WordMatch
from evenhand.embeddings.wordlists import TwoForms, WordLists
from evenhand.errors import BadInput, Unknown
from evenhand.level import interval_words
from evenhand.readers.opening import text_lines
from evenhand.replicate.cell import TableCell, printed_remarks, published

PAPER = "zhou2019"
LANGUAGES = ("es", "fr")
HELD_OUT = 4_000  # of the training dictionary's source words, where no test dictionary is at hand
SETTINGS = study.StudySettings(retrieval="nn")  # section 4.3: "retrieving its k nearest neighbours"
Maker = Callable[[str, str, str, float, str], TableCell]  # table, row, column, computed, note
_VECTORS = re.compile(r"^(?P<set>[\w-]+)\.(?P<language>[a-z]{2})\.(?!raw)(?P<rest>.*(vec|txt|bin)(\.gz|\.xz|\.zst)?)$")


@dataclass(frozen=True)
class PublishedVectors:
    """Vectors of a gendered language with the English ones of the same set. `aligned`: already in one space."""

    name: str
    language: str
    vectors: Path
    english: Path
    aligned: bool


def replicate(data: Path, system: str | None = None) -> list[TableCell]:
    """Every number the vectors at hand allow. `system` is a vector set (europarl.es) or a language (es)."""
    lists = data / "zhou2019" if (data / "zhou2019").is_dir() else data
    sets = vector_sets(data)
    if system is not None and system not in {*LANGUAGES, *(s.name for s in sets)}:
        raise Unknown("system", system, [*LANGUAGES, *(s.name for s in sets)])
    rows: list[TableCell] = []
    for language in LANGUAGES:
        if system in (None, language):
            rows += _counts(lists, language)
    for vectors in sets:
        if system in (None, vectors.name, vectors.language):
            rows += _rows(vectors, _study(data, lists, vectors))
    return [row for row in rows if math.isfinite(row.computed)]  # undefined (too few words covered) is no number


def remarks(data: Path, system: str | None = None) -> list[str]:
    """What has to be said beside the numbers."""
    told = printed_remarks(PAPER)
    if not vector_sets(data):
        told.append(f"no vectors under {data / 'embeddings'}: only the sizes of the word lists were checked")
    return told


def vector_sets(data: Path) -> list[PublishedVectors]:
    """Vector files of es and fr with English ones beside them; raw (not aligned) doubles of a set are passed over."""
    folder = data / "embeddings"
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        match = _VECTORS.match(path.name)
        if match is None or match["language"] not in LANGUAGES:
            continue
        english = folder / f"{match['set']}.en.{match['rest']}"
        if english.is_file():
            name = f"{match['set']}.{match['language']}"
            found.append(PublishedVectors(name, match["language"], path, english, "aligned" in match["rest"]))
    return found


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


def _study(data: Path, folder: Path, vectors: PublishedVectors) -> study.Study:
    match = WordMatch(case="ignore")
    gendered, english = load_vectors(vectors.vectors, match=match), load_vectors(vectors.english, match=match)
    lists = word_lists(folder, vectors.language)
    pairs = vectors.vectors.parent / f"{vectors.language}_occupation_pairs.tsv"
    if vectors.aligned and pairs.is_file():
        lists = lists.with_files(occupations=pairs)
    train, test = (None, {}) if vectors.aligned else _dictionaries(data / "eval", vectors.language)
    similar: dict[str, SimilarityPairs] = {}
    for kind in ("test", "trial"):
        file = data / "eval" / f"{vectors.language}.{kind}.txt"
        if file.is_file() and not similar and not vectors.aligned:
            similar = {file.name: read_similarity(file)}
    space, warnings = open_space(gendered, lists, english=english, dictionary=train, refine=SETTINGS.refine)
    tests = study.UtilityTests(similarity=similar, translation=test)
    return study.run(space, lists, tests=tests, settings=SETTINGS, warnings=warnings)


def _last_words(pairs: Dictionary) -> Dictionary:
    """The pairs of all source words but the first HELD_OUT."""
    early = set(list(dict.fromkeys(a for a, _ in pairs))[:HELD_OUT])
    return tuple(pair for pair in pairs if pair[0] not in early)


def _dictionaries(folder: Path, language: str) -> tuple[Dictionary, dict[str, Dictionary]]:
    """Training pairs and test pairs in both directions. Where the 5000-6500 files are not at hand the last source words
    of the training files are kept for the test and taken out of training, on either side."""
    names = (f"en-{language}", f"{language}-en")
    given = {name: folder / f"muse.{name}.5000-6500.txt" for name in names}
    full = {name: read_dictionary(folder / f"muse.{name}.0-5000.txt") for name in names}
    if all(path.is_file() for path in given.values()):
        return full[names[0]], {name: read_dictionary(path) for name, path in given.items()}
    test = {name: _last_words(pairs) for name, pairs in full.items()}
    hidden = set(test[names[0]]) | {(b, a) for a, b in test[names[1]]}
    asked = {a for a, _ in test[names[0]]} | {b for _, b in test[names[1]]}
    return tuple(p for p in full[names[0]] if p not in hidden and p[0] not in asked), test


def _rows(vectors: PublishedVectors, found: study.Study) -> Iterator[TableCell]:
    note = f"other vectors than the paper's: {vectors.vectors.name}"

    def row(table: str, name: str, column: str, computed: float, extra: str = "") -> TableCell:
        printed = None if vectors.aligned else published(PAPER).get((table, vectors.language, name, column))
        value = None if printed is None else printed.value
        told = "; ".join(part for part in (extra, note if value is not None else "") if part)
        agrees = None if value is None else _equal(computed, value, column)
        return TableCell(PAPER, table, vectors.name, name, column, value, computed, agrees, "other data", told)

    d, words = found.directions, interval_words(found.settings.level)
    if d.grammatical is None:
        yield row("section 2.1", "grammatical direction", "nouns", 0.0, d.why)
    else:
        nouns = f"{sum(d.grammatical.counts)} nouns, {words} {d.grammatical.accuracy.interval}"
        yield row("section 2.1", "grammatical direction", "accuracy", d.grammatical.accuracy.interval.value, nouns)
        spread = f"{words} {d.cosine_interval}" if d.cosine_interval else ""
        yield row("section 2.1", "cos(d_PCA, d_g)", "cosine", d.cosine, spread)
    for version in found.versions:
        yield from _version(version, row)
    if found.across is not None:
        correlation, p, points = found.across
        covered = f"{len(points)} occupations covered"
        name = f"bias in English and {'Spanish' if vectors.language == 'es' else 'French'}"
        yield row("section 4.4", name, "Spearman", correlation.value, covered)
        yield row("section 4.4", name, "p", p, covered)


def _version(version: study.Version, row: Maker) -> Iterator[TableCell]:
    name = version.method
    if version.mweat is not None:
        m = version.mweat
        pairs = f"{m.pairs} occupations covered"
        yield row("Table 1", name, "MWEAT-Diff", m.absolute, f"signed {m.interval}; {pairs}")
        count = f"{m.test.permutations} {'splits, exact' if m.test.exact else f'permutations, seed {m.test.seed}'}"
        yield row("Table 1", name, "MWEAT-p-value", m.test.p, f"{m.test.alternative}, {count}")
        yield row("Table 1", name, "swap-test p", m.swap.p, f"two-sided, {m.swap.permutations} permutations")
    for result in version.similarity.values():
        yield row("Table 1", name, "word similarity", result.pearson.value, f"{result.covered} of {result.asked} pairs")
    for direction, answer in version.translation.items():
        for k in (1, 5):
            words = f"percent; {answer.covered} of {answer.asked} words covered, {answer.candidates} candidates"
            yield row("Table 2", name, f"{direction} P@{k}", 100 * answer.precision[k].value, words)
    if version.nearness is not None:
        n = version.nearness
        nearer = f"masculine form nearer in {n.masculine_nearer} of {len(n.pairs)}"
        printed = sum(round(m, 3) - round(f, 3) for _, m, f in n.pairs) / len(n.pairs)  # as data READMEs state it
        note = f"{nearer}; {printed:.4f} from cosines rounded to three digits"
        yield row("Table 2", name, "ASD", n.asd.value, note)
        yield row("Table 2", name, "masculine form nearer", float(n.masculine_nearer), f"of {len(n.pairs)}")
    if version.pair_translation is not None:
        t = version.pair_translation
        asked = f"{t.occupations} occupations x {t.adjectives} two-form adjectives, both genders' forms"
        yield row("Table 2", name, "F_MRR", t.feminine.value, asked)
        yield row("Table 2", name, "M_MRR", t.masculine.value, asked)
        yield row("Table 2", name, "MRR Diff", t.gap.value, asked)
    if version.moved is not None:
        yield row(
            "shift", name, "largest asymmetry on d_s", version.moved.worst, f"{len(version.moved.pairs)} pairs shifted"
        )


def _counts(folder: Path, language: str) -> Iterator[TableCell]:
    """Sizes the authors' lists must have; these do not depend on vectors."""
    jobs = len(_lines(folder / f"{language.upper()}_occupation_words_with_EN_translations"))
    pairs = jobs * len(_lines(folder / "WordPair_adj_EN_ES_FR"))
    for name, computed in (("occupations with two forms", jobs), ("word pairs", pairs)):
        printed = published(PAPER)["section 4.1", language, name, "count"].value
        agrees = computed == printed
        yield TableCell(
            PAPER, "section 4.1", language, name, "count", printed, float(computed), agrees, "authors' word lists"
        )


def _equal(computed: float, printed: float, column: str) -> bool:
    """Equal as far as the paper prints it."""
    half = {"accuracy": 0.005, "cosine": 0.0005, "Spearman": 0.005}.get(column, 0.05 if "P@" in column else 0.00005)
    return math.isfinite(computed) and abs(computed - printed) <= half


def _pairs(path: Path) -> tuple[tuple[str, str], ...]:
    if not path.is_file():
        raise BadInput(f"{path}: no such file (the authors' definition pairs)")
    return tuple((feminine, masculine) for feminine, masculine in json.loads(path.read_text(encoding="utf-8")))


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise BadInput(f"{path}: no such file; --data is the folder that holds zhou2019/, embeddings/ and eval/")
    return [line for line in text_lines(path) if line.strip()]
