"""Several runs on one page: names, charts on one scale, paired tests, and the sentences on which systems differ."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from evenhand.level import interval_words
from evenhand.report.charts import basic
from evenhand.report.charts.figure import Figure, Heading
from evenhand.report.composition import first_answers
from evenhand.report.pages.page import LEAD
from evenhand.report.pages.sentences import Example, example
from evenhand.report.pages.single import LEVELS, came_out, grouped
from evenhand.report.pages.typical import draw, drawn_words
from evenhand.report.words.vocabulary import grouping_title, labelled, wording
from evenhand.results.runs import Run
from evenhand.storage.tables import ALL
from evenhand.workflows.compare import names_of

SHOWN = 20
KEYS = ["id", "sample"]


@dataclass(frozen=True)
class Named:
    """A run with the name it has on this page."""

    name: str
    run: Run
    table: pl.DataFrame = field(repr=False)


@dataclass(frozen=True)
class Differing:
    """One source sentence and what each system made of it."""

    source: Example
    renderings: list[tuple[str, Example]]

    @property
    def together(self) -> list[tuple[str, Example]]:
        """The renderings with the names of all systems that gave them: ten systems need not be read ten times."""
        alike: dict[tuple[str, str, str], tuple[list[str], Example]] = {}
        for name, given in self.renderings:
            text = "".join(piece.text for piece in given.rendering)
            alike.setdefault((text, given.gender, given.remark), ([], given))[0].append(name)
        return [(", ".join(names), given) for names, given in alike.values()]


def name_all(runs: Sequence[Run]) -> list[Named]:
    """Short names that distinguish the runs: the system, then what else is needed (language, folder, number)."""
    return [Named(name, run, first_answers(run.table)) for name, run in zip(names_of(runs), runs, strict=True)]


def common_measures(runs: Sequence[Run]) -> list[str]:
    """Overall measures that every run has, in the first run's order."""
    measured = [set(_overall(r)["measure"].to_list()) for r in runs]
    return [m for m in _overall(runs[0])["measure"].to_list() if all(m in f for f in measured)]


def lead_measure(runs: Sequence[Run]) -> str | None:
    """What the opening sentences speak about: what was asked for, else accuracy where a gender is stated, else how
    gender is kept open."""
    return next((m for m in (*LEAD, "TFG", "share_female") if m in common_measures(runs)), None)


def overall_rows(named: Sequence[Named]) -> pl.DataFrame:
    """Every overall estimate of every run, with the run's name as `level`."""
    parts = [_overall(n.run).with_columns(pl.lit(n.name).alias("level")) for n in named]
    return pl.concat(parts, how="diagonal")


def figures(named: Sequence[Named]) -> list[Figure]:
    """What came out for each system, every common measure on one scale, and share female by group."""
    outcomes = came_out([(n.name, n.table) for n in named], "What came out, system by system")
    return [*_leading(named), outcomes, *_overall_measures(named), *_by_group(named)]


def _leading(named: Sequence[Named]) -> list[Figure]:
    """The measure the finding is about, with the interval of every system."""
    measure = lead_measure([n.run for n in named])
    if measure is None:
        return []
    rows = overall_rows(named).filter(pl.col("reference").is_null())
    if not rows.filter(pl.col("measure") == measure, pl.col("value").is_not_null()).height:
        return []
    words, levels = wording(measure), interval_words(*(n.run.manifest.level for n in named))
    caption = f"{words.title}: {words.explanation}. Lines are {levels}s."
    return [basic.one_measure([("", rows)], measure, Heading("leading", words.title, caption))]


UNITS = {
    "percent": (
        "Every share and accuracy",
        "Each in percent, with {}s; the numbers below explain each.",
    ),
    "points": ("Every gap", "Differences in points, with {}s; 0 is even."),
    "number": ("Every index", "Indices with {}s; the numbers below explain each."),
    "score": ("Translation quality", "Scores from 0 to 100 with {}s."),
}


def _overall_measures(named: Sequence[Named]) -> list[Figure]:
    """The common measures, one chart per unit: all systems on the same scale."""
    wanted = common_measures([n.run for n in named])
    rows = pl.concat([_overall(n.run).with_columns(pl.lit(n.name).alias("system")) for n in named], how="diagonal")
    made = []
    words = interval_words(*(n.run.manifest.level for n in named))
    for unit, (title, caption) in UNITS.items():
        measures = {m: wording(m).title for m in wanted if wording(m).unit == unit}
        data = rows.filter(pl.col("measure").is_in(list(measures)) & pl.col("value").is_not_null())
        if data.height:
            titles = pl.col("measure").replace_strict(measures, return_dtype=pl.String)
            data = data.with_columns(level=pl.concat_str(titles, "reference", separator=" · ", ignore_nulls=True))
            heading = Heading(f"measures-{unit}", title, caption.format(words))
            if len(named) > basic.MARKED:
                groups = data.group_by(["level"], maintain_order=True)
                parts = [(str(level), table) for (level,), table in groups]
                made.append(basic.systems_by_measure(parts, unit, heading))
            else:
                made.append(basic.by_system([("", data)], unit, heading))
    return made


