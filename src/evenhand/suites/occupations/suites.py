"""Occupations with stereotyped verbs, in our own sentences of the WinoBias kind, and those with stereotyped adjectives.

The sentences of the WinoBias kind have two occupations and one pronoun that can mean only one of them. Each pair has
one occupation held mostly by women and one held mostly by men (US shares printed in WiBeMT's Table 1; within MARGIN of
one half an occupation is left out). The pronoun's gender agrees with the referent's majority in the stereotypical
version and is the other one in the anti-stereotypical version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.gender import SHARES, Gender
from evenhand.suites.history import CURRENT, as_of, check_version
from evenhand.suites.suite import GOLD_MEASURES, Grouping, Suite, gold_suite, marked_probe

HERE = Path(__file__).resolve().parent
CITATION = "after Troles & Schmid 2021, Extending Challenge Sets to Uncover Gender Bias in Machine Translation"
SLOT = "{occupation}"


def verbs() -> Suite:
    """42 verbs x 99 occupations; ids carry both classes (VF01OccF01), as in the paper."""
    return Suite(
        name="occupations-verbs",
        version="1.0",
        source_lang="en",
        kind="nouns",
        summary="42 stereotyped verbs x 99 occupations of WiBeMT's Table 1, in sentences of our own",
        make=lambda: verb_probes(frames(), occupations()),
        clusters=("occupation", "verb"),
        groupings=Grouping.by("verb_class", "occupation_class"),
        measures=("TFG", *SHARES),
        citation=CITATION,
    )


def frames() -> pl.DataFrame:
    """code, verb, class, frame."""
    return tsv.frame(HERE / "verbs.tsv")


def occupations() -> pl.DataFrame:
    """code, occupation, class, share_women: the 99 occupations that have a class."""
    return tsv.frame(HERE / "occupations.tsv").filter(pl.col("code").is_not_null())


def verb_probes(frames: pl.DataFrame, occupations: pl.DataFrame) -> pl.DataFrame:
    """Each frame (code, verb, class, frame with {occupation}) with each occupation (code, occupation, class)."""
    crossed = frames.join(occupations, how="cross", suffix="_occupation")
    start = pl.col("frame").str.find(SLOT, literal=True).cast(pl.Int64)
    return crossed.select(
        id=pl.col("code") + pl.col("code_occupation"),
        source=pl.col("frame").str.replace(SLOT, pl.col("occupation"), literal=True),
        source_lang=pl.lit("en"),
        focus=pl.col("occupation"),
        focus_start=start,
        focus_end=start + pl.col("occupation").str.len_chars().cast(pl.Int64),
        occupation=pl.col("occupation"),
        occupation_class=pl.col("class_occupation"),
        verb=pl.col("verb"),
        verb_class=pl.col("class"),
    )


NAME = "occupations-coreference"
MARGIN = 3.0  # percentage points around one half
PAIRS_PER_FRAME = 8
PRONOUNS = {
    "female": {"subject": "she", "object": "her", "possessive": "her"},
    "male": {"subject": "he", "object": "him", "possessive": "his"},
}
OTHER = {"female": "male", "male": "female"}


def coreference(version: str = CURRENT) -> Suite:
    """416 pairs, 832 sentences; focus first or second, on a male or a female majority occupation equally often."""
    check_version(NAME, version)
    return gold_suite(
        NAME,
        "our own sentence pairs of the WinoBias kind, stereotypical and anti-stereotypical",
        lambda: coreference_probes(version),
        version=version,
        measures=(*GOLD_MEASURES, "share_female", "share_male", "share_neutral"),
        citation="after Zhao et al. 2018, Gender Bias in Coreference Resolution",
    )


def majorities() -> dict[str, list[str]]:
    """Occupations held mostly by women and mostly by men, in the order of Table 1's gender score."""
    table = tsv.frame(HERE / "occupations.tsv").with_columns(pl.col("share_women").cast(pl.Float64))
    listed = table.filter(pl.col("share_women").is_not_null())
    women = listed.filter(pl.col("share_women") >= 50 + MARGIN)["occupation"].to_list()
    men = listed.filter(pl.col("share_women") <= 50 - MARGIN)["occupation"].to_list()
    return {"female": women, "male": men}


