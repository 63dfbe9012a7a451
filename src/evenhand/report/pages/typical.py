"""The typical sentences of a report, drawn by rule and seed: places by each outcome's share (Sainte-Lague, divisors 1,
3, 5), at random, no two of one cluster where possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.gender import Gender
from evenhand.report.composition import first_answers
from evenhand.report.pages.sentences import Example, example
from evenhand.report.words.vocabulary import show
from evenhand.results.findings import Findings
from evenhand.results.runs import Run

PLACES = 5
ALIKE = 3  # places where one outcome has them all


@dataclass(frozen=True)
class Typical:
    """Drawn sentences, and in `rule` how they were drawn."""

    rule: str
    examples: list[Example]
    title: str = "Typical sentences"


def typical(run: Run) -> Typical:
    """The typical sentences of a run; outcomes are the verdict, by stated gender where the source states one."""
    table = first_answers(run.table)
    info = run.manifest
    cluster = next((c for c in info.suite.clusters if c in table.columns), None)
    outcome = _outcome(table)
    rows = draw(outcome, table[cluster] if cluster else None, seed=info.seed)
    by = "stated and rendered gender" if "gold" in table.columns else "gender"
    return Typical(
        rule=drawn_words(table.height, "renderings", by, cluster, info.seed),
        examples=[example(row) for row in table[rows].iter_rows(named=True)],
    )


def drawn_words(total: int, what: str, by: str, cluster: str | None, seed: int) -> str:
    """How sentences were drawn, in one sentence."""
    unlike = f"; no two with the same {cluster.replace('_', ' ')}" if cluster else ""
    return f"Random (seed {seed}) out of {total:,} {what}, in proportion to the share of each {by}{unlike}."


def draw(outcome: pl.Series, cluster: pl.Series | None, *, seed: int) -> list[int]:
    """Row numbers of typical rows, the most frequent outcome first."""
    counted = outcome.value_counts(name="count").sort(["count", outcome.name], descending=[True, False])
    outcomes: dict[str, int] = dict(counted.iter_rows())
    places = allot(outcomes, PLACES)
    if len(places) == 1:
        places = {name: min(ALIKE, number) for name, number in places.items()}
    taken: set[object] = set()
    rows: list[int] = []
    for turn, (name, number) in enumerate(places.items()):
        candidates = np.random.default_rng([seed, turn]).permutation((outcome == name).arg_true().to_numpy())
        rows += _unlike(candidates.tolist(), cluster, number, taken)
    return rows


def allot(outcomes: Mapping[str, int], places: int) -> dict[str, int]:
    """Places of each outcome by its count (Sainte-Lague); those without one are left out. Ties go to the first."""
    held = dict.fromkeys(outcomes, 0)
    for _ in range(min(places, sum(outcomes.values()))):
        free = [name for name in outcomes if held[name] < outcomes[name]]
        held[max(free, key=lambda name: outcomes[name] / (2 * held[name] + 1))] += 1
    return {name: number for name, number in held.items() if number}


def _unlike(candidates: Sequence[int], cluster: pl.Series | None, number: int, taken: set[object]) -> list[int]:
    """The first candidates of clusters not taken yet; where these run out, the first of all."""
    if cluster is None:
        return list(candidates[:number])
    chosen: list[int] = []
    for row in candidates:
        if len(chosen) == number:
            return chosen
        if cluster[row] not in taken:
            taken.add(cluster[row])
            chosen.append(row)
    return chosen + [row for row in candidates if row not in chosen][: number - len(chosen)]


def _outcome(table: pl.DataFrame) -> pl.Series:
    """What came out of each row: the verdict, after the stated gender where there is one."""
    verdict = pl.col("gender").cast(pl.String).fill_null(Gender.UNKNOWN.value)
    if "gold" not in table.columns:
        return table.select(outcome=verdict).to_series()
    return table.select(
        outcome=pl.concat_str(pl.col("gold").cast(pl.String).fill_null(""), verdict, separator=" ")
    ).to_series()


# The typical words of a page on word vectors, drawn by the same rule. An outcome is the side a word is nearer to.

LEAST = 3  # words, below which there is nothing to draw from


@dataclass(frozen=True)
class WordLine:
    """A word (or its two forms) of the vectors, what it means in English, and what was measured of it."""

    word: str
    lang: str
    gloss: str
    told: str


@dataclass(frozen=True)
class TypicalWords:
    """Drawn words, and in `rule` how they were drawn."""

    title: str
    rule: str
    lines: Sequence[WordLine]


def study_words(findings: Findings, original: str) -> TypicalWords | None:
    """Occupations of the original vectors: in two forms, or, of English, in one; None without enough of them."""
    lang, seed = findings.manifest.parts["language"], findings.manifest.seed
    if "occupations" in findings.tables:
        words = findings.tables["occupations"].filter(pl.col("method") == original)
        side = pl.when(pl.col("s") > 0).then(pl.lit("male")).otherwise(pl.lit("female"))
        lines = [WordLine(row["word"], lang, "", _nearer(row["s"])) for row in words.iter_rows(named=True)]
        return _drawn("Typical words", words.select(side.alias("side")).to_series(), lines, "occupations", seed)
    pairs = findings.tables.get("pairs", pl.DataFrame())
    if pairs.is_empty():
        return None
    pairs = pairs.filter(pl.col("method") == original)
    if pairs["b_w"].null_count() < pairs.height:
        pairs = pairs.drop_nulls("b_w")
        ahead = pl.col("s_masculine").abs() > pl.col("s_feminine").abs()
        said = [_association(row["s_masculine"], row["s_feminine"]) for row in pairs.iter_rows(named=True)]
    else:
        pairs = pairs.drop_nulls("cos_masculine")
        ahead = pl.col("cos_masculine") > pl.col("cos_feminine")
        said = [_nearness(row) for row in pairs.iter_rows(named=True)]
    side = pl.when(ahead).then(pl.lit("masculine form")).otherwise(pl.lit("feminine form"))
    lines = [
        WordLine(f"{row['masculine']}, {row['feminine']}", lang, row["english"] or "", told)
        for row, told in zip(pairs.iter_rows(named=True), said, strict=True)
    ]
    return _drawn("Typical words", pairs.select(side.alias("side")).to_series(), lines, "occupations", seed)


def score_words(findings: Findings) -> TypicalWords | None:
    """Words of a ranking, from its feminine, middle and masculine third of the scale."""
    scores = findings.tables["scores"]
    third = (
        pl.when(pl.col("score") < -1 / 3)
        .then(pl.lit("feminine"))
        .when(pl.col("score") > 1 / 3)
        .then(pl.lit("masculine"))
        .otherwise(pl.lit("middle"))
    )
    lines = [WordLine(row["word"], "", "", f"score {show(row['score'])}") for row in scores.iter_rows(named=True)]
    sides = scores.select(third.alias("side")).to_series()
    return _drawn("Typical words", sides, lines, "words", findings.manifest.seed, by="third of the scale")


def compared_words(findings: Findings) -> TypicalWords | None:
    """Words of a text and a system, by which of them names women more often."""
    words = findings.tables["words"]
    more = pl.col("system_share") > pl.col("share")
    fewer = pl.col("system_share") < pl.col("share")
    side = pl.when(more).then(pl.lit("more women")).when(fewer).then(pl.lit("fewer women")).otherwise(pl.lit("as many"))
    lines = [
        WordLine(
            row["concept"],
            "en",
            "",
            f"{show(row['share'], 'percent')} women in the text, "
            f"{show(row['system_share'], 'percent')} by {row['system']}",
        )
        for row in words.iter_rows(named=True)
    ]
    sides = words.select(side.alias("side")).to_series()
    return _drawn("Typical words", sides, lines, "words", findings.manifest.seed, by="way they differ")


def _drawn(
    title: str, side: pl.Series, lines: Sequence[WordLine], what: str, seed: int, *, by: str = "side"
) -> TypicalWords | None:
    if len(lines) < LEAST:
        return None
    chosen = draw(side, None, seed=seed)
    return TypicalWords(title, drawn_words(len(lines), what, by, None, seed), [lines[row] for row in chosen])


def _nearer(s: float) -> str:
    return f"nearer to {'male' if s > 0 else 'female'} words (s {show(s)})"


def _association(masculine: float, feminine: float) -> str:
    first = "masculine" if abs(masculine) > abs(feminine) else "feminine"
    values = f"s {show(masculine)} and {show(feminine)} (above 0: nearer to male words)"
    return f"{values}; the {first} form has the stronger association"


def _nearness(row: dict[str, float]) -> str:
    first = "masculine" if row["cos_masculine"] > row["cos_feminine"] else "feminine"
    cosines = f"{show(row['cos_masculine'])} and {show(row['cos_feminine'])}"
    return f"cosines {cosines} to the English word; the {first} form is nearer"
