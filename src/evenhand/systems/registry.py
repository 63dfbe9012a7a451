"""Which systems there are, and how a spec string such as `libretranslate:http://localhost:5000` becomes one.

Another package adds a system with an entry point in the group `evenhand.systems`: its name is the spec's first part,
its object is called with what follows the colon (a string, empty when there is none) and the settings as keywords.
`takes`, `summary` and `needs` attributes of that object are shown by `evenhand systems`.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint
from typing import TypeAlias, cast

from evenhand import tsv
from evenhand.errors import BadInput, EvenhandError, Unknown
from evenhand.plugins import foreign, load_plugin, plugins, summary_of
from evenhand.systems.protocol import TABLE, Described, System, without_password

Setting: TypeAlias = str | int | float | bool | None
Factory: TypeAlias = Callable[..., System]
Translates: TypeAlias = Callable[[list[str]], list[str]]
"""A user's own function: a list of strings in, a list of as many strings out."""
_ADDRESS = ("base_url", "url")  # settings that name a server


@dataclass(frozen=True)
class SystemEntry:
    """One line of systems.tsv. `at` is a module of this room, or the full name of one of a later room, which wraps
    systems."""

    name: str
    at: str
    summary: str
    takes: str
    needs: str
    languages: str
    """many: of any language, as far as the service or model has it; "": those the system itself lists."""


def open_system(spec: str | System | Translates, **settings: Setting) -> System:
    """The system a spec names, a user's function as a system, or the system itself.

    Unknown names, missing or unwanted arguments and unknown settings are errors that list what there is.
    """
    if not isinstance(spec, str):
        # not isinstance(spec, System): it would read `fingerprint`, for which some systems ask their server
        if hasattr(spec, "translate"):
            return cast("System", spec)
        if not callable(spec):
            raise BadInput(f"a system is a spec string, a function or a System, not {type(spec).__name__}")
        return _called("a function", import_module("evenhand.systems.python").Function, spec, settings)
    name, _, argument = spec.partition(":")
    entry = entries().get(name)
    if entry is None:
        raise Unknown("system", name, entries(), hint="`evenhand systems` describes them.")
    return opened_by(entry, argument, settings)


def opened_by(entry: SystemEntry | EntryPoint, argument: str, settings: dict[str, Setting]) -> System:
    """What an entry makes of an argument and settings, which are checked first."""
    name, takes, factory = entry.name, _described(entry).takes, _factory(entry)
    if takes and not takes.startswith("[") and not argument:
        raise BadInput(f"the system {name} takes an argument: {name}:{takes}")
    if argument and not takes:
        raise BadInput(f"the system {name} takes no argument, but was given {without_password(argument)!r}")
    ours = isinstance(entry, SystemEntry)
    with nullcontext() if ours else foreign("system", name, failed="cannot be opened"):
        return _called(name, factory, argument, settings)


def system_entry(name: str) -> SystemEntry | None:
    """The line of a system that ships with us; None for any other name."""
    return next((SystemEntry(**row) for row in tsv.rows(TABLE) if row["name"] == name), None)


def named_servers(spec: str, settings: Mapping[str, Setting]) -> list[str]:
    """The addresses that a spec and its settings name; none where the service has its usual one."""
    name, _, argument = spec.partition(":")
    entry = system_entry(name)
    if entry is not None and entry.takes == "SYSTEM":
        return named_servers(argument, settings)
    local = name in ("command", "python")
    by_argument = argument and not local and ("://" in argument or (entry is not None and "URL" in entry.takes))
    texts = [text for key, text in settings.items() if isinstance(text, str) and (key in _ADDRESS or "://" in text)]
    return [text for text in [argument if by_argument else "", *texts] if text]


def settings_of(given: Iterable[str]) -> dict[str, Setting]:
    """Settings from a command line: `NAME=VALUE` each. `open_system` turns the values into the right types."""
    settings: dict[str, Setting] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not (sign and name.isidentifier()):
            raise BadInput(f"a setting is written NAME=VALUE, not {without_password(text)!r}")
        settings[name] = value
    return settings


def list_systems() -> list[Described]:
    """Every system that can be named, those of other packages included, by name.

    A package that cannot be loaded is listed with the reason: it must not hide the others.
    """
    listed: list[Described] = []
    for name, entry in sorted(entries().items()):
        try:
            listed.append(_described(entry))
        except BadInput as error:
            listed.append(Described(name, "", str(error)))
    return listed


def systems_at_hand() -> list[str]:
    """The systems that can be asked as they are: no argument, no key, and nothing leaves this machine."""
    bare = [one.name for one in list_systems() if not one.needs and (not one.takes or one.takes.startswith("["))]
    return [name for name in bare if _opens_here(name)]


def _opens_here(name: str) -> bool:
    try:
        return not getattr(open_system(name), "remote", False)
    except EvenhandError:
        return False  # a program that is not installed, a package that cannot be loaded


def entries() -> dict[str, SystemEntry | EntryPoint]:
    """Ours win over another package's of the same name: a spec must not change its meaning by an installation."""
    return {**plugins("systems"), **{row["name"]: SystemEntry(**row) for row in tsv.rows(TABLE)}}


def _factory(entry: SystemEntry | EntryPoint) -> Factory:
    if not isinstance(entry, SystemEntry):
        return cast("Factory", load_plugin(entry, "system"))
    module, _, attribute = entry.at.partition(":")
    place = module if module.startswith("evenhand.") else f"evenhand.systems.{module}"
    return cast("Factory", getattr(import_module(place), attribute))


def _described(entry: SystemEntry | EntryPoint) -> Described:
    if isinstance(entry, SystemEntry):
        return Described(entry.name, entry.takes, entry.summary, tuple(entry.needs.split()))
    factory = _factory(entry)
    with foreign("system", entry.name):
        needs = tuple(map(str, getattr(factory, "needs", ())))
        return Described(entry.name, str(getattr(factory, "takes", "")), summary_of(factory), needs)


def _called(name: str, factory: Factory, argument: str | Translates, settings: dict[str, Setting]) -> System:
    """Call the factory after checking the settings' names and turning strings (command line) into the right types."""
    parameters = inspect.signature(factory).parameters
    known = {p.name: p.default for p in parameters.values() if p.kind is p.KEYWORD_ONLY}
    free = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    given: dict[str, Setting] = {}
    for setting, value in settings.items():
        if setting not in known and not free:
            raise Unknown(f"setting of {name}", setting, known)
        given[setting] = _converted(name, setting, value, known.get(setting))
    return factory(argument, **given)


def _converted(name: str, setting: str, value: Setting, default: object) -> Setting:
    if not isinstance(value, str) or isinstance(default, str) or default is None or default is inspect.Parameter.empty:
        return value
    try:
        if isinstance(default, bool):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[value.lower()]
        return int(value) if isinstance(default, int) else float(value)
    except (KeyError, ValueError):
        kind = {bool: "true or false", int: "a whole number"}.get(type(default), "a number")
        raise BadInput(f"the setting {setting} of {name} must be {kind}, not {without_password(value)!r}") from None
