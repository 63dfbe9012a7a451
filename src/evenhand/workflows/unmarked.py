"""English strings without a focus: every person they name becomes a row of its own."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import primary
from evenhand.persons.finder import LexiconFinder, Sighting
from evenhand.persons.lexicon import DATA
from evenhand.suites.suite import Suite
from evenhand.tsv import rows

PLACE: dict[str, pl.DataType] = {"focus": pl.String(), "focus_start": pl.Int64(), "focus_end": pl.Int64()}


@dataclass
class Persons:
    """Marks the persons in tables of English sources, and counts what it met over all of them."""

    strings: int = 0
    persons: int = 0
    nobody: list[str] = field(default_factory=list)

    @cached_property
    def finder(self) -> LexiconFinder:
        """Made for the first row without a focus: its tagger takes a second to read."""
        return LexiconFinder()

    @cached_property
    def compounds(self) -> dict[str, frozenset[str]]:
        """Nouns that name a program or a device behind some words, with those words."""
        return {row["word"]: frozenset(row["before"].split()) for row in rows(DATA / "program_compounds.tsv")}

    def named(self, source: str) -> list[Sighting]:
        """The persons a source names; a password manager and a screen reader are none."""
        return [person for person in self.finder.persons(source) if not self._device(source, person)]

    def _device(self, source: str, person: Sighting) -> bool:
        low = source[person.start : person.end].lower()
        word = low.removesuffix("s") if person.plural else low
        before = source[: person.start].lower().split()[-1:]
        return bool(before) and before[0] in self.compounds.get(word, ())

    def mark(self, table: pl.DataFrame) -> pl.DataFrame:
        """The rows with a focus as they are; of each other one a row a person its source names (ids with -1, -2, ...
        added, in the source's order, no `base`), none where it names nobody. Where rows were replaced, `string` keeps
        the id each had."""
        missing = [pl.lit(None, dtype).alias(name) for name, dtype in PLACE.items() if name not in table.columns]
        table = table.with_columns(missing) if "focus_start" not in table.columns else table
        if not table["focus_start"].null_count():
            return table
        lines: list[dict[str, object]] = []
        for row in table.iter_rows(named=True):
            lines += [row | {"string": row["id"]}] if row["focus_start"] is not None else self._of(row)
        return pl.DataFrame(lines, schema={**table.schema, "string": pl.String()}, orient="row")

    def _of(self, row: dict[str, object]) -> list[dict[str, object]]:
        source, id_ = str(row["source"] or ""), str(row["id"])
        seen = self.named(source)
        self.strings += 1
        self.persons += len(seen)
        if not seen:
            self.nobody.append(id_)
        return [
            {**row, "focus": source[person.start : person.end], "focus_start": person.start, "focus_end": person.end}
            | {"id": f"{id_}-{number}", "string": id_}
            | ({"base": None} if "base" in row else {})
            for number, person in enumerate(seen, start=1)
        ]

    def notes(self, what: str) -> tuple[str, ...]:
        """What a reader must know; `what` names the rows (probes, pairs)."""
        if not self.strings:
            return ()
        rows = f"{self.strings:,} {what}" if self.strings > 1 else f"1 {what.removesuffix('s')}"
        persons = {0: "no person was", 1: "1 person was"}.get(self.persons, f"{self.persons:,} persons were")
        found = f"{rows} had no marked focus: {persons} found in {'them' if self.strings > 1 else 'it'}"
        if not self.persons:
            return (f"{found}; are they English sources?",)
        if not self.nobody:
            return (found,)
        return found, f"{len(self.nobody):,} of these name no person and are left out (the first is {self.nobody[0]})"


def with_persons(suite: Suite) -> tuple[Suite, tuple[str, ...]]:
    """The suite with a focus on every probe, and what a reader must know about it; itself where nothing is missing.

    Probes of nouns without a focus are replaced as `Persons.mark` says. Nobody at all is an error.
    """
    probes = suite.probes
    if suite.kind != "nouns" or primary(suite.source_lang) != "en" or "focus_start" not in probes.columns:
        return suite, ()
    if not probes["focus_start"].null_count():
        return suite, ()
    persons = Persons()
    marked = persons.mark(probes)
    if not marked.height:
        raise BadInput(
            f"suite {suite.name}: none of the {persons.strings:,} strings has a marked focus or names a person whose "
            "gender is open in English; mark one between ** **, or give the column source_lang"
        )
    return replace(suite, make=lambda: marked), persons.notes("probes")
