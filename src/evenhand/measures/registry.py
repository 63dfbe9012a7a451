"""Every measure of a run by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.measures.neutrality import Neutrality, Tgbi
from evenhand.measures.protocol import Measure
from evenhand.measures.shares import Share
from evenhand.suites.suite import Grouping

SETS = "sets"  # the grouping whose levels are the sets of the TGBI

_PLAIN: dict[str, Callable[[], Measure]] = {
    "share_female": lambda: Share(Gender.FEMALE),
    "share_male": lambda: Share(Gender.MALE),
    "share_neutral": lambda: Share(Gender.NEUTRAL),
    "share_both": lambda: Share(Gender.BOTH),
    "P_S": Neutrality,
}

DEFAULT = ("share_female", "share_male", "share_neutral", "share_both", "P_S")


def names() -> tuple[str, ...]:
    """All measure names, in the order a report shows them."""
    return (*_PLAIN, "TGBI")


def by_name(name: str, *, groupings: Sequence[Grouping] = ()) -> Measure:
    """The measure of that name. TGBI takes its sets from the suite: the grouping named "sets", else all."""
    if name == "TGBI":
        return Tgbi([g for g in groupings if g.name == SETS] or groupings)
    if name not in _PLAIN:
        raise Unknown("measure", name, names())
    return _PLAIN[name]()
