"""One audit of one language: directions, bias before and after each mitigation, and what it costs.

The rows follow Tables 1 and 2 of Zhou et al. 2019: the original vectors first, then one row a method.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np
from scipy.cluster.vq import kmeans2

from evenhand.embeddings import association, coverage, utility
from evenhand.embeddings.alignment import Dictionary, english_first
from evenhand.embeddings.association import Mweat, Nearness, Weat, associations, attribute_rows, weat
from evenhand.embeddings.coverage import Coverage
from evenhand.embeddings.directions import Directions, gender_directions
from evenhand.embeddings.grammar import Array, ClassifierKind, ClassNumbers, cross_validate
from evenhand.embeddings.mitigation import METHODS, Moved, Shift, Space, mitigation
from evenhand.embeddings.neighbours import crowding
from evenhand.embeddings.opening import Stage
from evenhand.embeddings.utility import PairTranslation, Retrieval, Similarity, SimilarityPairs, Translation
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import TwoForms, WordLists, hash_of
from evenhand.errors import BadInput
from evenhand.level import LEVEL, check_level
from evenhand.statistics.intervals import Interval, mean_interval, wilson

FEWEST_IN_SET = 2  # words of a target set with a vector; one has no spread


@dataclass(frozen=True)
class Occupations:
    """Occupations with one form: (word, s, cosine with d_PCA) each; both positive towards the male words."""

    words: tuple[tuple[str, float, float], ...]
    association: Interval
    nearer_male: Interval
    direct_bias: Interval


@dataclass(frozen=True)
class English:
    """WEAT by the name of its two sets, and the occupations (None where fewer than two have vectors)."""

    tests: tuple[tuple[str, Weat], ...]
    occupations: Occupations | None


def measure_english(
    vectors: Vectors,
    lists: WordLists,
    direction: Array,
    *,
    permutations: int = 10_000,
    seed: int = 0,
    level: float = LEVEL,
    tell: Callable[[str], None] = lambda note: None,
) -> English:
    """Every test whose two sets have vectors; `tell` hears of those that cannot be made. Tests are two-sided.

    English nouns have one form, so no pair of forms can be compared: WEAT (Caliskan et al. 2017) of pairs of word sets
    with male and female words; the association s of occupations; the direct bias of occupations, mean |cos(w, d_PCA)|
    (Bolukbasi et al. 2016, with c = 1). 0 is even in each of them.
    """
    tests: list[tuple[str, Weat]] = []
    for test in lists.targets:
        covered = [sum(word in vectors for word in words) for words in (test.x, test.y)]
        if min(covered) < FEWEST_IN_SET:
            tell(f"{test.name}: no WEAT, {covered[0]} and {covered[1]} words of the two sets have vectors")
            continue
        tested = weat(
            vectors,
            test.x,
            test.y,
            lists.male,
            lists.female,
            permutations=permutations,
            seed=seed,
            level=level,
            alternative="two-sided",
        )
        tests.append((test.name, tested))
    try:
        measured = measure_occupations(vectors, lists, direction, level=level)
    except BadInput as error:
        tell(str(error))
        measured = None
    return English(tuple(tests), measured)


def measure_occupations(vectors: Vectors, lists: WordLists, direction: Array, *, level: float = LEVEL) -> Occupations:
    """Occupations that have a vector; fewer than two are an error."""
    male, female = attribute_rows(vectors, lists.male, lists.female)
    held = vectors.need(lists.titles, "occupations")
    if len(held.rows) < 2:
        raise BadInput(f"{vectors.name}: {len(held.rows)} of {len(lists.titles)} occupations have vectors, 2 needed")
    s = associations(vectors, held.rows, male, female)
    along = vectors.unit[held.rows].astype(np.float64) @ (direction / np.linalg.norm(direction))
    return Occupations(
        tuple(zip(held.words, s.tolist(), along.tolist(), strict=True)),
        mean_interval(s, level=level),
        wilson(int(np.sum(s > 0)), len(s), level),
        mean_interval(np.abs(along), level=level),
    )


FEWEST_LEANED = 10  # words of each lean


@dataclass(frozen=True)
class Residual:
    """Accuracy of telling the former lean, 0.5 when nothing is left. `cluster_by_chance` is what two clusters reach on
    shuffled labels on average (a best-of-two match is never below 0.5)."""

    cluster: Interval
    cluster_by_chance: float
    classifier: Interval
    words: int


@dataclass(frozen=True)
class LeanedWords:
    """Nouns chosen by their lean before mitigation: rows and labels (1 = masculine side)."""

    rows: ClassNumbers
    labels: ClassNumbers


def leaned_words(vectors: Vectors, nouns: Mapping[str, str], directions: Directions, *, most: int = 250) -> LeanedWords:
    """Within every grammatical class the nouns farthest to either side on d_s, equally many of each (at most `most`,
    and at most a third of the class, so that words near the middle are left out)."""
    d = directions.orthogonal
    by_class: dict[str, set[int]] = {}
    for word, name in nouns.items():
        row = vectors.row(word)
        if row is not None:
            by_class.setdefault(name, set()).add(row)
    take = min([most, *(len(rows) // 3 for rows in by_class.values())]) if by_class else 0
    if take * len(by_class) < FEWEST_LEANED:
        raise BadInput(f"{vectors.name}: too few nouns with vectors to test what mitigation leaves behind")
    rows_out: list[int] = []
    labels: list[int] = []
    for rows in by_class.values():
        members = np.array(sorted(rows), dtype=np.intp)
        order = members[np.argsort(vectors.unit[members].astype(np.float64) @ d, kind="stable")]
        rows_out += [*order[:take].tolist(), *order[-take:].tolist()]
        labels += [0] * take + [1] * take
    return LeanedWords(np.array(rows_out, dtype=np.intp), np.array(labels, dtype=np.intp))


def residual(
    vectors: Vectors, leaned: LeanedWords, directions: Directions, *, seed: int = 0, level: float = LEVEL
) -> Residual:
    """Is the old bias still readable from the mitigated vectors? Cluster and classifier test for the chosen words.

    Gonen & Goldberg (2019) take the most biased words of either side before mitigation and test whether they still
    separate afterwards. In a gendered language both tests would mostly find grammatical gender. So the words are
    inanimate nouns, equally many of each side within every grammatical class, which makes the class useless as a clue,
    and the grammatical subspace is projected out before looking.
    """
    x = vectors.unit[leaned.rows].astype(np.float64)
    if directions.grammatical is not None:
        basis = directions.grammatical.basis
        x = x - (x @ basis.T) @ basis
    found = _two_clusters(x, seed)
    hits = int(np.sum(found == leaned.labels))
    rng = np.random.default_rng(seed)
    shuffled = [np.sum(found == rng.permutation(leaned.labels)) for _ in range(200)]
    n = len(leaned.labels)
    chance = float(np.mean([max(h, n - h) for h in shuffled]) / n)
    sides = ("feminine side", "masculine side")
    accuracy = cross_validate("svm", x, leaned.labels, sides, folds=5, seed=seed, level=level)
    return Residual(wilson(max(hits, n - hits), n, level), chance, accuracy.interval, n)


def _two_clusters(x: Array, seed: int) -> ClassNumbers:
    """k-means with k = 2, the best of ten starts."""
    best, found = np.inf, np.zeros(len(x), dtype=np.intp)
    for start in range(10):
        rng = np.random.default_rng([seed, start])
        centres, labels = kmeans2(x, 2, minit="++", rng=rng, missing="warn")
        inertia = float(np.sum((x - centres[labels]) ** 2))
        if inertia < best and len(np.unique(labels)) == 2:
            best, found = inertia, labels.astype(np.intp)
    return found


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
