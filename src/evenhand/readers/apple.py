"""Apple's .strings ("key" = "value";), .stringsdict (plural forms in a property list) and .xcstrings (JSON)."""

import json
import re
from collections.abc import Iterator
from typing import Any

from evenhand.errors import BadInput
from evenhand.readers.catalogue import Catalogue, Unit, whole
from evenhand.readers.commented import STARS, XML, Decoded, Entry, Found, beside, commented, entry, keyed, resource
from evenhand.readers.opening import UserFile
from evenhand.readers.xml_places import Element, Encoded, elements

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_TOKEN = re.compile(
    rf"\s+|/\*.*?\*/|//[^\n]*|(?P<key>{_QUOTED}|[\w.$/:-]+)\s*(?:=\s*(?P<value>{_QUOTED}|[\w.$/:-]+)\s*)?;", re.DOTALL
)
_ESCAPE = re.compile(r"\\(?:[uU]([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r"}
_FORMAT_KEYS = frozenset({"NSStringFormatSpecTypeKey", "NSStringFormatValueTypeKey"})


def _found(file: UserFile, text: str) -> Iterator[Found]:
    at = len(text) - len(text.removeprefix("\ufeff"))
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            told = 'neither a comment nor "key" = "value"; with its semicolon'
            raise BadInput.at(file.name, text.count("\n", 0, at) + 1, told)
        if token["key"] is not None:
            yield at, _unquoted(token["key"]), _unquoted(token["value"] or token["key"])
        at = token.end()


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    return _ESCAPE.sub(lambda sign: chr(int(sign[1], 16)) if sign[1] else _SIGNS.get(sign[2], sign[2]), text[1:-1])


def _strings(file: UserFile) -> Catalogue:
    if whole(file).startswith(b"bplist"):
        told = "a binary property list, as Xcode builds it; check the .strings of the source code"
        raise BadInput(f"{file.name}: {told}, or convert it to JSON (plutil -convert json)")
    text = Decoded.of(file)
    return keyed(text, _found(file, text.text), STARS)


def _stringsdict(file: UserFile) -> Catalogue:
    """The <string>s of a property list by the <key>s on the way to them."""
    text = Encoded(file, whole(file))
    entries = [one for top in elements(file, text, ("dict",)) for one in _rules(top, ())]
    return commented(text.content, entries, XML, text.written)


def _rules(within: Element, keys: tuple[str, ...]) -> Iterator[Entry]:
    key = within
    for one in within.children():
        if one.name == "key":
            key, own = one, one.words()
        elif one.name == "string" and key is not within and own not in _FORMAT_KEYS:
            yield entry(one.line, key.start, ".".join((*keys, own)), one.words())
        elif key is not within:
            yield from _rules(one, (*keys, own))


def _xcstrings(file: UserFile) -> Catalogue:
    """The source's words are those of the source language, or the key itself where it has none."""
    text = Decoded.of(file).text
    try:
        found = json.loads(text)
        strings, begun = found["strings"], str(found["sourceLanguage"])
        units = [unit for key, held in strings.items() for unit in _localised(text, str(key), held, begun)]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(
            f"{file.name}: no string catalogue of Xcode: sourceLanguage and strings were expected"
        ) from error
    return beside(units)


def _localised(text: str, key: str, held: dict[str, Any], begun: str) -> Iterator[Unit]:
    languages = held.get("localizations") or {}
    line = text.count("\n", 0, max(text.find(json.dumps(key, ensure_ascii=False)), 0)) + 1
    sources = {name: said for name, said, _ in _forms(languages.get(begun, {}))}
    for language, forms in languages.items():
        for name, said, state in _forms(forms) if language != begun else ():
            source = sources.get(name) or sources.get("other") or next(iter(sources.values()), key)
            pending = "untranslated" if state == "new" or not said.strip() else ""
            pending = pending or ("not to be translated" if held.get("shouldTranslate") is False else "")
            yield Unit(line, f"{key}/{name}" if name else key, source, said, begun, language, pending)


def _forms(held: object, name: str = "") -> Iterator[tuple[str, str, str]]:
    """Name, words and state of every form: of plurals, of devices, of substitutions."""
    for key, inside in held.items() if isinstance(held, dict) else ():
        if key == "stringUnit":
            yield name, str(inside["value"]), str(inside.get("state", ""))
        else:
            bare = key in ("variations", "plural", "device", "substitutions")
            yield from _forms(inside, name if bare else f"{name}.{key}".strip("."))


FORMATS = (
    resource("strings", (".strings",), _strings),
    resource("stringsdict", (".stringsdict",), _stringsdict),
    resource("xcstrings", (".xcstrings",), _xcstrings),
)
