"""Readings with all forms of their word, in pymorphy3's tags, for languages that it does not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Cell(NamedTuple):
    """What a form is: the part of pymorphy3's tag that is used. `other` are further grammemes (anim, Name, Supr)."""

    POS: str
    gender: str | None = None
    number: str | None = None
    case: str | None = None
    tense: str | None = None
    person: str | None = None
    other: frozenset[str] = frozenset()

    @property
    def grammemes(self) -> frozenset[str]:
        return self.other.union(value for value in self[:-1] if value)


@dataclass(frozen=True, slots=True)
class Entry:
    """A reading of `word`; `forms` gives every form of its lemma."""

    word: str
    normal_form: str
    tag: Cell
    forms: Callable[[], Sequence[Entry]]
    is_known: bool = True

    @property
    def lexeme(self) -> Sequence[Entry]:
        return self.forms()

    @property
    def normalized(self) -> Entry:
        return next((one for one in self.lexeme if one.word == self.normal_form), self)

    def inflect(self, grammemes: set[str]) -> Entry | None:
        """The form of this number that has these grammemes and is else nearest to this one."""
        own, same = self.tag.grammemes, (self.tag.POS, self.tag.number)
        fits = (one for one in self.lexeme if (one.tag.POS, one.tag.number) == same and grammemes <= one.tag.grammemes)
        return max(fits, key=lambda one: 2 * len(own & one.tag.grammemes) - len(one.tag.other - own), default=None)
