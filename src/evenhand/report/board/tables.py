"""Every number of a board as CSV and JSON; no sentence is in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from evenhand._version import __version__
from evenhand.report.board.contents import Contents, Group, overall
from evenhand.report.board.extract import Extract
from evenhand.report.exchange.spreadsheet import csv_line
from evenhand.storage.tables import ESTIMATES
from evenhand.workflows.board import Record, Value

OF = ("suite", "suite_version", "source_lang", "target_lang", "system", "run", "date")
VALUES = ("value", "low", "high", "n", "n_decided", "n_valid", "n_clusters", "bounds_low", "bounds_high", "interval")
OVERALL = (*OF, "measure", *VALUES, "rank", "letters", "invalid_share")
TESTS = ("suite", "target_lang", "measure", "first", "second", "value", "low", "high", "p", "p_adjusted", "ranking_p")
CHANGES = ("measure", "from", "to", "change", "low", "high", "p", "p_adjusted", "changed", "before", "after")


def tables(contents: Contents) -> dict[str, str]:
    """The text of each file by its name."""
    runs = [_of(run) | {"detector": run.detector, "signature": run.signature} for run in contents.runs]
    results = {
        "overall": (list(_overall(contents)), OVERALL),
        "numbers": (list(_numbers(contents)), (*OF, *ESTIMATES, "signature")),
        "tests": (list(_tests(contents)), (*TESTS, "n", "reading", "family", "note")),
        "changes": (list(_changes(contents)), ("suite", "target_lang", "system", *CHANGES)),
        "runs": (runs, (*OF, "detector", "signature")),
    }
    made = {f"{name}.csv": _csv(rows, columns) for name, (rows, columns) in results.items()}
    whole: dict[str, object] = {"evenhand": __version__}
    whole |= {name: rows for name, (rows, _) in results.items() if name != "numbers"}
    whole["estimates"] = {run.key: run.estimates for run in contents.runs}
    made["board.json"] = json.dumps(whole, ensure_ascii=False, allow_nan=False) + "\n"
    return made


def _csv(rows: Iterable[Mapping[str, Value]], columns: tuple[str, ...]) -> str:
    return csv_line(columns) + "".join(csv_line([row.get(name) for name in columns]) for row in rows)


def _of(run: Extract) -> Record:
    return {
        "suite": run.suite,
        "suite_version": run.suite_version,
        "source_lang": run.source_lang,
        "target_lang": run.target_lang,
        "system": run.system,
        "run": run.key,
        "date": run.date,
    }


def _standing(group: Group, run: Extract, measure: str) -> Record:
    standing = group.ranks.get((measure, run.system)) if run is group.current[run.system] else None
    rank: Record = {"rank": standing["rank"], "letters": standing["letters"]} if standing else {}
    return rank | {"invalid_share": group.ranked.unranked.get(run.system)}


def _overall(contents: Contents) -> Iterator[Record]:
    for group in contents.groups.values():
        for runs in group.series.values():
            for run in runs:
                for measure, row in overall(run).items():
                    values = {name: row[name] for name in VALUES}
                    yield _of(run) | {"measure": measure} | values | _standing(group, run, measure)


def _numbers(contents: Contents) -> Iterator[Record]:
    for run in contents.runs:
        for row in run.estimates:
            yield _of(run) | row | {"signature": run.signature}


def _tests(contents: Contents) -> Iterator[Record]:
    for (suite, _, target), group in contents.groups.items():
        for test in group.ranked.tests:
            yield {"suite": suite, "target_lang": target, **test}


def _changes(contents: Contents) -> Iterator[Record]:
    for (suite, _, target), group in contents.groups.items():
        for system, changes in group.changes.items():
            for change in changes:
                yield {"suite": suite, "target_lang": target, "system": system, **change}
