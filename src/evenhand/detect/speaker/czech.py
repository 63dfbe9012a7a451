"""Czech has a participle and an auxiliary that stands anywhere in its clause (Vždy jsem ... dával), or "já" alone."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.detect.speaker.signs import Sign
from evenhand.detect.speaker.west_slavic import Span, WestSlavic
from evenhand.gender import Gender
from evenhand.grammar.families.agreement import INSTRUMENTAL
from evenhand.grammar.protocol import Token


class Czech(WestSlavic):
    """jsem, bych and their like with -l/-la; "já" without them; jsem with -ý/-á, -n/-na, rád/ráda."""

    _adverbial = ("ně", "cky", "sky", "ově", "žně", "čně", "vě", "mi")
    _infinitives = ("t", "ci")
    _plain_nominatives = True

    def _verb_form(self, tokens: Sequence[Token], i: int) -> bool:
        return tokens[i].low in self._role("auxiliary")

    def _verbs(self, tokens: Sequence[Token], segment: Span, parts: list[Span]) -> list[Sign]:
        found: list[Sign] = []
        for part in parts:
            marker = next((i for i in range(*part) if self._marks(tokens, i, part)), None)
            if marker is None:
                continue
            nearest = sorted(range(*part), key=lambda i: abs(i - marker))
            chosen = next((i for i in nearest if self._participle(tokens[i].low)), None)
            if chosen is None and tokens[marker].low in self._role("auxiliary"):
                # "jsem s mámou a tátou trávil čas": the conjunction joins nouns
                nearest = sorted(range(marker, segment[1]), key=lambda i: abs(i - marker))
                chosen = next((i for i in nearest if self._participle(tokens[i].low)), None)
                between = range(marker + 1, chosen) if chosen is not None else range(0)
                if any(tokens[i].low in self._role("other_subject") or self._marks(tokens, i, part) for i in between):
                    chosen = None
            if chosen is not None:
                low = tokens[chosen].low
                female = low.endswith(("la", "las"))
                found.append(Sign(Gender.FEMALE if female else Gender.MALE, chosen, "agreement"))
        if self._person == 2:
            found += [
                Sign(Gender.FEMALE if tokens[i].low.endswith("las") else Gender.MALE, i, "agreement")
                for i in range(*segment)
                if tokens[i].low.endswith(("las", "ls")) and tokens[i].low not in self._nouns and len(tokens[i].low) > 3
            ]
        return found

    def _auxiliary(self, tokens: Sequence[Token], i: int, part: Span) -> bool:
        if tokens[i].low not in self._role("auxiliary"):
            return False
        verbs = [tokens[k].low for k in range(*part) if self._participle(tokens[k].low)]
        return bool(verbs) and not any(low.removeprefix("ne") in self._role("link_past") for low in verbs)

    def _marks(self, tokens: Sequence[Token], i: int, part: Span) -> bool:
        """An auxiliary, or the pronoun where the part has no auxiliary and no other subject before its verb."""
        low = tokens[i].low
        if low in self._role("auxiliary"):
            return True
        return low in self._role("subject") and not any(
            tokens[k].low in self._role("other_auxiliary") for k in range(*part)
        )

    def _participle(self, low: str) -> bool:
        if low in self._nouns or len(low) < 3 or self._language.kind(low):
            return False
        if low.endswith(("tel", "dla", "isla")) and low not in self._role("verb"):
            return False
        return low.endswith(("l", "la"))

    def _adjective(self, low: str) -> Gender | None:
        if low in self._fixed:
            return self._fixed[low]
        if len(low) < 4 or low in self._role("not_adjective"):
            return None
        if low.endswith("á"):
            return Gender.FEMALE
        if low.endswith("ý"):
            return Gender.MALE
        if len(low) > 4 and low.endswith(("ána", "ena", "uta", "ata", "ita", "ěna", "yta")):
            return Gender.FEMALE if not self._noun(low) else None
        if len(low) > 4 and low.endswith(("án", "en", "ut", "ěn")) and not low.endswith("out"):
            return Gender.MALE
        return self._instrumental(low)

    def _instrumental(self, low: str) -> Gender | None:
        """ "stát se silným", "být silnou": an adjective in the instrumental."""
        adjectives = [a for a in self._language.readings(low) if a.part == "adjective" and a.cells & INSTRUMENTAL]
        if adjectives and low.endswith("ým"):
            return Gender.MALE
        return None
