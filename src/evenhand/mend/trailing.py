"""An adjective or participle behind what a preposition adds to a person's noun: la responsabile del negozio assunta.

It belongs to the person where the noun between them shows the other gender; where it does not, nobody can tell. In
French also behind an office: le chef d'État français.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evenhand.mend.roles import told

if TYPE_CHECKING:
    from evenhand.mend.agreeing import Agreement

PARTICIPLE = re.compile(r"(?:[aiu][td]|unt|int|ess|res|elt|ett|itt|ost)(?:[oaie]|[oa]s)$")


class Trailing:
    """Looks, for one noun, behind one prepositional phrase of at most four words."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens

    def mark(self, end: int) -> int:
        """Marks such a word, or says that it is not clear; where the noun's phrase ends then."""
        trailing = self.place(end)
        if trailing is None:
            return end
        at, sure = trailing
        if not sure:
            self.agreement.unclear = at
            return end
        self.agreement.marked.add(at)
        return self.agreement.right(at + 1)

    def place(self, end: int) -> tuple[int, bool] | None:
        """Where such a word stands behind the phrase that ends at `end`, and whether it surely is the person's; of
        those that may be either's only participles: an adjective is mostly the nearer noun's."""
        view = self.view
        if self.language.code == "fr":
            return self._office(end)
        if not (self.roles.has(view.low(end), "of") and end + 2 < len(self.tokens)):
            return None
        noun = end + 1
        shown = self.language.determiner(view.low(end))
        if self.language.determiner(view.low(noun)):
            shown, noun = self.language.determiner(view.low(noun)), noun + 1
        at = noun + 1
        if at >= len(self.tokens) or view.names(noun) or self.language.function_word(view.low(noun)):
            return None
        if self.roles.links(view.low(noun)) or self.language.verb(view.low(noun)):
            return None  # o desejo dos vizinhos de serem ouvidos
        if self.language.determiner(view.low(at)) or not view.told(at) or self.roles.has(view.low(at), "verb_too"):
            return None
        other_number = self.language.code != "it" and not view.numbered(noun)  # las investigadoras de seguridad citadas
        sure = other_number or (told(shown) and not shown & view.cells)
        return (at, sure) if sure or PARTICIPLE.search(view.low(at)) else None

    def _office(self, end: int) -> tuple[int, bool] | None:
        """le chef d'État français, l'agent de police blessé: behind a noun without an article that makes one name of an
        office with the person's (role `office`) it is the person's; behind another, whether a word that can name a
        person is the person's is not clear: le vendeur de vin français."""
        view, at = self.view, end + 2
        bare = view.low(end) in {"de", "d'", "d’"} and not self.language.determiner(view.low(end + 1))
        if not bare or at >= len(self.tokens) or not view.told(at) or self.language.determiner(view.low(at)):
            return None
        if self.roles.has(view.low(end + 1), "office"):
            return at, True
        may_name = any(view.forms.known.get(form, 0) for form in self.language.lookups(self.tokens[at].text))
        return (at, False) if may_name and not view.names(end + 1) else None
