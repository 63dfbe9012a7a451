"""Every measure of a run by its name."""

from __future__ import annotations

from collections.abc import Callable

from evenhand.errors import Unknown
from evenhand.gender import Gender
from evenhand.measures.accuracy import F1, Accuracy, GenderGap, StereotypeGap
from evenhand.measures.gendered import CorrectShare, FeminineShare, LogRatio, MaleDefault
from evenhand.measures.mtgeneval import CounterfactualAccuracy, ReferenceAccuracy
from evenhand.measures.neutrality import Neutrality, Tgbi
from evenhand.measures.shares import Share, StereotypeBias
from evenhand.statistics.measure import Measure

DEFAULT = ("share_female", "share_male", "share_neutral", "share_both", "P_S")

_MAKE: dict[str, Callable[[], Measure]] = {
    "share_female": lambda: Share(Gender.FEMALE),
    "share_male": lambda: Share(Gender.MALE),
    "share_neutral": lambda: Share(Gender.NEUTRAL),
    "share_both": lambda: Share(Gender.BOTH),
    "P_S": Neutrality,
    "VBias": MaleDefault,
    "SBias": StereotypeBias,
    "TFG": FeminineShare,
    "TCG": CorrectShare,
    "TCG_female": lambda: CorrectShare("female"),
    "TCG_male": lambda: CorrectShare("male"),
    "accuracy": Accuracy,
    "F1_female": lambda: F1("female"),
    "F1_male": lambda: F1("male"),
    "F1_neutral": lambda: F1("neutral"),
    "dG": GenderGap,
    "dG_published": lambda: GenderGap(published=True),
    "dS": StereotypeGap,
    "log_ratio": LogRatio,
    "reference_accuracy": ReferenceAccuracy,
    "counterfactual_accuracy": CounterfactualAccuracy,
    "TGBI": Tgbi,
}


def names() -> tuple[str, ...]:
    """All measure names, in the order a report shows them."""
    return tuple(_MAKE)


def by_name(name: str) -> Measure:
    """The measure of that name."""
    if name not in _MAKE:
        raise Unknown("measure", name, names())
    return _MAKE[name]()
