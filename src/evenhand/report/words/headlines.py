"""What can come out of a run, found by rule (`RunFacts.outcome`), and the sentence pattern for each
outcome (words/headlines.tsv). "(Nearly) all" is the share FIXED of at least TELLING decided renderings, and SURE of
all. One gender is only said of a system where the source states both, or none, and where the share's interval bears it
out: of twelve sentences about one doctor nothing follows for other people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from evenhand.gender import Gender
from evenhand.measures.estimate import FIXED, SURE
from evenhand.report.words.vocabulary import WORDS
from evenhand.tsv import rows

TELLING = 10  # decided renderings, below which nothing is said to be always so


class RunOutcome(StrEnum):
    """Every outcome a headline can tell; its value is the key of its pattern."""

    NOTHING = "nothing"
    INVALID = "invalid"
    UNDECIDED = "undecided"
    ASKED = "asked"
    ONE_GENDER = "one gender"
    LEFT_OPEN = "left open"
    BOTH_NAMED = "both named"
    OPEN_OR_BOTH = "open or both"
    MIXED = "mixed"
    STATED_KEPT = "stated and kept"
    STATED_ONE_GENDER = "stated, one gender"
    STATED_LEFT_OPEN = "stated, left open"
    STATED = "stated"
    REFERENCES = "references"


@dataclass(frozen=True)
class Headline:
    """Three sentences, and further ones beside them; `fixed` when the system (nearly) always takes the same gender."""

    setting: str
    finding: str
    meaning: str
    fixed: bool
    further: tuple[str, ...] = ()
    outcome: str = ""  # the key of its pattern


@dataclass(frozen=True)
class Pattern:
    """Two sentences without their full stops: what came out, and what it means and does not mean."""

    finding: str
    meaning: str


@cache
def patterns(table: str = "headlines.tsv") -> Mapping[str, Pattern]:
    """The pattern of every outcome, by its value."""
    return {row["outcome"]: Pattern(row["finding"], row["meaning"]) for row in rows(WORDS / table)}


def always(counts: Mapping[str, int], *genders: Gender) -> bool:
    """Whether (nearly) every decided rendering is one of these, and most are, whatever the undecided ones would be."""
    these = sum(counts[g] for g in genders)
    return counts["decided"] >= TELLING and these >= FIXED * counts["decided"] and these >= SURE * counts["n"]


def fixed_gender(counts: Mapping[str, int], stated: Mapping[str, int]) -> str | None:
    """The gender that (nearly) every decided rendering has, where the source states both or none."""
    if len(stated) == 1:
        return None
    return next((g.value for g in (Gender.FEMALE, Gender.MALE) if always(counts, g)), None)


def headline(outcome: str, setting: str, blanks: Mapping[str, str], *, further: Sequence[str] = ()) -> Headline:
    """What findings say first: the pattern of the outcome (words/findings_headlines.tsv) with its blanks filled in. A
    difference is called significant only where interval and corrected test agree."""
    pattern = patterns("findings_headlines.tsv")[outcome]
    finding, meaning = f"{pattern.finding.format_map(blanks)}.", f"{pattern.meaning}."
    return Headline(setting, finding, meaning, fixed=False, further=tuple(further), outcome=outcome)
