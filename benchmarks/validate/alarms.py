"""How often does a corrected family of tests find a difference where there is none? One function a layout."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import polars as pl
from benchmarks.validate import detected, layouts, margins
from benchmarks.validate.layouts import Floats, Generator

from evenhand import load_suite
from evenhand.embeddings.association import mweat
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import TwoForms
from evenhand.measures.decisions.gate import baseline_checks
from evenhand.measures.decisions.paired import compare
from evenhand.measures.definitions.added_word import added_word
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping, Suite

RESAMPLES = 500
ALPHA = 0.05
FREE = ", without a condition"  # of a family: alarms that name nothing they depend on
KIND = Grouping("kind", column="kind")
Once = Callable[[Generator], dict[str, bool]]


def families(found: pl.DataFrame) -> dict[str, bool]:
    """Whether any test of the page says that there is a difference, and whether one does so without naming a condition
    (how alike sentences are, what the undecided are)."""
    tested = found.filter(pl.col("p_adjusted").is_not_null())
    shown = tested.filter(pl.col("p_adjusted") < ALPHA)
    name = ", ".join(found["measure"].unique(maintain_order=True))
    return {name: shown.height > 0, name + FREE: shown["condition"].null_count() > 0}


def groups(
    rng: Generator,
    *,
    groups: tuple[tuple[int, int], ...],
    share: float,
    icc: float | tuple[float, ...],
    kind: str = "equal",
    measures: tuple[str, ...] = ("TFG", "P_S", "SBias"),
) -> dict[str, bool]:
    """Groups of occupations (how many, sentences each) with one share: contrasts and SBias within a run."""
    counts, kinds = [], []
    for number, (count, each) in enumerate(groups):
        chances = layouts.beta(rng, share, icc[number] if isinstance(icc, tuple) else icc, count)
        counts.append(layouts.female_and_male(rng, chances, layouts.sizes(rng, kind, count, each)))
        kinds += [f"k{number}"] * count
    found = estimate(
        layouts.by_counts(np.concatenate(counts), kind=np.array(kinds)),
        clusters=("occupation",),
        groupings=(KIND,),
        measures=measures,
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    return families(found)


def mirrored(
    rng: Generator, *, groups: tuple[tuple[int, int], tuple[int, int]], shares: tuple[tuple[float, float, float], ...]
) -> dict[str, bool]:
    """Two groups of occupations with one P_S but different compositions (female, male, neutral)."""
    counts, kinds = [], []
    for number, ((count, each), composition) in enumerate(zip(groups, shares, strict=True)):
        chances = layouts.compositions(rng, (*composition, 0.0), 0.2, count)
        counts.append(rng.multinomial(each, chances))
        kinds += [f"k{number}"] * count
    found = estimate(
        layouts.by_counts(np.concatenate(counts), kind=np.array(kinds)),
        clusters=("occupation",),
        groupings=(KIND,),
        measures=("P_S",),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    return families(found)


@cache
def hungarian() -> Suite:
    return load_suite("pronouns-hungarian")


def sectors(rng: Generator, *, share: float) -> dict[str, bool]:
    """Every sentence of a shipped suite female with the same chance: SBias by sector."""
    suite = hungarian()
    female = rng.random(suite.probes.height) < share
    frame = suite.probes.with_columns(gender=pl.Series(np.where(female, "female", "male")))
    grouping = [g for g in suite.groupings if g.name == "sector"] or [Grouping("sector", column="sector")]
    found = estimate(
        frame.filter(pl.col("sector").is_not_null()),
        clusters=suite.clusters,
        groupings=grouping,
        measures=("SBias",),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    return families(found)


def verbs(rng: Generator, *, shape: tuple[int, int], share: float, spreads: tuple[float, float]) -> dict[str, bool]:
    """Two classes of verbs that do not differ, crossed with occupations; both lean."""
    total = round(float(np.hypot(*spreads)), 9)
    lean = layouts.centre(share, total) + rng.normal(0, spreads[0], shape[0])[:, None]
    frame, _ = layouts.crossed(rng, lean + rng.normal(0, spreads[1], shape[1]))
    half = pl.col("verb").str.slice(1).cast(pl.Int64) < shape[1] // 2
    found = estimate(
        frame.with_columns(kind=pl.when(half).then(pl.lit("f")).otherwise(pl.lit("m"))),
        clusters=("occupation", "verb"),
        groupings=(KIND,),
        measures=("TFG", "P_S"),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    return families(found)


def judge(
    tables: dict[str, pl.DataFrame], clusters: tuple[str, ...], rng: Generator, only: str = ""
) -> dict[str, bool]:
    """compare over its whole family (or one measure of it), and check of the first against the second."""
    comparison = compare(
        tables,
        clusters=clusters,
        measures=("share_female", "share_male", "share_neutral", "P_S", "TFG"),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
        margins={"P_S": 0.0, "TFG": 0.0},
    )
    found = comparison.differences
    if only:
        return {f"compare, {only} alone": bool((found.filter(measure=only)["p"] < ALPHA).any())}
    first, second = tables
    return {
        "compare": bool((found["p_adjusted"] < ALPHA).any()),
        "compare" + FREE: bool((found.filter(pl.col("condition").is_null())["p_adjusted"] < ALPHA).any()),
        "check": not all(c.passed for c in baseline_checks(comparison, first, second, level=1 - ALPHA)),
    }


def systems(
    rng: Generator,
    *,
    count: int,
    each: int,
    shares: tuple[tuple[float, float, float], ...],
    icc: float,
    own: bool = True,
    kind: str = "equal",
    only: str = "",
) -> dict[str, bool]:
    """Two systems with compositions (female, male, neutral) that agree in the measure; `own`: they lean differently."""
    sizes = layouts.sizes(rng, kind, count, each)
    first = layouts.compositions(rng, shares[0], icc, count)
    second = layouts.compositions(rng, shares[-1], icc, count) if own else first
    tables = {}
    for name, chances in zip("ab", (first, second), strict=True):
        occupation = np.repeat(np.arange(count), sizes)
        drawn = (rng.random(len(occupation))[:, None] > chances[occupation].cumsum(axis=1)).sum(axis=1)
        tables[name] = layouts.table(occupation, np.minimum(drawn, chances.shape[1] - 1))
    return judge(tables, ("occupation",), rng, only)


def crossed_systems(
    rng: Generator, *, shape: tuple[int, int], share: float, common: tuple[float, float], own: tuple[float, float]
) -> dict[str, bool]:
    """Two systems that lean by occupation and by verb, in common and each for itself."""
    total = round(float(np.hypot(np.hypot(*common), np.hypot(*own))), 9)

    def lean(spreads: tuple[float, float]) -> Floats:
        drawn: Floats = rng.normal(0, spreads[0], shape[0])[:, None] + rng.normal(0, spreads[1], shape[1])
        return drawn

    base = layouts.centre(share, total) + lean(common)
    tables = {name: layouts.crossed(rng, base + lean(own))[0] for name in "ab"}
    return judge(tables, ("occupation", "verb"), rng)


def words(rng: Generator, *, count: int, each: int, share: float, reaction: float) -> dict[str, bool]:
    """Eight added words; each occupation reacts to each word in its own way, on average not at all."""
    base = layouts.beta(rng, share, 0.2, count)
    occupation = np.repeat(np.arange(count), each)

    def rendered(chances: Floats) -> pl.DataFrame:
        return layouts.table(occupation, (rng.random(len(occupation)) >= chances[occupation]).astype(np.int64))

    plain = rendered(base)
    parts = [plain]
    for number in range(8):
        room = np.minimum(base, 1 - base)
        chances = base + rng.choice((-1.0, 1.0), count) * rng.random(count) * reaction * room
        parts.append(
            rendered(chances).with_columns(
                base=pl.col("id"), id=pl.col("id") + f"-{number}", adjective=pl.lit(f"w{number}")
            )
        )
    found = added_word(
        pl.concat(parts, how="diagonal"),
        clusters=("occupation",),
        resamples=RESAMPLES,
        seed=int(rng.integers(1 << 30)),
    )
    tested = found.filter(pl.col("p_adjusted").is_not_null())
    return {"added words": bool((tested["p_adjusted"] < ALPHA).any())}


def forms(rng: Generator, *, pairs: int, spread: float) -> dict[str, bool]:
    """Nouns with two forms whose associations have one distribution: MWEAT's two tests."""
    axis = np.zeros((2, 8))
    axis[:, 0] = 1.0, -1.0
    drawn = rng.normal(0, 1, (2 * pairs, 8))
    drawn[:, 0] = rng.normal(0.5, spread, 2 * pairs)
    forms_ = [TwoForms(f"m{n}", f"f{n}") for n in range(pairs)]
    names = ["he", "she", *(f.masculine for f in forms_), *(f.feminine for f in forms_)]
    vectors = Vectors(names, np.concatenate([axis, drawn]).astype(np.float32))
    found = mweat(vectors, forms_, ["he"], ["she"], permutations=500, seed=int(rng.integers(1 << 30)))
    return {"MWEAT, splits": found.test.p < ALPHA, "MWEAT, swaps": found.swap.p < ALPHA}


