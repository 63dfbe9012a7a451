"""What a system is called in signatures, pages and tables: the user's name for it, or its spec without paths."""

import re

from evenhand.errors import BadInput
from evenhand.visible import nameless, shortened

LONGEST = 60
_ON_DISK = ("apertium", "command", "ctranslate2", "file", "huggingface", "simulated")


def check_name(name: str) -> None:
    """Refuse a name that would break a signature or that cannot be seen."""
    if len(name) > LONGEST or set("|#") & set(name) or nameless(name):
        told = f"{LONGEST} letters at most, without | and #"
        raise BadInput(f"{shortened(name, 80)!r} is not a name for a system: {told}")


def without_paths(system: str) -> str:
    """The spec of a system, of files and folders only their own names: the fingerprint says what is in them. A
    model of a hub (huggingface:OWNER/MODEL) is no path, nor is the address of a server."""
    kind, colon, argument = system.partition(":")
    if kind == "mended":
        return kind + colon + without_paths(argument)
    if kind not in _ON_DISK or (kind == "huggingface" and re.fullmatch(r"[\w-][\w.-]*(/[\w.-]+)?", argument)):
        return system
    words = argument.split(" ") if kind == "command" else [argument]
    return kind + colon + " ".join(re.split(r"[/\\]", word.rstrip("/\\"))[-1] for word in words)
