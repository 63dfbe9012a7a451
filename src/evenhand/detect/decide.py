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
LABELLED = {int(Column.FEMALE): FEMININE, int(Column.MALE): MASCULINE}


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


class Evidence(NamedTuple):
    """What is known about the words before deciding. `agreed`: cells of phrase and noun together, 0 if they clash."""

    phrase: Phrase
    noun: Noun
    agreed: int
    whole: tuple[int, ...]
    adequate: bool | None

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
    plural: bool,
    name: bool = False,
) -> Decision:
    """The gender that tokens[first:last], the rendering of the focus, gives the person.

    `columns` is what the forms table says (NONE for a word found by alignment); `plural` is the source's number; the
    ending of a `name` tells nothing.
    Order: notations of both genders; forms of fixed gender; forms that tell by themselves (a masculine one yields to a
    feminine determiner: "la médico"); for the rest determiner and modifiers, then the predicate, then neutral.
    """
    phrase = noun_phrase(language, tokens, first, last, PLURAL if plural else SINGULAR)
    adequate = None if columns == Column.NONE else columns != Column.OTHER
    if columns & Column.BOTH or names_both(language, tokens, phrase, last):
        return Decision(Gender.BOTH, "forms", "both", tuple(range(phrase.first, last)), adequate, None)
    head = first if language.adjectives_follow else last - 1  # asistente social, but German compounds end in the noun
    noun = Noun(ANY, Kind.GUESS) if name else _noun_at(language, tokens, head, columns)
    agreed = language.agree(tokens, phrase, noun)
    if not agreed:  # one may be rendered by many, and many by one
        agreed = language.agree(tokens, noun_phrase(language, tokens, phrase.head, last, ANY), noun)
    whole = tuple(sorted({*phrase.told_by, *range(first, last)}))
    evidence = Evidence(phrase, noun, agreed, whole, adequate)
    if noun.kind is Kind.THING or columns == Column.OTHER:
        reason = f"rendered as {tokens[head].text!r}, which is not known as a word for a person"
        return Decision(Gender.UNKNOWN, "forms", "thing", whole, False, reason)
    special = _special(language, tokens, evidence, first, last=last, head=head)
    if special:
        return special
    if noun.kind is Kind.SEXED and evidence.by_noun:
        return _sexed(language, tokens, evidence, columns)
    return _open(language, tokens, evidence, name=name)


def _noun_at(language: Language, tokens: list[Token], head: int, columns: int) -> Noun:
    """The noun as tables and its place show it."""
    noun = _known(language, tokens[head], columns)
    if noun.kind is Kind.GUESS:
        noun = language.placed(tokens, head) or noun
    if noun.kind is Kind.THING:
        noun = language.nominalised(tokens, head) or noun
    if noun.kind is Kind.SEXED and language.misread(tokens, head):
        return Noun(noun.cells, Kind.THING)
    return noun


def _special(
    language: Language, tokens: list[Token], evidence: Evidence, first: int, *, last: int, head: int
) -> Decision | None:
    """A gender said outright, a group, a noun's adjective, a noun of fixed gender; None for all other nouns."""
    said = stated(language, tokens, evidence.phrase, last)
    if said:
        gender = gender_of(said) or Gender.BOTH
        return evidence.decision(gender, "agreement", "both" if gender is Gender.BOTH else "form")
    if language.collective(tokens[head].low):
        members = _members(language, tokens, last)
        if members:
            return members._replace(adequate=evidence.adequate)
        return evidence.decision(Gender.NEUTRAL, "forms", "fixed")
    of = described(language, tokens, first)
    if of is Kind.THING:
        reason = f"{tokens[head].text!r} says of what kind {tokens[first - 1].text!r} is, and names no person"
        return Decision(Gender.UNKNOWN, "forms", "thing", evidence.whole, False, reason)
    if of is Kind.FIXED:
        return evidence.decision(Gender.NEUTRAL, "forms", "fixed", also=first - 1)  # personas usuarias
    if evidence.noun.kind is not Kind.FIXED:
        return None
    if evidence.by_phrase and evidence.by_noun and evidence.by_phrase is not evidence.by_noun:
        return evidence.decision(evidence.by_phrase, "article", "article against fixed")  # el guardia
    return evidence.decision(Gender.NEUTRAL, "forms", "fixed")


def _sexed(language: Language, tokens: list[Token], evidence: Evidence, columns: int) -> Decision:
    """A noun whose form tells."""
    overrides = language.article_overrides and not evidence.agreed and _governs(language, tokens, evidence.phrase)
    if evidence.by_noun is Gender.FEMALE:
        if evidence.by_phrase is not Gender.MALE or evidence.phrase.cells & NEUTER:  # das Mädchen
            return evidence.decision(Gender.FEMALE, "forms", "form")
        if overrides and columns == Column.NONE:
            return evidence.decision(Gender.MALE, "article", "guess article alone")  # os titãs
        return evidence.decision(Gender.FEMALE, "forms", "form against article")
    return _masculine(language, tokens, evidence, columns, overrides=overrides)


