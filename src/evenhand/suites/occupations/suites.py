"""Occupations with stereotyped verbs, with stereotyped adjectives, and in our own sentences of the WinoBias kind: two
occupations, one held mostly by women and one by men, and one pronoun, whose gender agrees with its referent's majority
(pro) or does not (anti)."""

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand import tsv
from evenhand.articles import article
from evenhand.gender import Gender
from evenhand.suites.history import CURRENT, as_of, check_version
from evenhand.suites.suite import Suite, designed, marked_probe

HERE = Path(__file__).resolve().parent
SLOT = "{occupation}"


def verbs() -> Suite:
    """42 verbs x 99 occupations; ids carry both classes (VF01OccF01), as in the paper."""
    classed = tsv.frame(HERE / "occupations.tsv").filter(pl.col("code").is_not_null())
    return designed("occupations-verbs", lambda: verb_probes(tsv.frame(HERE / "verbs.tsv"), classed))


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
        occupation="occupation",
        occupation_class="class_occupation",
        verb="verb",
        verb_class="class",
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
    return designed(NAME, lambda: coreference_probes(version), version=version)


def majorities() -> dict[str, list[str]]:
    """Occupations held mostly by women and mostly by men, in the order of Table 1's gender score."""
    table, share = tsv.frame(HERE / "occupations.tsv"), pl.col("share_women").cast(pl.Float64)
    sides = {"female": share >= 50 + MARGIN, "male": share <= 50 - MARGIN}
    return {gender: table.filter(mostly)["occupation"].to_list() for gender, mostly in sides.items()}


def coreference_probes(version: str = CURRENT) -> pl.DataFrame:
    """Every frame with eight pairs of occupations, turned so that referent and order are balanced."""
    people, rows, number = majorities(), [], 0
    frames = as_of(tsv.frame(HERE / "coreference.tsv"), "coreference", language="en", version=version, key="code")
    for code, referent, frame in frames.iter_rows():
        for turn in range(PAIRS_PER_FRAME):
            majority = "female" if turn % 2 else "male"
            focuses, others = people[majority], people[OTHER[majority]]
            step = number // 2  # every second pair is about the same majority
            focus, other = focuses[step % len(focuses)], others[(step + step // len(others)) % len(others)]
            first, second = (focus, other) if referent == "first" else (other, focus)
            for stereotype, gold in (("pro", majority), ("anti", OTHER[majority])):
                source = frame.format(first=first, second=second, **PRONOUNS[gold])
                at = frame.index("{" + referent + "}") + (len(first) - len("{first}") if referent == "second" else 0)
                name, about = f"{code}-{turn + 1}", {"other_occupation": other, "referent": referent}
                stated = {"gold": gold, "stereotype": stereotype, "pair": name, "occupation": focus}
                rows.append(marked_probe(f"{name}-{stereotype}", source, at, at + len(focus), **stated, **about))
            number += 1
    return pl.DataFrame(rows)


# A coreference suite again with every adjective before its focus. 66,528 sentences of WinoBias times 21 are not stored:
# the suite makes them slice by slice when they are asked for.

_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)


def adjectives(base: str = "", version: str = CURRENT) -> Suite:
    """`occupations-adjectives`, or `occupations-adjectives:winobias:PATH` on another coreference suite: the base suite
    plain and with each adjective; a variant's `base` is its plain sentence."""
    from evenhand.suites.registry import load_suite

    plain, words = load_suite(base) if base else coreference(version), adjective_list(version)
    name = "occupations-adjectives" if plain.name == NAME else f"adjectives-{plain.name}"

    def make() -> pl.DataFrame:
        return pl.concat(list(stream_adjectives(plain, words)))

    about = (plain.name, words.height)
    return designed("occupations-adjectives", make, *about, name=name, version=plain.version)


def adjective_list(version: str = CURRENT) -> pl.DataFrame:
    """code, adjective, class, male: the spelling where the focus is a man."""
    return as_of(tsv.frame(HERE / "adjectives.tsv"), "adjectives", language="en", version=version, key="code")


def stream_adjectives(base: Suite, words: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The plain sentences, then one slice an adjective."""
    plain = base.probes
    yield plain.with_columns(
        adjective=pl.lit("none"), adjective_class=pl.lit("none"), base=pl.lit(None, dtype=pl.String)
    )
    spans = plain.select("source", "focus_start", "focus_end", plain["gold"] == Gender.MALE.value)
    for code, word, gender_class, male in words.select("code", "adjective", "class", "male").iter_rows():
        changed = [insert(text, start, end, male if man else word) for text, start, end, man in spans.iter_rows()]
        places = {name: pl.Int64 if name.startswith("focus") else pl.String for name in spans.columns[:3]}
        yield plain.with_columns(
            pl.DataFrame(changed, schema=places, orient="row"),
            id=pl.col("id") + f"-{code}",
            adjective=pl.lit(word),
            adjective_class=pl.lit(gender_class),
            base=pl.col("id"),
        )


def insert(source: str, start: int, end: int, adjective: str) -> tuple[str, int, int]:
    """The sentence with the adjective before its focus (a or an by its first sound), and where the focus is then."""
    before = source[:start]
    if old := _ARTICLE.search(before):
        right = article(adjective)
        before = f"{before[: old.start(1)]}{right.capitalize() if old[1][0].isupper() else right} "
    at = len(before) + len(adjective) + 1
    return f"{before}{adjective} {source[start:]}", at, at + end - start
