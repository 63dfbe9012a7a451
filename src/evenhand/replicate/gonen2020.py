"""Gonen & Webster 2020: alignment and gender detection on the published at-risk pairs (NatGenMT), and the word tables.

The paper prints how many pairs were verified; the quality of our alignment and gender detection on them has no printed
counterpart. The pairs were verified by people, so each one is a pair that a mining pipeline must recognise as at risk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from evenhand.detect.nouns import NounDetector
from evenhand.errors import BadInput, Unknown
from evenhand.gender import Gender
from evenhand.mining.blocks import Block, Published, pair_blocks, read_blocks
from evenhand.mining.words import word_table
from evenhand.replicate.cell import Row
from evenhand.replicate.published import published

PAPER, SYSTEM, DETECTION, STATISTICS = "gonen2020", "google", "Detection on at-risk pairs", "Dataset statistics"
_FILE = re.compile(r"^high_precision_career_([A-Za-z]{2,3}(?:[-_][A-Za-z]+)?)(?:\.txt)?$")
_OTHER = {Gender.MALE: Gender.FEMALE, Gender.FEMALE: Gender.MALE}


@dataclass(frozen=True)
class Judged:
    """One sentence: the gender people saw, the one we detect, and whether we looked at the right token."""

    block: Block
    gold: Gender | None
    gender: Gender
    found: bool
    token: str


def replicate(data: Path, *, system: str | None = None) -> list[Row]:
    """Per language the shares `focus_found` and `gender_right` (of all sentences), `pairs_at_risk` (of all true pairs).

    A focus is found when the token we judged is the published target focus word; a gender is right when, besides, it is
    the published one. A pair is at risk when one half is male and the other female. Then the word tables: how often
    each focus word is masculine and feminine by the published labels.
    """
    printed = published(PAPER)
    rows: list[Row] = []
    for code, path in _files(data, system).items():
        pairs = pair_blocks(read_blocks(path))
        judged = judge(pairs, code)
        n, found = len(judged), [j for j in judged if j.found]
        labelled = [j for j in judged if j.gold is not None]
        right = sum(j.found and j.gender == j.gold for j in labelled)
        at_risk = sum(_at_risk(judged[2 * k], judged[2 * k + 1]) for k in range(len(pairs.pairs)))
        of_found = f"{right / max(len(found), 1):.4f} of the sentences with the right token"
        rows += [
            Row(PAPER, DETECTION, SYSTEM, code, "focus_found", None, len(found) / n, None, f"{len(found)} of {n}"),
            Row(PAPER, DETECTION, SYSTEM, code, "gender_right", None, right / len(labelled), None, of_found),
        ]
        if pairs.pairs:
            share = at_risk / len(pairs.pairs)
            note = f"{at_risk} of {len(pairs.pairs)}"
            rows.append(Row(PAPER, DETECTION, SYSTEM, code, "pairs_at_risk", None, share, None, note))
        known = printed.get((STATISTICS, SYSTEM, code, "pairs"))
        count = float(len(pairs.pairs))
        agrees = None if known is None else known.value == count
        note = "" if agrees is not False else "the published file has blocks without their other half; see the remarks"
        rows.append(Row(PAPER, STATISTICS, SYSTEM, code, "pairs", known.value if known else None, count, agrees, note))
        rows += _words(code, judged)
    return rows


def remarks(data: Path, *, system: str | None = None) -> list[str]:
    """Irregular blocks of the files, and every sentence in which token or gender was missed."""
    told = []
    for code, path in _files(data, system).items():
        pairs = pair_blocks(read_blocks(path))
        lines = ", ".join(str(block.line) for block in pairs.alone)
        if lines:
            told.append(
                f"{path.name}: the blocks at lines {lines} have no other half; they are judged, but form no pair"
            )
        for judged in judge(pairs, code):
            if judged.block.gender is None:
                guess = f"taken as {judged.gold} from its other half" if judged.gold else "left out of gender_right"
                told.append(f"{path.name} line {judged.block.line}: no gender label; {guess}")
            if not judged.found or (judged.gold is not None and judged.gender != judged.gold):
                told.append(
                    f"{path.name} line {judged.block.line}: {judged.block.focus} is {judged.block.target_focus} "
                    f"({judged.gold}), judged by {judged.token or 'nothing'} ({judged.gender})"
                )
    return told


def judge(pairs: Published, language: str) -> list[Judged]:
    """All sentences of true pairs, two and two, then those of the blocks without another half."""
    detector = NounDetector("en", language)
    out = []
    halves: list[tuple[Block, Block | None]] = []
    for original, substitution in pairs.pairs:
        halves += [(original, substitution), (substitution, original)]
    halves += [(block, None) for block in pairs.alone]
    for block, other in halves:
        span = block.focus_span(other)
        if span is None:
            raise BadInput(f"the block at line {block.line}: the focus {block.focus!r} is no token of its sentence")
        verdict = detector.verdict(block.source, block.rendering, *span)
        start, end = verdict.start, verdict.end
        seen = start is not None and end is not None
        found = seen and any(start < last and end > first for first, last in block.target_spans())  # type: ignore[operator]
        gold = block.gender or (_OTHER.get(other.gender) if other and other.gender else None)
        token = block.rendering[start:end] if seen else ""
        out.append(Judged(block, gold, verdict.gender, found, token))
    return out


def _at_risk(one: Judged, other: Judged) -> bool:
    return {one.gender, other.gender} == {Gender.MALE, Gender.FEMALE}


def _words(code: str, judged: list[Judged]) -> list[Row]:
    rows = []
    seen = [(j.block.focus, j.gold) for j in judged if j.block.focus and j.gold]
    for word in word_table(seen):
        where = f"Table 3, at risk, {code}"
        note = f"log ratio {word.log_ratio:.3f} [{word.low:.3f}, {word.high:.3f}] with 0.5 added"
        rows += [
            Row(PAPER, where, SYSTEM, word.word, "masculine", None, float(word.masculine), None),
            Row(PAPER, where, SYSTEM, word.word, "feminine", None, float(word.feminine), None),
            Row(PAPER, where, SYSTEM, word.word, "log_ratio", None, word.log_ratio, None, note),
        ]
    return rows


def _files(data: Path, system: str | None) -> dict[str, Path]:
    if system is not None and system != SYSTEM:
        raise Unknown("system", system, [SYSTEM])
    found = {m[1]: path for path in sorted(data.iterdir()) if (m := _FILE.match(path.name)) and path.is_file()}
    if not found:
        raise BadInput(f"{data}: no file high_precision_career_LANG in it (for example high_precision_career_de)")
    return found
