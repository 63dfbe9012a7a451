"""What French says of a person in ways of its own: past an aside, after comme, after a quantity, as one of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evenhand.mend.agreeing import Agreement

OF = frozenset({"de", "d'", "d’"})
MANY = frozenset("beaucoup peu nombre trop assez tant davantage plusieurs moins plus combien".split())
MOST = frozenset({"plupart", "nombre", "majorité", "moitié"})


class FrenchClauses:
    """Asked for one noun; answers are empty for other languages."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement, self.view, self.roles = agreement, agreement.view, agreement.roles
        self.language, self.tokens = agreement.language, agreement.tokens
        self.french = self.language.code == "fr"

    def titled(self, first: int) -> bool:
        """Monsieur le Président, M. le Président: marks the title."""
        view = self.view
        place = first - 1
        if view.masculine and view.low(place) == "." and view.low(first - 2) == "m":
            place = first - 2
        title = place >= 0 and self.roles.has(
            view.low(place), "title_masculine" if view.masculine else "title_feminine"
        )
        if title:
            self.agreement.marked.add(place)
        return title

    def closed(self, at: int) -> int | None:
        """un juge, si la loi le permet, peut être nommé: past a clause between commas, where a verb follows it."""
        low = self.view.low(at)
        if not self.french or not (low == "si" or self.language.role(low, "subordinator")):
            return None
        after = next((i + 1 for i in range(at, len(self.tokens)) if self.view.low(i) == ","), None)
        verb = self.view.low(after) if after is not None else "."
        return after if self.roles.has(verb, "modal") or self.roles.links(verb) else None

    def acting(self, at: int) -> bool:
        """portant un sac, travaillant au nom de: a participle with its object, which has one form."""
        low, after = self.view.low(at), self.view.low(at + 1)
        object_follows = bool(self.language.determiner(after)) and after not in {"du", "des"}
        return self.french and low.endswith(("ant", "ants")) and (object_follows or after in {"que", "qu'", "qu’"})

    def one_of_them(self, at: int) -> bool:
        """est un ressortissant de: a participle that stands for a person, though no table knows it."""
        low, after, ends = self.view.low(at), self.view.low(at + 1), self.agreement.ends(at + 2)
        if not self.french or low not in {"un", "une"} or not self.view.told(at) or not ends:
            return False
        return after.endswith(("ant", "ante")) and self.view.told(at + 1) and not self.view.names(at + 1)

    def in_state(self, at: int) -> bool:
        """sont en colère et fatiguées: a state before a further predicate."""
        view = self.view
        return self.french and view.low(at) == "en" and self.roles.joins(view.low(at + 2))

    def said_of(self, first: int) -> bool:
        """ma grand-mère était voisine: the noun is said of another noun of its gender, which would have to change."""
        view, copula = self.view, first - 1
        while copula > 0 and (view.adverbial(copula) or self.language.role(view.low(copula), "negation")):
            copula -= 1
        if not self.french or not self.language.role(view.low(copula), "copula"):
            return False
        before = range(max(0, copula - 4), copula)
        return any(view.names(i) == view.column and view.low(i) != view.low(view.head) for i in before)

    def compared(self, at: int) -> bool:
        """comme compétente: marks the adjective."""
        if not self.french or self.view.low(at) != "comme" or at + 1 >= len(self.tokens):
            return False
        if not self.view.told(at + 1) or not self.agreement.ends(at + 2):
            return False
        self.agreement.marked.add(at + 1)
        return True

    def many(self, first: int) -> bool:
        """beaucoup de nos amis, la plupart des amis: the noun stands for the subject, though de comes before it."""
        view = self.view
        if not self.french or first < 1:
            return False
        if view.low(first) == "des" and view.low(first - 1) in {"tous", "toutes"} and view.told(first - 1):
            self.agreement.marked.add(first - 1)  # ce sont toutes des criminelles
            return False
        return (view.low(first - 1) in OF and view.low(first - 2) in MANY) or (
            view.low(first) == "des" and view.low(first - 1) in MOST
        )
