"""The forms of German words: determiners and pronouns by table, adjectives by ending, nouns for persons by partner.

`partners.tsv` lists nouns that go their own way; a compound follows its last part.
    masculine, feminine   nominative singular; feminine may be empty: then -in
    plural                of the masculine; empty: by the rules
    kind                  weak (den Studenten), strong, or empty: by the ending
    only                  f or m where a row serves one direction only (Krankenschwester: Krankenpfleger), x: none
`endings.tsv` lists, by role, the endings that say how all others go. All words are lower case; cases are n, g, d, a.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from evenhand.grammar.lexicon import PERSON, Column
from evenhand.grammar.protocol import cells, cells_of
from evenhand.remembered import remembered
from evenhand.tsv import rows

CASES = "ngda"
UMLAUT = {"au": "äu", "a": "ä", "o": "ö", "u": "ü"}
PLAIN = {new: old for old, new in UMLAUT.items()}
LAST_VOWEL = re.compile(r"(au|[aou])(?=[^aeiouäöüy]+$)")
LAST_UMLAUT = re.compile(r"(äu|[äöü])(?=(?:[^aeiouäöüy]|er$)*$)")
ENDINGS = ("em", "en", "er", "es", "e")  # of adjectives
MIXED = ("ein", "kein", "mein", "dein", "sein", "ihr", "unser", "euer", "eur", "irgendein")
FEMININE_PLURALS = {"mutter": "mütter", "tochter": "töchter"}
SHORT = ("e", "bauer", "nachbar", "herr", "er", "ar")  # weak nouns with -n for -en


def listed_words(path: Path) -> dict[str, tuple[str, ...]]:
    """A table of roles and their words."""
    return {row["role"]: tuple(row["words"].split()) for row in rows(path)}


class Table:
    """Closed paradigms: forms of one lemma by gender, number and case."""

    def __init__(self, path: Path, **chosen: str) -> None:
        self.lemmas: dict[str, str] = {}
        self.cells: dict[str, int] = {}
        self._forms: dict[str, list[tuple[str, int]]] = {}
        for row in rows(path):
            if all(row[column] == value for column, value in chosen.items()):
                mask = cells_of(row)
                self.lemmas.setdefault(row["form"], row["lemma"])
                self.cells[row["form"]] = self.cells.get(row["form"], 0) | mask
                self._forms.setdefault(row["lemma"], []).append((row["form"], mask))

    def form(self, low: str, gender: str, number: str, case: str) -> str | None:
        """The form of the same lemma; a preposition and its article may become two words (bei der)."""
        lemma = self.lemmas.get(low)
        if not lemma:
            return None
        mask = cells(gender, number, case)
        found = next((form for form, own in self._forms[lemma] if own & mask), None)
        preposition, _, article = lemma.partition(" ")
        if found is None and article:
            return f"{preposition} {self.form(article, gender, number, case)}"
        return found

    def contracted(self, preposition: str, article: str) -> str | None:
        """zum for zu dem; None where both stay."""
        joined = self._forms.get(f"{preposition} der", ())
        return next((form for form, own in joined if own & self.cells.get(article, 0)), None)


class Partner(NamedTuple):
    """One row of the table of nouns."""

    masculine: str
    feminine: str
    plural: str
    kind: str
    only: str

    @property
    def woman(self) -> str:
        return self.feminine or f"{self.masculine.removesuffix('e')}in"


class Declension:
    """Endings of adjectives; `weak` and `strong` are their cells with and without a determiner before them."""

    def __init__(self, path: Path) -> None:
        self._tables = {kind: Table(path, kind=kind) for kind in ("weak", "mixed", "strong")}
        weak, mixed, strong = (table.cells for table in self._tables.values())
        self.weak = {end: weak.get(end, 0) | mixed.get(end, 0) for end in ENDINGS}
        self.strong = strong

    def ending(self, determiner: str, gender: str, case: str) -> str:
        """Of an adjective in the singular after this determiner ("" for none)."""
        stem = re.sub(r"(?<=ein|[hs]er|ihr|eur)(?:e[rsnm]?)$", "", determiner)
        kind = "strong" if not determiner else "mixed" if stem in MIXED else "weak"
        return self._tables[kind].form("en", gender, "s", case) or ""

    def alone(self, low: str, gender: str) -> str:
        """A determiner without a noun, in its case: einer der Besten, keinen von ihnen."""
        end = next(end for end in ENDINGS if low.endswith(end))
        return low.removesuffix(end) + self.ending("", gender, {"em": "d", "en": "a"}.get(end, "n"))


class Nouns:
    """Nouns for persons; `known` are the columns (female, male) of the lexicon's forms."""

    def __init__(self, folder: Path, known: Mapping[str, int]) -> None:
        self.known = known
        table = [Partner(**row) for row in rows(folder / "partners.tsv")]
        self._rows = {row.masculine: row for row in table}
        self._masculine = {row.masculine: row for row in table if row.only in {"", "f"}}
        self._feminine: dict[str, Partner] = {}
        for row in table:
            if row.only in {"", "m"}:
                self._feminine.setdefault(row.woman, row)
        self._neutral = {word: row for row in rows(folder / "neutral.tsv") for word in row["words"].split()}
        self._plurals = {row.plural: row.masculine for row in table if row.plural}
        self._endings = listed_words(folder / "endings.tsv")
        self.lemma = remembered(self.lemma)  # type: ignore[method-assign]
        self.column = remembered(self.column)  # type: ignore[method-assign]

    def form(self, low: str, gender: str, number: str, case: str) -> str | None:
        """The noun of this gender for the same person; None where none is known."""
        if gender == "m":
            masculine = self._to_masculine(low)
            return self.inflected(masculine, number, case) if masculine else None
        lemma = self.lemma(low)
        feminine = self._to_feminine(lemma) if lemma else None
        return feminine and (feminine if number == "s" else self._women(feminine))

    def neutral(self, low: str, gender: str) -> tuple[str, dict[str, str]] | None:
        """What precedes the last part of a compound, and the row of words for a person of any gender; None where the
        table has none."""
        lemma = (self.lemma(low) if gender == "m" else self._to_masculine(low)) or ""
        cuts = (cut for cut in range(len(lemma) - 3) if lemma[cut:] in self._neutral)
        return next(((lemma[:cut], self._neutral[lemma[cut:]]) for cut in cuts), None)

    def column(self, low: str) -> int:
        """Column.FEMALE or Column.MALE for a form of a noun for persons that the tables know; else 0."""
        if low.endswith(("in", "innen")):
            lemma = low[:-3] if low.endswith("innen") else low
            return Column.FEMALE if self.part(lemma, Column.FEMALE) else 0
        if self._listed(self._feminine, low):
            return Column.FEMALE
        bases = (base for base in self._bases(low) if self.part(base, Column.MALE) and not self._no_person(base))
        return Column.MALE if low in self._masculine or any(low in self.all_forms(base) for base in bases) else 0

    def part(self, low: str, column: int) -> bool:
        """The lexicon knows the noun, or its last part."""
        return any(self._is(low[cut:], column) for cut in range(max(1, len(low) - 3)))

    def all_forms(self, lemma: str, numbers: str = "sp") -> set[str]:
        """All forms of a masculine noun."""
        return {self.inflected(lemma, number, case) for number in numbers for case in CASES}

    def several(self, low: str) -> bool:
        """True for a masculine form that can be a plural."""
        lemma = self.lemma(low)
        return lemma is not None and self.inflected(lemma, "p", "n") == low

    def dative(self, low: str) -> bool:
        """True for a masculine form that can only be a dative plural: Bewohnern."""
        lemma = self.lemma(low)
        return lemma is not None and low == self.inflected(lemma, "p", "d") and not self.several(low)

    def only_several(self, low: str) -> bool:
        """True for a masculine form that can be no singular: Bewohnern, Ärzte."""
        lemma = self.lemma(low)
        return lemma is not None and low in self.all_forms(lemma, "p") - self.all_forms(lemma, "s")

    def inflected(self, lemma: str, number: str, case: str) -> str:
        """A masculine noun in a number and a case."""
        row = self._listed(self._rows, lemma)
        weak = self._weak(lemma, row)
        if number == "p":
            form = self._plural(lemma, row, weak)
            return form + "n" if case == "d" and not form.endswith(("n", "s")) else form
        if weak and case != "n":
            return lemma + ("n" if lemma.endswith(SHORT) else "en")
        if case == "g":
            return lemma + ("es" if lemma.endswith(self._endings["long_genitive"]) else "s")
        return lemma

    def _weak(self, lemma: str, row: Partner | None) -> bool:
        if row and row.kind:
            return row.kind == "weak"
        return lemma.endswith(self._endings["weak"]) and not lemma.endswith(self._endings["not_weak"])

    def _plural(self, lemma: str, row: Partner | None, weak: bool) -> str:
        if row and row.plural:
            return lemma[: len(lemma) - len(row.masculine)] + row.plural
        if weak or lemma.endswith("or"):
            return lemma + ("n" if weak and lemma.endswith(SHORT) else "en")
        if lemma.endswith(self._endings["same_plural"]):
            return lemma
        foreign = lemma.endswith(self._endings["plural_s"]) and not lemma.endswith(self._endings["plural_e"])
        return lemma + ("s" if foreign else "e")

    @staticmethod
    def _women(lemma: str) -> str:
        if lemma.endswith("in"):
            return lemma + "nen"
        for one, several in FEMININE_PLURALS.items():
            if lemma.endswith(one):
                return lemma.removesuffix(one) + several
        return lemma + ("n" if lemma.endswith(("e", "er")) else "s" if lemma.endswith(("a", "y")) else "en")

    def lemma(self, low: str) -> str | None:
        """The nominative singular of a masculine form; None where none is known."""
        forms = {base: (self.all_forms(base, "s"), self.all_forms(base)) for base in self._bases(low)}
        bases = sorted(forms, key=lambda base: [low not in some for some in forms[base]])
        tests: tuple[Callable[[str], object], ...] = (
            lambda base: base in self._masculine or self._is(base, Column.MALE),
            lambda base: self._listed(self._masculine, base),
            self._compound,
            lambda base: base.endswith(self._endings["agent"]),
        )
        bases = [] if self._no_person(low) else [base for base in bases if not self._no_person(base)]
        return next((base for test in tests for base in bases if test(base)), None)

    def _no_person(self, low: str) -> bool:
        """Enkelkinder, Softwarepatent: no agent, though it ends as one; not Inder, Patent in a longer known noun."""
        things = self._endings["no_person"]
        parts = (low[cut:] for cut in range(len(low) - 3))
        longest = next((part for part in parts if self._is(part, PERSON) or part in things), "")
        return longest in things and not self._is(longest, PERSON)

    def _bases(self, low: str) -> list[str]:
        """The nominative singulars that a masculine form may have, the form itself first."""
        bases = [low]
        for plural, lemma in self._plurals.items():
            for form in (plural, f"{plural}n"):
                if low.endswith(form):
                    bases.append(low[: len(low) - len(form)] + lemma)
        bases += [low.removesuffix(end) for end in ("es", "s", "en", "n", "e") if low[:-2] and low.endswith(end)]
        several = self._plurals.get(low, low) != low  # Brüder
        kept = [base for base in dict.fromkeys(bases) if len(base) > 2 or base == low]
        comparative = low.endswith(("ere", "eren"))  # Größere: not of an agent in -er
        return [base for base in kept if not (several and base == low) and not (comparative and base.endswith("er"))]

    def _to_feminine(self, lemma: str) -> str | None:
        own, row = self._listed(self._rows, lemma), self._listed(self._masculine, lemma)
        if own and own.only == "x":
            return None
        if row:
            return lemma[: len(lemma) - len(row.masculine)] + row.woman
        stem = lemma[:-2] if lemma.endswith("erer") and not lemma.endswith("ierer") else lemma.removesuffix("e")
        derived = [f"{stem}in", f"{LAST_VOWEL.sub(lambda m: UMLAUT[m[0]], stem)}in"]
        known = next((form for form in derived if self._is(form, Column.FEMALE)), None)
        return known or next((form for form in derived if self._compound(form, Column.FEMALE)), None)

    def _to_masculine(self, low: str) -> str | None:
        lemma = low[:-3] if low.endswith("innen") else low
        for form in (lemma, lemma.removesuffix("n"), lemma.removesuffix("en")):
            row = self._listed(self._feminine, form)
            if row:
                return form[: len(form) - len(row.woman)] + row.masculine
        if not lemma.endswith("in"):
            return None
        base = lemma[:-2]
        plain = LAST_UMLAUT.sub(lambda m: PLAIN[m[0]], base)
        guess = f"{base}e" if base.endswith(("og", "es", "ag", "os")) else base
        candidates = [guess, base, f"{base}e", f"{base}er", plain, f"{plain}e"]
        known = next((form for form in candidates if self._is(form, Column.MALE)), None)
        return known or next((form for form in candidates if self._compound(form)), None)

    def _listed(self, table: dict[str, Partner], low: str) -> Partner | None:
        """The row of the longest last part, of at least four letters unless it is the whole word."""
        for cut in range(len(low) - 2):
            row = table.get(low[cut:])
            long = len(low) - cut >= 4 and low[cut:] not in self._endings["whole"]
            if row and (cut == 0 or long or low[cut:] in {"rat", "abt"} or low[cut - 1] == "-"):
                return row
        return None

    def _compound(self, low: str, column: int = Column.MALE) -> bool:
        return any(self._is(low[cut:], column) for cut in range(1, len(low) - 3))

    def _is(self, low: str, column: int) -> bool:
        return bool(self.known.get(low, 0) & column)
