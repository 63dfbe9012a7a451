"""Rewrites a rendering so that the person of the focus has the wanted gender, and only that person.

It declines rather than guess: where the detector does not surely know which word renders the focus, where a word that
may belong to it cannot be reached or has no known other form, and where the detector does not read the wanted gender
from the result.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from evenhand.detect import open_noun_judge
from evenhand.detect.languages.protocol import Token
from evenhand.detect.languages.romance import Romance
from evenhand.detect.nouns import Verdict
from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.languages import primary
from evenhand.mend.agreeing import OF, Agreement
from evenhand.mend.joining import Joining
from evenhand.mend.partners import Partners
from evenhand.mend.word_classes import Roles, View

LANGUAGES = ("es", "fr", "it", "pt")
SURE = 0.8  # the detector's confidence below which nothing is changed
MARKUP = re.compile(r"<[^<>]*>|\{[^{}]*\}|%\(\w+\)\w|%\w")  # tags and placeholders are not words
PRONOUNS = frozenset(
    "i me my mine you your yours we us our ours they them their theirs he him his she her hers it its one some those "
    "these who whom myself yourself himself herself ourselves yourselves themselves".split()
)


class Mended(NamedTuple):
    """`gender` is the rendering's before; `text` is empty where the mender declines and says why in `reason`;
    `changed` are pairs of words, old and new."""

    gender: Gender
    text: str
    changed: tuple[tuple[str, str], ...]
    confidence: float
    reason: str | None


class Mender:
    """For renderings into one language, which the caller has found to be renderings (`detect.validity`).

    Pure: what comes out depends on the row and the data files.
    """

    def __init__(self, target: str) -> None:
        if primary(target) not in LANGUAGES:
            raise Unknown("language of mend", target, LANGUAGES)
        self.detector = open_noun_judge(target=target)
        language = self.detector.language
        if not isinstance(language, Romance):
            raise Unknown("language of mend", target, LANGUAGES)
        self.language = language
        self.roles = Roles(language)
        self.partners = Partners(self.detector.forms)

    def mend(self, source: str, rendering: str, start: int | None, end: int | None, wanted: Gender) -> Mended:
        """The rendering with the person source[start:end] as `wanted` (female or male); unchanged where it is so."""
        before = self.detector.verdict(source, rendering, start, end)
        if before.gender is wanted:
            return Mended(before.gender, rendering, (), before.confidence, None)
        refusal = _refusal(before, source[start:end])
        if refusal or before.start is None:
            return _declined(before.gender, refusal)
        masked = [match.span() for match in MARKUP.finditer(rendering)]
        tokens = [
            token
            for token in self.language.tokens(rendering)
            if not any(first <= token.start < last for first, last in masked)
        ]
        head = next(i for i, token in enumerate(tokens) if token.end > before.start)
        heads = [head, *_again(source, source[start:end], tokens, head)]
        words: dict[int, str] = {}
        articles: dict[int, dict[str, str]] = {}
        for noun in heads:
            view = View(self.roles, self.detector.forms, tokens, noun, before.gender)
            agreement = Agreement(view)
            for i in sorted(agreement.words()):
                row = self._article(tokens, i, wanted) if i not in heads else None
                if row is not None:
                    articles[i] = row
                    continue
                choose = self.partners.noun if i in heads else self.partners.adjective
                partner = choose(tokens[i].low, wanted, plural=view.plural)
                if partner is None:
                    return _declined(before.gender, f"no {wanted} form of {tokens[i].text!r} is known")
                words[i] = partner
            doubt = agreement.doubt()
            if doubt is not None:
                told = f"whether {tokens[doubt].text!r} belongs to {tokens[noun].text!r} is not clear"
                return _declined(before.gender, told)
        for i in [*words, *articles]:
            row = self._article(tokens, i - 1, wanted) if i and i - 1 not in {*words, *articles} else None
            if row is not None and tokens[i - 1].low in row.values() and self._elides(tokens[i - 1].low):
                articles[i - 1] = row  # l'héroïne, le héros: what was elided may not be now, and the reverse
        text, changed = Joining(self.language.code, rendering, tokens, wanted).joined(words, articles)
        after = self.detector.verdict(source, text, start, end)
        if after.gender is not wanted:
            return _declined(before.gender, f"the result would read as {after.gender}")
        return Mended(before.gender, text, changed, min(before.confidence, after.confidence), None)

    def _article(self, tokens: list[Token], at: int, wanted: Gender) -> dict[str, str] | None:
        """The row of a determiner before its phrase; not of one that stands alone (una de ellas)."""
        after = tokens[at + 1].low if at + 1 < len(tokens) else "."
        alone = not after[0].isalnum() or after in OF
        low = tokens[at].low if tokens[at].text.endswith(("'", "’")) else tokens[at].low.rstrip("'")
        return None if alone or not self.language.determiner(tokens[at].low) else self.partners.article(low, wanted)

    @staticmethod
    def _elides(low: str) -> bool:
        return low.endswith("'") or low in {"mon", "ton", "son"}


def _refusal(before: Verdict, focus: str) -> str | None:
    """Why nothing can be changed, by what the detector saw."""
    if focus.casefold() in PRONOUNS:
        return f"{focus!r} is a pronoun: only nouns are mended"
    if before.gender not in {Gender.FEMALE, Gender.MALE}:
        return before.reason or f"the rendering is {before.gender}"
    if before.confidence < SURE:
        return f"it is not sure which word renders {focus!r}"
    return None


def _declined(gender: Gender, reason: str | None) -> Mended:
    return Mended(gender, "", (), 0.0, reason)


def _again(source: str, focus: str, tokens: list[Token], head: int) -> list[int]:
    """Where the same noun is said again, as often as the source says its own again: it is the same person."""
    named = re.findall(rf"(?<!\w){re.escape(focus)}(?!\w)", source, re.IGNORECASE)
    again = [i for i, token in enumerate(tokens) if i != head and token.low == tokens[head].low]
    return again if len(again) == len(named) - 1 else []
