"""Rewriting in German: the noun in its case and number, its determiner and adjectives, relative pronouns, nouns that
say the same person again (ist ein guter Arzt, als Arzt), and pronouns that can mean nobody else."""

from __future__ import annotations

import re

from evenhand.gender import Gender
from evenhand.grammar.german import German
from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import SINGULAR, Kind, Token
from evenhand.mend.declension import ARTICLE
from evenhand.mend.german_case import CASE_CELLS
from evenhand.mend.german_number import CELLS
from evenhand.mend.german_phrase import ONE_OF, Phrases, Tables, Unclear
from evenhand.mend.german_pronouns import GermanPronouns, relative, stated
from evenhand.mend.rewriting import Rewritten, Task, declined, replaced

COLUMNS = {Gender.FEMALE: Column.FEMALE, Gender.MALE: Column.MALE}
WHOM = re.compile(r"\b(?!(?:in|of|to|for|with|by|from|on|at|about)\b)\w+,?\s+whom\b", re.IGNORECASE)  # not: in whom
PERSON = Column.FEMALE | Column.MALE
KIN = {Gender.FEMALE: ("mutter", "schwester", "tochter", "frau", "tante", "oma", "nichte", "cousine"),
       Gender.MALE: ("vater", "bruder", "sohn", "mann", "onkel", "opa", "neffe", "cousin")}  # fmt: skip
RELATIVE = {"der": "die", "den": "die", "dem": "der", "dessen": "deren", "welcher": "welche", "welchen": "welche",
            "welchem": "welcher"}  # fmt: skip


class GermanRewriter:
    """Holds the tables; every rendering is one `_Rewriting`."""

    def __init__(self, language: German, forms: Forms) -> None:
        self.language = language
        self.tables = Tables(language, forms)

    def rewrite(self, task: Task) -> Rewritten:
        neutral = task.wanted is Gender.NEUTRAL  # die Lehrkraft: the words around it are a woman's
        try:
            return _Rewriting(self, task._replace(wanted=Gender.FEMALE) if neutral else task, neutral=neutral).done()
        except Unclear as unclear:
            return declined(str(unclear))

    def names(self, token: Token) -> int:
        """The columns, female and male, of our tables in which a noun stands, by its dictionary form or by its kind."""
        if not token.text[:1].isupper():
            return 0
        if self.language.noun(token.text).kind is Kind.COMMON and self.language.adjectival(token.low):
            return PERSON
        return self.tables.nouns.column(token.low)


