"""The house style of translated files: how they name a person of whom the source says no gender."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import code, primary
from evenhand.mend.styles import NEUTRAL, known_style, style_in

FINDING = "style"


@dataclass(frozen=True)
class HouseStyle:
    """One style in one language."""

    name: str
    example: str

    @classmethod
    def of(cls, given: Iterable[str], target: str) -> Self | None:
        """The style of a language among NAME (every language) and LANG=NAME; None where none is given for it."""
        named: dict[str, str] = {}
        for entry in given:
            language, equals, name = entry.rpartition("=")
            if not name or (equals and not language):
                raise BadInput(f"--style {entry!r}: give NAME, or LANG=NAME for one language (de=star)")
            named[primary(code(language)) if language not in {"", "all"} else ""] = name
        name = named.get(primary(target), named.get("", ""))
        return cls(name, known_style(name, target)["example"]) if name else None

    def departures(self, persons: pl.DataFrame) -> pl.DataFrame:
        """The table of `FileCheck.persons` with the finding "style" for every person whose gender the source leaves
        open and the translation writes otherwise. A word of any gender follows every style."""
        departs = [
            says == "open" and finding in (None, "open") and not self._follows(gender, evidence or "")
            for says, gender, evidence, finding in persons.select("says", "gender", "evidence", "finding").iter_rows()
        ]
        chosen = pl.when(pl.Series(departs, dtype=pl.Boolean)).then(pl.lit(FINDING)).otherwise("finding")
        return persons.with_columns(finding=chosen)

    def _follows(self, gender: str, evidence: str) -> bool:
        if gender != "both":
            return gender in {"neutral", "unknown"}
        return self.name != NEUTRAL and style_in(evidence) == self.name

    def told(self, row: Mapping[str, object]) -> str:
        """A departure in words."""
        given = "names both genders otherwise" if row["gender"] == "both" else f"says {row['gender']}"
        style = f"house style {self.name} ({self.example})"
        return f"{row['person']}: {style}, the translation {given} ({row['evidence']})"
