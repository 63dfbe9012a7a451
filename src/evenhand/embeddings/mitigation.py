"""The mitigations of Zhou et al. 2019, section 3. A `Space` holds the gendered language and, in the bilingual setting,
English. Nothing is changed in place. English is always turned into the gendered language's space (a rotation, so the
joint geometry is the same either way): that way every gendered word that is not shifted keeps its vector bit by bit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from evenhand.embeddings.alignment import Dictionary, align, solve
from evenhand.embeddings.directions import ClassifierKind, Directions, gender_directions, semantic_direction
from evenhand.embeddings.vectors import Matrix32, Vectors
from evenhand.embeddings.wordlists import TwoForms, WordLists
from evenhand.errors import BadInput, Unknown
from evenhand.statistics.intervals import Array

ALIGN = "de-align"
METHODS = ("shift-ori", "shift-en", ALIGN, "hybrid-ori", "hybrid-en")


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

    def aligned(self) -> Space:
        """English turned into the gendered space with the dictionary (as it is when there is none)."""
        if self.english is None or self.dictionary is None:
            return self
        both = self.english, self.gendered
        known = self.learned
        alignment = align(*both, self.dictionary, refine=self.refine) if known is None else solve(*both, known)
        return replace(self, english=alignment.apply(self.english), learned=alignment.pairs)


class Moved(NamedTuple):
    """What a shift did: pairs brought to equal distance, inanimate nouns freed of d_s, and what was left alone."""

    pairs: tuple[TwoForms, ...] = ()
    inanimate: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    worst: float = 0.0  # largest remaining asymmetry on d_s over the shifted pairs


class Mitigation:
    """One of METHODS: `fit` learns from a space what to change, `transform` returns a changed copy of a space with the
    same vocabulary.

    Shift_Ori and Shift_EN move both forms of a noun along d_s to equal distance from the anchor (origin, or English
    word) and take the d_s component out of inanimate nouns. De-Align hard-debiases English and aligns it again, on the
    pairs of the first alignment. The hybrids do both, with the directions of the space before debiasing: equalised
    English pairs would otherwise outweigh the others.
    """

    def __init__(self, name: str, *, classifier: ClassifierKind = "lda", seed: int = 0) -> None:
        if name not in METHODS:
            raise Unknown("method", name, METHODS)
        self.name, self._classifier, self._seed = name, classifier, seed
        self._aligns, self._shifts, self._to_english = not name.startswith("shift"), name != ALIGN, name.endswith("-en")
        self.directions: Directions | None = None
        self.moved: Moved | None = Moved() if self._shifts else None
        self._lists: WordLists | None = None
        self._gender: Array = np.zeros(0)

    def fit(self, space: Space, lists: WordLists) -> Self:
        if (self._aligns or self._to_english) and space.english is None:
            raise BadInput(f"{self.name} works between two languages: give English vectors (--english) too")
        if self._aligns and space.dictionary is None:
            raise BadInput(f"{self.name} aligns again after debiasing English: give a dictionary (--dictionary)")
        self._lists = lists
        if self._aligns and space.english is not None:
            self._gender = semantic_direction((space.english, lists.english_definitions)).direction
        if self._shifts:
            kind, seed = self._classifier, self._seed
            self.directions = gender_directions(space.gendered, lists, space.english, kind=kind, seed=seed)
        return self

    def transform(self, space: Space, *, aligned: Space | None = None) -> Space:
        """`aligned` is the space after De-Align, where it has been made already."""
        lists = self._lists
        if lists is None:
            raise BadInput("fit the mitigation before transforming")
        if self._aligns and space.english is not None:
            space = aligned or replace(space, english=hard_debiased(space.english, self._gender, lists)).aligned()
        if self.directions is None:
            return space
        anchors = space.english if self._to_english else None
        d = self.directions.orthogonal
        matrix, self.moved = shift(space.gendered, d, lists.occupations, lists.inanimate, anchors)
        return replace(space, gendered=space.gendered.with_matrix(matrix))


mitigation = Mitigation  # by its name on the command line


def hard_debiased(english: Vectors, d: Array, lists: WordLists) -> Vectors:
    """Bolukbasi et al. 2016: words without gender in their meaning lose the component along d, definition pairs then
    differ in nothing else. Lengths are kept."""
    pairs = lists.english_definitions
    gendered = {word.casefold() for word in (*lists.specific, *(word for pair in pairs for word in pair))}
    lengths = np.linalg.norm(english.matrix.astype(np.float64), axis=1)[:, None]
    unit = english.matrix.astype(np.float64) / lengths
    neutral = np.array([word.casefold() not in gendered for word in english.words])
    unit[neutral] -= np.outer(unit[neutral] @ d, d)
    unit[neutral] /= np.linalg.norm(unit[neutral], axis=1, keepdims=True)
    for f, m in filter(None, (english.pair(*pair) for pair in pairs)):
        middle = (unit[f] + unit[m]) / 2
        middle -= (middle @ d) * d
        part = np.sqrt(max(0.0, 1.0 - middle @ middle)) * (1.0 if (unit[m] - unit[f]) @ d >= 0 else -1.0)
        unit[m], unit[f] = middle + part * d, middle - part * d
    return english.with_matrix((unit * lengths).astype(np.float32))


def shift(
    vectors: Vectors, d: Array, pairs: Iterable[TwoForms], inanimate: Iterable[str], anchors: Vectors | None = None
) -> tuple[Matrix32, Moved]:
    """The shifted matrix (a copy) and what was moved: both forms by -1/2 (<m, d> + <f, d> - 2 <a, d>) along d / (d.d).
    A word belongs to its first pair; pairs without both vectors and their anchor are skipped."""
    matrix = np.array(vectors.matrix, dtype=np.float32)
    step, worst = d / (d @ d), 0.0
    taken, moved, skipped = set[int](), list[TwoForms](), list[str]()
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
    rows = sorted(set(freed.values()))
    values = matrix[rows].astype(np.float64)
    matrix[rows] = (values - np.outer(values @ d, step)).astype(np.float32)
    return matrix, Moved(tuple(moved), tuple(freed), tuple(skipped), worst)


def asymmetry(masculine: Matrix32, feminine: Matrix32, d: Array, anchor: float = 0.0) -> float:
    """||<m, d> - <a, d>| - |<f, d> - <a, d>||, the paper's equation 3. 0: equal distance from the anchor."""
    m, f = float(masculine.astype(np.float64) @ d), float(feminine.astype(np.float64) @ d)
    return abs(abs(m - anchor) - abs(f - anchor))
