"""One audit of one language: directions, bias before and after each mitigation, and what it costs; rows as in Tables 1
and 2 of Zhou et al. 2019, the original vectors first."""

import contextlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypedDict

import numpy as np
from scipy.cluster.vq import kmeans2

from evenhand.embeddings import association, utility
from evenhand.embeddings.alignment import Dictionary, crowding, english_first
from evenhand.embeddings.association import Mweat, Nearness, Weat, associations, attribute_rows, weat
from evenhand.embeddings.directions import (
    ClassifierKind,
    ClassNumbers,
    Directions,
    cross_validate,
    gender_directions,
    rows_by_class,
)
from evenhand.embeddings.mitigation import ALIGN, METHODS, Moved, Space, mitigation
from evenhand.embeddings.opening import Coverage, Stage, coverage
from evenhand.embeddings.utility import PairTranslation, Retrieval, Similarity, SimilarityPairs, Translation
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import TwoForms, WordLists, hash_of
from evenhand.errors import BadInput
from evenhand.level import LEVEL, check_level
from evenhand.statistics.intervals import Array, Interval, mean_interval, wilson

FEWEST_IN_SET = 2  # words of a target set with a vector; one has no spread
FEWEST_BIASED, MOST_BIASED = 10, 250  # nouns of each side


class Occupations(NamedTuple):
    """Occupations with one form: (word, s, cosine with d_PCA) each; both positive towards the male words."""

    words: tuple[tuple[str, float, float], ...]
    association: Interval
    nearer_male: Interval
    direct_bias: Interval


def weat_of_sets(
    vectors: Vectors, lists: WordLists, notes: list[str], *, seed: int = 0, level: float = LEVEL
) -> tuple[tuple[str, Weat], ...]:
    """WEAT (Caliskan et al. 2017) of pairs of word sets with male and female words, two-sided, by name: English nouns
    have one form, so no pair of forms can be compared. `notes` grows by the tests whose sets have too few vectors."""
    tests: list[tuple[str, Weat]] = []
    for name, x, y in ((test.name, test.x, test.y) for test in lists.targets):
        covered = [sum(word in vectors for word in words) for words in (x, y)]
        if min(covered) < FEWEST_IN_SET:
            notes.append(f"{name}: no WEAT, {covered[0]} and {covered[1]} words of the two sets have vectors")
        else:
            tests.append((name, weat(vectors, x, y, lists.male, lists.female, seed=seed, level=level)))
    return tuple(tests)


def measure_occupations(vectors: Vectors, lists: WordLists, direction: Array, *, level: float = LEVEL) -> Occupations:
    """The association s of occupations that have a vector (fewer than two are an error), and their direct bias, mean
    |cos(w, d_PCA)| (Bolukbasi et al. 2016, with c = 1); 0 is even."""
    male, female = attribute_rows(vectors, lists.male, lists.female)
    held = vectors.need(lists.titles, "occupations")
    if len(held.rows) < 2:
        raise BadInput(f"{vectors.name}: {len(held.rows)} of {len(lists.titles)} occupations have vectors, 2 needed")
    s = associations(vectors, held.rows, male, female)
    along = vectors.unit[held.rows].astype(np.float64) @ (direction / np.linalg.norm(direction))
    words = tuple(zip(held.words, s.tolist(), along.tolist(), strict=True))
    association, direct = (mean_interval(values, level=level) for values in (s, np.abs(along)))
    return Occupations(words, association, wilson(int(np.sum(s > 0)), len(s), level), direct)


class Residual(NamedTuple):
    """Accuracy of predicting the former side, 0.5 when nothing is left. `cluster_by_chance` is what two clusters reach
    on shuffled labels on average (a best-of-two match is never below 0.5)."""

    cluster: Interval
    cluster_by_chance: float
    classifier: Interval


Sides = tuple[ClassNumbers, ClassNumbers]  # rows of nouns, and their side of d_s before mitigation (1: masculine)


