"""What speaks against a text: signs that its lines do not belong together, or are not in the languages that were said.

A detector answers for any two lines. Whether an answer means anything is checked here, on some lines of every shard;
where a sign is strong, the page describes no share of women. In Europarl and Tatoeba (English into
German, Spanish, French, Russian) 92 to 99 % of the persons have a known rendering in their own target, and 1 to 14 % in
that of the line before; and where of two neighbouring sources one is longer by half, its target is the longer one in
94 to 99 % (eleven texts, eight languages), with targets moved by a line in 25 to 32 %.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import NamedTuple

import polars as pl

from evenhand.detect.nouns import NounDetector
from evenhand.detect.validity import Reason, Validity
from evenhand.languages import name_of
from evenhand.pipeline.intake import Taken
from evenhand.tsv import rows

DATA = files("evenhand.corpus") / "data"
LOOKED = 200  # lines or persons of a shard that are looked at
KNOWN = 0.1  # strength of a pair of words from which one is known to render the other
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
    """A sentence for the reader; where it is strong, no share is described before it is looked into."""

    text: str
    strong: bool


def signs(pairs: pl.DataFrame) -> Counter[str]:
    """Pairs whose letters cannot be read as they should."""
    sides = pl.col("source", "rendering")
    signs_of = {
        CAPITALS: pl.col("source").str.contains(r"\p{Lu}\p{Lu}") & ~pl.col("source").str.contains(r"\p{Ll}"),
        ENTITIES: pl.any_horizontal(sides.str.contains(_ENTITY)),
        GARBLED: pl.any_horizontal(sides.str.contains(_GARBLED)),
    }
    return +Counter(pairs.select(sign.sum().alias(name) for name, sign in signs_of.items()).row(0, named=True))


def in_order(pairs: pl.DataFrame) -> Counter[str]:
    """Neighbouring pairs of which one has the longer source, and those of them in which it has the longer target."""
    lengths = pairs.select(pl.col("source", "rendering").str.len_chars().cast(pl.Float64))
    beside = lengths.shift(-1)
    source, target = lengths["source"] / beside["source"], lengths["rendering"] / beside["rendering"]
    differ = (source >= LONGER) | (source <= 1 / LONGER)
    return Counter({NEIGHBOURS: int(differ.sum()), ALIKE: int((differ & ((source > 1) == (target > 1))).sum())})


def foreign_sources(pairs: pl.DataFrame, backwards: Validity) -> Counter[str]:
    """How many of some sources are not in their language; `backwards` checks a source as if it were a rendering."""
    some = _some(pairs).select(pl.col("source").alias("rendering"))
    strange = backwards.check(some, distinct=True) == Reason.LANGUAGE.value
    return Counter({SOURCES: some.height, FOREIGN: int(strange.sum())})


def rendered(persons: pl.DataFrame, detector: NounDetector) -> Counter[str]:
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
    steps = [
        ("text", LINES, taken.lines),
        *(("text", why, n) for why, n in taken.bad.items()),
        ("text", "already present (duplicates)", taken.repeated),
        ("text", PAIRS, taken.distinct),
        *(("check", why, n) for why, n in invalid),
        ("check", VALID, counts["valid"]),
        *(("check", what, counts[what]) for what, where in SIGNS.items() if counts[where]),
        ("check", "words on the source side", sum(n for name, n in counts.items() if name.startswith("words/"))),
        ("person", "pairs with a person", counts["lines with a person"]),
        ("person", "persons", counts["persons"]),
        *(("person", what, counts[what]) for what in (PERSONS, FOUND) if counts[PERSONS]),
    ]
    return pl.DataFrame(steps, schema={"step": pl.String, "what": pl.String, "count": pl.Int64}, orient="row")


def remarks(funnel: pl.DataFrame, source: str) -> list[Remark]:
    """What a reader of the numbers must know first, of a table with the columns step, what and count: signs.tsv says
    from which share on a sign is mentioned and strong (or below which, where `strong` is the smaller one)."""
    counts: dict[str, int] = dict(funnel.select("what", "count").iter_rows())
    made = list(_translations(counts, funnel))
    for row in rows(DATA / "signs.tsv"):
        n, whole = counts.get(row["count"], 0), counts.get(row["whole"], 0)
        said, strong, share = float(row["said"]), float(row["strong"]), n / max(whole, 1)
        rising = strong > said
        if whole >= int(row["enough"]) and (n and share >= said if rising else share < said):
            text = row["text"].format(_of(n, whole, row["cases"]), language=name_of(source))
            made.append(Remark(text, share >= strong if rising else share < strong))
    return made


def _translations(counts: Mapping[str, int], funnel: pl.DataFrame) -> Iterator[Remark]:
    pairs, valid = counts.get(PAIRS, 0), counts.get(VALID, 0)
    reasons = funnel.filter((pl.col("step") == "check") & pl.col("what").is_in([reason.value for reason in Reason]))
    why = ", ".join(f"{what} {n:,}" for what, n in reasons.select("what", "count").iter_rows())
    if valid * 2 < pairs:
        text = f"only {valid:,} of {pairs:,} pairs are translations between these languages ({why}); if the sides are "
        yield Remark(f"{text}swapped, use --columns 2,1 (it also names other columns)", True)
    elif valid < 0.95 * pairs:
        yield Remark(f"{_of(pairs - valid, pairs, 'pairs')} are no translations and are left out ({why})", False)


def _of(n: int, whole: int, what: str) -> str:
    return f"{n:,} of {whole:,} {what} ({n / whole:.0%})".replace("%", " %")
