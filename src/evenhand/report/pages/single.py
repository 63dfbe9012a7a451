"""Which charts a single run gets, from what its tables hold."""

from collections.abc import Sequence

import polars as pl

from evenhand.level import interval_words
from evenhand.report.charts import basic
from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.charts.preference import preference_figures
from evenhand.report.charts.scatter import reference_figures
from evenhand.report.composition import counts, first_answers, word_shares
from evenhand.report.pages.marks import LETTERS_TOLD
from evenhand.report.studies import run_figures
from evenhand.report.words.vocabulary import grouping_explained, grouping_title, labelled, level_shown, wording
from evenhand.results.runs import Run
from evenhand.storage.tables import ALL

LEVELS = 30  # a grouping with more levels has no chart
WORDS = ("adjective", "verb")  # stereotyped words: drawn as effects around zero, many of them
MANY = 80
LEAST = 3  # renderings of an occupation, and occupations, below which a chart of them shows nothing
FEW = 6  # groups that the first chart shows
MEASURES = {  # drawn by group where a suite asks for them
    "accuracy": "Share of renderings with the gender the source states, with {}s.",
    "TFG": "Share of women among the renderings that take a gender, with {}s.",
    "P_feminine": "Mean probability of the feminine half among the two, with {}s.",
    "prefers_feminine": "Share of pairs in which the feminine half scores higher, with {}s.",
}


def figures(run: Run) -> list[Figure]:
    """The charts of a run in reading order."""
    table = first_answers(run.table)
    if run.manifest.suite.kind == "contrastive":
        return [*preference_figures(run, table), *_grouped(run, table)]
    distances = reference_figures(run)
    made = [*distances[:1], came_out(*_named_groups(run, table))]
    made += [*_grouped(run, table), *_occupations(run, table), *(_effects(run) or _words(run, table))]
    return made + distances[1:] + run_figures(run) + _detector(run, table)


def _named_groups(run: Run, table: pl.DataFrame) -> tuple[list[tuple[str, pl.DataFrame]], str]:
    """The whole run and, where its suite has a small grouping, each of its groups; a title."""
    made = [("all", table)]
    for grouping in run.manifest.suite.groupings:
        levels = [(level, rows) for level, rows in grouping.parts(table) if rows.height]
        if 1 < len(levels) <= FEW:
            made += [(level_shown(grouping.name, level), rows) for level, rows in levels]
            return made, f"What came out, by {grouping_title(grouping.name)}"
    return made, "What came out"


def came_out(named: Sequence[tuple[str, pl.DataFrame]], title: str) -> Figure:
    """The renderings of each system (its name, its table) by gender."""
    counted = pl.concat([counts(table).with_columns(pl.lit(name).alias("system")) for name, table in named])
    caption = f"All renderings by the gender of the person. {LETTERS_TOLD}."
    return basic.stacked(counted, "system", Heading("overall", title, caption))


def _grouped(run: Run, table: pl.DataFrame) -> list[Figure]:
    """Shares, and measures a suite asks for, by every grouping that can be drawn: a panel per grouping."""
    words = interval_words(run.manifest.level)
    rows = grouped(run.estimates).filter(pl.col("variant") == "raw")
    parts = []
    for grouping in run.manifest.suite.groupings:
        levels = rows.filter(pl.col("group") == grouping.name)
        rendered = sum(some.height > 0 for _, some in grouping.parts(table))
        if 1 < levels["level"].n_unique() <= LEVELS and rendered > 1:
            parts.append((f"by {grouping_title(grouping.name)}", labelled(levels)))
    explained = "".join(f" {why}" for g in run.manifest.suite.groupings if (why := grouping_explained(g.name)))
    made = []
    with_shares = _having(parts, "share_female")
    if with_shares:
        caption = (
            f"Points are shares of the decided renderings, lines their {words}s; the most female first. "
            f"Circle: female, square: male, triangle: neutral, diamond: both.{explained}"
        )
        caption += _undrawn(with_shares, "share_female")
        made.append(basic.shares(with_shares, Heading("shares", f"Shares {_alone(with_shares)}", caption)))
    for measure, pattern in MEASURES.items():
        with_measure = _having(parts, measure)
        if with_measure:
            title = f"{wording(measure).title} {_alone(with_measure)}"
            caption = f"{pattern.format(words)} The highest first.{explained}{_undrawn(with_measure, measure)}"
            made.append(basic.one_measure(with_measure, measure, Heading(measure, title, caption)))
    return made


def _having(parts: basic.PanelParts, measure: str) -> list[tuple[str, pl.DataFrame]]:
    """The parts with two levels or more of a measure, at least one of them with a value."""
    of_it = [(name, rows, rows.filter(measure=measure)) for name, rows in parts]
    return [(name, rows) for name, rows, own in of_it if own.height > 1 and own["value"].is_not_null().any()]


