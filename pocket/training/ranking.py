"""How well each translation of an English word is supported: votes of independent dictionaries, bridges, and the text.

The votes do not look at gender, part of speech or meaning. A masculine and a feminine form are two translations, each
with the support it has.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable

Pair = tuple[str, str]
Votes = dict[str, dict[str, float]]


def ordered(pairs: Iterable[Pair], first: float, others: float) -> dict[Pair, float]:
    """One dictionary's votes: its first translation of a headword counts more."""
    votes: dict[Pair, float] = {}
    seen: set[str] = set()
    for pair in pairs:
        votes.setdefault(pair, others if pair[0] in seen else first)
        seen.add(pair[0])
    return votes


def bridge(english: Iterable[Pair], onward: Iterable[Pair]) -> dict[Pair, float]:
    """Votes (0 to 1) by way of one language: the chance of a random walk through it, there and back."""
    middles: dict[str, set[str]] = defaultdict(set)
    sources: dict[str, set[str]] = defaultdict(set)
    for word, middle in english:
        middles[word].add(middle)
        sources[middle].add(word)
    targets: dict[str, set[str]] = defaultdict(set)
    back: dict[str, set[str]] = defaultdict(set)
    for middle, target in onward:
        targets[middle].add(target)
        back[target].add(middle)
    forward: dict[Pair, float] = defaultdict(float)
    backward: dict[Pair, float] = defaultdict(float)
    for word, through in middles.items():
        usable = [m for m in through if m in targets]
        for middle in usable:
            for target in targets[middle]:
                forward[word, target] += 1 / len(usable) / len(targets[middle])
                backward[word, target] += 1 / len(back[target]) / len(sources[middle])
    return {pair: min(1.0, 2 * math.sqrt(chance * backward[pair])) for pair, chance in forward.items()}


def together(corpora: Iterable[Pair], wanted: Votes) -> dict[Pair, float]:
    """Dice coefficient (0 to 1) of single words in the sentence pairs, for the wanted pairs; rare words give none."""
    single = {w: {t.lower(): t for t in ts if " " not in t} for w, ts in wanted.items() if " " not in w}
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    both: Counter[Pair] = Counter()
    for english, other in corpora:
        left, right = (set(re.findall(r"[^\W\d_]+", text.lower())) for text in (english, other))
        ours.update(left)
        theirs.update(right)
        for word in left & single.keys():
            both.update((word, single[word][t]) for t in right & single[word].keys())
    return {(w, t): 2 * n / (ours[w] + theirs[t.lower()]) for (w, t), n in both.items() if n >= 2}


def add(votes: Votes, more: dict[Pair, float], weight: float = 1.0) -> None:
    for (word, target), value in more.items():
        mine = votes.setdefault(word, {})
        mine[target] = mine.get(target, 0.0) + weight * value


def best(votes: Votes, least: float, share: float, keep: int) -> dict[str, list[tuple[str, float]]]:
    """The translations with at least `least` votes and at least `share` of the best one's, best first."""
    result = {}
    for word, targets in votes.items():
        ranked = sorted(targets.items(), key=lambda item: (-item[1], item[0]))[:keep]
        good = [(t, v) for t, v in ranked if v >= least and v >= share * ranked[0][1]]
        if good:
            result[word] = good
    return result