def coreference_probes(version: str = CURRENT) -> pl.DataFrame:
    """Every frame with eight pairs of occupations, turned so that referent and order are balanced."""
    people = majorities()
    rows = []
    number = 0
    frames = as_of(tsv.frame(HERE / "coreference.tsv"), "coreference", language="en", version=version, key="code")
    for code, referent, frame in frames.iter_rows():
        for turn in range(PAIRS_PER_FRAME):
            majority = "female" if turn % 2 else "male"
            focuses, others = people[majority], people[OTHER[majority]]
            step = number // 2  # every second pair is about the same majority
            focus = focuses[step % len(focuses)]
            other = others[(step + step // len(others)) % len(others)]
            first, second = (focus, other) if referent == "first" else (other, focus)
            for stereotype, gold in (("pro", majority), ("anti", OTHER[majority])):
                source = frame.format(first=first, second=second, **PRONOUNS[gold])
                at = frame.index("{" + referent + "}") + (len(first) - len("{first}") if referent == "second" else 0)
                name, about = f"{code}-{turn + 1}", {"other_occupation": other, "referent": referent}
                stated = {"gold": gold, "stereotype": stereotype, "pair": name, "occupation": focus}
                rows.append(marked_probe(f"{name}-{stereotype}", source, at, at + len(focus), **stated, **about))
            number += 1
    return pl.DataFrame(rows)


NONE = "none"
_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)
_VOWEL = re.compile(r"^(?:[aeio]|u(?!ni|se|ti|ro)|hour|honest|heir)", re.IGNORECASE)


# A coreference suite again with every adjective before its focus. 66,528 sentences of WinoBias times 21 are not stored:
# the suite makes them slice by slice when they are asked for.


def adjectives(base: str = "", version: str = CURRENT) -> Suite:
    """`occupations-adjectives`, or `occupations-adjectives:winobias:PATH` on another coreference suite."""
    from evenhand.suites.registry import load_suite

    return with_adjectives(load_suite(base) if base else coreference(version), adjective_list(version))


def with_adjectives(base: Suite, words: pl.DataFrame) -> Suite:
    """The base suite plain and with each adjective; a variant's `base` is its plain sentence."""
    return Suite(
        name="occupations-adjectives" if base.name == "occupations-coreference" else f"adjectives-{base.name}",
        version=base.version,
        source_lang="en",
        kind="nouns",
        summary=f"{base.name} plain and with each of {words.height} adjectives before the focus",
        make=lambda: pl.concat(list(stream_adjectives(base, words))),
        clusters=("occupation", "adjective"),
        groupings=Grouping.by("adjective_class", "gold", "stereotype"),
        measures=("TFG", "accuracy", "F1_female", "F1_male", "dG", "dS"),
        citation=CITATION,
    )


def adjective_list(version: str = CURRENT) -> pl.DataFrame:
    """code, adjective, class, male: the spelling where the focus is a man."""
    return as_of(tsv.frame(HERE / "adjectives.tsv"), "adjectives", language="en", version=version, key="code")


def stream_adjectives(base: Suite, words: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The plain sentences, then one slice an adjective."""
    plain = base.probes
    no_text = pl.lit(None, dtype=pl.String)
    yield plain.with_columns(adjective=pl.lit(NONE), adjective_class=pl.lit(NONE), base=no_text)
    spans = plain.select("source", "focus_start", "focus_end", plain["gold"] == Gender.MALE.value)
    for code, word, gender_class, male in words.select("code", "adjective", "class", "male").iter_rows():
        changed = [
            insert(source, start, end, male if of_a_man else word) for source, start, end, of_a_man in spans.iter_rows()
        ]
        yield plain.with_columns(
            id=pl.col("id") + f"-{code}",
            source=pl.Series([text for text, _, _ in changed], dtype=pl.String),
            focus_start=pl.Series([start for _, start, _ in changed], dtype=pl.Int64),
            focus_end=pl.Series([end for _, _, end in changed], dtype=pl.Int64),
            adjective=pl.lit(word),
            adjective_class=pl.lit(gender_class),
            base=pl.col("id"),
        )


def insert(source: str, start: int, end: int, adjective: str) -> tuple[str, int, int]:
    """The sentence with the adjective before its focus (a or an by its first sound), and where the focus is then."""
    before = source[:start]
    article = _ARTICLE.search(before)
    if article:
        written = "an" if _VOWEL.match(adjective) else "a"
        kept = written.capitalize() if article.group(1)[0].isupper() else written
        before = f"{before[: article.start(1)]}{kept} "
    text = f"{before}{adjective} {source[start:]}"
    at = len(before) + len(adjective) + 1
    return text, at, at + end - start
