"""How likely a target word renders a source word: a translation table (stored, or learnt from sentence pairs), listed
forms, likeness of spelling. Given rows are learnt from only when the user asks (`NounDetector(..., pool=table)`):
then a verdict depends on the other rows, and the detector's fingerprint records it."""

import math
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.errors import require
from evenhand.grammar.base import Language
from evenhand.grammar.english import headword, singular, source_words
from evenhand.grammar.lexicon import Column, Forms
from evenhand.remembered import remembered

PRIORS = "priors.parquet"
NOTHING = 1e-3  # strength of a pair about which nothing is known
STEM = 4  # letters that an inflected form must share with the listed one
LISTED = 0.95
SPELT = 5  # letters of a listed form of which one may be wrong in a word that no dictionary has (иструктор) ...
MISSPELT = 0.5  # ... and the strength of that word
HYPHENED = 0.9  # what the strength of one part counts for the whole
LONG = 6  # letters of a listed form that may be the last part of a longer word, outside German
# Cyrillic and Greek letters by sound, spelt as `plain` leaves an English word.
LATIN = str.maketrans(
    dict(zip("абвгґдеєжзиіклмнопрстуфхцыэ", "abvggdeejsiiklmnoprstufhkie", strict=True))
    | dict(zip("αβγδεζηθικλμνξοπρσςτυφχω", "avgdesitiklmnxoprsstifho", strict=True))
    | {"ч": "kh", "ш": "sh", "щ": "sh", "ъ": "", "ь": "", "ю": "iu", "я": "ia", "ψ": "ps"}
)

ALIKE = [pair.split(">") for pair in "sch>sh ph>f th>t ck>k c>k qu>k y>i ß>ss z>s".split()]  # spellings of one sound

Pair = tuple[list[str], list[str]]
LEARNT = pl.Schema({"source": pl.String, "target": pl.String, "score": pl.Float32})
MOST_WORDS = 50  # longer sentences align badly and slowly
ALIGNED = 5_000


class Renderings(NamedTuple):
    """What is known about one source word: exact targets, and weights of longer ones by their first letters."""

    exact: dict[str, float]
    stems: dict[str, list[tuple[str, float]]]
    cognates: dict[str, list[tuple[str, float]]]  # spelt `plain`, by first letter
    ends: frozenset[str]  # last STEM letters of the exact ones: most words end like none of them


