"""French pronouns that mean a person, beyond those that other Romance languages have too: il before "est médecin", a
pronoun joined to another word (est-il, lorsqu'ils), the object before its verb (le voir), and chacun before "d'eux"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evenhand.mend.agreeing import Agreement

JOINED = re.compile(r"(.+['’-])(il|ils|elle|elles|eux|lui)$")
SUBJECTS = {False: ("il", "elle"), True: ("ils", "elles")}  # by number: masculine, feminine
BEFORE_OBJECT = frozenset("je tu il elle on nous vous ils elles qui ne n' n’ pour à de sans et".split())
BEFORE_INFINITIVE = frozenset(
    "veux veut voulons voulez veulent voulais voulait voudrais voudrait vais va allons allez vont allais allait peux "
    "peut pouvons pouvez peuvent pouvait pourrait dois doit devons devez doivent devait devrait faut aller vouloir "
    "pouvoir venir viens vient ose osa osait fait faire laisse laisser pas jamais".split()
)
HAVE = frozenset("ai as a avons avez ont avais avait avions aviez avaient aura auront aurait".split())
OBJECTS = ("le", "la")
INFINITIVE = ("er", "ir", "re")
BETWEEN = frozenset({"d'", "d’", "de", "entre", "parmi"})
SPECIFIC = re.compile(r"\b(?:him|them|her(?!\s+[a-z]+\s+(?:is|was|were|are|has|had)\b))\b", re.IGNORECASE)
THING = re.compile(r"\bit\b", re.IGNORECASE)
VERBAL = ("a", "ait", "it", "ut", "èrent", "aient", "irent")  # le salua


def joined(low: str) -> tuple[str, str] | None:
    """The parts of est-il, lorsqu'ils: what comes before, and the pronoun; None for other words."""
    parts = JOINED.match(low)
    return (parts[1], parts[2]) if parts else None


