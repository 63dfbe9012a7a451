"""From the words that render the focus to a gender: form, determiner, agreement, and what they weigh."""

from pathlib import Path
from typing import NamedTuple

from evenhand.gender import Gender
from evenhand.grammar.base import Language
from evenhand.grammar.lexicon import Column
from evenhand.grammar.notation import described, names_both, stated
from evenhand.grammar.phrase import noun_phrase
from evenhand.grammar.protocol import ANY, FEMININE, MASCULINE, NEUTER, PLURAL, SINGULAR, Kind, Noun, Phrase, Token
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
    """What is known about tokens[first:last] before deciding; tokens[head] is their noun, `columns` what the table of
    forms says of it. `agreed`: cells of phrase and noun together, 0 if they clash."""

    language: Language
    tokens: list[Token]
    first: int
    last: int
    head: int
    columns: int
    phrase: Phrase
    noun: Noun
    agreed: int

    @property
    def by_noun(self) -> Gender | None:
        return gender_of(self.noun.cells)

    @property
    def by_phrase(self) -> Gender | None:
        return gender_of(self.phrase.cells) if self.phrase.told_by else None

    @property
    def adequate(self) -> bool | None:
        return None if self.columns == Column.NONE else self.columns != Column.OTHER

    def decision(self, gender: Gender, how: str, basis: str, *, also: int | None = None) -> Decision:
        """A decision on these words; an article is shown as evidence even where only its case told."""
        whole = {*self.phrase.told_by, *range(self.first, self.last), *(() if also is None else (also,))}
        if how == "article":
            whole.update(range(self.phrase.first, self.phrase.head))
        return Decision(gender, how, basis, tuple(sorted(whole)), self.adequate, None)

    def unknown(self, basis: str, reason: str, *, adequate: bool | None = False) -> Decision:
        """The decision that these words show no person's gender."""
        return self.decision(Gender.UNKNOWN, "forms", basis)._replace(adequate=adequate, reason=reason)

    def predicate(self) -> tuple[Gender | None, int | None]:
        """The gender that the predicate shows, and where it is."""
        seen = self.language.predicate(self.tokens, self.phrase)
        return (gender_of(seen.cells), seen.at) if seen else (None, None)


def decide(
    language: Language, tokens: list[Token], first: int, last: int, columns: int, *, plural: bool, name: bool = False
) -> Decision:
    """The gender that tokens[first:last], the rendering of the focus, gives the person.

    `columns` is what the forms table says (NONE for a word found by alignment); `plural` is the source's number; a
    `name` shows nothing by itself.
    Order: notations of both genders; forms of fixed gender; forms that tell by themselves (a masculine one yields to a
    feminine determiner: "la médico"); for the rest determiner and modifiers, then the predicate, then neutral.
    """
    phrase = noun_phrase(language, tokens, first, last, PLURAL if plural else SINGULAR)
    head = first if language.adjectives_follow else last - 1  # asistente social, but German compounds end in the noun
    noun = Noun(ANY, Kind.GUESS) if name else _noun_at(language, tokens, head, columns)
    agreed = language.agree(tokens, phrase, noun)
    if not agreed:  # one may be rendered by many, and many by one
        agreed = language.agree(tokens, noun_phrase(language, tokens, phrase.head, last, ANY), noun)
    evidence = Evidence(language, tokens, first, last, head, columns, phrase, noun, agreed)
    if columns & Column.BOTH or names_both(language, tokens, phrase, last):
        return Decision(Gender.BOTH, "forms", "both", tuple(range(phrase.first, last)), evidence.adequate, None)
    if noun.kind is Kind.THING or columns == Column.OTHER:
        return evidence.unknown(
            "thing", f"rendered as {tokens[head].text!r}, which is not known as a word for a person"
        )
    if special := _special(evidence):
        return special
    return _sexed(evidence) if noun.kind is Kind.SEXED and evidence.by_noun else _open(evidence)


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


def _special(e: Evidence) -> Decision | None:
    """A gender said outright, a group, a noun's adjective, a noun of fixed gender; None for all other nouns."""
    if said := stated(e.language, e.tokens, e.phrase, e.last):
        gender = gender_of(said) or Gender.BOTH
        return e.decision(gender, "agreement", "both" if gender is Gender.BOTH else "form")
    if e.language.has(e.tokens[e.head].low, "collective"):
        members = _members(e.language, e.tokens, e.last)
        return members._replace(adequate=e.adequate) if members else e.decision(Gender.NEUTRAL, "forms", "fixed")
    of = described(e.language, e.tokens, e.first)
    if of is Kind.THING:
        owner, own = e.tokens[e.first - 1].text, e.tokens[e.head].text
        return e.unknown("thing", f"{own!r} says of what kind {owner!r} is, and names no person")
    if of is Kind.FIXED:
        return e.decision(Gender.NEUTRAL, "forms", "fixed", also=e.first - 1)  # personas usuarias
    if e.noun.kind is not Kind.FIXED:
        return None
    if e.by_phrase and e.by_noun and e.by_phrase is not e.by_noun:
        return e.decision(e.by_phrase, "article", "article against fixed")  # el guardia
    return e.decision(Gender.NEUTRAL, "forms", "fixed")


def _sexed(e: Evidence) -> Decision:
    """A noun whose form tells."""
    overrides = e.language.article_overrides and not e.agreed and _governs(e)
    if e.by_noun is not Gender.FEMALE:
        return _masculine(e, overrides=overrides)
    if e.by_phrase is not Gender.MALE or e.phrase.cells & NEUTER:  # das Mädchen
        return e.decision(Gender.FEMALE, "forms", "form")
    if overrides and e.columns == Column.NONE:
        return e.decision(Gender.MALE, "article", "guess article alone")  # os titãs
    return e.decision(Gender.FEMALE, "forms", "form against article")


