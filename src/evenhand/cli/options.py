"""From declared settings (`evenhand.options`) to options of the command line. A verb is a function whose parameters
carry an `Option`, are a dataclass of settings (annotated with words before their help, or the names of those that the
verb has no use for), or stand for a workflow whose settings are given (`chosen`)."""

import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import typer

from evenhand.options import Argument, Option, option_of, plain_type
from evenhand.storage.outputs import claimed, is_among

R = TypeVar("R")
Command = Callable[..., None]
Given = dict[str, object]
Build = Callable[[Given], object]
COMPLETED = ("SUITE", "SPEC", "LANG", "REFERENCE", "MEASURE")  # metavars whose values are known
SEVERAL = (tuple, list, Sequence, Collection)


class Offer(Parameter):
    """A parameter as Typer reads it, with what was declared."""

    option: Option


OVERWRITE = "overwrite"
Overwrite = Annotated[bool, Option("replace a file that Evenhand did not make, or that was changed since")]


def chosen(workflow: Callable[..., R]) -> partial[R]:
    """The default of a verb's parameter: the workflow, whose settings the command line is to fill in."""
    return partial(workflow)


def verb(function: Command) -> typer.Typer:
    """A verb of its own."""
    app = _application()
    app.command(function.__name__.replace("_", "-"))(offered(function))
    return app


def verbs(function: Command) -> typer.Typer:
    """A verb with others inside: the function is called before them; one that takes `ctx` is a verb, too."""
    alone = "ctx" in signature(function).parameters
    app = _application(invoke_without_command=alone)
    app.callback()(offered(function))
    return app


def inside(app: typer.Typer, name: str | None = None) -> Callable[[Command], Command]:
    """One of the verbs inside another."""
    return lambda function: app.command(name)(offered(function))


def _application(**more: bool) -> typer.Typer:
    return typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, **more)  # type: ignore[arg-type]


def offered(function: Command) -> Command:
    """The function as Typer reads it: one parameter per option."""
    parameters: list[Parameter] = []
    builds: dict[str, Build] = {}
    hints = get_type_hints(function, include_extras=True)
    for parameter in signature(function).parameters.values():
        name, default = parameter.name, parameter.default
        made, builds[name] = (
            _workflow(default.func) if isinstance(default, partial) else _setting(name, hints[name], default)
        )
        parameters += made
    written = {p.name: p.option for p in parameters if isinstance(p, Offer) and p.option.is_output}
    if written and OVERWRITE not in builds:
        parameters += _setting(OVERWRITE, Overwrite, default=False)[0]

    @wraps(function)
    def called(**given: object) -> None:
        outputs = {name: Path(str(given[name])) for name in written if given[name] is not None}
        inputs = {name: list(_paths(value)) for name, value in given.items() if name not in written}
        for name, place in outputs.items():
            if (own := written[name].in_place) and is_among(place, inputs[own]):
                inputs[own] = []
                given = {**given, OVERWRITE: True}
        every = [path for some in inputs.values() for path in some]
        with claimed(list(outputs.values()), every, overwrite=bool(given.get(OVERWRITE))):
            function(**{name: build(given) for name, build in builds.items()})

    called.__signature__ = Signature(sorted(parameters, key=lambda one: one.default is not Parameter.empty))  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return called