class FrenchPronouns:
    """Marks them for one noun; `agreement.clitics` collects le and la that are objects, not articles."""

    def __init__(self, agreement: Agreement, source: str) -> None:
        self.agreement, self.view, self.roles, self.source = agreement, agreement.view, agreement.roles, source
        self.language, self.tokens = agreement.language, agreement.tokens

    def mark(self) -> None:
        self._subject()
        view = self.view
        own = "un" if view.masculine else "une"
        for at in range(view.head + 1, len(self.tokens) - 2) if view.plural else ():
            if view.low(at) == own == view.low(at + 2) and view.low(at + 1) in {"par", "à"}:
                self.agreement.marked.update({at, at + 2})  # une par une
                self.agreement.singular.update({at, at + 2})
        others = [i for i in range(len(self.tokens)) if i not in self.agreement.marked]
        if self.roles.has(view.low(view.head), "head_pronoun") and not view.plural:
            self._of_them(view.head + 1)
        rivals = [i for i in others if view.rival(i)]
        for at in range(view.head + 1, len(self.tokens)) if not view.plural else ():
            ours = not rivals or (view.low(at - 1) in {"et", "puis"} and all(i < view.head for i in rivals))
            if ours and self._object(at):
                self._participle(at + 1)
        for at in range(view.head + 1, len(self.tokens)) if not view.governed(self.agreement.first) else ():
            if view.low(at) == "," or not (view.low(at)[0].isalnum() or view.low(at)[0] in "'’"):
                break
            if self._joined(at) and view.low(at).count("-"):
                self.agreement.marked.add(at)  # le commissaire pourrait-il
        if any(view.person(i) for i in others):
            return
        alone = not rivals
        for at in range(view.head + 1, len(self.tokens)):
            if self._joined(at) and (view.plural or (alone and self.agreement.taken_up)):
                self.agreement.marked.add(at)
            if view.low(at) in {"eux", "elles"} and at in self.agreement.marked:
                self._quantity(at - 1)

    def _subject(self) -> None:
        """il est (un) médecin, ils sont devenus avocats, est-il médecin ?: the pronoun of which the noun is said."""
        view, first = self.view, self.agreement.first
        if view.governed(first):
            return
        at = self._back(first - 1)
        linked, became = False, set()
        while at >= 0 and (self.roles.links(view.low(at)) or self.language.role(view.low(at), "auxiliary")):
            linked = True
            if view.told(at) and self.roles.has(view.low(at), "auxiliary"):
                became.add(at)
            at = self._back(at - 1)
        while at >= 0 and (
            self.roles.has(view.low(at), "modal") or view.low(at) in BEFORE_INFINITIVE | {"n'", "n’", "ne"}
        ):
            at -= 1
        own = SUBJECTS[view.plural][0 if view.masculine else 1]
        if linked and view.low(at) == own:
            self.agreement.marked.add(at)
        if linked and (view.low(at) == own or (at >= 0 and self.tokens[at].text[:1].isupper())):
            self.agreement.marked |= became  # il est devenu, Tom est devenu; not: ma sœur est devenue
        if not linked and at >= 0 and self._joined(at):
            verb = joined(view.low(at))
            stem = re.sub(r"(?:-t)?-$", "", verb[0]) if verb else ""
            if self.roles.links(stem):
                self.agreement.marked.add(at)

    def mark_each(self) -> None:
        """dont certaines étaient âgées"""
        view = self.view
        for at in range(view.head + 1, len(self.tokens) - 2) if view.plural else ():
            some = self.roles.has(view.low(at + 1), "one") and view.of(at + 1) & view.cells
            if view.low(at) == "dont" and view.low(at - 1) == "," and some and not self._noun(at + 2):
                self.agreement.marked.add(at + 1)
                if self.roles.links(view.low(at + 2)):
                    self.agreement.complement(at + 3)

    def _noun(self, at: int) -> bool:
        """A word that a determiner before it may belong to."""
        low = self.view.low(at)
        return low.isalpha() and not self.language.function_word(low) and not self.roles.links(low)

    def _back(self, at: int) -> int:
        while at >= 0 and (self.view.adverbial(at) or self.language.role(self.view.low(at), "negation")):
            at -= 1
        return at

    def _joined(self, at: int) -> bool:
        """A word that ends in a pronoun of the noun's gender and number."""
        parts = joined(self.view.low(at))
        return parts is not None and parts[1] == SUBJECTS[self.view.plural][0 if self.view.masculine else 1]

    def _of_them(self, at: int) -> None:
        """une d'elles, aucune d'entre elles"""
        start = at
        while self.view.low(at) in BETWEEN:
            at += 1
        if at > start and self.view.low(at) == ("eux" if self.view.masculine else "elles"):
            self.agreement.marked.add(at)

    def _quantity(self, at: int) -> None:
        """chacun d'eux, aucun d'entre eux."""
        while at > 0 and self.view.low(at) in BETWEEN:
            at -= 1
        if self.roles.has(self.view.low(at), "one") and self.view.of(at) & self.view.cells:
            self.agreement.marked.add(at)
            self.agreement.singular.add(at)

    def _object(self, at: int) -> bool:
        """le or la before its verb, where the English has him, her or them for a person and nothing for a thing."""
        view, low = self.view, self.view.low(at)
        if not SPECIFIC.search(self.source) or THING.search(self.source) or not self.agreement.taken_up:
            return False
        if low in {"l'", "l’"}:
            return view.low(at + 1) in HAVE and view.low(at - 1) in BEFORE_OBJECT
        before, after = view.low(at - 1), view.low(at + 1)
        led = before in BEFORE_OBJECT or (before in BEFORE_INFINITIVE and after.endswith(INFINITIVE))
        if low != OBJECTS[0 if view.masculine else 1] or not led:
            return False
        known = self.language.noun(after).kind.value != "guess" and not after.endswith(INFINITIVE)
        bare = before in {"pour", "à", "de", "sans", "et"}
        verb = after.endswith(INFINITIVE) or (before == "et" and after.endswith(VERBAL) and not view.names(at + 1))
        if known or not after.isalpha() or (bare and not verb):
            return False
        self.agreement.clitics.add(at)
        return True

    def _participle(self, at: int) -> None:
        """l'a vue: it agrees with the object before it."""
        if self.view.low(at) in HAVE:
            step = self.view.past_adverbs(at + 1)
            if step < len(self.tokens) and (self.view.told(step) or self.view.loose(step)):
                self.agreement.marked.add(step)
