"""Weights for lines, so that a text meets the shares of women somebody wants for its words.

A line's weight is the product of one factor for every person in it whose gender the source leaves open and the target
gives, by word and gender; of the two factors of a word the larger is 1. The factors are found by raking (Deming &
Stephan 1940): word after word is set to its share until none moves. Weights lie in (0, 1], so that a weight is also the
chance to keep a line. Lines with the same persons have the same weight, so that memory holds the kinds of lines there
are (a nurse who is a woman; two men who are doctors) with their number, and not the lines.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.pipeline.shards import hashes
from evenhand.statistics.measure import Floats

ROUNDS, CLOSE = 200, 1e-4
PAIR = ("female", "male")
_PERSON, _PERSONS = "\t", "\n"  # between a word and its gender, and between persons: no word has them

Places = npt.NDArray[np.int64]


class Balance:
    """Weights of the lines of `parts` (file, line, concept, gender: open in the source, female or male) for `wanted`,
    one share or one per word. A word of which only one gender occurs stays as it is, noted in its row of `words`."""

    def __init__(self, parts: Iterable[pl.DataFrame], wanted: Mapping[str, float] | float, *, seed: int) -> None:
        often: Counter[str] = Counter()
        for part in parts:
            often.update(dict(_lines(part).group_by("kind", maintain_order=True).len().iter_rows()))
        self._kinds = {kind: place for place, kind in enumerate(often)}
        self._times: Floats = np.array(list(often.values()), dtype=np.float64)
        self._kept: Floats = np.zeros(len(often))
        self._seen: Places = np.zeros(len(often), dtype=np.int64)
        self._starts: Floats = hashes(f"{seed}:{kind}" for kind in often).astype(np.float64) / 2.0**64  # in [0, 1)
        place, female = list[int](), list[bool]()
        words: dict[str, list[int]] = {}
        for kind, number in self._kinds.items():
            for person in kind.split(_PERSONS):
                word, gender = person.split(_PERSON)
                words.setdefault(word, []).append(len(place))
                place.append(number)
                female.append(gender == PAIR[0])
        self._place: Places = np.array(place, dtype=np.int64)
        self._female = np.array(female, dtype=np.bool_)
        self._words: dict[str, Places] = {word: np.array(rows, dtype=np.int64) for word, rows in words.items()}
        self.wanted = dict(wanted) if isinstance(wanted, Mapping) else dict.fromkeys(self._words, wanted)
        self._possible = {
            w: r for w, r in self._words.items() if w in self.wanted and 0 < self._female[r].sum() < len(r)
        }
        self._weights = self._raked()

    @property
    def known(self) -> list[str]:
        """The words that have a wanted share and occur."""
        return [word for word in self.wanted if word in self._words]

    @property
    def balanced(self) -> list[str]:
        """The words whose share the weights change."""
        return list(self._possible)

    def lines(self, part: pl.DataFrame) -> pl.DataFrame:
        """file, line, weight (below 1) and keep of one part, in its order. `keep` (1 or 0) is drawn systematically
        (Madow & Madow 1944) within each kind of lines, so that shares come nearer than by a lot for each line."""
        lines = _lines(part)
        place = np.array([self._kinds[kind] for kind in lines["kind"]], dtype=np.int64)
        weights = self._weights[place]
        before = self._seen[place] + lines.select(place=pl.int_range(pl.len()).over("kind"))["place"].to_numpy()
        reached = self._starts[place] + before * weights
        keep = (weights >= 1) | (np.floor(reached + weights) > np.floor(reached))
        self._seen += np.bincount(place, minlength=len(self._seen))
        self._kept += np.bincount(place, weights=keep, minlength=len(self._kept))
        weighted = lines.select("file", "line").with_columns(
            weight=pl.Series(weights), keep=pl.Series(keep).cast(pl.Int8)
        )
        return weighted.filter(pl.col("weight") < 1)

    def words(self) -> pl.DataFrame:
        """Each word's persons, its share, what is wanted, what weights make of it and what the draw (of all parts)."""
        listed = []
        for word in sorted(self._words):
            rows = self._words[word]
            was, now, kept = (self._share(w, rows) for w in (self._times, self._times * self._weights, self._kept))
            one_sided = "" if word in self._possible or word not in self.wanted else "only one gender occurs"
            persons = int(self._times[self._place[rows]].sum())
            listed.append((word, persons, was, self.wanted.get(word), now, kept, one_sided))
        names = ("concept", "persons", "share", "wanted", "weighted", "kept", "note")
        types = (pl.String, pl.Int64, pl.Float64, pl.Float64, pl.Float64, pl.Float64, pl.String)
        return pl.DataFrame(listed, schema=dict(zip(names, types, strict=True)), orient="row")

    def _share(self, weights: Floats, rows: Places) -> float:
        """Of women among the persons of these rows, each with the weight of its kind of line; NaN without weight."""
        each = weights[self._place[rows]]
        total = float(each.sum())
        return float(each[self._female[rows]].sum()) / total if total else float("nan")

    def _raked(self) -> Floats:
        """The weight of each kind of line."""
        factors = {word: np.zeros(2) for word in self._possible}  # logarithms, of women and of men
        logs = np.zeros(len(self._times))
        for _ in range(ROUNDS):
            moved = 0.0
            for word, rows in self._possible.items():
                places, women, wanted = self._place[rows], self._female[rows], self.wanted[word]
                each = self._times[places] * np.exp(logs[places])
                share = float(each[women].sum() / each.sum())
                moved = max(moved, abs(share - wanted))
                odds = np.log(wanted / (1 - wanted)) - np.log(share / (1 - share))
                fresh = factors[word] + np.array([odds, 0.0])
                fresh -= fresh.max()
                np.add.at(logs, places, np.where(women, *(fresh - factors[word])))
                factors[word] = fresh
            if moved < CLOSE:
                break
        weights: Floats = np.exp(np.minimum(logs, 0.0))
        return weights


def _lines(persons: pl.DataFrame) -> pl.DataFrame:
    """One row per line: file, line, and its kind, the persons it holds in a fixed order."""
    person = pl.concat_str("concept", "gender", separator=_PERSON)
    return persons.group_by("file", "line", maintain_order=True).agg(kind=person.sort().str.join(_PERSONS))
