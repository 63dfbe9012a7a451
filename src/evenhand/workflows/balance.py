"""A list of lines with weights that meets the shares of women a user wants for the words of a text that was audited.

A line's weight is the product of one factor for every person in it whose gender the source leaves open and the target
gives, by word and gender; of the two factors of a word the larger is 1. The factors are found by raking (Deming &
Stephan 1940): word after word is set to its share until none moves. Weights lie in (0, 1], so that a weight is also the
chance to keep a line. Lines with the same persons have the same weight, so that memory holds the kinds of lines there
are (a nurse who is a woman; two men who are doctors) with their number, and not the lines.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from evenhand.corpus.reading import pair_keys
from evenhand.corpus.steps import OPEN
from evenhand.errors import BadInput
from evenhand.pipeline.shards import Keys, hashes
from evenhand.readers.layout import LINE, Column, Layout
from evenhand.readers.registry import read
from evenhand.statistics.measure import Floats
from evenhand.storage.atomic import replacing_bytes
from evenhand.storage.tables import schema
from evenhand.workflows.corpus import files_of, repeats_of, shards_of

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
        # the words that have a wanted share and occur; those whose share the weights change
        self.known = [word for word in self.wanted if word in self._words]
        women = {word: int(self._female[rows].sum()) for word, rows in self._words.items()}
        self.balanced = [w for w, rows in self._words.items() if w in self.wanted and 0 < women[w] < len(rows)]
        self._weights = self._raked()

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
        drawn = pl.Series(keep).cast(pl.Int8)
        return lines.select("file", "line", weight=pl.Series(weights), keep=drawn).filter(pl.col("weight") < 1)

    def words(self) -> pl.DataFrame:
        """Each word's persons, its share, what is wanted, what weights make of it and what the draw (of all parts)."""
        listed = []
        for word in sorted(self._words):
            rows = self._words[word]
            was, now, kept = (self._share(w, rows) for w in (self._times, self._times * self._weights, self._kept))
            one_sided = "" if word in self.balanced or word not in self.wanted else "only one gender occurs"
            persons = int(self._times[self._place[rows]].sum())
            listed.append((word, persons, was, self.wanted.get(word), now, kept, one_sided))
        shares = schema(pl.Float64, "share", "wanted", "weighted", "kept")
        types = {"concept": pl.String(), "persons": pl.Int64(), **shares, "note": pl.String()}
        return pl.DataFrame(listed, schema=types, orient="row")

    def _share(self, weights: Floats, rows: Places) -> float:
        """Of women among the persons of these rows, each with the weight of its kind of line; NaN without weight."""
        each = weights[self._place[rows]]
        total = float(each.sum())
        return float(each[self._female[rows]].sum()) / total if total else float("nan")

    def _raked(self) -> Floats:
        """The weight of each kind of line."""
        factors = {word: np.zeros(2) for word in self.balanced}  # logarithms, of women and of men
        logs = np.zeros(len(self._times))
        for _ in range(ROUNDS):
            moved = 0.0
            for word, rows in ((word, self._words[word]) for word in self.balanced):
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


SHARE = Column("share", type=pl.Float64(), required=True, given=True, within=(0.0, 1.0), means="between 0 and 1")
COLUMNS = (Column("concept", required=True, filled=True), SHARE)
LAYOUT = Layout("word", COLUMNS, unique=("concept",), notes="anywhere")


@dataclass(frozen=True)
class Evened:
    """How many lines got a weight below 1, how many of them a draw keeps, how many only repeat another line and weigh
    nothing, and each word before and after."""

    lines: int
    kept: int
    repeats: int
    words: pl.DataFrame

    @property
    def met(self) -> int:
        """Words whose weighted share is the wanted one, to a thousandth."""
        return self.words.filter((pl.col("weighted") - pl.col("wanted")).abs() < 0.001).height

    @property
    def one_sided(self) -> int:
        return self.words.filter(pl.col("note") != "").height


def wanted_shares(given: str) -> dict[str, float] | float:
    """A number for every word, or a TSV with concept and share; 0 and 1 would throw a gender away and are refused."""
    outside = "a wanted share must be above 0 and below 1"
    try:
        share = float(given)
    except ValueError:
        table = read(Path(given), LAYOUT)
        edge = table.filter((pl.col("share") <= 0) | (pl.col("share") >= 1))
        if edge.height:
            raise BadInput.at(given, edge[LINE][0], outside) from None
        return dict(table.select("concept", "share").iter_rows())
    if not 0 < share < 1:
        raise BadInput(f"--want {given}: {outside}")
    return share


def balance(folder: Path | str, wanted: dict[str, float] | float, output: Path | str, *, seed: int = 0) -> Evened:
    """Write file, line, weight, keep for every line of an audited text whose weight is below 1 (all others weigh 1). A
    pair is counted once, so that further copies of one with a word that is balanced weigh 0: they would undo it."""
    shards = shards_of(folder)
    evened = Balance(map(_gendered, shards), wanted, seed=seed)
    if isinstance(wanted, dict) and not evened.known:
        raise BadInput(f"none of the {len(wanted):,} words with a wanted share is a gendered person in this text")
    names = dict(enumerate(files_of(folder)))
    lines = kept = repeats = 0
    keys = list[Keys]()
    with replacing_bytes(Path(output)) as stream:
        stream.write("\t".join(("file", "line", "weight", "keep")).encode() + b"\n")
        for path in shards:
            some = evened.lines(_gendered(path))
            lines, kept = lines + some.height, kept + int(some["keep"].sum())
            stream.write(_written(some, names))
            balanced = _gendered(path, "source", "rendering").filter(pl.col("concept").is_in(evened.balanced))
            keys.append(pair_keys(balanced.unique(["file", "line"])))
        weighed = np.unique(np.concatenate(keys))
        for path in repeats_of(folder):
            again = pl.read_parquet(path)
            again = again.filter(pl.Series(np.isin(again["key"].to_numpy(), weighed)))
            repeats += again.height
            stream.write(_written(again.select("file", "line", weight=pl.lit(0.0), keep=pl.lit(0, pl.Int8)), names))
    return Evened(lines, kept, repeats, evened.words())


def _written(lines: pl.DataFrame, names: dict[int, str]) -> bytes:
    shown = lines.with_columns(pl.col("file").replace_strict(names, return_dtype=pl.String), pl.col("weight").round(6))
    return shown.write_csv(include_header=False, separator="\t", quote_style="never").encode()


def _gendered(shard: Path, *further: str) -> pl.DataFrame:
    """The persons of a shard whom the source leaves open and the target gives a gender."""
    persons = pl.read_parquet(shard, columns=["file", "line", "concept", "says", "gender", *further])
    persons = persons.with_columns(pl.col("gender").cast(pl.String))
    return persons.filter((pl.col("says") == OPEN) & pl.col("gender").is_in(list(PAIR))).drop("says")
