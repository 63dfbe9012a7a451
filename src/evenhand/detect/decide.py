"""From the words that render the focus to a gender: form, determiner, agreement, and what they weigh."""

from __future__ import annotations

from typing import NamedTuple

from evenhand.detect.forms import Column
from evenhand.detect.languages.protocol import (
    ANY,
    FEMININE,
    MASCULINE,
    NEUTER,
    PLURAL,
    SINGULAR,
    Kind,
    Language,
    Noun,
    Phrase,
    Token,
)
from evenhand.detect.phrase import noun_phrase, told
from evenhand.gender import Gender


class Decision(NamedTuple):
    """A gender with what it rests on. `basis` is the kind of evidence, the key of the confidence table."""

    gender: Gender
    how: str
    basis: str
    evidence: tuple[int, ...]  # token indices
    adequate: bool | None
    reason: str | None


def gender_of(cells: int) -> Gender | None:
    """female or male when the cells leave only that one; None when both or neither remain."""
    feminine, masculine = cells & FEMININE, cells & MASCULINE
    if feminine and not masculine:
        return Gender.FEMALE
    if masculine and not feminine:
        return Gender.MALE
    return None


def decide(
    language: Language, tokens: list[Token], first: int, last: int, columns: int, *, plural: bool | None
) -> Decision:
    """The gender that tokens[first:last], the rendering of the focus, gives the person.

    `columns` is what the forms table says (NONE for a word found by alignment); `plural` is the source's number.
    Order: notations of both genders; forms of fixed gender; forms that tell by themselves (a masculine one yields to a
    feminine determiner: "la médico"); for the rest determiner and modifiers, then the predicate, then neutral.
    """
    head = _head(language, tokens, first, last)
    number = ANY if plural is None else PLURAL if plural else SINGULAR
    phrase = noun_phrase(language, tokens, first, last, number)
    noun = language.noun(tokens[head].text)
    adequate = None if columns == Column.NONE else columns != Column.OTHER
    if _both(language, tokens, phrase, first, last) or columns & Column.BOTH:
        return Decision(Gender.BOTH, "forms", "both", tuple(range(phrase.first, last)), adequate, None)
    noun = _known(language, noun, columns)
    whole = tuple(sorted({*phrase.told_by, *range(first, last)}))
    if noun.kind is Kind.FIXED:
        against = gender_of(phrase.cells) if phrase.told_by else None
        if against and gender_of(noun.cells) and against is not gender_of(noun.cells):
            return Decision(against, "article", "article against fixed", whole, adequate, None)  # el guardia
        return Decision(Gender.NEUTRAL, "forms", "fixed", whole, adequate, None)
    if noun.kind is Kind.THING or columns == Column.OTHER:
        thing = _thing(language, tokens, phrase, noun, whole)
        if thing:
            return thing
    agreed = language.agree(tokens, phrase, noun)
    if not agreed and plural is not None:
        # A singular may be rendered by a plural and the other way round: forget the source's number.
        freed = noun_phrase(language, tokens, first, last, ANY)
        agreed = language.agree(tokens, freed, noun)
        phrase = freed if agreed else phrase
    by_noun, by_phrase = gender_of(noun.cells), gender_of(phrase.cells) if phrase.told_by else None
    if noun.kind is Kind.SEXED and by_noun is Gender.FEMALE:
        if by_phrase is Gender.MALE and not agreed and columns == Column.NONE and language.article_overrides:
            return Decision(Gender.MALE, "article", "guess article alone", whole, adequate, None)  # os titãs
        basis = "form" if by_phrase is not Gender.MALE else "form against article"
        return Decision(Gender.FEMALE, "forms", basis, whole, adequate, None)
    if noun.kind is Kind.SEXED and by_noun is Gender.MALE:
        if by_phrase is Gender.FEMALE and language.article_overrides and _before(phrase):
            return Decision(Gender.FEMALE, "article", "article against form", whole, adequate, None)
        seen = language.predicate(tokens, phrase) if language.predicate_overrides else None
        if seen and gender_of(seen.cells) is Gender.FEMALE:
            return Decision(Gender.FEMALE, "agreement", "predicate against form", (*whole, seen.at), adequate, None)
        return Decision(
            Gender.MALE, "forms", "form" if by_phrase is Gender.MALE else "bare form", whole, adequate, None
        )
    return _open(language, tokens, phrase, noun, agreed, whole, adequate)