def _undrawn(parts: basic.PanelParts, measure: str) -> str:
    """Names the levels that a chart cannot show."""
    empty = [
        level
        for _, rows in parts
        for level in rows.filter(pl.col("measure") == measure, pl.col("value").is_null())["level"]
    ]
    if not empty:
        return ""
    return f" Not drawn, because no rendering was decided: {', '.join(empty)}."


def _alone(parts: basic.PanelParts) -> str:
    return parts[0][0] if len(parts) == 1 else "by group"


def _occupations(run: Run, table: pl.DataFrame) -> list[Figure]:
    column = next((c for c in ("occupation", "concept") if c in table.columns), None)
    rows = table.filter(pl.col(column).is_not_null()) if column else pl.DataFrame()
    if column is None or rows.is_empty():
        return []
    counted = word_shares(rows, column, clusters=run.manifest.suite.clusters, level=run.manifest.level)
    if counted.filter(pl.col("decided") >= LEAST).height < LEAST:  # one rendering is 0 or 100 %
        return []
    words = interval_words(run.manifest.level)
    caption = f"Lines are {words}s; occupations with fewer than three renderings have none."
    return [basic.words(counted, column, caption)]


def overall_estimates(run: Run) -> pl.DataFrame:
    """The rows a headline table shows: everything over the whole run."""
    return run.estimates.filter(pl.col("group") == ALL)


def _effects(run: Run) -> list[Figure]:
    """Adjectives and verbs: how far each moves the share of women, from its plain sentence or from the whole run."""
    made = []
    captions = {
        "change_female": "Share of she with the added word minus share of she in the same sentences without it "
        "(the test over clusters is in the table);",
        "SBias": "Share female with this word minus share female over the whole run, "
        f"{interval_words(run.manifest.level)}s;",
    }
    for word in WORDS:
        for name in (word, f"{word}_class"):
            rows = run.estimates.filter((pl.col("group") == name) & (pl.col("variant") == "raw"))
            measure = next((m for m in captions if rows.filter(pl.col("measure") == m).height), "")
            data = rows.filter((pl.col("measure") == measure) & pl.col("value").is_not_null())
            if 1 < data.height <= MANY:
                data = labelled(data).select(
                    "level", "value", "low", "high", "p_adjusted", "interval", "n", "n_decided"
                )
                caption = f"{captions[measure]} left of the dashed line fewer women, right of it more."
                heading = Heading(f"effects-{name}", f"Effect of the {grouping_title(name)}", caption)
                made.append(basic.effects(data, "level", heading))
    return made


def _words(run: Run, table: pl.DataFrame) -> list[Figure]:
    """Adjectives and verbs by share female, where no effect against a plain sentence or a base rate is known."""
    made = []
    for word in WORDS:
        if word in table.columns and 1 < table[word].drop_nulls().n_unique() <= MANY:
            rows = table.filter(pl.col(word).is_not_null())
            counted = word_shares(rows, word, clusters=run.manifest.suite.clusters, level=run.manifest.level)
            caption = (
                f"Lines are {interval_words(run.manifest.level)}s of one word's renderings, over the suite's clusters. "
                "Words share their occupations, so use the paired tests to compare them."
            )
            title = f"{word.capitalize()}s by share female"
            made.append(basic.words(counted, word, caption, key=f"words-{word}", title=title))
    return made


def _detector(run: Run, table: pl.DataFrame) -> list[Figure]:
    """What verdicts rest on; with a calibration, shares before and after correcting for the detector's errors."""
    how = table.with_columns(pl.col("how").fill_null("nothing found").alias("rests on"))
    kinds = counts(how, ["rests on"]).sort("n", descending=True)
    made = []
    if kinds.height > 1:
        caption = (
            "Kinds of evidence by gender: a pronoun, a known form, an article, an agreeing word, or a person's label."
        )
        heading = Heading("detector", "Evidence for the verdicts", caption)
        made.append(basic.stacked(kinds, "rests on", heading))
    overall = overall_estimates(run).filter(pl.col("measure").is_in(["share_female", "share_male", "share_neutral"]))
    if overall.filter(pl.col("variant") == "corrected").height:
        both = overall.with_columns(pl.col("variant").alias("level"))
        caption = "The corrected shares use a person's labels on a sample; their intervals include its uncertainty."
        heading = Heading("corrected", "Before and after correcting for the detector's own errors", caption)
        made.append(basic.shares([("", both)], heading))
    return made


def grouped(estimates: pl.DataFrame) -> pl.DataFrame:
    """Values of groups, without the differences between them."""
    return estimates.filter((pl.col("group") != ALL) & pl.col("family").is_null())


def tested(estimates: pl.DataFrame) -> pl.DataFrame:
    """Differences with a test, smallest corrected p first."""
    return estimates.filter(pl.col("family").is_not_null()).sort("p_adjusted", nulls_last=True, maintain_order=True)