def _masculine(
    language: Language, tokens: list[Token], evidence: Evidence, columns: int, *, overrides: bool
) -> Decision:
    """A masculine form, which article, adjective or predicate may give to a woman."""
    if evidence.by_phrase is Gender.FEMALE and overrides:
        return evidence.decision(Gender.FEMALE, "article", "article against form")  # la médico
    neuter = evidence.phrase.told_by and not evidence.phrase.cells & (FEMININE | MASCULINE)
    if neuter and language.noun(tokens[evidence.phrase.head].text).kind is not Kind.SEXED:
        return evidence.decision(Gender.NEUTRAL, "article", "neuter")  # das Paralegal, but not "das Direktor"
    borne = bool(columns & Column.FEMALE)  # a masculine form that women bear too: médecin, architetto
    if borne and evidence.by_phrase is Gender.FEMALE:
        return evidence.decision(Gender.FEMALE, "agreement", "predicate against form")  # una donna medico
    if language.predicate_overrides or borne:
        seen = language.predicate(tokens, evidence.phrase)
        if seen and gender_of(seen.cells) is Gender.FEMALE:
            return evidence.decision(Gender.FEMALE, "agreement", "predicate against form", also=seen.at)
    return evidence.decision(Gender.MALE, "forms", "form" if evidence.by_phrase is Gender.MALE else "bare form")


def _governs(language: Language, tokens: list[Token], phrase: Phrase) -> bool:
    """True when a determiner tells and only modifiers stand between it and the noun: not in "la palabra escritor"."""
    for i in range(phrase.first, phrase.head):
        if not language.determiner(tokens[i].low) and not language.modifier(tokens[i].low):
            return False
    return any(i < phrase.head and language.determiner(tokens[i].low) for i in phrase.told_by)


def _open(language: Language, tokens: list[Token], evidence: Evidence, *, name: bool) -> Decision:
    """A noun that does not tell by itself, or whose ending is only a guess."""
    phrase, noun, agreed = evidence.phrase, evidence.noun, evidence.agreed
    found = gender_of(agreed) if agreed else gender_of(phrase.cells)
    by_phrase = _by_phrase(evidence, found)
    if by_phrase:
        return by_phrase
    seen = language.predicate(tokens, phrase)
    shown = gender_of(seen.cells) if seen else None
    if seen and shown:
        return evidence.decision(shown, "agreement", "predicate", also=seen.at)
    if phrase.first < phrase.head and not phrase.cells & (FEMININE | MASCULINE):
        return evidence.decision(Gender.NEUTRAL, "article", "neuter")  # das Komitee
    if noun.kind is Kind.GUESS and not name:
        return _guessed(tokens, evidence, found)
    return evidence.decision(Gender.NEUTRAL, "forms", "open")


def _guessed(tokens: list[Token], evidence: Evidence, found: Gender | None) -> Decision:
    """What the ending of an unlisted noun shows, or its article's case."""
    if evidence.by_noun:
        return evidence.decision(evidence.by_noun, "forms", "ending")
    if found and evidence.agreed and evidence.phrase.first < evidence.phrase.head:
        return evidence.decision(found, "article", "guess article")  # der Chefjustiziar, as subject
    reason = f"{tokens[evidence.phrase.head].text!r} shows no gender and is not known as a word for a person"
    return Decision(Gender.UNKNOWN, "forms", "open", evidence.whole, None, reason)


def _by_phrase(evidence: Evidence, found: Gender | None) -> Decision | None:
    """What article and adjectives show."""
    phrase = evidence.phrase
    how = "agreement" if phrase.told_by and not before(phrase) else "article"
    if evidence.noun.kind is Kind.COMMON:
        if not found:
            return None
        return evidence.decision(found, how, f"common {how}")
    if not evidence.by_phrase or not (before(phrase) or evidence.agreed):
        return None
    return evidence.decision(evidence.by_phrase, how, f"guess {how}" if evidence.agreed else f"guess {how} alone")


def _members(language: Language, tokens: list[Token], last: int) -> Decision | None:
    """ "un grupo de músicas": the decision about the noun that follows a collective noun, if it shows a gender."""
    at = _member_at(language, tokens, last)
    if at is None:
        return None
    found = decide(language, tokens, at, at + 1, Column.NONE, plural=True)
    return found if found.gender in {Gender.FEMALE, Gender.MALE} else None


def _member_at(language: Language, tokens: list[Token], last: int) -> int | None:
    """The noun behind function words and adjectives: "eine Gruppe junger, talentierter Musikerinnen"."""
    for i in range(last, min(last + 6, len(tokens))):
        token = tokens[i]
        if token.low == "," or language.function_word(token.low):
            continue
        if not token.low[0].isalpha():
            return None
        if not (token.text[0].islower() if language.capitalises_nouns else before_noun(language, tokens, i)):
            return i
    return None


def before_noun(language: Language, tokens: list[Token], i: int) -> bool:
    """True for an adjective that a content word follows."""
    follows = tokens[i + 1].low if i + 1 < len(tokens) else "."
    return bool(language.modifier(tokens[i].low)) and follows[0].isalpha() and not language.function_word(follows)


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
    fixed, or declines it like an adjective, so that only its article tells (die Angestellte)."""
    noun = language.noun(token.text)
    sexes = columns & (Column.FEMALE | Column.MALE)
    if noun.kind is Kind.FIXED or not columns:
        return noun
    if sexes in LABELLED and not (noun.kind is Kind.COMMON and language.adjectival(token.low)):
        return Noun(LABELLED[sexes], Kind.SEXED)
    if noun.kind is Kind.COMMON and (sexes or language.listed(token.text) or not columns & Column.NEUTRAL):
        return noun  # not una fuente: only its ending looks like a person's
    if sexes:  # architetto, écrivain: a masculine form that women bear too
        return Noun(MASCULINE, Kind.SEXED) if gender_of(noun.cells) is Gender.MALE else Noun(ANY, Kind.COMMON)
    return Noun(noun.cells, Kind.FIXED) if columns & Column.NEUTRAL else noun
