"""The data files of pronouns and gendered nouns, one a target language."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

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


def read_forms(language: str) -> list[Form]:
    """All forms of a language's file, in its order."""
    table = rows(files(__name__) / f"{language}.tsv")
    return [Form(row["form"], Gender(row["gender"]), row["role"]) for row in table]
