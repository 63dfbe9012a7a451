"""German: the noun with its phrase in its case and number, and every link of its chain: relative pronouns, nouns that
say the same person again (ist ein guter Arzt, als Arzt), pronouns that can mean nobody else."""

from __future__ import annotations

import re

from evenhand.gender import Gender
from evenhand.grammar.german import German
from evenhand.grammar.german.paradigms import CASES, Table
from evenhand.grammar.german.syntax import GENDER, ONE, TITLES, Syntax
from evenhand.grammar.protocol import SINGULAR, cells
from evenhand.grammar.sentence import Link, Sentence
from evenhand.mend.hints import he_or_she
from evenhand.mend.rewriting import Rewriter, Rewritten, Task, cased, declined, replaced

LETTER = {Gender.FEMALE: "f", Gender.MALE: "m"}
WHOM = re.compile(r"\b(?!(?:in|of|to|for|with|by|from|on|at|about)\b)\w+,?\s+whom\b", re.IGNORECASE)  # not: in whom
KIN = {"f": ("mutter", "schwester", "tochter", "frau", "tante", "oma", "nichte", "cousine"),
       "m": ("vater", "bruder", "sohn", "mann", "onkel", "opa", "neffe", "cousin")}  # fmt: skip
NEAR = 0.95  # how sure a possessive is that its clause's subject binds
SURE = 0.6
OF_THINGS = re.compile(r"\b(?:it|its)\b", re.IGNORECASE)
OF_PERSONS = re.compile(r"\b(?:they|them|their|he|him|his|she|her|hers)\b", re.IGNORECASE)


class Unclear(Exception):
    """Raised with the reason for which the mender declines."""


class GermanRewriter(Rewriter):
    """One target language; every rendering is one `_Chain`."""

    neutral = True

    def __init__(self, language: German) -> None:
        self.language = language

    def rewrite(self, task: Task) -> Rewritten:
        neutral = task.wanted is Gender.NEUTRAL  # die Lehrkraft: the words around it are a woman's
        try:
            return _Chain(self.language, task, neutral=neutral).done()
        except Unclear as unclear:
            return declined(str(unclear))


