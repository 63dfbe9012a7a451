"""Measures with the direction a user gives them: `share_male:lower`, `share_female:nearer=0.5`, or plain `P_S`.

A share has no direction, because more or fewer of one gender can be right or wrong; who gates a release on
one has to say which way is better.
"""

from copy import copy
from typing import get_args

from evenhand.errors import BadInput, Unknown
from evenhand.measures.definitions import registry
from evenhand.statistics.measure import Better, Measure

UNITS = ("%", "points")  # both are hundredths


def directed(spec: str) -> Measure:
    """The measure of `NAME` with its own direction, or of `NAME:higher`, `:lower`, `:nearer=X` with that one."""
    name, colon, way = spec.partition(":")
    measure = registry.by_name(name)
    if not colon:
        return measure
    word, equals, point = way.partition("=")
    chosen = next((better for better in get_args(Better) if better == word), None)
    if chosen is None:
        raise Unknown(f"direction of {name}", word, get_args(Better))
    if (chosen == "nearer") != bool(equals):
        raise BadInput(f"{spec!r}: nearer needs its point, as in {name}:nearer=0.5, and no other direction has one")
    neutral = amount(point) if equals else float("nan")
    if neutral is None:
        raise BadInput(f"{spec!r}: {point!r} is not a number")
    turned = copy(measure)
    turned.better, turned.neutral = chosen, neutral
    return turned


def margin(text: str) -> tuple[str, float]:
    """Measure and margin of `NAME=0.02`, `NAME=2%` or `NAME=2points`; a margin is above 0."""
    name, equals, size = text.partition("=")
    if not equals:
        raise BadInput(f"{text!r} is not MEASURE=MARGIN, as in P_S=0.02 or accuracy=2%")
    if name not in registry.names():
        raise Unknown("measure", name, registry.names())
    value = amount(size)
    if value is None or not value > 0:
        raise BadInput(f"the margin of {name} must be a number above 0 (0.02, 2% or 2points), not {size!r}")
    check_margin(name, value)
    return name, value


def check_margin(name: str, size: float) -> None:
    """Refuse a margin as wide as all the values a measure can have: no system could ever be worse by more than that."""
    lowest, highest = registry.by_name(name).bounds
    if size >= highest - lowest:
        meant = f": for {size:g} points write {name}={size:g}points" if 1 <= size < 100 * (highest - lowest) else ""
        raise BadInput(f"{size:g} is not a margin for {name}, which goes from {lowest:g} to {highest:g}{meant}")


def amount(text: str) -> float | None:
    """The number behind `0.02`, `2 %` or `2 points` (hundredths); None where it is none."""
    unit = next((unit for unit in UNITS if text.strip().endswith(unit)), "")
    try:
        return float(text.strip().removesuffix(unit)) / (100 if unit else 1)
    except ValueError:
        return None
