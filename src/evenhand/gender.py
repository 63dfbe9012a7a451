"""The five outcomes of a verdict."""

from __future__ import annotations

from enum import StrEnum


class Gender(StrEnum):
    """The gender a rendering gives the focus. `both` names two genders at once, `unknown` could not be decided."""

    FEMALE = "female"
    MALE = "male"
    NEUTRAL = "neutral"
    BOTH = "both"
    UNKNOWN = "unknown"
