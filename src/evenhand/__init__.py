"""Evenhand measures gender bias in machine translation and word vectors, and shows the sentences that prove it.

The verbs of the command line are functions here, and so is what a plug-in needs; nothing else is promised to stay. The
names are those of `__init__.pyi`.
"""

import ast
from importlib import import_module
from pkgutil import get_data

from evenhand._version import __version__ as __version__

_MODULES = ("corpus", "detect", "errors", "mend", "report")  # rooms that can be called (verbs.py), and all errors
_IMPORTS = [
    node for node in ast.parse(get_data(__name__, "__init__.pyi") or b"").body if isinstance(node, ast.ImportFrom)
]
_HOME = {alias.name: node.module or "" for node in _IMPORTS for alias in node.names}

__all__ = [*sorted(_HOME)]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: `import evenhand` and `evenhand --help` stay quick."""
    if name in _MODULES:
        return import_module(f"evenhand.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'evenhand' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return __all__
