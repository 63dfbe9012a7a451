"""ICU messages: {count, plural, one {...} other {...}} and {gender, select, ...} as the texts they can become."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST = 64  # texts of one message; a message that could become more is judged by its first ones
_ARGUMENT = re.compile(r"\{\s*([\w.-]+)\s*,\s*(plural|select|selectordinal)\s*,\s*(?:offset:\d+\s*)?")
_KEY = re.compile(r"\s*(=?[\w.-]+)\s*\{")
_QUOTED = re.compile(r"'([{}][^']*)'")


class Branch(NamedTuple):
    """A text, and the keys that lead to it by their argument: {"gender": "female"}."""

    keys: dict[str, str]
    text: str


class _NoMessage(Exception):
    """Braces that do not close, or a branch without a key."""


def branches(message: str) -> list[Branch]:
    """Every text a message can become, at least one; what is no ICU message is its own only text."""
    if "{" not in message or not _ARGUMENT.search(message):
        return [Branch({}, message)]
    try:
        return _expanded(_QUOTED.sub(lambda quoted: " " * len(quoted[0]), message))[:MOST]
    except (_NoMessage, RecursionError):
        return [Branch({}, message)]


def _expanded(text: str) -> list[Branch]:
    argument = _ARGUMENT.search(text)
    if argument is None:
        return [Branch({}, text)]
    name, kind = argument[1], argument[2]
    options, end = _options(text, argument.end())
    made: list[Branch] = []
    for key, inside in options:
        shown = inside.replace("#", " ") if kind != "select" else inside
        for branch in _expanded(f"{text[: argument.start()]}{shown}{text[end:]}"):
            if branch.keys.get(name, key) == key:
                made.append(Branch({name: key} | branch.keys, branch.text))
            if len(made) >= MOST:
                return made
    return made or [Branch({}, text)]


def _options(text: str, at: int) -> tuple[list[tuple[str, str]], int]:
    """Keys and texts of an argument's branches, and the place behind its brace."""
    options: list[tuple[str, str]] = []
    while (key := _KEY.match(text, at)) is not None:
        end = _closing(text, key.end())
        options.append((key[1], text[key.end() : end]))
        at = end + 1
    closed = re.compile(r"\s*\}").match(text, at)
    if closed is None or not options:
        raise _NoMessage
    return options, closed.end()


def _closing(text: str, at: int) -> int:
    """The brace that closes what was opened before this place."""
    depth = 1
    for brace in re.compile(r"[{}]").finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.start()
    raise _NoMessage


def paired(source: str, rendering: str) -> Iterator[tuple[Branch, str]]:
    """Each text of the translation with the source's text for the same keys ("other" where it has no such key)."""
    asked = branches(source)
    for branch in branches(rendering):
        yield max(asked, key=lambda one: _agreement(one.keys, branch.keys)), branch.text


def _agreement(source: dict[str, str], rendering: dict[str, str]) -> int:
    """How well two texts belong together: the same key counts most, then the source's "other"."""
    return sum(
        4 if source[name] == key else 1 if source[name] == "other" else -2
        for name, key in rendering.items()
        if name in source
    )
