"""Verdicts on natural text that do not count: one of female or male becomes unknown, with its reason, where the word it
rests on is not sure to be the person's (a translator leaves a person out)."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import polars as pl

from evenhand.detect.locate import PERSON, SLIGHT
from evenhand.detect.nouns import NounDetector
from evenhand.gender import Gender
from evenhand.grammar.english import is_plural
from evenhand.grammar.lexicon import Column
from evenhand.grammar.notation import joins
from evenhand.grammar.protocol import PLURAL, Kind

GENDERED = (Gender.FEMALE.value, Gender.MALE.value)
OF_ONE: dict[int, str] = {Column.FEMALE: Gender.FEMALE.value, Column.MALE: Gender.MALE.value}
FAINT = 0.3  # strength below which a guess at a noun, where nouns have no capitals, needs an article or a table
NEAR = 60  # characters around a word in which its neighbours are looked for
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


class Doubts:
    """Looks again at the gendered verdicts of a noun detector; pure, a line at a time."""

    def __init__(self, detector: NounDetector) -> None:
        self._detector, self._language = detector, detector.language
        self._joining = joins(detector.language.code) | WITH

    def __call__(self, persons: pl.DataFrame) -> pl.DataFrame:
        """`persons` (a line's persons are together) with doubtful verdicts made unknown, and couples made both."""
        table = map(Judged._make, persons.select(Judged._fields).iter_rows())
        lines = (list(line) for _, line in groupby(table, key=attrgetter("line")))
        again = [self._again(person, line) for line in lines for person in line]
        changed = pl.DataFrame(again, schema={"gender": persons.schema["gender"], "reason": pl.String}, orient="row")
        return persons.with_columns(pl.coalesce(changed[name], name).alias(name) for name in changed.columns)

    def _again(self, person: Judged, line: Sequence[Judged]) -> tuple[str | None, str | None]:
        """Another gender than the verdict's, and why; nothing where the verdict is kept."""
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
        if self._adjective(person):
            return f"{person.word!r} may be an adjective of the noun before it"
        if self._language.capitalises_nouns and person.rendering[person.evidence_end or 0 :][:1] == "-":
            return f"{person.word!r} is the first part of a compound"
        several = person.how == "agreement" and is_plural(person.focus)
        if several and person.evidence and self._singular(person.evidence):
            return f"{person.evidence!r} do not agree in number"
        return self._unproven(person) if person.adequate is None else None

    def _adjective(self, person: Judged) -> bool:
        """True where an adjective follows the noun of a thing with which it agrees: une immigration illégale. Where
        nouns have cases adjectives stand on both sides (piękną kobietą), and order tells nothing."""
        language, start = self._language, person.evidence_start or 0
        gap = person.rendering[max(0, start - 2) : start]
        order = language.adjectives_follow and not language.has_case and language.modifier(person.word.lower())
        if not order or not gap[:1].isalpha() or gap[1:] != " ":
            return False
        tokens = language.tokens(person.rendering[max(0, start - NEAR) : start])
        low = tokens[-1].low if tokens else "'"
        if low[-1] == "'" or language.function_word(low) or language.determiner(low) or language.adverb(low):
            return False
        noun = language.noun(tokens[-1].text)
        return noun.kind is Kind.THING and bool(noun.cells & language.noun(person.word).cells)

    def _singular(self, evidence: str) -> bool:
        """True where the last word can be no plural, by its readings or, where plurals have one, by its ending."""
        last = evidence.rsplit(maxsplit=1)[-1].lower()
        ends = self._language.plural_endings and (*self._language.plural_endings, "x")  # nouveaux
        readings = self._language.analyse(last)[0].readings
        return not any(reading.cells & PLURAL for reading in readings) or bool(ends and not last.endswith(ends))

    def _unproven(self, person: Judged) -> str | None:
        """Why no sign that the word is the person's, where no table joins the two."""
        language, text = self._language, person.word
        kind, columns, strength = language.noun(text).kind, self._columns(text), self._strength(person, text)
        if strength <= SLIGHT and not self._likely(person, kind, columns):
            return f"no sign that {text!r} renders the person"
        if not columns and (kind is Kind.THING or (kind is Kind.GUESS and self._faint(person, strength))):
            return f"{text!r} is not known as a word for a person"
        other = OF_ONE.get(columns, person.gender) != person.gender
        return f"{text!r} is a known form of the other gender" if other else None

    def _faint(self, person: Judged, strength: float) -> bool:
        """True where a guessed noun counts for little: se topas may be a verb."""
        bare = self._language.adjectives_follow and person.evidence == person.word and strength < FAINT
        return self._language.capitalises_nouns or bare

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
        same = [
            one for one in line if one is not person and one.gendered and one.evidence_start == person.evidence_start
        ]
        for other in same:
            if other.says in GENDERED or self._strength(person, person.word) < self._strength(other, person.word):
                return f"{other.focus!r} is rendered by {person.word!r}"
        return None

    def _couple(self, person: Judged, line: Sequence[Judged]) -> bool:
        """True for several persons rendered by two nouns, of a woman and of a man: grandparents, бабушка с дедушкой."""
        start, end = person.evidence_start or 0, person.evidence_end or 0
        first, own = max(0, start - NEAR), OF_ONE.get(self._columns(person.word.split()[-1]))
        if own is None or not is_plural(person.focus):
            return False
        sides = (person.rendering[end : end + NEAR], end, 1), (person.rendering[first:start], first, -1)
        return any(self._other_half(*side, line) not in {None, own} for side in sides)

    def _other_half(self, text: str, offset: int, way: int, line: Sequence[Judged]) -> str | None:
        """The gender of the noun that a joining word puts beside a person, unless it is another person's."""
        words = text.replace("/", " / ").split()[::way]
        if not words or words[0].lower().rstrip(".") not in self._joining:
            return None  # most; they need no tokens
        joining, *side = self._language.tokens(text)[::way][:3]
        if joining.low not in self._joining:
            return None
        noun = next((token for token in side if not self._language.determiner(token.low)), None)
        if noun is None or self._language.modifier(noun.low):  # les citoyens et les petites entreprises
            return None
        if any(other.evidence_start == offset + noun.start for other in line):
            return None
        return OF_ONE.get(self._columns(noun.text))

    def _neutral(self, person: Judged) -> bool:
        """True for a noun that has its own gender, unless an article shows another (solo como víctimas); and for a
        German compound that no table lists and that ends in such a noun: Migrationskindern."""
        low = person.word.lower()
        if self._language.noun(person.word).kind is Kind.FIXED:
            return not self._language.determiner((person.evidence or low).split()[0].lower())
        if person.adequate is not None or not self._language.capitalises_nouns or self._columns(low):
            return False
        parts = (low[cut:].capitalize() for cut in range(3, len(low) - 3))
        fixed = ((self._language.noun(part).kind is Kind.FIXED, self._columns(part)) for part in parts)
        return next((is_fixed for is_fixed, columns in fixed if is_fixed or columns), False)

    def _strength(self, person: Judged, text: str) -> float:
        return self._detector.aligner.strength(person.focus, text)

    def _columns(self, text: str) -> int:
        known = self._detector.forms.known
        return next((columns for form in self._language.lookups(text) if (columns := known.get(form, 0))), 0) & PERSON
