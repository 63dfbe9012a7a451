"""Lines that can name a person, found in columns: most lines name nobody and need no tagger."""

from __future__ import annotations

import polars as pl

from evenhand.persons.lexicon import PersonLexicon

_PIECES = r"\p{L}+"


class Prefilter:
    """True for every line in which `LexiconFinder.marks` could mark a person; true for a few more."""

    def __init__(self, lexicon: PersonLexicon) -> None:
        nouns = [noun for noun in lexicon.nouns.values() if noun.share >= lexicon.threshold]
        words = {*(noun.noun for noun in nouns), *(noun.plural for noun in nouns), "people", *lexicon.gendered}
        self._single = pl.Series(sorted(word for word in words if word.isalpha()), dtype=pl.String)
        self._joined = sorted(word for word in words if not word.isalpha())  # ma'am, passer-by

    def __call__(self, texts: pl.Series) -> pl.Series:
        low = texts.str.to_lowercase().str.replace_all("’", "'", literal=True)
        lines = pl.DataFrame({"line": pl.int_range(len(texts), eager=True), "piece": low.str.extract_all(_PIECES)})
        named = lines.explode("piece").filter(pl.col("piece").is_in(self._single.implode()))["line"].unique()
        return low.str.contains_any(self._joined) | lines["line"].is_in(named.implode())
