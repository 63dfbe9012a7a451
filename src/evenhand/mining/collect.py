"""From finished shards to the result: funnel, chosen pairs, word counts, pairs shared between languages.

Shards are read one at a time. What stays in memory are the pairs at risk, as many drawn ones that are not, and counts.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from evenhand.mining.risk import Risk, halves, lot, pairs_of
from evenhand.mining.shards import Intake, ShardManifest


@dataclass
class MinedLanguage:
    """What one target language gave. `pairs` holds those at risk and as many drawn that are not."""

    code: str
    counts: Counter[str]
    pairs: pl.DataFrame
    words: dict[Risk, Counter[tuple[str, str]]]
    """How often each (word, gender) was seen in pairs at risk and in all that are not; a sentence counts once."""

    @property
    def at_risk(self) -> pl.DataFrame:
        return self.pairs.filter(pl.col("risk") == Risk.AT_RISK.value)


@dataclass
class Collected:
    """What all shards together say, before it is written."""

    intake: Intake
    counts: Counter[str]
    seconds: dict[str, float]
    peak_mb: float
    languages: dict[str, MinedLanguage] = field(default_factory=dict)

    def funnel(self) -> pl.DataFrame:
        """Step, what, how many (`count`), in the order of the study; languages apart from the translation on."""
        first = self.intake
        rows = [
            ("text", "pieces of text read", first.lines),
            ("text", "sentences", first.sentences),
            ("text", "neither too short nor too long", first.usable),
            ("text", "distinct sentences", first.distinct),
        ]
        known = ["kept", *sorted({k.partition("/")[2] for k in self.counts if k.startswith("person/")} - {"kept"})]
        rows += [("person", what, self.counts[f"person/{what}"]) for what in known]
        rows += [
            ("perturb", k.partition("/")[2], self.counts[k]) for k in sorted(self.counts) if k.startswith("perturb/")
        ]
        for code, mined in self.languages.items():
            rows += [(code, risk.value, mined.counts[risk.value]) for risk in reversed(Risk)]
            rows.append((code, "pairs drawn that are not at risk", mined.pairs.height - mined.at_risk.height))
        return pl.DataFrame(rows, schema={"step": pl.String, "what": pl.String, "count": pl.Int64}, orient="row")

    def shared(self) -> pl.DataFrame:
        """Pairs at risk in two languages or more: pair, both sentences, the languages, how many."""
        seen: dict[str, list[str]] = defaultdict(list)
        texts: dict[str, tuple[str, str]] = {}
        for code, mined in self.languages.items():
            chosen = mined.at_risk
            for pair, original, substitute in zip(
                chosen["pair"], chosen["source_original"], chosen["source_substitute"], strict=True
            ):
                seen[pair].append(code)
                texts[pair] = (original, substitute)
        rows = [(p, len(codes), ",".join(codes), *texts[p]) for p, codes in seen.items() if len(codes) > 1]
        rows.sort(key=lambda row: (-row[1], row[0]))
        schema = {"pair": pl.String(), "languages": pl.Int64(), "at_risk_in": pl.String()}
        return pl.DataFrame(rows, schema={**schema, "original": pl.String(), "substitute": pl.String()}, orient="row")


class _Gather:
    """One language's growing result."""

    def __init__(self, code: str, seed: int) -> None:
        self.code, self.seed = code, seed
        self.counts: Counter[str] = Counter()
        self.at_risk: list[pl.DataFrame] = []
        self.words: dict[Risk, Counter[tuple[str, str]]] = {Risk.AT_RISK: Counter(), Risk.SAME: Counter()}

    def count(self, pairs: pl.DataFrame) -> None:
        self.counts.update(pairs["risk"].to_list())
        for risk, counter in self.words.items():
            chosen = pairs.filter(pl.col("risk") == risk)
            once = {key: (word, gender) for key, word, gender, _ in halves(chosen)}
            counter.update(once.values())
        self.at_risk.append(pairs.filter(pl.col("risk") == Risk.AT_RISK.value))


def collect(
    shards: Sequence[Path], manifests: Sequence[ShardManifest], intake: Intake, *, targets: Sequence[str], seed: int
) -> Collected:
    """Read the shards (at least one): first to count, then to draw as many pairs not at risk as there are at risk."""
    counts: Counter[str] = Counter()
    seconds: dict[str, float] = {}
    for manifest in manifests:
        counts.update(manifest.counts)
        for step, spent in manifest.seconds.items():
            seconds[step] = seconds.get(step, 0.0) + spent
    collected = Collected(intake, counts, seconds, max((m.peak_mb for m in manifests), default=0.0))
    gathered = {code: _Gather(code, seed) for code in targets}
    for path in shards:
        pairs = pairs_of(pl.read_parquet(path))
        for code, gather in gathered.items():
            gather.count(pairs.filter(pl.col("target_lang") == code))
    drawn = _draw(shards, gathered, seed)
    for code, gather in gathered.items():
        chosen = [p for p in (*gather.at_risk, *drawn[code]) if p.height]
        table = pl.concat(chosen) if chosen else pairs_of(pl.read_parquet(shards[0])).clear()
        collected.languages[code] = MinedLanguage(code, gather.counts, table.sort("risk", "pair"), gather.words)
    return collected


def _draw(shards: Sequence[Path], gathered: dict[str, _Gather], seed: int) -> dict[str, list[pl.DataFrame]]:
    """For each language the pairs not at risk with the lowest lots, as many as there are at risk."""
    wanted = {code: g.counts[Risk.AT_RISK.value] for code, g in gathered.items()}
    limits = {code: _limit(shards, code, count, seed) for code, count in wanted.items() if count}
    drawn: dict[str, list[pl.DataFrame]] = {code: [] for code in gathered}
    if limits:
        for path in shards:
            pairs = pairs_of(pl.read_parquet(path)).filter(pl.col("risk") == Risk.SAME.value)
            for code, chosen in limits.items():
                mine = pairs.filter((pl.col("target_lang") == code) & pl.col("pair").is_in(list(chosen)))
                drawn[code].append(mine)
    return drawn


def _limit(shards: Sequence[Path], code: str, count: int, seed: int) -> frozenset[str]:
    """Names of the `count` pairs with the lowest lots; a heap of that size is all it keeps."""
    heap: list[tuple[int, str]] = []
    for path in shards:
        pairs = pairs_of(pl.read_parquet(path).filter(pl.col("target_lang") == code))
        for pair in pairs.filter(pl.col("risk") == Risk.SAME.value)["pair"]:
            item = (-int(lot(pair, code, seed), 16), pair)
            if len(heap) < count:
                heapq.heappush(heap, item)
            elif item > heap[0]:
                heapq.heapreplace(heap, item)
    return frozenset(pair for _, pair in heap)
