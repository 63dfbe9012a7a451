"""Slavic words in the other gender: inflection by a dictionary or paradigms, pairs of nouns by tables.

A language's folder holds
    pairs.tsv     masculine, feminine   pairs; several masculine words share a feminine cell; "=": one form for both
    pronoun_pairs.tsv  to, word, forms  pronouns in the gender `to` (and p: plural), by case where it decides, o: owner
    feminines.tsv masculine, feminine   suffixes by which further pairs are made, where the feminine is a known word
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evenhand.grammar.families.morphology import CASE_OF, Parse, Parser, parsed
from evenhand.grammar.lexicon import Column
from evenhand.remembered import remembered
from evenhand.tsv import rows

if TYPE_CHECKING:
    from evenhand.grammar.families.slavic import Slavic

TAGS = {"f": "femn", "m": "masc", "n": "neut"}
CASE_TAGS = {"n": "nomn", "g": "gent", "d": "datv", "a": "accs", "i": "ablt", "l": "loct", "v": "voct"}
SAME = "="
NAMES = frozenset({"Surn", "Name", "Patr"})
ADJECTIVES = frozenset({"ADJF", "PRTF", "NUMR"})
PREDICATES = frozenset({"VERB", "ADJS", "PRTS"})
# pronouns of the Ukrainian dictionary that take their noun's gender (the Russian one calls them adjectives)
BESIDE = frozenset(
    "мій твій свій наш ваш їхній цей той такий інший кожний жодний весь увесь сам самий який котрий".split()
)
SHORT = {"повинна": "повинен", "згодна": "згоден", "винна": "винен", "певна": "певен", "ладна": "ладен"}  # of a man
USUAL = {"учители": "учителя"}  # where the dictionary gives a rare plural first


class Inflection:
    """One language's dictionary and tables. Words are lower case, ё as written. A form that the table of nouns for
    persons has goes before others that a suffix makes. A `sparse` dictionary (Ukrainian) has few feminine nouns."""

    def __init__(self, language: Slavic, parse: Parser, pairs: list[tuple[str, str]]) -> None:
        self.sparse, self._serves = not language.ranked, language.noun_serves_women
        self._known = language.persons.known
        self.pronouns: dict[str, dict[str, dict[str, str]]] = {}
        for row in rows(language.folder / "pronoun_pairs.tsv"):
            forms = dict(form.rpartition(":")[::2] for form in row["forms"].split())
            self.pronouns.setdefault(row["to"], {}).update((word, forms) for word in row["word"].split())
        self.parses = remembered(lambda low: tuple(parsed(parse, low)), mebibytes=24)
        self._pairs: dict[str, dict[str, str]] = {"f": {}, "m": {}}
        for masculine, feminine in pairs:
            self._pairs["f"].setdefault(masculine, feminine)
            if feminine != SAME:
                self._pairs["m"].setdefault(feminine, masculine)
        self._suffixes = [(row["masculine"], row["feminine"]) for row in rows(language.folder / "feminines.tsv")]
        self.partner = remembered(self._partner)

    def _listed(self, form: str, gender: str) -> bool:
        return bool(self._known.get(form, 0) & (Column.FEMALE if gender == "f" else Column.MALE))

    def nouns(self, low: str) -> list[Parse]:
        """Readings as an animate noun, names last (теслі: of тесля, not of Тесла)."""
        readings = [one for one in self.parses(low) if one.tag.POS == "NOUN" and "anim" in one.tag.grammemes]
        return sorted(readings, key=lambda one: bool(one.tag.grammemes & NAMES))

    def declined(self, one: Parse) -> bool:
        """A word beside a noun that takes its gender; not та, which is an and far more often."""
        return one.tag.POS in ADJECTIVES or (one.normal_form in BESIDE and one.word != "та")

    def case(self, one: Parse) -> str:
        """A reading's case; a Ukrainian noun without one is a nominative."""
        return CASE_OF.get(str(one.tag.case), "n")

    def gender(self, one: Parse) -> str:
        """The gender of a reading as a tag; a plural noun has its lemma's."""
        return str(one.tag.gender or one.normalized.tag.gender)

    def common(self, low: str) -> bool:
        """судья, коллега: a noun of common gender, whose adjectives show the person's."""
        return any(one.tag.grammemes & {"ms-f", "Ms-f"} for one in self.nouns(low))

    def form(self, low: str, gender: str, number: str = "", case: str = "") -> str | None:
        """A word in a gender, and in a number and case where given, else its own; None where no table has it."""
        for one in [one for one in self.nouns(low) if one.is_known][:1]:
            partner = one.normal_form if self.gender(one) == TAGS[gender] else self.partner(one.normal_form, gender)
            plural = number == "p" if number else one.tag.number == "plur"
            return self.noun(partner, case or self.case(one), plural=plural, wanted=gender) if partner else None
        turned = self.agreeing(low, gender, None) or self.agreeing(low, gender, {case} if case else set(CASE_TAGS))
        itself = not case and any(one.tag.gender == TAGS[gender] for one in self.parses(low))
        return turned or (low if itself else None)

    # -- nouns

    def _partner(self, lemma: str, wanted: str) -> str | None:
        """The other gender's dictionary form, the same word where it serves both, None where none is known."""
        listed = self._pairs[wanted].get(lemma) or self._pairs[wanted].get(lemma.replace("ё", "е"))
        if listed:
            return lemma if listed == SAME else listed
        derived = sorted(self._derived(lemma, wanted), key=lambda form: not self._listed(form, wanted))
        if derived:
            return derived[0]  # кухар before кухарець
        unknown = self.sparse and not any(one.is_known for one in self.nouns(lemma))
        return lemma if wanted == "f" and self._serves and not unknown else None

    def paired(self, lemma: str, wanted: str) -> bool:
        """The tables or the dictionary have a word of its own for the other gender."""
        return self.partner(lemma, wanted) not in {None, lemma}

    def _derived(self, lemma: str, wanted: str) -> Iterator[str]:
        side = 0 if wanted == "f" else 1
        pairs = [pair for pair in self._suffixes if lemma.endswith(pair[side])]
        forms = [lemma[: len(lemma) - len(pair[side])] + pair[1 - side] for pair in pairs]
        for form in forms:
            known = (one for one in self.nouns(form) if one.is_known and one.normal_form.islower())  # tchórz, Tchórzowa
            if any(one.tag.gender == TAGS[wanted] for one in known):
                yield form
        yield from (form for form in forms if self.sparse and self._listed(form, wanted))

    def fixed(self, lemma: str) -> bool:
        """One form serves both in neutral style."""
        return self._pairs["f"].get(lemma) == SAME

    def noun(self, lemma: str, case: str, *, plural: bool, wanted: str) -> str | None:
        """A noun's form in this case and number."""
        # столярка: the dictionary knows it as a thing
        readings = self.nouns(lemma) or [one for one in self.parses(lemma) if one.tag.POS == "NOUN"]
        other = TAGS["m" if wanted == "f" else "f"]  # pułkowniczka: of no man's diminutive
        readings = [one for one in readings if self.gender(one) != other]
        for form in readings[0].lexeme if readings else ():
            if self.case(form) == case and (form.tag.number == "plur") == plural:
                return USUAL.get(form.word, form.word)
        return None

    # -- what agrees

    def agreeing(
        self, low: str, wanted: str, cases: set[str] | None, *, lemma: str | None = None, plural: bool = False
    ) -> str | None:
        """An adjective, participle, pronoun or past tense in the wanted gender, in one of these cases (None: a word
        without case); the same case and number as before; of this lemma only, where one is given. None where the word
        has no such reading."""
        if wanted == "m" and low in SHORT:
            return SHORT[low]
        readings = self.parses(low)
        lemma = "сам" if low == "сама" and lemma is None else lemma  # not самий
        if low.endswith(("ён", "ена")):  # убеждена, not убеждённа
            readings = tuple(sorted(readings, key=lambda one: one.tag.POS != "PRTS"))
        for one in readings:
            other = one.tag.gender == TAGS["m" if wanted == "f" else "f"] and (one.tag.number == "plur") == plural
            if other and (not lemma or one.normal_form == lemma):
                form = self._turned(one, low, wanted, cases)
                if form:
                    return self._spelt(form, low)
        return None

    def _turned(self, one: Parse, low: str, wanted: str, cases: set[str] | None) -> str | None:
        pos = str(one.tag.POS)
        if (pos in PREDICATES) != (cases is None):
            return None
        form = self._predicate(one, wanted) if cases is None else self._declined(one, wanted, cases)
        if form and pos == "ADJF" and form.word[:1] != low[:1] and "Apro" not in one.tag.grammemes:  # ci, te
            form = self._same_stem(one, form)  # лучшая, not наихорошая
        return form.word if form else None

    def _predicate(self, one: Parse, wanted: str) -> Parse | None:
        """A past tense or short form; a name is neither (Тепан)."""
        sure = one.tag.tense == "past" or one.tag.person if one.tag.POS == "VERB" else one.is_known
        return one.inflect({TAGS[wanted]}) if sure else None

    def _declined(self, one: Parse, wanted: str, cases: set[str]) -> Parse | None:
        case = self.case(one)
        if not self.declined(one) or case not in cases:
            return None
        if wanted == "m" and case == "a" and one.tag.number != "plur":  # as the genitive
            case = "g"
        return one.inflect({TAGS[wanted], CASE_TAGS[case]})

    def _spelt(self, form: str, low: str) -> str:
        """втомилася for втомився, втомилась for втомивсь."""
        return f"{form[:-2]}ся" if self.sparse and low.endswith("ся") and form.endswith(("ась", "всь")) else form

    def _same_stem(self, one: Parse, form: Parse) -> Parse | None:
        """The word's form with these grammemes that begins as the word does."""
        wanted = (form.tag.gender, form.tag.number, self.case(form))
        alike = (other for other in one.lexeme if other.word[:3] == one.word[:3])
        return next((o for o in alike if (o.tag.gender, o.tag.number, self.case(o)) == wanted), None)