class _Rewriting:
    """One rendering: its phrases and what refers to them."""

    def __init__(self, rewriter: GermanRewriter, task: Task, *, neutral: bool) -> None:
        self.rewriter, self.task, self.language = rewriter, task, rewriter.language
        self.phrases = Phrases(rewriter.tables, task, neutral=neutral)
        self.sentence, self.roles, self.tokens = self.phrases.sentence, rewriter.tables.roles, task.tokens

    def done(self) -> Rewritten:
        heads = [self.task.last - 1, *self.task.heads[1:]]
        if not self.tokens[heads[0]].text[:1].isupper():
            raise Unclear(f"{self.tokens[heads[0]].text!r} is no noun")
        first, case, plural = self.phrases.rewrite(heads[0])
        if case == "n" and not plural and self._of_another(first):
            raise Unclear(f"{self.tokens[heads[0]].text!r} is said of somebody whose words would have to change too")
        if not plural and len(heads) == 1:
            low = self.tokens[heads[0]].low
            heads += [i for i, token in enumerate(self.tokens) if token.low == low and i != heads[0]]
        for head in heads[1:]:
            self.phrases.rewrite(head)
        if self.task.before is self.task.wanted:  # a woman's words around a neutral noun stay as they are
            return replaced(self.task.rendering, list(self.phrases.pieces.values()))
        end = self._relative(heads[0] + 1, plural=plural)
        for head in self._said_again(heads[0], first, end, case, plural):
            self.phrases.rewrite(head)
        if not plural and not self.sentence.addressed(first, heads[0]):
            persons = {i for i, token in enumerate(self.tokens) if self.rewriter.names(token)} - self.phrases.marked
            if not stated(self.task.source, self.task.before):
                persons = {i for i in persons if self.rewriter.names(self.tokens[i]) & COLUMNS[self.task.before]}
            pronouns = GermanPronouns(self.sentence, self.task, persons, self.phrases.marked)
            for at, new in pronouns.changes(heads[0], case, said=self._said(first, case)):
                self.phrases.put(at, new)
        return replaced(self.task.rendering, list(self.phrases.pieces.values()))

    def _of_another(self, first: int) -> bool:
        """Meine Großmutter war Malerin: said of a relative, whose word has no form of the other gender."""
        left, _ = self.sentence.clause(first)
        subject = next((i for i in range(left, first) if self.rewriter.names(self.tokens[i])), None)
        same = subject is not None and self.sentence.low(subject).endswith(KIN[self.task.before])
        verb = range(subject + 1 if subject is not None else first, first)
        return same and any(self.roles.has(self.sentence.low(i), "copula") for i in verb) and self._said(first, "n")

    def _said(self, first: int, case: str) -> bool:
        """The noun is said of somebody else's name: als Arzt, war Arzt."""
        left, right = self.sentence.clause(first)
        before = self.sentence.low(first - 1)
        becoming = any(self.roles.has(self.sentence.low(i), "becoming") for i in range(left, right))
        made = becoming and self.sentence.low(first) in {"zum", "zur"}
        return (
            before == "als"
            or made
            or (
                case == "n"
                and first > left
                and any(self.roles.has(self.sentence.low(i), "copula") for i in range(left, right))
            )
        )

    def _relative(self, at: int, *, plural: bool) -> int:
        """The relative pronoun after the noun's comma; what may stand between is a genitive or a place. Where the
        search for further words goes on."""
        comma = next((i for i in range(at, min(at + 7, len(self.tokens))) if self.sentence.low(i) == ","), None)
        if plural or comma is None:
            return at
        found = relative(self.sentence, comma + 1)
        if found is None:
            return at
        mask = CELLS[self.task.before] & SINGULAR
        for i in range(at, comma):
            own = self.language.determiner(self.sentence.low(i)) & mask
            other = next((j for j in range(i + 1, comma) if self.sentence.capital(j)), None) if own else None
            if other is None:
                continue
            if other == comma - 1 and not own & CASE_CELLS["g"]:
                return at  # sprach mit einem Patienten, dem: the noun next to it
            if self.sentence.low(found) not in {"den", "dem", "dessen"}:
                raise Unclear(
                    f"whether {self.tokens[found].text!r} belongs to {self.tokens[at - 1].text!r} is not clear"
                )
        governed = bool(self.roles.governs(self.sentence.low(found - 1))) and found > comma + 1
        if governed and self.sentence.low(found) == {Gender.MALE: "der", Gender.FEMALE: "dem"}[self.task.before]:
            return comma  # ein Lied, von dem er träumte
        new = self._relative_form(found)
        if new:
            self.phrases.put(found, new)
        return comma

    def _relative_form(self, at: int) -> str | None:
        low = self.sentence.low(at)
        if self.task.wanted is Gender.FEMALE:
            return RELATIVE.get(low)
        if low == "deren":
            return "dessen"
        if low in {"der", "welcher"}:
            return {"der": "dem", "welcher": "welchem"}[low]
        if low not in {"die", "welche"}:
            return None
        case = "a" if WHOM.search(self.task.source) else self.sentence.subject_or_object(at, at)
        if self.roles.governs(self.sentence.low(at - 1)):
            case = "a"
        return {"n": "der", "a": "den"}[case] if low == "die" else {"n": "welcher", "a": "welchen"}[case]

    def _said_again(self, head: int, first: int, end: int, case: str, plural: bool) -> list[int]:
        """Nouns that say the same person again: after a verb of being, after als, in apposition."""
        again = []
        column = COLUMNS[self.task.before]
        left, right = self.sentence.clause(first)
        equates = any(self.roles.has(self.sentence.low(i), "copula") for i in range(left, right))
        for i in range(head + 1, right) if equates and case == "n" and not plural else ():
            one = ONE_OF[self.task.wanted].get(self.sentence.low(i))
            if one and self.sentence.low(i + 1) in {"der", "unserer", "meiner"} and i not in self.phrases.marked:
                self.phrases.put(i, one)  # ist einer der besten
            elif self._superlative(i):
                self.phrases.put(i, ARTICLE[self.task.wanted]["n"])
                self._relative(i + 2, plural=False)  # war der Erste, der kam
        for i, token in enumerate(self.tokens):
            if i in self.phrases.marked or not token.text[:1].isupper() or self.rewriter.names(token) != column:
                continue
            if self._plural_like(i) != plural:
                continue
            phrase = noun_phrase(self.language, self.tokens, i, i + 1, CELLS[self.task.before])
            before = self.sentence.low(phrase.first - 1)
            opened = self.sentence.low(phrase.first)
            apposed = before == "," and phrase.first - 2 == head and not self.sentence.roles.governs(opened)
            listed = self.sentence.low(i + 1) in {"und", "oder"} or before in {"und", "oder"}
            if not plural and phrase.first == i and self._paired(head, first, self.phrases.bare(i), i, equates):
                again.append(i)
                continue
            undetermined = not any(self.phrases.determines(j) for j in (first, phrase.first))
            paired = listed and equates and case == "n" and undetermined and phrase.first == i and left <= i < right
            if paired and not plural and not self.roles.governs(before):
                again.append(i)  # war Gründer und bis 1990 Leiter
            elif apposed and self.sentence.low(i + 1) in {",", "."} and not listed:
                again.append(i)
            elif case == "n" and left <= i < right and not listed:
                compared = opened in {"der", "die", "den", "dem"} or self.sentence.low(phrase.first - 2).endswith(
                    ("er", "mehr")
                )
                as_it = before == "als" and not compared and not any(self._rival(j, i) for j in range(left, right))
                than = before in {"als", "wie"}  # berühmter als der König
                being = equates and not than and not self.roles.governs(before) and i > head
                being = being and self._predicate(phrase.first, i)
                made = opened in {"zum", "zur"} and any(
                    self.roles.has(self.sentence.low(j), "becoming") for j in range(left, right)
                )
                if as_it or being or made:
                    again.append(i)
        return again

    def _superlative(self, at: int) -> bool:
        """war der beste im Tal, wird die Erste genannt: a nominative of article and superlative without a noun."""
        if self.sentence.low(at) != ARTICLE[self.task.before]["n"] or self.roles.governs(self.sentence.low(at - 1)):
            return False
        superlative = self.sentence.low(at + 1)
        alone = not self.sentence.capital(at + 2) and not self.language.modifier(self.sentence.low(at + 2))
        return alone and (superlative.endswith("ste") or superlative in {"letzte", "einzige"})

    def _paired(self, head: int, first: int, other: int, at: int, equates: bool) -> bool:
        """ein Künstler und Gärtner, war Professor und Leiter: one person, the second noun without an article."""
        if other > head:
            near = other == head + 2 and self.sentence.low(head + 1) in {"und", "sowie", ","}
        else:
            near = at == first - 2 and self.sentence.low(first - 1) in {"und", "sowie", ","}
        if not near or self.sentence.low(min(first, other) - 1) == "zwischen":
            return False
        start = min(first, other)
        led = self.sentence.low(start - 1) == "als" or equates
        return led or (first < other and first < head and self.phrases.determines(first))

    def _predicate(self, first: int, at: int) -> bool:
        """ein Arzt, der beste Arzt, Arzt: in the nominative."""
        low = self.sentence.low(first)
        mask = self.language.determiner(low)
        if not mask:
            return first == at or self.sentence.low(first - 1) in {"ist", "war", "wird", "wurde"}
        owned = self.sentence.capital(first - 1) and low in {"der", "dieser"}
        return bool(mask & CELLS[self.task.before] & CASE_CELLS["n"]) and not owned

    def _rival(self, at: int, other: int) -> bool:
        """Another person of the clause who may be meant by als."""
        return at != other and at not in self.phrases.marked and bool(self.rewriter.names(self.tokens[at]))

    def _plural_like(self, at: int) -> bool:
        first = noun_phrase(self.language, self.tokens, at, at + 1, CELLS[self.task.before]).first
        return self.phrases.number.plural(at, first)
