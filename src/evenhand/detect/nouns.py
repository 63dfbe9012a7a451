"""The noun detector: which gender did the rendering give the person that the focus names?"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.detect.align import Aligner
from evenhand.detect.confidence import Confidence
from evenhand.detect.decide import Decision, decide, gender_of, labelled
from evenhand.detect.grounds import ALIKE, Grounds
from evenhand.detect.pairing import PERSON
from evenhand.detect.places import Finder, Found
from evenhand.detect.pool import learn
from evenhand.detect.strength import NOTHING, likeness
from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.grammar import language
from evenhand.grammar.base import fold
from evenhand.grammar.english import FOLDER as ENGLISH
from evenhand.grammar.english import Asked, Word, head, is_plural, singular, source_words
from evenhand.grammar.lexicon import Column, Forms
from evenhand.grammar.notation import JOINING
from evenhand.grammar.phrase import TITLES
from evenhand.grammar.protocol import Kind, Token
from evenhand.languages import primary
from evenhand.readers.focus import resolve_focus
from evenhand.remembered import remembered
from evenhand.storage.tables import JUDGED

VERSION = "10"  # of the rules; the data files are hashed
STATED = ENGLISH.parent / "stated.tsv"
SCHEMA: dict[str, pl.DataType] = {"id": pl.String(), **JUDGED}


class Verdict(NamedTuple):
    """One row of the verdicts table without its key. `how` is null when nothing was found."""

    gender: Gender
    evidence: str
    start: int | None
    end: int | None
    how: str | None
    confidence: float
    reason: str | None
    adequate: bool | None
    conflict: bool


class NounDetector:
    """Verdicts for noun focuses into one target language. Pure: a verdict depends on its own row and the data files.

    `user_forms` is a forms file (concept, female, male, neutral, other) whose entries win over the shipped ones. `pool`
    (columns source, rendering) is text to learn word translations from besides the stored ones, for instance the very
    rows to be judged: then verdicts depend on it, and the fingerprint too.
    """

    def __init__(
        self,
        source_lang: str,
        target_lang: str,
        *,
        user_forms: Path | None = None,
        pool: pl.DataFrame | None = None,
    ) -> None:
        if primary(source_lang) != "en":
            raise BadInput(f"the noun detector reads English sources, not {source_lang!r}; mend the source language")
        self.language = language(target_lang)
        self.forms = Forms(self.language, user_forms=user_forms)
        learnt = learn(pool, self.language) if pool is not None else None
        self.aligner = Aligner(self.language, self.forms, learnt)
        self._confidence = Confidence()
        self.fingerprint = self._fingerprint(learnt, user_forms)
        self._source = remembered(source_words, mebibytes=48, letter=60)
        self._finder = Finder(self.language, self.forms, self.aligner)
        self._grounds = Grounds(self.language, self.forms, self.aligner, self._finder)

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """One verdict a row, in the order of `pairs` (id, source, rendering, focus_start, focus_end or focus)."""
        pairs = resolve_focus(pairs)
        found = [
            self.verdict(source or "", rendering or "", start, end)
            for source, rendering, start, end in zip(
                pairs["source"].to_list(),
                pairs["rendering"].to_list(),
                pairs["focus_start"].to_list(),
                pairs["focus_end"].to_list(),
                strict=True,
            )
        ]
        columns = list(zip(*found, strict=True)) if found else [()] * (len(SCHEMA) - 1)
        data = {"id": pairs["id"].cast(pl.String).to_list()}
        data |= dict(zip(list(SCHEMA)[1:], (list(column) for column in columns), strict=True))
        data["gender"] = [str(gender) for gender in data["gender"]]
        return pl.DataFrame(data, schema=SCHEMA)

    def verdict(self, source: str, rendering: str, start: int | None, end: int | None) -> Verdict:
        """The verdict for one pair; the focus is source[start:end]."""
        if start is None or end is None:
            return _undecided("no focus given")
        if not rendering.strip():
            return _undecided("the rendering is empty", adequate=False)
        words = self._source(source)
        focus = [i for i, word in enumerate(words) if word.start < end and word.end > start and word.low[0].isalnum()]
        if not focus:
            return _undecided("the focus holds no word")
        if len(focus) == 1 and (words[focus[0]].start < start or words[focus[0]].end > end):
            words = _cut(words, focus[0], source, start, end)
        tokens = self.language.tokens(rendering)
        if not tokens:
            return _undecided("the rendering holds no word", adequate=False)
        at = focus[head([words[i].low for i in focus])]
        if at + 1 < len(words) and f"{words[at].low} {singular(words[at + 1].low)}" in self.forms.concepts:
            focus = [*focus, at + 1]  # "construction" marked in "construction worker"
            at += 1
        place = range(focus[0], focus[-1] + 1)
        found = self._finder.find(words, place, at, tokens)
        if found is None:
            return _undecided("the focus is not rendered", adequate=False)
        if found.own:
            return self._verdict(labelled(found.columns, range(found.first, found.last)), found, tokens)
        plural = is_plural(words[at].low)
        columns = found.columns
        token = tokens[found.first]
        if columns == Column.OTHER:
            # Something else, but perhaps another person: a physician rendered as a physicist.
            columns = self._finder.person(token) or columns
        elif not columns and found.strength <= NOTHING and not found.taken and self._guessed(token):
            columns = self._finder.person(token) & PERSON  # nothing links it, but it is one: "La amo de la casa"
            found = found._replace(columns=columns, listed=not columns)
        same = token.low == words[at].low
        name = columns == Column.NONE and self._name(source, words, at, token)
        decision = decide(
            self.language, tokens, found.first, found.last, columns, plural=plural and not name, name=name
        )
        if name and decision.gender is Gender.NEUTRAL:
            title = self._finder.title(words, place, tokens, found)
            if title:
                decision = decide(self.language, tokens, title.first, title.last, title.columns, plural=False)
        if columns != found.columns:
            decision = decision._replace(adequate=False)
        elif not found.listed:
            decision = decision._replace(adequate=None)  # a person, but whether the right one is not known
        objection = self._grounds.objection(Asked(source, words, place, at), tokens, found, decision, name=name)
        if objection:
            return _undecided(objection)
        if (
            same
            and source[words[at].start].islower()
            and not token.text.isupper()
            and not self.aligner.borrowed(token.low)
        ):
            decision = decision._replace(adequate=False)  # left in English: Der Mover
        return self._verdict(decision, found, tokens)

    def _guessed(self, token: Token) -> bool:
        """True for a noun of which only the ending is known to the language."""
        return self.language.noun(token.text).kind is Kind.GUESS

    def _name(self, source: str, words: list[Word], at: int, token: Token) -> bool:
        """True for a name left as it is or written in other letters: capitals on both sides (German nouns have them
        anyway, so not at the English beginning)."""
        capitals = token.text[:1].isupper() and source[words[at].start].isupper()
        if not capitals or (self.language.capitalises_nouns and at == 0):
            return False
        if token.low == words[at].low:
            return True
        if at and words[at - 1].low in {"the", "a", "an"}:
            return False  # the Universalist: not a name
        unlisted = self.language.noun(token.text).kind in {Kind.GUESS, Kind.THING}
        return unlisted and likeness(token.low, words[at].low) > ALIKE

    def _verdict(self, decision: Decision, found: Found, tokens: list[Token]) -> Verdict:
        indices = sorted(set(decision.evidence))
        evidence = " ".join(tokens[i].text for i in indices)
        start = tokens[found.first].start
        end = tokens[found.last - 1].end
        known = found.listed and found.columns != Column.NONE
        return Verdict(
            decision.gender,
            evidence,
            start,
            end,
            decision.how,
            self._confidence.of(decision.basis, known=known, certainty=found.certainty),
            decision.reason,
            decision.adequate,
            self._conflict(decision.gender, tokens),
        )

    def _conflict(self, gender: Gender, tokens: list[Token]) -> bool:
        """True when every pronoun that shows a gender shows the other one; German Sie inside a sentence shows none."""
        if gender not in {Gender.FEMALE, Gender.MALE}:
            return False
        other = Gender.MALE if gender is Gender.FEMALE else Gender.FEMALE
        found, pronoun = False, self.language.pronoun
        polite = self.language.capitalises_nouns
        for i, token in enumerate(tokens):
            cells = 0 if polite and i and token.text[0].isupper() else pronoun(token.low)
            if cells:
                shown = gender_of(cells)
                if shown is gender:
                    return False
                found = found or shown is other
        return found

    def _fingerprint(self, learnt: pl.DataFrame | None, user_forms: Path | None) -> str:
        source = getattr(self.language, "source", "")  # the dictionary behind the language, where it has one
        digest = hashlib.sha256(f"nouns {VERSION} {self.language.code} {source}".encode())
        folder = getattr(self.language, "folder", None)
        files = [*self.forms.files, *self.aligner.files, self._confidence.file, *sorted(ENGLISH.glob("*.tsv"))]
        files += sorted(folder.glob("*.tsv")) if isinstance(folder, Path) else []
        files += [*self.language.things, STATED, TITLES, JOINING]
        for path in files:
            if path.exists():
                name = "labelled" if path == user_forms else path.name  # wherever the user's copy lies
                digest.update(name.encode() + b"\0" + path.read_bytes())
        if learnt is not None:
            digest.update(b"pool" + learnt.write_csv().encode())
        return digest.hexdigest()[:16]


@lru_cache(maxsize=16)
def shipped(source_lang: str, target_lang: str) -> NounDetector:
    """The detector with nothing of a user's own: its tables are large and never change, so they are read once."""
    return NounDetector(source_lang, target_lang)


def _cut(words: list[Word], at: int, source: str, start: int, end: int) -> list[Word]:
    """A focus inside a hyphenated word ("student" in "student-driven") as a word of its own."""
    return [*words[:at], Word(fold(source[start:end]), start, end), *words[at + 1 :]]


def _undecided(reason: str, *, adequate: bool | None = None) -> Verdict:
    return Verdict(Gender.UNKNOWN, "", None, None, None, 0.0, reason, adequate, False)


__all__ = ["NounDetector", "Verdict"]
