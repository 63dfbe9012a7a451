"""Pairs of an original and a substitute: which are at risk, collected shard by shard, and as the tables of a run. In
memory are the pairs at risk, as many drawn ones that are not, and counts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import polars as pl

from evenhand.mining.steps import SOURCE
from evenhand.pipeline.intake import Taken
from evenhand.pipeline.shards import Draw, Summary, lots
from evenhand.storage.atomic import write_text
from evenhand.storage.tables import RENDERINGS, VERDICTS, conform
from evenhand.suites.suite import Suite, designed

ROLES = ("original", "substitute")
HALF = (
    "source", "focus", "focus_start", "focus_end", "word", "rendering", "gender", "evidence", "evidence_start",
    "evidence_end", "how", "confidence", "reason", "adequate", "conflict", "valid", "fixed",
)  # fmt: skip
PROBE = ("id", "source", "source_lang", "focus", "focus_start", "focus_end", "pair", "role", "at_risk", "word", "score",
         "file", "line")  # fmt: skip
SHOWN = ("id", "pair", "target_lang", "source_lang", "role", "source", "focus_start", "focus_end", "rendering",
         "gender", "evidence", "evidence_start", "evidence_end")  # fmt: skip

PIECE, BLOCK = "piece", 200
TEXTS = ("by", "level", "female", "male", "times")
NO_TEXTS = {name: pl.String() if name in TEXTS[:2] else pl.Int64() for name in TEXTS}


class Risk(StrEnum):
    """What a pair is, in the order in which it is decided; every one is a row of the funnel."""

    INVALID = "no rendering at all on either side"
    UNKNOWN = "unknown on either side"
    OTHER = "left in English or rendered as a thing on either side"
    FIXED = "a noun of fixed gender on either side"
    BOTH = "both genders named on either side"
    NEUTRAL = "neutral on either side"
    AT_RISK = "at risk"
    SAME = "not at risk"


def pairs_of(judged: pl.DataFrame) -> pl.DataFrame:
    """One row per pair and target language; columns of the halves end in _original and _substitute. At risk is one male
    and one female, not at risk twice the same; a noun of fixed gender, no rendering, unknown, both, neutral and a thing
    are further classes."""
    keys = ["sentence", "target_lang"]
    originals = judged.filter(pl.col("rank") == 0).select(*keys, *(pl.col(c).alias(f"{c}_original") for c in HALF))
    others = judged.filter(pl.col("rank") > 0).select(
        *keys, "rank", "score", "plural", "file", "line", *(pl.col(c).alias(f"{c}_substitute") for c in HALF)
    )
    joined = others.join(originals, on=keys, how="inner", maintain_order="left")
    one, other = (pl.col(f"gender_{half}").cast(pl.String) for half in ROLES)

    def either(value: str) -> pl.Expr:
        return (one == value) | (other == value)

    def not_so(column: str) -> pl.Expr:
        return pl.any_horizontal(pl.col(f"{column}_{half}").eq_missing(False) for half in ROLES)

    fixed = (pl.col("fixed_original") & (one == "neutral")) | (pl.col("fixed_substitute") & (other == "neutral"))
    risk = (
        pl.when(not_so("valid")).then(pl.lit(Risk.INVALID.value))
        .when(either("unknown")).then(pl.lit(Risk.UNKNOWN.value))
        .when(not_so("adequate")).then(pl.lit(Risk.OTHER.value))
        .when(fixed).then(pl.lit(Risk.FIXED.value))
        .when(either("both")).then(pl.lit(Risk.BOTH.value))
        .when(either("neutral")).then(pl.lit(Risk.NEUTRAL.value))
        .when(one != other).then(pl.lit(Risk.AT_RISK.value))
        .otherwise(pl.lit(Risk.SAME.value))
    )  # fmt: skip
    return joined.with_columns(pair=pl.format("{}-{}", "sentence", "rank"), risk=risk)


@dataclass
class MinedLanguage:
    """What one target language gave. `pairs` has those at risk and as many drawn that are not."""

    code: str
    counts: Counter[str] = field(default_factory=Counter)
    pairs: pl.DataFrame = field(default_factory=pl.DataFrame)
    words: dict[Risk, pl.DataFrame] = field(
        default_factory=lambda: dict.fromkeys((Risk.AT_RISK, Risk.SAME), pl.DataFrame(schema=NO_TEXTS))
    )
    """Renderings of each word in pairs at risk and in all that are not (`words_by_text`); a sentence counts once."""

    @property
    def at_risk(self) -> pl.DataFrame:
        return self.pairs.filter(pl.col("risk") == Risk.AT_RISK.value)

    @property
    def suite_name(self) -> str:
        return f"mined-{self.code}"

    def add(self, pairs: pl.DataFrame) -> None:
        """Count the pairs of a shard and keep those at risk."""
        mine = pairs.filter(pl.col("target_lang") == self.code)
        self.counts.update(mine["risk"].to_list())
        for risk, known in self.words.items():
            self.words[risk] = summed([known, words_by_text(mine.filter(pl.col("risk") == risk.value))])
        at_risk = mine.filter(pl.col("risk") == Risk.AT_RISK.value)
        self.pairs = self.pairs.vstack(at_risk, in_place=True) if self.pairs.width else at_risk

    def lots(self, pairs: Sequence[str] | pl.Series, seed: int) -> pl.Series:
        """The lot of each pair; depends on nothing else."""
        return lots(f"{seed}\t{self.code}\t{pair}" for pair in pairs)

    def suite(self) -> Suite:
        """The chosen pairs as a suite, joined by `pair`."""
        probes = halves(self.pairs).select(PROBE)
        return designed("mined", lambda: probes, name=self.suite_name, version="1")

    def tables(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Renderings of the suite's probes, and the verdicts by which the pairs were chosen."""
        both = halves(self.pairs)
        renderings = conform(both.select(*RENDERINGS), RENDERINGS, name="renderings")
        return renderings, conform(both.select(*VERDICTS), VERDICTS, name="verdicts")

    def examples(self, most: int, *, seed: int) -> pl.DataFrame:
        """Pairs at risk as a page shows them, in random order."""
        pairs = self.at_risk.with_columns(self.lots(self.at_risk["pair"], seed))
        return halves(pairs.sort("lot").head(most).drop("lot")).select(SHOWN)

    def write_pairs(self, folder: Path) -> None:
        """pairs.parquet, one row per pair; pairs.tsv, those at risk first, with an empty column `verified`."""
        folder.mkdir(parents=True, exist_ok=True)
        self.pairs.write_parquet(folder / "pairs.parquet")
        columns = [f"{c}_{role}" for role in ROLES for c in ("source", "focus", "rendering", "gender", "evidence")]
        # no quoting: tabs and line ends inside a text become blanks
        clean = pl.col(columns).cast(pl.String).str.replace_all(r"[\t\r\n]+", " ")
        ordered = self.pairs.sort(pl.col("risk") != Risk.AT_RISK.value, "pair")
        shown = ordered.select("pair", "risk", pl.lit("").alias("verified"), clean)
        write_text(folder / "pairs.tsv", shown.write_csv(separator="\t", quote_style="never", line_terminator="\n"))