class Strengths:
    """Strengths in [0, 1] for one language pair. `files` are what they depend on."""

    def __init__(self, language: Language, forms: Forms, learnt: pl.DataFrame | None = None) -> None:
        self.language, self.forms = language, forms
        names = (language.name, *sorted(language.words_of("related")))
        own, *related = (language.folder.parent / name / PRIORS for name in names)
        self.files = [path for path in (own, *related) if path.exists()]
        self._table = read_priors(own)
        for source, target, score in learnt.iter_rows() if learnt is not None else ():
            self._table[source][target] = max(score, self._table[source].get(target, 0.0))
        self.informed = bool(self._table)  # a pair without strength then tells that the two are no translations
        self._related = [read_priors(path) for path in related]
        self._renderings = remembered(self._gather)
        self.strength = remembered(self._strength, mebibytes=48)

    def translates(self, source: str) -> bool:
        """True for a source word that the stored table has; a likeness of spelling is all there is for others."""
        return source in self._table

    def _gather(self, source: str) -> Renderings:
        """Everything the tables say about a source word or its singular."""
        names = tuple(dict.fromkeys((source, singular(source))))
        if "-" in source and not any(name in self._table or name in self.forms.concepts for name in names):
            last = headword(source)
            names = tuple(dict.fromkeys((last, singular(last))))
        exact, stems = self._listed(names)
        alike = [
            (target, math.sqrt(score))
            for table in self._related
            for name in names
            for target, score in table.get(name, {}).items()
            if score > 0.03
        ]
        alike.append((names[-1], 0.0))  # the English word itself, weighed below
        cognates: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for target, weight in alike:
            if len(target) >= STEM and (word := plain(target)):
                cognates[_first(word)].append((word, weight))
        ends = frozenset(target[-STEM:] for target in exact if len(target) >= STEM)
        return Renderings(exact, dict(stems), dict(cognates), ends)

    def _listed(self, names: tuple[str, ...]) -> tuple[dict[str, float], dict[str, list[tuple[str, float]]]]:
        """Targets of the translation table and the table of forms, and their weights by their first letters."""
        exact: dict[str, float] = {}
        stems: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for name in names:
            for target, score in self._table.get(name, {}).items():
                exact[target] = max(score, exact.get(target, 0.0))
        for target, score in exact.items():
            if len(target) >= STEM:
                stems[target[:STEM]].append((target, 0.6 * math.sqrt(score)))
        concept = self.forms.concept(*names)
        for form, columns in concept.single.items() if concept else ():
            exact[form] = 0.3 if columns == Column.OTHER else LISTED
            if len(form) >= STEM:
                stems[form[:STEM]].append((form, 0.25 if columns == Column.OTHER else 0.8))
        return exact, stems

    def _strength(self, source: str, text: str) -> float:
        """How likely this target form renders this source word."""
        known = self._renderings(source)
        lookups = self.language.lookups(text)
        low = lookups[0]
        best = known.exact.get(low, NOTHING)
        for form in lookups[1:]:
            best = max(best, known.exact.get(form, 0.05) - 0.05)
        if best < 0.6:
            best = max(best, self._variant(known, low))
        if best < 0.6 and "-" in low:
            best = max(best, self._hyphened(source, text))
        if low == source:
            return max(best, 0.7)
        if best < 0.6:
            best = max(best, _cognate(known, low))
        misspelt = best <= NOTHING and self.language.coined(low) and _misspelt(known, lookups)
        return MISSPELT if misspelt else best

    def _hyphened(self, source: str, text: str) -> float:
        """A compound renders what either part renders: врач-терапевт."""
        parts = text.replace("\u2010", "-").replace("\u2011", "-").split("-")
        return max((HYPHENED * self.strength(source, part) for part in parts if len(part) >= STEM), default=0.0)

    def _variant(self, known: Renderings, low: str) -> float:
        """The weight of a listed form of which `low` is an inflected form or the last part; else 0."""
        best = 0.0
        for target, weight in known.stems.get(low[:STEM], ()):
            same, longer = _shared(target, low), max(len(target), len(low))
            if same >= 0.7 * longer:
                best = max(best, weight * same / longer)
        if self.language.capitalises_nouns:
            return max(best, _compound(known, low))
        return max(best, self._last_part(known, low)) if best < 0.6 else best

    def _last_part(self, known: Renderings, low: str) -> float:
        """The weight of a listed form behind a first part, where compounds are rare: радиослушатели, radioyentes."""
        for form in self.language.lookups(low):
            if form[-STEM:] not in known.ends:
                continue
            if any(known.exact.get(form[cut:], 0.0) >= LISTED for cut in range(3, len(form) - LONG + 1)):
                return 0.6
        return 0.0


def _misspelt(known: Renderings, lookups: tuple[str, ...]) -> bool:
    """True for a form that is one letter off a listed one."""
    listed = [form for form, score in known.exact.items() if score >= LISTED and len(form) >= SPELT]
    return any(one_letter_off(form, said) for form in listed for said in lookups)


def _compound(known: Renderings, low: str) -> float:
    """The weight of the last part of a compound, which may be inflected: Minenbesitzers."""
    for form in dict.fromkeys((low, low.removesuffix("s"), low.removesuffix("n"))):
        if form[-STEM:] not in known.ends:
            continue
        for cut in range(1, len(form) - STEM + 1):
            score = known.exact.get(form[cut:], 0.0)
            if score > 0.02:
                return 0.6 * math.sqrt(score)
    return 0.0


def _cognate(known: Renderings, low: str) -> float:
    """The weight of a word that is spelt like a rendering in a related language or like the English word itself."""
    best, word = 0.0, plain(low)
    for target, weight in known.cognates.get(_first(word), ()):
        least = max(0.6, best / weight + 0.35) if weight else max(0.55, best + 0.4)
        like = _alike(target, word, least)
        if like > least:
            best = weight * (like - 0.35) if weight else like - 0.4
    return best


def _first(word: str) -> str:
    """The first letter, g and h as one: Himmler, Гиммлер."""
    return "h" if word[:1] == "g" else word[:1]


