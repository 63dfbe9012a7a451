"""Rewriting in Russian and Ukrainian: the noun in its case and number, what agrees with it (see `grammar.agrees_with`),
nouns said of it, and pronouns that can mean nobody else."""

from __future__ import annotations

import re

from evenhand.gender import Gender
from evenhand.grammar.families.agreement import Bound, uncased
from evenhand.grammar.families.inflection import TAGS
from evenhand.grammar.families.morphology import Parse
from evenhand.grammar.families.slavic import Slavic
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import PLURAL, SINGULAR, Phrase, cells
from evenhand.mend.rewriting import Rewriter, Rewritten, Task, cased, declined, no_form, replaced

OF_PERSONS = re.compile(r"\b(?:they|them|their|he|him|his|she|her|hers)\b", re.IGNORECASE)
EACH = frozenset("каждый любой один всякий некий какой-то никакой кожен будь-який якийсь жоден".split())
SOMEBODY = frozenset("кто-то кого-то кому-то кем-то хтось когось комусь кимось".split())
WOMAN = "женщина"
OUT_OF = frozenset({"из", "з", "із", "зі"})
LETTERS = {Gender.FEMALE: "f", Gender.MALE: "m"}


class SlavicRewriter(Rewriter):
    """For Russian or Ukrainian."""

    def __init__(self, language: Slavic, forms: Forms) -> None:
        self.language, self.forms = language, forms
        self.words = language.inflection

    def rewrite(self, task: Task) -> Rewritten:
        return _Rewriting(self, task).done()

    def explicit(self, task: Task) -> Rewritten:
        """Once more, for a woman of whom the source says that she is one: a Russian noun that serves men and women is
        led by the word for a woman (женщина-врач)."""
        if self.words.sparse or task.wanted is not Gender.FEMALE:
            return no_form(task.wanted, task.tokens[task.heads[0]].text)
        return _Rewriting(self, task._replace(explicit=True)).done()


