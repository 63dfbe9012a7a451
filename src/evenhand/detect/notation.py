"""Phrases that name a person in both genders: Lehrer:in, el/la médico, "Lehrerinnen und Lehrer"."""

from __future__ import annotations

from evenhand.detect.languages.protocol import FEMININE, MASCULINE, Language, Phrase, Token

AND = frozenset(
    {"und", "oder", "bzw", "y", "o", "u", "e", "et", "ou", "i", "en", "of", "и", "или", "і", "й", "або", "/"}
)
OR = frozenset({"/", "o", "ou", "oder", "u"})
SAME = 4  # letters that two forms of one noun must share


def names_both(language: Language, tokens: list[Token], phrase: Phrase, last: int) -> bool:
    """True for a notation inside the noun phrase or its article, and for a pair of forms of one noun."""
    start, first = phrase.first, phrase.head
    for i in range(max(0, start - 1), last):
        text = tokens[i].text
        if text[1:].islower() and text.isalpha():
            continue
        if language.both(text) and (i >= start or language.determiner(text.split("/")[0].lower())):
            return True
    if start > 1 and tokens[start - 1].low in OR:  # el / la médico, der oder die Angestellte
        one, other = language.determiner(tokens[start].low), language.determiner(tokens[start - 2].low)
        if one and other and not one & other:
            return True
    after, behind = range(last, min(last + 4, len(tokens))), range(start - 1, max(start - 4, -1), -1)
    return _paired(language, tokens, first, after) or _paired(language, tokens, first, behind)


def _paired(language: Language, tokens: list[Token], first: int, way: range) -> bool:
    """True when, going that way, a conjunction comes first and then the same noun in the other gender."""
    if not way or tokens[way[0]].low not in AND:
        return False
    own = tokens[first].low
    for i in way[1:]:
        low = tokens[i].low
        same = max(SAME, min(len(low), len(own)) - 3)  # Lehrer and Lehrerinnen, maestros and maestras
        if low != own and len(low) >= SAME and low[:same] == own[:same]:
            cells = language.noun(tokens[first].text).cells, language.noun(tokens[i].text).cells
            return all(bool(mask & FEMININE) != bool(mask & MASCULINE) for mask in cells) and not cells[0] & cells[1]
        if not language.determiner(low):
            return False
    return False
