"""GATE (Rarrick et al. 2023): a rewriter's score on English sentences with a feminine and a masculine translation. Each
translation is given with its marked person and the other gender is wanted. An answer is right when it is the other
translation, character by character; no answer counts against recall only. The paper's own rewriter is not public, so
nothing is printed beside our numbers."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.mend.mender import LANGUAGES, PRONOUNS, Mender
from evenhand.replicate.cell import TableCell, chosen

PAPER, TABLE = "gate2023", "Rewriting"
DIRECTIONS = {"f to m": ("f", "m", Gender.MALE), "m to f": ("m", "f", Gender.FEMALE)}
NEEDED = ("labels", "source", "f", "m", "kw_s")
HEAD = re.compile(r"\[(.*?)\]")


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """Precision, recall and F0.5 by language: over both directions, each direction, each label (of the person's role
    and noun, as published) and each part of the data (dev, test)."""
    cells: list[TableCell] = []
    for language, answers in _answers(data, system).items():
        for name, pairs in sorted(answers.items(), key=lambda item: (item[0] != "all", -len(item[1]))):
            given, right = sum(bool(a) for a, _ in pairs), sum(a == b for a, b in pairs)
            precision, recall = right / given if given else 0.0, right / len(pairs)
            both = 1.25 * precision * recall / (0.25 * precision + recall) if right else 0.0
            note = f"{right} right of {given} given of {len(pairs)} asked"
            for column, value in (("precision", precision), ("recall", recall), ("F0.5", both)):
                where = (PAPER, TABLE, language, name, column)
                cells.append(TableCell(*where, None, value, None, "authors' labels", note))
    return cells


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """The first wrong answers of each language, beside the translation that was wanted."""
    wrong = {
        language: [pair for pair in answers["all"] if pair[0] and pair[0] != pair[1]][:10]
        for language, answers in _answers(data, system).items()
    }
    return [f"{language}: {answer} (wanted: {other})" for language, pairs in wrong.items() for answer, other in pairs]


@cache
def _answers(data: Path, system: str | None) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """By language and by name of a part of the data: the answer to each question and the one wanted."""
    files = {path.name[:2].lower(): path for path in sorted(data.glob("*_2_variants.tsv"))}
    files = {language: path for language, path in files.items() if language in LANGUAGES}
    if not files:
        raise BadInput(f"{data}: no file ES_2_variants.tsv, IT_2_variants.tsv or FR_2_variants.tsv there")
    return {language: _answered(files[language], language) for language in chosen(files, system, what="language")}


def _answered(path: Path, language: str) -> dict[str, list[tuple[str, str]]]:
    table = pl.read_csv(path, separator="\t", quote_char=None, infer_schema=False)
    missing = [column for column in NEEDED if column not in table.columns]
    if missing:
        raise BadInput(f"{path}: no column {missing[0]!r}; GATE's files have {', '.join(NEEDED)}")
    mender, answers = Mender(language), defaultdict[str, list[tuple[str, str]]](list)
    for row in table.iter_rows(named=True):
        places = list(_persons(row["source"], row["kw_s"]))
        names = ["all", *sorted(set(row["labels"].split(";"))), *filter(None, [row.get("data_split")])]
        for direction, (given, other, wanted) in DIRECTIONS.items():
            answer = _rewritten(mender, row["source"], row[given], places, wanted)
            for name in (*names, direction):
                answers[name].append((answer, row[other]))
    return answers


def _persons(source: str, marked: str) -> Iterator[tuple[int, int]]:
    """Where the marked words are in the source: each part of `marked`, or its head in brackets."""
    for part in marked.split("="):
        head = HEAD.search(part)
        words = (head.group(1) if head else part).strip("() ")
        found = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", source, re.IGNORECASE) if words else None
        if found:
            yield found.span()


def _rewritten(mender: Mender, source: str, rendering: str, places: list[tuple[int, int]], wanted: Gender) -> str:
    """Every marked word rewritten, one after the other; empty where none could be, and where one that is read in the
    other gender was declined: half a sentence is no answer. A pronoun is never rewritten and holds nothing up."""
    text = rendering
    for start, end in dict.fromkeys(places):
        mended = mender.mend(source, text, start, end, wanted)
        other = mended.gender in {Gender.FEMALE, Gender.MALE} and mended.gender is not wanted
        if not mended.text and other and source[start:end].casefold() not in PRONOUNS:
            return ""
        text = mended.text or text
    return "" if text == rendering else text