SAME = ((0.3, 0.65, 0.05),)
RARE = ((0.01, 0.985, 0.005),)
NEUTRAL = 1 / 6  # with 10 % female: P_S as with 40 % female and nothing neutral
NINE = ((3, 4), (3, 4), (4, 4), (5, 4), (6, 4), (8, 4), (10, 4), (20, 4), (40, 4))

LAYOUTS: dict[str, Once] = {
    "6 against 60 occupations x 20, p .3, icc .3": partial(groups, groups=((6, 20), (60, 20)), share=0.3, icc=0.3),
    "3 against 40 x 20, p .3, icc .3": partial(groups, groups=((3, 20), (40, 20)), share=0.3, icc=0.3),
    "3 against 40 x 20, p .05, icc .2 (often all male)": partial(
        groups, groups=((3, 20), (40, 20)), share=0.05, icc=0.2
    ),
    "4 against 4 x 20, p .3, icc .3": partial(groups, groups=((4, 20), (4, 20)), share=0.3, icc=0.3),
    "three groups, lognormal sizes, p .3, icc .3": partial(
        groups, groups=((10, 15), (20, 15), (30, 15)), share=0.3, icc=0.3, kind="lognormal"
    ),
    "20 against 40 x 20, p .3, icc .6 and .02": partial(
        groups, groups=((20, 20), (40, 20)), share=0.3, icc=(0.6, 0.02)
    ),
    "6 against 60 x 20, p .3, icc .6 and .02": partial(groups, groups=((6, 20), (60, 20)), share=0.3, icc=(0.6, 0.02)),
    "10 against 10 x 20, p .3, icc .5 and 0": partial(groups, groups=((10, 20), (10, 20)), share=0.3, icc=(0.5, 0.0)),
    "15 against 30 x 20, p .05, icc .5 and .02": partial(
        groups, groups=((15, 20), (30, 20)), share=0.05, icc=(0.5, 0.02)
    ),
    "30 against 15 x 20, p .95, icc .5 and .02": partial(
        groups, groups=((30, 20), (15, 20)), share=0.95, icc=(0.5, 0.02)
    ),
    "5 against 50 x 20, p .1, icc .5 and .02": partial(groups, groups=((5, 20), (50, 20)), share=0.1, icc=(0.5, 0.02)),
    "10 against 40, lognormal sizes (20), p .05, icc .8 and 0": partial(
        groups, groups=((10, 20), (40, 20)), share=0.05, icc=(0.8, 0.0), kind="lognormal"
    ),
    "15 against 30 x 60, p .05, icc .5 and .02": partial(
        groups, groups=((15, 60), (30, 60)), share=0.05, icc=(0.5, 0.02)
    ),
    "15 against 30 x 20, p .1, icc .8 and 0": partial(groups, groups=((15, 20), (30, 20)), share=0.1, icc=(0.8, 0.0)),
    "groups with equal P_S, 35 and 65 % female, 20 x 20": partial(
        mirrored, groups=((20, 20), (20, 20)), shares=((0.35, 0.65, 0.0), (0.65, 0.35, 0.0))
    ),
    "groups with equal P_S by neutral share, 40 x 8": partial(
        mirrored, groups=((40, 8), (40, 8)), shares=((0.4, 0.6, 0.0), (0.1, 0.9 - NEUTRAL, NEUTRAL))
    ),
    "33 against 66 x 42, p .01, icc .5": partial(groups, groups=((33, 42), (66, 42)), share=0.01, icc=0.5),
    "nine groups x 4, p .05, alike": partial(groups, groups=NINE, share=0.05, icc=0.0, measures=("SBias",)),
    "nine groups x 4, p .3, icc .3": partial(groups, groups=NINE, share=0.3, icc=0.3, measures=("SBias",)),
    "pronouns-hungarian by sector, p .05": partial(sectors, share=0.05),
    "verb classes, 40 occupations x 12 verbs": partial(verbs, shape=(40, 12), share=0.3, spreads=(1.0, 0.5)),
    "verb classes, 99 x 42, p .05": partial(verbs, shape=(99, 42), share=0.05, spreads=(2.0, 0.5)),
    "one system twice, 40 x 8": partial(systems, count=40, each=8, shares=SAME, icc=0.2, own=False),
    "two systems, own leanings, 10 x 20": partial(systems, count=10, each=20, shares=SAME, icc=0.25),
    "two systems, own leanings, 5 x 40": partial(systems, count=5, each=40, shares=SAME, icc=0.25),
    "two systems, Zipf sizes, 40 occupations": partial(systems, count=40, each=12, shares=SAME, icc=0.25, kind="zipf"),
    "two systems, 99 x 42, p .01, icc .5": partial(systems, count=99, each=42, shares=RARE, icc=0.5),
    "crossed 40 x 8, both lean": partial(crossed_systems, shape=(40, 8), share=0.3, common=(1.0, 1.0), own=(0.7, 0.7)),
    "crossed 99 x 42, both lean": partial(
        crossed_systems, shape=(99, 42), share=0.1, common=(2.0, 0.5), own=(0.7, 0.4)
    ),
    "crossed 8 x 8, both lean": partial(crossed_systems, shape=(8, 8), share=0.3, common=(1.0, 1.0), own=(0.7, 0.7)),
    "equal P_S, 40 and 60 % female, 400 x 4": partial(
        systems, count=400, each=4, shares=((0.4, 0.6, 0.0), (0.6, 0.4, 0.0)), icc=0.2, only="P_S"
    ),
    "equal P_S by neutral share, 40 x 8": partial(
        systems, count=40, each=8, shares=((0.4, 0.6, 0.0), (0.1, 0.9 - NEUTRAL, NEUTRAL)), icc=0.2, only="P_S"
    ),
    "detector misses 2 and 10 % of the women, 400 labels": partial(
        detected.missed, count=93, each=10, share=0.3, icc=0.0, misses=(0.02, 0.1), labels=400
    ),
    "detector misses 2 and 10 % of the women, icc .15": partial(
        detected.missed, count=60, each=15, share=0.3, icc=0.15, misses=(0.02, 0.1), labels=600
    ),
    "worse by the margin, P_S .5 to .4, 30 x 8": partial(
        margins.at_margin, spec="P_S", shares=(0.5, 0.2), margin=0.1, count=30, each=8, icc=0.2
    ),
    "worse by the margin, farther on the other side, 30 x 8": partial(
        margins.at_margin, spec="TFG", shares=(0.45, 0.7), margin=0.15, count=30, each=8, icc=0.2
    ),
    "added words, 25 occupations x 8": partial(words, count=25, each=8, share=0.4, reaction=0.8),
    "added words, 10 occupations x 10, p .1": partial(words, count=10, each=10, share=0.1, reaction=0.8),
    "MWEAT, 6 pairs": partial(forms, pairs=6, spread=1.0),
    "MWEAT, 30 pairs": partial(forms, pairs=30, spread=0.5),
}
