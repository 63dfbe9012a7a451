"""Words and their forms, in pymorphy3's tags, for languages that it does not know: by a table of paradigms, or by what
another dictionary generates (Polish).

`paradigms.tsv`: part, lemma (the ending of the dictionary form, or "=" and the whole word), gender, singular, plural
(the endings by case). Nouns are those of the lexicon; adjectives, past tenses, participles are read by their endings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import NamedTuple, cast

from evenhand.grammar.families.morphology import Parse
from evenhand.remembered import remembered
from evenhand.tsv import rows


class Cell(NamedTuple):
    """What a form is: the part of pymorphy3's tag that is used. `other` are further grammemes (anim, Name, Supr)."""

    POS: str
    gender: str | None = None
    number: str | None = None
    case: str | None = None
    tense: str | None = None
    person: str | None = None
    other: frozenset[str] = frozenset()

    @property
    def grammemes(self) -> frozenset[str]:
        return self.other.union(value for value in self[:-1] if value)


@dataclass(frozen=True, slots=True)
class Entry:
    """A reading of `word`; `forms` gives every form of its lemma."""

    word: str
    normal_form: str
    tag: Cell
    forms: Callable[[], Sequence[Entry]]
    is_known: bool = True

    @property
    def lexeme(self) -> Sequence[Entry]:
        return self.forms()

    @property
    def normalized(self) -> Entry:
        return next((one for one in self.lexeme if one.word == self.normal_form), self)

    def inflect(self, grammemes: set[str]) -> Entry | None:
        """The form of this number that has these grammemes and is else nearest to this one."""
        own, same = self.tag.grammemes, (self.tag.POS, self.tag.number)
        fits = (one for one in self.lexeme if (one.tag.POS, one.tag.number) == same and grammemes <= one.tag.grammemes)
        return max(fits, key=lambda one: 2 * len(own & one.tag.grammemes) - len(one.tag.other - own), default=None)


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
    def _by_ending(self) -> dict[str, list[tuple[str, str]]]:
        """The paradigms, and the whole words, that have an ending."""
        rows_ = sorted(row for row in self._rows.items() if not row[0][0].startswith("noun"))
        found: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        for paradigm, forms in rows_:
            for form, _ in forms:
                found[form][paradigm] = None
        return {form: list(paradigms) for form, paradigms in found.items()}

    def parse(self, low: str) -> list[Parse]:
        """The readings of a word, nouns first."""
        found = list(self._nouns.get(low, ()))
        for cut in range(len(low) + 1):
            short = len(low) - cut < 3 and cut < 2  # šla is a word, la none
            for kind, lemma in self._by_ending.get(low[cut:], ()):
                whole = lemma.startswith("=")
                if cut if whole else short:
                    continue
                name = lemma[1:] if whole else low[:cut] + lemma
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