def halves(pairs: pl.DataFrame) -> pl.DataFrame:
    """One row per half, original and substitute in turn, its columns without the half's name; answers are the first."""
    whole = [c for c in pairs.columns if not c.endswith(ROLES)]
    ids = {role: pl.format(f"{{}}-{role[0]}", "pair") for role in ROLES}
    tables = (
        pairs.select(*whole, *(pl.col(f"{c}_{role}").alias(c) for c in HALF), id=name, role=pl.lit(role))
        for role, name in ids.items()
    )
    risky = (pl.col("risk") == Risk.AT_RISK.value).replace_strict({True: "yes", False: "no"})
    score, first = pl.when(pl.col("role") == "substitute").then("score"), {"sample": pl.lit(0), "candidate": pl.lit(0)}
    ordered = pl.concat(tables).sort("pair", "role")
    return ordered.with_columns(source_lang=pl.lit(SOURCE), at_risk=risky, score=score, **first)


def words_by_text(pairs: pl.DataFrame) -> pl.DataFrame:
    """How many texts have how many feminine and masculine renderings of a word: by, level, female, male, times. `by`: a
    text is a piece (line or record), or a block of BLOCK lines of a file."""
    originals = pairs.unique("sentence", keep="first", maintain_order=True)
    halved = (
        table.select("file", "line", level=pl.col(f"focus_{half}").str.to_lowercase(), gender=f"gender_{half}")
        for half, table in zip(ROLES, (originals, pairs), strict=True)
    )
    genders = {name: pl.col("gender").cast(pl.String) == name for name in ("female", "male")}
    seen = pl.concat(halved).with_columns(**genders).filter(pl.col("female") | pl.col("male"))
    texts = {PIECE: pl.col("line"), "block": (pl.col("line") - 1) // BLOCK}
    counts = pl.col("female", "male").sum().cast(pl.Int64)
    return pl.concat(
        seen.group_by("level", "file", text.alias("text")).agg(counts).select(pl.lit(by).alias("by"), *TEXTS[1:4])
        for by, text in texts.items()
    ).with_columns(times=pl.lit(1, pl.Int64))


def summed(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Counts of texts put together, the most frequent words first, then by the alphabet."""
    same = pl.concat(parts).group_by(TEXTS[:4]).agg(pl.col("times").sum())
    often = (pl.col("times") * (pl.col("female") + pl.col("male"))).sum().over("by", "level")
    return same.sort(often, "level", "by", "female", "male", descending=[True, False, False, False, False])


@dataclass
class Collected:
    """What all shards together give, before it is written."""

    taken: Taken
    summary: Summary
    languages: dict[str, MinedLanguage]

    def funnel(self) -> pl.DataFrame:
        """Step, what, how many (`count`), in the order of the study; languages separately from the translation on."""
        taken, counts = self.taken, self.summary.counts
        usable = taken.distinct + taken.repeated
        read = {"pieces of text read": taken.lines, "sentences": usable + sum(taken.bad.values())}
        read |= {"neither too short nor too long": usable, "distinct sentences": taken.distinct}
        rows = [("text", what, count) for what, count in read.items()]
        known = {what for step, _, what in (name.partition("/") for name in counts) if step == "person"}
        rows += [("person", what, counts[f"person/{what}"]) for what in ("kept", *sorted(known - {"kept"}))]
        rows += [("perturb", k.partition("/")[2], counts[k]) for k in sorted(counts) if k.startswith("perturb/")]
        for code, mined in self.languages.items():
            rows += [(code, risk.value, mined.counts[risk.value]) for risk in reversed(Risk)]
            rows.append((code, "pairs drawn that are not at risk", mined.pairs.height - mined.at_risk.height))
        return pl.DataFrame(rows, schema={"step": pl.String, "what": pl.String, "count": pl.Int64}, orient="row")

    def shared(self) -> pl.DataFrame:
        """Pairs at risk in two languages or more: pair, both sentences, the languages, how many."""
        texts = (pl.col(f"source_{half}").first().alias(half) for half in ROLES)
        codes = (pl.len().cast(pl.Int64).alias("languages"), pl.col("target_lang").str.join(",").alias("at_risk_in"))
        every = pl.concat([mined.at_risk for mined in self.languages.values()])
        grouped = every.group_by("pair", maintain_order=True).agg(*codes, *texts)
        return grouped.filter(pl.col("languages") > 1).sort("languages", "pair", descending=[True, False])


def collect(shards: Sequence[Path], summary: Summary, taken: Taken, *, targets: Sequence[str], seed: int) -> Collected:
    """Read the shards (at least one): first to count, then to draw as many pairs not at risk as there are at risk."""
    names = dict(enumerate(taken.files))

    def load(shard: int) -> pl.DataFrame:
        pairs = pairs_of(pl.read_parquet(shards[shard]))
        return pairs.with_columns(pl.col("file").replace_strict(names, return_dtype=pl.String))

    languages = {code: MinedLanguage(code) for code in targets}
    for shard in range(len(shards)):
        pairs = load(shard)
        for mined in languages.values():
            mined.add(pairs)
    draws = {code: Draw(mined.counts[Risk.AT_RISK.value]) for code, mined in languages.items()}
    for shard in range(len(shards)):
        same = load(shard).with_row_index("row").filter(pl.col("risk") == Risk.SAME.value)
        for code, draw in draws.items():
            some = same.filter(pl.col("target_lang") == code)
            draw.add(shard, some.with_columns(languages[code].lots(some["pair"], seed)))
    for code, mined in languages.items():
        mined.pairs = pl.concat([mined.pairs, draws[code].read(load).drop("lot")]).sort("risk", "pair")
    return Collected(taken, summary, languages)
