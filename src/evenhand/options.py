"""How a setting is declared, once for command line, project file and Python: a field of a dataclass or a keyword of a
workflow whose annotation carries an `Option`. Settings that several verbs share are the types below."""

import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Concatenate,
    ParamSpec,
    Protocol,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    overload,
)

A = TypeVar("A")
B = TypeVar("B")
R = TypeVar("R")
S_co = TypeVar("S_co", covariant=True)
P = ParamSpec("P")


@dataclass(frozen=True)
class Option:
    """`flags` as they are typed (by default the setting's name). `parse` makes a value of the text, or of each where it
    may be repeated; `writes`: a file that the command writes, `in_place`: the setting whose file it may be."""

    help: str
    metavar: str | None = None
    flags: str = ""
    least: float | None = None
    most: float | None = None
    parse: Callable[[str], object] | None = None
    writes: bool = False
    in_place: str = ""

    @property
    def is_output(self) -> bool:
        return self.writes or "-o" in self.flags.split()


@dataclass(frozen=True)
class Argument(Option):
    """A value that is given by its place, not by a name."""


def option_of(hint: object) -> Option | None:
    """The option that an annotation carries, itself or (NAME | None) in one of its parts."""
    parts = (hint, *get_args(hint)) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    found = (one for part in parts for one in getattr(part, "__metadata__", ()) if isinstance(one, Option))
    return next(found, None)


def plain_type(hint: Any) -> Any:
    """The type without what is said about it."""
    if get_origin(hint) is Annotated:
        return plain_type(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return Union[tuple(plain_type(part) for part in get_args(hint))]  # noqa: UP007  # the parts are known only now
    return hint


class _ByKeywords(Protocol[P, S_co]):
    @overload
    def __call__(self, workflow: Callable[[A, S_co], R], /) -> Callable[Concatenate[A, P], R]: ...
    @overload
    def __call__(self, workflow: Callable[[A, B, S_co], R], /) -> Callable[Concatenate[A, B, P], R]: ...


def by_keywords(kind: Callable[P, S_co]) -> _ByKeywords[P, S_co]:
    """A workflow whose last parameter is a dataclass of settings, called with each setting as a keyword."""
    make = cast("Callable[..., S_co]", kind)

    def wrap(workflow: Callable[..., R]) -> Callable[..., R]:
        *by_place, _ = signature(workflow).parameters.values()
        settings = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in signature(kind).parameters.values()]
        whole = signature(workflow).replace(parameters=[*by_place, *settings])

        @wraps(workflow)
        def called(*given: object, **keywords: object) -> R:
            arguments = whole.bind(*given, **keywords).arguments
            return workflow(*(arguments.pop(one.name) for one in by_place), make(**arguments))

        called.__signature__ = whole  # type: ignore[attr-defined]  # what inspect.signature looks for
        return called

    return cast("_ByKeywords[P, S_co]", wrap)


RunFolder = Annotated[Path, Argument("a run folder", "RUN")]
Target = Annotated[str, Option("target language, e.g. de", "LANG", "--target -t")]
OutputFile = Annotated[Path | None, Option("write here instead of to standard output", "FILE", "--output -o")]
Json = Annotated[bool, Option("machine-readable")]
JsonLines = Annotated[bool, Option("one JSON object per line", flags="--json")]
All = Annotated[bool, Option("print every estimate, not only the overall ones", flags="--all")]
ResultFolder = Annotated[Path, Option("folder of the result; the same command continues it", "FOLDER", "--output -o")]
Fresh = Annotated[bool, Option("start over instead of continuing")]
Page = Annotated[bool, Option("write report.html into the folder", flags="--report/--no-report")]

Only = Annotated[
    tuple[str, ...], Option("only probes with one of these values (repeatable; empty: without)", "COLUMN=VALUE")
]
SettingsOf = Annotated[tuple[str, ...], Option("a setting of the system (repeatable)", "NAME=VALUE", "--set")]
MemoryFile = Annotated[
    Path | None, Option("translation memory (default: $EVENHAND_MEMORY, else ~/.cache/evenhand/memory.sqlite)", "FILE")
]
Refresh = Annotated[bool, Option("request everything again, even if the memory has it")]
Seed = Annotated[int, Option("seed of all random choices", "N")]
Resamples = Annotated[int, Option("bootstrap resamples", "N", least=100)]
Level = Annotated[float, Option("confidence level of every interval", "X")]
OwnLevel = Annotated[float | None, Option("confidence level of every interval (default: the run's own)", "X")]
MEASURES = Option("measure this in addition to the suite's measures (repeatable)", "MEASURE", "--measure")
CLUSTERS = Option("sentences with the same value in this column belong together (repeatable)", "COLUMN", "--cluster")
REFERENCES = Option("compare with this reference: a name or a file (repeatable)", "REFERENCE", "--reference")
CALIBRATION = Option("a file of `evenhand calibrate`; adds corrected estimates", "FILE")
OWN_FORMS = Option("your own forms file (see `evenhand review`)", "FILE")
FORMS = Option("forms that people labelled (`evenhand review`); the run keeps a copy", "FILE")
Workers = Annotated[int, Option("processes for large inputs; 0 takes one per core", "N", least=0)]
DOMAIN = Option("the kind of text in which persons are found: prose or interface strings", "KIND")
