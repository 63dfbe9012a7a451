"""Phrases that name a person in both genders (Lehrer:in, el/la médico, usuarixs, "utilisateurs et utilisatrices"), and
words that say the gender outright (weibliche Lehrkräfte)."""

import re
from functools import cache
from pathlib import Path

from evenhand.grammar.base import ENDS, SAME, Language
from evenhand.grammar.protocol import FEMININE, MASCULINE, PLURAL, SINGULAR, Kind, Phrase, Token
from evenhand.tsv import rows

JOINING = Path(__file__).parent / "joining.tsv"
GREETING = 3  # words before the noun of a salutation at most: "Sehr geehrte Kundin, sehr geehrter Kunde"
PLAIN = str.maketrans("äöü", "aou")
STEM = re.compile(r"[^\W\d_]+")


@cache
def joins(code: str) -> frozenset[str]:
    """The words that join two forms of a noun in this language, the slash and the bracket."""
    return frozenset(
        ["/", "(", *(word for row in rows(JOINING) if row["language"] == code for word in row["words"].split())]
    )


def names_both(language: Language, tokens: list[Token], phrase: Phrase, last: int) -> bool:
    """True for a notation inside the noun phrase or its article, and for a pair of forms of one noun."""
    start, first = phrase.first, phrase.head
    for i in range(max(0, start - 1), last):
        text = tokens[i].text
        if text[1:].islower() and text.isalpha() and not text.endswith(language.open_ends):
            continue
        if language.both(text) and (i >= start or _agrees(language, text)):
            return True
    if _predicated(language, tokens, last):
        return True
    # el / la médico, der oder die Angestellte, todas e todos os estudantes; "tutti e tutte gli studenti" has one more
    if any(_articles(language, tokens, at) for at in (start, start - 1)):
        return True
    after, behind = range(last, min(last + 5, len(tokens))), range(start - 1, max(start - 5, -1), -1)
    if _paired(language, tokens, first, after) or _paired(language, tokens, first, behind):
        return True
    return first <= GREETING and not language.determiner(tokens[0].low) and _paired(language, tokens, first, after, ",")


def _agrees(language: Language, text: str) -> bool:
    """True for a determiner or adjective in both genders before a noun: "jede:r", "tou·te·s", "Estimado/a"."""
    parts = STEM.findall(text.lower())
    return any(language.determiner(low) or language.modifier(low) for low in (*parts[:1], "".join(parts)))


def _predicated(language: Language, tokens: list[Token], last: int) -> bool:
    """True where what is said of the noun stands in both genders: "вошёл(ла)", "est arrivé·e", "fue despedido/a"."""
    for i in range(last, min(last + 4, len(tokens))):
        text, low = tokens[i].text, tokens[i].low
        stem = STEM.match(low)
        if stem and not text.isalpha() and language.both(text):
            return not language.determiner(stem[0])
        if not (language.perfect(low) or language.copula(low) or language.adverb(low)):
            return False
    return False


def stated(language: Language, tokens: list[Token], phrase: Phrase, last: int) -> int:
    """FEMININE, MASCULINE, their union or 0: what adjectives of the phrase say outright (weiblich, femenino). Before
    the noun a conjunction may join two of them ("weibliche und männliche")."""
    mask, i, joining = 0, phrase.head - 1, joins(language.code)
    while i >= 0 and i >= phrase.first - 3 and (language.modifier(tokens[i].low) or tokens[i].low in joining):
        mask |= language.states(tokens[i].low)
        i -= 1
    for i in range(last, min(last + 3, len(tokens)) if language.adjectives_follow else last):
        if not language.modifier(tokens[i].low) and tokens[i].low not in joining and not language.states(tokens[i].low):
            break
        mask |= language.states(tokens[i].low)
    return mask


def described(language: Language, tokens: list[Token], first: int) -> Kind | None:
    """What tokens[first] is an adjective of, where a noun for a person stands behind another noun: FIXED for people of
    any gender ("personas usuarias", "personal médico"), THING ("el servicio técnico"); None where it is a noun."""
    if not language.adjectives_follow:  # "Nutzende Personen"
        after = tokens[first + 1].low if first + 1 < len(tokens) else ""
        return Kind.FIXED if language.has(after, "anybody") and language.adjectival(tokens[first].low) else None
    if not first or not tokens[first - 1].low[0].isalpha():
        return None
    low, before = tokens[first].low, tokens[first - 1]
    if language.function_word(before.low) or language.adverb(before.low):
        return None
    if language.pronoun(before.low.rpartition("-")[2]):  # sont-ils collègues ?
        return None
    if language.has(before.low, "anybody", "collective"):  # equipe revisora
        return Kind.FIXED
    noun = language.noun(before.text)
    if noun.kind is not Kind.THING or language.modifier(before.low) or not language.modifier(low):
        return None
    own = language.noun(tokens[first].text).cells & language.modifier(low)  # wróg, wroga: not in "kierunku wroga"
    return Kind.THING if noun.cells & own else None


def _articles(language: Language, tokens: list[Token], at: int) -> bool:
    """True for two determiners of different gender joined before tokens[at], the second of which is tokens[at]."""
    if at < 2 or tokens[at - 1].low not in joins(language.code):
        return False
    one, other = language.determiner(tokens[at].low), language.determiner(tokens[at - 2].low)
    return not one & other and any(one & number and other & number for number in (SINGULAR, PLURAL))  # not "un ou deux"


def _paired(language: Language, tokens: list[Token], first: int, way: range, mark: str = "") -> bool:
    """True when, going that way, a conjunction (or the `mark`) comes first and then the same noun in the other gender;
    behind a mark the noun has adjectives and no article, as in a salutation."""
    if not way or tokens[way[0]].low not in ({mark} if mark else joins(language.code)):
        return False
    for i in way[1:]:
        low, capital = tokens[i].low, tokens[i].text[0].isupper()
        noun = language.capitalises_nouns and capital  # Frau Präsidentin, Herr Präsident
        small = language.capitalises_nouns and not capital and tokens[first].text[0].isupper()  # Schülerin und schon
        if alike(low, tokens[first].low) and not small:
            return _opposed(language, tokens, first, i)
        determined = bool(language.determiner(low))
        # "bzw. jede Nutzerin", "und den neuen Nutzern"
        if (noun or determined) if mark else not (determined or low == "." or language.modifier(low)):
            return False
    return False


def alike(one: str, other: str) -> bool:
    """Forms of one noun: they begin alike, but for an umlaut (Ärztin, Arzt)."""
    one, other = one.translate(PLAIN), other.translate(PLAIN)
    same = max(SAME, min(len(one), len(other)) - ENDS)
    return one == other or (len(one) > SAME and one[:same] == other[:same])


def _opposed(language: Language, tokens: list[Token], one: int, other: int) -> bool:
    """Two forms of a noun, of which one names women: by their articles where they are the same word."""
    if tokens[one].low == tokens[other].low:  # le insegnanti e gli insegnanti
        articles = [language.determiner(tokens[max(0, at - 1)].low) for at in (one, other)]
        return all(articles) and not articles[0] & articles[1]
    nouns = language.noun(tokens[one].text), language.noun(tokens[other].text)
    women = [bool(noun.cells & FEMININE) and not noun.cells & MASCULINE for noun in nouns]
    # a word no table lists (Dutch leraren) beside its feminine is the other half of the pair
    open_ = [noun.kind is not Kind.GUESS and bool(noun.cells & FEMININE) for noun in nouns]
    return women[0] != women[1] and not open_[1 - women.index(True)]
