"""WEAT's test and interval: sets of unequal size and spread, attributes that are a sample too, sets with a topic."""

from __future__ import annotations

import numpy as np

from evenhand.embeddings.association import Weat, weat
from evenhand.embeddings.vectors import Vectors

SIZES = (6, 24, 8, 8)
NAMES = [[f"{side}{n}" for n in range(size)] for side, size in zip("xyab", SIZES, strict=True)]


def drawn(rng: np.random.Generator, *, spreads: tuple[float, float] = (1.0, 1.0), topic: float = 0.0) -> Weat:
    """Target words without any association with the attributes; X may have a topic, which is another direction."""
    dim = 40
    gender = np.zeros(dim)
    gender[0] = 1.0
    x, y = (rng.normal(0, 1, (size, dim)) for size in SIZES[:2])
    for part, spread in ((x, spreads[0]), (y, spreads[1])):
        part[:, 0] *= spread
    x += topic * rng.normal(0, 1, dim)
    a, b = (sign * 3 * gender + rng.normal(0, 1, (size, dim)) for sign, size in ((1, SIZES[2]), (-1, SIZES[3])))
    others = rng.normal(0, 1, (400, dim))
    words = [name for names in NAMES for name in names] + [f"o{n}" for n in range(400)]
    vectors = Vectors(words, np.concatenate([x, y, a, b, others]).astype(np.float32))
    return weat(vectors, *NAMES, seed=1)


def test_the_interval_holds_0_if_and_only_if_p_is_large() -> None:
    found = [drawn(np.random.default_rng([4, n]), topic=1.5) for n in range(40)]
    assert 5 < sum(one.p < 0.05 for one in found) < 35
    for one in found:
        assert (one.p < 0.05) == (one.interval.low > 0 or one.interval.high < 0)


def test_sets_of_unequal_size_and_spread_raise_no_alarm() -> None:
    # the plain permutation test found a difference in 25 % of such sets
    found = [drawn(np.random.default_rng([5, n]), spreads=(3.0, 0.7)) for n in range(80)]
    assert sum(one.p < 0.05 for one in found) <= 9


def test_the_interval_covers_no_association_for_small_sets() -> None:
    found = [drawn(np.random.default_rng([6, n]), spreads=(1.5, 1.0)).interval for n in range(80)]
    assert sum(one.low <= 0 <= one.high for one in found) >= 72


def test_a_set_with_a_topic_of_its_own_is_flagged_and_one_without_is_tested() -> None:
    flagged = [drawn(np.random.default_rng([7, n]), topic=1.5) for n in range(40)]
    alarms = [one for one in flagged if one.p < 0.05]
    assert len(alarms) >= 10
    assert sum(not one.warning for one in alarms) <= 4
    assert "the sets differ in topic" in next(one.warning for one in alarms if one.warning)


def test_sets_without_a_topic_are_seldom_flagged() -> None:
    # a share of unrelated directions alone flagged 96 % of them
    found = [drawn(np.random.default_rng([9, n])) for n in range(60)]
    assert sum(bool(one.warning) for one in found) <= 8


def test_an_association_along_gender_alone_is_found_and_not_flagged() -> None:
    rng = np.random.default_rng(3)
    dim, gender = 40, np.eye(40)[0]
    x, y = (sign * 2 * gender + rng.normal(0, 1, (size, dim)) for sign, size in ((1, 12), (-1, 12)))
    a, b = (sign * 4 * gender + rng.normal(0, 1, (8, dim)) for sign in (1, -1))
    words = [f"{side}{n}" for side, size in zip("xyab", (12, 12, 8, 8), strict=True) for n in range(size)]
    others = rng.normal(0, 1, (400, dim))
    vectors = Vectors([*words, *(f"o{n}" for n in range(400))], np.concatenate([x, y, a, b, others]).astype(np.float32))
    found = weat(vectors, words[:12], words[12:24], words[24:32], words[32:])
    assert found.p < 0.01
    assert found.warning == ""
    assert 0 < found.interval.low < found.interval.value < found.interval.high <= 2
