"""Every measure of a run by its name.

Another package adds one with an entry point in the group `evenhand.measures`: its name is the measure's, its object
(a class, a function) is called without arguments and makes a Measure of that name.
"""

import hashlib
import inspect
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import TypeVar, get_args

from evenhand.errors import BadInput, Unknown
from evenhand.gender import SHARES
from evenhand.measures.definitions import gendered, preference
from evenhand.measures.definitions.accuracy import ACCURACY, F1, GenderGap, StereotypeGap, WorstAccuracy
from evenhand.measures.definitions.neutrality import Neutrality, Tgbi
from evenhand.measures.definitions.quality import CounterfactualAccuracy, Quality, ReferenceAccuracy
from evenhand.plugins import foreign, load_plugin, plugins, version_of
from evenhand.statistics.measure import Better, Measure

DEFAULT = (*SHARES, "P_S")
_RUNS: tuple[Measure, ...] = (
    *gendered.SHARES_OF, Neutrality(), gendered.VBIAS, gendered.SBIAS, gendered.TFG, *gendered.TCG,
    ACCURACY, WorstAccuracy(), F1("female"), F1("male"), F1("neutral"),
    GenderGap(), GenderGap(published=True), StereotypeGap(), StereotypeGap(published=True),
    gendered.LogRatio(), ReferenceAccuracy(), CounterfactualAccuracy(),
    gendered.MALE_RATE, gendered.F_M, gendered.F_S, gendered.OBEYED, gendered.INTERFERENCE, Tgbi(),
)  # fmt: skip
_MAKE: dict[str, Callable[[], Measure]] = {
    **{measure.name: partial(copy, measure) for measure in _RUNS},
    "chrF": partial(Quality, "chrF"),
    "BLEU": partial(Quality, "BLEU"),
    **{measure.name: partial(copy, measure) for measure in preference.MEASURES},
}
Own = TypeVar("Own", bound=Measure | type[Measure])
_OWN: dict[str, tuple[Callable[[], Measure], str]] = {}  # what a script or a notebook defined, with its fingerprint


def measure(defined: Own) -> Own:
    """A measure of a script or a notebook cell, known by its name from now on, as one of another package would be. A
    decorator for a class that is made without arguments, or a call with a measure. Defining it again replaces it; the
    signature has a hash of its code."""
    kind = defined if isinstance(defined, type) else type(defined)
    name = str(getattr(defined, "name", ""))
    if not issubclass(kind, Measure) or not name:
        raise BadInput(f"{kind.__name__} is not a measure: give it a name and the base evenhand.Counted or Measure")
    if name in _MAKE:
        raise BadInput(f"{name} is a measure of Evenhand: give yours another name")
    if getattr(defined, "better", None) not in get_args(Better):
        raise BadInput(f"the measure {name} does not say which way is better: {', '.join(get_args(Better))}")
    code = [_code(key, value) for key, value in sorted(vars(kind).items()) if not key.startswith("__")]
    make: Callable[[], Measure] = defined if isinstance(defined, type) else partial(copy, defined)
    _OWN[name] = make, f"defined-{hashlib.sha256(repr(code).encode()).hexdigest()[:8]}"
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
        brought = maker()
    called = f"the measure {name} of another package ({version_of(point)})"
    if not isinstance(brought, Measure) or brought.name != name:
        wrong = f"calls itself {brought.name!r}" if isinstance(brought, Measure) else f"is {brought!r}, no Measure"
        raise BadInput(f"{called} {wrong}")
    if getattr(brought, "better", None) not in get_args(Better):
        raise BadInput(f"{called} does not say which way is better: {', '.join(get_args(Better))}")
    brought.fingerprint = brought.fingerprint or version_of(point)
    return brought