def _masculine(e: Evidence, *, overrides: bool) -> Decision:
    """A masculine form, which article, adjective or predicate may give to a woman."""
    if e.by_phrase is Gender.FEMALE and overrides:
        return e.decision(Gender.FEMALE, "article", "article against form")  # la médico
    neuter = e.phrase.told_by and not e.phrase.cells & (FEMININE | MASCULINE)
    if neuter and e.language.noun(e.tokens[e.phrase.head].text).kind is not Kind.SEXED:
        return e.decision(Gender.NEUTRAL, "article", "neuter")  # das Paralegal, but not "das Direktor"
    borne = bool(e.columns & Column.FEMALE)  # a masculine form that women bear too: médecin, architetto
    if borne and e.by_phrase is Gender.FEMALE:
        return e.decision(Gender.FEMALE, "agreement", "predicate against form")  # una donna medico
    if e.language.predicate_overrides or borne:
        shown, at = e.predicate()
        if shown is Gender.FEMALE:
            return e.decision(Gender.FEMALE, "agreement", "predicate against form", also=at)
    return e.decision(Gender.MALE, "forms", "form" if e.by_phrase is Gender.MALE else "bare form")


def _governs(e: Evidence) -> bool:
    """True when a determiner tells and only modifiers stand between it and the noun: not in "la palabra escritor"."""
    low = {i: e.tokens[i].low for i in range(e.phrase.first, e.phrase.head)}
    if not all(e.language.determiner(word) or e.language.modifier(word) for word in low.values()):
        return False
    return any(i in low and e.language.determiner(low[i]) for i in e.phrase.told_by)


def _open(e: Evidence) -> Decision:
    """A noun that does not tell by itself, or whose ending is only a guess: what article and adjectives show, what the
    predicate shows, the ending of an unlisted noun, or its article's case."""
    phrase, left = e.phrase, gender_of(e.agreed or e.phrase.cells)
    if decided := _by_phrase(e, left):
        return decided
    shown, at = e.predicate()
    if shown:
        return e.decision(shown, "agreement", "predicate", also=at)
    if phrase.first < phrase.head and not phrase.cells & (FEMININE | MASCULINE):
        return e.decision(Gender.NEUTRAL, "article", "neuter")  # das Komitee
    if e.noun.kind is not Kind.GUESS:
        return e.decision(Gender.NEUTRAL, "forms", "open")
    if e.by_noun:
        return e.decision(e.by_noun, "forms", "ending")
    if left and e.agreed and phrase.first < phrase.head:
        return e.decision(left, "article", "guess article")  # der Chefjustiziar, as subject
    reason = f"{e.tokens[phrase.head].text!r} shows no gender and is not known as a word for a person"
    return e.unknown("open", reason, adequate=None)


def _by_phrase(e: Evidence, left: Gender | None) -> Decision | None:
    """What article and adjectives show; `left`: the gender that they and the noun leave."""
    before = any(
        at < e.phrase.head for at in e.phrase.told_by
    )  # a word behind may be a verb like an adjective: esercita
    how = "agreement" if e.phrase.told_by and not before else "article"
    if e.noun.kind is Kind.COMMON:
        return e.decision(left, how, f"common {how}") if left else None
    if not e.by_phrase or not (before or e.agreed):
        return None
    return e.decision(e.by_phrase, how, f"guess {how}" if e.agreed else f"guess {how} alone")


def _members(language: Language, tokens: list[Token], last: int) -> Decision | None:
    """ "un grupo de músicas", "eine Gruppe junger Musikerinnen": the decision about the noun behind a collective noun,
    function words and adjectives, if it shows a gender."""
    for i in range(last, min(last + 6, len(tokens))):
        token = tokens[i]
        if token.low == "," or language.function_word(token.low):
            continue
        if not token.low[0].isalpha():
            return None
        if not (token.text[0].islower() if language.capitalises_nouns else before_noun(language, tokens, i)):
            members = decide(language, tokens, i, i + 1, Column.NONE, plural=True)
            return members if members.gender in {Gender.FEMALE, Gender.MALE} else None
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


def _known(language: Language, token: Token, columns: int) -> Noun:
    """The noun as the forms table knows it. The table wins over endings; the language wins where it lists a noun as
    fixed and the table does not list it for both genders (quem), or declines it like an adjective, so that only its
    article tells (die Angestellte)."""
    noun = language.noun(token.text)
    sexes = columns & (Column.FEMALE | Column.MALE)
    if not columns or (noun.kind is Kind.FIXED and sexes != Column.FEMALE | Column.MALE):
        return noun
    if sexes in LABELLED and not (noun.kind is Kind.COMMON and language.adjectival(token.low)):
        return Noun(LABELLED[sexes], Kind.SEXED)
    if noun.kind is Kind.COMMON and (sexes or language.listed(token.text) or not columns & Column.NEUTRAL):
        return noun  # not una fuente: only its ending looks like a person's
    if sexes:  # architetto, écrivain: a masculine form that women bear too
        return Noun(MASCULINE, Kind.SEXED) if gender_of(noun.cells) is Gender.MALE else Noun(ANY, Kind.COMMON)
    return Noun(noun.cells, Kind.FIXED) if columns & Column.NEUTRAL else noun
