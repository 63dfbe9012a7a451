"""From the words that render the focus to a gender: form, determiner, agreement, and what they weigh."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from evenhand.gender import Gender
from evenhand.grammar.lexicon import Column
from evenhand.grammar.notation import described, names_both, stated
from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import (
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
from evenhand.tsv import rows

UNSURE = 0.7  # below this certainty the aligner hesitated between words
HESITATION = 0.95
LABELS = {
    Column.BOTH: Gender.BOTH,
    Column.NEUTRAL: Gender.NEUTRAL,
    Column.FEMALE | Column.MALE: Gender.BOTH,
    Column.FEMALE: Gender.FEMALE,
    Column.MALE: Gender.MALE,
}


class Decision(NamedTuple):
    """A gender with what it rests on. `basis` is the kind of evidence, the key of the confidence table."""

    gender: Gender
    how: str
    basis: str
    evidence: tuple[int, ...]  # token indices
    adequate: bool | None
    reason: str | None


class Confidence:
    """A table from kind of evidence to the share of right verdicts."""

    file: Path = Path(__file__).parent / "confidence.tsv"

    def __init__(self) -> None:
        self._table = {row["basis"]: (float(row["known"]), float(row["aligned"])) for row in rows(self.file)}

    def of(self, basis: str, *, known: bool, certainty: float) -> float:
        """In [0, 1]. `known`: a listed form of the focus was found; `certainty`: of the place where it was found."""
        value = self._table[basis][0 if known else 1]
        return round(value if certainty >= UNSURE else value * HESITATION, 4)


def gender_of(cells: int) -> Gender | None:
    """female or male when the cells leave only that one; None when both or neither remain."""
    feminine, masculine = cells & FEMININE, cells & MASCULINE
    if feminine and not masculine:
        return Gender.FEMALE
    if masculine and not feminine:
        return Gender.MALE
    return None


class Reading(NamedTuple):
    """What is known about the words before deciding. `agreed`: cells of phrase and noun together, 0 if they clash."""

    phrase: Phrase
    noun: Noun
    agreed: int
    whole: tuple[int, ...]
    adequate: bool | None
    plural: bool  # by the source's number

    @property
    def by_noun(self) -> Gender | None:
        return gender_of(self.noun.cells)

    @property
    def by_phrase(self) -> Gender | None:
        return gender_of(self.phrase.cells) if self.phrase.told_by else None

    def decision(self, gender: Gender, how: str, basis: str, *, also: int | None = None) -> Decision:
        """A decision on these words; an article is shown as evidence even where only its case told."""
        whole = {*self.whole, *(() if also is None else (also,))}
        if how == "article":
            whole.update(range(self.phrase.first, self.phrase.head))
        return Decision(gender, how, basis, tuple(sorted(whole)), self.adequate, None)


def decide(
    language: Language,
    tokens: list[Token],
    first: int,
    last: int,
    columns: int,
    *,
    plural: bool | None,
    name: bool = False,
) -> Decision:
    """The gender that tokens[first:last], the rendering of the focus, gives the person.

    `columns` is what the forms table says (NONE for a word found by alignment); `plural` is the source's number; the
    ending of a `name` tells nothing.
    Order: notations of both genders; forms of fixed gender; forms that tell by themselves (a masculine one yields to a
    feminine determiner: "la médico"); for the rest determiner and modifiers, then the predicate, then neutral.
    """
    number = ANY if plural is None else PLURAL if plural else SINGULAR
    phrase = noun_phrase(language, tokens, first, last, number)
    adequate = None if columns == Column.NONE else columns != Column.OTHER
    if columns & Column.BOTH or names_both(language, tokens, phrase, last):
        return Decision(Gender.BOTH, "forms", "both", tuple(range(phrase.first, last)), adequate, None)
    head = first if language.adjectives_follow else last - 1  # asistente social, but German compounds end in the noun
    noun = Noun(ANY, Kind.GUESS) if name else _known(language, tokens[head], columns)
    if noun.kind is Kind.GUESS and not name:
        noun = language.placed(tokens, head) or noun
    if noun.kind is Kind.THING and columns == Column.NONE:
        noun = language.nominalised(tokens, head) or noun
    if noun.kind is Kind.SEXED and language.misread(tokens, head):
        noun = Noun(noun.cells, Kind.THING)
    agreed = language.agree(tokens, phrase, noun)
    if not agreed and plural is not None and not (noun.kind is Kind.GUESS and phrase.told_by):
        # A singular may be rendered by a plural and the other way round: forget the source's number.
        freed = noun_phrase(language, tokens, first, last, ANY)
        agreed = language.agree(tokens, freed, noun)
        phrase = freed if agreed else phrase
    whole = tuple(sorted({*phrase.told_by, *range(first, last)}))
    reading = Reading(phrase, noun, agreed, whole, adequate, bool(plural))
    if noun.kind is Kind.THING or columns == Column.OTHER:
        reason = f"rendered as {tokens[head].text!r}, which is not known as a word for a person"
        return Decision(Gender.UNKNOWN, "forms", "thing", whole, False, reason)
    said = stated(language, tokens, phrase, last)
    if said:
        gender = gender_of(said) or Gender.BOTH
        return reading.decision(gender, "agreement", "both" if gender is Gender.BOTH else "form")
    if language.collective(tokens[head].low):
        members = _members(language, tokens, last)
        if members:
            return members._replace(adequate=adequate)
        return reading.decision(Gender.NEUTRAL, "forms", "fixed")
    of = described(language, tokens, first)
    if of is Kind.THING:
        reason = f"{tokens[head].text!r} says of what kind {tokens[first - 1].text!r} is, and names no person"
        return Decision(Gender.UNKNOWN, "forms", "thing", whole, False, reason)
    if of is Kind.FIXED:
        return reading.decision(Gender.NEUTRAL, "forms", "fixed", also=first - 1)  # personas usuarias
    if noun.kind is Kind.FIXED:
        if reading.by_phrase and reading.by_noun and reading.by_phrase is not reading.by_noun:
            return reading.decision(reading.by_phrase, "article", "article against fixed")  # el guardia
        return reading.decision(Gender.NEUTRAL, "forms", "fixed")
    if noun.kind is Kind.SEXED and reading.by_noun:
        return _sexed(language, tokens, reading, columns)
    return _open(language, tokens, reading, name=name)


def _sexed(language: Language, tokens: list[Token], reading: Reading, columns: int) -> Decision:
    """A noun whose form tells."""
    overrides = language.article_overrides and _governs(language, tokens, reading.phrase)
    if reading.by_noun is Gender.FEMALE:
        if reading.by_phrase is not Gender.MALE or reading.phrase.cells & NEUTER:  # das Mädchen
            return reading.decision(Gender.FEMALE, "forms", "form")
        if overrides and not reading.agreed and columns == Column.NONE:
            return reading.decision(Gender.MALE, "article", "guess article alone")  # os titãs
        return reading.decision(Gender.FEMALE, "forms", "form against article")
    if reading.by_phrase is Gender.FEMALE and overrides and not reading.agreed:
        return reading.decision(Gender.FEMALE, "article", "article against form")  # la médico
    neuter = reading.phrase.told_by and not reading.phrase.cells & (FEMININE | MASCULINE)
    if neuter and language.noun(tokens[reading.phrase.head].text).kind is not Kind.SEXED:
        return reading.decision(Gender.NEUTRAL, "article", "neuter")  # das Paralegal, but not "das Direktor"
    borne = bool(columns & Column.FEMALE)  # a masculine form that women bear too: médecin, architetto
    if borne and reading.by_phrase is Gender.FEMALE:
        return reading.decision(Gender.FEMALE, "agreement", "predicate against form")
    if language.predicate_overrides or borne:
        seen = language.predicate(tokens, reading.phrase)
        if seen and gender_of(seen.cells) is Gender.FEMALE:
            return reading.decision(Gender.FEMALE, "agreement", "predicate against form", also=seen.at)
    return reading.decision(Gender.MALE, "forms", "form" if reading.by_phrase is Gender.MALE else "bare form")


def _governs(language: Language, tokens: list[Token], phrase: Phrase) -> bool:
    """True when a determiner tells and only modifiers stand between it and the noun: not in "la palabra escritor"."""
    for i in range(phrase.first, phrase.head):
        low = tokens[i].low
        if not language.determiner(low) and not language.modifier(low) and not language.adverb(low):
            return False
    return any(i < phrase.head and language.determiner(tokens[i].low) for i in phrase.told_by)


def _open(language: Language, tokens: list[Token], reading: Reading, *, name: bool) -> Decision:
    """A noun that does not tell by itself, or whose ending is only a guess."""
    phrase, noun, agreed = reading.phrase, reading.noun, reading.agreed
    found = gender_of(agreed) if agreed else gender_of(phrase.cells)
    if noun.kind is Kind.COMMON:
        if found:
            how = "article" if before(phrase) or not phrase.told_by else "agreement"
            return reading.decision(found, how, f"common {how}")
    elif reading.by_phrase and (before(phrase) or agreed or not reading.by_noun):
        how = "article" if before(phrase) else "agreement"
        return reading.decision(reading.by_phrase, how, f"guess {how}" if agreed else f"guess {how} alone")
    seen = language.predicate(tokens, phrase)
    shown = gender_of(seen.cells) if seen else None
    if seen and shown:
        return reading.decision(shown, "agreement", "predicate", also=seen.at)
    if phrase.first < phrase.head and not phrase.cells & (FEMININE | MASCULINE):
        return reading.decision(Gender.NEUTRAL, "article", "neuter")  # das Komitee
    if noun.kind is Kind.GUESS:
        if found and agreed and phrase.first < phrase.head and not reading.by_noun:
            return reading.decision(found, "article", "guess article")  # der Chefjustiziar, as subject
        if reading.by_noun:
            return reading.decision(reading.by_noun, "forms", "ending")
        if language.marks_women and reading.plural and not name:
            return reading.decision(Gender.MALE, "forms", "unmarked")  # deine Vorfahren: women would be Vorfahrinnen
    if agreed and not agreed & (FEMININE | MASCULINE):
        return reading.decision(Gender.NEUTRAL, "article", "neuter")
    if noun.kind is Kind.GUESS and reading.adequate is None and not name:
        reason = f"{tokens[phrase.head].text!r} shows no gender and is not known as a word for a person"
        return Decision(Gender.UNKNOWN, "forms", "open", reading.whole, None, reason)
    return reading.decision(Gender.NEUTRAL, "forms", "open")


def _members(language: Language, tokens: list[Token], last: int) -> Decision | None:
    """ "un grupo de músicas": the decision about the noun that follows a collective noun, if it shows a gender."""
    seen = False
    for i in range(last, min(last + 6, len(tokens))):
        low = tokens[i].low
        if language.capitalises_nouns and tokens[i].text[:1].islower():
            if language.function_word(low) and seen:
                return None
            seen = seen or not language.function_word(low)
            continue  # eine Gruppe junger, talentierter Musikerinnen
        if low == "," and seen and language.capitalises_nouns:
            continue
        if not low[0].isalpha():
            return None
        if language.function_word(low):
            if seen:
                return None
            continue
        if i == last and not language.capitalises_nouns:
            return None
        seen = True
        follows = tokens[i + 1].low if i + 1 < len(tokens) else "."
        adjective = not language.capitalises_nouns and language.modifier(low)
        if adjective and follows[0].isalpha() and not language.function_word(follows):
            continue
        if language.noun(tokens[i].text).kind in {Kind.SEXED, Kind.COMMON}:
            found = decide(language, tokens, i, i + 1, Column.NONE, plural=True)
            return found if found.gender in {Gender.FEMALE, Gender.MALE} else None
        return None
    return None


def labelled(columns: int, place: range) -> Decision:
    """The decision a user's own forms file states for these words."""
    for column, gender in LABELS.items():
        if columns & column == column:
            return Decision(gender, "person", "labelled", tuple(place), True, None)
    return Decision(Gender.UNKNOWN, "person", "labelled", tuple(place), False, "labelled as something else")


def before(phrase: Phrase) -> bool:
    """True when a word before the noun tells; one after it may be a verb that looks like an adjective (esercita)."""
    return any(at < phrase.head for at in phrase.told_by)


def _known(language: Language, token: Token, columns: int) -> Noun:
    """The noun as the forms table knows it. The table wins over endings; the language wins where it lists a noun as
    fixed, and where a noun is declined like an adjective, because then only the article tells (der Angestellte)."""
    female, male = columns & Column.FEMALE, columns & Column.MALE
    noun = language.noun(token.text)
    if noun.kind is Kind.FIXED or not columns:
        return noun
    if noun.kind is Kind.COMMON and female and not male and not language.adjectival(token.low):
        return Noun(FEMININE, Kind.SEXED)  # малышка, which the dictionary calls common
    neutral = columns & Column.NEUTRAL and not (female or male)
    if noun.kind is Kind.COMMON and neutral and not language.listed(token.text) and not language.adjectival(token.low):
        return Noun(noun.cells, Kind.FIXED)  # una fuente: only its ending looks like a person's
    declines = language.predicate_overrides or not language.article_overrides  # святой, Angestellte: case tells
    if noun.kind is Kind.COMMON and (declines or not (female or male)):
        return noun
    if neutral:
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
