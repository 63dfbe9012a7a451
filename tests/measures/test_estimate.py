"""Estimates of whole tables: shares, P_S, TGBI, coverage, boundaries, crossed clusters."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evenhand.errors import BadInput, Unknown
from evenhand.measures.definitions.registry import by_name, names
from evenhand.measures.estimate import estimate
from evenhand.storage.tables import ESTIMATES
from evenhand.suites.suite import Grouping

letters = st.text(alphabet="fmnbu", min_size=1, max_size=6)
WORDS = {"f": "female", "m": "male", "n": "neutral", "b": "both", "u": "unknown"}


def table(verdicts: dict[str, str]) -> pl.DataFrame:
    """One cluster (item) a key, one letter a verdict: table({"nurse": "ffm"})."""
    rows = [(f"{item}-{i}", item, WORDS[v]) for item, text in verdicts.items() for i, v in enumerate(text)]
    return pl.DataFrame(rows, schema=["id", "item", "gender"], orient="row")


def value(estimates: pl.DataFrame, measure: str, group: str = "all", level: str = "") -> dict[str, object]:
    rows = estimates.filter((pl.col("measure") == measure) & (pl.col("group") == group) & (pl.col("level") == level))
    assert rows.height == 1
    return rows.row(0, named=True)


def test_both_counts_as_neutral_and_unknown_is_left_out() -> None:
    found = estimate(table({"a": "ffm", "b": "nbu"}), clusters=("item",))
    row = value(found, "P_S")
    assert row["value"] == pytest.approx(math.sqrt(2 / 5 * 1 / 5 + 2 / 5))
    assert (row["n"], row["n_decided"], row["n_clusters"]) == (6, 5, 2)
    assert value(found, "share_both")["value"] == pytest.approx(0.2)


def test_the_table_has_the_schema_of_estimates() -> None:
    found = estimate(table({"a": "fm"}), clusters=("item",))
    assert list(found.schema.items())[: len(ESTIMATES)] == list(ESTIMATES.items())


def test_all_male_gets_an_interval_between_that_of_the_probes_and_that_of_the_clusters() -> None:
    found = estimate(table({f"o{i}": "mmmm" for i in range(30)}), clusters=("item",))
    share = value(found, "share_female")
    assert share["low"] == 0
    probes, clusters = (stats.binomtest(0, n).proportion_ci().high for n in (120, 30))  # Clopper & Pearson
    assert probes < float(str(share["high"])) < clusters
    neutrality = value(found, "P_S")
    assert neutrality["low"] == 0
    assert neutrality["high"] == pytest.approx(math.sqrt(float(str(share["high"]))), rel=0.05)
    assert "does not choose: 120 of 120 decided renderings are male" in str(neutrality["note"])


@settings(max_examples=60, deadline=None)
@given(st.lists(letters, min_size=1, max_size=25))
def test_every_interval_holds_its_value_within_the_bounds_and_has_width(items: list[str]) -> None:
    data = table({f"i{n}": text for n, text in enumerate(items)})
    measures = ("share_female", "share_neutral", "P_S", "TFG", "VBias", "log_ratio")
    found = estimate(data, clusters=("item",), measures=measures, resamples=200)
    for row in found.filter(pl.col("value").is_not_null()).iter_rows(named=True):
        low, high = by_name(row["measure"]).bounds
        if row["low"] is None:
            assert row["interval"].startswith("none: ")
            without_gender = not {"neutral", "both"}.isdisjoint(data["gender"])  # %TFG and others look at the rest only
            assert row["n_clusters"] < 3 or row["n_decided"] < row["n"] or without_gender
            continue
        assert low - 1e-9 <= row["low"] <= row["value"] <= row["high"] <= high + 1e-9
        assert row["high"] > row["low"]
    for row in found.filter(pl.col("value").is_null()).iter_rows(named=True):
        assert row["low"] is None


@settings(max_examples=25, deadline=None)
@given(st.lists(letters, min_size=2, max_size=15), st.randoms())
def test_the_order_of_rows_does_not_matter(items: list[str], random: object) -> None:
    data = table({f"i{n}": text for n, text in enumerate(items)})
    order = list(range(data.height))
    random.shuffle(order)  # type: ignore[attr-defined]
    one = estimate(data, clusters=("item",), resamples=100)
    two = estimate(data[order], clusters=("item",), resamples=100)
    assert one.equals(two)


def test_equal_seeds_give_equal_numbers_and_the_block_size_is_not_seen() -> None:
    data = table({f"o{i}": "fmm" if i % 3 else "mmm" for i in range(40)})
    one, two, three = (estimate(data, clusters=("item",), seed=s, resamples=310) for s in (5, 5, 6))
    assert one.equals(two)
    assert not one.equals(three)


def test_fewer_than_three_clusters_carry_no_interval_and_no_test() -> None:
    data = table({"a1": "ffmm", "a2": "fmmm", "b1": "ffff", "b2": "fffm", "b3": "mfff"})
    data = data.with_columns(kind=pl.col("item").str.slice(0, 1))
    grouping = Grouping("kind", column="kind")
    found = estimate(data, clusters=("item",), groupings=(grouping,), measures=("share_female", "SBias"))
    for measure, level in (("share_female", "a"), ("share_female", "a - b"), ("SBias", "a")):
        row = value(found, measure, "kind", level)
        assert (row["low"], row["high"], row["p"], row["p_adjusted"]) == (None, None, None, None)
        assert row["interval"] == "none: 2 clusters (item) cannot carry an interval"
    assert value(found, "share_female", "kind", "b")["low"] is not None


def test_sentences_of_one_cluster_do_not_count_as_independent() -> None:
    alike = table({f"o{i}": "ffff" if i % 4 == 0 else "mmmm" for i in range(80)})
    mixed = table({f"o{i}": "fmmm" for i in range(80)})
    widths = []
    for data in (alike, mixed.with_columns(item=pl.col("id"))):
        row = value(estimate(data, clusters=("item",), measures=("share_female",)), "share_female")
        widths.append(float(str(row["high"])) - float(str(row["low"])))
    assert widths[0] == pytest.approx(2 * widths[1], rel=0.15)  # four alike are worth one: twice the width


def test_groups_get_rows_differences_and_both_tests(verb_labels: Callable[[str], pl.DataFrame]) -> None:
    found = estimate(
        verb_labels("DeepL"),
        clusters=("occupation", "verb"),
        groupings=(Grouping("verb_class", column="verb_class"),),
        measures=("TFG",),
    )
    assert float(str(value(found, "TFG", "verb_class", "feminine")["value"])) == pytest.approx(0.1194, abs=5e-5)
    row = value(found, "TFG", "verb_class", "feminine - masculine")
    assert row["independent_statistic"] == pytest.approx(33.66, abs=0.005)
    # the pigeonhole bootstrap over occupations and verbs (Owen 2007), rather too wide than too narrow: [2.2, 9.3]
    assert (row["low"], row["high"]) == pytest.approx((0.022, 0.093), abs=0.011)
    assert "occupation x verb" in str(row["interval"])
    assert row["family"] == "groups of this run (1 test, max-T)"


def test_tests_that_disagree_say_so(verb_labels: Callable[[str], pl.DataFrame]) -> None:
    grouping = Grouping("occupation_class", column="occupation_class")
    found = estimate(verb_labels("DeepL"), clusters=("occupation", "verb"), groupings=(grouping,), measures=("TFG",))
    row = value(found, "TFG", "occupation_class", "masculine - neutral")
    assert float(str(row["independent_p"])) < 0.05 < float(str(row["p"]))
    assert "the tests disagree" in str(row["note"])


def test_the_tgbi_of_google_is_the_published_one() -> None:
    # counts of studies.md: the mean of seven P_S is 0.29973
    sets = {
        "inf": (429, 1689, 0), "f": (0, 2111, 7), "imp": (225, 1888, 5), "pol": (204, 1912, 2),
        "neg": (109, 688, 3), "pos": (117, 377, 2), "occ": (203, 2735, 2),
    }  # fmt: skip
    rows = [
        (f"{name}-{gender}-{i}", name, gender)
        for name, counts in sets.items()
        for gender, count in zip(("female", "male", "neutral"), counts, strict=True)
        for i in range(count)
    ]
    data = pl.DataFrame(rows, schema=["id", "set", "gender"], orient="row")
    grouping = Grouping("sets", column="set")
    found = estimate(data, groupings=(grouping,), measures=("TGBI", "P_S"), resamples=50)
    assert round(float(str(value(found, "TGBI")["value"])), 5) == 0.29973
    assert math.floor(float(str(value(found, "P_S", "sets", "occ")["value"])) * 1e4) / 1e4 == 0.2547


def test_overlapping_sets_share_their_sentences() -> None:
    data = table({f"o{i}": "fm" if i % 2 else "nm" for i in range(40)})
    data = data.with_columns(kind=pl.when(pl.col("id").str.ends_with("0")).then(pl.lit("x")).otherwise(pl.lit("y")))
    sets = Grouping("sets", levels={"x": {"kind": "x"}, "y": {"kind": "y"}, "x again": {"kind": "x"}})
    found = estimate(data, clusters=("item",), groupings=(sets,), measures=("P_S", "TGBI"), resamples=200)
    by_set = [float(str(value(found, "P_S", "sets", s)["value"])) for s in ("x", "y", "x again")]
    assert value(found, "TGBI")["value"] == pytest.approx(np.mean(by_set))


def test_sbias_is_the_distance_from_the_systems_own_base_rate() -> None:
    data = table({f"a{i}": "ffmm" for i in range(20)} | {f"b{i}": "mmmm" for i in range(20)})
    data = data.with_columns(group=pl.col("item").str.slice(0, 1))
    found = estimate(data, clusters=("item",), groupings=(Grouping("group", column="group"),), measures=("SBias",))
    assert found.filter(pl.col("group") == "all").height == 0
    assert value(found, "SBias", "group", "a")["value"] == pytest.approx(0.25)
    assert value(found, "SBias", "group", "b")["value"] == pytest.approx(-0.25)
    assert float(str(value(found, "SBias", "group", "a")["p_adjusted"])) < 0.001


def test_alternatives_are_left_out_and_samples_count() -> None:
    data = table({"a": "fm"}).with_columns(candidate=pl.Series([0, 1]))
    assert value(estimate(data, clusters=("item",)), "share_female")["n"] == 1


def test_unknown_names_and_missing_columns_are_errors() -> None:
    with pytest.raises(Unknown, match="P_S"):
        estimate(table({"a": "f"}), measures=("PS",))
    with pytest.raises(BadInput, match="needs the column 'gold'"):
        estimate(table({"a": "f"}), measures=("accuracy",))
    with pytest.raises(Unknown, match="cluster column"):
        estimate(table({"a": "f"}), clusters=("occupation",))
    with pytest.raises(BadInput, match="no rows"):
        estimate(table({"a": "f"}).clear())


def test_every_measure_says_how_to_read_it() -> None:
    for name in names():
        measure = by_name(name)
        assert measure.name == name
        if measure.better == "none":
            assert np.isnan(measure.neutral)  # no direction, no neutral point
        else:
            assert measure.bounds[0] <= measure.neutral <= measure.bounds[1]


def test_a_contrast_has_a_small_p_if_and_only_if_its_interval_leaves_zero_out() -> None:
    for seed in (0, 1, 7, 12, 31):
        rng = np.random.default_rng(seed)
        rows = [
            (f"c{cluster}", kind, "female" if rng.random() < min(1, lean + shift) else "male")
            for cluster, lean in enumerate(rng.beta(0.25, 1.2, 40))
            for kind, shift in (("a", 0.0), ("b", 0.03))
            for _ in range(10)
        ]
        table = pl.DataFrame(rows, schema=["occupation", "kind", "gender"], orient="row")
        table = table.with_columns(id=pl.int_range(pl.len()).cast(pl.String))
        kinds = (Grouping("kind", column="kind"),)
        for level in (0.95, 0.7):
            estimates = estimate(
                table,
                clusters=("occupation",),
                measures=("share_female",),
                groupings=kinds,
                resamples=200,
                level=level,
            )
            row = estimates.filter(level="a - b").row(0, named=True)
            assert (row["low"] <= 0 <= row["high"]) == (row["p"] >= 1 - level)


def test_of_a_run_with_hardly_a_rendering_only_what_counts_the_others_as_wrong_is_told() -> None:
    """The three renderings of a hundred answers would be a balanced, accurate system by themselves."""
    genders = ["female", "male", "male"] + ["unknown"] * 97
    table = pl.DataFrame(
        {
            "id": [f"p{n}" for n in range(100)],
            "occupation": [f"o{n % 20}" for n in range(100)],
            "kind": ["a", "b"] * 50,
            "gold": ["female", "male", "male", *("female", "male") * 48, "female"],
            "gender": genders,
            "valid": [gender != "unknown" for gender in genders],
        }
    )
    kinds = (Grouping("kind", column="kind"),)
    measures = ("accuracy", "dG", "P_S", "share_female")

    def told(table: pl.DataFrame) -> dict[str, float | None]:
        rows = estimate(table, clusters=("occupation",), measures=measures, groupings=kinds, resamples=200)
        assert rows.filter(pl.col("value").is_null() & ~pl.col("interval").str.starts_with("withheld")).is_empty()
        assert rows.filter(pl.col("level").str.contains(" - "))["value"].null_count() in (0, 4)
        return dict(rows.filter(group="all").select("measure", "value").iter_rows())

    assert told(table) == {"accuracy": 0.03, "dG": None, "P_S": None, "share_female": None}
    seen = told(table.with_columns(valid=pl.lit(value=True)))
    assert None not in seen.values()


def test_twelve_sentences_about_one_word_do_not_show_that_a_system_never_chooses() -> None:
    one = estimate(table({"doctor": "m" * 12}), clusters=("item",))
    few = estimate(table({f"o{i}": "m" for i in range(12)}), clusters=("item",))
    assert value(few, "share_male")["low"] == pytest.approx(0.05 ** (1 / 12), abs=0.02)  # mid-P for 12 of 12
    for estimates in (one, few):
        assert "does not choose" not in str(value(estimates, "P_S")["note"])


def test_a_system_is_not_said_never_to_choose_where_the_undecided_could_be_choices() -> None:
    few, many = ({f"o{i}": "m" * 3 + unknown for i in range(40)} for unknown in ("", "u" * 3))
    assert "does not choose" in str(value(estimate(table(few), clusters=("item",)), "P_S")["note"])
    assert "does not choose" not in str(value(estimate(table(many), clusters=("item",)), "P_S")["note"])
