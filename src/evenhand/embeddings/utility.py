"""Utility of the vectors: word similarity, word translation, word-pair translation by analogy."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from evenhand.embeddings.alignment import Dictionary, crowding, gold_ranks
from evenhand.embeddings.fields import number_in, read_fields, score_column
from evenhand.embeddings.vectors import RowNumbers, Vectors, unit_rows
from evenhand.embeddings.wordlists import TwoForms
from evenhand.errors import BadInput
from evenhand.level import LEVEL
from evenhand.statistics.intervals import Array, Interval, bootstrap, correlation_interval, mean_interval, wilson

Retrieval = Literal["csls", "nn"]
SimilarityPairs = tuple[tuple[str, str, float], ...]


class Similarity(NamedTuple):
    """Correlation of cosines with people's scores over the covered pairs. `pairs` (places in the list), `scores` and
    `gold` are kept for paired comparisons."""

    pearson: Interval
    spearman: Interval
    covered: int
    asked: int
    pairs: tuple[int, ...]
    scores: Array
    gold: Array


class Translation(NamedTuple):
    """Precision at k: share of source words with a right translation among the first k, `ranks` in the order of
    `words`. Words not covered are counted, not scored."""

    precision: dict[int, Interval]
    covered: int
    asked: int
    candidates: int
    words: tuple[str, ...]
    ranks: RowNumbers
    retrieval: Retrieval


class PairTranslation(NamedTuple):
    """Mean reciprocal rank of the form that agrees with the adjective, by its gender, and masculine minus feminine."""

    feminine: Interval
    masculine: Interval
    gap: Interval
    questions: int
    occupations: int
    adjectives: int


def read_similarity(path: Path) -> SimilarityPairs:
    """Word pairs with scores of any range. Tabs, semicolons, commas or spaces between the fields, a header or none, the
    score in any column, further columns (part of speech, single ratings) ignored."""
    lines = read_fields(path, 3).lines
    if not lines:
        raise BadInput(f"{path}: no word pair in the file")
    column, headed = score_column(lines, path)
    words = [i for i in range(len(lines[0].cells)) if i != column]
    body = lines[headed:]
    if len(words) > 2:
        words = [i for i in words if any(number_in(line.cells[i]) is None for line in body)]
    if len(words) < 2 or not body:
        raise BadInput(f"{path}: no word pair in the file")
    pairs: list[tuple[str, str, float]] = []
    for line in body:
        a, b, score = line.cells[words[0]], line.cells[words[1]], number_in(line.cells[column])
        if not a or not b or score is None:
            raise BadInput.at(path, line.number, "expected two words and a score, one of them is empty")
        pairs.append((a, b, score))
    return tuple(pairs)


def similarity(vectors: Vectors, pairs: SimilarityPairs, *, level: float = LEVEL) -> Similarity:
    """Pearson and Spearman over the pairs with both words in the vocabulary; expressions of several words are looked up
    as written and joined by _ or -. Fewer than three covered pairs is an error."""
    rows = [(_expression(vectors, a), _expression(vectors, b)) for a, b, _ in pairs]
    places = tuple(place for place, both in enumerate(rows) if None not in both)
    if len(places) < 3:
        counts = f"{len(places)} of {len(pairs)} similarity pairs have vectors"
        raise BadInput(f"{vectors.name}: {counts}; the same language?")
    left, right = np.array([rows[place] for place in places], dtype=np.intp).T
    scores = np.einsum("ij,ij->i", vectors.unit[left].astype(np.float64), vectors.unit[right].astype(np.float64))
    gold = np.array([pairs[place][2] for place in places])
    if np.ptp(gold) == 0:
        raise BadInput(f"all {len(places)} similarity pairs with vectors have the same score: nothing to correlate")
    pearson, spearman = (correlation_interval(scores, gold, spearman=by, level=level)[0] for by in (False, True))
    return Similarity(pearson, spearman, len(places), len(pairs), places, scores, gold)


def similarity_change(before: Similarity, after: Similarity, *, seed: int = 0, level: float = LEVEL) -> Interval:
    """Change of Pearson's r, paired over the word pairs (both must cover the same ones)."""
    if before.pairs != after.pairs:
        raise BadInput("the two similarity results do not cover the same pairs: no paired change")

    def change(weights: Array) -> Array:
        return _weighted_r(weights, after.scores, after.gold) - _weighted_r(weights, before.scores, before.gold)

    gap = after.pearson.value - before.pearson.value
    return bootstrap(change, len(before.gold), gap, seed=seed, level=level)


