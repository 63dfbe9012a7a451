"""Messages with branches as the texts they can become: ICU's {count, plural, one {...} other {...}} and
{gender, select, ...}, MessageFormat 2's .match, and MediaWiki's {{GENDER:$1|...|...}} and {{PLURAL:$1|...|...}}."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

MOST = 64  # texts of one message; a message that could become more is judged by its first ones
_ARGUMENT = re.compile(r"\{\s*([\w.-]+)\s*,\s*(plural|select|selectordinal)\s*,\s*(?:offset:\d+\s*)?")
_KEY = re.compile(r"\s*(=?[\w.-]+)\s*\{")
_MATCH = re.compile(r"\s*(?:\.(?:input|local)\s+[^\n]*\s*)*\.match((?:\s+\{?\s*\$[\w-]+[^\s]*\}?)+)")
_VARIABLE = re.compile(r"\$([\w-]+)")
_VARIANT = re.compile(r"((?:\|[^|]*\||[^\s{}]+)(?:\s+(?:\|[^|]*\||[^\s{}]+))*)\s*\{\{(.*?)\}\}", re.DOTALL)
_DECLARED = re.compile(r"\s*(?:\.(?:input|local)\s+[^\n]*\s*)+\{\{(.*)\}\}\s*", re.DOTALL)  # declarations, one text
_WIKI = re.compile(r"\{\{(GENDER|PLURAL):[^|{}]*\|([^{}]*)\}\}", re.IGNORECASE)
_APART = re.compile(r"\|(?![^\[\]]*\]\])")  # between two forms, not inside [[User:Anna|Anna]]
_WIKI_KEYS = {"GENDER": ("male", "female", "other"), "PLURAL": ("one", "other", "other", "other")}
_QUOTED = re.compile(r"'([{}][^']*)'")


class Branch(NamedTuple):
    """A text, and the keys that lead to it by their argument: {"gender": "female"}."""

    keys: dict[str, str]
    text: str


class _NoMessage(Exception):
    """Braces that do not close, or a branch without a key."""


def branches(message: str) -> list[Branch]:
    """Every text a message can become, at least one; what has no branches is its own only text."""
    if _MATCH.match(message):
        return _matched(message) or [Branch({}, message)]
    if declared := _DECLARED.fullmatch(message):
        return [Branch({}, declared[1])]
    if _WIKI.search(message):
        return _wiki(message)
    if "{" not in message or not _ARGUMENT.search(message):
        return [Branch({}, message)]
    try:
        return _expanded(_QUOTED.sub(lambda quoted: " " * len(quoted[0]), message))[:MOST]
    except (_NoMessage, RecursionError):
        return [Branch({}, message)]


def _matched(message: str) -> list[Branch]:
    """The variants of MessageFormat 2: .match $gender  female {{...}}  * {{...}}."""
    opening = _MATCH.match(message)
    if opening is None:
        return []
    names = _VARIABLE.findall(opening[1])
    return [
        Branch(
            {name: "other" if key == "*" else key.strip("|") for name, key in zip(names, keys, strict=True)}, found[2]
        )
        for found in islice(_VARIANT.finditer(message, opening.end()), MOST)
        if len(keys := found[1].split()) == len(names)
    ]


def _wiki(message: str) -> list[Branch]:
    """A text per gender (male, female, neither, in MediaWiki's order) and number; a gender left out is the male form, a
    number left out the last. A selector with one form selects nothing."""
    made = [Branch({}, message)]
    for name, keys in _WIKI_KEYS.items():
        longest = max(
            (len(_APART.findall(match[2])) for match in _WIKI.finditer(message) if match[1].upper() == name), default=-1
        )
        if longest >= 0:
            known = list(enumerate(keys if name == "GENDER" and longest else keys[: longest + 1]))
            chosen = [(n, {name: key} if longest else {}) for n, key in known]
            made = [Branch(one.keys | keys, _form(one.text, name, n)) for one in made for n, keys in chosen]
    return made


def _form(message: str, name: str, number: int) -> str:
    """The message with this form in the place of every selector of this name."""

    def form(match: re.Match[str]) -> str:
        forms = _APART.split(match[2])
        if match[1].upper() != name:
            return match[0]
        return forms[number] if number < len(forms) else forms[0 if name == "GENDER" else -1]

    return _WIKI.sub(form, message)


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
    """Each text of the translation with the source's text for the same keys ("other" where it has no such key), which
    has the keys of both: a translation may select where its source does not."""
    asked = branches(source)
    for branch in branches(rendering):
        best = max(asked, key=lambda one: _agreement(one.keys, branch.keys))
        yield Branch(branch.keys | best.keys, best.text), branch.text


def _agreement(source: dict[str, str], rendering: dict[str, str]) -> int:
    """How well two texts belong together: the same key counts most, then the source's "other"."""
    return sum(
        4 if source[name] == key else 1 if source[name] == "other" else -2
        for name, key in rendering.items()
        if name in source
    )


def missing(source: str, rendering: str) -> list[str]:
    """Genders that the source selects by and the rendering, which selects by the same argument, has no text for."""
    asked, given = branches(source), branches(rendering)
    have = {(name, key) for branch in given for name, key in branch.keys.items()}
    names = {name for name, _ in have}
    wanted = {(name, key) for branch in asked for name, key in branch.keys.items() if key in ("female", "male")}
    return sorted(key for name, key in wanted - have if name in names)
