"""From a rendering to its verdict in plain words: is it a rendering, where is the focus, what was found, what tells.

The steps say what the detector's own tables hold about the words it rests on; the verdict is the detector's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from evenhand.detect.checked import Checked, Detector
from evenhand.detect.contrastive import ReferenceDetector, words
from evenhand.detect.gate import Candidate
from evenhand.detect.nouns import NounDetector
from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender
from evenhand.grammar.english import is_plural, singular
from evenhand.grammar.lexicon import Column, Match
from evenhand.grammar.protocol import FEMININE, MASCULINE, NEUTER, PLURAL, SINGULAR, Kind, Language, Token
from evenhand.languages import name_of
from evenhand.readers.focus import resolve_focus

NOUNS = {
    Kind.SEXED: "a noun whose form tells",
    Kind.COMMON: "a noun with one form for women and men",
    Kind.FIXED: "a noun whose grammatical gender says nothing about the person",
    Kind.THING: "not known as a word for a person",
    Kind.GUESS: "a word no table lists, read by its ending",
}
HOW = {
    "forms": "by the form of the word",
    "article": "by the words before it",
    "agreement": "by a word that agrees with it",
    "pronoun": "by the pronoun",
    "person": "by a person's label",
}
LISTED = {Column.FEMALE: "female", Column.MALE: "male", Column.NEUTRAL: "neutral", Column.BOTH: "both",
          Column.OTHER: "something else"}  # fmt: skip

MOST = 4  # reasons for and against that are named


class Step(NamedTuple):
    """One link of the chain: what was asked, and the answer."""

    about: str
    told: str

    def __str__(self) -> str:
        return f"{self.about}: {self.told}"


def explain(detector: Detector, pair: Mapping[str, object]) -> list[Step]:
    """The chain for one pair (id, source, rendering; focus or its offsets; references and gold where it has them)."""
    table = pl.DataFrame([{"id": "", **pair}], infer_schema_length=None)
    if {"focus", "focus_start"} & set(pair):
        table = resolve_focus(table)
    row = table.row(0, named=True)
    source, rendering = str(row.get("source") or ""), str(row.get("rendering") or "")
    verdict = detector.detect(table).row(0, named=True)
    steps: list[Step] = []
    bare = detector
    if isinstance(detector, Checked):
        bare = detector.detector
        found = detector.validity.finding(source, rendering)
        language = name_of(detector.validity.target)
        steps.append(
            Step(
                "rendering", f"no, {found.reason.value}: {found.why}" if found else f"yes, taken for one in {language}"
            )
        )
        if found:
            return [*steps, _verdict(verdict)]
    steps.append(_focus(source, row.get("focus_start"), row.get("focus_end"), nouns=isinstance(bare, NounDetector)))
    if isinstance(bare, NounDetector):
        steps += _noun_steps(bare, source, rendering, row, verdict)
    elif isinstance(bare, ReferenceDetector):
        steps.append(_references(rendering, row))
    else:
        start, end = verdict["evidence_start"], verdict["evidence_end"]
        told = "no word of the rendering gives a gender" if start is None else f"{rendering[start:end]!r} gives it"
        steps.append(Step("evidence", verdict["reason"] if start is None and verdict["reason"] else told))
    return [*steps, _verdict(verdict)]


def explained(detector: Detector, pairs: pl.DataFrame) -> pl.DataFrame:
    """The verdicts on a table of pairs with a column `explanation`: the steps of each, one text a step."""
    chains = [[str(step) for step in explain(detector, pair)] for pair in pairs.iter_rows(named=True)]
    column = pl.Series("explanation", chains, dtype=pl.List(pl.String))
    return detector.detect(pairs).with_columns(column)


def _focus(source: str, start: object, end: object, *, nouns: bool) -> Step:
    if not isinstance(start, int) or not isinstance(end, int):
        return Step("focus", "none is marked: whoever the rendering speaks of")
    text = source[start:end]
    number = f", {'several persons' if is_plural(text.lower().split()[-1]) else 'one person'}" if nouns else ""
    return Step("focus", f"{text!r}{number}")


def _noun_steps(
    detector: NounDetector, source: str, rendering: str, row: Mapping[str, object], verdict: Mapping[str, object]
) -> list[Step]:
    start, end = _offset(verdict["evidence_start"]), _offset(verdict["evidence_end"])
    candidate = detector.candidate(source, rendering, _offset(row["focus_start"]), _offset(row["focus_end"]))
    why = str(verdict["reason"] or "no word that renders it")
    if isinstance(candidate, Verdict):
        return [Step("found", why)]
    weighed = [_gate(detector, candidate)] if candidate.refusable else []
    if start is None or end is None:
        return [Step("found", f"{why}; the likeliest word is {candidate.token.text!r}"), *weighed]
    found, evidence = _found(detector, candidate, rendering[start:end], start, str(verdict["evidence"] or ""))
    return [found, *weighed, evidence]


def _found(detector: NounDetector, candidate: Candidate, text: str, start: int, evidence: str) -> tuple[Step, Step]:
    """The words found, and what the tables say of those that show the gender."""
    tokens, focus = candidate.tokens, candidate.focus
    name = [word.low for word in focus.words[focus.span.start : focus.span.stop]]
    here = [i for i, token in enumerate(tokens) if token.start < start + len(text) and token.end > start]
    number = PLURAL if focus.plural else SINGULAR
    shown = [i for i, token in enumerate(tokens) if token.text in evidence.split()]
    about = dict.fromkeys(_about(detector.language, tokens[i], number, head=i in here) for i in shown)
    found = f"{text!r}, {_by_what(detector, name, tokens, here)}"
    return Step("found", found), Step("evidence", "; ".join(about) or text)


def _by_what(detector: NounDetector, focus: list[str], tokens: list[Token], here: list[int]) -> str:
    """How the words were found: by the table of forms, or by alignment."""
    name = " ".join(focus)
    listed = _listing(detector, focus, tokens, here)
    if listed is not None:
        return f"in the table of forms of {name!r} as {listed}"
    link = max((detector.aligner.strength(word, tokens[i].text) for word in focus for i in here), default=0.0)
    tie = f"linked to it with strength {link:.2f} of 1" if link > 0.005 else "no word translation links them"
    return f"by alignment ({tie}); the table of forms does not list it for {name!r}"


def _offset(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _gate(detector: NounDetector, candidate: Candidate) -> Step:
    """What spoke for and against the word as the rendering of the person."""
    opinion = detector.gate.opinion(candidate)
    pro, contra = ("; ".join(words[:MOST]) or "nothing" for words in (opinion.speaking_for, opinion.speaking_against))
    return Step("gate", f"names the person with probability {opinion.probability:.2f}. For: {pro}. Against: {contra}")


def _listing(detector: NounDetector, focus: list[str], tokens: list[Token], here: list[int]) -> str | None:
    """The columns in which the focus's table of forms lists the words found; None where it does not."""
    names = [" ".join(focus[k:]) for k in range(len(focus))]
    concept = detector.forms.concept(*names, *(f"{n[: -len(focus[-1])]}{singular(focus[-1])}" for n in names))
    matches: list[Match] = detector.forms.find(concept, tokens) if concept else []
    for match in matches:
        if any(match.first <= i < match.last for i in here):
            columns = [name for flag, name in LISTED.items() if match.columns & flag]
            return " or ".join(columns) + (" (a form you labelled)" if match.own else "")
    return None


