"""Words and their forms by a table of paradigms, for a language without an open dictionary.

`paradigms.tsv`: part, lemma (the ending of the dictionary form, or "=" and the whole word), gender, singular, plural
(the endings by case). Nouns are those of the lexicon; adjectives, past tenses, participles are read by their endings.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import cast

from evenhand.grammar.families.lexemes import Cell, Entry
from evenhand.grammar.families.morphology import Parse
from evenhand.remembered import remembered
from evenhand.tsv import rows

CASES = ("nomn", "gent", "datv", "accs", "loct", "ablt")
GENDERS = {"f": "femn", "m": "masc", "n": "neut"}
PARTS = {
    "noun": Cell("NOUN", other=frozenset({"anim"})),
    "adjective": Cell("ADJF"),
    "determiner": Cell("ADJF", other=frozenset({"Apro"})),
    "past": Cell("VERB", tense="past"),
    "short": Cell("ADJS"),
}
Form = tuple[str, Cell]


class Paradigms:
    """`nouns`: dictionary forms with their gender letter."""

    def __init__(self, path: Path, nouns: Iterable[tuple[str, str]]) -> None:
        self._listed = tuple(dict.fromkeys(nouns))
        self._rows: dict[tuple[str, str], list[Form]] = defaultdict(list)  # by part (and gender of a noun), lemma
        for row in rows(path):
            kind = row["part"] + (row["gender"] if row["part"] == "noun" else "")
            self._rows[kind, row["lemma"]] += _forms(row)
        self._lexeme = remembered(self._inflected, mebibytes=16)

    @cached_property
    def _nouns(self) -> dict[str, list[Entry]]:
        """Every form of a listed noun."""
        found: dict[str, list[Entry]] = defaultdict(list)
        for lemma, gender in self._listed:
            for entry in self._lexeme(f"noun{gender}", lemma):
                found[entry.word].append(entry)
        return found

    @cached_property
    def _by_ending(self) -> list[tuple[str, str, str]]:
        """Endings with their paradigm, and the whole words."""
        found = {(kind, lemma, form) for (kind, lemma), forms in self._rows.items() for form, _ in forms}
        return sorted((one for one in found if not one[0].startswith("noun")), key=lambda one: (-len(one[2]), one))

    def parse(self, low: str) -> list[Parse]:
        """The readings of a word, nouns first."""
        found = list(self._nouns.get(low, ()))
        for kind, lemma, form in self._by_ending:
            whole, least = lemma.startswith("="), len(form) + (2 if len(form) < 3 else 0)  # šla is a word, la none
            if not (low == form if whole else low.endswith(form) and len(low) >= least):
                continue
            name = lemma[1:] if whole else low.removesuffix(form) + lemma
            if self._fitting(kind, name) == lemma:
                found += [entry for entry in self._lexeme(kind, name) if entry.word == low]
        return cast("list[Parse]", found)

    def _fitting(self, kind: str, lemma: str) -> str:
        """The paradigm of a dictionary form: its own, or that of its longest ending."""
        if (kind, f"={lemma}") in self._rows:
            return f"={lemma}"
        return next((lemma[i:] for i in range(len(lemma)) if (kind, lemma[i:]) in self._rows), "")

    def _inflected(self, kind: str, lemma: str) -> tuple[Entry, ...]:
        ending = self._fitting(kind, lemma)
        stem = "" if ending.startswith("=") else lemma.removesuffix(ending)
        forms = partial(self._lexeme, kind, lemma)
        return tuple(Entry(stem + form, lemma, cell, forms) for form, cell in self._rows.get((kind, ending), ()))


def _forms(row: dict[str, str]) -> Iterator[Form]:
    part = PARTS[row["part"]]
    for number, forms in (("sing", row["singular"].split()), ("plur", row["plural"].split())):
        for case, several in zip(CASES, forms, strict=False) if len(forms) > 1 else product([None], forms):
            for form in several.split("/") if several != "-" else ():
                yield form, part._replace(gender=GENDERS[row["gender"]], number=number, case=case)
