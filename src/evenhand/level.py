"""The one confidence level behind every interval: its default, its quantiles and its words. A run's own level is in its
manifest; ALPHA is that of the default."""

from typing import TypedDict

from evenhand.errors import BadInput

LEVEL = 0.95
ALPHA = 0.05


class Resampling(TypedDict, total=False):
    """The keywords of everything that estimates with an interval."""

    seed: int
    resamples: int
    level: float


def check_level(level: float) -> float:
    """The level itself, if it is one: a share from a half up to, but not including, one."""
    if not 0.5 <= level < 1:
        raise BadInput(f"a confidence level must be between 0.5 and 1 (0.95: 95 %), not {level:g}")
    return level


def alpha_of(level: float) -> float:
    """The p below which a finding of this level is significant: 0.95 gives 0.05, not 0.050000000000000044."""
    return round(1 - level, 12)


def tails(level: float) -> tuple[float, float]:
    """The two quantiles between which an interval of this level lies: 0.95 gives 0.025 and 0.975."""
    check_level(level)
    return round((1 - level) / 2, 12), round((1 + level) / 2, 12)  # 0.025, not 0.025000000000000022


def interval_words(*levels: float) -> str:
    """What an interval is called: "95 % interval"; over results of different levels "95 % or 90 % interval"."""
    return " or ".join(f"{100 * level:.4g} %" for level in dict.fromkeys(levels)) + " interval"
