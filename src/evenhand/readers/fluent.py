"""Project Fluent (.ftl), by fluent.syntax. A selector becomes an ICU message, so that each of its texts is judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evenhand.errors import BadInput, require
from evenhand.readers.catalogue import Catalogue
from evenhand.readers.commented import HASH, Decoded, Found, keyed, resource
from evenhand.readers.opening import UserFile

if TYPE_CHECKING:
    from fluent.syntax import ast

NUMBERS = frozenset({"zero", "one", "two", "few", "many"})


def _read(file: UserFile) -> Catalogue:
    syntax = require("fluent.syntax", purpose="Fluent catalogues", extra="files")
    text = Decoded.of(file)
    tree = syntax.FluentParser().parse(text.text.removeprefix("\ufeff"))
    mark = len(text.text) - len(text.text.removeprefix("\ufeff"))
    return keyed(text, ((at + mark, key, said) for at, key, said in _found(file, text.text, tree)), HASH)


def _found(file: UserFile, text: str, tree: ast.Resource) -> Iterator[Found]:
    for entry in tree.body:
        kind = type(entry).__name__
        at = entry.span.start if entry.span else 0
        if kind == "Junk":
            told = entry.annotations[0].message if entry.annotations else "no message of Fluent"
            raise BadInput.at(file.name, text.count("\n", 0, at) + 1, told)
        if kind not in ("Message", "Term"):
            continue
        place = entry.id.span.start - (kind == "Term") if entry.id.span else at
        name = ("-" if kind == "Term" else "") + entry.id.name
        parts = [(name, entry.value), *((f"{name}.{held.id.name}", held.value) for held in entry.attributes)]
        for key, pattern in parts:
            if pattern is not None:
                yield place, key, _message(pattern)


def _message(pattern: ast.Pattern) -> str:
    return "".join(
        part.value if type(part).__name__ == "TextElement" else _placeable(part.expression) for part in pattern.elements
    )


def _placeable(expression: ast.Expression) -> str:
    kind = type(expression).__name__
    if kind == "SelectExpression":
        options = [(_key(variant), _message(variant.value), variant.default) for variant in expression.variants]
        plural = any(key in NUMBERS or key.isdigit() for key, _, _ in options)
        written = " ".join(f"{key if not last else 'other'} {{{said}}}" for key, said, last in options)
        same = "".join(f"{key} {{{said}}} " for key, said, last in options if last and key != "other")
        return f"{{{_name(expression.selector)}, {'plural' if plural else 'select'}, {same}{written}}}"
    if kind == "StringLiteral":
        return str(expression.value)
    return f"{{{_name(expression)}}}"


def _key(variant: ast.Variant) -> str:
    return str(getattr(variant.key, "name", "") or getattr(variant.key, "value", ""))


def _name(expression: ast.Expression) -> str:
    """The name of a variable, message, term or function."""
    held = getattr(expression, "id", None)
    return str(held.name) if held is not None else "value"


FORMATS = (resource("fluent", (".ftl",), _read),)
