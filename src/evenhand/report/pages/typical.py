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
    stated = [pl.col("gold").cast(pl.String).fill_null("")] if "gold" in table.columns else []
    return table.select(outcome=pl.concat_str(*stated, verdict, separator=" ")).to_series()


# The typical words of a page on word vectors, drawn by the same rule. An outcome is the side a word is nearer to.

LEAST = 3  # words, below which there is nothing to draw from


@dataclass(frozen=True)
class WordLine:
    """A word (or its two forms) with what was measured of it; `gloss` is what it means in English."""

    side: str
    word: str
    measured: str
    lang: str = ""
    gloss: str = ""


@dataclass(frozen=True)
class TypicalWords:
    """Drawn words, and in `rule` how they were drawn."""

    rule: str
    lines: Sequence[WordLine]
    title: str = "Typical words"


def study_words(findings: Findings, original: str) -> TypicalWords | None:
    """Occupations of the original vectors: in two forms, or, of English, in one; None without enough of them."""
    lang = findings.manifest.parts["language"]
    if "occupations" in findings.tables:
        words = findings.tables["occupations"].filter(method=original)
        sides = [("male" if s > 0 else "female", word, s) for word, s in words.select("word", "s").iter_rows()]
        lines = [WordLine(side, word, f"nearer to {side} words (s {show(s)})", lang) for side, word, s in sides]
        return _drawn(lines, "occupations", findings)
    pairs = findings.tables.get("pairs", pl.DataFrame())
    if pairs.is_empty():
        return None
    pairs = pairs.filter(method=original)
    associated = pairs["b_w"].null_count() < pairs.height
    rows = pairs.drop_nulls("b_w" if associated else "cos_masculine").to_dicts()
    measured = [_association(row) if associated else _nearness(row) for row in rows]
    lines = [
        WordLine(side, f"{row['masculine']}, {row['feminine']}", text, lang, row["english"] or "")
        for row, (side, text) in zip(rows, measured, strict=True)
    ]
    return _drawn(lines, "occupations", findings)


def score_words(findings: Findings) -> TypicalWords | None:
    """Words of a ranking, from its feminine, middle and masculine third of the scale."""
    scores = findings.tables["scores"].select("word", "score")
    lines = [WordLine(_third(score), word, f"score {show(score)}") for word, score in scores.iter_rows()]
    return _drawn(lines, "words", findings, by="third of the scale")


def compared_words(findings: Findings) -> TypicalWords | None:
    """Words of a text and a system, by which of them names women more often."""
    lines = []
    for row in findings.tables["words"].drop_nulls(["share", "system_share"]).iter_rows(named=True):
        text, system = row["share"], row["system_share"]
        side = "more women" if system > text else "fewer women" if system < text else "as many"
        shares = f"{show(text, 'percent')} women in the text, {show(system, 'percent')} by {row['system']}"
        lines.append(WordLine(side, row["concept"], shares, "en"))
    return _drawn(lines, "words", findings, by="way they differ")


def _drawn(lines: Sequence[WordLine], what: str, findings: Findings, *, by: str = "side") -> TypicalWords | None:
    if len(lines) < LEAST:
        return None
    seed = findings.manifest.seed
    chosen = draw(pl.Series("side", [line.side for line in lines]), None, seed=seed)
    return TypicalWords(drawn_words(len(lines), what, by, None, seed), [lines[row] for row in chosen])


def _third(score: float) -> str:
    return "feminine" if score < -1 / 3 else "masculine" if score > 1 / 3 else "middle"


def _association(row: dict[str, float]) -> tuple[str, str]:
    first = "masculine" if abs(row["s_masculine"]) > abs(row["s_feminine"]) else "feminine"
    values = f"s {show(row['s_masculine'])} and {show(row['s_feminine'])} (above 0: nearer to male words)"
    return first, f"{values}; the {first} form has the stronger association"


def _nearness(row: dict[str, float]) -> tuple[str, str]:
    first = "masculine" if row["cos_masculine"] > row["cos_feminine"] else "feminine"
    cosines = f"{show(row['cos_masculine'])} and {show(row['cos_feminine'])}"
    return first, f"cosines {cosines} to the English word; the {first} form is nearer"
