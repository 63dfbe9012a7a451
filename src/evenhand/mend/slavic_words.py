"""Russian and Ukrainian words in the other gender: inflection by pymorphy3's dictionary, pairs of nouns by tables.

A folder `tables/<language>/` holds
    nouns.tsv    masculine, feminine   pairs; several masculine words share a feminine cell; "=": one form for both
    endings.tsv  masculine, feminine   suffixes by which further pairs are made, where the feminine is a known word
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from evenhand.errors import require
from evenhand.gender import Gender
from evenhand.grammar.families.morphology import Parse, parsed
from evenhand.grammar.lexicon import Column, Forms
from evenhand.remembered import remembered
from evenhand.tsv import rows

TAGS = {Gender.FEMALE: "femn", Gender.MALE: "masc"}
CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct")
LOCAL = {"gen1": "gent", "gen2": "gent", "acc2": "accs", "loc1": "loct", "loc2": "loct"}
SAME = "="
NAMES = frozenset({"Surn", "Name", "Patr"})
ADJECTIVES = frozenset({"ADJF", "PRTF", "NUMR"})
# pronouns of the Ukrainian dictionary that take their noun's gender (the Russian one calls them adjectives)
BESIDE = frozenset("мій твій свій наш ваш їхній цей той такий інший кожний жодний весь увесь сам самий".split())
RELATIVE = ("котор", "як", "котр")
SHORT = {"повинна": "повинен", "згодна": "згоден", "винна": "винен", "певна": "певен", "ладна": "ладен"}  # of a man
USUAL = {"учители": "учителя"}  # where the dictionary gives a rare plural first


class SlavicWords:
    """One language's dictionary and tables. Words are lower case, ё as written."""

    def __init__(self, code: str, forms: Forms) -> None:
        package = f"mending {forms.language.name.capitalize()}"
        morph = require("pymorphy3", purpose=package, extra="languages").MorphAnalyzer(lang=code)
        parse: Callable[[str], list[Parse]] = morph.parse
        self.forms = forms
        self.soft = code == "uk"  # втомилася beside втомилась
        self.parses = remembered(lambda low: tuple(parsed(parse, low)), mebibytes=24)
        folder = Path(__file__).parent / "tables" / forms.language.name
        self._feminine: dict[str, str] = {}
        self._masculine: dict[str, str] = {}
        for row in rows(folder / "nouns.tsv"):
            for masculine in row["masculine"].split():
                self._feminine.setdefault(masculine, row["feminine"])
                if row["feminine"] != SAME:
                    self._masculine.setdefault(row["feminine"], masculine)
        self._endings = [(row["masculine"], row["feminine"]) for row in rows(folder / "endings.tsv")]
        self.partner = remembered(self._partner)

    def nouns(self, low: str) -> list[Parse]:
        """Readings as an animate noun: known ones, else guesses; names last (теслі: of тесля, not of Тесла)."""
        readings = [one for one in self.parses(low) if one.tag.POS == "NOUN" and "anim" in one.tag.grammemes]
        readings.sort(key=lambda one: bool(one.tag.grammemes & NAMES))
        known = [one for one in readings if one.is_known]
        return known or readings

    def declined(self, one: Parse) -> bool:
        """A word beside a noun that takes its gender; not та, which is an and far more often."""
        return one.tag.POS in ADJECTIVES or (one.normal_form in BESIDE and one.tag.POS == "NPRO" and one.word != "та")

    def case(self, one: Parse) -> str:
        """A reading's case; a Ukrainian noun without one is a nominative."""
        case = str(one.tag.case or "nomn")
        return LOCAL.get(case, case)

    def gender(self, one: Parse) -> str | None:
        """The gender of a reading; a plural noun has its lemma's."""
        return str(one.tag.gender or one.normalized.tag.gender or "") or None

    def _partner(self, lemma: str, wanted: Gender) -> str | None:
        """The other gender's dictionary form, the same word where it serves both, None where none is known."""
        if wanted is Gender.FEMALE:
            listed = self._feminine.get(lemma) or self._feminine.get(lemma.replace("ё", "е"))
            if listed:
                return lemma if listed == SAME else listed
            unknown = self.soft and not any(one.is_known for one in self.nouns(lemma))
            return self._likeliest(lemma, 0, wanted) or (None if unknown else lemma)
        if lemma in self._masculine:
            return self._masculine[lemma]
        return self._likeliest(lemma, 1, wanted)

    def _likeliest(self, lemma: str, side: int, wanted: Gender) -> str | None:
        """Of the words that endings make, the first that the forms table has, else the first of all."""
        derived = list(self._derived(lemma, side, wanted))
        column = Column.FEMALE if wanted is Gender.FEMALE else Column.MALE
        listed = (form for form in derived if self.forms.known.get(form, 0) & column)
        return next(listed, derived[0] if derived else None)  # кухар, not кухарець

    def paired(self, lemma: str, wanted: Gender) -> bool:
        """The tables or the dictionary have a word of its own for the other gender."""
        return self.partner(lemma, wanted) not in {None, lemma}

    def _derived(self, lemma: str, side: int, wanted: Gender) -> Iterator[str]:
        forms = [
            lemma[: len(lemma) - len(pair[side])] + pair[1 - side]
            for pair in self._endings
            if lemma.endswith(pair[side]) and len(lemma) > len(pair[side]) + 1
        ]
        yield from (form for form in forms if self._in_dictionary(form, wanted))
        column = Column.FEMALE if wanted is Gender.FEMALE else Column.MALE
        if self.soft:  # the Ukrainian dictionary has few
            yield from (form for form in forms if self.forms.known.get(form, 0) & column)

    def _in_dictionary(self, form: str, wanted: Gender) -> bool:
        """A noun of the dictionary for a person of this gender."""
        return any(
            one.is_known and one.tag.gender == TAGS[wanted] and one.normal_form == form for one in self.nouns(form)
        )

    def fixed(self, lemma: str) -> bool:
        """One form serves both in neutral style."""
        return self._feminine.get(lemma) == SAME

    def noun(self, lemma: str, case: str, *, plural: bool, wanted: Gender) -> str | None:
        """A noun's form in this case and number."""
        readings = [one for one in self.nouns(lemma) if one.normal_form == lemma and self.case(one) == "nomn"]
        if not readings:  # столярка: the dictionary knows it as a thing
            readings = [one for one in self.parses(lemma) if one.tag.POS == "NOUN" and one.normal_form == lemma]
            case = "gent" if plural and case == "accs" else case
        readings = [one for one in readings if one.tag.gender == TAGS[wanted]] or readings
        form = next((form for form in self._forms(readings[0], case, plural)), None) if readings else None
        return USUAL.get(form.word, form.word) if form else None

    def _forms(self, one: Parse, case: str, plural: bool) -> Iterator[Parse]:
        """The forms of a noun in this case and number; the Ukrainian dictionary does not mark the singular."""
        for form in one.lexeme:
            if self.case(form) == case and (form.tag.number == "plur") == plural:
                yield form

    def agreeing(self, low: str, wanted: Gender, cases: set[str] | None, *, lemma: str | None = None) -> str | None:
        """An adjective, participle, pronoun or past tense in the wanted gender, in one of these cases (None: a word
        without case); the same case as before; of this lemma only, where one is given. None where the word has no such
        reading."""
        other = TAGS[Gender.MALE if wanted is Gender.FEMALE else Gender.FEMALE]
        readings = self.parses(low)
        if low == "сама" and lemma is None:
            lemma = "сам"  # not самий
        if low.endswith(("ён", "ена")):  # убеждена, not убеждённа
            readings = tuple(sorted(readings, key=lambda one: one.tag.POS != "PRTS"))
        for one in readings:
            if one.tag.gender != other or one.tag.number == "plur" or (lemma and one.normal_form != lemma):
                continue
            pos = str(one.tag.POS)
            if pos in {"ADJS", "PRTS"} and not one.is_known:
                continue  # Тепан: a name
            if pos in {"VERB", "ADJS", "PRTS"}:
                if cases is not None or (pos == "VERB" and one.tag.tense != "past"):
                    continue
                form = one.inflect({TAGS[wanted]})
            elif (self.declined(one) or low.startswith(RELATIVE)) and cases is not None and self.case(one) in cases:
                animate = wanted is Gender.MALE and self.case(one) == "accs"  # as the genitive
                form = one.inflect({TAGS[wanted], "gent" if animate else self.case(one)})
            else:
                continue
            if form and pos == "ADJF" and form.word[:1] != low[:1]:
                form = self._same_stem(one, form)  # лучшая, not наихорошая
            if form:
                return (
                    f"{form.word[:-2]}ся"
                    if low.endswith("ся") and form.word.endswith(("ась", "всь")) and self.soft
                    else form.word
                )
        return None

    def _same_stem(self, one: Parse, form: Parse) -> Parse | None:
        """The word's form with these grammemes that begins as the word does."""
        tag = form.tag
        fits = (
            other
            for other in one.lexeme
            if (other.tag.gender, other.tag.number, self.case(other)) == (tag.gender, tag.number, self.case(form))
            and other.word[:3] == one.word[:3]
        )
        return next(fits, None)
