"""English strings without a focus: every person they name becomes a row of its own."""

from collections import deque
from dataclasses import dataclass, field, replace
from functools import cached_property

import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import primary
from evenhand.persons import AS_IN, Domain, LexiconFinder, Person
from evenhand.suites.suite import Suite

PLACE: dict[str, pl.DataType] = {"focus": pl.String(), "focus_start": pl.Int64(), "focus_end": pl.Int64()}


@dataclass
class Persons:
    """Marks the persons in tables of English sources, and counts what it met over all of them. `gendered`: also nouns
    that state the gender themselves (mother)."""

    domain: Domain = "prose"
    gendered: bool = True
    strings: int = 0
    persons: int = 0
    nobody: list[str] = field(default_factory=list)
    _marked: deque[list[str | None]] = field(default_factory=deque)

    @cached_property
    def finder(self) -> LexiconFinder:
        """Made for the first row without a focus: its tagger takes a second to read."""
        return LexiconFinder(domain=self.domain)

    def mark(self, table: pl.DataFrame) -> pl.DataFrame:
        """Rows with a focus stay; every other one becomes one row per person its source names (ids with -1, -2, ...),
        none where it names no one. Where rows were replaced, `string` keeps the id each had."""
        missing = [pl.lit(None, dtype).alias(name) for name, dtype in PLACE.items() if name not in table.columns]
        table = table.with_columns(missing) if "focus_start" not in table.columns else table
        if table["focus_start"].null_count():
            sources = table.filter(pl.col("focus_start").is_null())["source"].fill_null("").to_list()
            found = iter(self.finder.find_all(sources))
            lines: list[dict[str, object]] = []
            for row in table.iter_rows(named=True):
                lines += [row | {"string": row["id"]}] if row["focus_start"] is not None else self._of(row, next(found))
            table = pl.DataFrame(lines, schema={**table.schema, "string": pl.String()}, orient="row")
        places = table.select("source", "focus_start", "focus_end").iter_rows()
        self._marked.append([None if start is None else source[start:end] for source, start, end in places])
        return table

    def labelled(self, verdicts: pl.DataFrame) -> pl.DataFrame:
        """The verdicts on the table marked first of those that are waiting, with the word each row is about."""
        return verdicts.with_columns(focus=pl.Series(self._marked.popleft(), dtype=pl.String))

    def _of(self, row: dict[str, object], found: list[Person]) -> list[dict[str, object]]:
        source, id_ = str(row["source"] or ""), str(row["id"])
        named = [person for person in found if not person.thing and (self.gendered or not person.gendered)]
        self.strings += 1
        self.persons += len(named)
        if not named:
            self.nobody.append(id_)
        return [
            {**row, "focus": source[person.start : person.end], "focus_start": person.start, "focus_end": person.end}
            | {"id": f"{id_}-{number}", "string": id_}
            | ({"base": None} if "base" in row else {})
            for number, person in enumerate(named, start=1)
        ]

    def notes(self, what: str) -> tuple[str, ...]:
        """What a reader must know; `what` names the rows (probes, pairs)."""
        if not self.strings:
            return ()
        rows = f"{self.strings:,} {what}" if self.strings > 1 else f"1 {what.removesuffix('s')}"
        persons = {0: "no person was", 1: "1 person was"}.get(self.persons, f"{self.persons:,} persons were")
        where = "in them" if self.strings > 1 else "in it"
        found = f"{rows} had no marked focus: {persons} {AS_IN[self.domain].replace('as in', f'{where}, as in')}"
        if not self.persons:
            return (f"{found}; are they English sources?",)
        if not self.nobody:
            return (found,)
        return found, f"{len(self.nobody):,} of these name no person and are left out (the first is {self.nobody[0]})"


def with_persons(suite: Suite) -> tuple[Suite, tuple[str, ...]]:
    """The suite with a focus on every probe (`Persons.mark`), and what a reader must know about it; nobody at all is an
    error."""
    probes = suite.probes
    if suite.kind != "nouns" or primary(suite.source_lang) != "en" or "focus_start" not in probes.columns:
        return suite, ()
    if not probes["focus_start"].null_count():
        return suite, ()
    persons = Persons(gendered=False)
    marked = persons.mark(probes)
    if not marked.height:
        raise BadInput(
            f"suite {suite.name}: none of the {persons.strings:,} strings has a marked focus or names a person whose "
            "gender is open in English; mark one between ** **, or give the column source_lang"
        )
    return replace(suite, make=lambda: marked), persons.notes("probes")
