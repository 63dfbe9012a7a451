"""Phrases that name a person in both genders (Lehrer:in, el/la médico, "utilisateurs et utilisatrices"), and words that
say the gender outright (weibliche Lehrkräfte)."""

from __future__ import annotations

from functools import cache

from evenhand.detect.languages.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Language, Phrase, Token

JOINED = {  # words that join the two forms, each in its own language: a Spanish "a" joins nothing
    "de": "und oder bzw beziehungsweise sowie",
    "nl": "en of",
    "es": "y e o u",
    "ca": "i o",
    "pt": "e ou",
    "fr": "et ou",
    "it": "e ed o od",
    "ru": "и или",
    "uk": "і й та або чи",
    "pl": "i oraz lub albo a",
    "cs": "a i nebo či",
    "el": "και ή",
}
SAME = 3  # letters that two forms of one noun share at least: acteurs, actrices
ENDS = 4  # letters at the end in which they may differ: utilisateurs, utilisatrices


@cache
def joins(code: str) -> frozenset[str]:
    """The words that join two forms of a noun in this language, and the slash."""
    return frozenset([*JOINED.get(code, "").split(), "/"])


def names_both(language: Language, tokens: list[Token], phrase: Phrase, last: int) -> bool:
    """True for a notation inside the noun phrase or its article, and for a pair of forms of one noun."""
    start, first = phrase.first, phrase.head
    for i in range(max(0, start - 1), last):
        text = tokens[i].text
        if text[1:].islower() and text.isalpha():
            continue
        if language.both(text) and (i >= start or language.determiner(text.split("/")[0].lower())):
            return True
    # el / la médico, der oder die Angestellte, todas e todos os estudantes; "tutti e tutte gli studenti" has one more
    if any(_articles(language, tokens, at) for at in (start, start - 1)):
        return True
    after, behind = range(last, min(last + 5, len(tokens))), range(start - 1, max(start - 5, -1), -1)
    return _paired(language, tokens, first, after) or _paired(language, tokens, first, behind)


def stated(language: Language, tokens: list[Token], phrase: Phrase, last: int) -> int:
    """FEMININE, MASCULINE, their union or 0: what adjectives of the phrase say outright (weiblich, femenino). Before
    the noun a conjunction may join two of them ("weibliche und männliche")."""
    mask, i, joining = 0, phrase.head - 1, joins(language.code)
    while i >= 0 and i >= phrase.first - 3 and (language.modifier(tokens[i].low) or tokens[i].low in joining):
        mask |= language.states(tokens[i].low)
        i -= 1
    for i in range(last, min(last + 3, len(tokens)) if language.modifiers_follow else last):
        if not language.modifier(tokens[i].low) and tokens[i].low not in joining and not language.states(tokens[i].low):
            break
        mask |= language.states(tokens[i].low)
    return mask


def _articles(language: Language, tokens: list[Token], at: int) -> bool:
    """True for two determiners of different gender joined before tokens[at], the second of which is tokens[at]."""
    if at < 2 or tokens[at - 1].low not in joins(language.code):
        return False
    one, other = language.determiner(tokens[at].low), language.determiner(tokens[at - 2].low)
    return not one & other and any(one & number and other & number for number in (SINGULAR, PLURAL))  # not "un ou deux"


def _paired(language: Language, tokens: list[Token], first: int, way: range) -> bool:
    """True when, going that way, a conjunction comes first and then the same noun in the other gender."""
    if not way or tokens[way[0]].low not in joins(language.code):
        return False
    own = tokens[first].low
    for i in way[1:]:
        low = tokens[i].low
        if low == own:  # le insegnanti e gli insegnanti
            cells = [language.determiner(tokens[max(0, k - 1)].low) for k in (first, i)]
            return all(cells) and not cells[0] & cells[1]
        same = max(SAME, min(len(low), len(own)) - ENDS)
        if len(low) > SAME and low[:same] == own[:same]:
            nouns = language.noun(tokens[first].text), language.noun(tokens[i].text)
            women = [bool(noun.cells & FEMININE) and not noun.cells & MASCULINE for noun in nouns]
            # a word no table lists (Dutch leraren) beside its feminine is the other half of the pair
            open_ = [noun.kind is not Kind.GUESS and bool(noun.cells & FEMININE) for noun in nouns]
            return women[0] != women[1] and not any(women[k] and open_[1 - k] for k in (0, 1))
        if not language.determiner(low) and low != ".":  # "bzw. jede Nutzerin"
            return False
    return False
