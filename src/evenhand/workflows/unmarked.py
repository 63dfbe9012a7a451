"""Strings without a focus: every person they name becomes a row; and what other sources than English state of them."""

from collections import Counter, deque
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import primary
from evenhand.persons import AS_IN, Domain, LexiconFinder, Person
from evenhand.suites.suite import Suite

if TYPE_CHECKING:
    from evenhand.detect.glossed import Glosses

PLACE: dict[str, pl.DataType] = {"focus": pl.String(), "focus_start": pl.Int64(), "focus_end": pl.Int64()}


@dataclass
class Persons:
    """Marks the persons in tables of sources, and counts what it met over all of them. `gendered`: also nouns that
    state the gender themselves (mother). Where the `source` is not English, its stated genders are compared."""

    domain: Domain = "prose"
    gendered: bool = True
    source: str = "en"
    strings: int = 0
    persons: int = 0
    nobody: list[str] = field(default_factory=list)
    outcomes: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    _marked: deque[tuple[list[str | None], list[Person | None]]] = field(default_factory=deque)

    @cached_property
    def finder(self) -> "LexiconFinder | Glosses":
        """Made for the first row without a focus: its tagger takes a second to read."""
        if not self.translated:
            return LexiconFinder(domain=self.domain)
        from evenhand.detect.glossed import Glosses  # here: most sources are English

        return Glosses(self.source)

    def mark(self, table: pl.DataFrame) -> pl.DataFrame:
        """Rows with a focus stay; every other one becomes one row per person its source names (ids with -1, -2, ...),
        none where it names no one. Where rows were replaced, `string` keeps the id each had."""
        missing = [pl.lit(None, dtype).alias(name) for name, dtype in PLACE.items() if name not in table.columns]
        table = table.with_columns(missing) if "focus_start" not in table.columns else table
        if table["focus_start"].null_count():
            sources = table.filter(pl.col("focus_start").is_null())["source"].fill_null("").to_list()
            named = iter(self.finder.find_all(sources))
            lines: list[dict[str, object]] = []
            for row in table.iter_rows(named=True):
                lines += [row | {"string": row["id"]}] if row["focus_start"] is not None else self._of(row, next(named))
            table = pl.DataFrame(lines, schema={**table.schema, "string": pl.String()}, orient="row")
        places = list(table.select("source", "focus_start", "focus_end").iter_rows())
        focuses = [None if start is None else source[start:end] for source, start, end in places]
        self._marked.append((focuses, self._there(places) if self.translated else []))
        return table

    @property
    def translated(self) -> bool:
        """The sources are not English."""
        return primary(self.source) != "en"

    def _there(self, places: list[tuple[str, int | None, int | None]]) -> list[Person | None]:
        """The person at each place, as the source names it."""
        named = self.finder.find_all([source or "" for source, _, _ in places])
        spans = [(start or 0, end or 0) for _, start, end in places]
        return [
            next((person for person in persons if person.start < end and person.end > start), None)
            for persons, (start, end) in zip(named, spans, strict=True)
        ]

    def labelled(self, verdicts: pl.DataFrame) -> pl.DataFrame:
        """The verdicts on the table marked first of those that are waiting, with the word each row is about and, of
        sources other than English, the gender `stated`."""
        focuses, persons = self._marked.popleft()
        verdicts = verdicts.with_columns(focus=pl.Series(focuses, dtype=pl.String))
        if not self.translated:
            return verdicts
        stated = [person.says if person and person.says in ("female", "male") else None for person in persons]
        for person, says, gender in zip(persons, stated, verdicts["gender"].cast(pl.String), strict=True):
            if person and says and gender != "unknown":
                self.outcomes[person.gendered, gender in (says, "both")] += 1
        return verdicts.with_columns(stated=pl.Series(stated, dtype=pl.String))

    @property
    def lost(self) -> str:
        """How many stated genders the renderings lost, by whether English has a word for each gender: a detour through
        English loses those for which it has one word only."""
        from evenhand.statistics.classical import fisher_exact  # here: SciPy takes long to import

        table = [[self.outcomes[gendered, kept] for kept in (False, True)] for gendered in (False, True)]
        words = ("English has one word (Lehrerin)", "English has two (Mutter)")
        counts = [
            f"{row[0]:,} of {sum(row):,} where {which}" for row, which in zip(table, words, strict=True) if sum(row)
        ]
        p = f"; Fisher's p {fisher_exact(table).p:.3f}" if len(counts) == len(words) else ""
        return f"stated genders lost: {', '.join(counts)}{p}" if counts else ""

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
        lost = (self.lost,) if self.lost else ()
        if not self.strings:
            return lost
        counts = f"{what} without a marked focus: {self.strings:,}; persons in them: {self.persons:,}"
        known = f"{counts}, {AS_IN[self.domain]}"
        if not self.persons:
            return (f"{known}; {'is --source right?' if self.translated else 'are they English sources?'}",)
        count = len(self.nobody)
        left = f"{what} left out because they name no person: {count:,} ({'the first is ' * (count > 1)}"
        return (*lost, known, *([f"{left}{self.nobody[0]})"] if count else []))


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
        none = f"none of the {persons.strings:,} strings has a marked focus or names a person of open gender in English"
        raise BadInput(f"suite {suite.name}: {none}; mark one between ** **, or give the column source_lang")
    return replace(suite, make=lambda: marked), persons.notes("probes")
