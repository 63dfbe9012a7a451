"""Words for a person of any gender in place of a man's (la persona usuaria, quien escribe), by `neutral.tsv` of the
language's folder. The words around the new noun get its grammatical gender, which is mostly feminine: they are what the
other rewriting makes of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evenhand.gender import Gender
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Token
from evenhand.mend.rewriting import BARE, Declined, Rewritten, Task, another, cased, left, replaced, unclear
from evenhand.tsv import rows

if TYPE_CHECKING:
    from evenhand.mend.romance import RomanceRewriter

NAMED = re.compile(r"\s+[%${<'\"‘“«„]|\s+(?-i:[A-Z])")  # the noun leads a name: el administrador %s
CLITIC = re.compile(  # it may mean the person, but nobody is done: può farlo
    r"(?!farlo$|hacerlo$|fazê-lo$)(?:\w+(?:[aáeéií]nd|[aei]r)l[oi]s?|\w+[áêéí]-los?|\w+[aáeé]ndol[oi]s?)"
)
WITH_OF = ("in possesso", "à l'origine")
BEING = frozenset("êtes es suis être devenez devenir eres soy sois ser sei siete essere sou és serás seja".split())
AFTER_BEING = re.compile(r"\w*(?:o|os|[^aeiou]i|[éiu]s?|[eiu]rts?|its?|ints?)")
INFINITIVE = ("ar", "er", "ir", "re")


class RomanceNeutral:
    """For one of Spanish, French, Italian, Portuguese; empty where the folder has no table."""

    def __init__(self, rewriter: RomanceRewriter) -> None:
        self.rewriter, self.language = rewriter, rewriter.language
        table = rows(self.language.folder / "neutral.tsv")
        self._rows = {word: row for row in table for word in row["words"].split()}
        self._participles = tuple(
            e for e in self.language.participle_endings if not e.strip("s").endswith(("or", "ore", "ori", "eur"))
        )
        fused = rows(self.language.folder / "fused.tsv")
        self._fused = {row["merged"]: (row["preposition"], row["article"]) for row in fused}

    def rewrite(self, task: Task) -> Rewritten:
        """`task` is about a man; the new noun has the number of the old one."""
        if not self._rows:
            raise Declined(f"no neutral forms are known for {self.language.name.capitalize()}")
        at = task.heads[0]
        token = task.tokens[at]
        word = next((form for form in self.language.lookups(token.text) if form in self._rows), None)
        row, plural = self._rows.get(word or "", {}), word != token.low
        if not row or len(task.heads) > 1 or "/" in token.text or self._odd(task, at, plural=plural):
            raise Declined(f"no established neutral form of {token.text!r} is known here")
        clause = self._relative(task, at, row) if row["who"] and not plural else None
        if clause:
            return clause
        form = self._form(task, at, row, plural=plural)
        if not form:
            raise Declined(f"no established neutral form of {token.text!r} is known here")
        new = self.rewriter.rewrite(task._replace(wanted=Gender.FEMALE, instead=form))
        apart = " " in form and "*" not in row["plural" if plural else "singular"]
        unsure = self._left(task, at, new, plural=plural, apart=apart)
        if unsure:
            raise unclear(unsure, token.text)
        return new

    def _odd(self, task: Task, at: int, *, plural: bool) -> bool:
        """Where the words of the tables are not natural: behind a possessive, a negation, an elided word that is no
        article; said of somebody, or beside a noun (profilo utente)."""
        before = task.tokens[at - 1] if at else None
        if before is None or not before.low[0].isalpha():
            return before is not None and before.low == "," and not plural  # campi creatore, collaboratore
        low, language = before.low, self.language
        if language.has(low, "owner") or language.has(low, "negation") or low.rstrip("-") in {"non", "super"}:
            return True
        if self._being(task, at):
            return True
        if language.determiner(low) or low in BARE:
            return low in BARE and not plural  # nom d'utilisateur
        if low.endswith("'") or language.has(low, "as"):
            return True
        if at > 1 and low.endswith(self._participles):
            return True  # attributo utente; not Estimado usuario
        led = language.function_word(low) or language.modifier(low) or language.adverb(low) or language.verb(low)
        return not led and not low.endswith(INFINITIVE) and not low.isdigit()

    def _being(self, task: Task, at: int) -> bool:
        """Whether a form of "be" leads to this word: sei redattore, n'êtes pas rédacteur, ser o administrador."""
        verb = next((t.low for t in reversed(task.tokens[:at]) if not self._adverbial(t.low)), "")
        return verb in BEING or self.language.copula(verb)

    def _left(self, task: Task, at: int, new: Rewritten, *, plural: bool, apart: bool) -> str | None:
        """A word that the new noun cannot govern: another noun for a person, a man's pronoun or participle that did not
        change, an adjective behind words of several parts."""
        language, tokens, places = self.language, task.tokens, {start for start, _, _ in new.pieces}
        word = another(language, task.rendering, tokens, at, new.pieces) if new.pieces else ""
        word = word or left(language, tokens, at, new.pieces, task.before)
        if word:
            return word
        host = False  # another noun to which a masculine word may belong
        for i in range(at + 1, len(tokens)):
            token, before = tokens[i], tokens[i - 1].low
            verb = next((t.low for t in reversed(tokens[at + 1 : i]) if not self._adverbial(t.low)), before)
            after = tokens[i + 1].low if i + 1 < len(tokens) else "."
            changed, man = token.start in places, self._man(token.low)
            noun = changed and self._person(token) and not token.low.endswith(self._participles)
            joined = before == "," or language.has(before, "joins") or language.determiner(before)
            alone = man and not changed and language.determiner(token.low) and self._verbal(after)
            stays = not changed and not host and self._said(token.low, verb, plural=plural)
            stays = stays or (not changed and self._taken_up(token.low, after, plural=plural))
            if (
                (noun and joined)
                or alone
                or stays
                or CLITIC.fullmatch(token.low)
                or (apart and i == at + 1 and changed)
            ):
                return token.text
            named = not language.function_word(token.low) and not token.low.endswith(("a", "e"))  # mostly feminine
            led = language.has(before, "preposition") or language.noun(token.text).kind is Kind.THING
            host = host or (named and led) or (man and bool(language.determiner(token.low)))
        first = next((i for i in range(at) if tokens[i].start in places), at)
        early = tokens[first - 1] if first and not language.governing(tokens[first].low) else None
        if at and tokens[at - 1].start not in places and self._man(tokens[at - 1].low):
            return tokens[at - 1].text  # Nuevo Usuario
        before = tokens[first - 2].low if first > 1 else "."
        return early.text if early and self._said(early.low, before, plural=plural) else None

    def _adverbial(self, low: str) -> bool:
        return self.language.adverb(low) or self.language.has(low, "negation")

    def _person(self, token: Token) -> bool:
        return any(form in self.language.persons.known for form in self.language.lookups(token.text))

    def _verbal(self, after: str) -> bool:
        """Whether the article before this word is a pronoun: pour le supprimer, o remova."""
        infinitive = after.endswith(INFINITIVE) and not self.language.modifier(after)
        nominal = self.language.noun(after).kind in {Kind.THING, Kind.FIXED} or after in self.language.persons.known
        return not after[0].isalnum() or self.language.verb(after) or (infinitive and not nominal)

    def _man(self, low: str) -> bool:
        shown = self.language.shows(low)
        return bool(shown & MASCULINE) and not shown & FEMININE

    def _said(self, low: str, before: str, *, plural: bool) -> bool:
        """A man's participle of this number, which no verb of having before it leaves as it is."""
        if not self.language.numbered_as(low, plural=plural, masculine=True) or self.language.perfect(before):
            return False
        if self.language.copula(before):
            return bool(AFTER_BEING.fullmatch(low)) and not self.language.function_word(low)
        return low.endswith(self._participles) and self._man(low)

    def _taken_up(self, low: str, after: str, *, plural: bool) -> bool:
        """A pronoun for a man, which may mean the person: il recevra, not il faut."""
        shown = self.language.pronoun(low) & (PLURAL if plural else SINGULAR)
        return bool(shown & MASCULINE) and not shown & FEMININE and not self.language.has(after, "impersonal")

    def _relative(self, task: Task, at: int, row: dict[str, str]) -> Rewritten | None:
        """l'autore del testo: chi ha scritto il testo; where nothing else agrees with the noun."""
        tokens = task.tokens
        lead = (
            self._fused.get(tokens[at - 1].low)
            if at and self.language.has(tokens[at - 1].low, "definite_man")
            else None
        )
        of = tokens[at + 1] if at + 2 < len(tokens) else None
        if lead is None or of is None:
            return None
        plain = of.low == "de" and bool(self.language.determiner(tokens[at + 2].low))
        owned = self._fused.get(of.low, ("", ""))
        if not plain and (owned[0] not in {"di", "de"}):
            return None
        try:
            woman = self.rewriter.rewrite(task._replace(wanted=Gender.FEMALE))
        except Declined:
            return None
        if any(start > tokens[at].start for start, _, _ in woman.pieces):
            return None
        start, end = tokens[at - 1].start, tokens[at + 2].start if plain else of.end
        clause = " ".join(part for part in (lead[0], row["who"], "" if plain else owned[1]) if part)
        blank = " " if plain else ""
        return replaced(task.rendering, [(start, end, cased(task.rendering[start], clause[0]) + clause[1:] + blank)])

    def _form(self, task: Task, at: int, row: dict[str, str], *, plural: bool) -> str:
        """The word for an office where an article leads to it, else the one for a person."""
        token, before = task.tokens[at], task.tokens[at - 1].low if at else ""
        named = NAMED.match(task.rendering, token.end)
        office = self.language.has(before, "definite_man") and not self._being(task, at - 1)
        if row["definite"] and not plural and not named and office:
            return row["definite"]
        form = row["plural" if plural else "singular"]
        followed = task.tokens[at + 1].low if at + 1 < len(task.tokens) else ""
        if form.endswith(WITH_OF) and not followed.startswith("d"):
            return ""  # l'ultimo possessore, l'auteur
        woman = self.rewriter.partners.noun(token.low, "f", plural=plural) if "*" in form else ""
        return form.replace("*", woman) if woman is not None else ""
