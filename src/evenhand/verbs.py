"""Rooms that are callable, because their name is a verb too: Python sets a package's attribute to the submodule of that
name as soon as anything imports it, so a function could not keep the name."""

import sys
from collections.abc import Callable
from pkgutil import resolve_name
from types import MethodType, ModuleType


class _Verb(ModuleType):
    """A package that calls one of its functions; signature and help are that function's."""

    @property
    def __wrapped__(self) -> Callable[..., object]:
        function: Callable[..., object] = resolve_name(self.__dict__["VERB"])
        return function

    def __call__(self, *arguments: object, **options: object) -> object:
        return self.__wrapped__(*arguments, **options)


class Later:
    """A method whose function ("module:function") is in a room further on; imported when the method is used."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __get__(self, instance: object, owner: type | None = None) -> Callable[..., object]:
        function: Callable[..., object] = resolve_name(self._place)
        return function if instance is None else MethodType(function, instance)


def callable_room(name: str) -> None:
    """Let the package `name` be called: its constant VERB, "module:function", says what then runs."""
    sys.modules[name].__class__ = _Verb
