"""Gonen & Webster 2020: alignment and gender detection on the published pairs (NatGenMT), which people verified to be
at risk, and the word tables. The paper prints only how many pairs there are."""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl

from evenhand.detect import open_detector
from evenhand.errors import BadInput
from evenhand.gender import Gender
from evenhand.measures.definitions.gendered import MASCULINE
from evenhand.mining import pairs as mined
from evenhand.mining.verified import Block, Published, pair_blocks, read_blocks
from evenhand.replicate.cell import Input, TableCell, chosen, compare, counts, value
from evenhand.replicate.element import Cell, Subject, elements, finds, numbers
from evenhand.results.findings import Findings
from evenhand.statistics.intervals import Interval, wilson

PAPER, SYSTEM, DETECTION = "gonen2020", "google", "Detection on at-risk pairs"
LABELS: Input = "authors' labels"
_FILE = re.compile(r"^high_precision_career_([A-Za-z]{2,3}(?:[-_][A-Za-z]+)?)(?:\.txt)?$")
AT_RISK, SAME = mined.Risk.AT_RISK.value, mined.Risk.SAME.value
WORDS = 10  # of each column of Table 3
_OTHER = {Gender.MALE: Gender.FEMALE, Gender.FEMALE: Gender.MALE}


class JudgedNoun(NamedTuple):
    """One sentence: the gender people saw, the one we detect, and whether we looked at the right token."""

    block: Block
    gold: Gender | None
    gender: Gender
    placed: bool
    token: str


def replicate(data: Path, *, system: str | None = None) -> list[TableCell]:
    """Per language the shares `focus_found` (the judged token is the published one), `gender_right` (and its gender)
    and `pairs_at_risk` (one half male, the other female); then how often each focus word is masculine and feminine."""
    rows: list[TableCell] = []
    for code, path in _files(data, system).items():
        pairs = pair_blocks(read_blocks(path))
        judged, whole = judge(pairs, code), len(pairs.pairs)
        outcomes = [(j.gold, j.gender if j.placed else Gender.UNKNOWN) for j in judged]
        table = pl.DataFrame(outcomes, schema={"gold": pl.String, "gender": pl.String}, orient="row")
        placed, right = sum(j.placed for j in judged), value("accuracy", table)
        of_placed = f"{right * table['gold'].count() / max(placed, 1):.4f} of the sentences with the right token"
        detected = {
            "focus_found": (placed / len(judged), f"{placed} of {len(judged)}"),
            "gender_right": (right, of_placed),
        }
        if whole:
            risky = at_risk(judged[: 2 * whole])
            detected["pairs_at_risk"] = (risky / whole, f"{risky} of {whole}")
        rows += [_row((DETECTION, code, column), *cell) for column, cell in detected.items()]
        note = "the published file has blocks without their other half; see the remarks" if pairs.alone else ""
        rows.append(_row(("Dataset statistics", code, "pairs"), float(whole), note, LABELS))
        table = _words_of(pairs)
        for word in _often(table)["word"]:
            where, part = f"Table 3, at risk, {code}", table.filter(word=word)
            feminine, masculine = counts("log_ratio", part)
            rows.append(_row((where, word, "masculine"), float(masculine), source=LABELS))
            rows.append(_row((where, word, "feminine"), float(feminine), source=LABELS))
            rows.append(_row((where, word, "log_ratio"), value("log_ratio", part), "with 0.5 added", LABELS))
    return rows


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """Irregular blocks of the files, and every sentence in which token or gender was missed."""
    notes = []
    for code, path in _files(data, system).items():
        pairs = pair_blocks(read_blocks(path))
        if lines := ", ".join(str(block.line) for block in pairs.alone):
            what = "have no other half; they are judged, but form no pair"
            notes.append(f"{path.name}: the blocks at lines {lines} {what}")
        for block, gold, gender, placed, token in judge(pairs, code):
            where = f"{path.name} line {block.line}"
            if block.gender is None:
                guess = f"taken as {gold} from its other half" if gold else "left out of gender_right"
                notes.append(f"{where}: no gender label; {guess}")
            if not placed or (gold is not None and gender != gold):
                judged = f"judged by {token or 'nothing'} ({gender})"
                notes.append(f"{where}: {block.focus} is {block.target_focus} ({gold}), {judged}")
    return notes


def judge(pairs: Published, language: str) -> list[JudgedNoun]:
    """All sentences of true pairs, two and two, then those of the blocks without another half."""
    halves, rows = _halves(pairs), []
    for number, (block, other) in enumerate(halves):
        span = block.focus_span(other)
        if span is None:
            raise BadInput(f"the block at line {block.line}: the focus {block.focus!r} is not a token of its sentence")
        rows.append((str(number), block.source, block.rendering, *span))
    table = pl.DataFrame(rows, schema=["id", "source", "rendering", "focus_start", "focus_end"], orient="row")
    verdicts = open_detector("nouns", source="en", target=language).detect(table)
    judged = []
    for (block, other), verdict in zip(halves, verdicts.iter_rows(named=True), strict=True):
        start, end = verdict["evidence_start"] or 0, verdict["evidence_end"] or 0
        placed = any(start < last and end > first for first, last in block.target_spans())
        genders = _gold(block, other), Gender(verdict["gender"])
        judged.append(JudgedNoun(block, *genders, placed, block.rendering[start:end]))
    return judged


def _halves(pairs: Published) -> list[tuple[Block, Block | None]]:
    both = [half for a, b in pairs.pairs for half in ((a, b), (b, a))]
    return [*both, *((block, None) for block in pairs.alone)]


