"""Rewriting in Russian and Ukrainian: the noun in its case and number, what agrees with it before it, the relative
pronoun, past tenses and predicates of which it is the subject, and pronouns that can mean nobody else."""

from __future__ import annotations

import re

from evenhand.gender import Gender
from evenhand.grammar.families.morphology import Parse
from evenhand.grammar.families.slavic import Slavic
from evenhand.grammar.lexicon import Forms
from evenhand.mend.rewriting import Rewriter, Rewritten, Task, cased, declined, no_form, replaced
from evenhand.mend.slavic_classes import ABSENT, QUANTITY
from evenhand.mend.slavic_clauses import Clauses
from evenhand.mend.slavic_predicates import equated, subject_pronoun
from evenhand.mend.slavic_words import SHORT, TAGS, SlavicWords

OF_PERSONS = re.compile(r"\b(?:they|them|their|he|him|his|she|her|hers)\b", re.IGNORECASE)
FEMALE = {"ru": "он:она его:её него:неё ему:ей нему:ней ним:ней нём:ней нем:ней",
          "uk": "він:вона його:її нього:неї йому:їй ньому:ній ним:нею"}  # fmt: skip
MALE = {"ru": "она:он её:его ее:его неё:него нее:него ей:ему нею:ним ею:им",
        "uk": "вона:він її:його неї:нього їй:йому ній:ньому нею:ним"}  # fmt: skip
EACH = frozenset("каждый любой один всякий некий какой-то никакой кожен будь-який якийсь жоден".split())
SOMEBODY = frozenset("кто-то кого-то кому-то кем-то хтось когось комусь кимось".split())
WOMAN = "женщина"
OUT_OF = frozenset({"из", "з", "із", "зі"})


class SlavicRewriter(Rewriter):
    """For Russian or Ukrainian."""

    def __init__(self, language: Slavic, forms: Forms) -> None:
        self.language, self.forms = language, forms
        self.words = SlavicWords(language.code, forms)

    def rewrite(self, task: Task) -> Rewritten:
        return _Rewriting(self, task).done()

    def explicit(self, task: Task) -> Rewritten:
        """Once more, for a woman of whom the source says that she is one: a Russian noun that serves men and women is
        led by the word for a woman (женщина-врач)."""
        if self.language.code != "ru" or task.wanted is not Gender.FEMALE:
            return no_form(task.wanted, task.tokens[task.heads[0]].text)
        return _Rewriting(self, task._replace(explicit=True)).done()


