"""One self-contained HTML page for a study: tables, figures as inline SVG, and their numbers."""

from __future__ import annotations

from importlib.resources import files

from markupsafe import Markup

from evenhand import __version__
from evenhand.embeddings.directions import direction_lines
from evenhand.embeddings.figures import figures
from evenhand.embeddings.study import Study
from evenhand.embeddings.tables import between_table, bias_table, utility_table
from evenhand.report.page import asset, drawn, environment, policy

BIAS_NOTE = (
    "MWEAT near zero: both sets of forms are equally associated with their gender's words. Its one-sided p looks to "
    "the side the original leans to, the swap test respects the pairs; both are corrected (Holm) over the versions. "
    "Asymmetry left: the largest difference of the two forms' distances from the anchor on d_s among shifted pairs."
)
BETWEEN_NOTE = (
    "ASD: how much nearer the masculine form is to the English word (difference of cosines). F_MRR, M_MRR: how well a "
    "word pair is translated into the feminine and masculine form (mean reciprocal rank). gap: M_MRR minus F_MRR."
)
UTILITY_NOTE = "Change: against the original vectors, paired over the same words. Coverage stands in the column heads."


def study_page(study: Study) -> str:
    """The page's HTML. It loads nothing from anywhere."""
    text = files("evenhand.embeddings").joinpath("templates", "study.html").read_text(encoding="utf-8")
    parts = [("Bias before and after", BIAS_NOTE, bias_table(study))]
    if study.original.nearness or study.original.pair_translation:
        parts.append(("Between the two languages", BETWEEN_NOTE, between_table(study)))
    if study.original.similarity or study.original.translation:
        parts.append(("What the vectors are still good for", UTILITY_NOTE, utility_table(study)))
    space, s = study.original.space, study.settings
    script = asset("page.js")
    return (
        environment()
        .from_string(text)
        .render(
            title=f"Gender in word vectors: {study.language}",
            sources=" and ".join(v.name for v in (space.gendered, space.english) if v is not None),
            settings=f"seed {s.seed}, {s.permutations:,} permutations, {s.classifier.upper()}, {s.retrieval.upper()}",
            warnings=study.warnings,
            coverage=study.coverage,
            directions=direction_lines(study.directions),
            tables=[{"title": t, "note": n, "columns": c, "rows": r} for t, n, (c, r) in parts],
            impossible=[f"{name} was not run: {why}" for name, why in study.impossible.items()],
            figures=drawn(figures(study)),
            version=__version__,
            style=Markup(asset("style.css")),
            script=Markup(script),
            policy=policy(script),
        )
    )
