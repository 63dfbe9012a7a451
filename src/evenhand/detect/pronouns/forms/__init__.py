"""Pronouns and gendered nouns, one data file per target language, and what several of them say together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from evenhand.detect.verdict import Verdict
from evenhand.gender import Gender
from evenhand.tsv import rows


@dataclass(frozen=True, slots=True)
class Form:
    """A word that gives a person a gender or keeps it open."""

    text: str
    gender: Gender
    role: str

    @property
    def is_pronoun(self) -> bool:
        return self.role not in ("noun", "title")


class Mention(NamedTuple):
    """A pronoun or gendered noun and where it is."""

    start: int
    end: int
    form: Form


@cache
def read_forms(language: str) -> dict[str, Form]:
    """All forms of a language's file by their text."""
    table = rows(files(__name__) / f"{language}.tsv")
    return {row["form"]: Form(row["form"], Gender(row["gender"]), row["role"]) for row in table}


def settled(mentions: list[Mention], how: str, sure: float) -> Verdict | None:
    """The one gender that the mentions give; unknown where they differ, None where there is none."""
    gendered = [mention for mention in mentions if mention.form.gender is not Gender.NEUTRAL]
    if len({mention.form.gender for mention in gendered}) > 1:
        return Verdict(Gender.UNKNOWN, reason="several persons of different gender", confidence=0.5)
    first = next(iter(gendered or mentions), None)
    return Verdict(first.form.gender, first.start, first.end, how, sure) if first else None
