"""The noun detector against every labelled set in ../shared/data: recall of male and female apart, and their mean.

    python benchmarks/detect_sets.py [--data ../shared/data] [--only natgenmt.de ...] [--errors 20]

A case is a pair with a label. The sets are read in place. `winomt` for German and French is listed for reading, not for
a score: the annotators there followed the pronoun.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.detect.nouns import NounDetector

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "shared" / "data"
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


SETS: dict[str, tuple[Callable[[Path, str], Iterator[Case]], tuple[str, ...]]] = {
    "noun-gender": (noun_gender, ("de", "es", "fr", "it", "ru", "uk")),
    "gender-alternatives": (gender_alternatives, ("es", "it", "pt")),
    "winomt": (winomt, ("de", "es", "fr", "it", "ru", "uk", "he", "ar")),
    "wibemt": (wibemt, ("de",)),
    "natgenmt": (natgenmt, ("de", "es")),
}


def run(detector: NounDetector, cases: list[Case]) -> pl.DataFrame:
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


def right(verdicts: pl.DataFrame) -> float:
    """Share of verdicts that are the label; NaN without rows."""
    return int((verdicts["gender"] == verdicts["label"]).sum()) / verdicts.height if verdicts.height else math.nan


def recall(verdicts: pl.DataFrame, label: str) -> float:
    return right(verdicts.filter(pl.col("label") == label))


def summary(name: str, verdicts: pl.DataFrame) -> str:
    male, female = recall(verdicts, "male"), recall(verdicts, "female")
    sure = verdicts.filter(pl.col("confidence") > 0.95)
    line = f"{name:24} n {verdicts.height:5} male {male:.3f} female {female:.3f} mean {(male + female) / 2:.3f} "
    line += f"neutral {recall(verdicts, 'neutral'):.3f} all {right(verdicts):.3f} "
    line += f"| sure {sure.height / verdicts.height:.2f} right {right(sure):.4f}"
    if name.startswith("natgenmt"):
        hit = [
            row["evidence_start"] is not None
            and row["target"] in row["rendering"][row["evidence_start"] : row["evidence_end"]].split()
            for row in verdicts.iter_rows(named=True)
        ]
        found = verdicts.filter(pl.Series(hit))
        line += f" | focus found {found.height / verdicts.height:.3f}, "
        line += f"gender there {right(found):.3f}"
    if name.startswith("wibemt"):  # their "wrong" is about adequacy
        wrong = verdicts["label"] == "wrong"
        doubted = verdicts["adequate"].eq(False).fill_null(value=False)
        line += f" | adequate is false on {int((doubted & wrong).sum())} of {int(wrong.sum())} wrong ones "
        line += f"and on {int((doubted & ~wrong).sum())} of {int((~wrong).sum())} others"
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--errors", type=int, default=0)
    options = parser.parse_args()
    for name, (reader, codes) in SETS.items():
        for code in codes:
            key = f"{name}.{code}"
            if options.only and not any(key.startswith(only) or code == only for only in options.only):
                continue
            try:
                verdicts = run(NounDetector("en", code), list(reader(options.data, code)))
            except ModuleNotFoundError as error:
                print(f"{key:24} {error}")
                continue
            print(summary(key, verdicts))
            wrong = verdicts.filter((pl.col("gender") != pl.col("label")) & (pl.col("label") != "wrong"))
            for row in wrong.head(options.errors).iter_rows(named=True):
                print(f"   {row['id']} {row['focus']!r} {row['label']} but {row['gender']} ({row['how']}, ", end="")
                print(f"{row['confidence']}) on {row['evidence']!r}\n      {row['source']}\n      {row['rendering']}")


if __name__ == "__main__":
    main()