class _Rewriting:
    """One rendering; `pieces` collects the new words by token."""

    def __init__(self, rewriter: SlavicRewriter, task: Task) -> None:
        self.language, self.forms, self.words, self.task = rewriter.language, rewriter.forms, rewriter.words, task
        self.tokens, self.wanted, self.before = task.tokens, LETTERS[task.wanted], LETTERS[task.before]
        self.pieces: dict[int, str] = {}
        self.subjects: list[int] = []

    def done(self) -> Rewritten:
        heads = [self._head(), *self.task.heads[1:]]
        plural = self._plural(heads[0])
        for at in heads:
            reason = self._noun(at, plural)
            if reason:
                return declined(reason)
        pronouns = self._pronouns(heads) if not plural else {}
        if not plural or self.subjects:
            resumed = frozenset(list(pronouns)[:1])
            for at in dict.fromkeys([*self.subjects, *heads]):
                subject = at in self.subjects
                for bound in self.language.bound(self.tokens, at, resumed=resumed, nominative=subject):
                    self._agree_bound(bound, plural)
        for at in range(heads[0] + 1, len(self.tokens)):
            new = pronouns.get(self._low(at))
            if new:
                self.pieces.setdefault(at, new)
        if not self.pieces:
            return no_form(self.task.wanted, self.tokens[heads[0]].text)
        return replaced(self.task.rendering, [self._piece(at, new) for at, new in self.pieces.items()])

    def _low(self, at: int) -> str:
        """The word in lower case, ё as written."""
        return self.tokens[at].text.lower() if 0 <= at < len(self.tokens) else "."

    def _none(self, at: int) -> str:
        return f"no {self.task.wanted} form of {self.tokens[at].text!r} is known"

    # -- the noun and its phrase

    def _head(self) -> int:
        for at in range(self.task.heads[0], self.task.last):
            if any(one.is_known for one in self.words.nouns(self._low(at))):
                return at
        return self.task.last - 1

    def _readings(self, at: int) -> list[Parse]:
        """The noun's readings, those of the person's gender first of all."""
        readings = self.words.nouns(self._low(at))
        readings = [one for one in readings if self.words.gender(one) == TAGS[self.before]] or readings
        paired = [one for one in readings if self.words.paired(one.normal_form, self.wanted)]
        return paired or readings  # сусіда: of сусід, not of its rare twin сусіда

    def _phrase(self, at: int) -> Phrase:
        return self.language.own_phrase(self.tokens, at, at + 1, cells())

    def _plural(self, at: int) -> bool:
        readings = self._readings(at)
        numbers = {one.tag.number == "plur" for one in readings}
        if len(numbers) == 1:
            return numbers.pop()
        phrase = self._phrase(at)
        if phrase.first < at and not phrase.cells & PLURAL:
            return False  # цієї співачки
        before = self.tokens[at - 1].low if at else "."
        owned = bool(self.language.form(before).noun) or before in self._quantities
        genitive = {self.words.case(one) for one in readings if one.tag.number != "plur"} == {"g"}
        if genitive and not owned and self.language.kind(before) != "preposition":
            return True  # мы с его женой подруги
        return self.task.plural

    @property
    def _quantities(self) -> frozenset[str]:
        return self.language.words_of("absent") | self.language.words_of("quantity")

    def _noun(self, at: int, plural: bool, case: str = "") -> str | None:
        """Puts the noun and what agrees before it into the wanted gender; the reason where that cannot be done."""
        readings = [one for one in self._readings(at) if (one.tag.number == "plur") == plural] or self._readings(at)
        if not readings or self._declined_as_adjective(at, readings[0].normal_form):
            return self._adjectival(at, plural, case)
        phrase = self._phrase(at)
        own = self._cases(readings)
        numbered = phrase.cells & own & (PLURAL if plural else SINGULAR)
        self._one_of(phrase.first, plural)
        case = case or self.language.case_at(self.tokens, phrase.first, numbered or own)
        governed = phrase.first and self.language.kind(self.tokens[phrase.first - 1].low) == "preposition"
        if not case or (case == "n" and governed):
            return f"the case of {self.tokens[at].text!r} is not clear"
        if not plural and not governed:
            self._subject(phrase.first, at, case)
        return self._partnered(at, readings, phrase, case, plural)

    def _cases(self, readings: list[Parse]) -> int:
        return sum(cells(cases=case) for case in {self.words.case(one) for one in readings})

    def _one_of(self, first: int, plural: bool) -> None:
        """один из учителей сказал: one of several is the subject."""
        if plural and first >= 2 and self._low(first - 1) in OUT_OF:
            new = self.words.agreeing(self._low(first - 2), self.wanted, {"n"})
            if new:
                self.pieces[first - 2] = new
                self.subjects.append(first - 2)

    def _partnered(self, at: int, readings: list[Parse], phrase: Phrase, case: str, plural: bool) -> str | None:
        lemma, low = readings[0].normal_form, self._low(at)
        agreeing = self._modifiers(phrase, at)
        common = self.words.common(low)
        partner = lemma if common else self._partner(readings[0])
        if partner is None:
            return self._none(at)
        if partner != lemma:
            reason = self._replaced(at, partner, case, plural)
        elif not common and self.task.explicit:
            return self._led_by_woman(at, readings, agreeing, case, plural)
        else:
            only = self.wanted == "f" and self._only_mans(lemma, agreeing, common)
            reason = self._none(at) if only else None  # каждый пользователь
        if not reason and not plural and (partner != lemma or self.wanted == "m" or common):
            self._agree(agreeing, {case})
        return reason

    def _modifiers(self, phrase: Phrase, at: int) -> list[int]:
        return [i for i in range(phrase.first, at) if self.language.form(self.tokens[i].low).declined]

    def _replaced(self, at: int, partner: str, case: str, plural: bool) -> str | None:
        """Puts the other gender's noun in the place; the reason where that cannot be done."""
        new = self.words.noun(partner, case, plural=plural, wanted=self.wanted)
        if new is None:
            return self._none(at)
        if new in {self._low(at - 2), self._low(at + 2)}:
            return f"{self.tokens[at].text!r} is beside {new!r}"  # братьев и сестёр
        self.pieces[at] = new
        return None

    def _partner(self, one: Parse) -> str | None:
        """The dictionary form of the other gender; itself where the form is a man's already (врач сказала)."""
        own = one.normal_form if self.words.gender(one) == TAGS[self.wanted] else None
        return self.words.partner(one.normal_form, self.wanted) or own

    def _only_mans(self, lemma: str, agreeing: list[int], common: bool) -> bool:
        """A noun that stays a man's beside these words: "хоробрий моряк стрибнула" is not said."""
        return any(self._low(i) in EACH for i in agreeing) or (
            bool(agreeing) and self.words.sparse and not common and not self.words.fixed(lemma)
        )

    def _led_by_woman(self, at: int, readings: list[Parse], agreeing: list[int], case: str, plural: bool) -> str | None:
        """женщина-врач; not of a predicate (она мой враг), nor with an adjective (генеральный директор)."""
        low, lemma = self._low(at), readings[0].normal_form
        guessed = not any(one.is_known for one in readings) and self.language.lookups(low)[0] != lemma
        said = any(self._low(i) in {"он", "она"} for i in range(max(0, at - 4), at))
        plain = all(
            one.tag.grammemes & {"Apro", "Anum"} for i in agreeing for one in self.words.parses(self._low(i))[:1]
        )
        if (guessed and case == "n") or not plain or said:
            return self._none(at)
        self.pieces[at] = f"{self.words.noun(WOMAN, case, plural=plural, wanted='f')}-{low}"
        if not plural:
            self._agree(agreeing, {case})
        return None

    def _subject(self, first: int, at: int, case: str) -> None:
        """Notes the noun as a subject, or the pronoun of which it is said: он хороший учитель, он стал учителем."""
        if case == "n" and at not in self.subjects:
            self.subjects.append(at)
        if case not in "ni":
            return
        old, new = next(iter(self.words.pronouns[self.wanted].items()))
        clause = next(
            (range(i + 1, first) for i in range(first - 1, -1, -1) if self.tokens[i].low in ".,;:!?…()"), None
        )
        clause = clause or range(first)
        places = [i for i in clause if self._low(i) == old]
        if len(places) != 1:
            return
        between = [self.language.form(self.tokens[i].low) for i in range(places[0] + 1, first)]
        equal = not any(form.verb or form.noun for form in between)
        if equal if case == "n" else self.language.becomes(self.tokens, clause.start, at):
            self.pieces[places[0]] = new
            self.subjects.insert(0, places[0])

    def _declined_as_adjective(self, at: int, lemma: str) -> bool:
        readings = self.words.parses(self._low(at))
        adjective = any(one.tag.POS in {"ADJF", "PRTF"} and one.is_known for one in readings)
        return adjective and lemma.endswith(("ый", "ий", "ой", "ая", "яя", "а"))

    def _adjectival(self, at: int, plural: bool, case: str) -> str | None:
        """служащий, больной: a noun declined like an adjective."""
        if plural:
            return f"{self.tokens[at].text!r} is one form for both"
        low = self._low(at)
        parses = [one for one in self.words.parses(low) if one.tag.gender == TAGS[self.before]]
        own = self._cases(parses)
        phrase = self._phrase(at)
        case = case or self.language.case_at(self.tokens, phrase.first, phrase.cells & own or own)
        new = self.words.agreeing(low, self.wanted, {case})
        if new is None or any(self.words.fixed(one.normal_form) for one in self.words.parses(low)):
            return self._none(at)
        self.pieces[at] = new
        if not phrase.first or self.language.kind(self.tokens[phrase.first - 1].low) != "preposition":
            self._subject(phrase.first, at, case)
        self._agree(self._modifiers(phrase, at), {case})
        return None

    # -- what agrees

    def _agree(self, places: list[int], cases: set[str]) -> None:
        for i in places:
            low = self._low(i)
            superlative = low.startswith("сам") and i + 1 in places  # самого близкого: of самый, not сам
            new = self.words.agreeing(low, self.wanted, cases, lemma="самый" if superlative else None)
            if new:
                self.pieces[i] = new

    def _agree_bound(self, bound: Bound, plural: bool) -> None:
        """A relative pronoun, participle, predicate or noun said of the person, in the wanted gender."""
        if bound.at in self.pieces or not uncased(bound.cells) & uncased(cells(self.before, "s")):
            return
        cases = {case for case in "ngdail" if bound.cells & cells(self.before, "s", case)}
        if bound.kind == "apposition":
            if not plural:
                self._noun(bound.at, plural, case="i" if "i" in cases else "n")
            return
        if bound.kind == "relative":
            cases = {self.language.case_at(self.tokens, bound.at, bound.cells & cells(self.before, "s"))}
        low = self._low(bound.at)
        new = self.words.agreeing(low, self.wanted, None) if bound.kind == "predicate" else None
        new = new or self.words.agreeing(low, self.wanted, cases)
        if new:
            self.pieces[bound.at] = new

    # -- pronouns

    def _pronouns(self, heads: list[int]) -> dict[str, str]:
        """Pronouns that can mean nobody else, where the English has one for a person: then they are no things."""
        others = any(i not in heads and self._person(i) for i in range(len(self.tokens)))
        return (
            {}
            if others or self.task.elsewhere or not OF_PERSONS.search(self.task.source)
            else self.words.pronouns[self.wanted]
        )

    def _person(self, at: int) -> bool:
        """Somebody else whom a pronoun of this gender may mean: a noun for a living being, a name, or кто-то."""
        low = self._low(at)
        if low in SOMEBODY:
            return True
        # the Ukrainian dictionary does not put the likeliest first; names stand last
        for one in (self.words.nouns(low) if self.words.sparse else self.words.parses(low))[:1]:
            rather = self.words.sparse and any(map(self.words.declined, self.words.parses(low)))
            if rather and not self.forms.known.get(low):
                continue  # щасливий: a noun of the dictionary, too, but an adjective here
            if one.tag.POS == "NOUN" and "anim" in one.tag.grammemes and one.tag.number != "plur":
                return self.words.gender(one) == TAGS[self.before] or self.words.fixed(one.normal_form)
        return False

    # -- spelling

    def _piece(self, at: int, new: str) -> tuple[int, int, str]:
        token = self.tokens[at]
        if "ё" in new and self._without_yo():
            new = new.replace("ё", "е")
        return token.start, token.end, cased(token.text, new)

    def _without_yo(self) -> bool:
        """The text writes е for ё."""
        lows = [token.text.lower() for token in self.tokens]
        if any("ё" in low for low in lows):
            return False
        return any("ё" in one.word for low in lows if "е" in low and low != "все" for one in self.words.parses(low)[:1])
