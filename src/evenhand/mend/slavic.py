"""Rewriting in the Slavic languages: the noun in its case and number, what agrees with it (see `grammar.agrees_with`),
nouns said of it, and pronouns that can mean nobody else."""

import re
from collections.abc import Collection
from contextlib import nullcontext, suppress

from evenhand.gender import Gender
from evenhand.grammar.families.agreement import NOMINATIVE, Bound, Text
from evenhand.grammar.families.inflection import TAGS
from evenhand.grammar.families.morphology import Parse
from evenhand.grammar.families.slavic import Slavic
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import PLURAL, SINGULAR, Phrase, cells
from evenhand.mend.hints import OF_PERSONS, acts, he_or_she
from evenhand.mend.rewriting import LETTERS, Declined, Rewriter, Rewritten, Task, cased, no_form, replaced, unclear

WOMAN = "женщина"
ABOUT = ("о", "об")  # before a consonant, before a vowel
OWNER = "o"
WHOSE = re.compile(r"\bwhose\b", re.IGNORECASE)


class SlavicRewriter(Rewriter):
    """For one of Russian, Ukrainian, Polish, Czech."""

    def __init__(self, language: Slavic, forms: Forms) -> None:
        self.language, self.forms = language, forms
        self.words = language.inflection

    def rewrite(self, task: Task) -> Rewritten:
        return _Rewriting(self, task).done()

    def explicit(self, task: Task) -> Rewritten:
        """Once more, for a woman of whom the source says that she is one: a Russian noun that serves men and women is
        led by the word for a woman (женщина-врач)."""
        if not self.language.ranked or task.wanted is not Gender.FEMALE or task.plural:
            raise no_form(task.wanted, task.tokens[task.heads[0]].text)
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
        self.plural = plural = self._plural(heads[0])
        self.agrees = not plural or self.language.plural_shows_gender
        for at in heads:
            self._noun(at, plural)
        pronouns = self._pronouns(heads)
        others: set[int] = set()
        for at in dict.fromkeys([*self.subjects, *heads]) if self.agrees or self.subjects else ():
            resumed = frozenset(list(pronouns)[:1])
            found, beside = self.language.bound(self.tokens, at, resumed=resumed, nominative=at in self.subjects)
            others |= beside
            for bound in found:
                self._agree_bound(bound, plural and at in heads)
        for at in range(heads[0] + 1, len(self.tokens)):
            if at not in others:
                self._put(at, self._pronoun(at, pronouns))
        left = self._left(heads[0], others) if not plural and not pronouns else None
        if self._low(heads[0] + 1) == next(iter(self._all_pronouns()), "") and heads[0] + 1 not in self.pieces:
            left = heads[0] + 1  # христианин он или атеист
        left = self._left_behind(heads) if left is None and self.language.drops_subjects and self.agrees else left
        if left is not None:
            raise unclear(self.tokens[left].text, self.tokens[heads[0]].text)
        if not self.pieces or all(self.language.has(self._low(at), "needed") for at in self.pieces):
            raise self._none(heads[0])
        for at, new in [one for one in self.pieces.items() if self._low(one[0] - 1) in ABOUT]:
            self._put(at - 1, ABOUT[new[0] in "аоэиу"])
        return replaced(self.task.rendering, [self._piece(at, new) for at, new in self.pieces.items()])

    def _low(self, at: int) -> str:
        """The word in lower case, ё as written."""
        return self.tokens[at].text.lower() if 0 <= at < len(self.tokens) else "."

    def _none(self, at: int) -> Declined:
        return no_form(self.task.wanted, self.tokens[at].text)

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

    def _noun(self, at: int, plural: bool, case: str = "") -> None:
        """Puts the noun and what agrees before it into the wanted gender."""
        readings = [one for one in self._readings(at) if (one.tag.number == "plur") == plural] or self._readings(at)
        adjectival = not readings or self._declined_as_adjective(at, readings[0].normal_form)
        if adjectival:
            readings = [one for one in self.words.parses(self._low(at)) if one.tag.gender == TAGS[self.before]]
        phrase = self._phrase(at)
        text = Text(self.language, self.tokens)
        if (self.language.dictionary or adjectival) and text.of_noun(at):
            raise self._none(at)  # an adjective: uczący się cudzoziemiec
        self._one_of(phrase.first, plural)
        own = not case
        case = case or self._case(phrase, readings, plural)
        if not case:
            raise Declined(f"the case of {self.tokens[at].text!r} is not clear")
        counted = phrase.first - 1
        while text.forms[counted].verb or text.forms[counted].being:
            counted -= 1  # Ilu jest uczniów
        if plural and self.language.has(self._low(counted), "counts_men"):
            raise Declined(f"{self.tokens[counted].text!r} counts men only")
        if self.agrees and own and not self._preposition(phrase.first - 1):
            self._subject(phrase.first, at, case)
        beside = (i for i in range(phrase.first, phrase.last) if i != at)
        agreeing = [i for i in beside if self.language.form(self.tokens[i].low).declined]
        if self._called_mine(phrase.last):
            agreeing.append(phrase.last)
        if adjectival:
            self._adjectival(at, agreeing, case, plural)
        else:
            self._partnered(at, readings[0], agreeing, case, plural)

    def _called_mine(self, at: int) -> bool:
        """Друг мой, послушай: a pronoun that ends its clause right behind the noun."""
        ends = not self._low(at + 1)[0].isalnum()
        return ends and any(
            "Apro" in one.tag.grammemes and self.words.declined(one) for one in self.words.parses(self._low(at))
        )

    def _case(self, phrase: Phrase, readings: list[Parse], plural: bool) -> str:
        """The case of the noun by its phrase and what is before it; "" where it is not clear."""
        own = sum(cells(cases=case) for case in {self.words.case(one) for one in readings})
        numbered = phrase.cells & own & (PLURAL if plural else SINGULAR)
        case = self.language.case_at(self.tokens, phrase.first, numbered or own)
        if self._preposition(phrase.first - 1):
            return "" if case == "n" else case
        if case == "l" and any(self.words.case(one) == "v" for one in readings):
            return "v"  # cześć, dziadku
        taken = case == "g" and own & cells(cases="a") and acts(self.task.source, self.task.start) is False
        # mám s Tomem tříletého syna: the object of a verb, by the English too
        return "a" if taken and not self.language.of_genitive(self.tokens, phrase.first) else case

    def _one_of(self, first: int, plural: bool) -> None:
        """один из учителей сказал: one of several is the subject."""
        if plural and self.language.has(self._low(first - 1), "out_of"):
            one = self._low(first - 2)
            case = self.language.case_at(self.tokens, first - 2, self.language.cases(one))
            new = self.words.agreeing(one, self.wanted, {case}) if case else None
            new = new or self.words.agreeing(one, self.wanted, {"n"}, plural=True)  # kteří z tvých přátel
            if new:
                self.pieces[first - 2] = new
                self.subjects += [first - 2] * (case == "n")
                if case == "i" and any(self.language.form(token.low).shown for token in self.tokens[: first - 2]):
                    raise Declined(f"{one!r} describes another person whose words would have to change too")

    def _partnered(self, at: int, reading: Parse, agreeing: list[int], case: str, plural: bool) -> None:
        """The other gender's noun in the place; a noun of common gender stays, and its adjectives change."""
        lemma = reading.normal_form
        if self.words.common(self._low(at)):
            partner: str | None = lemma
        else:
            partner = self.words.partner(lemma, self.wanted)
            if partner == lemma and self.wanted == "f":
                self._mans(at, lemma, agreeing, case, plural)
                return
        if partner is not None and partner != lemma:
            new = self.words.noun(partner, case, plural=plural, wanted=self.wanted)
            beside = {one.normal_form for i in (at - 2, at + 2) for one in self.words.nouns(self._low(i))}
            if new is None or partner in beside:  # братьев и сестёр, бабушке с дедушкой
                raise self._none(at)
            self.pieces[at] = new
        elif partner is None and self.words.gender(reading) != TAGS[self.wanted]:
            raise self._none(at)
        if self.agrees:
            self._agree(agreeing, {case})

    def _mans(self, at: int, lemma: str, agreeing: list[int], case: str, plural: bool) -> None:
        """A man's noun that serves women stays, and so do its adjectives, unless the word for a woman leads it."""
        if self._no_woman(at, agreeing) if self.task.explicit else self._only_mans(lemma, agreeing):
            raise self._none(at)
        if self.task.explicit:
            self.pieces[at] = f"{self.words.noun(WOMAN, case, plural=plural, wanted='f')}-{self._low(at)}"
            if not plural:
                self._agree(agreeing, {case})

    def _no_woman(self, at: int, agreeing: list[int]) -> bool:
        """Where "женщина" leads no noun: one said of a pronoun (она мой враг), one with an adjective (общий врач)."""
        tags = [one.tag.grammemes for i in agreeing for one in self.words.parses(self._low(i))[:1]]
        said = not {"он", "она"}.isdisjoint(map(self._low, range(at - 4, at)))
        return said or any(tag.isdisjoint({"Apro", "Anum"}) for tag in tags)

    def _only_mans(self, lemma: str, agreeing: list[int]) -> bool:
        """Beside these words the noun stays a man's: "каждый пользователь сказала" is not said, nor, in Ukrainian,
        "хоробрий моряк стрибнула"."""
        each = any(self.language.has(self._low(i), "each") for i in agreeing)
        return each or (bool(agreeing) and self.words.sparse and not self.words.fixed(lemma))

    def _subject(self, first: int, at: int, case: str) -> None:
        """Notes the noun as a subject, or of whom it is said: a pronoun changes with it (он хороший учитель), and so
        does the verb where no subject is named (był nauczycielem); another noun or a name does not (отец был учителем).
        """
        if case == "n":
            self.subjects.append(at)
        old, forms = next(iter(self._all_pronouns().items()), ("", {}))
        start = next((i + 1 for i in range(first - 1, -1, -1) if self.tokens[i].low in ".,;:!?…()"), 0)
        before = {i: self.language.form(self.tokens[i].low) for i in range(start, first)}
        places = [i for i in before if self._low(i) == old]
        linked = [i for i, form in before.items() if form.being or "it" in form.roles]
        told = any(form.shown and not form.being for i, form in before.items() if linked and i > linked[-1])
        clause = next((inside for inside in self.language.cut(self.tokens) if at in inside), range(0))
        words = (*before.values(), *(self.language.form(self.tokens[i].low) for i in clause if i > at))
        bare = case == "n" and not any(form.verb or "joining" in form.roles for form in words)
        said = not told if linked else bare
        if len(places) == 1 and said and (case == "i" or not any(before[i].noun for i in before if i > places[0])):
            self.pieces[places[0]] = next(iter(forms.values()))
            self.subjects.insert(0, places[0])
        elif said and case in "ni" and not places:
            hosts = (i for i in before if not self._preposition(i - 1))
            if any(self._person(i, nominative=True) or (linked and self._relative(i)) for i in hosts):
                raise Declined(
                    f"{self.tokens[at].text!r} describes another person whose words would have to change too"
                )
            if linked and any(self._called(i) for i in before):
                raise Declined(f"{self.tokens[at].text!r} is next to another word for the same person")
            if self.language.drops_subjects or any(self.language.has(self._low(i), "speaks") for i in before):
                self._unnamed(before)

    def _called(self, at: int) -> bool:
        """Another noun that says what the person is: моей начальницей была женщина."""
        nouns = [one for one in self.words.nouns(self._low(at)) if self.words.gender(one) == TAGS[self.before]]
        named = any(self.words.case(one) == "i" for one in nouns[:1])
        return named and not self._preposition(self._phrase(at).first - 1)

    def _relative(self, at: int) -> bool:
        """A relative pronoun that can be a subject: syna, który jest lekarzem."""
        low = self.tokens[at].low
        return self.language.relative_pronoun(low) and bool(self.language.form(low).declined & NOMINATIVE)

    def _unnamed(self, clause: Collection[int]) -> None:
        """The verbs of a person whom no subject names; of the speaker or the listener in every clause."""
        text = Text(self.language, self.tokens)
        marks = {self._participant(i) for i in clause} - {""}
        for inside in text.cut():
            ours = marks & {self._participant(i) for i in inside}
            for i in inside:
                verb = text.forms[i].shown or self._participant(i) or (text.forms[i].being and i in clause)
                if verb and (i in clause or ours):
                    self._put(i, self.words.agreeing(self._low(i), self.wanted, None, plural=self.plural))

    def _participant(self, at: int) -> str:
        """What shows that the subject of a verb is the speaker or the listener: jsem, byłem; "" for other words."""
        low = self._low(at)
        person = next((str(one.tag.person) for one in self.words.parses(low) if one.tag.POS == "VERB"), "")
        return low if self.language.has(low, "speaks") else person if person in {"1per", "2per"} else ""

    def _declined_as_adjective(self, at: int, lemma: str) -> bool:
        readings = self.words.parses(self._low(at))
        adjective = any(one.tag.POS in {"ADJF", "PRTF"} and one.is_known for one in readings)
        return adjective and lemma.endswith(("ый", "ий", "ой", "ая", "яя", "а"))

    def _adjectival(self, at: int, agreeing: list[int], case: str, plural: bool) -> None:
        """служащий, больной: a noun declined like an adjective."""
        low = self._low(at)
        named = self.language.dictionary or any(self.forms.known.get(form) for form in self.language.lookups(low))
        new = self.words.agreeing(low, self.wanted, {case}) if named and not plural else None  # zpívá: a verb
        if new is None or any(self.words.fixed(one.normal_form) for one in self.words.parses(self._low(at))):
            raise self._none(at)
        self.pieces[at] = new
        self._agree(agreeing, {case})

    # -- what agrees

    def _agree(self, places: list[int], cases: set[str]) -> None:
        for i in places:
            superlative = self._low(i).startswith("сам") and i + 1 in places  # самого близкого: of самый, not сам
            lemma = "самый" if superlative else None
            self._put(i, self.words.agreeing(self._low(i), self.wanted, cases, lemma=lemma, plural=self.plural))

    def _agree_bound(self, bound: Bound, plural: bool) -> None:
        """A relative pronoun, participle, predicate or noun said of the person, in the wanted gender."""
        mine = bound.cells & cells(self.before, "p" if plural else "s")
        cases = {case for case in "ngdail" if mine & cells(cases=case)}
        if bound.at in self.pieces or not cases:
            return
        if bound.kind == "apposition":
            with suppress(Declined) if self._fixed(bound.at) else nullcontext():
                self._noun(bound.at, plural, case="i" if "i" in cases else "n")
            return
        if bound.kind == "relative":
            whose = "g" in cases and WHOSE.search(self.task.source) and self.language.form(self._low(bound.at + 1)).noun
            cases = {"g" if whose else self.language.case_at(self.tokens, bound.at, mine)}
        low = self._low(bound.at)
        new = self.words.agreeing(low, self.wanted, None, plural=plural) if bound.kind == "predicate" else None
        self._put(bound.at, new or self.words.agreeing(low, self.wanted, cases, plural=plural))

    def _fixed(self, at: int) -> bool:
        """A noun that serves both genders (он врач, она врач), or no noun for a living being."""
        return all(self.words.partner(one.normal_form, self.wanted) == one.normal_form for one in self._readings(at))

    # -- pronouns

    def _all_pronouns(self) -> dict[str, dict[str, str]]:
        return self.words.pronouns.get(self.wanted + "p" * self.plural, {})

    def _pronouns(self, heads: list[int]) -> dict[str, dict[str, str]]:
        """Pronouns that can mean nobody else, where the English has one for a person: then they are no things."""
        others = any(i not in heads and self._person(i) for i in range(len(self.tokens)))
        known = not others and not self.task.elsewhere and OF_PERSONS.search(self.task.source)
        return self._all_pronouns() if known else {}

    def _left(self, head: int, others: set[int]) -> int | None:
        """A pronoun left as it is that may mean the person, by the English too."""
        source, forms = self.task.source, self._all_pronouns()
        left = (i for i in range(head + 1, len(self.tokens)) if self._low(i) in forms and i not in others)
        at = next(left, None)
        if at is None or not OF_PERSONS.search(source):
            return None
        another = self.task.elsewhere or (self.task.others and self.task.before in he_or_she(source))
        if another and self._low(at) != next(iter(forms)):
            return None  # no subject
        before = (i for i in range(at) if i not in self.pieces and i != head)
        return (
            None
            if another and any((i and self.tokens[i].text[:1].isupper()) or self._person(i) for i in before)
            else at
        )

    def _left_behind(self, heads: list[int]) -> int | None:
        """A predicate left as it is that has no subject and may be said of the person."""
        text, number = Text(self.language, self.tokens), "p" if self.plural else "s"
        mine, ours = cells(self.before, number, "n"), False
        for inside in text.cut():
            named = [at for at in heads if at in inside]
            other = text.rival(inside, named[0] if named else -1)
            controlled = inside.start > heads[0] and "subordinate" in text.forms[inside.start].roles
            if named or any(i in self.pieces for i in inside):
                shown = (i for i in inside if text.forms[i].shown or text.forms[i].being)
                ours = any(i in self.pieces for i in shown) or not {*inside}.isdisjoint(self.subjects)
            elif other:
                ours = False
            for i in inside if not other and (ours or controlled) else ():
                form = text.forms[i]
                past = self.language.dictionary or any(a.part == "past" for a in self.language.readings(form.low))
                said = (form.shown if past or text.becomes(inside.start, i) else 0) & mine or (
                    text.becomes(inside.start, i) and form.declined & mine and not text.of_noun(i)
                )
                if said and i not in self.pieces and (i == inside.start or self.tokens[i].text[0].islower()):
                    return i
        return None

    def _pronoun(self, at: int, pronouns: dict[str, dict[str, str]]) -> str | None:
        """The other gender's form; one that serves several cases (ней) by what is before it, an owner's by the noun
        behind it."""
        forms = pronouns.get(self._low(at), {})
        if len(forms) < 2:
            return next(iter(forms.values()), None)
        after = self.language.form(self._low(at + 1))
        if OWNER in forms and (after.noun or after.declined):
            return forms[OWNER]
        cases = "".join(forms).replace(OWNER, "")
        if self._preposition(at - 1) or "a" not in forms:
            return forms.get(self.language.case_at(self.tokens, at, cells(cases=cases)))
        return forms["g" if "g" in forms and self.language.of_genitive(self.tokens, at) else "a"]

    def _person(self, at: int, *, nominative: bool = False) -> bool:
        """Somebody else whom a pronoun of this gender may mean: a noun for a living being, or a name."""
        low = self._low(at)
        # the Ukrainian dictionary does not put the likeliest first; names are last
        for one in (self.words.nouns(low) if self.words.sparse else self.words.parses(low))[:1]:
            rather = self.words.sparse and any(map(self.words.declined, self.words.parses(low)))
            if rather and not self.forms.known.get(low):
                continue  # щасливий: a noun of the dictionary, too, but an adjective here
            if one.tag.POS == "NOUN" and "anim" in one.tag.grammemes and one.tag.number != "plur":
                same = self.words.gender(one) == TAGS[self.before]
                return (
                    (same and self.words.case(one) == "n") if nominative else same or self.words.fixed(one.normal_form)
                )
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
