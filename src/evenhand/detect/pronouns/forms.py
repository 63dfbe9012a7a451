"""Pronouns and gendered nouns of a target language (grammar/<language>/mentions.tsv), and what several of them say
together."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evenhand import grammar
from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender
from evenhand.tsv import rows

FOLDER = Path(grammar.__file__).parent
TABLE = "mentions.tsv"
SOMEBODY_ELSE = "it speaks of you, me or us, not of the person"
THING = "the person became it"
OPENINGS = {"somebody else": SOMEBODY_ELSE, "thing": THING}


@dataclass(frozen=True, slots=True)
class Form:
    """A word that gives a person a gender or keeps it open; next to one of the words `beside` it does neither."""

    gender: Gender
    role: str
    beside: frozenset[str]

    @property
    def is_pronoun(self) -> bool:
        return self.role not in ("noun", "title")


class Mention(NamedTuple):
    """A pronoun or gendered noun and where it is."""

    start: int
    end: int
    form: Form


class Forms(NamedTuple):
    """A language's table: forms by their text; verbs after which something is said of the person; words that open a
    sentence about somebody or something else, each with the reason for the reader; patterns of both genders at once and
    of what refers to no one."""

    persons: dict[str, Form]
    copulas: set[str]
    openings: dict[str, str]
    both: re.Pattern[str]
    impersonal: re.Pattern[str]


@cache
def forms_of(language: str) -> Forms:
    """The table of a language, by the name of its folder."""
    persons, copulas, openings = dict[str, Form](), set[str](), dict[str, str]()
    patterns = {"both": "(?!)", "impersonal": "(?!)"}
    for row in rows(FOLDER / language / TABLE):
        text, role = row["form"], row["role"]
        if role in patterns:
            patterns[role] = rf"(?<!\w)(?:{text})(?:(?<!\w)|\b)"
        elif role in OPENINGS:
            openings[text] = OPENINGS[role]
        elif role == "copula":
            copulas.add(text)
        else:
            persons[text] = Form(Gender(row["gender"]), role, frozenset(row.get("beside", "").split()))
    return Forms(persons, copulas, openings, *(re.compile(one, re.IGNORECASE) for one in patterns.values()))


def settled(mentions: list[Mention], how: str, sure: float) -> Verdict | None:
    """The one gender that the mentions give; unknown where they differ, None where there is none."""
    gendered = [mention for mention in mentions if mention.form.gender is not Gender.NEUTRAL]
    if len({mention.form.gender for mention in gendered}) > 1:
        return Verdict(Gender.UNKNOWN, reason="several persons of different gender", confidence=0.5)
    first = next(iter(gendered or mentions), None)
    return Verdict(first.form.gender, first.start, first.end, how, sure) if first else None
