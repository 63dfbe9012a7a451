"""What a function has given before, kept up to a size in bytes, which `functools.lru_cache` does not know: a hundred
thousand sentences weigh more than as many words."""

import inspect
from collections.abc import Callable, Hashable
from itertools import islice
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
V = TypeVar("V")

ENTRY = 400  # bytes of a short word, what it gave, and their place in a table
LETTER = 8  # further bytes for each letter of the arguments
MIB = 2**20
_GONE = object()


class _Kept(dict[Hashable, V]):
    """By argument; the oldest half goes when the size is reached. What alone would take much of it is not kept."""

    def __init__(self, give: Callable[[Hashable], V], size: int, letter: int) -> None:
        super().__init__()
        self._give, self._size, self._letter, self._held = give, size, letter, 0

    def __missing__(self, key: Hashable) -> V:
        value = self._give(key)
        weight = ENTRY + self._letter * len(key) if type(key) is str else self._weight(key)  # most are words
        if weight > self._size // 16:
            return value
        if self._held + weight > self._size:
            for old in list(islice(self, len(self) // 2 + 1)):
                if self.pop(old, _GONE) is not _GONE:  # another thread may have been quicker
                    self._held -= self._weight(old)
        self._held += weight
        self[key] = value
        return value

    def _weight(self, key: Hashable) -> int:
        if isinstance(key, str):
            return ENTRY + self._letter * len(key)
        try:
            return ENTRY + self._letter * len("".join(key))  # type: ignore[arg-type]  # the usual case: strings only
        except TypeError:
            parts = key if isinstance(key, tuple) else ()
            return ENTRY + self._letter * sum([len(part) for part in parts if isinstance(part, str)])


def remembered(function: Callable[P, V], /, *, mebibytes: float = 8, letter: int = LETTER) -> Callable[P, V]:
    """The function, with what it gave before (arguments by place only), in about so many bytes; `letter`: bytes that a
    letter of the arguments stands for, more where a whole list comes of a text."""
    size = int(mebibytes * MIB)
    if len(inspect.signature(function).parameters) == 1:
        kept = _Kept(function, size, letter)  # type: ignore[arg-type]
        return kept.__getitem__  # type: ignore[return-value]
    several = _Kept(lambda key: function(*key), size, letter)  # type: ignore[call-arg, misc]
    return lambda *arguments: several[arguments]  # type: ignore[return-value]
