"""The mitigations of Zhou et al. 2019, section 3, as objects with fit and transform.

A `Space` holds the gendered language and, in the bilingual setting, English. Nothing is changed in place. English is
always turned into the gendered language's space (a rotation, so the joint geometry is the same either way): that way
every gendered word that is not shifted keeps its vector bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, Self

import numpy as np
import numpy.typing as npt

from evenhand.embeddings.alignment import Dictionary, align, solve
from evenhand.embeddings.directions import Directions, gender_directions, semantic_direction
from evenhand.embeddings.grammar import Array, ClassifierKind
from evenhand.embeddings.vectors import Matrix32, Vectors
from evenhand.embeddings.wordlists import TwoForms, WordLists
from evenhand.errors import BadInput, Unknown

Anchor = Literal["origin", "english"]
METHODS = ("shift-ori", "shift-en", "de-align", "hybrid-ori", "hybrid-en")


@dataclass(frozen=True)
class Space:
    """A gendered language and perhaps English in the same space.

    `dictionary` (English word, gendered word) is what English was, or will be, aligned with; None when the two files
    came in one space. `refine` rounds of refinement are used when English is first aligned; `learned` keeps the pairs
    of rows that alignment rested on, so that a later one (De-Align) differs only by what was done to English.
    """

    gendered: Vectors
    english: Vectors | None = None
    dictionary: Dictionary | None = None
    refine: int = 2
    learned: npt.NDArray[np.intp] | None = None

    def need_english(self, method: str) -> Vectors:
        if self.english is None:
            raise BadInput(f"{method} works between two languages: give English vectors (--english) too")
        return self.english

    def aligned(self) -> Space:
        """English turned into the gendered space with the dictionary (as it is when there is none)."""
        if self.english is None or self.dictionary is None:
            return self
        if self.learned is not None:
            found = solve(self.english, self.gendered, self.learned)
        else:
            found = align(self.english, self.gendered, self.dictionary, refine=self.refine)
        return replace(self, english=found.apply(self.english), learned=found.pairs)


@dataclass(frozen=True)
class Moved:
    """What a shift did: pairs brought to equal distance, inanimate nouns freed of d_s, and what was left alone."""

    pairs: tuple[TwoForms, ...] = ()
    inanimate: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    worst: float = 0.0  # largest remaining asymmetry on d_s over the shifted pairs


class Mitigation(Protocol):
    """Learn from a space what to change; return a changed copy of a space with the same vocabulary."""

    name: str

    def fit(self, space: Space, lists: WordLists) -> Self: ...
    def transform(self, space: Space) -> Space: ...


class HardDebias:
    """English only (Bolukbasi et al. 2016): words without gender in their meaning lose the gender component, definition
    pairs are made to differ in nothing else. Lengths are kept."""

    name = "hard-debias"

    def __init__(self) -> None:
        self._direction: Array | None = None
        self._pairs: tuple[tuple[str, str], ...] = ()
        self._specific: frozenset[str] = frozenset()

    def fit(self, space: Space, lists: WordLists) -> Self:
        english = space.need_english(self.name)
        self._direction = semantic_direction((english, lists.english_definitions)).direction
        self._pairs = lists.english_definitions
        listed = {word.casefold() for word in lists.specific} | {w.casefold() for pair in self._pairs for w in pair}
        self._specific = frozenset(listed)
        return self

    def transform(self, space: Space) -> Space:
        english, d = space.need_english(self.name), self._direction
        if d is None:
            raise BadInput("fit the mitigation before transforming")
        lengths = np.linalg.norm(english.matrix.astype(np.float64), axis=1)[:, None]
        unit = english.matrix.astype(np.float64) / lengths
        neutral = np.array([word.casefold() not in self._specific for word in english.words])
        unit[neutral] -= np.outer(unit[neutral] @ d, d)
        unit[neutral] /= np.linalg.norm(unit[neutral], axis=1, keepdims=True)
        for feminine, masculine in self._pairs:
            found = english.pair(feminine, masculine)
            if found is None:
                continue
            f, m = found
            middle = (unit[f] + unit[m]) / 2
            middle -= (middle @ d) * d
            part = np.sqrt(max(0.0, 1.0 - middle @ middle))
            sign = 1.0 if (unit[m] - unit[f]) @ d >= 0 else -1.0
            unit[m], unit[f] = middle + sign * part * d, middle - sign * part * d
        return replace(space, english=english.with_matrix((unit * lengths).astype(np.float32)))


class Shift:
    """Shift_Ori and Shift_EN: move both forms of a noun along d_s to equal distance from the anchor, and take the d_s
    component out of inanimate nouns. All other words keep their vectors bit by bit."""

    def __init__(self, anchor: Anchor = "origin", *, classifier: ClassifierKind = "lda", seed: int = 0) -> None:
        self.name = "shift-ori" if anchor == "origin" else "shift-en"
        self.anchor, self.classifier, self.seed = anchor, classifier, seed
        self.directions: Directions | None = None
        self.moved = Moved()
        self._lists: WordLists | None = None

    def fit(self, space: Space, lists: WordLists) -> Self:
        if self.anchor == "english":
            space.need_english(self.name)
        self._lists = lists
        self.directions = gender_directions(
            space.gendered,
            lists.definitions,
            lists.nouns,
            english=space.english,
            english_definitions=lists.english_definitions,
            kind=self.classifier,
            seed=self.seed,
        )
        return self

    def transform(self, space: Space) -> Space:
        if self.directions is None or self._lists is None:
            raise BadInput("fit the mitigation before transforming")
        d = self.directions.orthogonal
        anchors = space.need_english(self.name) if self.anchor == "english" else None
        matrix, self.moved = shift(space.gendered, d, self._lists.occupations, self._lists.inanimate, anchors)
        return replace(space, gendered=space.gendered.with_matrix(matrix))


class DeAlign:
    """Hard-debias English, then align it with the gendered language, on the pairs the first alignment rested on."""

    name = "de-align"

    def __init__(self) -> None:
        self._debias = HardDebias()

    def fit(self, space: Space, lists: WordLists) -> Self:
        if space.need_english(self.name) and space.dictionary is None:
            raise BadInput(f"{self.name} aligns again after debiasing English: give a dictionary (--dictionary)")
        self._debias.fit(space, lists)
        return self

    def transform(self, space: Space) -> Space:
        return self._debias.transform(space).aligned()


class Hybrid:
    """Hybrid_Ori and Hybrid_EN: De-Align, then Shift with the origin or the debiased English word as anchor.

    The directions are those of the space before debiasing: equalised English pairs would otherwise outweigh the others.
    So Hybrid_Ori leaves the gendered language as Shift_Ori does (equal MWEAT in the paper's Table 1) and differs in
    where English lies.
    """

    def __init__(self, anchor: Anchor = "origin", *, classifier: ClassifierKind = "lda", seed: int = 0) -> None:
        self.name = "hybrid-ori" if anchor == "origin" else "hybrid-en"
        self._first = DeAlign()
        self._then = Shift(anchor, classifier=classifier, seed=seed)

    @property
    def moved(self) -> Moved:
        return self._then.moved

    @property
    def directions(self) -> Directions | None:
        return self._then.directions

    def fit(self, space: Space, lists: WordLists) -> Self:
        self._first.fit(space, lists)
        self._then.fit(space, lists)
        return self

    def transform(self, space: Space) -> Space:
        return self._then.transform(self._first.transform(space))


def mitigation(name: str, *, classifier: ClassifierKind = "lda", seed: int = 0) -> Mitigation:
    """A mitigation by its name on the command line."""
    anchor: Anchor = "english" if name.endswith("-en") else "origin"
    if name in ("shift-ori", "shift-en"):
        return Shift(anchor, classifier=classifier, seed=seed)
    if name in ("hybrid-ori", "hybrid-en"):
        return Hybrid(anchor, classifier=classifier, seed=seed)
    if name == "de-align":
        return DeAlign()
    raise Unknown("method", name, METHODS)


def shift(
    vectors: Vectors, d: Array, pairs: Iterable[TwoForms], inanimate: Iterable[str], anchors: Vectors | None = None
) -> tuple[Matrix32, Moved]:
    """The shifted matrix (a copy) and what was moved.

    Both forms move by -1/2 (<m, d> + <f, d> - 2 <a, d>) along d / (d.d). A word belongs to its first pair only; a word
    in a pair is not also treated as inanimate. Pairs without both vectors, or without their anchor, are skipped.
    """
    matrix = np.array(vectors.matrix, dtype=np.float32)
    step = d / (d @ d)
    taken: set[int] = set()
    moved: list[TwoForms] = []
    skipped: list[str] = []
    worst = 0.0
    for pair in pairs:
        rows_of = vectors.pair(pair.masculine, pair.feminine)
        anchor = None if anchors is None else anchors.row(pair.english)
        if rows_of is None or (anchors is not None and anchor is None) or taken.intersection(rows_of):
            skipped.append(f"{pair.masculine}/{pair.feminine}")
            continue
        m, f = rows_of
        at = 0.0 if anchors is None or anchor is None else float(anchors.matrix[anchor].astype(np.float64) @ d)
        x, y = matrix[m].astype(np.float64), matrix[f].astype(np.float64)
        offset = -0.5 * (x @ d + y @ d - 2 * at)
        matrix[m], matrix[f] = x + offset * step, y + offset * step
        worst = max(worst, asymmetry(matrix[m], matrix[f], d, at))
        taken |= {m, f}
        moved.append(pair)
    freed = {word: row for word in inanimate if (row := vectors.row(word)) is not None and row not in taken}
    _take_out(matrix, sorted(set(freed.values())), d)
    return matrix, Moved(tuple(moved), tuple(freed), tuple(skipped), worst)


def _take_out(matrix: Matrix32, rows: Sequence[int], d: Array) -> None:
    """Remove the component along d from these rows, in place."""
    if rows:
        values = matrix[rows].astype(np.float64)
        matrix[rows] = (values - np.outer(values @ d, d / (d @ d))).astype(np.float32)


def asymmetry(masculine: Matrix32, feminine: Matrix32, d: Array, anchor: float = 0.0) -> float:
    """||<m, d> - <a, d>| - |<f, d> - <a, d>||, the paper's equation 3. 0: equal distance from the anchor."""
    m, f = float(masculine.astype(np.float64) @ d), float(feminine.astype(np.float64) @ d)
    return abs(abs(m - anchor) - abs(f - anchor))