class _Chain:
    """One rendering; `pieces` collects what is replaced, by token."""

    def __init__(self, language: German, task: Task, *, neutral: bool) -> None:
        self.language, self.task, self.neutral, self.tokens = language, task, neutral, task.tokens
        self.before, self.wanted = LETTER[task.before], "f" if neutral else LETTER[task.wanted]
        self.syntax = Syntax(language, task.tokens)
        self.pieces: dict[int, tuple[int, int, str]] = {}

    def done(self) -> Rewritten:
        head = self.task.last - 1
        if not self.tokens[head].text[:1].isupper():
            raise Unclear(f"{self.tokens[head].text!r} is no noun")
        case, number = self._phrase(head)
        if case == "n" and number == "s" and self._of_relative(head):
            raise Unclear(f"{self.tokens[head].text!r} is said of somebody whose words would have to change too")
        same = [i for i, token in enumerate(self.tokens) if token.low == self.tokens[head].low and i != head]
        for other in same if number == "s" else self.task.heads[1:]:
            self._phrase(other)
        if self.before != self.wanted:  # a woman's words around a neutral noun stay as they are
            for link in self._links(head, number):
                self._link(link, case)
        return replaced(self.task.rendering, list(self.pieces.values()))

    def _of_relative(self, head: int) -> bool:
        """Meine Großmutter war Malerin: said of a relative, whose word has no form of the other gender."""
        first = self.syntax.first(head)
        before = range(self.syntax.clause(first).start, first)
        subject = next((i for i in before if self.language.genders_of(self.tokens[i])), None)
        if subject is None or not self.tokens[subject].low.endswith(KIN[self.before]):
            return False
        return any(map(self.syntax.equates, range(subject + 1, first)))

    # -- one phrase

    def _phrase(self, head: int, case: str = "") -> tuple[str, str]:
        """Puts determiners, adjectives and noun into the wanted gender; the case and the number of the phrase."""
        if self.syntax.plural(head, self.before, expected=self.task.plural):
            case = "d" if self.syntax.dative_plural(head) else "n"
            self._noun(head, "p", case, after="die")
            return case, "p"
        title = self.tokens[head - 1].low if head else ""
        determiners, adjectives = self.language.attributes(self.tokens, head)
        case = "n" if title == "herr" else case or self._case(head)
        after = self.tokens[determiners[0]].low if determiners else ""
        for i in determiners:
            self._determiner(i, case, head)
        for i in adjectives:
            self._adjective(i, after, case)
        if title in TITLES and not self.neutral:
            self._put(head - 1, _title(title, case))
        self._noun(head, "s", case, after=after)
        return case, "s"

    def _case(self, head: int) -> str:
        if self.before == self.wanted:
            return self.syntax.cases(head, self.before)[0]  # the forms stay
        case = self.syntax.case(head, self.before)
        if case is None:
            raise Unclear(f"the case of {self.tokens[head].text!r} is not clear")
        return case

    def _determiner(self, at: int, case: str, head: int) -> None:
        token = self.tokens[at]
        new = self.language.articles.form(token.low, self.wanted, "s", case)
        if new is None:
            if self.language.determiner(token.low) & GENDER[self.wanted]:
                return
            raise Unclear(f"no {self.task.wanted} form of {token.text!r} is known")
        joined = self.language.articles.contracted(self.tokens[at - 1].low, new) if at else None
        blank = at and self.task.rendering[self.tokens[at - 1].end : token.start].isspace()
        followed = self.syntax.low(head + 1) == "," and self.syntax.relative(head + 2)
        if joined and blank and token.low in {"der", "dem"} and not followed:
            start, end = self.tokens[at - 1].start, token.end
            self.pieces[at] = (start, end, cased(self.task.rendering[start:end], joined))
        else:
            self._put(at, new)

    def _adjective(self, at: int, after: str, case: str) -> None:
        token, old = self.tokens[at], self.language.declension.ending(after, self.before, case)
        if token.text[:1].isupper() and token.low.endswith("er") and at:
            return  # Berliner Arzt
        if token.low.endswith(old):
            self._put(at, token.low.removesuffix(old) + self.language.declension.ending(after, self.wanted, case))
        elif after and not token.low.endswith("er"):
            raise Unclear(f"the ending of {token.text!r} does not fit {self.tokens[at + 1].text!r}")

    def _noun(self, head: int, number: str, case: str, *, after: str) -> None:
        low = self.tokens[head].low
        if self.neutral:
            new = self.language.nouns.neutral(low, self.before, number, case)
            if new is None:
                raise Unclear(f"no established neutral form of {self.tokens[head].text!r} is known")
        elif low in TITLES and self.syntax.capital(head + 1) and number == "s":
            new = _title(low, case)
        else:
            new = self._partner(head, number, case, after)
        self._put(head, new)

    def _partner(self, head: int, number: str, case: str, after: str) -> str | None:
        token, low = self.tokens[head], self.tokens[head].low
        fits = number == "p" or low.endswith(self.language.declension.ending(after, self.before, case))
        if not fits and "beamt" not in low and self.language.declines(low):
            raise Unclear(f"the ending of {token.text!r} does not fit its article")
        return self.language.noun_form(low, self.wanted, number, case, after)

    # -- the other links

    def _links(self, head: int, number: str) -> list[Link]:
        """Links whose words mean this person, by the English too; declines where one is not sure."""
        sentence = Sentence(self.task.rendering, self.tokens, read=self.language.read, cut=self.language.cut)
        links = list(self.language.agrees_with(sentence, head, gender=self.before, number=number))
        if number == "p":
            links = [link for link in links if link.kind != "relative"]  # one form for both
        unsure = next((link for link in links if link.sure < SURE), None)
        if unsure:
            word, noun = self.tokens[unsure.at].text, self.tokens[head].text
            raise Unclear(f"whether {word!r} belongs to {noun!r} is not clear")
        chain = {head, *(link.at for link in links), *self.pieces}
        if self._of_thing() or self._of_another(chain):
            links = [link for link in links if link.kind != "pronoun" or link.sure >= NEAR]
        return [link for link in links if link.at not in self.pieces]

    def _of_thing(self) -> bool:
        """The English has a pronoun for a thing, and none for a person."""
        return bool(OF_THINGS.search(self.task.source)) and not OF_PERSONS.search(self.task.source)

    def _of_another(self, chain: set[int]) -> bool:
        """By the English, a pronoun may mean another person who is named."""
        others = any(self.language.genders_of(token) for i, token in enumerate(self.tokens) if i not in chain)
        return others and self.task.before in he_or_she(self.task.source)

    def _link(self, link: Link, case: str) -> None:
        at, token, language = link.at, self.tokens[link.at], self.language
        if link.kind == "relative":
            self._put(at, self._pronoun(language.relatives, at))
        elif link.kind in {"predicate", "conjunct", "apposition"} and language.genders_of(token):
            self._phrase(at, case if link.kind == "conjunct" else "")
        elif token.low in ONE[self.before]:
            whole = token.low.endswith("jenige")
            form = language.articles.form(token.low, self.wanted, "s", "n") if whole else None
            self._put(at, form or language.declension.alone(token.low, self.wanted))
        elif link.kind == "predicate":
            self._put(at, language.articles.form(token.low, self.wanted, "s", "n"))  # war der Erste
        elif link.kind == "pronoun" and self.syntax.owns(at):
            self._put(at, {"m": "sein", "f": "ihr"}[self.wanted] + token.low.removeprefix("sein").removeprefix("ihr"))
        elif link.kind == "pronoun":
            self._put(at, self._pronoun(language.personal, at))

    def _pronoun(self, table: Table, at: int) -> str | None:
        """In its own case; die and sie are subject or object by their place."""
        mask = table.cells[self.tokens[at].low] & GENDER[self.before] & SINGULAR
        cases = [case for case in CASES if mask & cells(cases=case)]
        if len(cases) > 1:
            whom = table is self.language.relatives and WHOM.search(self.task.source)
            cases = ["a" if whom else self.syntax.pronoun_case(at)]
        return table.form(self.tokens[at].low, self.wanted, "s", cases[0])

    def _put(self, at: int, new: str | None) -> None:
        token = self.tokens[at]
        if new is None:
            raise Unclear(f"no {self.task.wanted} form of {token.text!r} is known")
        self.pieces[at] = (token.start, token.end, cased(token.text, new))


def _title(low: str, case: str) -> str:
    return "frau" if low != "frau" else "herr" if case == "n" else "herrn"