def _shared(one: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    return next((i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))


def read_priors(path: Path) -> dict[str, dict[str, float]]:
    """source -> target -> score; an absent file is an empty table."""
    table: dict[str, dict[str, float]] = defaultdict(dict)
    if path.exists():
        for source, target, score in zip(*pl.read_parquet(path).get_columns(), strict=True):
            table[source][target] = score
    return table


@partial(remembered, mebibytes=16)
def plain(word: str) -> str:
    """Letters without accents, and a few spellings made alike, so that cognates can be compared."""
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    if max(bare, default="") > "\u0370":  # nutritionист: also the letters of a part
        bare = bare.replace("дж", "j").translate(LATIN)
    for old, new in ALIKE:
        bare = bare.replace(old, new)
    return bare


@partial(remembered, mebibytes=32)
def likeness(one: str, other: str) -> float:
    """Similarity of spelling in [0, 1]; beginnings count more than ends, because ends inflect."""
    a, b = plain(one), plain(other)
    return _alike(a, b) if a and _first(a) == _first(b) else 0.0


def _alike(a: str, b: str, least: float = 0.0) -> float:
    """The likeness of two words that are spelt `plain` and begin alike; 0 where it cannot be more than `least`."""
    b = a[0] + b[1:]
    shorter, both = min(len(a), len(b)), len(a) + len(b)
    if shorter < 3:
        return 1.0 if a == b else 0.0
    start = _shared(a, b) / shorter
    if 0.5 * start + shorter / both <= least:
        return 0.0
    return 0.5 * start + 0.5 * SequenceMatcher(None, a, b, autojunk=False).ratio()


def one_letter_off(one: str, other: str) -> bool:
    """True where one letter too many, too few or another one is all that two words differ in."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1 or one == other:
        return False
    same = _shared(one, other)
    return one[same + (len(one) == len(other)) :] == other[same + 1 :]


def translation_table(pairs: Iterable[Pair], *, least: float = 0.02, top: int = 12, rare: int = 2) -> pl.DataFrame:
    """One row per pair of words: source, target, score = sqrt(p(target|source) * p(source|target)), in (0, 1]. The
    pairs are aligned by systran-align (fast_align's models, five iterations, both directions, symmetrised) and the
    links counted. Cut: scores under `least`, all but the `top` targets of a source word, source words seen less than
    `rare` times. No usable pair gives an empty table."""
    aligner = require("systran_align", purpose="learning a translation table", extra="pool")
    usable = [(s, t) for s, t in pairs if 0 < len(s) <= MOST_WORDS and 0 < len(t) <= MOST_WORDS]
    if not usable:
        return pl.DataFrame(schema=LEARNT)
    links: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (str(Path(folder) / name) for name in ("text", "forward", "backward"))
        Path(text).write_text("".join(f"{' '.join(s)} ||| {' '.join(t)}\n" for s, t in usable), encoding="utf-8")
        aligner.generate_alignment_probabilities(text, forward, backward, favor_diagonal=True, optimize_tension=True)
        model = aligner.Aligner(forward, backward)
        for start in range(0, len(usable), ALIGNED):
            batch = usable[start : start + ALIGNED]
            answers = model.align_batch([source for source, _ in batch], [target for _, target in batch])
            for (source, target), answer in zip(batch, answers, strict=True):
                links += [(source[i], target[j]) for i, j in answer["alignments"]]
    counted = pl.DataFrame(links, schema=["source", "target"], orient="row").group_by("source", "target").len()
    of_source, of_target = (pl.col("len").sum().over(side) for side in ("source", "target"))
    scored = counted.with_columns(score=pl.col("len") / (of_source * of_target).sqrt(), seen=of_source)
    letters = pl.all_horizontal(pl.col("source", "target").str.contains(r"\p{L}"))
    kept = scored.filter(letters & (pl.col("seen") >= rare) & (pl.col("score") >= least))
    best = kept.sort("source", "score", "target", descending=[False, True, False])
    return best.group_by("source", maintain_order=True).head(top).select(*LEARNT).cast(LEARNT)


def learn(pool: pl.DataFrame, language: Language) -> pl.DataFrame:
    """The table of the given rows (columns source, rendering); equal pairs count once."""
    unique = pool.select(pl.col("source", "rendering").fill_null("")).unique(maintain_order=True)
    return translation_table(
        ([word.low for word in source_words(source)], [token.low for token in language.tokens(rendering)])
        for source, rendering in unique.iter_rows()
    )
