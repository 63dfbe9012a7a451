"""Every measure of a run by its name.

Another package adds one with an entry point in the group `evenhand.measures`: its name is the measure's, its object
(a class, a function) is called without arguments and makes a Measure of that name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import get_args

from evenhand.errors import BadInput, Unknown
from evenhand.gender import DECIDED, SHARES, Gender
from evenhand.measures.definitions.accuracy import F1, Accuracy, GenderGap, StereotypeGap, WorstAccuracy
from evenhand.measures.definitions.gendered import CorrectShare, FeminineShare, LogRatio, MaleDefault
from evenhand.measures.definitions.mtgeneval import CounterfactualAccuracy, ReferenceAccuracy
from evenhand.measures.definitions.neutrality import Neutrality, Tgbi
from evenhand.measures.definitions.obedience import Interference, Obeyed
from evenhand.measures.definitions.quality import Quality
from evenhand.measures.definitions.shares import Share, StereotypeBias
from evenhand.measures.definitions.speaker import MaleRate, MasculineRate, StereotypeRate
from evenhand.plugins import foreign, load_plugin, plugins, version_of
from evenhand.statistics.measure import Better, Measure

DEFAULT = (*SHARES, "P_S")

_MAKE: dict[str, Callable[[], Measure]] = {
    **{name: partial(Share, Gender(gender)) for name, gender in zip(SHARES, DECIDED, strict=True)},
    "P_S": Neutrality,
    "VBias": MaleDefault,
    "SBias": StereotypeBias,
    "TFG": FeminineShare,
    "TCG": CorrectShare,
    "TCG_female": lambda: CorrectShare("female"),
    "TCG_male": lambda: CorrectShare("male"),
    "accuracy": Accuracy,
    "worst_accuracy": WorstAccuracy,
    "F1_female": lambda: F1("female"),
    "F1_male": lambda: F1("male"),
    "F1_neutral": lambda: F1("neutral"),
    "dG": GenderGap,
    "dG_published": lambda: GenderGap(published=True),
    "dS": StereotypeGap,
    "dS_published": lambda: StereotypeGap(published=True),
    "log_ratio": LogRatio,
    "reference_accuracy": ReferenceAccuracy,
    "counterfactual_accuracy": CounterfactualAccuracy,
    "male_rate": MaleRate,
    "f_m": MasculineRate,
    "f_s": StereotypeRate,
    "obeyed": Obeyed,
    "interference": Interference,
    "TGBI": Tgbi,
    "chrF": lambda: Quality("chrF"),
    "BLEU": lambda: Quality("BLEU"),
}


def names() -> tuple[str, ...]:
    """All measure names, in the order a report shows them."""
    return (*_MAKE, *(name for name in sorted(plugins("measures")) if name not in _MAKE))


def by_name(name: str) -> Measure:
    """The measure of that name; one whose package is missing is an error that names the extra."""
    if name in _MAKE:
        return _MAKE[name]()
    point = plugins("measures").get(name)
    if point is None:
        raise Unknown("measure", name, names())
    maker = load_plugin(point, "measure")
    with foreign("measure", name):
        measure = maker()
    if not isinstance(measure, Measure) or measure.name != name:
        called = f" calls itself {measure.name!r}" if isinstance(measure, Measure) else f" is {measure!r}, no Measure"
        raise BadInput(f"the measure {name} of another package ({version_of(point)}){called}")
    if getattr(measure, "better", None) not in get_args(Better):
        ways = ", ".join(get_args(Better))
        raise BadInput(
            f"the measure {name} of another package ({version_of(point)}) does not say which way is better: {ways}"
        )
    measure.fingerprint = measure.fingerprint or version_of(point)
    return measure
