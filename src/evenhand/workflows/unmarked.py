"""English probes without a focus: every person they name becomes a probe of its own."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from evenhand.errors import BadInput
from evenhand.languages import primary
from evenhand.mining.person import LexiconFinder
from evenhand.suites.suite import Suite


def with_persons(suite: Suite) -> tuple[Suite, tuple[str, ...]]:
    """The suite with a focus on every probe, and what a reader must know about it; itself where nothing is missing.

    A probe of nouns without a focus becomes one probe a person its English source names (ids with -1, -2, ... added, in
    the source's order, no `base`; `string` keeps the id it had); one that names nobody is left out and counted. Nobody
    at all is an error.
    """
    probes = suite.probes
    if suite.kind != "nouns" or primary(suite.source_lang) != "en" or "focus_start" not in probes.columns:
        return suite, ()
    unmarked = probes.filter(pl.col("focus_start").is_null())
    if not unmarked.height:
        return suite, ()
    finder = LexiconFinder()
    lines: list[dict[str, object]] = []
    persons, nobody = 0, []
    for row in probes.iter_rows(named=True):
        if row["focus_start"] is not None:
            lines.append(row | {"string": row["id"]})
            continue
        seen = finder.persons(row["source"])
        persons += len(seen)
        if not seen:
            nobody.append(row["id"])
        for number, person in enumerate(seen, start=1):
            focus = row["source"][person.start : person.end]
            place = {"focus": focus, "focus_start": person.start, "focus_end": person.end}
            place |= {"id": f"{row['id']}-{number}", "string": row["id"]}
            lines.append(row | place | ({"base": None} if "base" in row else {}))
    if not lines:
        raise BadInput(
            f"suite {suite.name}: none of the {unmarked.height:,} strings has a marked focus or names a person whose "
            "gender is open in English; mark one between ** **, or give the column source_lang"
        )
    marked = pl.DataFrame(lines, schema={**probes.schema, "string": pl.String()}, orient="row")
    notes = [f"{unmarked.height:,} probes had no marked focus: {persons:,} persons were found in them"]
    if nobody:
        notes.append(f"{len(nobody):,} of these name no person and are left out (the first is {nobody[0]})")
    return replace(suite, make=lambda: marked), tuple(notes)
