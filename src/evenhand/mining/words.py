"""Words with their masculine : feminine ratio (Gonen & Webster 2020, Table 3), with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from evenhand.gender import Gender
from evenhand.level import LEVEL
from evenhand.statistics.intervals import Interval, log_ratio, wilson

MEASURES = ("share_masculine", "log_ratio")


@dataclass(frozen=True)
class WordRatio:
    """How often a word was rendered masculine and feminine.

    `share_masculine` is masculine / (masculine + feminine), `log_ratio` the logarithm of masculine : feminine with 0.5
    added to both (0 is balance, positive means more masculine). Sentences are taken as independent, so the intervals
    are too narrow where many come from one text.
    """

    word: str
    masculine: int
    feminine: int
    share_masculine: Interval
    log_ratio: Interval

    @classmethod
    def of(cls, word: str, masculine: int, feminine: int, *, level: float = LEVEL) -> WordRatio:
        share = wilson(masculine, masculine + feminine, level)
        return cls(word, masculine, feminine, share, log_ratio(masculine, feminine, level))

    def estimates(self, group: str) -> Iterator[dict[str, object]]:
        """Both measures as rows of the ESTIMATES table; the word is their level."""
        for measure in MEASURES:
            interval: Interval = getattr(self, measure)
            yield {
                "measure": measure,
                "group": group,
                "level": self.word,
                "variant": "raw",
                "value": interval.value,
                "low": interval.low,
                "high": interval.high,
                "interval": interval.method,
                "n": interval.n,
                "n_decided": interval.n,
            }


def word_table(seen: Iterable[tuple[str, Gender | str]]) -> list[WordRatio]:
    """Ratios of all words that were rendered masculine or feminine, the most frequent first, then by the alphabet."""
    return word_ratios(Counter((word.lower(), str(gender)) for word, gender in seen))


def word_ratios(counts: Mapping[tuple[str, str], int], *, level: float = LEVEL) -> list[WordRatio]:
    """The same from counts by (word, gender)."""
    words = {word for word, gender in counts if gender in {"male", "female"}}
    ratios = [
        WordRatio.of(word, counts.get((word, "male"), 0), counts.get((word, "female"), 0), level=level)
        for word in words
    ]
    return sorted(ratios, key=lambda ratio: (-(ratio.masculine + ratio.feminine), ratio.word))
