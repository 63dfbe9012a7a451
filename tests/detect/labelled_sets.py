"""Readers of the sets labelled by people in ../shared/data, read in place: for the tests and the benchmark alike.

A case is a pair with a label. `winomt` for German and French is listed for reading, not for a score: the annotators
there followed the pronoun.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.detect.nouns import NounDetector
from evenhand.persons import LexiconFinder

LABELS = {"F": "female", "M": "male", "N": "neutral", "X": "unknown", "fem": "female", "masc": "male"}
STRUCTURE = re.compile(r"\[\[(.*?)\]\]")


class Case(NamedTuple):
    """One labelled pair; `target` is the evidence a person named, where the set has it."""

    id: str
    source: str
    start: int
    end: int
    rendering: str
    label: str
    target: str = ""


def noun_gender(data: Path, code: str) -> Iterator[Case]:
    for row in csv.DictReader((data / "noun-gender" / f"{code}.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE):
        before, focus, after = row["english"].split("**")
        yield Case(
            row["id"], before + focus + after, len(before), len(before) + len(focus), row["translation"],
            LABELS[row["label"]], row["target_phrase"],
        )  # fmt: skip


PRONOUNS = frozenset(
    """i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his she her hers they them
    their theirs themselves it its one ones who whom whose someone anyone everyone somebody anybody everybody nobody
    none those these this that some any all both each few many several most others other another such either neither
    enough two three four five six seven eight nine ten more same former latter""".split()
)


def gender_alternatives(data: Path, code: str) -> Iterator[Case]:
    """Sentences with exactly one ambiguous headword that is a noun and is aligned with a structure: both variants."""
    for part in ("gate", "geneval"):
        path = data / "gender-alternatives" / f"{part}.en-{code}.tsv"
        for row in csv.DictReader(path.open(), delimiter="\t", quoting=csv.QUOTE_NONE):
            labels = row["gender labels of headwords"].split(",")
            ambiguous = [i for i, label in enumerate(labels) if label == "Amb"]
            links = {int(link.split("-")[0]) for link in row["gender alignments"].split(",") if link[:1].isdigit()}
            if len(ambiguous) != 1 or links != set(ambiguous):
                continue
            # Headwords may be nested deeper than the marked ones; take the marked text in order.
            marked = list(STRUCTURE.finditer(row["source with headwords"]))
            if len(marked) != len(labels):
                continue
            chosen = marked[ambiguous[0]]
            start = len(STRUCTURE.sub(lambda m: m[1], row["source with headwords"][: chosen.start()]))
            focus = chosen[1]
            if focus.lower().split()[-1] in PRONOUNS or not focus.strip():
                continue
            source = STRUCTURE.sub(lambda m: m[1], row["source with headwords"])
            text = row["translation with gender structures"]
            for side, label in ((0, "male"), (1, "female")):
                variant = "".join(
                    piece if k % 2 == 0 else piece.split("/")[min(side, piece.count("/"))]
                    for k, piece in enumerate(STRUCTURE.split(text))
                )
                key = f"{part}.{code}.{row['id']}.{label}"
                yield Case(key, source, start, start + len(focus), variant, label)


def winomt(data: Path, code: str) -> Iterator[Case]:
    lines = (data / "winomt/aggregates/en_2019.txt").read_text().splitlines()
    for path in sorted((data / "winomt/human_annotations").glob(f"{code}.*.csv")):
        for row in csv.DictReader(path.open()):
            label = LABELS.get(row["gender"].strip().upper())
            if not label or not row["sentence"]:
                continue
            source = lines[int(row["index"])].split("\t")
            words = source[2].split()
            at = int(source[1])
            start = len(" ".join(words[:at])) + (1 if at else 0)
            word = re.sub(r"\W+$", "", words[at])
            yield Case(f"{path.stem}.{row['index']}", source[2], start, start + len(word), row["sentence"], label)


def wibemt(data: Path, code: str) -> Iterator[Case]:
    for path in sorted((data / "wibemt/results").glob("*.txt")) if code == "de" else ():
        for line in path.read_text().splitlines():
            key, source, _, occupation, rendering, label = line.split("\t")
            start = source.lower().find(occupation.lower())
            yield Case(f"{path.stem.split('_')[1]}.{key}", source, start, start + len(occupation), rendering, label)


def natgenmt(data: Path, code: str) -> Iterator[Case]:
    lines = [line for line in (data / f"natgenmt/high_precision_career_{code}").read_text().split("\n") if line.strip()]
    at = [i for i, line in enumerate(lines) if re.match(r"(Original|Substitution) sentences:", line)]
    for first, last in zip(at, [*at[1:], len(lines)], strict=True):
        block = lines[first:last]
        fields = dict(line.split(": ", 1) for line in block[3:] if ": " in line)
        word, target = fields["Focus word source"].strip(), fields["Focus word target"].strip()
        gender = fields.get("Gender")
        if gender is None:
            continue
        tokens = block[1].split(" ")
        spots = [i for i, token in enumerate(tokens) if token == word]
        start = len(" ".join(tokens[: spots[0]])) + (1 if spots[0] else 0)
        yield Case(f"{code}.{first}", block[1], start, start + len(word), block[2], LABELS[gender.strip()], target)


SHE, HE = re.compile(r"\b(?:she|her|hers)\b", re.IGNORECASE), re.compile(r"\b(?:he|his|him)\b", re.IGNORECASE)


def context(data: Path, code: str) -> Iterator[Case]:
    """MT-GenEval's sentences in context with one person noun of an open gender, which the sentence before states: the
    reference as it was written, and flipped."""
    finder = LexiconFinder()
    for split in ("dev", "test"):
        name = f"mtgeneval/context/geneval-context-wikiprofessions-{{}}-{split}.en_{code}.{{}}"
        kinds = (("2to1", "en"), ("original", code), ("flipped", code))
        files = [(data / name.format(kind, ending)).read_text("utf-8").split("\n") for kind, ending in kinds]
        for number, (both, original, flipped) in enumerate(zip(*files, strict=True)):
            before, _, source = both.partition(" <sep> ")
            female, male = SHE.search(before), HE.search(before)
            persons = [p for p in finder.find(source) if not p.thing]
            if len(persons) != 1 or persons[0].gendered or persons[0].kind != "noun" or bool(female) == bool(male):
                continue
            labels = ("female", "male") if female else ("male", "female")
            for rendering, label in zip((original, flipped), labels, strict=True):
                if original != flipped:
                    yield Case(f"{split}.{number}.{label}", source, persons[0].start, persons[0].end, rendering, label)


SETS: dict[str, tuple[Callable[[Path, str], Iterator[Case]], tuple[str, ...]]] = {
    "noun-gender": (noun_gender, ("de", "es", "fr", "it", "ru", "uk")),
    "gender-alternatives": (gender_alternatives, ("es", "it", "pt")),
    "winomt": (winomt, ("de", "es", "fr", "it", "ru", "uk", "he", "ar")),
    "wibemt": (wibemt, ("de",)),
    "natgenmt": (natgenmt, ("de", "es")),
}

#: Labels by construction, a few of them of another person than the one found: for comparing, not for learning.
CONSTRUCTED = {"context": (context, ("de", "es", "pt", "nl"))}


def judged(detector: NounDetector, cases: list[Case]) -> pl.DataFrame:
    """The verdicts beside the labels."""
    pairs = pl.DataFrame(
        {
            "id": [f"{i}" for i in range(len(cases))],
            "source": [case.source for case in cases],
            "rendering": [case.rendering for case in cases],
            "focus_start": [case.start for case in cases],
            "focus_end": [case.end for case in cases],
        }
    )
    return detector.detect(pairs).with_columns(
        pl.Series("id", [case.id for case in cases]),
        pl.Series("label", [case.label for case in cases]),
        pl.Series("focus", [case.source[case.start : case.end] for case in cases]),
        pl.Series("source", [case.source for case in cases]),
        pl.Series("rendering", [case.rendering for case in cases]),
        pl.Series("target", [case.target for case in cases]),
    )


def share_right(verdicts: pl.DataFrame, label: str | None = None) -> float:
    """Share of verdicts that are the label, of one label or of all; NaN without rows."""
    mine = verdicts if label is None else verdicts.filter(pl.col("label") == label)
    return int((mine["gender"] == mine["label"]).sum()) / mine.height if mine.height else math.nan
