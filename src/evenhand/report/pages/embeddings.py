"""What a study of word vectors shows: its tables for terminal and page, its figures, what it does not say."""

from collections.abc import Mapping, Sequence

import polars as pl

from evenhand import tsv
from evenhand.level import alpha_of, interval_words
from evenhand.report.charts.figure import Figure
from evenhand.report.pages.kinds import Shown, limits
from evenhand.report.pages.typical import score_words, study_words
from evenhand.report.words.headlines import Headline, headline
from evenhand.report.words.tables import TextTable, crosstab
from evenhand.report.words.vocabulary import WORDS, language, show, show_p, span, valued, wording
from evenhand.results.findings import Findings


def shown(findings: Findings) -> Shown:
    """Sections for what was measured; the notes are the manifest's."""
    made = [
        crosstab(findings.estimates, row["measures"].split(";"), title=row["title"], head="vectors", lead=row["lead"])
        for row in tsv.rows(WORDS / "vector_tables.tsv")
    ]
    sections = [table for table in made if table is not None]
    if "coverage" in findings.tables:
        rows = [list(map(str, row)) for row in findings.tables["coverage"].select("list", "covered", "asked").rows()]
        sections.append(TextTable("What was covered", ("list", "with a vector", "asked"), rows))

    def figures() -> list[Figure]:
        from evenhand.report.charts.embeddings import study_figures

        return study_figures(findings)

    mitigated = findings.estimates["measure"].is_in(["MWEAT", "residual_classifier"]).any()
    limited = limits("embeddings", mitigated=bool(mitigated))
    return Shown(_answer(findings), sections, limited, figures, typical=study_words(findings, ORIGINAL))


def _answer(findings: Findings) -> Headline:
    """The original's association (or nearness, or precision) with its interval, and what the mitigations make of it."""
    info = findings.manifest
    name = language(info.parts.get("language"))
    setting = f"We measured how {name} word vectors place masculine and feminine words: {info.measured}."
    made = sets_answer if (findings.estimates["measure"] == "WEAT").any() else forms_answer
    return made(setting, findings.estimates, info.level)


# What a study of word vectors says first: of the two forms of nouns, or of the word sets of English.

ORIGINAL = "original"
WordRow = Mapping[str, object]
_FIRST = {
    "MWEAT": "forms even",  # they differ where interval and test say so
    "ASD": "forms and English",
    "P@1": "vectors, usefulness",
    "Pearson": "vectors, usefulness",
}


def forms_answer(setting: str, estimates: pl.DataFrame, level: float) -> Headline:
    """The first of MWEAT, ASD, P@1 and Pearson that the original vectors have, and what other versions make of it."""
    for measure, outcome in _FIRST.items():
        rows = estimates.filter((pl.col("measure") == measure) & pl.col("value").is_not_null())
        original = rows.filter(pl.col("level") == ORIGINAL).head(1)
        if original.is_empty():
            continue
        first, words = original.row(0, named=True), wording(measure)
        positive = first["value"] > 0
        of = f" ({first['reference']})" if first["reference"] else ""
        blanks = {
            "title": f"{words.title}{of}",
            "value": show(first["value"], words.unit),
            "bounds": _bounds(first, words.unit, level),
            "others": _others(rows, first, words.unit),
            "pairs": f"{first['n_decided']:,}",
            "stronger": "masculine" if positive else "feminine",
            "weaker": "feminine" if positive else "masculine",
            "nearer": _nearer(estimates),
        }
        differ = measure == "MWEAT" and significant(first, level)
        return headline("forms differ" if differ else outcome, setting, blanks)
    return headline("vectors, nothing", setting, {})


def sets_answer(setting: str, estimates: pl.DataFrame, level: float) -> Headline:
    """How many pairs of word sets differ in gender association, the farthest of them, and where the occupations lie."""
    rows = estimates.filter((pl.col("measure") == "WEAT") & pl.col("value").is_not_null())
    tests = rows.filter(pl.col("level") == ORIGINAL).sort(pl.col("value").abs(), descending=True).to_dicts()
    differing = [row for row in tests if significant(row, level)]
    blanks = {
        "tests": f"{len(tests):,}",
        "differing": f"{len(differing):,}",
        "farthest": _farthest((differing or tests)[0], level) + _further(differing[1:]),
        "others": _versions(rows, differing or tests[:1]),
    }
    outcome = "word sets differ" if differing else "word sets even"
    return headline(outcome, setting, blanks, further=_occupations(estimates, level))


