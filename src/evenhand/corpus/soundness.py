"""What speaks against a text: signs that its lines do not belong together, or are not in the languages that were said.

A detector answers for any two lines. Whether an answer means anything is asked here, of some lines of every shard, and
told as shares; where a sign is strong, no share of women is put into words. In Europarl and Tatoeba (English into
German, Spanish, French, Russian) 92 to 99 % of the persons have a known rendering in their own target, and 1 to 14 % in
that of the line before; and where of two neighbouring sources one is longer by half, its target is the longer one in
94 to 99 % (eleven texts, eight languages), with targets moved by a line in 25 to 32 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import polars as pl

from evenhand.corpus.doubts import ReadsNouns
from evenhand.corpus.reading import BROKEN, EMPTY, LONG
from evenhand.detect.validity import Reason, Validity
from evenhand.languages import name_of
from evenhand.pipeline.intake import Taken

LOOKED = 200  # lines or persons of a shard that are looked at
KNOWN = 0.1  # strength of a pair of words from which one is known to render the other
TOLD, STRONG = 0.05, 0.2  # shares from which a sign is told, and from which nothing else is
RENDERED, NOT_RENDERED = 0.8, 0.5  # below: told; below: nothing else is
ORDERED, NOT_ORDERED, ENOUGH = 0.85, 0.65, 20  # the same; neighbours that are needed
LONGER = 1.5  # times, from which one of two neighbours is the longer one
LINES, PAIRS, VALID = "lines read", "distinct pairs", "pairs that are translations"
CAPITALS, ENTITIES, GARBLED = "pairs in capitals", "pairs with letters as &auml; or &#228;", "pairs with letters as Ã¤"
SOURCES, FOREIGN = "sources looked at", "sources looked at that are in another language"
NEIGHBOURS, ALIKE = "neighbours, one with the longer source", "neighbours, the same one with the longer target"
PERSONS, FOUND = "persons looked at", "persons looked at whose target has a word known to render them"
SIGNS = {  # each with the count without which it is not listed
    **{sign: sign for sign in (CAPITALS, ENTITIES, GARBLED)},
    **{SOURCES: FOREIGN, FOREIGN: FOREIGN, NEIGHBOURS: NEIGHBOURS, ALIKE: NEIGHBOURS},
}
_ENTITY = (  # of letters, not of quotes and dashes
    r"(?i)&(?:[a-z](?:uml|acute|grave|circ|tilde|cedil|ring|caron|slash)|szlig|[ao]elig"
    r"|#(?:19[2-9]|[2-5]\d\d|1[01]\d\d)|#x(?:[c-f][\da-f]|0?[124][\da-f]{2}));"
)
_GARBLED = "[ÃÂ][\u0080-\u00bf]|Ã[„–œŸ‚ƒ…†‡ˆ‰Š‹Œ“”‘’•—˜™š›ž]|(?:[ÐÑ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]){2}"


class Remark(NamedTuple):
    """A sentence for the reader; where it is strong, no share is put into words before it is looked into."""

    text: str
    strong: bool


def signs(pairs: pl.DataFrame) -> Counter[str]:
    """Pairs whose letters cannot be read as they should."""
    sides = pl.col("source", "rendering")
    told = pairs.select(
        (pl.col("source").str.contains(r"\p{Lu}\p{Lu}") & ~pl.col("source").str.contains(r"\p{Ll}"))
        .sum()
        .alias(CAPITALS),
        pl.any_horizontal(sides.str.contains(_ENTITY)).sum().alias(ENTITIES),
        pl.any_horizontal(sides.str.contains(_GARBLED)).sum().alias(GARBLED),
    )
    return +Counter(told.row(0, named=True))


def in_order(pairs: pl.DataFrame) -> Counter[str]:
    """Neighbouring pairs of which one has the longer source, and those of them in which it has the longer target."""
    lengths = pairs.select(pl.col("source", "rendering").str.len_chars().cast(pl.Float64))
    beside = lengths.shift(-1)
    source, target = lengths["source"] / beside["source"], lengths["rendering"] / beside["rendering"]
    apart = (source >= LONGER) | (source <= 1 / LONGER)
    return Counter({NEIGHBOURS: int(apart.sum()), ALIKE: int((apart & ((source > 1) == (target > 1))).sum())})


def foreign_sources(pairs: pl.DataFrame, backwards: Validity) -> Counter[str]:
    """How many of some sources are not in their language; `backwards` checks a source as if it were a rendering."""
    some = _some(pairs).select(pl.col("source").alias("rendering"))
    strange = backwards.check(some, distinct=True) == Reason.LANGUAGE.value
    return Counter({SOURCES: some.height, FOREIGN: int(strange.sum())})


def rendered(persons: pl.DataFrame, detector: ReadsNouns) -> Counter[str]:
    """Of some persons, how many have a word in the target that is known to render theirs; none is looked at in a
    language without a table of translations."""
    if not detector.aligner.informed:
        return Counter()
    some, strength = _some(persons), detector.aligner.strength
    known = 0
    for source, start, end, rendering in some.select("source", "focus_start", "focus_end", "rendering").iter_rows():
        tokens = [token.text for token in detector.language.tokens(rendering)]
        known += any(strength(word, token) >= KNOWN for word in source[start:end].lower().split() for token in tokens)
    return Counter({PERSONS: some.height, FOUND: known})


def _some(table: pl.DataFrame) -> pl.DataFrame:
    return table.gather_every(max(1, -(-table.height // LOOKED)))


def funnel(taken: Taken, counts: Counter[str]) -> pl.DataFrame:
    """Step, what, how many: from lines to persons, with every reason why a line was left out."""
    invalid = sorted((name.partition("/")[2], n) for name, n in counts.items() if name.startswith("invalid/"))
    rows = [
        ("text", LINES, taken.lines),
        *(("text", why, n) for why, n in taken.bad.items()),
        ("text", "there before (duplicates)", taken.repeated),
        ("text", PAIRS, taken.distinct),
        *(("check", why, n) for why, n in invalid),
        ("check", VALID, counts["valid"]),
        *(("check", what, counts[what]) for what, where in SIGNS.items() if counts[where]),
        ("check", "words on the source side", sum(n for name, n in counts.items() if name.startswith("words/"))),
        ("person", "pairs with a person", counts["lines with a person"]),
        ("person", "persons", counts["persons"]),
        *(("person", what, counts[what]) for what in (PERSONS, FOUND) if counts[PERSONS]),
    ]
    return pl.DataFrame(rows, schema={"step": pl.String, "what": pl.String, "count": pl.Int64}, orient="row")


def remarks(funnel: pl.DataFrame, source: str) -> list[Remark]:
    """What a reader of the numbers must know first, of a table with the columns step, what and count."""
    counts: dict[str, int] = dict(funnel.select("what", "count").iter_rows())
    of_text = [*_left_out(counts), *_translations(counts, funnel), *_unreadable(counts)]
    return [*of_text, *_strangers(counts, source), *_unpaired(counts)]


def _left_out(counts: Mapping[str, int]) -> Iterator[Remark]:
    for why, remedy in ((EMPTY, ""), (BROKEN, "; save the text as UTF-8 (iconv converts one)"), (LONG, "")):
        n, lines = counts.get(why, 0), counts.get(LINES, 0)
        if n >= TOLD * lines and n:
            yield Remark(f"{_of(n, lines, 'lines')} are left out: {why}{remedy}", n * 2 > lines)


def _translations(counts: Mapping[str, int], funnel: pl.DataFrame) -> Iterator[Remark]:
    pairs, valid = counts.get(PAIRS, 0), counts.get(VALID, 0)
    reasons = funnel.filter((pl.col("step") == "check") & pl.col("what").is_in([reason.value for reason in Reason]))
    why = ", ".join(f"{what} {n:,}" for what, n in reasons.select("what", "count").iter_rows())
    if valid * 2 < pairs:
        yield Remark(
            f"only {valid:,} of {pairs:,} pairs are translations between these languages ({why}); where the sides "
            "stand the other way round, --columns 2,1 turns them (and names other columns)",
            True,
        )
    elif valid < (1 - TOLD) * pairs:
        yield Remark(f"{_of(pairs - valid, pairs, 'pairs')} are no translations and are left out ({why})", False)


def _unreadable(counts: Mapping[str, int]) -> Iterator[Remark]:
    told = {
        CAPITALS: "are in capitals, in which hardly a person is found",
        ENTITIES: "have letters written as HTML (&auml;), which are read as other words: unescape the text first",
        GARBLED: "have letters of a wrong encoding (Ã¤ for ä), which are read as other words: mend the text first",
    }
    for sign, what in told.items():
        n, valid = counts.get(sign, 0), counts.get(VALID, 0)
        if n >= TOLD * valid and n:
            yield Remark(f"{_of(n, valid, 'pairs')} {what}", n >= STRONG * valid)


def _strangers(counts: Mapping[str, int], source: str) -> Iterator[Remark]:
    looked, foreign = counts.get(SOURCES, 0), counts.get(FOREIGN, 0)
    if looked and foreign >= TOLD * looked:
        told = f"{_of(foreign, looked, 'sources that were looked at')} are not in {name_of(source)}"
        yield Remark(told, foreign >= STRONG * looked)


def _unpaired(counts: Mapping[str, int]) -> Iterator[Remark]:
    """Signs that the lines of the two sides do not belong together."""
    beside, alike = counts.get(NEIGHBOURS, 0), counts.get(ALIKE, 0)
    if beside >= ENOUGH and alike < ORDERED * beside:
        told = (
            f"where one of two neighbouring sources is longer, {_of(alike, beside, 'times')} its target is the longer "
            "one (94 to 99 % in text we know): the lines may not belong together"
        )
        yield Remark(told, alike < NOT_ORDERED * beside)
    persons, known = counts.get(PERSONS, 0), counts.get(FOUND, 0)
    if persons and known < RENDERED * persons:
        told = (
            f"only {_of(known, persons, 'persons that were looked at')} have a word in the target that is known to "
            "render them (92 to 99 % in text we know): the lines may not belong together"
        )
        yield Remark(told, known < NOT_RENDERED * persons)


def _of(n: int, whole: int, what: str) -> str:
    return f"{n:,} of {whole:,} {what} ({n / whole:.0%})".replace("%", " %")
