"""The other gender's form of a Romance word: articles with their contractions, irregular words, endings.

A folder `grammar/<language>/` has
    articles.tsv        masculine, feminine, and their forms before a vowel (_vowel), before what Italian calls impure
                        consonants (_impure) or before a stressed a (_a); a form may be two words ("de la")
    gender_pairs.tsv    masculine, feminine       whole words; the same word twice: it serves both
    gender_endings.tsv  number (s, p), masculine, feminine, wanted (f, m or both): the first row that makes a known
                        word, else the first that fits
    contractions.tsv    preposition, word, merged, kind (article, pronoun)
    shortened.tsv       before, after             adjectives that are shorter before their noun: buen, bueno
    classes.tsv         `productive`: endings by which nouns for persons make their other form; `productive_said`: those
                        of adjectives and participles

A form that neither a table nor a productive ending supports is not written: endings alone make salmona of salmón.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.protocol import FEMININE, MASCULINE, Kind
from evenhand.tsv import rows

if TYPE_CHECKING:
    from evenhand.grammar.families.romance import Romance

SIDES = {"m": "masculine", "f": "feminine"}
OTHER = {"m": "f", "f": "m"}
COLUMNS = {"m": Column.MALE, "f": Column.FEMALE}
CELLS = {"m": MASCULINE, "f": FEMININE}
PERSON = Column.FEMALE | Column.MALE


class GenderForms:
    """Answers for one language. All words are lower case; `wanted` is f or m."""

    def __init__(self, language: Romance, forms: Forms) -> None:
        self.language, self.forms = language, forms
        self.articles = list(rows(language.folder / "articles.tsv"))
        self._pairs: dict[str, dict[str, str]] = {}
        self._endings: dict[tuple[str, bool], list[tuple[str, str]]] = {}
        for wanted, side in SIDES.items():
            other = SIDES[OTHER[wanted]]
            pairs: dict[str, str] = {}
            for row in rows(language.folder / "gender_pairs.tsv"):
                pairs.setdefault(row[other], row[side])
            self._pairs[wanted] = pairs
            for plural in (False, True):
                self._endings[wanted, plural] = [
                    (row[other], row[side])
                    for row in rows(language.folder / "gender_endings.tsv")
                    if row["number"] == "sp"[plural] and row["wanted"] in {"", wanted}
                ]
        self.contractions = {
            (row["kind"], row["preposition"], row["word"]): row["merged"]
            for row in rows(language.folder / "contractions.tsv")
        }
        shortened = [(row["before"], row["after"]) for row in rows(language.folder / "shortened.tsv")]
        self.after_noun = dict(shortened)
        self.before_noun = {full: short for short, full in shortened}
        self._listed = frozenset(form for pairs in self._pairs.values() for form in pairs.values())
        self.productive = tuple(language.words_of("productive"))
        self._said = tuple(language.words_of("productive_said"))

    def other(self, low: str, wanted: str, *, plural: bool) -> str | None:
        """The form of any word in a gender: itself where it serves that gender, None where no table supports one."""
        row = self.article(low, wanted)
        if row is not None:
            return row[SIDES[wanted]]
        person = next((self.forms.known[f] & PERSON for f in self.language.lookups(low) if f in self.forms.known), 0)
        shown = self.language.shows(low) or self.language.pronoun(low)
        if person & COLUMNS[wanted] or (not person and shown & CELLS[wanted]):
            return low
        if not person and not shown:
            return None
        form = self.noun(low, wanted, plural=plural) if person else self.adjective(low, wanted, plural=plural)
        return form if form and form != low and self.supports(low, form, noun=bool(person)) else None

    def article(self, low: str, wanted: str) -> dict[str, str] | None:
        """The row of a determiner whose form in the other gender this is, or None."""
        other = SIDES[OTHER[wanted]]
        return next((row for row in self.articles if any(row[c] == low for c in row if c.startswith(other))), None)

    def adjective(self, low: str, wanted: str, *, plural: bool) -> str | None:
        """The other gender's form of an adjective, participle or pronoun; None where no rule knows it."""
        listed = self._listed_pair(low, wanted, singular=plural and self.language.pairs_in_singular)
        if listed:
            return listed
        derived = self._derived(low, wanted, plural)
        if low in derived:
            return low  # forte, intelligente: one form for both
        if low.endswith(self.language.agent_feminine):
            return derived[0]  # cumpridoras, cumpridores
        return (
            next((form for form in derived if self.language.lists(form)), None)  # honesta: honest, not honeste
            or next((form for form in derived if self._known(form, wanted)), None)
            or next((form for form in derived if self.language.modifier(form)), derived[0] if derived else None)
        )

    def _listed_pair(self, low: str, wanted: str, *, singular: bool) -> str | None:
        """`singular`: the table has the singulars of plurals: assises is listed as assis, assise."""
        pairs = self._pairs[wanted]
        listed = pairs.get(low) or (pairs.get(low.removesuffix("s")) if singular else None)
        return f"{listed}s" if listed and singular and not listed.endswith(("s", "x")) else listed

    def noun(self, low: str, wanted: str, *, plural: bool) -> str | None:
        """The other gender's form of a noun for a person: listed, else derived where the tables know the derived one
        or do not know the noun at all; None where no form is known."""
        listed = self._pairs[wanted].get(low)
        if listed:
            return listed
        derived = self._derived(low, wanted, plural)
        known = next((form for form in derived if self._known_in(form, wanted, plural=plural)), None)
        if known and low not in derived:
            return known
        one = low in derived or self._known(low, wanted)  # one form for both
        return low if one else next(iter(derived), None)

    def supports(self, old: str, new: str, *, noun: bool) -> bool:
        """True where the new form is known, or the old one ends as words do whose other form is regular; `noun`: it
        names the person, and is not said of it."""
        if old == new or new in self._listed:
            return True
        old, new = old.rpartition("-")[2], new.rpartition("-")[2]
        language = self.language
        if language.noun(old).kind is Kind.FIXED and not self._person(old):
            return False  # personnes
        listed = any(language.lists(form) for word in (old, new) for form in language.lookups(word))
        regular = old.endswith(self.productive if noun else self._said)
        return listed or regular or self._person(new) or bool(language.determiner(old))

    def _person(self, low: str) -> bool:
        return any(self.forms.known.get(form, 0) & PERSON for form in self.language.lookups(low))

    def _known(self, low: str, wanted: str) -> bool:
        return any(self.forms.known.get(form, 0) & COLUMNS[wanted] for form in self.language.lookups(low))

    def _known_in(self, low: str, wanted: str, *, plural: bool) -> bool:
        """nipote is known, but is no plural of nipoti: where plurals end in a vowel, the form itself counts only
        where it serves this gender alone."""
        if not plural or self.language.plural_endings:
            return self._known(low, wanted)
        singulars = self.language.lookups(low)[1:]
        column = COLUMNS[wanted]
        return self.forms.known.get(low, 0) == column or any(self.forms.known.get(f, 0) & column for f in singulars)

    def _derived(self, low: str, wanted: str, plural: bool) -> list[str]:
        """By every ending that fits, the likeliest first."""
        return [
            low[: len(low) - len(ending)] + partner
            for ending, partner in self._endings[wanted, plural]
            if low.endswith(ending) and len(low) > len(ending) + 1
        ]
