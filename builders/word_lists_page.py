"""docs/word-lists.md (what changed in the word lists, and why) and the two pages of concepts that every language has.

python builders/word_lists_page.py
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.languages import name_of
from evenhand.suites.history import changes
from evenhand.suites.pronouns.lexicon import LEXICON, items, occupations

DOCS = Path(__file__).resolve().parents[1] / "docs"
CONCEPTS = {"concepts.md": "0123", "concepts-trades.md": "456789"}  # major groups of ISCO-08
MARK = {"narrower": "<", "wider": ">"}
HEAD = """# The word lists

This page lists which words of the pronoun suites changed between versions, and why. [Concepts](concepts.md) and
[trades](concepts-trades.md) list the current forms: one list of concepts, and one list of forms per language.

We wrote the lists, checked them by rule (`tests/suites/word_list_rules.py`), and compared Hungarian, Turkish, Basque,
Indonesian and Finnish with open dictionaries. **No native speaker has read them yet.** Earlier versions still load
(`evenhand audit pronouns-hungarian@1.0 ...`); `evenhand suites diff pronouns-hungarian@1.0 pronouns-hungarian` lists
the sentences that changed.

Some titles apply to everyone but have a common feminine partner (tanár, tanárnő), or name a gender in their form
(Estonian õde, "sister"). The lists keep and mark them; `evenhand audit pronouns-hungarian --only marked= ...` leaves
them out. A Hungarian title is marked if the partner of its head is in wordfreq's Hungarian list or in a monolingual
dictionary (költőnő, gépírónő, eladónő).

Persian joins the copula after final alef and after /u/ (نانواست, ترسوست), as the Academy of Persian Language and
Literature writes it.

This page is made by `python builders/word_lists_page.py`.
"""


def pages() -> dict[str, str]:
    """The pages by file name."""
    tables = {name: _comparable(groups) for name, groups in CONCEPTS.items()}
    return {"word-lists.md": "\n".join([HEAD, _changes(), _scopes()]), **tables}


def _changes() -> str:
    table = changes().filter(pl.col("key") != "*").fill_null("–")
    lines = ["## What changed", "", "| Version | Language | Concept | Old | New | Why |", "|---|---|---|---|---|---|"]
    for version, language, key, old, new, why in table.drop("table", "column").iter_rows():
        lines.append(f"| {version} | {name_of(language)} | {key} | {old} | {new} | {why} |")
    return "\n".join([*lines, ""])


def _scopes() -> str:
    lines = ["## Forms that cover less or more than their concept", ""]
    scope = tsv.rows(LEXICON / "scope.tsv")
    return "\n".join(
        [*lines, *(f"- {name_of(r['language'])}, {r['concept']} ({r['scope']}): {r['why']}" for r in scope), ""]
    )


def _comparable(groups: str) -> str:
    """The core concepts of some major groups and their forms; a form that covers less or more has a sign."""
    scope = {(row["language"], row["concept"]): row["scope"] for row in tsv.rows(LEXICON / "scope.tsv")}
    forms = {
        code: dict(items(code).select("concept", "form").iter_rows())
        for code in sorted(path.stem for path in (LEXICON / "forms").glob("*.tsv"))
    }
    core = occupations().filter(pl.col("core") == "1", pl.col("isco08").str.slice(0, 1).is_in(list(groups)))
    lines = [
        f"# Concepts, ISCO-08 major groups {groups[0]} to {groups[-1]}",
        "",
        "This page lists the occupations that the pronoun suites use in every language, with their ISCO-08 group.",
        "A form marked < covers less than the concept, one marked > covers more: compare languages on the other",
        "forms. [Word lists](word-lists.md) has the reasons.",
        "",
        f"| Concept | ISCO-08 | {' | '.join(name_of(code) for code in forms)} |",
        f"|---|---|{'---|' * len(forms)}",
    ]
    for concept, group in core.select("concept", "isco08").iter_rows():
        cells = []
        for code, known in forms.items():
            sign = MARK[scope[code, concept]] + " " if (code, concept) in scope else ""
            cells.append(sign + known.get(concept, "–"))
        lines.append(f"| {concept} | {group} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
