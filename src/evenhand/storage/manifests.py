"""Manifests are input like any other: a folder may come from anybody, so what was read from its JSON is checked."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Literal, Union, get_args, get_origin, get_type_hints

from evenhand.visible import shortened

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}")


def check_types(record: DataclassInstance) -> None:
    """A TypeError that names the first field, here or in a record inside, that does not hold what its type says."""
    hints = get_type_hints(type(record))
    for field in fields(record):
        value = getattr(record, field.name)
        if not _fits(value, hints[field.name]):
            raise TypeError(f"{field.name} is {shortened(repr(value), 60)}")


def check_language(text: str) -> None:
    """A TypeError for what cannot be a language's code ("mixed" can: it stands for several)."""
    if not _LANGUAGE.fullmatch(text):
        raise TypeError(f"{shortened(repr(text), 60)} is not a language")


def _fits(value: object, kind: object) -> bool:
    """Whether a value is of an annotated kind: of the kinds that manifests have."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        return value in inside
    if origin in (Union, types.UnionType):
        return any(_fits(value, one) for one in inside)
    if origin in (tuple, list):
        return isinstance(value, origin) and all(_fits(part, inside[0]) for part in value)
    if origin in (Mapping, dict):
        pairs = value.items() if isinstance(value, Mapping) else [(None, None)]
        return all(_fits(name, inside[0]) and _fits(part, inside[1]) for name, part in pairs)
    return _is(value, kind)


def _is(value: object, kind: object) -> bool:
    """The same for a plain type: a bool is no number, and a number of either sort is a float."""
    if kind is object:
        return True
    if isinstance(value, bool) or not isinstance(kind, type):
        return kind is bool
    if is_dataclass(value) and not isinstance(value, type) and isinstance(value, kind):
        check_types(value)
    return isinstance(value, int | float if kind is float else kind)
