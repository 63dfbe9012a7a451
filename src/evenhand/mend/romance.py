"""Rewriting in the Romance languages: the words that `agreeing` finds, in the forms that `partners` knows."""

from __future__ import annotations

import re

from evenhand.gender import Gender
from evenhand.grammar.english import source_words
from evenhand.grammar.families.romance import Romance
from evenhand.grammar.lexicon import Forms
from evenhand.grammar.protocol import Kind, Token
from evenhand.mend.agreeing import OF_THE, Agreement
from evenhand.mend.doubting import Doubting
from evenhand.mend.french_pronouns import joined
from evenhand.mend.joining import Joining
from evenhand.mend.partners import Partners
from evenhand.mend.pronoun_heads import PronounHeads
from evenhand.mend.pronouns import Pronouns, pronoun_rows
from evenhand.mend.refusing import Refusing
from evenhand.mend.rewriting import Rewritten, Task, declined, no_form
from evenhand.mend.roles import OF, Roles
from evenhand.mend.supporting import Support
from evenhand.mend.word_classes import View

STRESSED = {"il": "lui", "ils": "eux"}  # after a preposition
CLITICS = {Gender.FEMALE: "la", Gender.MALE: "le"}
TAKEN_UP = re.compile(r"\b(?:they|them|their|themselves|he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)

FULL = {("es", "buen"): "bueno", ("es", "mal"): "malo", ("es", "primer"): "primero", ("es", "tercer"): "tercero",
        ("ca", "bon"): "bo"}  # fmt: skip
BEFORE = {("ca", "bo"): "bon"}  # un bon metge
AGENT = re.compile(r"(?:ai[oa]|ier[ea]|tor[ei]|tric[ei]|log[oa]|logh[ie]|ist[aei])$")  # orologiaio
SURE_OF_UNLISTED = {
    "ca": 0.93,
    "fr": 0.93,
    "it": 0.93,
}  # read off GATE's part dev; elsewhere the mender's own bound does


class RomanceRewriter:
    """For one of Spanish, French, Italian, Portuguese, Catalan."""

    def __init__(self, language: Romance, forms: Forms) -> None:
        self.language, self.forms = language, forms
        self.roles = Roles(language)
        self.partners = Partners(forms, self.roles.adjectives())
        self.support = Support(self.roles, self.partners)
        self.pronouns = pronoun_rows(language)
        self.heads = PronounHeads(language)

    def rewrite(self, task: Task) -> Rewritten:
        tokens, heads, wanted = task.tokens, task.heads, task.wanted
        words: dict[int, str] = {}
        articles: dict[int, dict[str, str]] = {}
        for noun in heads:
            view = View(self.roles, self.forms, task, noun)
            refusal = self._named(view, noun)
            pronoun = self.roles.has(tokens[noun].low, "head_pronoun")
            if refusal and not pronoun:
                return declined(refusal)
            if not pronoun and not view.names(noun) and not self._led(tokens, noun, task.confidence):
                return declined(f"{tokens[noun].text!r} is not known as a word for a person")
            taken_up = bool(TAKEN_UP.search(task.source)) and not task.elsewhere
            agreement = Agreement(view, taken_up=taken_up, source=task.source)
            agreement.words()
            Pronouns(agreement, task.source, self.pronouns).mark()
            refusal = Refusing(agreement).reason()
            if refusal:
                return declined(refusal)
            for i in sorted(agreement.marked):
                if i in agreement.fixed:
                    words[i] = agreement.fixed[i]
                    continue
                compound = joined(tokens[i].low) if i not in heads and self.language.code == "fr" else None
                if compound:
                    words[i] = compound[0] + (self.partners.adjective(compound[1], wanted, plural=False) or compound[1])
                    continue
                row = self._article(tokens, i, wanted) if i not in heads else None
                if row is not None and tokens[i].low == "vieux" and view.plural:
                    words[i] = "vieilles"  # de vieux amis
                    continue
                if row is not None:
                    articles[i] = row
                    continue
                choose = self.partners.noun if i in heads else self.partners.adjective
                partner = choose(tokens[i].low, wanted, plural=view.plural and i not in agreement.singular)
                partner = tokens[i].low if i in heads and self._foreign(view, i) else partner
                noun_itself = i in heads and self._determined(tokens, i)
                if partner is None or not self.support.supports(tokens[i].low, partner, noun=noun_itself):
                    if i not in heads and i and tokens[i].text[:1].isupper():
                        continue  # le président Prodi
                    return no_form(wanted, tokens[i].text)
                stressed = i > 0 and (self.language.role(tokens[i - 1].low, "preposition") or tokens[i - 1].low in OF)
                placed = (FULL if i > noun else BEFORE).get((self.language.code, partner), partner)
                words[i] = STRESSED.get(partner, placed) if stressed else placed
            words.update(dict.fromkeys(agreement.clitics, CLITICS[wanted]))
            doubt = Doubting(agreement).doubt()
            if doubt is not None and self._apart(agreement, doubt):
                words[doubt] = self.partners.adjective(tokens[doubt].low, wanted, plural=view.plural) or ""
                doubt = Doubting(agreement).doubt()
            if doubt is not None:
                return declined(f"whether {tokens[doubt].text!r} belongs to {tokens[noun].text!r} is not clear")
        for i in [i for i, new in words.items() if new == "mme" and i + 1 < len(tokens) and tokens[i + 1].text == "."]:
            words[i + 1] = ""  # M. le Président, Mme la Présidente
        for i in [*words, *articles]:
            row = self._article(tokens, i - 1, wanted) if i and i - 1 not in {*words, *articles} else None
            if row is not None and tokens[i - 1].low in row.values() and self._elides(tokens[i - 1].low):
                articles[i - 1] = row  # l'héroïne, le héros: what was elided may not be now, and the reverse
        return Joining(self.language.code, task.rendering, tokens, wanted).joined(words, articles)

    def _apart(self, agreement: Agreement, at: int) -> bool:
        """sont partis tôt, fatigués d'attendre: in French what follows a comma is said of the subject, where nobody
        else is named."""
        view = agreement.view
        others = any(view.rival(i) for i in range(len(view.tokens)) if i not in agreement.marked and i != at)
        if self.language.code != "fr" or view.low(at - 1) != "," or others or view.governed(agreement.first):
            return False
        agreement.marked.add(at)
        return True

    def _named(self, view: View, at: int) -> str | None:
        """Why a noun stays as it is: a proper name, a word for a couple, or a man's or woman's title after it."""
        token, before, after = view.tokens[at], view.low(at - 1), view.low(at + 1)
        if (
            token.text[:1].isupper()
            and not view.names(at)
            and before.isalpha()
            and not self.language.determiner(before)
        ):
            return f"{token.text!r} may be a name"
        thing = at > 1 and self.language.noun(before).kind is Kind.THING and not self.language.determiner(before)
        if thing and self.language.code == "fr" and self.roles.modifier(token.low):
            return f"{token.text!r} may belong to {before!r}"
        adjective = self.language.code == "fr" and not view.names(at) and self.roles.modifier(token.low)
        if adjective and after.isalpha() and not self.language.function_word(after) and not view.names(at + 1):
            return f"{token.text!r} may belong to {after!r}"  # plus grande prudence
        if self.language.code == "fr" and token.low in {"homme", "hommes"} and "human" in view.source.casefold():
            return f"{token.text!r} means all of mankind"
        if self.roles.has(token.low, "couple"):
            return f"{token.text!r} is one form for both"
        after = view.low(at + 2) if after == "," else after
        if self.roles.has(after, "title_masculine") or self.roles.has(after, "title_feminine"):
            return f"{after!r} after {token.text!r} says whose name follows"
        return None

    def _foreign(self, view: View, at: int) -> bool:
        """El physician: the source's own word, left as it is, has one form for both."""
        return not view.names(at) and view.low(at) in {word.low for word in source_words(view.source)}

    def _led(self, tokens: list[Token], at: int, confidence: float) -> bool:
        """A determiner leads to the noun, over adjectives; or it is an adjective, or ends as persons do. What is led
        by a determiner and no table knows (dal dipinto) must be surer."""
        low = tokens[at].low
        if AGENT.search(low):
            return True
        if (
            at
            and self.language.determiner(tokens[at - 1].low)
            and confidence < SURE_OF_UNLISTED.get(self.language.code, 0.0)
        ):
            return False
        if self.language.agentive(low) or self.roles.modifier(low):
            return True
        return self._determined(tokens, at)

    def _determined(self, tokens: list[Token], at: int) -> bool:
        """A determiner stands before the word, over adjectives: then it is a noun."""
        before = at - 1
        while before >= 0 and at - before < 4 and self.roles.modifier(tokens[before].low):
            before -= 1
        return before >= 0 and bool(self.language.determiner(tokens[before].low))

    def _article(self, tokens: list[Token], at: int, wanted: Gender) -> dict[str, str] | None:
        """The row of a determiner before its phrase; not of one that stands alone (una de ellas)."""
        after = tokens[at + 1].low if at + 1 < len(tokens) else "."
        alone = (
            not after[0].isalnum()
            or self.roles.partitive(after)
            or (after in OF_THE and self.roles.has(tokens[at].low, "one"))
        )
        alone = alone or (tokens[at].low == "quella" and self.language.adverb(after))  # quella più alta
        low = tokens[at].low if tokens[at].text.endswith(("'", "’")) else tokens[at].low.rstrip("'")
        known = self.language.determiner(tokens[at].low) or self.roles.has(low, "before_vowel")
        return None if alone or not known else self.partners.article(low, wanted)

    @staticmethod
    def _elides(low: str) -> bool:
        return low.endswith("'") or low in {"mon", "ton", "son"}