def _by_group(named: Sequence[Named]) -> list[Figure]:
    """The share of women, or the accuracy, by every grouping that can be drawn: one figure, one panel per grouping."""
    made = []
    words = interval_words(*(n.run.manifest.level for n in named))
    marked = "system" if len(named) <= basic.MARKED else "group, one row per system"
    for measure in ("share_female", "accuracy"):
        parts = []
        for grouping in named[0].run.manifest.suite.groupings:
            wanted = (pl.col("group") == grouping.name) & (pl.col("measure") == measure) & (pl.col("variant") == "raw")
            tables = [
                grouped(n.run.estimates).filter(wanted).with_columns(pl.lit(n.name).alias("system")) for n in named
            ]
            rows = pl.concat(tables, how="diagonal")
            if 1 < rows["level"].n_unique() <= LEVELS and rows["system"].n_unique() == len(named):
                parts.append((f"by {grouping_title(grouping.name)}", labelled(rows)))
        if parts:
            title = f"{wording(measure).title} {parts[0][0] if len(parts) == 1 else 'by group'}"
            heading = Heading(f"{measure}-by-group", title, f"One mark per {marked}; lines are {words}s.")
            made.append(basic.by_system(parts, "percent", heading, ordered=True))
    return made


def _differing(named: Sequence[Named]) -> pl.DataFrame:
    """Common renderings whose verdicts differ: the key, the first cluster, gender and confidence of each system."""
    cluster = _cluster(named)
    columns = [*KEYS, *([cluster] if cluster else [])]
    joined = named[0].table.select(*columns, pl.col("gender").alias("g0"), pl.col("confidence").alias("c0"))
    for number, n in enumerate(named[1:], start=1):
        other = n.table.select(*KEYS, pl.col("gender").alias(f"g{number}"), pl.col("confidence").alias(f"c{number}"))
        joined = joined.join(other, on=KEYS, how="inner", maintain_order="left")
    return joined.filter(pl.concat_list(_genders(named)).list.n_unique() > 1)


def _cluster(named: Sequence[Named]) -> str | None:
    return next((c for c in named[0].run.manifest.suite.clusters if c in named[0].table.columns), None)


def _genders(named: Sequence[Named]) -> list[str]:
    return [f"g{i}" for i in range(len(named))]


def typical_differences(named: Sequence[Named]) -> tuple[str, list[Differing]]:
    """Typical sentences on which the systems differ, in proportion to each way to differ; first how they were drawn."""
    differ, cluster, seed = _differing(named), _cluster(named), named[0].run.manifest.seed
    way = differ.select(way=pl.concat_str(_genders(named), separator=" ")).to_series()
    rows = draw(way, differ[cluster] if cluster else None, seed=seed) if differ.height else []
    by = "way to differ"
    rule = drawn_words(differ.height, "renderings on which they differ", by, cluster, seed)
    return rule, _side_by_side(named, differ[rows].select(KEYS))


def differing_sentences(named: Sequence[Named], shown: int = SHOWN) -> tuple[int, list[Differing]]:
    """How many sentences systems disagree on, and the most telling: one says female, another male, all of them sure."""
    differ, genders, cluster = _differing(named), _genders(named), _cluster(named)
    opposed = pl.any_horizontal([pl.col(g) == "female" for g in genders]) & pl.any_horizontal(
        [pl.col(g) == "male" for g in genders]
    )
    sure = pl.min_horizontal([pl.col(f"c{i}") for i in range(len(named))]).fill_null(0.0)
    ranked = differ.sort(opposed, sure, descending=True, maintain_order=True)
    if cluster:
        ranked = ranked.unique(cluster, keep="first", maintain_order=True)
    return differ.height, _side_by_side(named, ranked.head(shown).select(KEYS))


def _side_by_side(named: Sequence[Named], chosen: pl.DataFrame) -> list[Differing]:
    rows = [chosen.join(n.table, on=KEYS, how="left", maintain_order="left").to_dicts() for n in named]
    return [
        Differing(example(per[0]), [(n.name, example(row)) for n, row in zip(named, per, strict=True)])
        for per in zip(*rows, strict=True)
    ]


def _overall(run: Run) -> pl.DataFrame:
    return run.estimates.filter((pl.col("group") == ALL) & (pl.col("variant") == "raw"))
