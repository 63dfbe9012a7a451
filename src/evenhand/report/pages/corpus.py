"""What an audited parallel text shows: its persons, their gender where the source leaves it open, one-sided words."""

from collections.abc import Mapping

import polars as pl

from evenhand.corpus.estimates import PER_MILLION
from evenhand.corpus.soundness import remarks
from evenhand.corpus.steps import SAYS
from evenhand.gender import GENDERS
from evenhand.report.charts.figure import Figure
from evenhand.report.pages import sentences
from evenhand.report.pages.kinds import Shown, limits
from evenhand.report.pages.marks import LETTERS_TOLD
from evenhand.report.pages.typical import Typical, draw
from evenhand.report.words.headlines import Headline, headline
from evenhand.report.words.tables import TextTable
from evenhand.report.words.vocabulary import amount, show, valued, wording
from evenhand.results.findings import Findings

WORDS = 25
ONE_SIDED = 6  # words with sentences, towards either side
ENOUGH = 10  # gendered persons from which a word is shown
SHARE = "TFG"


def shown(findings: Findings) -> Shown:
    """The page's and the terminal's content."""
    words = findings.tables["words"]
    return Shown(
        answer=_answer(findings),
        sections=[_funnel(findings), *_counts(findings), *_most_frequent(words), *_one_sided_table(words)],
        limits=limits("corpus"),
        figures=lambda: _figures(findings),
        typical=_typical(findings),
        template="corpus.html",
        context={"words": _one_sided_sentences(findings)},
    )


def _estimate(findings: Findings, measure: str, group: str, level: str) -> dict[str, object] | None:
    rows = findings.estimates.filter(measure=measure, group=group, level=level, variant="raw")
    return rows.row(0, named=True) if rows.height else None


def _answer(findings: Findings) -> Headline:
    info = findings.manifest
    persons = _estimate(findings, PER_MILLION, "all", "")
    number = persons["n"] if persons else 0
    often = f" ({persons['value']:,.0f} in a million words of the source side)" if persons and persons["value"] else ""
    persons_found = amount(int(str(number)), "person")
    setting = f"We read {info.measured.split(':')[0]} and found {persons_found}{often}."
    counts = findings.tables["counts"].filter(says="open").select(pl.col(GENDERS).sum()).row(0, named=True)
    women = _estimate(findings, SHARE, "source", "open")
    blanks = {
        "persons": f"{sum(counts.values()):,}",
        "gendered": f"{counts['female'] + counts['male']:,}",
        "share": valued(women["value"], women["low"], women["high"], "percent") if women else "",
    }
    doubts = [remark.text for remark in remarks(findings.tables["funnel"], info.parts["source"]) if remark.strong]
    if doubts:
        return headline("text, doubted", setting, {"doubts": "; ".join(doubts)})
    return headline(_outcome(counts, women, bool(number)), setting, blanks)


def _outcome(counts: Mapping[str, int], women: Mapping[str, object] | None, some: bool) -> str:
    """By whether the interval of the share of women lies on one side of a half."""
    if not sum(counts.values()):
        return "text, all stated" if some else "text, no persons"
    if women is None or not counts["female"] + counts["male"]:
        return "text, left open"
    low, high = women["low"], women["high"]
    if isinstance(high, float) and high < 0.5:
        return "text, fewer women"
    return "text, fewer men" if isinstance(low, float) and low > 0.5 else "text, undecided"


def _typical(findings: Findings) -> Typical | None:
    """Persons whose gender the source leaves open, out of a random sample; None in folders of earlier versions."""
    table = findings.tables.get("drawn")
    if table is None or not table.height:
        return None
    info = findings.manifest
    rows = draw(table["gender"].cast(pl.String), table["concept"], seed=info.seed)
    rule = (
        f"Random persons (seed {info.seed}) whose gender the source leaves open, in proportion to each gender's share "
        f"in a random sample of {table.height:,}; no two with the same word."
    )
    return Typical(rule, [sentences.example(row) for row in _placed(table[rows], info.parts).iter_rows(named=True)])


def _placed(persons: pl.DataFrame, parts: Mapping[str, str]) -> pl.DataFrame:
    """Persons with what a sentence on a page needs besides."""
    return persons.with_columns(
        id=pl.col("line").cast(pl.String), source_lang=pl.lit(parts["source"]), target_lang=pl.lit(parts["target"])
    )


def _funnel(findings: Findings) -> TextTable:
    rows = [(step, what, f"{n:,}") for step, what, n in findings.tables["funnel"].iter_rows()]
    return TextTable("What was read", ("step", "what", "count"), rows)


def _counts(findings: Findings) -> list[TextTable]:
    """By file and by what the source says of the gender."""
    rows = []
    table = findings.tables["counts"]
    ordered = table.sort(pl.col("file").rle_id(), pl.col("says").cast(pl.Enum(SAYS)))  # files as they were given
    for row in ordered.iter_rows(named=True):
        rows.append((row["file"], row["says"], *(f"{row[g]:,}" for g in GENDERS), _share(findings, row)))
    columns = ("file", "the source says", *GENDERS, "women among gendered")
    lead = (
        "open: the source states no gender. female, male: the source states it (a noun, a pronoun). "
        "unclear: a word states a gender, but perhaps of another person."
    )
    title = "Persons by their gender in source and target"
    return [TextTable(title, columns, rows, lead)] if rows else []


