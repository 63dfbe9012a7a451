"""Open a study: read its files, check that they fit the lists and one another, bring both languages into one space."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from evenhand.embeddings import coverage
from evenhand.embeddings.alignment import Dictionary, english_first, read_dictionary
from evenhand.embeddings.files import load_vectors
from evenhand.embeddings.mitigation import Space
from evenhand.embeddings.named import Sources
from evenhand.embeddings.text_format import BadLines
from evenhand.embeddings.vectors import Match, Vectors
from evenhand.embeddings.wordlists import WordLists, hash_of
from evenhand.errors import BadInput

Stage = Callable[[str, float], None]  # what is being done, and how far it is


class Reader:
    """Loads vector files under one policy; collects what they complain about, and what a signature says of them."""

    def __init__(
        self, match: Match, *, top: int | None = None, bad_lines: BadLines = "error", stage: Stage | None = None
    ) -> None:
        self._match, self._top, self._bad_lines, self._stage = match, top, bad_lines, stage
        self.warnings: list[str] = []
        self.parts: dict[str, str] = {}

    def load(self, path: Path, *, part: str) -> Vectors:
        """The vectors of a file; `part` is what the signature calls them."""
        if self._stage is not None:
            self._stage(f"reading {path.name}", 0.0)
        vectors = load_vectors(path, top=self._top, match=self._match, bad_lines=self._bad_lines)
        self.warnings += [f"{path.name}: {warning}" for warning in vectors.notes.warnings()]
        self.parts[part] = ",".join(filter(None, (self.parts.get(part), vectors.signature)))
        return vectors

    def open(self, lists: WordLists, given: Sources, *, refine: int = 2, any_language: bool = False) -> Space:
        """Both languages checked and in one space."""
        pairs = read_dictionary(given.dictionary, self.warnings) if given.dictionary else None
        gendered = self.load(given.vectors, part="vectors")
        english = self.load(given.english, part="english") if given.english else None
        if given.dictionary:
            self.parts["dictionary"] = f"{given.dictionary.name}#{hash_of(pairs)}"
        if self._stage is not None:
            self._stage("aligning", 0.0)
        space, warnings = open_space(
            gendered, lists, english=english, dictionary=pairs, refine=refine, any_language=any_language
        )
        self.warnings += warnings
        return space


def _alike(gendered: Vectors, lists: WordLists) -> list[str]:
    """A warning where both forms of occupations have the same vector."""
    alike = [p for p in lists.occupations if p.masculine in gendered and p.feminine in gendered]
    alike = [p for p in alike if gendered.pair(p.masculine, p.feminine) is None]
    if not alike:
        return []
    first = f"{alike[0].masculine}/{alike[0].feminine}"
    return [f"{len(alike)} occupations have one vector for both forms and are left out, as {first}"]


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
    warnings += _alike(gendered, lists)
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