def _paths(value: object) -> Iterator[Path]:
    """What a given value may name: a path, one behind a reader's or system's name (winomt:PATH), or several."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from _paths(one)
    elif isinstance(value, str | Path):
        yield Path(value)
        yield from (Path(rest) for rest in str(value).split(":", 2)[1:] if rest)


def _workflow(workflow: Callable[..., object]) -> tuple[list[Parameter], Build]:
    hints, declared = get_type_hints(workflow, include_extras=True), signature(workflow).parameters
    names = [name for name in declared if name in hints and option_of(hints[name])]
    made, build = _together((name, hints[name], declared[name].default) for name in names)
    return made, lambda given: partial(workflow, **build(given))


def _group(kind: type, prefix: str, spared: Collection[str]) -> tuple[list[Parameter], Build]:
    hints = get_type_hints(kind, include_extras=True)
    declared = [f for f in fields(kind) if option_of(hints[f.name]) or _dataclass(hints[f.name])]
    usual = {f.name: f.default if f.default_factory is MISSING else f.default_factory() for f in declared}
    defaults = {name: Parameter.empty if value is MISSING else value for name, value in usual.items()}
    settings = ((name, hints[name], default) for name, default in defaults.items() if name not in spared)
    made, build = _together(settings, prefix)
    return made, lambda given: kind(**build(given))


def _together(
    settings: Iterator[tuple[str, object, object]], prefix: str = ""
) -> tuple[list[Parameter], Callable[[Given], dict[str, Any]]]:
    parts = {name: _setting(name, hint, default, prefix) for name, hint, default in settings}
    made = [parameter for some, _ in parts.values() for parameter in some]
    return made, lambda given: {name: build(given) for name, (_, build) in parts.items()}


def _setting(name: str, hint: Any, default: object, prefix: str = "") -> tuple[list[Parameter], Build]:
    option, kind = option_of(hint), _dataclass(hint)
    if option is None and kind is not None:
        said = getattr(hint, "__metadata__", ())
        words = next((part for part in said if isinstance(part, str)), "")
        return _group(kind, words, next((part for part in said if isinstance(part, tuple)), ()))
    if option is None:  # Typer's own, its context
        return [Parameter(name, Parameter.KEYWORD_ONLY, annotation=hint)], lambda given: given[name]
    plain = plain_type(hint)
    several = get_origin(plain) in (*SEVERAL, Mapping)
    offer: Any = Annotated[_typed(plain, option), _declared(name, option, default, prefix)]
    start = [] if several and default is not Parameter.empty and not default else default
    made = Offer(name, Parameter.KEYWORD_ONLY, default=start, annotation=offer)
    made.option = option
    return [made], lambda given: _value(given[name], plain, option)


def _declared(name: str, option: Option, default: object, prefix: str) -> object:
    more: dict[str, Any] = {"help": prefix + option.help, "metavar": option.metavar}
    more |= {
        "min": option.least,
        "max": option.most,
        "show_default": default is not False and default not in (None, "", (), {}),
        "autocompletion": _completed(option.metavar) if option.metavar in COMPLETED else None,
    }
    if isinstance(option, Argument):
        return typer.Argument(**more)
    return typer.Option(*(option.flags.split() or [f"--{name.replace('_', '-')}"]), **more)


def _completed(metavar: str) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        from evenhand.cli.completion import values  # which imports every list of names

        return values(metavar, incomplete)

    return complete


def _dataclass(hint: object) -> type | None:
    """The dataclass that an annotation names."""
    plain = plain_type(hint)
    kinds = get_args(plain) if get_origin(plain) in (Union, types.UnionType) else (plain,)
    return next((kind for kind in kinds if isinstance(kind, type) and is_dataclass(kind)), None)


def _typed(plain: Any, option: Option) -> Any:
    """What Typer reads: a list where a setting is repeated, a path or a text where Python takes other things too."""
    origin, parts = get_origin(plain), get_args(plain)
    if origin is Mapping:
        return list[str]
    if origin in SEVERAL:
        return list[_typed(parts[0], option)]  # type: ignore[misc]
    if origin in (Union, types.UnionType):
        some = [part for part in parts if part is not types.NoneType]
        one = Path if Path in some else str if str in some or option.parse else _typed(some[0], option)
        return one | None if types.NoneType in parts else one
    return str if option.parse else plain


def _value(typed: object, plain: object, option: Option) -> object:
    parse = option.parse or (lambda text: text)
    origin = get_origin(plain)
    if isinstance(typed, list):
        values = [parse(one) for one in typed]
        return dict(values) if origin is Mapping else list(values) if origin is list else tuple(values)  # type: ignore[arg-type]
    if typed is None and origin in SEVERAL:
        return ()
    return parse(typed) if isinstance(typed, str) and typed else typed
