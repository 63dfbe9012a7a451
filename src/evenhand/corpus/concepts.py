"""What a person noun is called in the tables: its singular, or the occupation it ends ("police officer")."""

from __future__ import annotations

import polars as pl

from evenhand.persons.lexicon import PersonLexicon
from evenhand.suites.pronouns.lexicon import occupations

PRONOUN = "(pronoun)"  # the concept of a person that nothing but a pronoun names


class Concepts:
    """Persons by their singular in English; in two words only where the lexicon of occupations has them."""

    def __init__(self, lexicon: PersonLexicon) -> None:
        self._lexicon = lexicon
        self._pairs = frozenset(name for name in occupations()["english"].to_list() if name.count(" ") == 1)

    def of(self, source: str, start: int, end: int) -> str:
        """The concept of source[start:end]."""
        low = source[start:end].lower().replace("’", "'")
        entry = self._lexicon.look_up(low)
        noun = entry[0].noun if entry else self._singular(low)
        before = source[:start].rstrip().rpartition(" ")[2].lower()
        pair = f"{before} {noun}"
        return pair if before and pair in self._pairs else noun

    def _singular(self, low: str) -> str:
        """Of a gendered noun that is not in the lexicon of persons (mums)."""
        plural = self._lexicon.plurals.get(low)
        if plural is not None:
            return plural.noun
        one = low.removesuffix("s")
        return one if one != low and one in self._lexicon.gendered else low


def facts() -> pl.DataFrame:
    """What is known of occupations: concept (here the English noun), isco08, sector; each concept once."""
    table = occupations().select(pl.col("english").alias("concept"), "isco08", "sector")
    return table.unique("concept", keep="first", maintain_order=True)
