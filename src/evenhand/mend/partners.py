"""The other gender's form of a word: articles with their contractions, words that go their own way, endings.

A folder `tables/<language>/` holds
    articles.tsv  masculine, feminine, and their forms before a vowel (_vowel), before what Italian calls impure
                  consonants (_impure) or before a stressed a (_a); a form may be two words ("de la")
    words.tsv     masculine, feminine       whole words; the same word twice: it serves both
    endings.tsv   number (s, p), masculine, feminine, wanted (f, m or both): the first row that makes a known word, else
                  the first that fits
"""

from __future__ import annotations

from pathlib import Path

from evenhand.gender import Gender
from evenhand.grammar.lexicon import Column, Forms
from evenhand.tsv import rows

SIDES = {Gender.MALE: "masculine", Gender.FEMALE: "feminine"}


class Partners:
    """Answers for one language. All words are lower case."""

    def __init__(self, forms: Forms, adjectives: frozenset[str] = frozenset()) -> None:
        """`adjectives`: forms of adjectives that no ending tells, which are written before all that are derived."""
        self.adjectives = adjectives
        folder = Path(__file__).parent / "tables" / forms.language.name
        self.forms = forms
        self.articles = list(rows(folder / "articles.tsv"))
        self._words: dict[Gender, dict[str, str]] = {gender: {} for gender in SIDES}
        self._endings: dict[tuple[Gender, bool], list[tuple[str, str]]] = {}
        for wanted, side in SIDES.items():
            other = SIDES[Gender.MALE if wanted is Gender.FEMALE else Gender.FEMALE]
            for row in rows(folder / "words.tsv"):
                self._words[wanted].setdefault(row[other], row[side])
            for plural, number in enumerate("sp"):
                pairs = [
                    (row[other], row[side])
                    for row in rows(folder / "endings.tsv")
                    if row["number"] == number and row["wanted"] in {"", side[0]}
                ]
                self._endings[wanted, bool(plural)] = pairs

    def listed(self) -> frozenset[str]:
        """Every form of the table of words."""
        return frozenset(form for pairs in self._words.values() for form in pairs.values())

    def article(self, low: str, wanted: Gender) -> dict[str, str] | None:
        """The row of a determiner whose form in the other gender this is, or None."""
        other = SIDES[Gender.MALE if wanted is Gender.FEMALE else Gender.FEMALE]
        return next((row for row in self.articles if any(row[c] == low for c in row if c.startswith(other))), None)

    def adjective(self, low: str, wanted: Gender, *, plural: bool) -> str | None:
        """The other gender's form of an adjective, participle or pronoun; None where no rule knows it."""
        listed = self._words[wanted].get(low) or (self._numbered(low, wanted) if plural else None)
        if listed:
            return f"{listed}s" if plural and self._takes_s(listed) else listed
        derived = self._derived(low, wanted, plural)
        if low in derived:
            return low  # forte, intelligente: one form for both
        language = self.forms.language
        if low.endswith(("ora", "oras")) and language.code in {"es", "pt"} and derived:
            return derived[0]  # cumpridoras, cumpridores
        told = next((form for form in derived if form in self.adjectives), None)
        if told:
            return told  # honesta: honest, not honeste
        return next((form for form in derived if self._known(form, wanted)), None) or next(
            (form for form in derived if language.modifier(form)), derived[0] if derived else None
        )

    def noun(self, low: str, wanted: Gender, *, plural: bool) -> str | None:
        """The other gender's form of a noun for a person: listed, else derived where the tables know the derived one
        or do not know the noun at all; None where no form is known."""
        listed = self._words[wanted].get(low)
        if listed:
            return listed
        derived = self._derived(low, wanted, plural)
        if low in derived:
            return low
        known = next((form for form in derived if self._known_in(form, wanted, plural)), None)
        if known:
            return known
        if self._known(low, wanted):
            return low  # one form for both
        return derived[0] if derived else None

    def _known_in(self, low: str, wanted: Gender, plural: bool) -> bool:
        """nipote is known, but is no plural of nipoti: where plurals end in a vowel, the form itself counts only
        where it serves this gender alone."""
        if not plural or self.forms.language.code != "it":
            return self._known(low, wanted)
        column = Column.FEMALE if wanted is Gender.FEMALE else Column.MALE
        singulars = self.forms.language.lookups(low)[1:]
        return self.forms.known.get(low, 0) == column or any(self.forms.known.get(f, 0) & column for f in singulars)

    def _numbered(self, low: str, wanted: Gender) -> str | None:
        """assises: listed as assis, assise."""
        return self._words[wanted].get(low[:-1]) if low.endswith("s") and self.forms.language.code == "fr" else None

    def _takes_s(self, listed: str) -> bool:
        return self.forms.language.code == "fr" and not listed.endswith(("s", "x"))

    def _known(self, low: str, wanted: Gender) -> bool:
        column = Column.FEMALE if wanted is Gender.FEMALE else Column.MALE
        return any(self.forms.known.get(form, 0) & column for form in self.forms.language.lookups(low))

    def _derived(self, low: str, wanted: Gender, plural: bool) -> list[str]:
        """By every ending that fits, the likeliest first."""
        return [
            low[: len(low) - len(ending)] + partner
            for ending, partner in self._endings[wanted, plural]
            if low.endswith(ending) and len(low) > len(ending) + 1
        ]
