"""The other gender's form of a Romance word: articles with their contractions, irregular words, endings.

A folder `grammar/<language>/` has
    articles.tsv        masculine, feminine, and their forms before a vowel (_vowel), before what Italian calls impure
                        consonants (_impure) or before a stressed a (_a); a form may be two words ("de la")
    gender_pairs.tsv    masculine, feminine       whole words; the same word twice: it serves both
    gender_endings.tsv  number (s, p), masculine, feminine, wanted (f, m or both): the first row that makes a known
                        word, else the first that fits
    contractions.tsv    preposition, word, merged, kind (article, pronoun)
    kin.tsv             english, feminine, masculine  where the English decides: wife, mujer, marido
    shortened.tsv       before, after             adjectives that are shorter before their noun: buen, bueno
    classes.tsv         `productive`: endings of nouns for persons; `productive_said`: endings by which adjectives and
                        participles make their other form

A noun that no table has in the other gender is not written, however regular its ending (thonière of thonier).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from evenhand.grammar.lexicon import PERSON, Column, Forms, columns_of
from evenhand.grammar.protocol import FEMININE, MASCULINE, Kind
from evenhand.tsv import rows

if TYPE_CHECKING:
    from evenhand.grammar.families.romance import Romance

SIDES = {"m": "masculine", "f": "feminine"}
OTHER = {"m": "f", "f": "m"}
COLUMNS = {"m": Column.MALE, "f": Column.FEMALE}
CELLS = {"m": MASCULINE, "f": FEMININE}
PREFIXES = ("ex", "co", "sub", "vice", "ultra", "anti")  # colegisladora: the paradigm of legisladora


class GenderForms:
    """Answers for one language. All words are lower case; `wanted` is f or m."""

    def __init__(self, language: Romance, forms: Forms) -> None:
        folder = language.folder
        self.language, self.forms, self.articles = language, forms, list(rows(folder / "articles.tsv"))
        self._pairs: dict[str, dict[str, str]] = {"m": {}, "f": {}}
        self._endings: dict[tuple[str, bool], list[tuple[str, str]]] = defaultdict(list)
        for wanted, side in SIDES.items():
            other = SIDES[OTHER[wanted]]
            for row in rows(folder / "gender_pairs.tsv"):
                self._pairs[wanted].setdefault(row[other], row[side])
            for row in rows(folder / "gender_endings.tsv"):
                if row["wanted"] in {"", wanted}:
                    self._endings[wanted, row["number"] == "p"].append((row[other], row[side]))
        contractions = rows(folder / "contractions.tsv")
        self.contractions = {(row["kind"], row["preposition"], row["word"]): row["merged"] for row in contractions}
        self.kin: dict[tuple[str, str], str] = {}
        for row in rows(folder / "kin.tsv"):
            for feminine, masculine in zip(row["feminine"].split(), row["masculine"].split(), strict=True):
                self.kin.update(((english, feminine), masculine) for english in row["english"].split())
        self.after_noun = {row["before"]: row["after"] for row in rows(folder / "shortened.tsv")}
        self.before_noun = {full: short for short, full in self.after_noun.items()}
        self._listed = frozenset(form for pairs in self._pairs.values() for form in pairs.values())
        self.productive = tuple(language.words_of("productive"))

    def other(self, low: str, wanted: str, *, plural: bool) -> str | None:
        """The form of any word in a gender: itself where it serves that gender, None where no table supports one."""
        row = self.article(low, wanted)
        if row is not None:
            return row[SIDES[wanted]]
        person, shown = self._columns(low), self.language.shows(low) or self.language.pronoun(low)
        if (person & COLUMNS[wanted]) or (not person and shown & CELLS[wanted]):
            return low
        choose = self.noun if person else self.adjective
        form = choose(low, wanted, plural=plural) if person or shown else None
        return form if form and form != low and self.supports(low, form, noun=bool(person)) else None

    def article(self, low: str, wanted: str) -> dict[str, str] | None:
        """The row of a determiner whose form in the other gender this is, or None."""
        other = SIDES[OTHER[wanted]]
        return next((row for row in self.articles if any(row[c] == low for c in row if c.startswith(other))), None)

    def adjective(self, low: str, wanted: str, *, plural: bool) -> str | None:
        """The other gender's form of an adjective, participle or pronoun; None where no rule knows it."""
        singular = plural and self.language.pairs_in_singular  # assises is listed as assis, assise
        listed = self._pairs[wanted].get(low) or (singular and self._pairs[wanted].get(low.removesuffix("s")))
        if listed and singular and not low.endswith(("s", "x")):
            return None  # les orateurs, M. Hatzidakis
        if listed:
            return f"{listed}s" if singular and not listed.endswith(("s", "x")) else listed
        derived = self._derived(low, wanted, plural)
        if low in derived:
            return low  # forte, intelligente: one form for both
        if self.language.ends(low, "agent_feminine"):
            return derived[0]  # cumpridoras, cumpridores
        preferred: tuple[Callable[[str], int], ...] = (
            self.language.lists, lambda form: self._columns(form) & COLUMNS[wanted], self.language.modifier, len,
        )  # fmt: skip
        return next((form for test in preferred for form in derived if test(form)), None)  # honest, not honeste

    def noun(self, low: str, wanted: str, *, plural: bool) -> str | None:
        """The other gender's form of a noun for a person: listed, else derived where the tables know the derived one
        or do not know the noun at all; None where no form is known."""
        listed = self._pairs[wanted].get(low)
        if listed:
            several = not plural or self.language.numbered_as(listed, plural=True, masculine=wanted == "m")
            return listed if several else None  # i re: no "le regina"
        derived = self._derived(low, wanted, plural)
        known = next((form for form in derived if self._known_in(form, COLUMNS[wanted], plural=plural)), None)
        if known and low not in derived:
            return known
        one = low in derived or self._columns(low) & COLUMNS[wanted]  # one form for both
        return low if one else next(iter(derived), None)

    def supports(self, old: str, new: str, *, noun: bool) -> bool:
        """True where the new form is known, or the old one ends as words do whose other form is regular; `noun`: it
        names the person, and is not said of it."""
        if old == new or not self._listed.isdisjoint((new, *self.language.lookups(new)) if noun else (new,)):
            return True
        old, new = old.rpartition("-")[2], new.rpartition("-")[2]
        language = self.language
        if language.noun(old).kind is Kind.FIXED and not self._columns(old):
            return False  # personnes
        listed = any(language.lists(form) for word in (old, new) for form in language.lookups(word))
        regular = not noun and language.ends(old, "productive_said")
        prefixed = (new.removeprefix(part) for part in PREFIXES if new.startswith(part))
        return listed or regular or language.determiner(old) > 0 or any(map(self._columns, (new, *prefixed)))

    def _columns(self, low: str) -> int:
        """The columns, female and male, of the nouns for persons that the form may belong to."""
        return columns_of(self.forms.known, self.language.lookups(low)) & PERSON

    def _known_in(self, low: str, column: int, *, plural: bool) -> bool:
        """nipote is known, but is no plural of nipoti: where plurals end in a vowel, the form itself counts only
        where it serves this gender alone."""
        known = self.forms.known
        if not plural or self.language.plural_endings:
            return bool(self._columns(low) & column)
        return known.get(low, 0) == column or any(known.get(f, 0) & column for f in self.language.lookups(low)[1:])

    def _derived(self, low: str, wanted: str, plural: bool) -> list[str]:
        """By every ending that fits, the likeliest first."""
        pairs = (
            pair for pair in self._endings[wanted, plural] if low.endswith(pair[0]) and len(low) > len(pair[0]) + 1
        )
        return [low.removesuffix(ending) + partner for ending, partner in pairs]
