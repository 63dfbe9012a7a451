"""What goes on with a person in a Romance sentence: clauses without a subject of their own, and pronouns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenhand.mend.roles import NOT_SAID, told

if TYPE_CHECKING:
    from evenhand.mend.agreeing import Agreement

SPEAKERS = frozenset("je j' tu nous vous".split())
IMPERSONAL = frozenset("y faut fallait faudra faudrait pleut pleuvait neige s'agit semble semblait".split())


class Carrying:
    """Marks, for one noun, what is said of it in further clauses."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens

    def mark(self, end: int) -> None:
        """y fue arrestada, perché si sono rifiutati: a clause without a subject of its own goes on with ours."""
        at, view = end, self.view
        if any(view.person(i) and not view.governed(i) for i in range(view.head) if i not in self.agreement.marked):
            return  # le conseiller a vu le chef et s'est rendu: the other one went
        object_before = False
        while at < len(self.tokens):
            other = at not in self.agreement.marked and (view.person(at) or (view.subject(at) and not self._aside(at)))
            object_before = object_before or (other and self._object(at))
            if other and not self._object(at):
                return
            before = set(self.agreement.marked)
            after = (
                self.agreement.complement(at + 1)
                if self.roles.links(view.low(at))
                and self._headless(at, end, joined=object_before)
                and not self._impersonal(at + 1)
                else None
            )
            if after is None:
                self.agreement.marked = before  # ha detto che era stato un successo
            at = at + 1 if after is None else after

    def _aside(self, at: int) -> bool:
        """No subject, though it looks like one: tutta la notte, or que where it is that."""
        when = any(self.roles.has(self.view.low(i), "time") for i in (at + 1, at + 2))
        return when or self._that(at)

    def _that(self, at: int) -> bool:
        """disse que estava cansada: que, a determiner elsewhere, where the English goes on with he or she."""
        return self.agreement.taken_up and self.language.role(self.view.low(at), "relative")

    def _impersonal(self, at: int) -> bool:
        """ma se è vero: said of nobody."""
        return self.roles.has(self.view.low(self.view.past_adverbs(at)), "impersonal")

    def _object(self, at: int) -> bool:
        """ha comprato una capra: a thing that stands behind its verb is no subject of what and adds."""
        view = self.view
        before, verb = view.low(at - 2), view.low(at - 1)
        participle = self.language.perfect(before) and bool(self.roles.modifier(verb))
        past = self.language.code == "ca" and before in {"va", "van"} and verb.endswith(("r", "re"))
        return (participle or past) and not any(view.names(i) for i in range(at, min(at + 3, len(self.tokens))))

    def _headless(self, at: int, end: int, *, joined: bool) -> bool:
        """Nothing but pronouns, negations, adverbs and modals between the verb and what joins its clause; `joined`: by
        and alone."""
        before, view = at - 1, self.view
        if view.low(before) in SPEAKERS:
            return False  # nous sommes ouverts
        while before >= end and (
            view.adverbial(before)
            or self.language.role(view.low(before), "negation")
            or self.roles.has(view.low(before), "modal")
            or self.roles.has(view.low(before), "clitic")
        ):
            before -= 1
        if self.roles.has(view.low(before), "time") and before - 2 >= end:
            before -= 2  # e a mezzogiorno è stanca
        low = view.low(before) if before >= end else ""
        if joined:
            return self.roles.joins(low)
        if self.language.role(low, "relative"):
            return before > end and self._only() and not self._of_thing(before - 1)  # dijo que estaba cansado
        return self.roles.joins(low) or low == "," or self.language.role(low, "subordinator")

    def _of_thing(self, at: int) -> bool:
        """ai villaggi devastati che: a relative clause of the noun before it."""
        view = self.view
        if self.language.noun(self.tokens[at].text).kind in NOT_SAID or told(self.roles.modifier(view.low(at))):
            return True
        return bool(self.language.determiner(view.low(at - 1))) and not self.language.verb(view.low(at))

    def _only(self) -> bool:
        """True when the sentence names no other person of this number."""
        places = (i for i in range(len(self.tokens)) if i not in self.agreement.marked)
        return not any(self.view.person(i) or self.view.common(i) for i in places)


class Resuming:
    """Marks, for one noun, the pronouns that can mean nobody else."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens

    def mark(self) -> None:
        view = self.view
        others = [i for i in range(len(self.tokens)) if i not in self.agreement.marked]
        if any(view.person(i) for i in others):
            return
        if view.plural and self.language.code == "fr" and self._others_before():
            return
        alone = not any(view.rival(i) for i in others)  # designer: one form for both
        for at in range(view.head + 1, len(self.tokens)):
            low = view.low(at)
            plain = self.roles.has(low, "pronoun") and view.numbered(at)
            single = alone and self._single(at)
            if not plain and not single:
                continue
            cells = self.language.pronoun(low) or view.of(at)
            kind = "masculine_plural" if view.masculine else "feminine_plural"
            if (cells & view.cells and told(cells)) or single or self.roles.has(low, kind):
                self.agreement.marked.add(at)
                self.said(at + 1)

    def _others_before(self) -> bool:
        """si les États poursuivent les exportateurs, ils: another subject in the plural stands before ours."""
        view = self.view
        return any(
            view.low(i) in {"les", "ces", "des", "nos", "vos", "leurs", "mes", "tes", "ses"} and not view.governed(i)
            for i in range(self.agreement.first)
            if i not in self.agreement.marked
        )

    def _single(self, at: int) -> bool:
        """il, elle, lui: only where the source takes a person up, or after chez; il faut means nobody."""
        view, low = self.view, self.view.low(at)
        if view.plural or not self.roles.has(low, "masculine" if view.masculine else "feminine"):
            return False
        if self.roles.has(view.low(at - 1), "home") or low.endswith("-même"):
            return True
        if any(view.low(i) == low for i in range(view.head) if i not in self.agreement.marked):
            return False  # elle a épousé une musicienne qu'elle avait rencontrée
        after = view.low(at + 1)
        alone = not after[0].isalpha() or self.language.function_word(after)  # de lui; not: de lui prêter
        stressed = low != "lui" or (alone and self.language.role(view.low(at - 1), "preposition"))
        return self.agreement.taken_up and view.low(at + 1) not in IMPERSONAL and stressed

    def said(self, at: int) -> None:
        """The predicate of a pronoun: past clitics, negations and adverbs to a linking verb, or to have and been."""
        view = self.view
        while at < len(self.tokens) and (
            view.adverbial(at) or self.language.role(view.low(at), "negation") or self.roles.has(view.low(at), "clitic")
        ):
            at += 1
        while at < len(self.tokens) and self.roles.has(view.low(at), "modal"):
            at += 1
        if at < len(self.tokens) and (self.roles.links(view.low(at)) or self.language.role(view.low(at), "auxiliary")):
            self.agreement.complement(at + 1)
