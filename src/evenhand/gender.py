"""The five outcomes of a verdict, and the one table of how each is shown and typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Gender(StrEnum):
    """The gender a rendering gives the focus. `both` names two genders at once, `unknown` could not be decided."""

    FEMALE = "female"
    MALE = "male"
    NEUTRAL = "neutral"
    BOTH = "both"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Look:
    """How a gender is shown, not by colour alone: `keys` that a reviewer may press, `colour` and `ink` in charts (Okabe
    and Ito's set), `tint` and `dark` behind words, `rendered` after "It rendered 12 % as", `title` over sentences."""

    letter: str
    keys: str
    colour: str
    ink: str
    shape: str
    tint: str
    dark: str
    line: str
    badge: str
    rendered: str
    title: str
    meaning: str = ""


# fmt: off
LOOKS: Mapping[Gender, Look] = MappingProxyType({
    Gender.FEMALE: Look("F", "f", "#D55E00", "black", "circle", "#fbe3d3", "#5c2c0c", "double", "border-radius: 50%",
                        "a woman", "Rendered as a woman"),
    Gender.MALE: Look("M", "m", "#0072B2", "white", "square", "#d6e8f5", "#0c3a57", "solid", "border-radius: 0",
                      "a man", "Rendered as a man"),
    Gender.NEUTRAL: Look("N", "n", "#009E73", "black", "triangle-up", "#d3efe6", "#0b4635", "wavy",
                         "border-style: dashed", "neither (gender left open)", "Gender left open", "left open"),
    Gender.BOTH: Look("B", "b", "#CC79A7", "black", "diamond", "#f6e1ec", "#57304a", "dashed",
                      "border-style: double; border-width: 3px", "both at once", "Both genders named",
                      "two genders named"),
    Gender.UNKNOWN: Look("?", "ux?", "#9A9A9A", "black", "cross", "#e8e8e8", "#3d4045", "dotted",
                         "border-style: dotted", "undecided", "Undecided", "could not be decided"),
})
# fmt: on

GENDERS = tuple(gender.value for gender in Gender)
DECIDED = tuple(gender for gender in GENDERS if gender != Gender.UNKNOWN.value)
SHARES = tuple(f"share_{gender}" for gender in DECIDED)  # the measures that are their shares
#: What a person may write for a gender, in lower case: the word itself or one of its keys.
SPELLINGS: Mapping[str, str] = MappingProxyType(
    {spelt: gender.value for gender, look in LOOKS.items() for spelt in (gender.value, *look.keys)}
)
LABEL = f"a label. Use {', '.join(Gender)} (or {', '.join(look.keys[0] for look in LOOKS.values())})"
