"""What a study of word vectors shows: its tables for terminal and page, its figures, what it does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenhand.report.kinds import Shown
from evenhand.report.narrative import Headline
from evenhand.report.text_tables import TextTable, crosstab
from evenhand.report.typical_words import study_words
from evenhand.report.vectors_answer import ORIGINAL, forms_answer, sets_answer
from evenhand.report.vocabulary import language
from evenhand.results.findings import Findings

if TYPE_CHECKING:
    from evenhand.report.charts import Figure

SECTIONS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "Gender directions",
        ("variance_explained", "d_g_accuracy", "cos(d_PCA, d_g)", "bias_across_languages"),
        "Of the original vectors: the first component of the definition pairs (d_PCA), how well grammatical gender can "
        "be told (d_g), how alike both are, and how well the bias of occupations agrees with English (Spearman).",
    ),
    (
        "Association of word sets and occupations",
        ("WEAT", "occupation_association", "occupations_nearer_male", "direct_bias"),
        "WEAT near zero: the two sets are equally near to male and female words; above zero the first is nearer to "
        "male words than the second. Its p is that of a two-sided test over splits of the words, corrected (Holm) over "
        "sets and versions. Occupations: mean association s, the share nearer to male words, mean size on d_PCA.",
    ),
    (
        "Bias before and after",
        ("MWEAT", "MWEAT_splits", "asymmetry", "inanimate_association", "residual_classifier"),
        "MWEAT near zero: both sets of forms are equally associated with their gender's words. Its p is that of the "
        "swap test, which respects the pairs; the paper's test splits all forms at random. Both are two-sided and "
        "corrected (Holm) over the versions. Asymmetry left: the largest difference of the two forms' distances from "
        "the anchor on d_s among shifted pairs.",
    ),
    (
        "Between the two languages",
        ("ASD", "masculine_nearer", "F_MRR", "M_MRR", "MRR_gap"),
        "ASD: how much nearer the masculine form is to the English word (difference of cosines). F_MRR, M_MRR: how "
        "well a word pair is translated into the feminine and masculine form (mean reciprocal rank).",
    ),
    (
        "What the vectors are still good for",
        ("Pearson", "Pearson_change", "Spearman", "P@1", "P@1_change", "P@5", "P@10"),
        "Change: against the original vectors, paired over the same words.",
    ),
)
LIMITS = (
    "Mitigation moves words along one direction. “Lean still readable” is the accuracy with which a classifier still "
    "tells the former lean of inanimate nouns from the mitigated vectors, grammatical gender taken out and balanced "
    "(after Gonen & Goldberg 2019): 50 % would mean that nothing is left.",
    "Association with gender words is a property of the texts the vectors were made from; it says nothing about a "
    "person or an occupation.",
    "Tests are exact where that is cheap, else sampled: p = (1 + hits) / (1 + n). Intervals resample pairs or words.",
    "Words without a vector are left out and counted: the table “coverage” names them.",
)


def shown(findings: Findings) -> Shown:
    """Sections for what was measured; the notes are the manifest's."""
    made = [
        crosstab(findings.estimates, measures, title=title, head="vectors", lead=lead)
        for title, measures, lead in SECTIONS
    ]
    sections = [table for table in made if table is not None]
    if "coverage" in findings.tables:
        rows = [list(map(str, row)) for row in findings.tables["coverage"].select("list", "covered", "asked").rows()]
        sections.append(TextTable("What was covered", ("list", "with a vector", "asked"), rows))

    def figures() -> list[Figure]:
        from evenhand.report.embeddings_charts import study_figures

        return study_figures(findings)

    mitigated = findings.estimates["measure"].is_in(["MWEAT", "residual_classifier"]).any()
    limits = LIMITS if mitigated else LIMITS[1:]
    return Shown(_answer(findings), sections, limits, figures, typical=study_words(findings, ORIGINAL))


def _answer(findings: Findings) -> Headline:
    """The original's association (or nearness, or precision) with its interval, and what the mitigations make of it."""
    info = findings.manifest
    name = language(info.parts.get("language"))
    asked = f"We measured how {name} word vectors place masculine and feminine words: {info.measured}."
    made = sets_answer if (findings.estimates["measure"] == "WEAT").any() else forms_answer
    return made(asked, findings.estimates, info.level)
