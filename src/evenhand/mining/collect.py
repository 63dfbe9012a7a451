"""From finished shards to the result: funnel, chosen pairs, word counts, pairs shared between languages.

Shards are read one at a time. What stays in memory are the pairs at risk, as many drawn ones that are not, and counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from evenhand.mining.risk import Risk, lot, pairs_of, words_of
from evenhand.mining.shards import Intake, ShardManifest, summed


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
        texts = (pl.col(f"source_{half}").first().alias(half) for half in ("original", "substitute"))
        codes = (pl.len().cast(pl.Int64).alias("languages"), pl.col("target_lang").str.join(",").alias("at_risk_in"))
        every = pl.concat([mined.at_risk for mined in self.languages.values()])
        grouped = every.group_by("pair", maintain_order=True).agg(*codes, *texts)
        return grouped.filter(pl.col("languages") > 1).sort("languages", "pair", descending=[True, False])


@dataclass
class _Gather:
    """One language's growing result."""

    counts: Counter[str] = field(default_factory=Counter)
    at_risk: list[pl.DataFrame] = field(default_factory=list)
    words: dict[Risk, Counter[tuple[str, str]]] = field(
        default_factory=lambda: {Risk.AT_RISK: Counter(), Risk.SAME: Counter()}
    )

    def count(self, pairs: pl.DataFrame) -> None:
        self.counts.update(pairs["risk"].to_list())
        for risk, counter in self.words.items():
            counter.update(words_of(pairs.filter(pl.col("risk") == risk.value)))
        self.at_risk.append(pairs.filter(pl.col("risk") == Risk.AT_RISK.value))


def collect(
    shards: Sequence[Path], manifests: Sequence[ShardManifest], intake: Intake, *, targets: Sequence[str], seed: int
) -> Collected:
    """Read the shards (at least one): first to count, then to draw as many pairs not at risk as there are at risk."""
    counts, seconds = summed(manifests)
    collected = Collected(intake, counts, seconds, max((m.peak_mb for m in manifests), default=0.0))
    gathered = {code: _Gather() for code in targets}
    for path in shards:
        pairs = pairs_of(pl.read_parquet(path))
        for code, gather in gathered.items():
            gather.count(pairs.filter(pl.col("target_lang") == code))
    drawn = {code: pairs_of(pl.read_parquet(shards[0])).clear() for code in targets}
    for path in shards:
        pairs = pairs_of(pl.read_parquet(path)).filter(pl.col("risk") == Risk.SAME.value)
        for code, gather in gathered.items():
            more = pairs.filter(pl.col("target_lang") == code)
            drawn[code] = _lowest(pl.concat([drawn[code], more]), gather.counts[Risk.AT_RISK.value], code, seed)
    for code, gather in gathered.items():
        table = pl.concat([*gather.at_risk, drawn[code]]).sort("risk", "pair")
        collected.languages[code] = MinedLanguage(code, gather.counts, table, gather.words)
    return collected


def _lowest(pairs: pl.DataFrame, count: int, code: str, seed: int) -> pl.DataFrame:
    """The `count` pairs with the lowest lots; those of the shards before are among them."""
    lots = pl.Series([lot(pair, code, seed) for pair in pairs["pair"]], dtype=pl.String)
    return pairs[lots.arg_sort()[:count]] if pairs.height > count else pairs
