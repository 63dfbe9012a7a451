"""docs/word-lists.md: what the word lists changed and why, and which concepts can be compared across languages.

python builders/word_lists_page.py
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.languages import name_of
from evenhand.suites.history import changes
from evenhand.suites.lint import languages
from evenhand.suites.pronouns.lexicon import LEXICON, items, occupations

PAGE = Path(__file__).resolve().parents[1] / "docs" / "word-lists.md"
MARK = {"narrower": "<", "wider": ">"}
HEAD = """# The word lists

The pronoun suites stand on one list of concepts and one list of forms a language. They were written for Evenhand,
checked by rule (`evenhand suites lint`), and in Hungarian, Turkish, Basque, Indonesian and Finnish against open
dictionaries. **No native speaker has read them yet.** An earlier version of a suite stays loadable
(`evenhand audit pronouns-hungarian@1.0 ...`), and `evenhand suites diff pronouns-hungarian@1.0 pronouns-hungarian`
lists the sentences that changed.

Some titles are said of everybody and yet have a common partner that names a woman (tanár, tanárnő), or name a gender in
their form (Estonian õde, "sister"). They are kept and marked: `evenhand audit pronouns-hungarian --only marked= ...`
leaves them out. A Hungarian title is marked when the partner of its head stands in wordfreq's Hungarian list, or in a
monolingual dictionary (költőnő, gépírónő, eladónő).

Persian joins the copula after final alef and after /u/ (نانواست, ترسوست), as the Academy of Persian Language and
Literature writes it.

This page is made by `python builders/word_lists_page.py`.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, _changes(), _comparable()])


def _changes() -> str:
    table = changes().filter(pl.col("key") != "*").fill_null("–")
    lines = ["## What changed", "", "| Version | Language | Concept | Old | New | Why |", "|---|---|---|---|---|---|"]
    for version, language, key, old, new, why in table.drop("table", "column").iter_rows():
        lines.append(f"| {version} | {name_of(language)} | {key} | {old} | {new} | {why} |")
    return "\n".join([*lines, ""])


def _comparable() -> str:
    """The core concepts and their forms; a form that covers less or more than its concept carries a sign."""
    scope = {(row["language"], row["concept"]): row for row in tsv.rows(LEXICON / "scope.tsv")}
    forms = {code: dict(items(code).select("concept", "form").iter_rows()) for code in languages()}
    core = occupations().filter(pl.col("core") == "1").select("concept", "isco08").iter_rows()
    lines = [
        "## What is comparable",
        "",
        "The concepts every language should have, with their group of ISCO-08. A form marked < covers less than the",
        "concept, one marked > more; compare languages on the others. Reasons stand below.",
        "",
        f"| Concept | ISCO-08 | {' | '.join(name_of(code) for code in forms)} |",
        f"|---|---|{'---|' * len(forms)}",
    ]
    for concept, group in core:
        cells = []
        for code, known in forms.items():
            sign = MARK[scope[code, concept]["scope"]] + " " if (code, concept) in scope else ""
            cells.append(sign + known.get(concept, "–"))
        lines.append(f"| {concept} | {group} | {' | '.join(cells)} |")
    reasons = [f"- {name_of(r['language'])}, {r['concept']} ({r['scope']}): {r['why']}" for r in scope.values()]
    return "\n".join([*lines, "", *reasons, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
