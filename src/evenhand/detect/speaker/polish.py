"""Polish writes person and gender into one word (byłem, byłabym, powinnam) or splits them (bym ... zrobiła)."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.detect.speaker.signs import Sign
from evenhand.detect.speaker.west_slavic import Span, WestSlavic
from evenhand.gender import Gender
from evenhand.grammar.protocol import Token

ENDINGS = {1: ("łem", "łam", "łbym", "łabym"), 2: ("łeś", "łaś", "łbyś", "łabyś")}


class Polish(WestSlavic):
    """-łem/-łam, -łbym/-łabym, będę and bym with -ł/-ła, jestem with an adjective."""

    _adverbial = ("o", "ie", "wsze")
    _infinitives = ("ć", "c")

    def _verb_form(self, tokens: Sequence[Token], i: int) -> bool:
        low = tokens[i].low
        if not low.endswith(ENDINGS[self._person]) or low in self._nouns or len(low) < 4:
            return low in self._role("modal_female") or low in self._role("modal_male")
        if low.endswith("ołam") or low.endswith(("syłam", "ołem", "ółem")):
            return False  # wołam, wysyłam are present tense; stołem, ogółem nouns
        before = tokens[i - 1].low if i else ""
        instrumental = low.endswith("łem") and (
            self._language.kind(before) == "preposition" or (before.endswith(("ym", "im")) and len(before) > 4)
        )
        return not instrumental or before in self._role("skip")

    def _verbs(self, tokens: Sequence[Token], segment: Span, parts: list[Span]) -> list[Sign]:
        found: list[Sign] = []
        for i in range(*segment):
            low = tokens[i].low
            if self._verb_form(tokens, i):
                female = low.endswith(("łam", "łaś", "łabym", "łabyś")) or low in self._role("modal_female")
                found.append(Sign(Gender.FEMALE if female else Gender.MALE, i, "agreement"))
        for part in parts:
            marker = next((i for i in range(*part) if tokens[i].low in self._role("split")), None)
            if marker is None:
                continue
            places = sorted(range(*part), key=lambda i: (abs(i - marker), i < marker))
            chosen = next((i for i in places if self._participle(tokens[i].low)), None)
            if chosen is not None:
                female = tokens[chosen].low.endswith("ła")
                found.append(Sign(Gender.FEMALE if female else Gender.MALE, chosen, "agreement"))
        return found

    def _participle(self, low: str) -> bool:
        return low.endswith(("ł", "ła")) and len(low) > 2 and low not in self._nouns and not low.endswith(("ół", "oła"))

    def _adjective(self, low: str) -> Gender | None:
        if low in self._fixed:
            return self._fixed[low]
        if len(low) < 3 or low in self._role("not_adjective"):
            return None
        if low.endswith("a") and not low.endswith(("ia", "ja")):
            return Gender.FEMALE
        if low.endswith(("pia", "bia", "nia", "sia", "ska", "cka", "dzia", "gia", "kia")):
            return Gender.FEMALE
        return Gender.MALE if low.endswith(("y", "i")) else None
