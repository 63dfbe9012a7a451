"""The noun detector: which gender did the rendering give the person that the focus names?

Four steps: locate the word that renders the focus, read the gender that its form, phrase and agreement show, ask the
gate whether this word names the person at all, and give the verdict.
"""

from functools import lru_cache
from pathlib import Path

import polars as pl

from evenhand.detect.align import TAKEN, Aligner
from evenhand.detect.decide import Confidence, Decision, decide, gender_of, labelled
from evenhand.detect.gate import Candidate, Gate
from evenhand.detect.glossed import Glosses
from evenhand.detect.locate import PERSON, Locator, Place
from evenhand.detect.strength import NOTHING, learn, likeness
from evenhand.detect.verdict import Verdict, judge_rows
from evenhand.gender import Gender
from evenhand.grammar import language
from evenhand.grammar.base import fold
from evenhand.grammar.english import FOLDER as ENGLISH
from evenhand.grammar.english import Focus, Word, head, singular, source_words
from evenhand.grammar.lexicon import Column, Forms, shipped_forms
from evenhand.grammar.notation import JOINING, alike, joins
from evenhand.grammar.phrase import TITLES
from evenhand.grammar.protocol import Kind, Token
from evenhand.languages import primary
from evenhand.readers.focus import resolve_focus
from evenhand.remembered import remembered
from evenhand.tsv import tables_hash

VERSION = "13"  # of the rules; the data files are hashed
STATED = ENGLISH.parent / "stated.tsv"
ALIKE = 0.7  # likeness from which a name is taken to be the source's own
JOINED = 5  # tokens between a noun and its other form at most


