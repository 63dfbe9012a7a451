"""Every error Evenhand raises on purpose.

EvenhandError
├── BadInput            a file, an argument or a table is wrong (exit code 2)
│   └── Unknown         a name that is not in a list; carries suggestions
├── MissingExtra        an optional package is not installed; the message is the pip command (exit code 2)
└── SystemFailed        a translation system could not do its work (exit code 3)
    ├── BadReply        it answered something that cannot be used
    ├── Refused         wrong key, no right, spent quota: asking again cannot help
    └── Unreachable     no answer after all retries
"""

import difflib
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Self

from evenhand.visible import shortened, visible

LONGEST = 4_000  # characters of a message: a file of one line, or of a million columns, may be quoted in it
LISTED = 100
LONGEST_NAME = 200


class EvenhandError(Exception):
    """Base of all errors; the message says what was wrong, where, and what to do."""

    exit_code = 2

    def __init__(self, message: object = "") -> None:
        super().__init__(visible(shortened(str(message), LONGEST), kept="\n"))


def listed(names: Iterable[str], most: int = 30) -> str:
    """Names on one line, however long and many they are: "a, b and 12 more"; "none"."""
    shown = [shortened(" ".join(name.split()), 60) for name in names]
    more = f" and {len(shown) - most:,} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + more or "none"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with a sentence on what is kept. No EvenhandError: what catches errors must not catch the user's stop."""


class BadInput(EvenhandError):
    """Something the user gave cannot be used. `at` builds the "file line N column M" prefix."""

    @classmethod
    def at(cls, path: Path | str, line: int | None, message: str, *, column: str | int | None = None) -> Self:
        where = str(path)
        if line is not None:
            where += f" line {line}"
        if column is not None:
            where += f" column {column}"
        return cls(f"{where}: {message}")


class Unknown(BadInput):
    """A name that is not among the known ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, hint: str = "") -> None:
        names = sorted(known)
        shown = shortened(repr(name), LONGEST_NAME)
        close = difflib.get_close_matches(name, names, n=3, cutoff=0.5) if 2 < len(name) < LONGEST_NAME else []
        meant = f" Did you mean {' or '.join(repr(n) for n in close)}?" if close else ""
        there = f" Known: {listed(names, LISTED)}." if names else ""
        super().__init__(f"unknown {kind} {shown}.{meant}{there}{' ' + hint if hint else ''}")


class MissingExtra(EvenhandError):
    """An optional package is needed; the message is the command that installs it."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an optional package. Run: pip install 'evenhand[{extra}]'")


class SystemFailed(EvenhandError):
    """A system could not be reached or refused; what was answered before is kept in the memory."""

    exit_code = 3


class BadReply(SystemFailed):
    """A system answered something that does not fit the question."""


class Refused(SystemFailed):
    """Authentication failed or a quota is spent; retrying cannot help."""


class Unreachable(SystemFailed):
    """No usable answer after every retry."""


class Caution(UserWarning):
    """What a user should know before it happens; the command line prints it as one line."""


def require(module: str, *, purpose: str, extra: str) -> ModuleType:
    """Import an optional dependency or say how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(purpose, extra) from error