def _gold(block: Block, other: Block | None) -> Gender | None:
    """The published gender; where it is missing, the one that the other half does not have."""
    return block.gender or (_OTHER.get(other.gender) if other and other.gender else None)


def at_risk(judged: list[JudgedNoun]) -> int:
    """How many of these pairs (original and substitute by turns) the miner calls at risk."""
    empty = dict.fromkeys({*mined.HALF, "score", "plural", "file", "line", "target_lang"})
    halves = [
        {**empty, "sentence": str(n // 2), "rank": n % 2, "gender": j.gender.value, "fixed": False, "target_lang": "-"}
        for n, j in enumerate(judged)
    ]
    risks = mined.pairs_of(pl.DataFrame(halves, schema_overrides={"adequate": pl.Boolean}))["risk"]
    return int((risks == AT_RISK).sum())


def _often(table: pl.DataFrame) -> pl.DataFrame:
    """Words, how often masculine, how often at all; the most frequent first, then by the alphabet."""
    counted = table.group_by("word").agg((pl.col("gender") == "male").sum().alias("male"), pl.len())
    return counted.sort("len", "word", descending=[True, False])


def _words_of(pairs: Published) -> pl.DataFrame:
    known = [(block.focus, _gold(block, other)) for block, other in _halves(pairs)]
    words = [(word.lower(), gender.value) for word, gender in known if word and gender]
    return pl.DataFrame(words, schema=["word", "gender"], orient="row")


def _row(where: tuple[str, str, str], computed: float, note: str = "", source: Input = "authors' outputs") -> TableCell:
    return compare(PAPER, (where[0], SYSTEM, *where[1:]), computed, source, note)


def _files(data: Path, system: str | None = None) -> dict[str, Path]:
    chosen([SYSTEM], system)
    found = {m[1]: path for path in sorted(data.iterdir()) if (m := _FILE.match(path.name)) and path.is_file()}
    if not found:
        raise BadInput(f"{data}: no file high_precision_career_LANG in it (for example high_precision_career_de)")
    return found


# The paper's tables from mined text, one subject per target language, or from the authors' pairs.


def subjects(findings: Findings) -> list[Subject]:
    """One per target language; the system's name is with it where it is known."""
    system = findings.manifest.parts.get("system", "").partition("#")[0]
    codes = findings.manifest.parts.get("target", "").split(",")
    return [Subject(f"{system} {code}".strip(), result=findings, part=code) for code in codes]


def stored(data: Path) -> list[Subject]:
    """The verified pairs of every language, as words and their published genders."""
    words = {code: _words_of(pair_blocks(read_blocks(path))) for code, path in _files(data).items()}
    return [Subject(f"{SYSTEM} {code}", table, LABELS, part=code) for code, table in words.items()]


def _table3(subject: Subject) -> Iterator[Cell]:
    """The most frequent words with masculine : feminine and the share of masculine, at risk and not at risk."""
    for risk, words in _shares(subject).items():
        for rank, (word, share) in enumerate(words[:WORDS], start=1):
            masculine = round(share.value * share.n)
            ends = "" if math.isnan(share.low) else f" [{100 * share.low:.0f}, {100 * share.high:.0f}]"
            text = f"{word} {masculine}:{share.n - masculine}, {100 * share.value:.0f} %{ends}"
            yield Cell(risk, str(rank), share.value, share.low, share.high, share.n, text)


def _shares(subject: Subject) -> dict[str, list[tuple[str, Interval]]]:
    """The words of each kind of pair, the most frequent first. The authors' pairs do not say which text they are of."""
    if not isinstance(subject.result, Findings):
        return {AT_RISK: [(word, wilson(male, n)) for word, male, n in _often(subject.table).iter_rows()]}
    known = subject.result.estimates.filter(measure=MASCULINE.name)
    return {
        risk: [
            (row["level"], Interval(*numbers(row), row["n"], row["interval"]))
            for row in known.filter(group=f"{subject.part}, {risk}").iter_rows(named=True)
        ]
        for risk in (AT_RISK, SAME)
    }


def _funnel(subject: Subject) -> Iterator[Cell]:
    """What is left after each step; steps before the translation are the same for every language."""
    table = subject.findings.tables["funnel"]
    others = set(subject.findings.manifest.parts.get("target", "").split(",")) - {subject.part}
    for step, what, count in table.select("step", "what", "count").iter_rows():
        if step not in others:
            yield Cell("pairs" if step == subject.part else step, what, float(count))


def _examples(subject: Subject) -> Iterator[Cell]:
    """One pair at risk, drawn: both sentences, both translations and their genders."""
    table = subject.findings.tables["examples"].filter(target_lang=subject.part).head(2)
    for row in table.iter_rows(named=True):
        yield Cell(row["role"], "source", text=row["source"])
        yield Cell(row["role"], "translation", text=row["rendering"])
        yield Cell(row["role"], "gender", text=str(row["gender"]))


def _shared(subject: Subject) -> Iterator[Cell]:
    """Pairs at risk in several languages, those in most first; the same for every language of the findings."""
    table = subject.findings.tables.get("shared", pl.DataFrame())
    for number, row in enumerate(table.iter_rows(named=True), start=1):
        if subject.part == row["at_risk_in"].split(",")[0]:
            for column in ("original", "substitute", "at_risk_in"):
                yield Cell(str(number), column.replace("_", " "), text=row[column])


_MINED = finds("mining")
ELEMENTS = elements(
    PAPER,
    {
        "funnel": (_funnel, _MINED),
        "table2": (_examples, _MINED),
        "table3": (_table3, lambda subject: _MINED(subject) or "word" in subject.table.columns),
        "figure2": (_shared, _MINED),
    },
)