def translation(
    source: Vectors,
    target: Vectors,
    dictionary: Dictionary,
    *,
    retrieval: Retrieval = "csls",
    at: Iterable[int] = (1, 5, 10),
    penalty: npt.NDArray[np.float32] | None = None,
    level: float = LEVEL,
) -> Translation:
    """Word translation P@k over a (source word, target word) dictionary, among the target's whole vocabulary,
    expressions as in `similarity`; `penalty` saves computing the crowding again."""
    gold: dict[int, list[int]] = {}
    for a, b in dictionary:
        s, t = _expression(source, a), _expression(target, b)
        if s is not None and t is not None:
            gold.setdefault(s, []).append(t)
    listed = len({source.match.fold(a) for a, _ in dictionary})
    if not gold:
        raise BadInput(f"no word of the dictionary is in {source.name} and {target.name}; column order, languages?")
    if retrieval == "csls" and penalty is None:
        penalty = crowding(target.unit, source.unit)
    queries = source.unit[np.fromiter(gold, dtype=np.intp, count=len(gold))]
    ranks = gold_ranks(queries, target.unit, list(gold.values()), penalty=penalty if retrieval == "csls" else None)
    precision = {k: wilson(int(np.sum(ranks <= k)), len(ranks), level) for k in at}
    words = tuple(source.words[row] for row in gold)
    return Translation(precision, len(gold), listed, len(target), words, ranks, retrieval)


def precision_change(before: Translation, after: Translation, *, level: float = LEVEL) -> Interval:
    """Change of P@1, paired over the source words."""
    if before.words != after.words:
        raise BadInput("the two translation results do not cover the same words: no paired change")
    return mean_interval((after.ranks == 1).astype(np.float64) - (before.ranks == 1), level=level, bounds=(-1.0, 1.0))


def _rows(pairs: Iterable[TwoForms], gendered: Vectors, english: Vectors) -> list[tuple[int, int, int]]:
    rows = [(english.row(pair.english), gendered.pair(pair.masculine, pair.feminine)) for pair in pairs]
    return [(row, *forms) for row, forms in rows if row is not None and forms is not None]


def pair_translation(
    gendered: Vectors,
    english: Vectors,
    occupations: Iterable[TwoForms],
    adjectives: Iterable[TwoForms],
    *,
    level: float = LEVEL,
) -> PairTranslation:
    """good : doctor = buena : ?, for both forms of every adjective (Zhou et al. 2019, section 4.3), by cos(S_o, E_o -
    E_i + S_i) without S_i itself; adjectives with one form ask nothing. Intervals resample occupations."""
    jobs, words = (_rows(pairs, gendered, english) for pairs in (occupations, adjectives))
    if not jobs or not words:
        known = f"{len(jobs)} occupations and {len(words)} adjectives"
        raise BadInput(f"{known} have two forms with vectors in both languages: too few for word-pair translation")
    base = english.unit[[job[0] for job in jobs]].astype(np.float64)
    reciprocal = []
    for side in (1, 2):  # masculine, feminine
        offset = gendered.unit[[w[side] for w in words]].astype(np.float64) - english.unit[[w[0] for w in words]]
        questions = unit_rows((base[:, None, :] + offset[None, :, :]).reshape(-1, gendered.dim))
        gold, given = [[job[side]] for job in jobs for _ in words], [w[side] for _ in jobs for w in words]
        ranks = gold_ranks(questions, gendered.unit, gold, exclude=given)
        reciprocal.append((1.0 / ranks).reshape(len(jobs), len(words)).mean(axis=1))
    masculine, feminine = (mean_interval(ranks, level=level, bounds=(0.0, 1.0)) for ranks in reciprocal)
    gap = mean_interval(reciprocal[0] - reciprocal[1], level=level, bounds=(-1.0, 1.0))
    return PairTranslation(feminine, masculine, gap, 2 * len(jobs) * len(words), len(jobs), len(words))


def _weighted_r(weights: Array, x: Array, y: Array) -> Array:
    total = weights.sum(axis=1)
    mean_x, mean_y = weights @ x / total, weights @ y / total
    covariance = weights @ (x * y) / total - mean_x * mean_y
    spread = (weights @ x**2 / total - mean_x**2) * (weights @ y**2 / total - mean_y**2)
    return np.asarray(covariance / np.sqrt(spread))


def _expression(vectors: Vectors, words: str) -> int | None:
    forms = (words, words.replace(" ", "_"), words.replace(" ", "-"))
    return next((row for form in forms if (row := vectors.row(form)) is not None), None)
