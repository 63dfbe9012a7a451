"""Rewriting in Russian and Ukrainian: the noun in its case and number, what agrees with it (see `grammar.agrees_with`),
nouns said of it, and pronouns that can mean nobody else."""

from __future__ import annotations

import re

from evenhand.gender import Gender
from evenhand.grammar.families.agreement import Bound
from evenhand.grammar.families.inflection import TAGS
from evenhand.grammar.families.morphology import Parse
from evenhand.grammar.families.slavic import Slavic
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import PLURAL, SINGULAR, Phrase, cells
from evenhand.mend.rewriting import Rewriter, Rewritten, Task, cased, declined, no_form, replaced

OF_PERSONS = re.compile(r"\b(?:they|them|their|he|him|his|she|her|hers)\b", re.IGNORECASE)
EACH = frozenset("каждый любой один всякий некий какой-то никакой кожен будь-який якийсь жоден".split())
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
        for at in dict.fromkeys([*self.subjects, *heads]) if not plural or self.subjects else ():
            resumed = frozenset(list(pronouns)[:1])
            for bound in self.language.bound(self.tokens, at, resumed=resumed, nominative=at in self.subjects):
                self._agree_bound(bound, plural)
        for at in range(heads[0] + 1, len(self.tokens)):
            self._put(at, pronouns.get(self._low(at)))
        if not self.pieces:
            return no_form(self.task.wanted, self.tokens[heads[0]].text)
        return replaced(self.task.rendering, [self._piece(at, new) for at, new in self.pieces.items()])

    def _low(self, at: int) -> str:
        """The word in lower case, ё as written."""
        return self.tokens[at].text.lower() if 0 <= at < len(self.tokens) else "."

    def _none(self, at: int) -> str:
        return f"no {self.task.wanted} form of {self.tokens[at].text!r} is known"

    def _put(self, at: int, new: str | None) -> None:
        if new:
            self.pieces.setdefault(at, new)

    # -- the noun and its phrase

    def _head(self) -> int:
        for at in range(self.task.heads[0], self.task.last):
            if any(one.is_known for one in self.words.nouns(self._low(at))):
                return at
        return self.task.last - 1

    def _readings(self, at: int) -> list[Parse]:
        """The noun's readings, first of all those with a partner: сусіда is of сусід, not of its rare twin сусіда."""
        readings = self.words.nouns(self._low(at))
        readings = [one for one in readings if self.words.gender(one) == TAGS[self.before]] or readings
        return [one for one in readings if self.words.paired(one.normal_form, self.wanted)] or readings

    def _phrase(self, at: int) -> Phrase:
        return self.language.own_phrase(self.tokens, at, at + 1, cells())

    def _preposition(self, at: int) -> bool:
        return at >= 0 and self.language.kind(self.tokens[at].low) == "preposition"

    def _plural(self, at: int) -> bool:
        readings = self._readings(at)
        numbers = {one.tag.number == "plur" for one in readings}
        if len(numbers) == 1:
            return numbers.pop()
        phrase = self._phrase(at)
        if not phrase.cells & PLURAL:
            return False  # цієї співачки
        before = self.language.form(self._low(at - 1))
        owned = before.noun or not before.roles.isdisjoint({"quantity", "absent"})
        genitive = {self.words.case(one) for one in readings if one.tag.number != "plur"} == {"g"}
        if genitive and not owned and not self._preposition(at - 1):
            return True  # мы с его женой подруги
        return self.task.plural

    def _noun(self, at: int, plural: bool, case: str = "") -> str | None:
        """Puts the noun and what agrees before it into the wanted gender; the reason where that cannot be done."""
        readings = [one for one in self._readings(at) if (one.tag.number == "plur") == plural] or self._readings(at)
        adjectival = not readings or self._declined_as_adjective(at, readings[0].normal_form)
        if adjectival:
            readings = [one for one in self.words.parses(self._low(at)) if one.tag.gender == TAGS[self.before]]
        phrase = self._phrase(at)
        self._one_of(phrase.first, plural)
        case = case or self._case(phrase, readings, plural)
        if not case:
            return f"the case of {self.tokens[at].text!r} is not clear"
        if not plural and not self._preposition(phrase.first - 1):
            self._subject(phrase.first, at, case)
        agreeing = [i for i in range(phrase.first, at) if self.language.form(self.tokens[i].low).declined]
        if adjectival:
            return self._adjectival(at, agreeing, case, plural)
        return self._partnered(at, readings[0], agreeing, case, plural)

    def _case(self, phrase: Phrase, readings: list[Parse], plural: bool) -> str:
        """The case of the noun by its phrase and what is before it; "" where it is not clear."""
        own = sum(cells(cases=case) for case in {self.words.case(one) for one in readings})
        numbered = phrase.cells & own & (PLURAL if plural else SINGULAR)
        case = self.language.case_at(self.tokens, phrase.first, numbered or own)
        return "" if case == "n" and self._preposition(phrase.first - 1) else case

    def _one_of(self, first: int, plural: bool) -> None:
        """один из учителей сказал: one of several is the subject."""
        if plural and self._low(first - 1) in OUT_OF:
            new = self.words.agreeing(self._low(first - 2), self.wanted, {"n"})
            if new:
                self.pieces[first - 2] = new
                self.subjects.append(first - 2)

    def _partnered(self, at: int, reading: Parse, agreeing: list[int], case: str, plural: bool) -> str | None:
        """The other gender's noun in the place; a noun of common gender stays, and its adjectives change."""
        lemma = reading.normal_form
        if self.words.common(self._low(at)):
            partner: str | None = lemma
        else:
            partner = self.words.partner(lemma, self.wanted)
            if partner == lemma and self.wanted == "f":
                return self._mans(at, lemma, agreeing, case, plural)
        if partner is not None and partner != lemma:
            new = self.words.noun(partner, case, plural=plural, wanted=self.wanted)
            if new is None or new in {self._low(at - 2), self._low(at + 2)}:  # братьев и сестёр
                return self._none(at)
            self.pieces[at] = new
        elif partner is None and self.words.gender(reading) != TAGS[self.wanted]:
            return self._none(at)
        if not plural:
            self._agree(agreeing, {case})
        return None

    def _mans(self, at: int, lemma: str, agreeing: list[int], case: str, plural: bool) -> str | None:
        """A man's noun that serves women stays, and so do its adjectives, unless the word for a woman leads it."""
        if self._no_woman(at, agreeing) if self.task.explicit else self._only_mans(lemma, agreeing):
            return self._none(at)
        if self.task.explicit:
            self.pieces[at] = f"{self.words.noun(WOMAN, case, plural=plural, wanted='f')}-{self._low(at)}"
            if not plural:
                self._agree(agreeing, {case})
        return None

    def _no_woman(self, at: int, agreeing: list[int]) -> bool:
        """Where "женщина" leads no noun: one said of a pronoun (она мой враг), one with an adjective (общий врач)."""
        tags = [one.tag.grammemes for i in agreeing for one in self.words.parses(self._low(i))[:1]]
        said = not {"он", "она"}.isdisjoint(map(self._low, range(at - 4, at)))
        return said or any(tag.isdisjoint({"Apro", "Anum"}) for tag in tags)

    def _only_mans(self, lemma: str, agreeing: list[int]) -> bool:
        """Beside these words the noun stays a man's: "каждый пользователь сказала" is not said, nor, in Ukrainian,
        "хоробрий моряк стрибнула"."""
        each = any(self._low(i) in EACH for i in agreeing)
        return each or (bool(agreeing) and self.words.sparse and not self.words.fixed(lemma))

    def _subject(self, first: int, at: int, case: str) -> None:
        """Notes the noun as a subject, or the pronoun of which it is said: он хороший учитель, он стал учителем."""
        if case == "n":
            self.subjects.append(at)
        old, new = next(iter(self.words.pronouns[self.wanted].items()))
        start = next((i + 1 for i in range(first - 1, -1, -1) if self.tokens[i].low in ".,;:!?…()"), 0)
        places = [i for i in range(start, first) if self._low(i) == old]
        if len(places) != 1:
            return
        between = [self.language.form(self.tokens[i].low) for i in range(places[0] + 1, first)]
        equal = case == "n" and not any(form.verb or form.noun for form in between)
        if equal or (case == "i" and any(form.being for form in between[-5:])):
            self.pieces[places[0]] = new
            self.subjects.insert(0, places[0])

    def _declined_as_adjective(self, at: int, lemma: str) -> bool:
        readings = self.words.parses(self._low(at))
        adjective = any(one.tag.POS in {"ADJF", "PRTF"} and one.is_known for one in readings)
        return adjective and lemma.endswith(("ый", "ий", "ой", "ая", "яя", "а"))

    def _adjectival(self, at: int, agreeing: list[int], case: str, plural: bool) -> str | None:
        """служащий, больной: a noun declined like an adjective."""
        new = None if plural else self.words.agreeing(self._low(at), self.wanted, {case})
        if new is None or any(self.words.fixed(one.normal_form) for one in self.words.parses(self._low(at))):
            return self._none(at)
        self.pieces[at] = new
        self._agree(agreeing, {case})
        return None

    # -- what agrees

    def _agree(self, places: list[int], cases: set[str]) -> None:
        for i in places:
            superlative = self._low(i).startswith("сам") and i + 1 in places  # самого близкого: of самый, not сам
            lemma = "самый" if superlative else None
            self._put(i, self.words.agreeing(self._low(i), self.wanted, cases, lemma=lemma))

    def _agree_bound(self, bound: Bound, plural: bool) -> None:
        """A relative pronoun, participle, predicate or noun said of the person, in the wanted gender."""
        mine = bound.cells & cells(self.before, "s")
        cases = {case for case in "ngdail" if mine & cells(cases=case)}
        if bound.at in self.pieces or not cases:
            return
        if bound.kind == "apposition":
            if not plural:
                self._noun(bound.at, plural, case="i" if "i" in cases else "n")
            return
        if bound.kind == "relative":
            cases = {self.language.case_at(self.tokens, bound.at, mine)}
        low = self._low(bound.at)
        new = self.words.agreeing(low, self.wanted, None) if bound.kind == "predicate" else None
        self._put(bound.at, new or self.words.agreeing(low, self.wanted, cases))

    # -- pronouns

    def _pronouns(self, heads: list[int]) -> dict[str, str]:
        """Pronouns that can mean nobody else, where the English has one for a person: then they are no things."""
        others = any(i not in heads and self._person(i) for i in range(len(self.tokens)))
        known = not others and not self.task.elsewhere and OF_PERSONS.search(self.task.source)
        return self.words.pronouns[self.wanted] if known else {}

    def _person(self, at: int) -> bool:
        """Somebody else whom a pronoun of this gender may mean: a noun for a living being, or a name."""
        low = self._low(at)
        # the Ukrainian dictionary does not put the likeliest first; names are last
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
        if "ё" in new and "ё" not in self.task.rendering.lower() and self._without_yo():
            new = new.replace("ё", "е")
        return token.start, token.end, cased(token.text, new)

    def _without_yo(self) -> bool:
        """The text writes е for ё."""
        words = {token.text.lower() for token in self.tokens} - {"все"}
        return any("ё" in one.word for low in words if "е" in low for one in self.words.parses(low)[:1])