def _share(findings: Findings, row: Mapping[str, int | str]) -> str:
    """Women among the gendered of a row of counts, with its interval where one was estimated for just these persons."""
    female, male = int(row["female"]), int(row["male"])
    if not female + male:
        return "–"
    one = findings.tables["counts"]["file"].n_unique() == 1
    by = ("source", str(row["says"])) if one else ("file", str(row["file"]))
    known = _estimate(findings, SHARE, *by) if one or row["says"] == "open" else None
    return valued(female / (female + male), known and known["low"], known and known["high"], "percent")


def _most_frequent(words: pl.DataFrame) -> list[TextTable]:
    rows = words.filter(pl.col("share").is_not_null()).head(WORDS)
    return (
        [_table("The most frequent words", rows, "Persons whose gender the source leaves open.")] if rows.height else []
    )


def _one_sided(words: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    """Words whose interval lies farthest on either side, among those with enough persons."""
    known = words.filter((pl.col("female") + pl.col("male") >= ENOUGH) & pl.col("low").is_not_null())
    women = known.filter(pl.col("low") > 0.5).sort("low", "concept", descending=[True, False])
    men = known.filter(pl.col("high") < 0.5).sort("high", "concept")
    return [("women", women.head(WORDS)), ("men", men.head(WORDS))]


def _one_sided_table(words: pl.DataFrame) -> list[TextTable]:
    lead = f"Ordered by the end of the interval nearer to one half, among words with {ENOUGH} gendered persons or more."
    return [
        _table(f"The words most one-sided towards {side}", rows, lead)
        for side, rows in _one_sided(words)
        if rows.height
    ]


def _table(title: str, rows: pl.DataFrame, lead: str) -> TextTable:
    cells = [
        (
            row["concept"],
            row["sector"] or "",
            *(f"{row[g]:,}" for g in GENDERS),
            valued(row["share"], row["low"], row["high"], "percent"),
            show(row["reference_share"], "percent"),
        )
        for row in rows.iter_rows(named=True)
    ]
    if rows["low"].null_count():
        lead += " Values without brackets come from too few documents, or blocks of lines, for an interval."
    columns = ("word", "sector", *GENDERS, wording(SHARE).title, "women in the statistics")
    return TextTable(title, columns, cells, lead, spare=("sector", "both", "neutral"))


def _one_sided_sentences(findings: Findings) -> list[sentences.SentenceSection]:
    examples, parts = findings.tables["examples"], findings.manifest.parts
    made = []
    for side, words in _one_sided(findings.tables["words"]):
        for word in words.head(ONE_SIDED).iter_rows(named=True):
            rows = _placed(examples.filter(pl.col("concept") == word["concept"]), parts)
            kept = [sentences.example(row) for row in rows.iter_rows(named=True)]
            title = f"{word['concept']}, one-sided towards {side}"
            total = sum(word[g] for g in GENDERS)
            made.append(
                sentences.SentenceSection(f"word-{word['concept']}", title, "random for each gender", total, kept)
            )
    return made


def _figures(findings: Findings) -> list[Figure]:
    from evenhand.report.charts import basic
    from evenhand.report.charts.figure import Heading
    from evenhand.report.charts.scatter import against_diagonal

    words = findings.tables["words"].filter(pl.col("female") + pl.col("male") >= ENOUGH)
    made = []
    counted = findings.tables["counts"].with_columns(pl.col("says").cast(pl.Enum(SAYS)))
    says = counted.group_by("says").agg(pl.col(GENDERS).sum()).sort("says")
    says = says.with_columns(pl.col("says").cast(pl.String), n=pl.sum_horizontal(GENDERS))
    if says["unknown"].sum() < says["n"].sum():
        caption = f"All persons by the gender in the source. {LETTERS_TOLD}."
        says = says.with_columns(decided=pl.col("n") - pl.col("unknown"))
        made.append(basic.stacked(says, "says", Heading("source", "Gender by the gender in the source", caption)))
    files = findings.estimates.filter((pl.col("group") == "file") & (pl.col("variant") == "raw"))
    if files.height:
        caption = "Share of women among gendered persons whose gender the source leaves open. Lines are intervals."
        made.append(basic.one_measure([("", files)], SHARE, Heading("files", "By file", caption), ordered=False))
    compared = words.filter(pl.col("reference_share").is_not_null() & pl.col("share").is_not_null())
    if compared.height > 2:
        data = compared.select("concept", x="reference_share", y="share", low="low", high="high")
        axes = ("share of women in the statistics", "women among the gendered in the text")
        caption = f"Occupations with {ENOUGH} gendered persons or more. On the dashed line the two agree."
        heading = Heading("statistics", "Occupations: the text against labour statistics", caption)
        made.append(against_diagonal(data, axes, heading))
    shown_words = words.filter(pl.col("share").is_not_null()).rename({"share": "share_female"})
    if shown_words.height:
        counted = shown_words.with_columns(
            decided=pl.col("female") + pl.col("male"), n=pl.sum_horizontal(GENDERS), reference=pl.col("reference_share")
        )
        caption = f"Words with {ENOUGH} gendered persons or more; lines are intervals, a diamond is the statistics."
        made.append(basic.words(counted, "concept", caption, reference="statistics", key="words", title="Words"))
    return made