def significant(row: WordRow, level: float) -> bool:
    """Whether interval and corrected test both say that a value is not 0."""
    low, high, p = row["low"], row["high"], row["p_adjusted"]
    if not isinstance(low, float) or not isinstance(high, float) or not isinstance(p, float):
        return False
    return not low <= 0 <= high and p < alpha_of(level)


def _bounds(row: WordRow, unit: str, level: float) -> str:
    interval = span(row["low"], row["high"], unit)
    p = row["p_adjusted"]
    bounds = [f"{interval_words(level)} {interval}" if interval else "no interval"]
    return ", ".join([*bounds, f"adjusted p {show_p(p)}"] if isinstance(p, float) else bounds)


def _others(rows: pl.DataFrame, first: WordRow, unit: str) -> str:
    """The same in the other versions: from the least to the largest."""
    same = pl.col("reference").eq_missing(pl.lit(first["reference"], pl.String))
    others = rows.filter((pl.col("level") != ORIGINAL) & same)
    if others.is_empty():
        return ""
    ends = [show(value, unit) for value in (others["value"].min(), others["value"].max())]
    versions = f"the {others.height} other versions" if others.height > 1 else others["level"][0]
    return f"; in {versions} it is {ends[0]}" + (f" to {ends[1]}" if ends[0] != ends[1] else "")


def _versions(rows: pl.DataFrame, tests: list[dict[str, object]]) -> str:
    if not tests or rows["level"].n_unique() < 2:
        return ""
    return f" (the first of these{_others(rows, tests[0], wording('WEAT').unit).replace(';', ',', 1)})"


def _nearer(estimates: pl.DataFrame) -> str:
    rows = estimates.filter((pl.col("measure") == "masculine_nearer") & (pl.col("level") == ORIGINAL))
    return show(rows["value"][0], "percent") if rows.height else "an unknown share"


def _farthest(row: WordRow, level: float) -> str:
    first, _, second = str(row["reference"]).partition(" – ")
    value = row["value"]
    towards = "male" if isinstance(value, float) and value > 0 else "female"
    against = f" than {second}" if second else ""
    return f"{first}, nearer to {towards} words{against}, WEAT {show(value)} ({_bounds(row, 'number', level)})"


def _further(tests: Sequence[WordRow]) -> str:
    """The names of the other pairs of sets that differ; their numbers are in the table."""
    return f"; further {', '.join(str(row['reference']) for row in tests)}" if tests else ""


def _occupations(estimates: pl.DataFrame, level: float) -> list[str]:
    original = estimates.filter(pl.col("level") == ORIGINAL)
    rows = {row["measure"]: row for row in original.iter_rows(named=True) if row["measure"] != "WEAT"}
    if "occupations_nearer_male" not in rows:
        return []
    nearer, mean = rows["occupations_nearer_male"], rows["occupation_association"]
    return [
        f"Of {nearer['n_decided']:,} occupations {valued(nearer['value'], nearer['low'], nearer['high'], 'percent')} "
        f"lie nearer to male than to female words; their mean association is "
        f"{valued(mean['value'], mean['low'], mean['high'])} (in brackets: {interval_words(level)}s; 0 is even)."
    ]


# What a ranking of words by gender score shows.


def ranking(findings: Findings) -> Shown:
    """The ranking, and how it agrees with a reference."""
    scores = findings.tables["scores"]
    ranking = [[word, f"{score:+.4f}"] for word, score in scores.select("word", "score").iter_rows()]
    sections = [TextTable("Words by gender score", ("word", "score"), ranking)]
    agreement = [
        f"{wording(row['measure']).title} {valued(row['value'], row['low'], row['high'])}, {row['n_decided']} words"
        for row in findings.estimates.iter_rows(named=True)
    ]
    outcome = "ranked against a statistic" if agreement else "ranked"
    blanks = {"first": scores["word"][0], "last": scores["word"][-1], "agreement": "; ".join(agreement)}

    def figures() -> list[Figure]:
        from evenhand.report.charts.embeddings import score_figures

        return score_figures(findings)

    setting = "We ranked words by how near word vectors place them to masculine and feminine words: "
    answer = headline(outcome, f"{setting}{findings.manifest.measured}.", blanks)
    return Shown(answer, sections, limits("word-scores"), figures, typical=score_words(findings))
