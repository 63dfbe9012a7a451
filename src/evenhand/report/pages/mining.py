"""What a mining run shows: the funnel, the words of the pairs with their ratio, the pairs at risk."""

import polars as pl

from evenhand.report.charts.figure import Figure
from evenhand.report.pages import sentences
from evenhand.report.pages.kinds import Shown, limits
from evenhand.report.pages.typical import Typical, allot
from evenhand.report.words.headlines import Headline, headline
from evenhand.report.words.tables import TextTable
from evenhand.report.words.vocabulary import language, valued, wording
from evenhand.results.findings import Findings

WORDS, PAIRS = 20, 25
LEADING = 3  # pairs, six sentences
SHARE, RATIO = "share_masculine", "log_ratio"
RISKS = ("at risk", "not at risk")


def shown(findings: Findings) -> Shown:
    """The page's and the terminal's content."""
    words = [section for code in _codes(findings) for risk in RISKS for section in _words(findings, code, risk)]
    funnel = [(step, what, f"{n:,}") for step, what, n in _steps(findings).iter_rows()]
    counted = TextTable("Funnel", ("step", "what", "count"), funnel)
    return Shown(
        answer=_answer(findings),
        sections=[_by_language(findings), counted, *words],
        limits=limits("mining"),
        figures=lambda: _figures(findings),
        typical=_typical(findings),
        template="mining.html",
        context={"pairs": [_pairs(findings, code) for code in _codes(findings)]},
    )


def _codes(findings: Findings) -> list[str]:
    return findings.manifest.parts["target"].split(",")


def _steps(findings: Findings) -> pl.DataFrame:
    """The funnel up to the translation, which all languages share."""
    return findings.tables["funnel"].filter(~pl.col("step").is_in(_codes(findings)))


def _by_language(findings: Findings) -> TextTable:
    """What came of the pairs: a row per outcome, a column per language."""
    codes = _codes(findings)
    table = findings.tables["funnel"].filter(pl.col("step").is_in(codes))
    kinds = table["what"].unique(maintain_order=True)
    rows = [(what, *(f"{_count(findings, code, what):,}" for code in codes)) for what in kinds]
    return TextTable("Pairs by language", ("outcome", *map(language, codes)), rows)


def _count(findings: Findings, step: str, what: str) -> int:
    return int(findings.tables["funnel"].filter(step=step, what=what)["count"].sum())


def _answer(findings: Findings) -> Headline:
    kept, pairs = _count(findings, "person", "kept"), _count(findings, "perturb", "pairs")
    at_risk = {code: _count(findings, code, "at risk") for code in _codes(findings)}
    listed = ", ".join(
        f"{number:,} {'is' if number == 1 else 'are'} at risk into {language(code)}" for code, number in at_risk.items()
    )
    setting = (
        f"Of {_count(findings, 'text', 'distinct sentences'):,} distinct sentences, {kept:,} have one person of open "
        "gender; we replaced one word in each and translated both."
    )
    some = "pairs at risk" if any(at_risk.values()) else "no pairs at risk"
    return headline(some if pairs else "no pairs", setting, {"pairs": f"{pairs:,}", "listed": listed})


def _typical(findings: Findings) -> Typical | None:
    """Pairs at risk, in proportion to each language's share; the table has them in random order."""
    table = findings.tables["examples"]
    at_risk = {code: _count(findings, code, "at risk") for code in _codes(findings)}
    places = allot({code: number for code, number in at_risk.items() if number}, LEADING)
    halves = [table.filter(pl.col("target_lang") == code).head(2 * number) for code, number in places.items()]
    examples = [
        sentences.example(row, remark=str(row["role"])) for rows in halves for row in rows.iter_rows(named=True)
    ]
    shared = ", in proportion to each language's share" if len(at_risk) > 1 else ""
    rule = (
        f"Random pairs (seed {findings.manifest.seed}) out of {sum(at_risk.values()):,} at risk{shared}; each original "
        "is followed by its substitute."
    )
    return Typical(rule, examples, "Typical pairs") if examples else None


def _group(findings: Findings, code: str, risk: str) -> pl.DataFrame:
    return findings.estimates.filter(pl.col("group") == f"{code}, {risk}")


def _words(findings: Findings, code: str, risk: str) -> list[TextTable]:
    """The most frequent words, with counts; no section where there is no word."""
    rows = _group(findings, code, risk)
    shares = rows.filter(pl.col("measure") == SHARE).head(WORDS).to_dicts()
    ratios = {row["level"]: row for row in rows.filter(pl.col("measure") == RATIO).iter_rows(named=True)}
    if not shares:
        return []
    cells = []
    for share in shares:
        masculine = round(share["value"] * share["n"])
        values = [
            valued(r["value"], r["low"], r["high"], wording(r["measure"]).unit) for r in (share, ratios[share["level"]])
        ]
        cells.append((share["level"], str(masculine), str(share["n"] - masculine), *values))
    total = rows["level"].n_unique()
    lead = f"The {len(cells)} most frequent of {total:,} words; a sentence in several pairs counts once."
    columns = ("word", "masculine", "feminine", wording(SHARE).title, wording(RATIO).title)
    return [TextTable(f"Words in pairs {risk}, into {language(code)}", columns, cells, lead)]


def _pairs(findings: Findings, code: str) -> sentences.SentenceSection:
    rows = findings.tables["examples"].filter(pl.col("target_lang") == code).head(2 * PAIRS)
    examples = [sentences.example(row, remark=str(row["role"])) for row in rows.iter_rows(named=True)]
    return sentences.SentenceSection(
        f"pairs-{code}",
        f"Pairs at risk into {language(code)}",
        "random, each original followed by its substitute",
        _count(findings, code, "at risk"),
        examples,
    )


def _figures(findings: Findings) -> list[Figure]:
    from evenhand.report.charts import basic
    from evenhand.report.charts.figure import Heading

    at_risk = [(language(code), _count(findings, code, "at risk")) for code in _codes(findings)]
    counted = pl.DataFrame(at_risk, schema={"level": pl.String, "count": pl.Int64}, orient="row")
    caption = "Pairs with one masculine and one feminine rendering."
    made = [basic.amounts(counted, Heading("at-risk", "Pairs at risk by language", caption), log=False)]
    steps = _steps(findings).select((pl.col("step") + ": " + pl.col("what")).alias("level"), "count")
    caption = "What each step keeps and drops. Bars are on a logarithmic scale."
    made.append(basic.amounts(steps, Heading("funnel", "Funnel", caption)))
    for code in _codes(findings):
        for risk in RISKS:
            rows = _group(findings, code, risk).filter(pl.col("measure") == SHARE).head(WORDS)
            if rows.height:
                title = f"Words in pairs {risk}, into {language(code)}"
                caption = f"{wording(SHARE).title} of the {rows.height} most frequent words; lines are intervals."
                heading = Heading(f"words-{code}-{risk.replace(' ', '-')}", title, caption)
                made.append(basic.one_measure([("", rows)], SHARE, heading, ordered=False))
    return made