def _about(language: Language, token: Token, number: int, *, head: bool) -> str:
    """What the language's tables say about one word of the evidence, in the source's number where it can have that."""
    if head:
        noun = language.noun(token.text)
        return f"{token.text!r} is {NOUNS[noun.kind]} ({_genders(noun.cells & number or noun.cells)})"
    for cells, kind in ((language.determiner(token.low), "an article or the like"),
                        (language.modifier(token.low), "an adjective or the like")):  # fmt: skip
        if cells:
            return f"{token.text!r} is {kind} ({_genders(cells & number or cells)})"
    return f"{token.text!r} agrees with it"


def _genders(cells: int) -> str:
    names = [
        name for bits, name in ((FEMININE, "feminine"), (MASCULINE, "masculine"), (NEUTER, "neuter")) if cells & bits
    ]
    return "any gender" if len(names) == 3 else " or ".join(names)


def _references(rendering: str, row: Mapping[str, object]) -> Step:
    right, other = words(str(row.get("reference") or "")), words(str(row.get("reference_other") or ""))
    against = sorted(words(rendering) & (other - right))
    for_it = sorted(words(rendering) & (right - other))
    told = f"words of the other reference alone: {', '.join(against) or 'none'}"
    return Step("evidence", f"{told}; of the right one alone: {', '.join(for_it) or 'none'}")


def _verdict(verdict: Mapping[str, object]) -> Step:
    gender, how, sure = str(verdict["gender"]), verdict["how"], verdict["confidence"]
    told = gender
    if gender != Gender.UNKNOWN.value:
        told += f", {HOW.get(str(how), 'because nothing gives a gender')}, confidence {sure:.3f}"
    notes = []
    if gender == Gender.UNKNOWN.value and verdict["reason"]:
        notes.append(str(verdict["reason"]))
    if verdict["adequate"] is False and verdict.get("valid", True):
        notes.append("the focus was rendered as something else")
    if verdict["conflict"] and verdict.get("valid", True):
        notes.append("the pronouns speak for the other gender")
    return Step("verdict", "; ".join([told, *notes]))
