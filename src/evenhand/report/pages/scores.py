"""What a ranking of words by gender score shows."""

from evenhand.report.charts.figure import Figure
from evenhand.report.pages.kinds import Shown, limits
from evenhand.report.pages.typical import score_words
from evenhand.report.words.headlines import headline
from evenhand.report.words.tables import TextTable
from evenhand.report.words.vocabulary import valued, wording
from evenhand.results.findings import Findings


def shown(findings: Findings) -> Shown:
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