class _Rewriting:
    """One rendering; `pieces` collects the new words by token."""

    def __init__(self, rewriter: SlavicRewriter, task: Task) -> None:
        self.language, self.forms, self.words, self.task = rewriter.language, rewriter.forms, rewriter.words, task
        self.tokens = task.tokens
        self.clauses = Clauses(rewriter.language, rewriter.words, task.tokens, task.before)
        self.pieces: dict[int, str] = {}
        self.subjects: list[int] = []

    def done(self) -> Rewritten:
        heads = [self._head(), *self.task.heads[1:]]
        plural = self._plural(heads[0])
        for at in heads:
            reason = self._phrase(at, plural)
            if reason:
                return declined(reason)
        others = [i for i in range(len(self.tokens)) if i not in heads and self._person(i)]
        resumes = not plural and not others and self._taken_up() and not self.task.elsewhere
        pronouns = self._table() if resumes else {}
        if not plural or self.subjects:
            settled = self.clauses.settled(
                heads, self.subjects, alone=not others, resumed=frozenset(list(pronouns)[:1])
            )
            resumed = [at for at in range(heads[0] + 1, len(self.tokens)) if self.clauses.low(at) in pronouns]
            for at, cases in list(self.clauses.words_of(settled, heads + resumed)):
                low = self.clauses.low(at)
                new = self.words.agreeing(low, self.task.wanted, cases)
                new = SHORT.get(low, new) if self.task.wanted is Gender.MALE else new
                if new and at not in self.pieces:
                    self.pieces[at] = new
            for at in self.clauses.said(settled, heads) if not plural else ():
                self._phrase(at, plural, case="ablt")
            said_to_be = equated(self.clauses, heads[0]) if heads[0] in self.subjects and not plural else None
            if said_to_be is not None:
                self._phrase(said_to_be, plural, case="nomn")
        for at in range(heads[0] + 1, len(self.tokens)):
            new = pronouns.get(self.clauses.low(at))
            if new and at not in self.pieces:
                self.pieces[at] = new
        if not self.pieces:
            return no_form(self.task.wanted, self.tokens[heads[0]].text)
        return replaced(self.task.rendering, [self._piece(at, new) for at, new in self.pieces.items()])

    # -- the noun and what stands before it

    def _head(self) -> int:
        for at in range(self.task.heads[0], self.task.last):
            if any(one.is_known for one in self.words.nouns(self.clauses.low(at))):
                return at
        return self.task.last - 1

    def _readings(self, at: int) -> list[Parse]:
        """The noun's readings, those of the person's gender first of all."""
        readings = self.words.nouns(self.clauses.low(at))
        readings = [one for one in readings if self.words.gender(one) == TAGS[self.task.before]] or readings
        paired = [one for one in readings if self.words.paired(one.normal_form, self.task.wanted)]
        return paired or readings  # сусіда: of сусід, not of its rare twin сусіда

    def _plural(self, at: int) -> bool:
        readings = self._readings(at)
        numbers = {one.tag.number == "plur" for one in readings}
        if len(numbers) == 1:
            return numbers.pop()
        if any(self.words.declined(one) and one.tag.gender for one in self.words.parses(self.clauses.low(at - 1))):
            return False  # цієї співачки
        owned = at > 0 and (self.clauses.noun(at - 1) or self.clauses.low(at - 1) in ABSENT | QUANTITY)
        subject = {self.words.case(one) for one in readings if one.tag.number != "plur"} == {"gent"}
        if subject and not owned and not self.clauses.preposition(at - 1):
            return True  # мы с его женой подруги
        return self.task.plural

    def _phrase(self, at: int, plural: bool, case: str | None = None) -> str | None:
        """Puts the noun and what agrees before it into the wanted gender; the reason where that cannot be done."""
        low = self.clauses.low(at)
        readings = [one for one in self._readings(at) if (one.tag.number == "plur") == plural] or self._readings(at)
        if not readings:
            return self._adjectival(at, plural)
        cases = {self.words.case(one) for one in readings}
        first, agreeing, cases = self._before(at, cases, plural)
        one_of = plural and first >= 2 and self.clauses.low(first - 1) in OUT_OF
        if one_of and self.clauses.adjective(first - 2, {"nomn"}):
            self.pieces[first - 2] = self.words.agreeing(self.clauses.low(first - 2), self.task.wanted, {"nomn"}) or ""
            self.subjects.append(first - 2)  # один из учителей сказал
        chosen = case or self.clauses.case(first, cases)
        if chosen is None or (chosen == "nomn" and self.clauses.preposition(first - 1)):
            return f"the case of {self.tokens[at].text!r} is not clear"
        if not plural and chosen in {"nomn", "ablt"} and not self.clauses.preposition(first - 1):
            self._pronoun_before(first, at, said=chosen == "ablt")
        if chosen == "nomn" and not self.clauses.preposition(first - 1) and not plural:
            self.subjects.append(at)
        lemma = readings[0].normal_form
        if self._declined_as_adjective(low, lemma):
            return self._adjectival(at, plural, agreeing=agreeing, case=chosen)
        partner = self.words.partner(lemma, self.task.wanted)
        if self._common(readings):
            partner = lemma
        if partner is None and self.words.gender(readings[0]) == TAGS[self.task.wanted]:
            partner = lemma  # врач сказала: the form is a man's already
        if partner is None:
            return f"no {self.task.wanted} form of {self.tokens[at].text!r} is known"
        if partner == lemma and self.task.explicit and not self._common(readings):
            guessed = not any(one.is_known for one in readings) and self.language.lookups(low)[0] != lemma
            if (guessed and chosen == "nomn") or not all(self._pronominal(i) for i in agreeing) or self._predicate(at):
                return f"no {self.task.wanted} form of {self.tokens[at].text!r} is known"  # генеральный директор
            woman = self.words.noun(WOMAN, chosen, plural=plural, wanted=Gender.FEMALE)
            self.pieces[at] = f"{woman}-{low}"
            if not plural:
                self._agree(agreeing, {chosen})
            return None
        if partner != lemma:
            new = self.words.noun(partner, chosen, plural=plural, wanted=self.task.wanted)
            if new is None:
                return f"no {self.task.wanted} form of {self.tokens[at].text!r} is known"
            if new in {self.clauses.low(at - 2), self.clauses.low(at + 2)}:
                return f"{self.tokens[at].text!r} stands beside {new!r}"  # братьев и сестёр
            self.pieces[at] = new
        if (
            partner == lemma
            and self.task.wanted is Gender.FEMALE
            and (any(self.clauses.low(i) in EACH for i in agreeing) or (self._no_form_of_hers(readings) and agreeing))
        ):
            return f"no {self.task.wanted} form of {self.tokens[at].text!r} is known"  # каждый пользователь
        if not plural and (partner != lemma or self.task.wanted is Gender.MALE or self._common(readings)):
            self._agree(agreeing, {chosen})
        return None

    def _pronoun_before(self, first: int, at: int, *, said: bool) -> None:
        """он of which the noun is said: он хороший учитель, он стал учителем."""
        old, new = next(iter(self._table().items()))
        place = subject_pronoun(self.clauses, first, at, old, said=said)
        if place is not None:
            self.pieces[place] = new
            self.subjects.insert(0, place)

    def _agree(self, places: list[int], cases: set[str]) -> None:
        for i in places:
            low = self.clauses.low(i)
            superlative = low.startswith("сам") and i + 1 in places  # самого близкого: of самый, not сам
            new = self.words.agreeing(low, self.task.wanted, cases, lemma="самый" if superlative else None)
            if new:
                self.pieces[i] = new

    def _common(self, readings: list[Parse]) -> bool:
        """судья, коллега: a noun of common gender, whose adjectives show the person's."""
        return any(one.tag.grammemes & {"ms-f", "Ms-f"} for one in readings)

    def _no_form_of_hers(self, readings: list[Parse]) -> bool:
        """A Ukrainian noun that is a man's alone: "хоробрий моряк стрибнула" is not said."""
        return self.words.soft and not self._common(readings) and not self.words.fixed(readings[0].normal_form)

    def _before(self, at: int, cases: set[str], plural: bool) -> tuple[int, list[int], set[str]]:
        """Where the phrase begins, its words that agree with the noun, and the cases they leave."""
        tag, agreeing, first = TAGS[self.task.before], [], at
        i = at - 1
        while i >= 0:
            joined = first < at and self.clauses.low(i) in {"и", ",", "та", "й", "і"}
            step = i - 1 if joined else i
            readings = self.words.parses(self.clauses.low(step)) if step >= 0 else ()
            if self.words.soft and self.clauses.only_verb(step):
                break  # жила відома письменниця
            fits = {
                self.words.case(one)
                for one in readings
                if self.words.declined(one)
                and (
                    one.tag.number == "plur" if plural else one.tag.gender in {tag, "masc"} and one.tag.number != "plur"
                )
            } & cases
            if not fits:
                break
            cases, first = fits, step
            agreeing.append(step)
            i = step - 1
        return first, agreeing, cases

    def _declined_as_adjective(self, low: str, lemma: str) -> bool:
        return lemma.endswith(("ый", "ий", "ой", "ая", "яя", "а")) and any(
            one.tag.POS in {"ADJF", "PRTF"} and one.is_known for one in self.words.parses(low)
        )

    def _adjectival(
        self, at: int, plural: bool, agreeing: list[int] | None = None, case: str | None = None
    ) -> str | None:
        """служащий, больной: a noun declined like an adjective."""
        if plural:
            return f"{self.tokens[at].text!r} is one form for both"
        low = self.clauses.low(at)
        own = {self.words.case(one) for one in self.words.parses(low) if one.tag.gender == TAGS[self.task.before]}
        first, places, cases = self._before(at, own, plural)
        chosen = case or self.clauses.case(first, cases)
        new = self.words.agreeing(low, self.task.wanted, {chosen} if chosen else set())
        lemmas = {one.normal_form for one in self.words.parses(low)}
        if new is None or any(self.words.fixed(lemma) for lemma in lemmas):
            return f"no {self.task.wanted} form of {self.tokens[at].text!r} is known"
        self.pieces[at] = new
        if chosen in {"nomn", "ablt"} and not self.clauses.preposition(first - 1):
            self._pronoun_before(first, at, said=chosen == "ablt")
        if chosen == "nomn" and at not in self.subjects:
            self.subjects.append(at)
        self._agree(agreeing if agreeing is not None else places, {chosen} if chosen else set())
        return None

    # -- the rest

    def _predicate(self, at: int) -> bool:
        """она мой враг: said of a pronoun before it."""
        return any(self.clauses.low(i) in {"он", "она"} for i in range(max(0, at - 4), at))

    def _pronominal(self, at: int) -> bool:
        """этот, наш, каждый: a word before a noun that says nothing of its kind."""
        return any(one.tag.grammemes & {"Apro", "Anum"} for one in self.words.parses(self.clauses.low(at)))

    def _person(self, at: int) -> bool:
        """Somebody else whom a pronoun of this gender may mean: a noun for a living being, a name, or кто-то."""
        low = self.clauses.low(at)
        if low in SOMEBODY:
            return True
        # the Ukrainian dictionary does not put the likeliest first; names stand last
        for one in (self.words.nouns(low) if self.words.soft else self.words.parses(low))[:1]:
            if self.clauses.rather_adjective(at):
                continue  # щасливий: a noun of the dictionary, too, but an adjective here
            if one.tag.POS == "NOUN" and "anim" in one.tag.grammemes and one.tag.number != "plur":
                return self.words.gender(one) == TAGS[self.task.before] or self.words.fixed(one.normal_form)
        return False

    def _taken_up(self) -> bool:
        """The English has a pronoun for a person: then he and she in the rendering are no things."""
        return bool(OF_PERSONS.search(self.task.source))

    def _table(self) -> dict[str, str]:
        """Pronouns of the person's gender and those of the other, the nominative first."""
        table = (FEMALE if self.task.wanted is Gender.FEMALE else MALE)[self.language.code]
        return {pair.split(":")[0]: pair.split(":")[1] for pair in table.split()}

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
