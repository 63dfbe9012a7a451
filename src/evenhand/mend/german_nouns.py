"""German nouns for persons in the other gender: Lehrer, Lehrerin; Arzt, Ärztin; Kaufmann, Kauffrau; in every case.

`tables/german/nouns.tsv` lists nouns that go their own way; a compound follows its last part.
    masculine, feminine   nominative singular; feminine may be empty: then -in
    plural                of the masculine; empty: by the rules
    kind                  weak (den Studenten), strong, or empty: by the ending
    only                  f or m where a row serves one direction only (Krankenschwester: Krankenpfleger), x: none
`tables/german/endings.tsv` lists, by role, the endings that say how all others go.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from evenhand.gender import Gender
from evenhand.grammar.lexicon import Column, Forms
from evenhand.remembered import remembered
from evenhand.tsv import rows

UMLAUT = {"au": "äu", "a": "ä", "o": "ö", "u": "ü"}
LAST_VOWEL = re.compile(r"(au|[aou])(?=[^aeiouäöüy]+$)")
LAST_UMLAUT = re.compile(r"(äu|[äöü])(?=(?:[^aeiouäöüy]|er$)*$)")


class Row(NamedTuple):
    """One row of the table."""

    masculine: str
    feminine: str
    plural: str
    kind: str
    only: str


class GermanNouns:
    """All words are lower case."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        folder = Path(__file__).parent / "tables" / "german"
        table = [Row(**row) for row in rows(folder / "nouns.tsv")]
        self._masculine = {row.masculine: row for row in table if row.only in {"", "f"}}
        self._feminine: dict[str, Row] = {}
        self._kinds = {row.masculine: row for row in table}
        for row in table:
            if row.only in {"", "m"}:
                self._feminine.setdefault(row.feminine or f"{row.masculine}in", row)
        self._neutral = {row["masculine"]: row for row in rows(folder / "neutral.tsv")}
        self._plurals = {row.plural: row.masculine for row in table if row.plural}
        self.endings = {row["role"]: tuple(row["words"].split()) for row in rows(folder / "endings.tsv")}
        self.feminine = remembered(self._to_feminine)
        self.lemma = remembered(self._lemma)
        self.column = remembered(self.column)  # type: ignore[method-assign]

    def partner(self, low: str, wanted: Gender, case: str, *, plural: bool) -> str | None:
        """The other gender's form in this number and case; None where none is known."""
        if wanted is Gender.FEMALE:
            lemma = self.lemma(low)
            feminine = self.feminine(lemma) if lemma else None
            return self._feminine_form(feminine, plural) if feminine else None
        masculine = self._to_masculine(low)
        return self.inflected(masculine, case, plural=plural) if masculine else None

    def column(self, low: str) -> int:
        """Column.FEMALE or Column.MALE for a form of a noun for persons that the tables know; else 0."""
        if low.endswith(("in", "innen")):
            lemma = low[:-3] if low.endswith("innen") else low
            return Column.FEMALE if self.part(lemma, Column.FEMALE) else 0
        if low in self._feminine or (self._listed(self._feminine, low) and self._female(low)):
            return Column.FEMALE
        if low in self._masculine:
            return Column.MALE
        for base in self._bases(low):
            if self.part(base, Column.MALE) and low in self._all_forms(base):
                return Column.MALE
        return 0

    def part(self, low: str, column: int) -> bool:
        """The tables know the noun, or its last part."""
        return any(self.forms.known.get(low[cut:], 0) & column for cut in range(max(1, len(low) - 3)))

    def _all_forms(self, lemma: str) -> set[str]:
        return {self.inflected(lemma, case, plural=plural) for case in "ngda" for plural in (False, True)}

    def neutral(self, low: str, before: Gender, case: str, *, plural: bool) -> str | None:
        """The established word for a person of any gender (Lehrkraft); None where the table has none."""
        lemma = self.lemma(low) if before is Gender.MALE else self._to_masculine(low)
        for cut in range(len(lemma or "") - 3):
            row = self._neutral.get((lemma or "")[cut:])
            if row:
                form = (lemma or "")[:cut] + row["plural" if plural else "neutral"]
                return f"{form}n" if plural and case == "d" and not form.endswith("n") else form
        return None

    # -- forms of one noun

    @staticmethod
    def _feminine_form(lemma: str, plural: bool) -> str:
        if not plural:
            return lemma
        if lemma.endswith("in"):
            return lemma + "nen"
        if lemma.endswith(("mutter", "tochter")):
            return re.sub(r"(m)u(tter)$|(t)o(chter)$", lambda m: "mütter" if m[1] else "töchter", lemma)
        return lemma + ("n" if lemma.endswith(("e", "er")) else "en" if not lemma.endswith(("a", "y")) else "s")

    def inflected(self, lemma: str, case: str, *, plural: bool) -> str:
        """A masculine noun in a case of the singular or plural."""
        row = self._listed(self._kinds, lemma)
        weak = self._weak(lemma)
        if plural:
            form = self._plural(lemma, weak)
            return form + "n" if case == "d" and not form.endswith(("n", "s")) else form
        if case == "n":
            return lemma
        if weak:
            short = lemma.endswith(("e", "bauer", "nachbar", "herr", "er", "ar"))
            return lemma + ("n" if short else "en")
        if case == "g" and not (row and row.kind == "fixed"):
            return lemma + ("es" if lemma.endswith(self.endings["long_genitive"]) else "s")
        return lemma

    def _weak(self, lemma: str) -> bool:
        row = self._listed(self._kinds, lemma)
        if row and row.kind:
            return row.kind == "weak"
        return lemma.endswith(self.endings["weak"]) and not lemma.endswith(self.endings["not_weak"])

    def _plural(self, lemma: str, weak: bool) -> str:
        row = self._listed(self._kinds, lemma)
        if row and row.plural:
            return lemma[: len(lemma) - len(row.masculine)] + row.plural
        if weak:
            return lemma + ("n" if lemma.endswith(("e", "bauer", "nachbar", "er", "ar")) else "en")
        if lemma.endswith("or"):
            return lemma + "en"
        if lemma.endswith(self.endings["same_plural"]):
            return lemma
        if lemma.endswith(self.endings["plural_s"]) and not lemma.endswith(self.endings["plural_e"]):
            return lemma + "s"
        return lemma + "e"

    # -- the other lemma

    def _lemma(self, low: str) -> str | None:
        """The nominative singular of a masculine form; None where none is known."""
        candidates = self._bases(low)
        for base in candidates:
            if base in self._masculine or self._male(base):
                return base
        for base in candidates:
            if self._listed(self._masculine, base):
                return base
        for base in candidates:
            if any(self._male(base[cut:]) for cut in range(1, len(base) - 3)):
                return base
        return next((base for base in candidates if base.endswith(self.endings["agent"])), None)

    def _bases(self, low: str) -> list[str]:
        """The nominative singulars that a masculine form may have, the form itself first."""
        bases = [low]
        for plural, lemma in self._plurals.items():
            for form in (plural, f"{plural}n"):
                if low.endswith(form):
                    bases.append(low[: len(low) - len(form)] + lemma)
        for ending in ("es", "s", "en", "n", "e"):
            if low.endswith(ending) and len(low) - len(ending) > 2:
                bases.append(low[: len(low) - len(ending)])
        return list(dict.fromkeys(bases))

    def _to_feminine(self, lemma: str) -> str | None:
        row = self._listed(self._masculine, lemma)
        if row:
            return lemma[: len(lemma) - len(row.masculine)] + (row.feminine or f"{row.masculine}in")
        stem = lemma[:-2] if lemma.endswith("erer") and not lemma.endswith("ierer") else lemma.removesuffix("e")
        derived = [f"{stem}in", f"{_umlauted(stem)}in"]
        known = next((form for form in derived if self._female(form)), None)
        return known or (derived[0] if self._productive(lemma) else None)

    def _productive(self, lemma: str) -> bool:
        """Any noun for a person that ends so has a form in -in; not Opfer, Mitglied, Flüchtling, Dummkopf."""
        return lemma.endswith(self.endings["productive"]) and not self._neutral_part(lemma)

    def _neutral_part(self, lemma: str) -> bool:
        """The longest last part that the tables know names a person of either gender in one form."""
        parts = (self.forms.known.get(lemma[cut:], 0) for cut in range(max(1, len(lemma) - 3)))
        longest = next((columns for columns in parts if columns), 0)
        return bool(longest & Column.NEUTRAL) and not longest & (Column.FEMALE | Column.MALE)

    def _to_masculine(self, low: str) -> str | None:
        lemma = low[:-3] if low.endswith("innen") else low
        for form in (lemma, lemma.removesuffix("n"), lemma.removesuffix("en")):
            row = self._listed(self._feminine, form)
            if row:
                return form[: len(form) - len(row.feminine or f"{row.masculine}in")] + row.masculine
        if not lemma.endswith("in"):
            return None
        base = lemma[:-2]
        plain = LAST_UMLAUT.sub(lambda m: {"ä": "a", "ö": "o", "ü": "u", "äu": "au"}[m[0]], base)
        candidates = [base, f"{base}e", f"{base}er", plain, f"{plain}e"]
        known = next((form for form in candidates if self._male(form)), None)
        if known:
            return known
        part = next((form for form in candidates for cut in range(1, len(form) - 3) if self._male(form[cut:])), None)
        if part:
            return part
        guess = f"{base}e" if base.endswith(("og", "es", "ag", "os")) else base
        return guess if self._productive(guess) or guess.endswith("e") else None  # no Pharmaz of Pharmazin

    def _listed(self, table: dict[str, Row], low: str) -> Row | None:
        """The row of the longest last part, of at least four letters unless it is the whole word."""
        for cut in range(len(low) - 2):
            row = table.get(low[cut:])
            long = len(low) - cut >= 4 and low[cut:] not in self.endings["whole"]
            if row and (cut == 0 or long or low[cut:] in {"rat", "abt"} or low[cut - 1] == "-"):
                return row
        return None

    def _male(self, low: str) -> bool:
        return bool(self.forms.known.get(low, 0) & Column.MALE)

    def _female(self, low: str) -> bool:
        return bool(self.forms.known.get(low, 0) & Column.FEMALE)


def _umlauted(stem: str) -> str:
    return LAST_VOWEL.sub(lambda m: UMLAUT[m[0]], stem)
