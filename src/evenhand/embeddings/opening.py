"""Open a study: are the files in the right languages, do the lists fit, are the two languages in one space?"""

from __future__ import annotations

import numpy as np

from evenhand.embeddings import coverage
from evenhand.embeddings.alignment import Dictionary, english_first
from evenhand.embeddings.mitigation import Space
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import WordLists
from evenhand.errors import BadInput


def open_space(
    gendered: Vectors,
    lists: WordLists,
    *,
    english: Vectors | None = None,
    dictionary: Dictionary | None = None,
    refine: int = 2,
    any_language: bool = False,
) -> tuple[Space, list[str]]:
    """Check languages and coverage, then bring English into the gendered space. Returns the space and warnings."""
    warnings = [] if any_language else coverage.check_language(gendered, lists.language)
    if english is not None and not any_language:
        warnings += coverage.check_language(english, "en")
    warnings += coverage.check_coverage(coverage.coverage(gendered, lists, english))
    alike = [p for p in lists.occupations if p.masculine in gendered and p.feminine in gendered]
    alike = [p for p in alike if gendered.pair(p.masculine, p.feminine) is None]
    if alike:
        first = f"{alike[0].masculine}/{alike[0].feminine}"
        warnings.append(f"{len(alike)} occupations have one vector for both forms and are left out, as {first}")
    if english is None:
        if dictionary is not None:
            warnings.append("a dictionary without English vectors is not used")
        return Space(gendered), warnings
    if gendered.dim != english.dim:
        raise BadInput(f"{gendered.name} has {gendered.dim} dimensions, {english.name} {english.dim}: not comparable")
    if dictionary is None:
        warnings.append("no dictionary: the two files are taken to be in one space already")
        _check_one_space(gendered, english, lists)
        return Space(gendered, english), warnings
    if not english_first(dictionary, english, gendered):
        dictionary = tuple((b, a) for a, b in dictionary)
    return Space(gendered, english, dictionary, refine).aligned(), warnings


def _check_one_space(gendered: Vectors, english: Vectors, lists: WordLists) -> None:
    """Words that translate each other must be nearer than words that do not, or the files are not aligned."""
    rows = [
        (e, m)
        for pair in lists.occupations
        if (e := english.row(pair.english)) is not None and (m := gendered.row(pair.masculine)) is not None
    ]
    if len(rows) < 3:
        return
    left, right = english.unit[[e for e, _ in rows]], gendered.unit[[m for _, m in rows]]
    cosines = left.astype(np.float64) @ right.T
    pairs = float(np.mean(np.diag(cosines)))
    others = float((cosines.sum() - np.trace(cosines)) / (cosines.size - len(rows)))
    if pairs - others < 0.05:
        raise BadInput(
            f"{gendered.name} and {english.name} are not in one space (translations have cosine {pairs:.2f}, "
            f"other words {others:.2f}): give a dictionary to align them (--dictionary)"
        )
