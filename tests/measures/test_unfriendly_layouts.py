"""What went wrong in layouts that are unkind to a statistic, each with fixed seeds (make validate has the long run)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest

from evenhand.measures.definitions.added_word import added_word
from evenhand.measures.definitions.optimal import optimal_measures
from evenhand.measures.estimate import estimate
from evenhand.suites.suite import Grouping

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def renderings(chances: Floats, each: int, rng: np.random.Generator, group: list[str] | None = None) -> pl.DataFrame:
    """One cluster a chance of female, `each` sentences in it."""
    female = rng.random((len(chances), each)) < np.asarray(chances)[:, None]
    rows = [
        (f"{o}-{n}", f"o{o:03}", group[o] if group else "all", "female" if female[o, n] else "male")
        for o, n in np.ndindex(female.shape)
    ]
    return pl.DataFrame(rows, schema=["id", "occupation", "kind", "gender"], orient="row")


def beta(rng: np.random.Generator, share: float, icc: float, count: int) -> Floats:
    """Chances of clusters with this mean and this correlation between two sentences of one cluster."""
    scale = (1 - icc) / icc
    return rng.beta(share * scale, (1 - share) * scale, size=count)


def seeded(count: int) -> Iterator[np.random.Generator]:
    return (np.random.default_rng([2026, n]) for n in range(count))


@pytest.mark.parametrize(
    ("clusters", "each", "share", "icc"),
    [(5, 40, 0.3, 0.3), (33, 42, 0.01, 0.5), (33, 42, 0.005, 0.5), (99, 42, 0.01, 0.5)],
)
def test_intervals_cover_with_few_clusters_and_with_rare_outcomes(
    clusters: int, each: int, share: float, icc: float
) -> None:
    # they covered .42, .57 to .70, .67 and .81
    covered = 0
    for rng in seeded(60):
        data = renderings(beta(rng, share, icc, clusters), each, rng)
        row = estimate(data, clusters=("occupation",), measures=("share_female",), resamples=500).row(0, named=True)
        covered += row["low"] <= share <= row["high"]
    assert covered >= 53


def test_occupations_that_are_all_or_nothing_vary_as_much_as_so_many_coins() -> None:
    # the design effect was cut at that of clusters seen to be alike, so that it was always taken for smaller: .886
    covered = 0
    for rng in seeded(120):
        data = renderings((rng.random(40) < 0.5).astype(float), 10, rng)
        row = estimate(data, clusters=("occupation",), measures=("share_female",), resamples=500).row(0, named=True)
        covered += row["low"] <= 0.5 <= row["high"]
    assert covered >= 111


def test_a_few_occupations_of_many_times_the_usual_size_leave_an_interval_that_holds() -> None:
    # sizes like 1, 1/2, 1/3, ...; one correlation for all sizes makes intervals of .25, but holds rare women in 231 of
    # 250 runs only
    sizes = np.maximum(1, np.round(256 / np.arange(1, 61))).astype(int)
    widths, covered = [], 0
    for rng in seeded(40):
        chances = beta(rng, 0.3, 0.2, 60)
        occupation = np.repeat(np.arange(60), sizes)
        gender = np.where(rng.random(len(occupation)) < chances[occupation], "female", "male")
        data = pl.DataFrame({"occupation": occupation, "gender": gender}).with_row_index("id")
        row = estimate(data, clusters=("occupation",), measures=("share_female",), resamples=500).row(0, named=True)
        widths.append(row["high"] - row["low"])
        covered += row["low"] <= 0.3 <= row["high"]
    assert covered >= 36
    assert np.mean(widths) < 0.3


def test_groups_of_one_base_rate_raise_no_alarm() -> None:
    # every sentence female with the same chance: some corrected alarm stood in 40 of 40 runs
    kinds = [f"k{n}" for n, size in enumerate((3, 3, 4, 5, 6, 8, 10, 20, 40)) for _ in range(size)]
    grouping = Grouping("kind", column="kind")
    alarms = 0
    for rng in seeded(40):
        data = renderings(np.full(len(kinds), 0.05), 4, rng, kinds)
        found = estimate(data, clusters=("occupation",), groupings=(grouping,), measures=("SBias",), resamples=400)
        alarms += bool((found["p_adjusted"] < 0.05).any())
    assert alarms <= 5


def test_a_group_that_is_all_male_is_not_surprising_where_women_are_rare() -> None:
    rng = np.random.default_rng(1)
    data = renderings(np.r_[np.zeros(4), np.full(60, 0.05)], 2, rng, ["forces"] * 4 + ["other"] * 60)
    grouping = Grouping("kind", column="kind")
    found = estimate(data, clusters=("occupation",), groupings=(grouping,), measures=("SBias", "share_female"))
    row = found.filter((pl.col("measure") == "SBias") & (pl.col("level") == "forces")).row(0, named=True)
    assert row["value"] < 0 < row["high"]
    assert row["p"] > 0.2
    assert found.filter(pl.col("level") == "forces - other")["p"][0] > 0.2


@pytest.mark.parametrize(("few", "many"), [(6, 60), (3, 40), (4, 4)])
def test_few_clusters_against_many_keep_the_level_and_the_coverage(few: int, many: int) -> None:
    # false alarms were 13 and 15 %, the interval of 4 against 4 covered .55
    alarms = covered = 0
    grouping = Grouping("kind", column="kind")
    for rng in seeded(60):
        data = renderings(beta(rng, 0.3, 0.3, few + many), 20, rng, ["a"] * few + ["b"] * many)
        found = estimate(data, clusters=("occupation",), groupings=(grouping,), measures=("TFG",), resamples=400)
        row = found.filter(pl.col("level") == "a - b").row(0, named=True)
        alarms += row["p"] < 0.05
        covered += row["low"] <= 0 <= row["high"]
    assert alarms <= 7
    assert covered >= 53


def test_a_contrast_holds_where_one_group_answers_alike_within_occupations_and_the_other_does_not() -> None:
    # each group's interval borrowed the other's design effect: it covered .81
    covered = 0
    grouping = Grouping("kind", column="kind")
    for rng in seeded(60):
        chances = np.r_[beta(rng, 0.05, 0.5, 15), beta(rng, 0.05, 0.02, 30)]
        data = renderings(chances, 20, rng, ["a"] * 15 + ["b"] * 30)
        found = estimate(data, clusters=("occupation",), groupings=(grouping,), measures=("TFG",), resamples=400)
        row = found.filter(pl.col("level") == "a - b").row(0, named=True)
        covered += row["low"] <= 0 <= row["high"]
    assert covered >= 54


def test_a_group_that_hardly_shows_a_woman_is_no_alarm_and_one_without_any_can_be() -> None:
    # occupations of the first group are nearly all alike, which those with no woman cannot show: 21 of 80 alarms
    grouping, kinds = Grouping("kind", column="kind"), ["a"] * 30 + ["b"] * 30

    def alarms(first: float) -> int:
        count = 0
        for rng in seeded(60):
            rare = beta(rng, first, 0.5, 30) if first else np.zeros(30)
            data = renderings(np.r_[rare, beta(rng, first or 0.1, 0.02, 30)], 20, rng, kinds)
            found = estimate(data, clusters=("occupation",), groupings=(grouping,), measures=("TFG",), resamples=400)
            count += bool((found["p_adjusted"] < 0.05).any())
        return count

    assert alarms(0.02) <= 6
    assert alarms(0.0) >= 48


@pytest.mark.parametrize(("few", "many", "share"), [(15, 60, 0.05), (5, 50, 0.1)])
def test_few_women_in_occupations_that_are_unequally_alike_are_no_alarm(few: int, many: int, share: float) -> None:
    # arrangements of occupations counted for half (15 against 60: 13 of 100) or for all (5 against 50: 30 of 100)
    grouping, kinds, alarms = Grouping("kind", column="kind"), ["a"] * few + ["b"] * many, 0
    for rng in seeded(100):
        data = renderings(np.r_[beta(rng, share, 0.5, few), beta(rng, share, 0.02, many)], 20, rng, kinds)
        found = estimate(data, clusters=("occupation",), groupings=(grouping,), measures=("TFG",), resamples=300)
        alarms += bool((found["p_adjusted"] < 0.05).any())
    assert alarms <= 8


@pytest.mark.parametrize(("few", "share", "least"), [(15, 0.1, 52), (5, 0.3, 52)])
def test_a_group_that_is_all_male_is_still_found_to_differ(few: int, share: float, least: int) -> None:
    grouping, kinds, found = Grouping("kind", column="kind"), ["a"] * few + ["b"] * 40, 0
    for rng in seeded(60):
        data = renderings(np.r_[np.zeros(few), beta(rng, share, 0.1, 40)], 20, rng, kinds)
        table = estimate(data, clusters=("occupation",), groupings=(grouping,), measures=("TFG",), resamples=300)
        found += bool((table["p_adjusted"] < 0.05).any())
    assert found >= least


def test_groups_that_mirror_each_other_have_one_p_s_and_rare_ones_can_differ() -> None:
    grouping = Grouping("kind", column="kind")
    alarms = 0
    for rng in seeded(40):
        chances = np.r_[beta(rng, 0.35, 0.2, 20), beta(rng, 0.65, 0.2, 20)]
        data = renderings(chances, 20, rng, ["a"] * 20 + ["b"] * 20)
        found = estimate(data, clusters=("occupation",), groupings=(grouping,), measures=("P_S",), resamples=400)
        alarms += found.filter(pl.col("level") == "a - b")["p"][0] < 0.05
    assert alarms <= 6
    # on one side of the turning point P_S says what the share says; it took the larger of two p-values
    rng = np.random.default_rng(3)
    data = renderings(np.r_[np.zeros(33), np.full(66, 0.03)], 20, rng, ["a"] * 33 + ["b"] * 66)
    found = estimate(data, clusters=("occupation",), groupings=(grouping,), measures=("P_S", "share_female"))
    p = dict(found.filter(pl.col("level") == "a - b").select("measure", "p").iter_rows())
    assert p["P_S"] == pytest.approx(p["share_female"], abs=0.002)
    assert p["P_S"] < 0.05


def test_words_that_change_nothing_on_average_are_not_found_to_change() -> None:
    # reactions differ by occupation and average zero: McNemar's test called 23 % of the words
    alarms = words = covered = 0
    for rng in seeded(12):
        base = beta(rng, 0.4, 0.2, 25)
        plain = renderings(base, 8, rng).with_columns(
            base=pl.lit(None, dtype=pl.String), adjective=pl.lit(None, dtype=pl.String)
        )
        parts = [plain]
        for word in ("good", "bad", "clever", "tired"):
            reaction = np.clip(base + rng.normal(0, 0.2, 25) * np.minimum(base, 1 - base) * 2, 0, 1)
            changed = renderings(reaction, 8, rng).with_columns(base=pl.col("id"), adjective=pl.lit(word))
            parts.append(changed.with_columns(id=pl.col("id") + f"-{word}"))
        found = added_word(pl.concat(parts, how="diagonal"), clusters=("occupation",), resamples=400)
        alarms += int((found["p"] < 0.05).sum())
        covered += int(((found["low"] <= 0) & (found["high"] >= 0)).sum())
        words += found.height
    assert words == 48
    assert alarms <= 6
    assert covered >= 43


def test_the_mean_of_b_covers_though_few_occupations_carry_half_of_it() -> None:
    # 60 occupations drawn from many, of which a few have nearly no women: it covered .67
    rng = np.random.default_rng(5)
    shares = np.exp(rng.normal(-1.7, 1.3, 4_000)).clip(0.005, 0.49)
    truth = 0.3 * float(((1 - 2 * shares) / shares).mean())
    covered = 0
    for draw in seeded(50):
        chosen = draw.choice(shares, 60)
        wrong = beta(draw, 0.3, 0.5, 60)
        data = renderings(wrong, 3, draw).with_columns(concept=pl.col("occupation"))
        known = pl.DataFrame({"concept": [f"o{n:03}" for n in range(60)], "share_women": chosen})
        measure = [m for m in optimal_measures() if m.name == "B_mean"]
        row = estimate(data.join(known, on="concept"), clusters=("concept",), measures=measure).row(0, named=True)
        covered += row["low"] <= truth <= row["high"]
    assert covered >= 44


def test_a_single_occupation_can_be_named_as_carrying_the_mean_of_b_and_the_median_does_not_follow_it() -> None:
    shares = [0.3] * 30 + [0.001]
    data = pl.DataFrame(
        {"id": [str(n) for n in range(31)], "concept": [f"o{n}" for n in range(31)], "gender": ["female"] * 31}
    ).with_columns(share_women=pl.Series(shares))
    found = estimate(data, clusters=("concept",), measures=optimal_measures()[:4])
    values = dict(found.select("measure", "value").iter_rows())
    assert values["B_mean"] > 30
    assert values["B_median"] == pytest.approx(4 / 3)
    assert values["B_trimmed"] == pytest.approx(4 / 3)
    assert np.log(7 / 3) < values["B_log"] < np.log(7 / 3) + 0.3
    assert found["interval"][0] == "stake-weighted share of wrong pronouns, 1 effective of 31 occupations"


@pytest.mark.parametrize("measure", ["share_female", "P_S", "TFG", "accuracy"])
@pytest.mark.parametrize("lost", [("x",), ("y",), ("x", "y")])
def test_an_occupation_without_a_verdict_in_one_group_or_both_does_not_stop_the_contrast(
    measure: str, lost: tuple[str, ...]
) -> None:
    # the last occupation had a code but no decided rendering: the differences of the groups did not fit together
    rng = np.random.default_rng(7)
    data = renderings(np.full(24, 0.4), 10, rng).with_columns(
        occupation=(pl.int_range(pl.len()) // 20).cast(pl.String).str.zfill(2),
        kind=pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("x")).otherwise(pl.lit("y")),
        gold=pl.lit("female"),
    )
    last = pl.col("occupation") == data["occupation"].max()
    data = data.with_columns(
        gender=pl.when(last & pl.col("kind").is_in(lost)).then(pl.lit("unknown")).otherwise("gender")
    )
    rows = estimate(
        data, clusters=("occupation",), groupings=(Grouping("kind", "kind"),), measures=(measure,), resamples=500
    )
    contrast = rows.filter(pl.col("level") == "x - y").row(0, named=True)
    assert 0 < contrast["p"] <= 1
