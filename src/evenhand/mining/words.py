"""Words with their masculine : feminine ratio (Gonen & Webster 2020, Table 3), with intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scipy.special import ndtri

from evenhand.gender import Gender
from evenhand.level import LEVEL, tails
from evenhand.statistics.boundary import wilson


@dataclass(frozen=True)
class WordRatio:
    """How often a word was rendered masculine and feminine.

    `log_ratio` = ln((masculine + 0.5) / (feminine + 0.5)), so that no zero count divides: 0 is balance, positive means
    more masculine. Its interval is Wald's on the same smoothed counts (Haldane 1956, Anscombe 1956). `share_masculine`
    is masculine / (masculine + feminine), with Wilson's interval; NaN where neither occurred. Sentences are taken as
    independent, so the intervals are too narrow where many come from one text.
    """

    word: str
    masculine: int
    feminine: int
    log_ratio: float
    low: float
    high: float
    share_masculine: float
    share_low: float
    share_high: float


def word_ratio(word: str, masculine: int, feminine: int, *, level: float = LEVEL) -> WordRatio:
    """The ratio of one word from its counts."""
    above, below = masculine + 0.5, feminine + 0.5
    value = math.log(above / below)
    half = float(ndtri(tails(level)[1])) * math.sqrt(1 / above + 1 / below)
    n = masculine + feminine
    low, high = wilson(masculine, n, level=level)
    share = masculine / n if n else math.nan
    return WordRatio(word, masculine, feminine, value, value - half, value + half, share, low, high)


def word_table(seen: Iterable[tuple[str, Gender | str]]) -> list[WordRatio]:
    """Ratios of all words that were rendered masculine or feminine, the most frequent first, then by the alphabet."""
    counts = Counter((word.lower(), str(gender)) for word, gender in seen)
    return word_ratios({key: n for key, n in counts.items() if key[1] in {"male", "female"}})


def word_ratios(counts: dict[tuple[str, str], int]) -> list[WordRatio]:
    """The same from counts by (word, gender)."""
    words = {word for word, gender in counts if gender in {"male", "female"}}
    rows = [word_ratio(word, counts.get((word, "male"), 0), counts.get((word, "female"), 0)) for word in words]
    return sorted(rows, key=lambda row: (-(row.masculine + row.feminine), row.word))
