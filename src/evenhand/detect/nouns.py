"""The noun detector: which gender did the rendering give the person that the focus names?"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.detect.align import Aligner, Link
from evenhand.detect.confidence import Confidence
from evenhand.detect.decide import Decision, decide, gender_of, labelled
from evenhand.detect.english import Word, head, is_plural, singular, source_words
from evenhand.detect.forms import Column, Concept, Forms, Match
from evenhand.detect.languages import language
from evenhand.detect.languages.base import fold
from evenhand.detect.languages.protocol import PLURAL, SINGULAR, Kind, Token
from evenhand.detect.pairs import resolve_focus
from evenhand.detect.pool import learn
from evenhand.detect.strength import NOTHING
from evenhand.errors import BadInput
from evenhand.gender import Gender

VERSION = "1"
# Kinds of evidence that do not count when no lexical evidence links the word to the focus. None counts when, besides,
# another source word has a claim on the word.
NAMED = 0.65  # strength from which a word is the focus itself, a name left as it is, not what the person depends on
EXPLAINED = 0.15  # strength from which a source word may be what a target word renders
BLIND = frozenset({"open", "fixed", "thing", "neuter"})
SCHEMA = {
    "id": pl.String, "gender": pl.String, "evidence": pl.String, "evidence_start": pl.Int64, "evidence_end": pl.Int64,
    "how": pl.String, "confidence": pl.Float64, "reason": pl.String, "adequate": pl.Boolean, "conflict": pl.Boolean,
}  # fmt: skip


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


class Found(NamedTuple):
    """Where the focus is in the rendering and how sure that is."""

    first: int
    last: int
    columns: int
    certainty: float
    strength: float
    own: bool = False  # a form the user labelled
    taken: bool = False  # another source word explains this word better


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
        if source_lang.lower().split("-")[0] != "en":
            raise BadInput(f"the noun detector reads English sources, not {source_lang!r}")
        self.language = language(target_lang)
        self.forms = Forms(self.language, user_forms=user_forms)
        learnt = learn(pool, self.language) if pool is not None else None
        self.aligner = Aligner(self.language, self.forms, learnt)
        self._confidence = Confidence()
        self.fingerprint = self._fingerprint(learnt)
        self._source = lru_cache(maxsize=10_000)(source_words)
        self._known: dict[
            str, Concept | None
        ] = {}  # English words seen so far; their number is bounded by the language

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
        at = focus[head([words[i].low for i in focus])]
        if at + 1 < len(words) and f"{words[at].low} {singular(words[at + 1].low)}" in self.forms.concepts:
            focus = [*focus, at + 1]  # "construction" marked in "construction worker"
            at += 1
        place = range(focus[0], focus[-1] + 1)
        found = self._find(words, place, at, tokens)
        if found is None:
            return _undecided("the focus is not rendered", adequate=False)
        if found.columns == Column.NONE and found.strength < NAMED:
            found = self._bearer(words, place, tokens, found) or found
        if found.own:
            return self._verdict(labelled(found.columns, range(found.first, found.last)), found, tokens)
        plural = is_plural(words[at].low)
        columns = found.columns
        if columns == Column.OTHER:
            # Something else, but perhaps another person: a physician rendered as a physicist.
            columns = self._person(tokens[found.first]) or columns
        token = tokens[found.first]
        same = token.low == words[at].low
        # A name left as it is: capitals on both sides (German nouns have them anyway, so not at the English beginning).
        name = same and columns == Column.NONE and token.text[:1].isupper() and source[words[at].start].isupper()
        name = name and not (self.language.nouns_capitalised and at == 0)
        decision = decide(
            self.language, tokens, found.first, found.last, columns, plural=plural and not name, name=name
        )
        if columns != found.columns:
            decision = decision._replace(adequate=False)
        if found.strength <= NOTHING and (found.taken or decision.basis in BLIND):
            return _undecided(f"no word is known to render {source[start:end]!r}")
        if same and not token.text.isupper() and not self.aligner.borrowed(token.low):
            decision = decision._replace(adequate=False)  # left in English: Der Mover
        return self._verdict(decision, found, tokens)

    def _find(self, words: list[Word], focus: range, at: int, tokens: list[Token]) -> Found | None:
        found = self._place(words, focus, at, tokens)
        if found is None or len(focus) == 1:
            return found
        # "assistant referee" as "помощник судьи", "assistant de l'arbitre": the first word is the person meant.
        first = self.forms.concept(words[focus[0]].low)
        for match in self.forms.find(first, tokens) if first else ():
            between = tokens[match.last : found.first]
            near = match.first < found.first and len(between) < 3
            if near and match.columns & ~Column.OTHER and all(self.language.function_word(t.low) for t in between):
                return Found(match.first, match.last, match.columns, 0.9, 1.0)
        return found

    def _place(self, words: list[Word], focus: range, at: int, tokens: list[Token]) -> Found | None:
        concept = self._concept(words, focus, at)
        matches = self.forms.find(concept, tokens) if concept else []
        own = [match for match in matches if match.own]
        if own:
            return Found(own[0].first, own[0].last, own[0].columns, 1.0, 1.0, own=True)
        named = [match for match in matches if match.columns & ~Column.OTHER]
        if len(named) == 1 and not self._claimed(words, focus, tokens, named[0]):
            return Found(named[0].first, named[0].last, named[0].columns, 1.0, 1.0)
        if len(named) > 1:
            number = PLURAL if is_plural(words[at].low) else SINGULAR
            fitting = [m for m in named if self.language.noun(tokens[m.first].text).cells & number]
            if len(fitting) == 1 and not self._claimed(words, focus, tokens, fitting[0]):
                return Found(fitting[0].first, fitting[0].last, fitting[0].columns, 0.95, 1.0)
            best = self.aligner.best(words, focus, at, tokens, among=frozenset(m.first for m in fitting or named))
        else:
            best = self.aligner.best(words, focus, at, tokens)
        if best is None:
            return None
        if any(m.columns == Column.OTHER and m.first <= best.at < m.last for m in matches):
            best = self._instead(words, focus, at, tokens, best)
        where, certainty = best.at, best.certainty
        for match in matches:
            if match.first <= where < match.last:
                return Found(match.first, match.last, match.columns, max(certainty, 0.9), 1.0)
        return Found(where, where + 1, Column.NONE, certainty, best.strength, taken=best.taken)

    def _instead(self, words: list[Word], focus: range, at: int, tokens: list[Token], best: Link) -> Link:
        """Another place for a focus found in a word for a thing that some other source word explains ("chef" in
        "cuisine ... chef" and Küche): a noun for a person that none explains. Otherwise `best`."""
        text = tokens[best.at].text
        if not any(self.aligner.strength(words[i].low, text) > EXPLAINED for i in range(len(words)) if i not in focus):
            return best
        rest = frozenset(i for i in range(len(tokens)) if i != best.at)
        other = self.aligner.best(words, focus, at, tokens, among=rest)
        person = other is not None and self.language.noun(tokens[other.at].text).kind in {Kind.SEXED, Kind.COMMON}
        return other._replace(strength=2 * NOTHING) if other and person and not other.taken else best

    def _bearer(self, words: list[Word], focus: range, tokens: list[Token], found: Found) -> Found | None:
        """The person in "habitantes do norte" (northerners), "operador de telemarketing", "житель Океании": a known
        noun for a person on which the word found depends and which no other source word explains."""
        for i in range(found.first - 1, max(found.first - 4, -1), -1):
            text = tokens[i].text
            columns = self._person(tokens[i]) & (Column.FEMALE | Column.MALE)
            if columns:
                before = tokens[i - 1].low if i else "."
                noun = text[:1].isupper() if self.language.nouns_capitalised else self._opens(before)
                claims = [self.aligner.strength(w.low, text) for k, w in enumerate(words) if k not in focus]
                return (
                    Found(i, i + 1, columns, 0.8, 2 * NOTHING)
                    if noun and max(claims, default=0.0) < EXPLAINED
                    else None
                )
            if not self.language.function_word(tokens[i].low):
                return None
        return None

    def _opens(self, low: str) -> bool:
        """True for a word after which a noun may stand; not in "filho mais velho"."""
        return (
            not low[0].isalnum()
            or bool(self.language.determiner(low))
            or (self.language.function_word(low) and not self.language.adverb(low))
        )

    def _person(self, token: Token) -> int:
        """The columns of a form that names a person under another concept, else NONE."""
        for form in self.language.lookups(token.text):
            columns = self.forms.known.get(form, Column.NONE)
            if columns:
                return columns
        return Column.NONE

    def _claimed(self, words: list[Word], focus: range, tokens: list[Token], match: Match) -> bool:
        """True when another source word is as likely rendered by this form and by no other."""
        low, known = tokens[match.first].low, self._known
        for i, (word, _, _) in enumerate(words):
            if word not in known:
                if len(known) > 100_000:
                    known.clear()
                known[word] = self.forms.concept(word, singular(word)) if len(word) > 2 else None
            rival = known[word]
            if rival and low in rival.single and i not in focus:
                return True
        return False

    def _concept(self, words: list[Word], focus: range, at: int) -> Concept | None:
        phrase = [words[i].low for i in focus]
        names = []
        for k in range(len(phrase)):
            tail = phrase[k:]
            names += [" ".join(tail), " ".join([*tail[:-1], singular(tail[-1])])]
        before = words[focus[0] - 1].low if focus[0] else ""
        own = words[at].low
        last = singular(own.rsplit("-", 1)[-1])
        return self.forms.concept(f"{before} {own}", f"{before} {singular(own)}", *names, own, singular(own), last)

    def _verdict(self, decision: Decision, found: Found, tokens: list[Token]) -> Verdict:
        indices = sorted(set(decision.evidence))
        evidence = " ".join(tokens[i].text for i in indices)
        start = tokens[found.first].start
        end = tokens[found.last - 1].end
        return Verdict(
            decision.gender,
            evidence,
            start,
            end,
            decision.how,
            self._confidence.of(decision.basis, known=found.columns != Column.NONE, certainty=found.certainty),
            decision.reason,
            decision.adequate,
            self._conflict(decision.gender, tokens),
        )

    def _conflict(self, gender: Gender, tokens: list[Token]) -> bool:
        """True when every pronoun that shows a gender shows the other one."""
        if gender not in {Gender.FEMALE, Gender.MALE}:
            return False
        other = Gender.MALE if gender is Gender.FEMALE else Gender.FEMALE
        found, pronoun = False, self.language.pronoun
        for token in tokens:
            cells = pronoun(token.low)
            if cells:
                shown = gender_of(cells)
                if shown is gender:
                    return False
                found = found or shown is other
        return found

    def _fingerprint(self, learnt: pl.DataFrame | None) -> str:
        source = getattr(self.language, "source", "")  # the dictionary behind the language, where it has one
        digest = hashlib.sha256(f"nouns {VERSION} {self.language.code} {source}".encode())
        folder = getattr(self.language, "folder", None)
        files = [*self.forms.files, *self.aligner.files, self._confidence.file]
        files += sorted(folder.glob("*.tsv")) if isinstance(folder, Path) else []
        for path in files:
            if path.exists():
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
        if learnt is not None:
            digest.update(b"pool" + learnt.write_csv().encode())
        return digest.hexdigest()[:16]


def _cut(words: list[Word], at: int, source: str, start: int, end: int) -> list[Word]:
    """A focus inside a hyphenated word ("student" in "student-driven") as a word of its own."""
    return [*words[:at], Word(fold(source[start:end]), start, end), *words[at + 1 :]]


def _undecided(reason: str, *, adequate: bool | None = None) -> Verdict:
    return Verdict(Gender.UNKNOWN, "", None, None, None, 0.0, reason, adequate, False)


__all__ = ["NounDetector", "Verdict"]
