"""Verdicts on natural text that do not count: a translator leaves a person out, and then the next best word is taken.

A verdict of female or male becomes unknown, with its reason, where the word it rests on is not sure to be the person's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import polars as pl

from evenhand.detect.align import Aligner
from evenhand.detect.pairing import PERSON
from evenhand.detect.places import SLIGHT
from evenhand.gender import Gender
from evenhand.grammar.english import is_plural
from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.notation import joins
from evenhand.grammar.protocol import PLURAL, Kind, Language, Token

GENDERED = (Gender.FEMALE.value, Gender.MALE.value)
OF_ONE: dict[int, str] = {Column.FEMALE: Gender.FEMALE.value, Column.MALE: Gender.MALE.value}
FAINT = 0.3  # strength below which a guess at a noun, where nouns have no capitals, needs an article or a table
NEAR = 60  # characters around a word in which its neighbours are looked for
COLUMNS = (
    "line", "source", "rendering", "focus_start", "focus_end", "says", "gender", "evidence", "evidence_start",
    "evidence_end", "how", "adequate",
)  # fmt: skip
WITH = frozenset({"с", "со", "mit", "con", "avec"})  # бабушка с дедушкой


class Judged(NamedTuple):
    """A person with the verdict on it, as far as doubts need it."""

    line: int
    source: str
    rendering: str
    focus_start: int
    focus_end: int
    says: str
    gender: str
    evidence: str | None
    evidence_start: int | None
    evidence_end: int | None
    how: str | None
    adequate: bool | None

    @property
    def focus(self) -> str:
        return self.source[self.focus_start : self.focus_end].lower().replace("’", "'")

    @property
    def word(self) -> str:
        """What the verdict rests on, without its article."""
        return self.rendering[self.evidence_start or 0 : self.evidence_end or 0]

    @property
    def gendered(self) -> bool:
        return self.gender in GENDERED and self.evidence_start is not None


@runtime_checkable
class ReadsNouns(Protocol):
    """What a second look takes from a detector of nouns; it is opened, and its answers are checked, elsewhere."""

    @property
    def language(self) -> Language: ...

    @property
    def forms(self) -> Forms: ...

    @property
    def aligner(self) -> Aligner: ...


class Doubts:
    """Looks again at the gendered verdicts of a noun detector; pure, a line at a time."""

    def __init__(self, detector: ReadsNouns) -> None:
        self._detector, self._language = detector, detector.language
        self._joining = joins(detector.language.code) | WITH

    def __call__(self, persons: pl.DataFrame) -> pl.DataFrame:
        """`persons` (a line's persons stand together) with doubtful verdicts made unknown, and couples made both."""
        table = [Judged._make(row) for row in persons.select(COLUMNS).iter_rows()]
        again: list[tuple[str | None, str | None]] = []
        for line in _lines(table):
            again += [self._again(person, line) for person in line]
        gender, reason = ([one[k] for one in again] for k in (0, 1))
        return persons.with_columns(
            gender=pl.coalesce(pl.Series(gender, dtype=persons.schema["gender"]), "gender"),
            reason=pl.coalesce(pl.Series(reason, dtype=pl.String), "reason"),
        )

    def _again(self, person: Judged, line: Sequence[Judged]) -> tuple[str | None, str | None]:
        """Another gender than the verdict's, and why; nothing where the verdict stands."""
        if not person.gendered:
            return None, None
        if self._couple(person, line):
            return Gender.BOTH.value, None
        if self._neutral(person):
            return Gender.NEUTRAL.value, None
        reason = self._reason(person) or self._shared(person, line)
        return (Gender.UNKNOWN.value, reason) if reason else (None, None)

    def _reason(self, person: Judged) -> str | None:
        """Why this verdict does not count; None where it does."""
        language, text = self._language, person.word
        before = self._before(person) if language.adjectives_follow else None
        if before is not None and self._adjective_of(before, text):
            return f"{text!r} may be an adjective of {before.text!r}"
        if language.capitalises_nouns and person.rendering[person.evidence_end or 0 :][:1] == "-":
            return f"{text!r} is the first part of a compound"
        if person.how == "agreement" and is_plural(person.focus) and person.evidence:
            last = person.evidence.split()[-1].lower()
            readings = language.analyse(last)[0].readings
            ends = language.plural_endings and (*language.plural_endings, "x")  # nouveaux
            if not any(r.cells & PLURAL for r in readings) or (ends and not last.endswith(ends)):
                return f"{person.evidence!r} do not agree in number"
        kind, columns = language.noun(text).kind, self._columns(text)
        if person.adequate is not None:
            return None
        strength = self._strength(person, text)
        if strength <= SLIGHT and not self._likely(person, kind, columns):
            return f"nothing shows that {text!r} renders the person"
        bare = language.adjectives_follow and person.evidence == text and strength < FAINT  # se topas: a verb
        faint = language.capitalises_nouns or bare
        if not columns and (kind is Kind.THING or (kind is Kind.GUESS and faint)):
            return f"{text!r} is not known as a word for a person"
        if columns in OF_ONE and OF_ONE[columns] != person.gender:
            return f"{text!r} is known for the other gender"
        return None

    def _likely(self, person: Judged, kind: Kind, columns: int) -> bool:
        """True for a word that may be the person's though no table joins the two: a known noun for persons, in German
        with its capital, and not of the other gender than the source states."""
        if kind not in {Kind.SEXED, Kind.COMMON} or not columns:
            return False
        if person.says in GENDERED and person.says != person.gender:
            return False  # her daughter's husband: муж её дочери
        return not (self._language.capitalises_nouns and person.word[:1].islower())  # no wizard: ich kann nicht hexen

    def _shared(self, person: Judged, line: Sequence[Judged]) -> str | None:
        """Two persons of the source do not rest on one word, unless both are equally known to be rendered by it."""
        if person.says in GENDERED:
            return None
        for other in line:
            if other is person or not other.gendered or other.evidence_start != person.evidence_start:
                continue
            if other.says in GENDERED or self._strength(person, person.word) < self._strength(other, person.word):
                return f"{other.focus!r} is rendered by {person.word!r}"
        return None

    def _couple(self, person: Judged, line: Sequence[Judged]) -> bool:
        """True for several persons rendered by two nouns, of a woman and of a man: grandparents, бабушка с дедушкой."""
        language, end = self._language, person.evidence_end or 0
        if not is_plural(person.focus):
            return False
        start = person.evidence_start or 0
        from_ = max(0, start - NEAR)
        after, before = person.rendering[end : end + NEAR], person.rendering[from_:start]
        for text, offset, way in ((after, end, 1), (before, from_, -1)):
            words = text.replace("/", " / ").split()[::way]
            if not words or words[0].lower().rstrip(".") not in self._joining:
                continue  # most; they need no tokens
            side = language.tokens(text)[::way][:3]
            if len(side) < 2 or side[0].low not in self._joining:
                continue
            place = next((token for token in side[1:] if not language.determiner(token.low)), None)
            if place is None or any(other.evidence_start == offset + place.start for other in line):
                continue
            told = OF_ONE.get(self._columns(place.text)), OF_ONE.get(self._columns(person.word.split()[-1]))
            if None not in told and told[0] != told[1]:
                return True
        return False

    def _neutral(self, person: Judged) -> bool:
        """True for a noun that has its own gender, unless an article tells another (solo como víctimas); and for a
        German compound that no table lists and that ends in such a noun: Migrationskindern."""
        low = person.word.lower()
        if self._language.noun(person.word).kind is Kind.FIXED:
            return not self._language.determiner((person.evidence or low).split()[0].lower())
        if person.adequate is not None or not self._language.capitalises_nouns or self._columns(low):
            return False
        for part in (low[cut:].capitalize() for cut in range(3, len(low) - 3)):
            if self._language.noun(part).kind is Kind.FIXED:
                return True
            if self._columns(part):
                return False
        return False

    def _strength(self, person: Judged, text: str) -> float:
        return self._detector.aligner.strength(person.focus, text)

    def _columns(self, text: str) -> int:
        known = self._detector.forms.known
        return next((columns for form in self._language.lookups(text) if (columns := known.get(form, 0))), 0) & PERSON

    def _before(self, person: Judged) -> Token | None:
        """The word right before the evidence, unless a mark stands between."""
        start = person.evidence_start or 0
        if (
            start < 2
            or person.rendering[start - 1 : start] != " "
            or not person.rendering[start - 2 : start - 1].isalpha()
        ):
            return None
        tokens = self._language.tokens(person.rendering[max(0, start - NEAR) : start])
        return tokens[-1] if tokens else None

    def _adjective_of(self, before: Token, text: str) -> bool:
        """True where the word follows the noun of a thing with which it agrees: une immigration illégale."""
        language = self._language
        low = before.low
        if language.function_word(low) or language.determiner(low) or language.adverb(low) or low[-1] == "'":
            return False
        noun = language.noun(before.text)
        return noun.kind is Kind.THING and bool(noun.cells & language.noun(text).cells)


def _lines(persons: Sequence[Judged]) -> Iterator[list[Judged]]:
    start = 0
    for n in range(1, len(persons) + 1):
        if n == len(persons) or persons[n].line != persons[start].line:
            yield list(persons[start:n])
            start = n
