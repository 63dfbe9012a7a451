"""One audit of one language: directions, bias before and after each mitigation, and what it costs.

The rows follow Tables 1 and 2 of Zhou et al. 2019: the original vectors first, then one row a method.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np

from evenhand.embeddings import association, coverage, utility
from evenhand.embeddings.alignment import Dictionary, english_first
from evenhand.embeddings.association import Mweat, Nearness
from evenhand.embeddings.coverage import Coverage
from evenhand.embeddings.directions import Directions, gender_directions
from evenhand.embeddings.english import English, measure_english
from evenhand.embeddings.grammar import ClassifierKind
from evenhand.embeddings.mitigation import METHODS, Moved, Shift, Space, mitigation
from evenhand.embeddings.neighbours import crowding
from evenhand.embeddings.opening import Stage
from evenhand.embeddings.residual import LeanedWords, Residual, leaned_words, residual
from evenhand.embeddings.utility import PairTranslation, Retrieval, Similarity, SimilarityPairs, Translation
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import TwoForms, WordLists, hash_of
from evenhand.errors import BadInput
from evenhand.level import LEVEL, check_level
from evenhand.statistics.intervals import Interval, mean_interval

# What a study is asked and what it found, as plain values.


class Drawn(TypedDict):
    """What every interval is made with."""

    seed: int
    level: float


@dataclass(frozen=True)
class StudySettings:
    """What a number depends on besides data; printed with every result."""

    seed: int = 0
    permutations: int = 10_000
    classifier: ClassifierKind = "lda"
    retrieval: Retrieval = "csls"
    refine: int = 2
    level: float = LEVEL

    @property
    def drawn(self) -> Drawn:
        return {"seed": self.seed, "level": check_level(self.level)}


@dataclass(frozen=True)
class UtilityTests:
    """Utility tests by file name. Dictionaries may have either language first; both directions can be given."""

    similarity: dict[str, SimilarityPairs] = field(default_factory=dict)
    english_similarity: dict[str, SimilarityPairs] = field(default_factory=dict)
    translation: dict[str, Dictionary] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.similarity or self.english_similarity or self.translation)

    @property
    def signature(self) -> str:
        """Every test with a hash of its content; "none" where there is none."""
        asked = {**self.similarity, **self.english_similarity, **self.translation}
        return ",".join(f"{name}#{hash_of(content)}" for name, content in asked.items()) or "none"


@dataclass(frozen=True)
class Version:
    """The numbers of one version of the vectors. None: not asked for, or not possible (see `notes`)."""

    method: str
    space: Space
    mweat: Mweat | None = None
    english: English | None = None  # of English vectors only
    things: tuple[tuple[str, float], ...] = ()  # inanimate nouns with their signed s; b_w is its size
    inanimate: Interval | None = None
    nearness: Nearness | None = None
    residual: Residual | None = None
    similarity: dict[str, Similarity] = field(default_factory=dict)
    similarity_change: dict[str, Interval] = field(default_factory=dict)
    translation: dict[str, Translation] = field(default_factory=dict)
    precision_change: dict[str, Interval] = field(default_factory=dict)
    pair_translation: PairTranslation | None = None
    moved: Moved | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Study:
    """Everything a study measured. `impossible` names the methods that could not be run, and why; `bias` is False where
    only utility was asked for."""

    language: str
    lists: WordLists
    settings: StudySettings
    coverage: list[Coverage]
    directions: Directions
    across: tuple[Interval, float, list[tuple[TwoForms, float, float]]] | None
    versions: tuple[Version, ...]
    impossible: dict[str, str]
    warnings: tuple[str, ...]
    tests: UtilityTests = field(default_factory=UtilityTests)
    bias: bool = True

    @property
    def original(self) -> Version:
        return self.versions[0]


__all__ = ["METHODS", "ORIGINAL", "Stage", "Study", "StudySettings", "UtilityTests", "Version", "apply", "run"]

ORIGINAL = "original"
DOUBTFUL = 0.5  # share of a test's words; less covered is said aloud


def run(
    space: Space,
    lists: WordLists,
    *,
    methods: Sequence[str] = METHODS,
    tests: UtilityTests | None = None,
    settings: StudySettings | None = None,
    bias: bool = True,
    others: Iterable[Vectors] = (),
    warnings: Iterable[str] = (),
    stage: Stage | None = None,
) -> Study:
    """Measure the original and every mitigated version. `others` are vectors of the gendered language made elsewhere,
    to be measured beside them; they must stand in the same space. Without `bias` only what they are good for."""
    settings, tests = settings or StudySettings(), tests or UtilityTests()
    tell: Stage = stage or (lambda name, share: None)
    if methods and not lists.gendered:
        raise BadInput("mitigations move the two forms of a noun; English has one: leave them out (--method none)")
    tell("directions", 0.0)
    directions = gender_directions(
        space.gendered,
        lists.definitions,
        lists.nouns,
        english=space.english,
        english_definitions=lists.english_definitions,
        kind=settings.classifier,
        **settings.drawn,
        interval=True,
    )
    leaned = _leaned(space.gendered, lists, directions) if bias and lists.gendered else None
    spaces: list[tuple[str, Space, Moved | None]] = [(ORIGINAL, space, None)]
    impossible: dict[str, str] = {}
    made: dict[str, Space] = {}
    for number, name in enumerate(methods):
        tell(name, (number + 1) / (2 * len(methods) + 2))
        try:
            mitigated, moved = apply(name, space, lists, settings, made)
        except BadInput as error:
            impossible[name] = str(error)
            continue
        made[name] = mitigated
        spaces.append((name, mitigated, moved))
    spaces += [(v.name, Space(v, space.english, space.dictionary, space.refine), None) for v in others]
    rows: list[Version] = []
    for number, (name, version, moved) in enumerate(spaces):
        tell(f"measuring {name}", 0.5 + number / (2 * len(spaces)))
        rows.append(
            _measure(
                name,
                version,
                moved,
                lists=lists,
                tests=tests,
                settings=settings,
                before=rows,
                leaning=(directions, leaned),
                bias=bias,
            )
        )
    across = None
    if bias and space.english is not None:
        across = association.across_languages(
            space.gendered,
            space.english,
            lists.occupations,
            (lists.male, lists.female),
            (lists.english_male, lists.english_female),
            level=settings.level,
        )
    tell("done", 1.0)
    return Study(
        lists.language,
        lists,
        settings,
        coverage.coverage(space.gendered, lists, space.english),
        directions,
        across,
        tuple(rows),
        impossible,
        (*warnings, *lists.notes, *_doubts(rows[0], tests)),
        tests,
        bias,
    )


def apply(
    name: str, space: Space, lists: WordLists, settings: StudySettings, made: dict[str, Space] | None = None
) -> tuple[Space, Moved | None]:
    """The space after one mitigation. A hybrid starts from the De-Align in `made` when it is there already."""
    if made and name.startswith("hybrid") and "de-align" in made:
        chosen = Shift(
            "english" if name.endswith("-en") else "origin", classifier=settings.classifier, seed=settings.seed
        )
        return chosen.fit(space, lists).transform(made["de-align"]), chosen.moved
    method = mitigation(name, classifier=settings.classifier, seed=settings.seed)
    mitigated = method.fit(space, lists).transform(space)
    return mitigated, getattr(method, "moved", None)


def _measure(
    name: str,
    space: Space,
    moved: Moved | None,
    *,
    lists: WordLists,
    tests: UtilityTests,
    settings: StudySettings,
    before: list[Version],
    leaning: tuple[Directions, LeanedWords | None],
    bias: bool,
) -> Version:
    notes: list[str] = []
    original = before[0] if before else None
    found: dict[str, object] = {}
    vectors, english = space.gendered, space.english
    directions, leaned = leaning

    def attempt(key: str, measure: Callable[[], object]) -> None:
        with _noting(notes):
            found[key] = measure()

    if bias and not lists.gendered:
        attempt(
            "english",
            lambda: measure_english(
                vectors,
                lists,
                directions.semantic.direction,
                permutations=settings.permutations,
                **settings.drawn,
                tell=notes.append,
            ),
        )
    elif bias:
        attempt(
            "mweat",
            lambda: association.mweat(
                vectors,
                lists.occupations,
                lists.male,
                lists.female,
                permutations=settings.permutations,
                **settings.drawn,
            ),
        )
        attempt("things", lambda: tuple(association.word_biases(vectors, lists.inanimate, lists.male, lists.female)))
        if leaned is not None:
            attempt("residual", lambda: residual(vectors, leaned, directions, **settings.drawn))
    if english is not None:
        attempt("nearness", lambda: association.nearness(vectors, english, lists.occupations, **settings.drawn))
        attempt(
            "pair_translation",
            lambda: utility.pair_translation(vectors, english, lists.occupations, lists.adjectives, **settings.drawn),
        )
    similar = {key: utility.similarity(vectors, pairs, level=settings.level) for key, pairs in tests.similarity.items()}
    translated: dict[str, Translation] = {}
    if english is not None:
        similar |= {
            key: utility.similarity(english, pairs, level=settings.level)
            for key, pairs in tests.english_similarity.items()
        }
        translated = _translations(vectors, english, tests.translation, settings)
    changes: dict[str, Interval] = {}
    precision: dict[str, Interval] = {}
    if original is not None:  # another vocabulary (--against) may cover other words: then there is no paired change
        for key, result in similar.items():
            with _noting(notes, f"{name}, {key}: "):
                changes[key] = utility.similarity_change(original.similarity[key], result, **settings.drawn)
        for key, answer in translated.items():
            with _noting(notes, f"{name}, {key}: "):
                precision[key] = utility.precision_change(original.translation[key], answer, **settings.drawn)
    things = found.get("things")
    if isinstance(things, tuple):
        found["inanimate"] = mean_interval(np.abs([s for _, s in things]), level=settings.level)
    return Version(
        name,
        space,
        similarity=similar,
        similarity_change=changes,
        translation=translated,
        precision_change=precision,
        moved=moved,
        notes=tuple(notes),
        **found,  # type: ignore[arg-type]
    )


@contextlib.contextmanager
def _noting(notes: list[str], where: str = "") -> Iterator[None]:
    """What cannot be measured becomes a note, not the end of the study."""
    try:
        yield
    except BadInput as error:
        notes.append(f"{where}{error}")


def _translations(
    vectors: Vectors, english: Vectors, dictionaries: dict[str, Dictionary], settings: StudySettings
) -> dict[str, Translation]:
    """Each dictionary in the direction its first column says."""
    crowded: dict[bool, np.ndarray[tuple[int, ...], np.dtype[np.float32]]] = {}
    results = {}
    for key, pairs in dictionaries.items():
        forward = english_first(pairs, english, vectors)
        source, target = (english, vectors) if forward else (vectors, english)
        if settings.retrieval == "csls" and forward not in crowded:
            crowded[forward] = crowding(target.unit, source.unit)
        results[key] = utility.translation(
            source, target, pairs, retrieval=settings.retrieval, penalty=crowded.get(forward), level=settings.level
        )
    return results


def _doubts(original: Version, tests: UtilityTests) -> list[str]:
    """Utility tests that are hardly covered, or whose answers the alignment has seen."""
    told = [
        f"{name}: only {r.covered} of {r.asked} word pairs have vectors"
        for name, r in original.similarity.items()
        if r.covered < DOUBTFUL * r.asked
    ]
    space = original.space
    for name, t in original.translation.items():
        if t.covered < DOUBTFUL * t.asked:
            told.append(f"{name}: only {t.covered} of {t.asked} words have vectors on both sides; the right languages?")
        if space.english is not None and space.dictionary is not None:
            pairs = tests.translation[name]
            forward = english_first(pairs, space.english, space.gendered)
            seen = set(space.dictionary if forward else ((b, a) for a, b in space.dictionary)).intersection(pairs)
            if seen:
                told.append(
                    f"{name}: {len(seen)} of {len(pairs)} pairs are in the alignment dictionary too (no fair test)"
                )
    return told


def _leaned(vectors: Vectors, lists: WordLists, directions: Directions) -> LeanedWords | None:
    things = set(lists.inanimate)
    try:
        return leaned_words(vectors, {w: g for w, g in lists.nouns.items() if w in things}, directions)
    except BadInput:
        return None
