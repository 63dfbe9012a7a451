"""What a system's output and a text show: the scatter of words, the slope, the words whose shares differ most."""

import polars as pl

from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.pages.kinds import Shown, limits
from evenhand.report.pages.typical import compared_words
from evenhand.report.words.headlines import Headline, headline
from evenhand.report.words.tables import TextTable
from evenhand.report.words.vocabulary import show, show_p, valued, wording
from evenhand.results.findings import Findings

WORDS = 40
MEASURES = ("amplification", "shift", "mean_difference")


def shown(findings: Findings) -> Shown:
    """The page's and the terminal's content."""
    words = findings.tables["words"]
    systems = words["system"].unique(maintain_order=True).to_list() or findings.estimates["level"].unique().to_list()
    return Shown(
        answer=_answer(findings),
        sections=[_numbers(findings), *(_differing(words.filter(system=name), name) for name in systems)],
        limits=limits("amplification"),
        typical=compared_words(findings),
        figures=lambda: [figure for name in systems for figure in _figure(words.filter(system=name), name)],
    )


def _answer(findings: Findings) -> Headline:
    rows = findings.estimates.filter(measure="amplification")
    slopes = []
    for row in rows.iter_rows(named=True):
        if row["value"] is None:
            why = str(row["interval"] or "").removeprefix("none: ")
            slopes.append(f"the system {row['level']} has no slope" + (f": {why}" if why else ""))
            continue
        way = "does not differ significantly from one that repeats the text"
        if row["low"] > 1:
            way = "widens the differences between words"
        elif row["high"] < 1:
            way = "reduces the differences between words"
        value = valued(row["value"], row["low"], row["high"], "number")
        slopes.append(f"the system {row['level']} {way} (slope {value} over {row['n']} words)")
    setting = (
        "We compared a parallel text with systems' translations of sentences that leave the gender open, word by word."
    )
    together = "; ".join(slopes)
    return headline("beside a text", setting, {"listed": together[:1].upper() + together[1:]})


def _numbers(findings: Findings) -> TextTable:
    cells = [
        (
            row["level"],
            wording(row["measure"]).title,
            valued(row["value"], row["low"], row["high"], wording(row["measure"]).unit),
            show_p(row["p"]),
            str(row["n"]),
            row["note"] or (row["interval"] if row["value"] is None else ""),
        )
        for row in findings.estimates.iter_rows(named=True)
    ]
    lead = "p tests a slope of 1, and no difference. " + " ".join(
        f"{wording(measure).title}: {wording(measure).explanation}." for measure in MEASURES
    )
    return TextTable("Amplification", ("system", "measure", "value", "p", "words", ""), cells, lead)


def _differing(words: pl.DataFrame, name: str) -> TextTable:
    far = words.sort((pl.col("system_share") - pl.col("share")).abs(), "concept", descending=[True, False]).head(WORDS)
    cells = [
        (
            row["concept"],
            f"{row['female']:,} / {row['male']:,}",
            valued(row["share"], row["low"], row["high"], "percent"),
            f"{row['system_female']:,} / {row['system_male']:,}",
            valued(row["system_share"], row["system_low"], row["system_high"], "percent"),
            show(row["reference_share"], "percent"),
        )
        for row in far.iter_rows(named=True)
    ]
    columns = (
        "word",
        "text, women / men",
        "women in the text",
        "system, women / men",
        "women in the output",
        "statistics",
    )
    lead = f"The {far.height} of {words.height} words whose shares differ most; the system's intervals are Wilson's."
    return TextTable(f"Words: {name}", columns, cells, lead)


def _figure(words: pl.DataFrame, name: str) -> list[Figure]:
    from evenhand.report.charts.scatter import against_diagonal

    if words.height < 3:
        return []
    data = words.select(
        "concept", x="share", y="system_share", low="system_low", high="system_high", statistics="reference_share"
    )
    caption = "On the dashed line the system repeats the text. Grey: no share in the statistics."
    axes = ("women among the gendered in the text", f"women among the gendered from {name}")
    heading = Heading(f"beside-{name}", f"Words in the text and from {name}", caption)
    return [against_diagonal(data, axes, heading, colour=("statistics", "women in labour statistics"))]
