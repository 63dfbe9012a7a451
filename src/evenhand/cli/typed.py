"""What can be typed after `evenhand`: verbs, their options, and the values these take where they are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import get_args

from typer.main import get_command

from evenhand.languages import known
from evenhand.measures.definitions.registry import names as measures
from evenhand.references.reference import shipped
from evenhand.suites.registry import list_suites
from evenhand.systems import list_systems

_SAFE = re.compile(r"[\w.+:=@%-]+")
"""Names of other packages' systems and suites stand in a script that a shell runs: nothing a shell could act on."""


@dataclass(frozen=True)
class Option:
    """One option: its spellings, what it is for, the values to offer; None for a flag, () for a file or any text."""

    names: tuple[str, ...]
    told: str
    values: tuple[str, ...] | None


@dataclass(frozen=True)
class Typed:
    """A verb ("audit") or a verb with its own ("embeddings score"), and what may follow it besides files."""

    words: str
    told: str
    options: tuple[Option, ...] = ()
    follows: tuple[str, ...] = field(default=())


def everything(verbs: Mapping[str, str]) -> list[Typed]:
    """All verbs in their order, each before those it has inside."""
    return [typed for verb, told in verbs.items() for typed in _verb(verb, told)]


def _verb(verb: str, told: str) -> Iterable[Typed]:
    command: object = get_command(import_module(f"evenhand.cli.{verb.replace('-', '_')}").app)
    inside: dict[str, object] = getattr(command, "commands", {})
    yield Typed(verb, told, _options(command), tuple(inside) or _arguments(command))
    for name, one in inside.items():
        help_text = str(getattr(one, "help", "") or "").split("\n")[0]
        yield Typed(f"{verb} {name}", help_text, _options(one), _arguments(one))


def _options(command: object) -> tuple[Option, ...]:
    params: list[object] = getattr(command, "params", [])
    made = []
    for param in params:
        if getattr(param, "param_type_name", "") != "option" or getattr(param, "hidden", False):
            continue
        names = (*getattr(param, "opts", ()), *getattr(param, "secondary_opts", ()))
        values = None if getattr(param, "is_flag", False) else _values(param)
        made.append(Option(tuple(names), str(getattr(param, "help", "") or ""), values))
    return (*made, Option(("--help",), "say what it does", None))


def _arguments(command: object) -> tuple[str, ...]:
    """Values of the first argument by place, where they are known; files are offered by the shell itself."""
    params: list[object] = getattr(command, "params", [])
    first = next((p for p in params if getattr(p, "param_type_name", "") == "argument"), None)
    return () if first is None else _values(first)


def _values(param: object) -> tuple[str, ...]:
    choices = getattr(getattr(param, "type", None), "choices", None)
    annotation = getattr(getattr(param, "type_descriptor", None), "annotation", None)
    inner = (get_args(annotation) or (None,))[0]
    literal = get_args(inner) if inner is not None and not isinstance(inner, str) else get_args(annotation)
    given = choices or [one for one in literal if isinstance(one, str)]
    if given:
        return _safe(map(str, given))
    name, metavar = str(getattr(param, "name", "")), str(getattr(param, "metavar", "") or "")
    for kind in (metavar, name):
        if kind in _KNOWN:
            return _safe(_named(kind))
    return ()


_KNOWN: dict[str, Callable[[], Iterable[str]]] = {
    "SUITE": lambda: [f"{e.name}:" if e.takes_path else e.name for e in list_suites()],
    "LANG": known,
    "target": known,
    "source": known,
    "language": known,
    "system": lambda: [f"{s.name}:" if s.takes and not s.takes.startswith("[") else s.name for s in list_systems()],
    "measure": measures,
    "reference": shipped,
}


@cache
def _named(kind: str) -> tuple[str, ...]:
    return tuple(_KNOWN[kind]())


def _safe(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if _SAFE.fullmatch(word))
