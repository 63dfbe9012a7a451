"""The relative clause of a person's noun in a Romance sentence, and what governs a noun."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evenhand.mend.agreeing import Agreement

OBLIQUE = frozenset("cui quien quienes quem qui".split())
SUBJECTS = frozenset("je j' j’ tu il elle on nous vous ils elles".split())
REFLEXIVE = frozenset("se s' s’ si es em et me m' m’ mi te t' t’ ti ci vi nos".split())


class Relative:
    """For one noun."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens

    def governs(self, at: int) -> bool:
        """de la meva tia: whether a preposition stands before the phrase that ends at this noun."""
        while at and (self.language.determiner(self.view.low(at - 1)) or self.roles.modifier(self.view.low(at - 1))):
            at -= 1
            if self.view.governed(at):
                return True
        return self.view.governed(at)

    def taken(self, at: int) -> bool:
        """encontrou o faxineiro, ha sentito il cuoco: whether the phrase that begins here is the object of the verb
        before it, and says nothing of the subject; with se it may (se sentía un extraño)."""
        verb, view = at - 1, self.view
        while verb > 0 and (view.adverbial(verb) or self.language.role(view.low(verb), "negation")):
            verb -= 1
        have = self.roles.has(view.low(verb), "taken_person") and self.language.perfect(view.low(verb - 1))
        if not have and not self.roles.has(view.low(verb), "takes_person"):
            return False
        return not any(view.low(i) in REFLEXIVE for i in range(max(0, verb - 3), verb))

    def object(self, at: int) -> None:
        """que j'ai rencontrée: a participle agrees with the object that stands before it."""
        for i in range(at, min(at + 6, len(self.tokens))):
            if self.language.perfect(self.view.low(i)):
                step = self.view.past_adverbs(i + 1)
                if step < len(self.tokens) and (self.view.told(step) or self.view.loose(step)):
                    self.agreement.marked.add(step)
                return

    def article(self, at: int) -> int:
        """la cual, alle quali: the article before a relative pronoun changes too."""
        step = at
        if self.language.role(self.view.low(step), "preposition") and not self.language.determiner(self.view.low(step)):
            step += 1
        if step < len(self.tokens) and self.roles.has(self.view.low(step), "which" + self._kind()):
            self.agreement.marked.add(step)  # avec lesquelles
            return step + 1
        if step + 1 < len(self.tokens) and self.roles.has(self.view.low(step + 1), "relative") and self.view.told(step):
            self.agreement.marked.add(step)
            return step + 2
        return at

    def whose(self, at: int) -> bool:
        """la cui mano, cuya mano, dont la main."""
        places = (at, at + 1) if self.language.code == "it" else (at,)
        articled = self.language.code != "it" or bool(self.language.determiner(self.view.low(at)))
        return articled and any(self.roles.has(self.view.low(i), "whose") for i in places)

    def oblique(self, at: int) -> bool:
        """con cui ho parlato, à qui j'ai écrit: a preposition before the relative pronoun."""
        return self.language.role(self.view.low(at), "preposition") and self.view.low(at + 1) in OBLIQUE

    def opens(self, at: int, *, subject: bool) -> bool:
        """A relative clause begins here; in French also with que, where the noun is a subject and cannot be told that
        something is so."""
        if self.language.role(self.view.low(at), "relative") or self.view.low(at) in OBLIQUE:
            return True
        return self.language.code == "fr" and subject and self.roles.has(self.view.low(at), "object")

    def as_subject(self, opener: int) -> bool:
        """qui a vu, che ha scritto: the person is the relative clause's subject; a verb follows at once."""
        if self.language.code == "fr":
            return self.view.low(opener) == "qui"
        at = opener + 1
        while at < len(self.tokens) and (
            self.roles.has(self.view.low(at), "clitic") or self.language.role(self.view.low(at), "negation")
        ):
            at += 1
        low = self.view.low(at)
        return self.language.perfect(low) or self.roles.has(low, "modal") or self.language.verb(low)

    def own_verb(self, opener: int, at: int) -> bool:
        """que je suis venu voir: in French the verb behind a pronoun that is the relative clause's subject."""
        french = self.language.code == "fr" and self.view.low(opener) != "qui"
        return french and self.view.low(at - 1) in SUBJECTS

    def _kind(self) -> str:
        return ("_masculine" if self.view.masculine else "_feminine") + ("_plural" if self.view.plural else "")