def _open(
    language: Language,
    tokens: list[Token],
    phrase: Phrase,
    noun: Noun,
    agreed: int,
    whole: tuple[int, ...],
    adequate: bool | None,
) -> Decision:
    """A noun that does not tell by itself."""
    article_first = _before(phrase)
    found = gender_of(agreed) if agreed else gender_of(phrase.cells)
    if noun.kind is Kind.COMMON:
        if found:
            how = "article" if article_first or not phrase.told_by else "agreement"
            return Decision(found, how, f"common {how}", whole, adequate, None)
    else:
        by_phrase = gender_of(phrase.cells) if phrase.told_by else None
        if by_phrase and (article_first or agreed or not gender_of(noun.cells)):
            agrees = bool(agreed)
            how = "article" if article_first else "agreement"
            return Decision(by_phrase, how, f"guess {how}" + ("" if agrees else " alone"), whole, adequate, None)
    seen = language.predicate(tokens, phrase)
    if seen and gender_of(seen.cells):
        gender = gender_of(seen.cells) or Gender.UNKNOWN
        return Decision(gender, "agreement", "predicate", (*whole, seen.at), adequate, None)
    if noun.kind is Kind.GUESS and found and phrase.first < phrase.head and agreed and not gender_of(noun.cells):
        return Decision(found, "article", "guess article", whole, adequate, None)  # der Chefjustiziar, as subject
    found = gender_of(noun.cells)
    if noun.kind is Kind.GUESS and found:
        return Decision(found, "forms", "ending", whole, adequate, None)
    if agreed and not agreed & (FEMININE | MASCULINE) and agreed & NEUTER:
        return Decision(Gender.NEUTRAL, "article", "neuter", whole, adequate, None)
    return Decision(Gender.NEUTRAL, "forms", "open", whole, adequate, None)


def _before(phrase: Phrase) -> bool:
    """True when a word before the noun tells; one after it may be a verb that looks like an adjective (esercita)."""
    return any(at < phrase.head for at in phrase.told_by)


def _thing(
    language: Language, tokens: list[Token], phrase: Phrase, noun: Noun, whole: tuple[int, ...]
) -> Decision | None:
    """A focus rendered as something else; None when the words still name a person."""
    if noun.kind is Kind.THING:
        reason = f"rendered as {tokens[phrase.head].text!r}, which is not a person"
        return Decision(Gender.UNKNOWN, "forms", "thing", whole, False, reason)
    if noun.kind in {Kind.SEXED, Kind.COMMON}:
        return None
    return Decision(Gender.UNKNOWN, "forms", "thing", whole, False, f"rendered as {tokens[phrase.head].text!r}")


def _known(language: Language, noun: Noun, columns: int) -> Noun:
    """The noun as the forms table knows it. The table wins over endings; the language wins where it lists a noun as fixed,
    and where a noun is declined like an adjective, because then only the article can tell (der/die Angestellte)."""
    female, male = columns & Column.FEMALE, columns & Column.MALE
    if noun.kind is Kind.FIXED or not columns:
        return noun
    if noun.kind is Kind.COMMON and (not language.article_overrides or not (female or male)):
        return noun
    if columns & Column.NEUTRAL and not (female or male):
        return Noun(noun.cells, Kind.FIXED)
    if female and male:
        if noun.kind is not Kind.COMMON and gender_of(noun.cells) is Gender.MALE:
            return Noun(MASCULINE, Kind.SEXED)  # architetto, écrivain: a masculine form that women bear too
        return noun if noun.kind is Kind.COMMON else Noun(ANY, Kind.COMMON)
    if female:
        return Noun(FEMININE, Kind.SEXED)
    if male:
        return Noun(MASCULINE, Kind.SEXED)
    return noun


def _head(language: Language, tokens: list[Token], first: int, last: int) -> int:
    """The noun of a form of several words: the first in Romance (asistente social), the last elsewhere."""
    return first if language.modifiers_follow else last - 1


def _both(language: Language, tokens: list[Token], phrase: Phrase, first: int, last: int) -> bool:
    """Lehrer:in, el/la médico, "Lehrerinnen und Lehrer", "der Lehrer oder die Lehrerin"."""
    return any(language.both(tokens[i].text) for i in range(phrase.first, last))


__all__ = ["Decision", "decide", "gender_of", "told"]
