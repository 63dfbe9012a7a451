"""Passages about one person with several mentions: every mention is judged, and one of another gender spoils the whole.

Into English the mentions are pronouns, and nouns where there is none. Out of English they are the rendering's pronouns,
the nouns for persons that the source names (those somebody of the passage owns, as in "her attorney", are others), and
in a first-person source what agrees with the speaker. A pronoun that goes with a gendered noun of its own before it
("her father ... he") is another person's, where pronouns of both genders stand in the passage.
"""

import re

import polars as pl

from evenhand.detect.decide import gender_of
from evenhand.detect.nouns import NounDetector, shipped
from evenhand.detect.pronouns.english import mentions, unbound
from evenhand.detect.pronouns.forms import forms_of
from evenhand.detect.speaker import SpeakerDetector
from evenhand.detect.verdict import Verdict, judge_rows
from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.grammar import codes, language
from evenhand.grammar.base import Language
from evenhand.grammar.english import FOLDER as ENGLISH
from evenhand.grammar.english import HE_OR_SHE, singular, source_words
from evenhand.grammar.participants import TABLE
from evenhand.languages import primary, with_table
from evenhand.tsv import tables_hash, words

VERSION = "1"
PAIR = (Gender.FEMALE, Gender.MALE)
OWNED = frozenset({"her", "his", "their", "'s"})
THIRD = re.compile(r"\b(?:she|he|her|his|him|hers|herself|himself)\b", re.IGNORECASE)
FIRST = re.compile(r"\bI\b")
BEHIND = frozenset(
    "a an as at by do he i if in is it no of on or so to up we here there today yesterday now said says".split()
)
REACH = 3  # words between an owner and what is owned


class MentionDetector:
    """Verdicts on whole passages; the same columns as the other detectors. The evidence is the first mention, or the
    first one that differs from those before it."""

    def __init__(self, target_lang: str) -> None:
        self._code = primary(target_lang)
        if self._code != "en" and self._code not in codes():
            raise Unknown("target language for passages", target_lang, {"en", *codes()})
        self._nouns: NounDetector | None = None if self._code == "en" else shipped("en", self._code)
        self._speaker = SpeakerDetector(self._code) if self._code in with_table(TABLE) else None
        if self._code != "en":
            self._tongue: Language = language(self._code)
            self._impersonal = forms_of(self._tongue.name).impersonal
        self._behind = BEHIND | words(ENGLISH / "function_words.tsv")
        parts = [detector.fingerprint for detector in (self._nouns, self._speaker) if detector]
        self.fingerprint = f"mentions-{self._code}-{tables_hash(VERSION, *parts, tables=())[:12]}"

    def detect(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """One verdict per row, in the order of `pairs` (id, source, rendering)."""
        return judge_rows(pairs, self._judge, "source", "rendering")

    def _judge(self, source: str, rendering: str) -> Verdict:
        if not rendering.strip():
            return Verdict(Gender.UNKNOWN, reason="empty rendering")
        return self._into(source, rendering) if self._nouns else passage(rendering)

    def _into(self, source: str, rendering: str) -> Verdict:
        """The verdict on a passage in another language than English."""
        if FIRST.search(source) and not THIRD.search(source) and self._speaker:
            told = self._speaker.judge(source, rendering)
            if told.gender is not Gender.NEUTRAL:
                return told
        pronouns, nouns = self._pronouns(rendering), self._named(source, rendering)
        if self._tongue.predicate_overrides:  # Slavic masculine nouns are borne by women too: врач сказала
            shown = pronouns or self._verbs(rendering)
            told_by_form = [n for n in nouns if n.gender is Gender.FEMALE or n.how != "forms"]
            nouns = told_by_form if shown or told_by_form else nouns
            pronouns = shown if pronouns or not nouns else []
        return _uniform(pronouns + nouns)

    def _verbs(self, rendering: str) -> list[Verdict]:
        """Past tenses and short adjectives, where all are of one gender; others may be about somebody else."""
        shown = [(token, gender_of(self._tongue.agreeing(token.low))) for token in self._tongue.tokens(rendering)]
        verbs = [Verdict(gender, token.start, token.end, "agreement", 0.85) for token, gender in shown if gender]
        return verbs if len({verdict.gender for verdict in verbs}) == 1 else []

    def _pronouns(self, rendering: str) -> list[Verdict]:
        """Third-person pronouns that show a gender; one that may mean others (sie) only before a singular verb, and not
        with a capital inside a sentence (Sie)."""
        tongue, pronouns = self._tongue, []
        tokens = tongue.tokens(rendering)
        for i, token in enumerate(tokens):
            gender = gender_of(tongue.pronoun(token.low))
            if tongue.has(token.low, "ambiguous"):
                before, after = (tokens[k].low if 0 <= k < len(tokens) else "." for k in (i - 1, i + 1))
                singular_verb = tongue.has(after, "singular") or tongue.ends(after, "singular_ending")
                polite = token.text[0].isupper() and before[-1].isalnum()
                gender = gender if singular_verb and not polite else None
            if gender and not self._impersonal.match(rendering, token.start):
                pronouns.append(Verdict(gender, token.start, token.end, "pronoun", 0.95))
        return pronouns

    def _named(self, source: str, rendering: str) -> list[Verdict]:
        """What the rendering makes of the nouns for persons in the source."""
        assert self._nouns is not None
        said = source_words(source)
        found = []
        for i, word in enumerate(said):
            concept = self._nouns.forms.concept(word.low)
            if concept is None or concept.pronoun or word.low != singular(word.low):
                continue
            owner = {w.low for w in said[max(0, i - REACH) : i]} & OWNED
            follows = said[i + 1].low if i + 1 < len(said) else "."
            if owner or (follows[0].isalpha() and follows not in self._behind):
                continue  # "her attorney" is another person, a "terrorist organization" none
            verdict = self._nouns.verdict(source, rendering, word.start, word.end)
            if verdict.gender in PAIR and verdict.adequate is not False:
                found.append(Verdict(*verdict[:5]))
        return found


def passage(rendering: str) -> Verdict:
    """The verdict on an English passage; see the module."""
    if both := HE_OR_SHE.search(rendering):
        return Verdict(Gender.BOTH, both.start(), both.end(), "pronoun", 0.98)
    told = [mention for mention in mentions(rendering) if mention.form.gender in PAIR]
    pronouns = [mention for mention in told if mention.form.is_pronoun]
    nouns = [mention for mention in told if not mention.form.is_pronoun]
    if len({mention.form.gender for mention in pronouns}) > 1:
        pronouns = unbound(pronouns, nouns)
    how = "pronoun" if pronouns else "forms"
    return _uniform([Verdict(m.form.gender, m.start, m.end, how, 0.97) for m in pronouns or nouns])


def _uniform(found: list[Verdict]) -> Verdict:
    """One gender for all mentions; unknown where they differ, neutral where there is none."""
    if not found:
        return Verdict(Gender.NEUTRAL, confidence=0.9, reason="no mention gives a gender")
    odd = next((verdict for verdict in found if verdict.gender is not found[0].gender), None)
    if odd is None:
        return found[0]
    why = f"{len(found)} mentions, not all of one gender"
    return Verdict(Gender.UNKNOWN, odd.start, odd.end, odd.how, 0.9, why, True)