class NounDetector:
    """Verdicts for noun focuses into one target language. Pure: a verdict depends on its own row and the data files.
    `user_forms` is a forms file (concept, female, male, neutral, other) whose entries win over the shipped ones. `pool`
    (columns source, rendering) is text to learn word translations from besides the stored ones, for instance the very
    rows to be judged: then verdicts depend on it, and the fingerprint too."""

    def __init__(
        self,
        source_lang: str,
        target_lang: str,
        *,
        user_forms: Path | None = None,
        pool: pl.DataFrame | None = None,
    ) -> None:
        read = source_words if primary(source_lang) == "en" else Glosses(source_lang).words
        self.language = language(target_lang)
        self.forms = Forms(self.language, user_forms=user_forms) if user_forms else shipped_forms(self.language)
        learnt = learn(pool, self.language) if pool is not None else None
        self.aligner = Aligner(self.language, self.forms, learnt)
        self.gate = Gate()
        self._confidence = Confidence()
        self.fingerprint = self._fingerprint(learnt, user_forms)
        self._source = remembered(read, mebibytes=48, letter=60)
        self._locator = Locator(self.language, self.forms, self.aligner)

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """One verdict per row, in the order of `pairs` (id, source, rendering, focus_start, focus_end or focus)."""
        return judge_rows(resolve_focus(pairs), self.verdict, "source", "rendering", "focus_start", "focus_end")

    def verdict(self, source: str, rendering: str, start: int | None, end: int | None) -> Verdict:
        """The verdict for one pair; the focus is source[start:end]."""
        if isinstance(candidate := self.candidate(source, rendering, start, end), Verdict):
            return candidate
        if candidate.refusable and not self.gate.accepts(candidate):
            return _undecided(f"no known translation of {candidate.focus.text!r}")
        return self._verdict(candidate.decision, candidate.place, candidate.tokens)

    def candidate(self, source: str, rendering: str, start: int | None, end: int | None) -> Candidate | Verdict:
        """The word proposed for the focus and the gender read there, before the gate; a verdict where there is none."""
        if start is None or end is None:
            return _undecided("no focus given")
        if not rendering.strip():
            return _undecided("the rendering is empty", adequate=False)
        focus = self._focus(source, start, end)
        if focus is None:
            return _undecided("the focus contains no word")
        tokens = self.language.tokens(rendering)
        if not tokens:
            return _undecided("the rendering contains no word", adequate=False)
        place = self._locator.find(focus, tokens)
        if place is None:
            return _undecided("the focus is not rendered", adequate=False)
        return self._read(focus, tokens, place)

    def _focus(self, source: str, start: int, end: int) -> Focus | None:
        """The words of the focus and their head; None where no word is marked."""
        words = self._source(source)
        span = [i for i, word in enumerate(words) if word.start < end and word.end > start and word.low[0].isalnum()]
        if not span:
            return None
        if len(span) == 1 and (words[span[0]].start < start or words[span[0]].end > end):
            words = _cut(words, span[0], source, start, end)
        at = span[head([words[i].low for i in span])]
        if at + 1 < len(words) and f"{words[at].low} {singular(words[at + 1].low)}" in self.forms.concepts:
            at += 1  # "construction" marked in "construction worker"
        return Focus(source, words, range(span[0], max(span[-1], at) + 1), at)

    def _read(self, focus: Focus, tokens: list[Token], place: Place) -> Candidate:
        """The gender at the place found."""
        columns, token = place.columns, tokens[place.first]
        if outright := self._outright(token, place):
            return Candidate(self._locator, focus, tokens, place, outright)
        if columns == Column.OTHER:
            columns = self._locator.person(token) or columns  # another person: a physician rendered as a physicist
        elif not columns and self._doubted(token, place.strength):
            columns = self._locator.person(token) & PERSON
            place = place._replace(columns=columns, listed=not columns)
        name = columns == Column.NONE and self._name(focus, token)
        heard = self._heard(focus, tokens, place)
        first, last = place.first - heard.start, place.last - heard.start
        near = tokens[heard.start : heard.stop]
        decision = decide(self.language, near, first, last, columns, plural=focus.plural, name=name)
        if heard.start:
            decision = decision._replace(evidence=tuple(at + heard.start for at in decision.evidence))
        if columns != place.columns:
            decision = decision._replace(adequate=False)
        elif not place.listed:
            decision = decision._replace(adequate=None)  # a person, but whether the right one is not known
        return Candidate(self._locator, focus, tokens, place, decision)

    def _outright(self, token: Token, place: Place) -> Decision | None:
        """What no word beside it changes: a form that a user labelled, an article for people, a pronoun of one form
        (Czech tu nikdo: nobody here)."""
        if place.own:
            return labelled(place.columns, range(place.first, place.last))
        if place.relative:
            gender = gender_of(self.language.determiner(token.low)) or Gender.NEUTRAL
            return Decision(gender, "article", "common article", (place.first,), None, None)
        if place.pronoun and place.columns == Column.NEUTRAL:
            return Decision(Gender.NEUTRAL, "forms", "fixed", tuple(range(place.first, place.last)), True, None)
        return None

    def _doubted(self, token: Token, strength: float) -> bool:
        """Persons' tables decide where nothing links a word (la amo), or only another of its spelling does (братів)."""
        kind = self.language.noun(token.text).kind
        return (kind is Kind.GUESS and strength <= NOTHING) or (kind is Kind.THING and strength >= TAKEN)

    def _heard(self, focus: Focus, tokens: list[Token], place: Place) -> range:
        """The tokens that tell of this person: not beyond the noun's other form where the source names that person
        too ("brothers and sisters" as hermanos y hermanas, but "students" as Studenten und Studentinnen)."""
        own, low = range(place.first, place.last), tokens[place.first].low
        near = range(max(0, place.first - JOINED), min(place.last + JOINED, len(tokens)))
        for at in (at for at in near if at not in own and alike(tokens[at].low, low) and tokens[at].low != low):
            if joins(self.language.code).isdisjoint(
                token.low for token in tokens[min(at, own.start) : max(at, own.stop)]
            ):
                continue  # il giovane giornalista
            others = (word.low for i, word in enumerate(focus.words) if i not in focus.span)
            if any(self.aligner.strength(other, tokens[at].text) >= TAKEN for other in others):
                return range(place.last) if at > place.first else range(at + 1, len(tokens))
        return range(len(tokens))

    def _name(self, focus: Focus, token: Token) -> bool:
        """True for a name left as it is or written in other letters: capitals on both sides (where all nouns have
        them, not at the English beginning)."""
        own = focus.words[focus.at]
        capitals = token.text[:1].isupper() and focus.source[own.start].isupper()
        if not capitals or (self.language.capitalises_nouns and focus.at == 0):
            return False
        unlisted = self.language.noun(token.text).kind in {Kind.GUESS, Kind.THING}
        return token.low == own.low or (unlisted and likeness(token.low, own.low) > ALIKE)

    def _verdict(self, decision: Decision, place: Place, tokens: list[Token]) -> Verdict:
        known = place.listed and place.columns != Column.NONE
        return Verdict(
            decision.gender,
            tokens[place.first].start,
            tokens[place.last - 1].end,
            decision.how,
            self._confidence.of(decision.basis, known=known, certainty=place.certainty),
            decision.reason,
            self._conflict(decision.gender, tokens),
            decision.adequate,
            " ".join(tokens[i].text for i in sorted(set(decision.evidence))),
        )

    def _conflict(self, gender: Gender, tokens: list[Token]) -> bool:
        """True when every pronoun that shows a gender shows the other one; German Sie inside a sentence shows none."""
        if gender not in {Gender.FEMALE, Gender.MALE}:
            return False
        polite, pronoun = self.language.capitalises_nouns, self.language.pronoun
        cells = (pronoun(t.low) for i, t in enumerate(tokens) if not (polite and i and t.text[0].isupper()))
        shown = {gender_of(mask) for mask in cells if mask} - {None}
        return bool(shown) and gender not in shown

    def _fingerprint(self, learnt: pl.DataFrame | None, user_forms: Path | None) -> str:
        dictionary = getattr(self.language, "source", "")  # behind the language, where it has one
        files = [*self.forms.files, *self.aligner.files, self._confidence.file, self.gate.file]
        files += [*sorted(ENGLISH.glob("*.tsv")), *sorted(self.language.folder.glob("*.tsv")), *self.language.things]
        shared = [path for path in (*files, STATED, TITLES, JOINING) if path != user_forms]
        own = user_forms.read_text(encoding="utf-8") if user_forms else ""  # wherever the user's copy lies
        pool = "" if learnt is None else learnt.write_csv()
        return tables_hash("nouns", VERSION, self.language.code, dictionary, own, pool, tables=shared)[:16]


@lru_cache(maxsize=16)
def shipped(source_lang: str, target_lang: str) -> NounDetector:
    """The detector with nothing of a user's own: its tables are large and never change, so they are read once."""
    return NounDetector(source_lang, target_lang)


def _cut(words: list[Word], at: int, source: str, start: int, end: int) -> list[Word]:
    """A focus inside a hyphenated word ("student" in "student-driven") as a word of its own."""
    return [*words[:at], Word(fold(source[start:end]), start, end), *words[at + 1 :]]


def _undecided(reason: str, *, adequate: bool | None = None) -> Verdict:
    return Verdict(Gender.UNKNOWN, reason=reason, adequate=adequate, evidence="")
