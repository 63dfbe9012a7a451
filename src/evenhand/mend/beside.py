"""What stands beside a person's noun in a Romance sentence: participles before it, opening words, asides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import PLURAL, SINGULAR

if TYPE_CHECKING:
    from evenhand.mend.agreeing import Agreement

STOPS = frozenset('.;:!?…()«»"“”—–')
ALONE = re.compile(r"\b(?:alone|lonely|by (?:him|her)self|by themselves|on (?:his|her|their) own)\b", re.IGNORECASE)
ARTICLES = frozenset({"le", "la", "les"})
MORE = frozenset({"plus", "moins"})


class Beside:
    """Marks them, for one noun."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens

    def titled(self, first: int) -> int:
        """señora presidenta, el señor juez"""
        view, head = self.view, self.view.head
        at = head - 1
        if at < 0 or not self.roles.has(view.low(at), "title") or not view.person(at):
            return first
        self.agreement.marked.add(at)
        if view.low(at) == "signora":
            self.agreement.fixed[at] = "signor"
        number = PLURAL if view.plural else SINGULAR
        return min(first, noun_phrase(self.language, self.tokens, at, at + 1, number).first)

    def inverted(self, first: int) -> None:
        """A participle before its subject: fue arrestada la ladrona."""
        at, view = first - 1, self.view
        if at < 1 or not view.told(at) or self.language.determiner(view.low(at)) or view.governed(first):
            return  # escrito pelo enfermeiro: he wrote it
        if view.low(at).startswith(("inclu", "exclu", "esclus")):
            self.agreement.marked.add(at)  # incluidos los niños
            return
        before = at - 1
        while before >= 0 and (view.adverbial(before) or self.roles.has(view.low(before), "auxiliary")):
            before -= 1
        if before >= 0 and (self.roles.links(view.low(before)) or self.roles.has(view.low(before), "speaking")):
            self.agreement.marked.update(i for i in range(before + 1, at + 1) if view.told(i))

    def opening(self, first: int) -> None:
        """Hambrientas llegaban las viajeras; Née à Lyon, l'artiste: a word that opens the sentence."""
        at, view = self.view.past_adverbs(0), self.view
        if at < first and self.language.role(view.low(at), "subordinator"):
            at = view.past_adverbs(at + 1)
        low = view.low(at)
        if at >= first - 1 or not view.told(at) or self.language.determiner(low) or not self.language.modifier(low):
            return
        if self.language.verb(low) or low.endswith("mos"):
            return
        if not any(self.language.determiner(view.low(i)) for i in range(at + 1, first)):
            self.agreement.marked.add(at)
            self.agreement.right(at + 1)

    def alone(self, end: int) -> None:
        """vive solo: an adverb elsewhere, but said of the subject where the English says alone."""
        view = self.view
        kind = "alone_masculine" if view.masculine else "alone_feminine"
        if not ALONE.search(self.agreement.source) or view.governed(self.agreement.first):
            return
        for at in range(end, len(self.tokens)):
            low = view.low(at)
            if low[0] in STOPS or low == "," or (view.person(at) and at not in self.agreement.marked):
                return
            if self.roles.has(low, kind) and view.numbered(at) and not self.language.determiner(view.low(at - 1)):
                self.agreement.marked.add(at)
                return

    def superlative(self, at: int) -> int:
        """la chanteuse la plus connue: an article of its own, and where the search goes on."""
        view = self.view
        if view.low(at) not in ARTICLES or view.low(at + 1) not in MORE or at + 2 >= len(self.tokens):
            return at
        last = view.past_adverbs(at + 2)
        if last >= len(self.tokens) or not self.agreement.follows(last, loose=True):
            return at
        if view.told(at):
            self.agreement.marked.add(at)
        if view.told(last) or view.loose(last):
            self.agreement.marked.add(last)
        return last + 1

    def asides(self, at: int) -> int:
        """What stands between commas after the noun: a participle, an adjective, another noun for the same person."""
        view = self.view
        if view.as_such(self.agreement.first):
            return at  # un rapport que j'ai rédigé en tant que médecin, approuvé hier
        while at + 1 < len(self.tokens) and view.low(at) == ",":
            step = view.past_adverbs(at + 1)
            negated = any(self.language.role(view.low(i), "negation") for i in range(at + 1, step))
            if step >= len(self.tokens) or (negated and self.language.code != "fr"):
                return at
            if self.roles.has(view.low(step), "title"):
                return at  # señor presidente, señor comisario
            other = view.governed(self.agreement.first) and any(map(view.subject, range(self.agreement.first)))
            if (
                other
                and self.language.code != "fr"
                and view.told(step)
                and not self.language.determiner(view.low(step))
            ):
                self.agreement.unclear = step  # un profilo del duca, pubblicato ieri
                return at
            if view.told(step) and not self.language.determiner(view.low(step)):
                self.agreement.marked.add(step)
                at = self.agreement.right(step + 1)
                continue
            before = set(self.agreement.marked)
            end = self.agreement.nominal(step)
            if end is None:
                return at
            while end < len(self.tokens) and view.low(end) != "," and view.low(end)[0] not in STOPS:
                if self._verb(end):
                    self.agreement.marked = before  # dopo aver visto il dentista, mio fratello si è sentito male
                    return at
                if self.language.role(view.low(end), "relative"):
                    break
                end += 1
            if self.language.code != "fr" and view.low(end) == "," and self._enumerates(end + 1):
                self.agreement.marked = before  # mia madre, mia zia, mio cugino
                return at
            at = end + 1 if view.low(end) == "," else end
        return at

    def _enumerates(self, at: int) -> bool:
        """Another determiner and another person."""
        led = at + 1 < len(self.tokens) and bool(self.language.determiner(self.view.low(at)))
        return led and any(self.view.names(i) for i in range(at + 1, min(at + 3, len(self.tokens))))

    def _verb(self, at: int) -> bool:
        low = self.view.low(at)
        return self.language.perfect(low) or self.language.role(low, "copula") or self.roles.has(low, "modal")
