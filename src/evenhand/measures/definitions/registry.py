"""Every measure of a run by its name.

Another package adds one with an entry point in the group `evenhand.measures`: its name is the measure's, its object
(a class, a function) is called without arguments and makes a Measure of that name.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import TypeVar, get_args

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


Own = TypeVar("Own", bound=Measure | type[Measure])
_OWN: dict[str, tuple[Callable[[], Measure], str]] = {}  # what a script or a notebook defined, with its fingerprint


def measure(defined: Own) -> Own:
    """A measure of a script or a notebook cell, known by its name from now on, as one of another package would be.

    A decorator for a class that is made without arguments, or a call with a measure. Defining it again replaces it; the
    signature has a hash of its code.
    """
    kind = defined if isinstance(defined, type) else type(defined)
    name = str(getattr(defined, "name", ""))
    if not issubclass(kind, Measure) or not name:
        raise BadInput(f"{kind.__name__} is no measure: it needs a name and evenhand.Counted (or Measure) as its base")
    if name in _MAKE:
        raise BadInput(f"{name} is a measure of Evenhand: give yours another name")
    if getattr(defined, "better", None) not in get_args(Better):
        raise BadInput(f"the measure {name} does not say which way is better: {', '.join(get_args(Better))}")
    code = [_code(key, value) for key, value in sorted(vars(kind).items()) if not key.startswith("__")]
    made: Callable[[], Measure] = defined if isinstance(defined, type) else lambda: copy(defined)
    _OWN[name] = made, f"defined-{hashlib.sha256(repr(code).encode()).hexdigest()[:8]}"
    return defined


def _code(name: str, value: object) -> str:
    """A part of a class as it was written; of what was typed at a prompt the name only."""
    try:
        return inspect.getsource(value) if inspect.isfunction(value) else f"{name}={value!r}"
    except OSError:
        return name


def name_of(given: str | Measure | type[Measure]) -> str:
    """The name of a measure that is given by it, as a manifest has it (NAME#...), or as the measure itself."""
    return given.partition("#")[0] if isinstance(given, str) else measure(given).name


def names() -> tuple[str, ...]:
    """All measure names, in the order a report shows them."""
    return (*_MAKE, *(name for name in sorted({*plugins("measures"), *_OWN}) if name not in _MAKE))


def by_name(name: str) -> Measure:
    """The measure of that name; one whose package is missing is an error that names the extra."""
    if name in _MAKE:
        return _MAKE[name]()
    if name in _OWN:
        make, fingerprint = _OWN[name]
        own = make()
        own.fingerprint = own.fingerprint or fingerprint
        return own
    point = plugins("measures").get(name)
    if point is None:
        raise Unknown("measure", name, names())
    maker = load_plugin(point, "measure")
    with foreign("measure", name):
        made = maker()
    if not isinstance(made, Measure) or made.name != name:
        called = f" calls itself {made.name!r}" if isinstance(made, Measure) else f" is {made!r}, no Measure"
        raise BadInput(f"the measure {name} of another package ({version_of(point)}){called}")
    if getattr(made, "better", None) not in get_args(Better):
        ways = ", ".join(get_args(Better))
        raise BadInput(
            f"the measure {name} of another package ({version_of(point)}) does not say which way is better: {ways}"
        )
    made.fingerprint = made.fingerprint or version_of(point)
    return made