def biased_nouns(vectors: Vectors, nouns: Mapping[str, str], directions: Directions) -> Sides | None:
    """Within every grammatical class the nouns farthest to either side on d_s, equally many of each (at most a third of
    the class, so that words near the middle are left out); None for too few nouns."""
    by_class = {name: rows for name, rows in rows_by_class(vectors, nouns).items() if rows}
    take = min([MOST_BIASED, *(len(rows) // 3 for rows in by_class.values())]) if by_class else 0
    if take * len(by_class) < FEWEST_BIASED:
        return None
    rows = list[int]()
    for members in by_class.values():
        order = np.argsort(vectors.unit[members].astype(np.float64) @ directions.orthogonal, kind="stable")
        rows += [members[place] for place in (*order[:take], *order[-take:])]
    labels = np.tile(np.repeat([0, 1], take), len(by_class))
    return np.array(rows, dtype=np.intp), labels.astype(np.intp)


def residual(
    vectors: Vectors, nouns_by_side: Sides, directions: Directions, *, seed: int = 0, level: float = LEVEL
) -> Residual:
    """Is the old bias still readable from the mitigated vectors? Cluster and classifier test for the chosen words.

    Gonen & Goldberg (2019) take the most biased words of either side before mitigation and test whether they still
    separate afterwards. In a gendered language both tests would mostly find grammatical gender. So the words are
    inanimate nouns, equally many of each side within every grammatical class, which makes the class useless as a clue,
    and the grammatical subspace is projected out before looking.
    """
    rows, labels = nouns_by_side
    x, n = vectors.unit[rows].astype(np.float64), len(labels)
    if directions.grammatical is not None:
        basis = directions.grammatical.basis
        x = x - (x @ basis.T) @ basis
    clusters, rng = _two_clusters(x, seed), np.random.default_rng(seed)
    sides_of = (labels, *(rng.permutation(labels) for _ in range(200)))
    hits, *shuffled = (max(same, n - same) for same in (int(np.sum(clusters == sides)) for sides in sides_of))
    sides = ("feminine side", "masculine side")
    accuracy = cross_validate("svm", x, labels, sides, seed=seed, level=level)
    return Residual(wilson(hits, n, level), float(np.mean(shuffled) / n), accuracy)


def _two_clusters(x: Array, seed: int) -> ClassNumbers:
    best, clusters = np.inf, np.zeros(len(x), dtype=np.intp)
    for start in range(10):
        centres, labels = kmeans2(x, 2, minit="++", rng=np.random.default_rng([seed, start]), missing="warn")
        inertia = float(np.sum((x - centres[labels]) ** 2))
        if inertia < best and len(np.unique(labels)) == 2:
            best, clusters = inertia, labels.astype(np.intp)
    return clusters


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
        tests = {**self.similarity, **self.english_similarity, **self.translation}
        return ",".join(f"{name}#{hash_of(content)}" for name, content in tests.items()) or "none"


@dataclass(frozen=True)
class Version:
    """The numbers of one version of the vectors. None: not asked for, or not possible (see `notes`)."""

    method: str
    space: Space
    mweat: Mweat | None = None
    weats: tuple[tuple[str, Weat], ...] = ()  # of English vectors only, by the name of the two sets
    occupations: Occupations | None = None  # of English vectors only
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
    def language(self) -> str:
        return self.lists.language

    @property
    def original(self) -> Version:
        return self.versions[0]


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
    to be measured beside them, in the same space. Without `bias` only utility is measured."""
    settings, tests = settings or StudySettings(), tests or UtilityTests()
    tell: Stage = stage or (lambda name, share: None)
    if methods and not lists.gendered:
        raise BadInput("mitigations move the two forms of a noun; English has one form: use --method none")
    tell("directions", 0.0)
    directions = gender_directions(
        space.gendered, lists, space.english, kind=settings.classifier, interval=True, **settings.drawn
    )
    things = {word: lists.nouns[word] for word in lists.inanimate if word in lists.nouns}
    nouns_by_side = biased_nouns(space.gendered, things, directions) if bias and lists.gendered else None
    blanks, impossible, aligned = [Version(ORIGINAL, space)], dict[str, str](), None
    for number, name in enumerate(methods):
        tell(name, (number + 1) / (2 * len(methods) + 2))
        try:
            mitigated, moved = apply(name, space, lists, settings, aligned)
        except BadInput as error:
            impossible[name] = str(error)
        else:
            aligned = mitigated if name == ALIGN else aligned
            blanks.append(Version(name, mitigated, moved=moved))
    blanks += [Version(v.name, Space(v, space.english, space.dictionary, space.refine)) for v in others]
    rows: list[Version] = []
    for number, blank in enumerate(blanks):
        tell(f"measuring {blank.method}", 0.5 + number / (2 * len(blanks)))
        measured = _with_bias(blank, lists, directions, nouns_by_side, settings) if bias else blank
        rows.append(_with_utility(measured, rows[:1], lists, tests, settings))
    across = None
    if bias and space.english is not None:
        across = association.across_languages(space.gendered, space.english, lists, level=settings.level)
    tell("done", 1.0)
    covered = coverage(space.gendered, lists, space.english)
    remarks = (*warnings, *lists.notes, *_doubts(rows[0], tests))
    return Study(lists, settings, covered, directions, across, tuple(rows), impossible, remarks, tests, bias)


def apply(
    name: str, space: Space, lists: WordLists, settings: StudySettings, aligned: Space | None = None
) -> tuple[Space, Moved | None]:
    """The space after one mitigation. A hybrid starts from the space `aligned` after De-Align, where it is given."""
    method = mitigation(name, classifier=settings.classifier, seed=settings.seed).fit(space, lists)
    return method.transform(space, aligned=aligned), method.moved


def _with_bias(
    version: Version, lists: WordLists, directions: Directions, nouns_by_side: Sides | None, settings: StudySettings
) -> Version:
    vectors, notes, measured = version.space.gendered, list[str](), dict[str, object]()
    if not lists.gendered:
        measured["weats"] = weat_of_sets(vectors, lists, notes, **settings.drawn)
        with _noting(notes):
            along = directions.semantic.direction
            measured["occupations"] = measure_occupations(vectors, lists, along, level=settings.level)
        return replace(version, notes=tuple(notes), **measured)  # type: ignore[arg-type]
    listed, n = (lists.occupations, lists.male, lists.female), settings.permutations
    with _noting(notes):
        measured["mweat"] = association.mweat(vectors, *listed, permutations=n, **settings.drawn)
        if version.method == ORIGINAL and vectors.notes.seldom:
            notes.append(_of_frequent_forms(vectors, lists, settings))
    with _noting(notes):
        measured["things"] = things = association.word_biases(vectors, lists.inanimate, lists.male, lists.female)
        measured["inanimate"] = mean_interval(np.abs([s for _, s in things]), level=settings.level)
    if nouns_by_side is not None:
        with _noting(notes):
            measured["residual"] = residual(vectors, nouns_by_side, directions, **settings.drawn)
    return replace(version, notes=tuple(notes), **measured)  # type: ignore[arg-type]


def _of_frequent_forms(vectors: Vectors, lists: WordLists, settings: StudySettings) -> str:
    """MWEAT over the occupations whose two forms the training text has often enough, as a note."""
    seldom = set(vectors.notes.seldom)
    often = [pair for pair in lists.occupations if seldom.isdisjoint((pair.masculine, pair.feminine))]
    mweat = association.mweat(
        vectors, often, lists.male, lists.female, permutations=settings.permutations, **settings.drawn
    )
    held = mweat.interval
    bounds = f" [{held.low:.2f}, {held.high:.2f}]" if math.isfinite(held.low) else ""
    return f"over the {held.n} occupations whose two forms are both more frequent, MWEAT is {held.value:.2f}{bounds}"


def _with_utility(
    version: Version, before: Sequence[Version], lists: WordLists, tests: UtilityTests, settings: StudySettings
) -> Version:
    """What the vectors are good for, and how that changed since the version `before`, if there is one."""
    notes, level, measured = list(version.notes), settings.level, dict[str, object]()
    vectors, english = version.space.gendered, version.space.english
    similar = {key: utility.similarity(vectors, pairs, level=level) for key, pairs in tests.similarity.items()}
    translated: dict[str, Translation] = {}
    if english is not None:
        with _noting(notes):
            measured["nearness"] = association.nearness(vectors, english, lists.occupations, level=level)
        with _noting(notes):
            forms = (lists.occupations, lists.adjectives)
            measured["pair_translation"] = utility.pair_translation(vectors, english, *forms, level=level)
        in_english = tests.english_similarity.items()
        similar |= {key: utility.similarity(english, pairs, level=level) for key, pairs in in_english}
        translated = _translations(vectors, english, tests.translation, settings)
    changes, precision = dict[str, Interval](), dict[str, Interval]()
    for original in before:  # another vocabulary (--against) may cover other words: then there is no paired change
        for key, result in similar.items():
            with _noting(notes, f"{version.method}, {key}: "):
                changes[key] = utility.similarity_change(original.similarity[key], result, **settings.drawn)
        for key, answer in translated.items():
            with _noting(notes, f"{version.method}, {key}: "):
                precision[key] = utility.precision_change(original.translation[key], answer, level=level)
    measured |= {"similarity": similar, "similarity_change": changes, "translation": translated}
    return replace(version, precision_change=precision, notes=tuple(notes), **measured)  # type: ignore[arg-type]


@contextlib.contextmanager
def _noting(notes: list[str], where: str = "") -> Iterator[None]:
    try:
        yield
    except BadInput as error:
        notes.append(f"{where}{error}")


def _translations(
    vectors: Vectors, english: Vectors, dictionaries: dict[str, Dictionary], settings: StudySettings
) -> dict[str, Translation]:
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
    """Utility tests with low coverage, or whose answers the alignment has seen."""
    space, what = original.space, dict.fromkeys(original.similarity, "word pairs have vectors")
    what |= dict.fromkeys(original.translation, "words have vectors on both sides; the right languages?")
    results: dict[str, Similarity | Translation] = {**original.similarity, **original.translation}
    few = [name for name, result in results.items() if result.covered < DOUBTFUL * result.asked]
    doubts = [f"{name}: only {results[name].covered} of {results[name].asked} {what[name]}" for name in few]
    if space.english is None or space.dictionary is None:
        return doubts
    for name, pairs in ((name, tests.translation[name]) for name in original.translation):
        forward = english_first(pairs, space.english, space.gendered)
        seen = set(space.dictionary if forward else ((b, a) for a, b in space.dictionary)).intersection(pairs)
        if seen:
            doubts.append(
                f"{name}: {len(seen)} of {len(pairs)} pairs are in the alignment dictionary too (no fair test)"
            )
    return doubts
