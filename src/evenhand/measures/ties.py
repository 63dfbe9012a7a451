"""Letters for systems that a test does not tell apart: a compact letter display (Piepho 2004, JCGS 13).

Being tied is not transitive: a may be tied with b and b with c while a and c differ. Letters say exactly that, where
ranks and brackets cannot: two names share a letter if, and only if, no test tells them apart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations


def letters(names: Sequence[str], apart: Collection[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """The letters of every name (a, b, ..., z, aa, ab, ...), in the order of `names`; each name has one at least.

    `apart` are the pairs, either way round, that a test tells apart.
    """
    place = {name: number for number, name in enumerate(names)}
    told = {(min(one, two), max(one, two)) for one, two in ((place[a], place[b]) for a, b in apart)}
    columns = [(1 << len(names)) - 1] if names else []
    for one, two in sorted(told):
        both = 1 << one | 1 << two
        split = [column for column in columns if column & both == both]
        kept = [column for column in columns if column & both != both]
        columns = _absorbed([*kept, *(column & ~(1 << each) for column in split for each in (one, two))])
    columns = _needed(sorted(columns, key=_members))
    return {
        name: tuple(_letter(rank) for rank, column in enumerate(columns) if column >> number & 1)
        for name, number in place.items()
    }


def _members(column: int) -> tuple[int, ...]:
    return tuple(number for number in range(column.bit_length()) if column >> number & 1)


def _absorbed(columns: list[int]) -> list[int]:
    """Without columns that lie within another one."""
    largest: list[int] = []
    for column in sorted(dict.fromkeys(columns), key=int.bit_count, reverse=True):
        if not any(column & other == column for other in largest):
            largest.append(column)
    return largest


def _needed(columns: list[int]) -> list[int]:
    """Without columns whose every pair and member stands in another column: fewer letters that say the same."""
    kept = list(columns)
    for column in columns:
        others = [other for other in kept if other != column]
        pairs = [1 << one | 1 << two for one, two in combinations(_members(column), 2)]
        shown = pairs or [column]
        if all(any(other & each == each for other in others) for each in shown):
            kept = others
    return kept


def _letter(number: int) -> str:
    shown = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        shown = chr(ord("a") + rest) + shown
    return shown
