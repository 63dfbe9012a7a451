"""YAML catalogues of Rails (the first key is the language) and of Symfony, by PyYAML, which knows where a value is;
notes are comments before a key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evenhand.errors import BadInput, require
from evenhand.languages import known, primary
from evenhand.readers.catalogue import Catalogue
from evenhand.readers.commented import HASH, Decoded, Found, keyed, resource
from evenhand.readers.opening import UserFile

if TYPE_CHECKING:
    from yaml.nodes import Node

DEEPEST = 100


def _read(file: UserFile) -> Catalogue:
    yaml = require("yaml", purpose="YAML catalogues", extra="files")
    text = Decoded.of(file)
    try:
        top = yaml.compose(text.text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        told = f"not YAML ({getattr(error, 'problem', None) or 'nested too deep'})"
        raise BadInput.at(file.name, mark.line + 1 if mark else None, told) from error
    mark = len(text.text) - len(text.text.removeprefix("\ufeff"))
    found = [] if top is None else [(at + mark, key, said) for at, key, said in _found(file, top, (), 0)]
    languages = {key.partition(".")[0] for _, key, _ in found}
    language = next(iter(languages)) if len(languages) == 1 else ""
    if not all("." in key for _, key, _ in found) or primary(language or "-") not in known():
        return keyed(text, found, HASH)
    return keyed(text, [(at, key.partition(".")[2], said) for at, key, said in found], HASH, language)


def _found(file: UserFile, node: Node, path: tuple[str, ...], place: int) -> Iterator[Found]:
    """Every text with the keys on the way to it; of an alias, where it is first."""
    if len(path) > DEEPEST:
        raise BadInput.at(file.name, node.start_mark.line + 1, f"more than {DEEPEST} mappings inside each other")
    if node.id == "mapping":
        for key, value in node.value:
            yield from _found(file, value, (*path, str(key.value)), key.start_mark.index)
    elif node.id == "sequence":
        for number, value in enumerate(node.value):
            yield from _found(file, value, (*path, str(number)), place)
    elif node.tag == "tag:yaml.org,2002:str":
        yield place, ".".join(path), node.value


FORMATS = (resource("yaml", (".yml", ".yaml"), _read),)
