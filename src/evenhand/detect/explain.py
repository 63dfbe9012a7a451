"""From a rendering to its verdict in plain words: is it a rendering, where is the focus, what was found, what tells.
The steps say what the detector's own tables hold about the words it rests on; the verdict is the detector's."""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from evenhand.detect.contrastive import ReferenceDetector, words
from evenhand.detect.gate import Candidate
from evenhand.detect.nouns import NounDetector
from evenhand.detect.verdict import Checked, Detector, Verdict
from evenhand.gender import Gender
from evenhand.grammar.base import Language
from evenhand.grammar.english import is_plural
from evenhand.grammar.lexicon import COLUMNS
from evenhand.grammar.protocol import FEMININE, MASCULINE, NEUTER, PLURAL, SINGULAR, Kind, Token
from evenhand.languages import name_of
from evenhand.readers.focus import resolve_focus
from evenhand.storage.tables import JUDGED

NOUNS = {
    Kind.SEXED: "a noun whose form shows the gender",
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
GENDERS = ((FEMININE, "feminine"), (MASCULINE, "masculine"), (NEUTER, "neuter"))
MOST = 4  # reasons for and against that are named


class Step(NamedTuple):
    """One link of the chain: the question, and the answer."""

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
    verdict, valid = _judged(detector.detect(table))
    steps: list[Step] = []
    if isinstance(detector, Checked):
        finding, language = detector.validity.finding(source, rendering), name_of(detector.validity.target)
        if finding:
            return [Step("rendering", f"no, {finding.reason.value}: {finding.why}"), _verdict(verdict, valid=valid)]
        steps, detector = [Step("rendering", f"yes, judged as one in {language}")], detector.detector
    nouns = isinstance(detector, NounDetector)
    place = (row.get("focus_start"), row.get("focus_end"))
    steps.append(_focus(source, *place, nouns=nouns))
    if isinstance(detector, NounDetector):
        steps += _noun_steps(detector, detector.candidate(source, rendering, *place), verdict)
    elif isinstance(detector, ReferenceDetector):
        steps.append(_references(rendering, row))
    else:
        missing = verdict.reason or "no word of the rendering shows a gender"
        shown = f"{rendering[verdict.start : verdict.end]!r} gives it"
        steps.append(Step("evidence", missing if verdict.start is None else shown))
    return [*steps, _verdict(verdict, valid=valid)]


def _judged(verdicts: pl.DataFrame) -> tuple[Verdict, bool]:
    """The first verdict of a detector's table, and whether there is a rendering at all."""
    row = verdicts.row(0, named=True)
    gender, evidence, start, end, how, sure, reason, adequate, conflict = (row[column] for column in JUDGED)
    return Verdict(Gender(gender), start, end, how, sure, reason, conflict, adequate, evidence), row.get("valid", True)


def explained(detector: Detector, pairs: pl.DataFrame) -> pl.DataFrame:
    """The verdicts on a table of pairs with a column `explanation`: the steps of each, one text per step."""
    chains = [[str(step) for step in explain(detector, pair)] for pair in pairs.iter_rows(named=True)]
    return detector.detect(pairs).with_columns(pl.Series("explanation", chains, dtype=pl.List(pl.String)))


def _focus(source: str, start: int | None, end: int | None, *, nouns: bool) -> Step:
    if start is None or end is None:
        return Step("focus", "none is marked: any person in the rendering")
    text = source[start:end]
    number = f", {'several persons' if is_plural(text.lower().split()[-1]) else 'one person'}" if nouns else ""
    return Step("focus", f"{text!r}{number}")


def _noun_steps(detector: NounDetector, candidate: Candidate | Verdict, verdict: Verdict) -> list[Step]:
    """The words found, what the gate weighed, and what the tables say of the words that show the gender."""
    why, start, end = verdict.reason or "no word that renders it", verdict.start, verdict.end
    if isinstance(candidate, Verdict):
        return [Step("found", why)]
    gate = [_gate(detector, candidate)] if candidate.refusable else []
    if start is None or end is None:
        return [Step("found", f"{why}; the likeliest word is {candidate.token.text!r}"), *gate]
    tokens, focus = candidate.tokens, candidate.focus
    here = [i for i, token in enumerate(tokens) if token.start < end and token.end > start]
    number = PLURAL if focus.plural else SINGULAR
    shown = [i for i, token in enumerate(tokens) if token.text in (verdict.evidence or "").split()]
    about = dict.fromkeys(_about(detector.language, tokens[i], number, head=i in here) for i in shown)
    text = " ".join(tokens[i].text for i in here)
    found = Step("found", f"{text!r}, {_by_what(detector, candidate, here)}")
    return [found, *gate, Step("evidence", "; ".join(about) or text)]


def _by_what(detector: NounDetector, candidate: Candidate, here: list[int]) -> str:
    """How the words were found: by the table of forms, as which of its columns, or by alignment."""
    tokens, focus = candidate.tokens, candidate.focus
    words = [word.low for word in focus.words[focus.span.start : focus.span.stop]]
    name = " ".join(words)
    for match in detector.forms.find(candidate.locator.concept(focus), tokens):
        if any(match.first <= i < match.last for i in here):
            columns = " or ".join(name for name, flag in COLUMNS.items() if match.columns & flag)
            listed = columns.replace("other", "something else") + " (a form you labelled)" * match.own
            return f"in the table of forms of {name!r} as {listed}"
    link = max((detector.aligner.strength(word, tokens[i].text) for word in words for i in here), default=0.0)
    tie = f"linked to it with strength {link:.2f} of 1" if link > 0.005 else "no word translation links them"
    return f"by alignment ({tie}); the table of forms does not list it for {name!r}"


def _gate(detector: NounDetector, candidate: Candidate) -> Step:
    """What spoke for and against the word as the rendering of the person."""
    opinion = detector.gate.opinion(candidate)
    pro, contra = ("; ".join(words[:MOST]) or "nothing" for words in (opinion.speaking_for, opinion.speaking_against))
    return Step("gate", f"names the person with probability {opinion.probability:.2f}. For: {pro}. Against: {contra}")


def _about(language: Language, token: Token, number: int, *, head: bool) -> str:
    """What the language's tables say about one word of the evidence, in the source's number where it can have that."""
    noun, low = language.noun(token.text), token.low
    kinds = [(noun.cells, NOUNS[noun.kind])] if head else []
    kinds.append((language.determiner(low), "an article or the like"))
    kinds.append((language.modifier(low), "an adjective or the like"))
    cells, kind = next(((cells & number or cells, kind) for cells, kind in kinds if cells), (0, ""))
    if not cells:
        return f"{token.text!r} agrees with it"
    names = [name for bits, name in GENDERS if cells & bits]
    return f"{token.text!r} is {kind} ({'any gender' if len(names) == 3 else ' or '.join(names)})"


def _references(rendering: str, row: Mapping[str, object]) -> Step:
    said, right, other = (words(text) for text in (rendering, str(row["reference"]), str(row["reference_other"])))
    against, for_it = (", ".join(sorted(some)) or "none" for some in (said & (other - right), said & (right - other)))
    return Step("evidence", f"words of the other reference alone: {against}; of the right one alone: {for_it}")


def _verdict(verdict: Verdict, *, valid: bool) -> Step:
    decided = verdict.gender is not Gender.UNKNOWN
    how = f", {HOW.get(verdict.how or '', 'because nothing gives a gender')}, confidence {verdict.confidence:.3f}"
    notes = [verdict.gender.value + how * decided]
    notes += [verdict.reason] if verdict.reason and not decided else []
    notes += ["the focus was rendered as something else"] * (verdict.adequate is False and valid)
    notes += ["the pronouns speak for the other gender"] * (verdict.conflict and valid)
    return Step("verdict", "; ".join(notes))
