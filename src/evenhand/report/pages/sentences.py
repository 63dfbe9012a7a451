"""The most telling sentences of a run: few, chosen by a rule that is printed with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from evenhand.gender import DECIDED, LOOKS, Gender
from evenhand.report.composition import first_answers
from evenhand.report.pages.marks import MarkedPiece, letter, pieces
from evenhand.results.runs import Run
from evenhand.suites.glosses import sentence_gloss
from evenhand.visible import visible

SHOWN = 8
LOW_CONFIDENCE = 0.7


@dataclass(frozen=True)
class Example:
    """One sentence, ready to print."""

    id: str
    source: list[MarkedPiece]
    source_lang: str
    gloss: str
    rendering: list[MarkedPiece]
    target_lang: str
    gender: str
    letter: str
    evidence: str
    about: str
    gold: str
    remark: str


@dataclass(frozen=True)
class SentenceSection:
    """Sentences that show one finding; `total` counts all there are, `rule` says how these were chosen."""

    key: str
    title: str
    rule: str
    total: int
    examples: list[Example]


def sections(run: Run, *, shown: int = SHOWN) -> list[SentenceSection]:
    """What this run has to show, in the order a reader wants it; findings without sentences are left out."""
    table = first_answers(run.table)
    clusters = [c for c in run.manifest.suite.clusters if c in table.columns]
    made = [*_against_gold(table, clusters, shown), *_flips(table, shown)]
    for gender in DECIDED:
        title = LOOKS[Gender(gender)].title
        made.append(_section(f"gender-{gender}", title, table.filter(pl.col("gender") == gender), clusters, shown))
    undecided = table.filter((pl.col("gender") == Gender.UNKNOWN.value) | (pl.col("confidence") < LOW_CONFIDENCE))
    for_a_person = _section("undecided", "Undecided or uncertain verdicts to review", undecided, clusters, shown)
    made.append(replace(for_a_person, rule=for_a_person.rule.replace("the surest verdicts", "the least unsure")))
    if "conflict" in table.columns:
        conflict = table.filter(pl.col("conflict"))
        made.append(_section("conflict", "Noun and pronoun disagree", conflict, clusters, shown))
    return [section for section in made if section.examples]


def _section(key: str, title: str, rows: pl.DataFrame, clusters: Sequence[str], shown: int) -> SentenceSection:
    by = clusters[0] if clusters else None
    rule = f"the surest verdicts, one for each {by}" if by else "the surest verdicts"
    chosen = spread(rows, by, shown)
    return SentenceSection(key, title, rule, rows.height, [example(r) for r in chosen.iter_rows(named=True)])


def spread(rows: pl.DataFrame, by: str | None, shown: int) -> pl.DataFrame:
    """Up to `shown` rows, surest first, from different clusters; the order in the suite breaks ties."""
    ordered = rows.sort("confidence", descending=True, nulls_last=True, maintain_order=True)
    if by and by in rows.columns:
        ordered = ordered.unique(by, keep="first", maintain_order=True)
    return ordered.head(shown)


def _against_gold(table: pl.DataFrame, clusters: Sequence[str], shown: int) -> list[SentenceSection]:
    if "gold" not in table.columns:
        return []
    gold = pl.col("gold").cast(pl.String)
    made = []
    for stated, came, words in (
        ("female", "male", "woman, rendered as a man"),
        ("male", "female", "man, rendered as a woman"),
    ):
        rows = table.filter((gold == stated) & (pl.col("gender") == came))
        made.append(_section(f"gold-{stated}", f"The source states a {words}", rows, clusters, shown))
    return made


def _flips(table: pl.DataFrame, shown: int) -> list[SentenceSection]:
    """Variants whose gender differs from that of their plain sentence: both are shown."""
    if "base" not in table.columns:
        return []
    plain = table.select(pl.col("id").alias("base"), pl.col("sample"), pl.col("gender").alias("before"))
    plain = plain.unique(["base", "sample"], keep="first", maintain_order=True)
    variants = table.filter(pl.col("base").is_not_null() & (pl.col("base") != pl.col("id")))
    moved = variants.drop("before", strict=False).join(plain, on=["base", "sample"], how="inner", maintain_order="left")
    decided = ["female", "male"]
    moved = moved.filter(
        pl.col("gender").is_in(decided) & pl.col("before").is_in(decided) & (pl.col("gender") != pl.col("before"))
    )
    chosen = moved.unique("base", keep="first", maintain_order=True).head(shown // 2)
    wanted: list[Example] = []
    by_id = {r["id"]: r for r in table.filter(pl.col("id").is_in(chosen["base"].implode())).iter_rows(named=True)}
    for row in chosen.iter_rows(named=True):
        if row["base"] in by_id:
            wanted += [example(by_id[row["base"]], remark="plain sentence"), example(row, remark="with the added word")]
    return [
        SentenceSection(
            "flips", "One added word changes the gender", "plain sentence and variant in turn", moved.height, wanted
        )
    ]


_ABOUT = ("occupation", "adjective", "verb", "kind", "sector", "formality", "politeness")


def example(row: Mapping[str, object], *, remark: str = "") -> Example:
    """A joined row as an example."""
    about = ", ".join(str(row[c]) for c in _ABOUT if row.get(c))
    reason = str(row.get("reason") or "")
    gender = str(row.get("gender") or Gender.UNKNOWN.value)
    return Example(
        id=str(row["id"]),
        source=pieces(row.get("source"), row.get("focus_start"), row.get("focus_end"), "focus"),
        source_lang=str(row.get("source_lang") or ""),
        gloss=visible(sentence_gloss(row)),
        rendering=pieces(row.get("rendering"), row.get("evidence_start"), row.get("evidence_end"), "evidence"),
        target_lang=str(row.get("target_lang") or ""),
        gender=gender,
        letter=letter(gender),
        evidence=visible(str(row.get("evidence") or "")),
        about=visible(about),
        gold=str(row.get("gold") or ""),
        remark="; ".join(t for t in (remark, reason) if t),
    )
