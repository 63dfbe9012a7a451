"""The speaker and the listener in the Romance languages: closed classes and adjectives from all of their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenhand.grammar.participants import CARRIED, Participant, Scan, Verb, shows
from evenhand.grammar.protocol import FEMININE, MASCULINE, Kind
from evenhand.grammar.sentence import Said

if TYPE_CHECKING:
    from evenhand.grammar.base import BaseLanguage
    from evenhand.grammar.families.romance import Romance

OTHERS = frozenset({"copula", "linking", "modal", "have"})
JOINS = frozenset({"joins", "subordinator", "relative"})
AGENTS = ("or", "ora", "ore", "eur", "euse", "rice")
OTHER_NOUNS = frozenset({Kind.COMMON, Kind.FIXED, Kind.THING})


class RomanceParticipant(Participant):
    """Participles agree with the pronoun before to have; French ones always (`dative`: but for indirect objects)."""

    language: Romance

    def __init__(self, language: BaseLanguage, person: str) -> None:
        super().__init__(language, person)
        for role in ("article", "been", "time"):
            self._own[role] = self.of(role) | self.language.words_of(role)

    def joins(self, low: str) -> bool:
        return not self.language.roles_of(low).isdisjoint(JOINS) or low in self._own.get("joins", ())

    def preposition(self, low: str) -> bool:
        return self.language.role(low, "preposition") or self.language.role(low, "fused")

    def article(self, low: str) -> int:
        return 0 if self.language.role(low, "fused") else super().article(low)

    def _passed(self, low: str) -> bool:
        if super()._passed(low):
            return True
        been = self.language.role(low, "been") and low not in self.gendered("been")
        return low.endswith(("mente", "ment")) or been

    def _other_verb(self, low: str) -> Verb | None:
        """The forms of classes.tsv are of the third person, but for endings that serve several (podría)."""
        if low in self.gendered("agreeing") or self.language.roles_of(low).isdisjoint(OTHERS):
            return None
        endings = self.served["ending"]
        served = next((endings[low[k:]] for k in range(1, len(low) - 1) if low[k:] in endings), "3")
        return Verb(self._serves(served), finite=bool(served))

    def _adjective(self, low: str) -> int:
        """In the predicate a looser look at the ending is safe, but for nouns (médecin)."""
        language = self.language
        cells = self.gendered("been").get(low, 0) or language.adjective(low) or language.said(low)
        if self.columns(low) and not language.modifier(low):
            return 0
        if not cells and language.noun(low).kind not in OTHER_NOUNS:
            cells = language.predicative(low)
        singular = language.numbered_as(low, plural=False, masculine=not cells & FEMININE)
        return cells if singular or low.endswith("x") or language.role(low, "both_numbers") else 0

    def surely(self, low: str) -> bool:
        return bool(self.cells(low)) and (low in self.gendered("adjective") or bool(self.language.adjective(low)))

    def participle(self, low: str) -> bool:
        return low.isalpha() and low.endswith(self.language.participle_endings) and not low.endswith(AGENTS)

    def _object(self, scan: Scan, i: int) -> Said | None:
        """Also a participle after to have: a feminine one can only agree with the pronoun before it. A masculine one
        shows a man where that agreement is a rule and the verb takes no indirect object (m'a aidé)."""
        agrees = self.language.agrees_with_clitic or self.of("dative")
        have, _, subject = scan.low(i + 1).partition("-")
        if scan.low(i) not in self.of("clitic") or not agrees or not self.language.perfect(have):
            return super()._object(scan, i)
        at = self._past(scan, i + 2)
        low = scan.low(at)
        strict = self.of("dative") and low not in self.of("dative") and self.boundary(scan.low(at + 1))
        said = shows(self.cells(low)) and self.surely(low) and (self.cells(low) & FEMININE or strict)
        return Said(at, "participle", self.cells(low), CARRIED) if said and not self._own_have(have, subject) else None

    def _own_have(self, have: str, subject: str) -> bool:
        """ "vous avez vu": the pronoun is the subject."""
        verb = self.verb(have)
        return bool(verb and verb.own and not subject)

    def _bare(self, scan: Scan, at: int) -> Said | None:
        said = super()._bare(scan, at)
        if said is None or said.kind != "predicate" or not said.cells & MASCULINE or not self.of("dative"):
            return said
        clitic = not self.of("clitic").isdisjoint(scan.clause(at)[-4:])
        # "je me suis lavé les mains": the participle agrees with nobody
        return None if clitic and self.article(scan.low(at + 1)) and not self.preposition(scan.low(at + 1)) else said


__all__ = ["RomanceParticipant"]
