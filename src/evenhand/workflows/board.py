"""What a board is made of: run folders found and grouped, each group ranked, each system's dated runs compared. All are
plain values that JSON can hold, so that a build keeps what has not changed."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput
from evenhand.level import ALPHA
from evenhand.measures.decisions.history import follow
from evenhand.measures.decisions.paired import Comparison
from evenhand.measures.decisions.ranking import letters
from evenhand.measures.definitions.direction import directed
from evenhand.results.runs import TABLES, Manifest, Run, read_manifest
from evenhand.storage.folders import MANIFEST, own_file, read_manifest_json
from evenhand.workflows.compare import common_measures, compare, detectors_differ, names_of

Value = str | int | float | bool | None
Record = dict[str, Value]
PAIR = ("value", "low", "high", "p", "p_adjusted", "ranking_p", "reading", "n", "family", "note")


@dataclass(frozen=True)
class Entered:
    """One run folder: `key` is a hash of its files, so that equal keys mean equal runs."""

    key: str
    folder: Path
    manifest: Manifest

    @property
    def date(self) -> str:
        """When its oldest answer was given, if the run knows; else when it was made."""
        told = self.manifest.answered
        return str(told["oldest"]) if told and told.get("oldest") else self.manifest.created

    @property
    def group(self) -> tuple[str, str, str]:
        """Runs of one group can be compared: the same sentences into the same language."""
        return self.manifest.suite.name, self.manifest.suite.hash, self.manifest.target_lang


@dataclass(frozen=True)
class Ranked:
    """One group: `rows` per measure and system, `tests` per measure and pair, as compare has them; `unranked` systems
    with the share of their answers that are no renderings; `note` what hinders comparing."""

    rows: list[Record] = field(default_factory=list)
    tests: list[Record] = field(default_factory=list)
    unranked: dict[str, float] = field(default_factory=dict)
    common: int = 0
    left_out: int = 0
    note: str = ""


def enter(places: Sequence[Path | str]) -> tuple[list[Entered], list[str]]:
    """Every run in these folders and below them, oldest first, each once; and what lies there that is no run."""
    entered: dict[str, Entered] = {}
    others: list[str] = []
    for place in map(Path, places):
        if place.is_file() and len(places) > 1:
            others.append(f"{place}: a file, not a folder of a run")  # runs/* brings what lies beside the runs
            continue
        if not place.is_dir():
            raise BadInput(f"{place}: not a folder. A board is made of run folders (`evenhand audit ... -o DIR`).")
        below = (path.parent for path in sorted(place.rglob(MANIFEST)))
        folders = [one for one in below if not any(part.startswith(".") for part in one.relative_to(place).parts)]
        for folder in [place] if own_file(place / MANIFEST) else folders:  # hidden ones are a writer's scratch folders
            raw = read_manifest_json(folder) or {}
            if "kind" in raw:
                others.append(f"{folder}: a result of the kind {raw['kind']}, not a run of a suite")
            elif manifest := read_manifest(folder):
                one = Entered(_key(folder), folder, manifest)
                entered.setdefault(one.key, one)
    if not entered:
        raise BadInput(f"{', '.join(map(str, places))}: no run folder there (`evenhand audit ... -o DIR` makes one)")
    return sorted(entered.values(), key=lambda one: (one.date, str(one.folder))), others


def _key(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in (MANIFEST, *(f"{table}.parquet" for table in TABLES)):
        if own_file(folder / name):
            digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return digest.hexdigest()[:16]


def groups_of(entered: Sequence[Entered]) -> dict[tuple[str, str, str], list[Entered]]:
    """Runs that can be compared, group by group; groups by suite, then language."""
    groups: dict[tuple[str, str, str], list[Entered]] = {}
    for one in sorted(entered, key=lambda one: one.group):
        groups.setdefault(one.group, []).append(one)
    return groups


def dated(group: Sequence[Entered]) -> dict[str, list[Entered]]:
    """A group's runs system by system, in the order of names, oldest first: the last is the one that is ranked."""
    series: dict[str, list[Entered]] = {}
    for one in sorted(group, key=lambda one: (one.date, str(one.folder))):
        series.setdefault(one.manifest.system_name, []).append(one)
    return {name: series[name] for name in sorted(series, key=lambda name: (name.casefold(), name))}


def rank(runs: Mapping[str, Run]) -> Ranked:
    """The runs of a group, by the names of their systems, ranked by the corrected paired tests of `compare`."""
    loaded = list(runs.values())
    if len(loaded) < 2:
        return Ranked(note="There is only one system, so no comparison is possible.")
    known = dict(zip(names_of(loaded), runs, strict=True))
    try:
        compared = compare(loaded, measures=common_measures(loaded))
    except BadInput as error:
        return Ranked(note=f"Not compared: {error}.")
    tests = _pairs(compared, known)
    shares = {known[name]: share for name, share in compared.unranked.items()}
    ranking = compared.ranking.drop("tied_with").with_columns(pl.col("system").replace_strict(known))
    measured = ranking.group_by("measure", maintain_order=True)
    rows = [row for (measure,), part in measured for row in _lettered(part, tests, measure)]
    note = detectors_differ(loaded) or ""
    return Ranked(rows, tests, shares, compared.common, compared.left_out, note)


def _lettered(ranking: pl.DataFrame, tests: Sequence[Record], measure: object) -> Iterator[Record]:
    """The rows of one measure, with the letters that systems without a difference share."""
    names = ranking["system"].to_list()
    tested = {(str(t["first"]), str(t["second"])): t for t in tests if t["measure"] == measure and t["p"] is not None}
    between = {pair: t for pair, t in tested.items() if set(pair) <= set(names)}
    shared = letters(names, [pair for pair, t in between.items() if ranked_apart(t)])
    compared = set(chain.from_iterable(between))
    for row in ranking.iter_rows(named=True):
        yield row | {"letters": " ".join(shared[row["system"]]) if row["system"] in compared else ""}


def ranked_apart(test: Mapping[str, Value]) -> bool:
    """Whether one is shown to be better or, for a measure without a direction, the two are shown to differ."""
    p = test["p_adjusted"] if test["ranking_p"] is None else test["ranking_p"]
    return isinstance(p, float) and p < ALPHA


def _pairs(compared: Comparison, known: Mapping[str, str]) -> list[Record]:
    """The tests with the names of both systems in columns of their own."""
    pairs = {f"{a} - {b}": (known[a], known[b]) for a, b in combinations(known, 2)}
    clean = compared.differences.with_columns(pl.col(pl.Float64).fill_nan(None))
    return [
        {"measure": row["measure"], "first": pairs[row["level"]][0], "second": pairs[row["level"]][1]}
        | {name: row[name] for name in PAIR}
        for row in clean.iter_rows(named=True)
    ]


def drift(series: Sequence[tuple[Entered, Run]]) -> list[Record]:
    """How one system changed from each of its dated runs to the next, one row per measure; the p is valid at all times
    (measures/decisions/history.py), `low` and `high` belong to the step alone."""
    changes: list[Record] = []
    start = 0
    while len(series) - start > 1:
        part = series[start:]
        try:
            followed = _followed([run for _, run in part])
        except BadInput:
            return changes
        turned = followed.filter("changed")["run"].cast(pl.Int64).min()
        end = len(part) - 1 if not isinstance(turned, int) else turned
        steps = {n: _step(part[n - 1][1], part[n][1]) for n in range(1, end + 1)}
        for row in followed.filter(pl.col("run").cast(pl.Int64).is_between(1, end)).iter_rows(named=True):
            number, measure = int(row["run"]), row["measure"]
            before, after = part[number - 1][0], part[number][0]
            names = {"measure": measure, "before": before.key, "after": after.key}
            dates = {"from": before.date[:10], "to": after.date[:10]}
            sizes = steps[number].get(measure) or dict.fromkeys(("change", "low", "high"))
            changes.append(names | dates | sizes | {"p": row["p"], "p_adjusted": row["p"], "changed": row["changed"]})
        start += max(end, 1)
        if not isinstance(turned, int):
            break
    return sorted(changes, key=lambda row: (str(row["measure"]), str(row["to"])))


def _followed(runs: Sequence[Run]) -> pl.DataFrame:
    """Runs of one system, numbered from 0, followed."""
    info = runs[0].manifest
    tables = {str(number): run.table for number, run in enumerate(runs)}
    clusters = tuple(dict.fromkeys(c for run in runs for c in run.manifest.suite.clusters))
    measures = [directed(name) for name in common_measures(runs)]
    return follow(tables, clusters=clusters, measures=measures, level=info.level, groupings=info.suite.groupings)


def _step(before: Run, after: Run) -> dict[str, Record]:
    """The change from one run to the next by measure: change, low, high."""
    pair = [replace(run, path=Path(str(number))) for number, run in enumerate((after, before))]
    steps = compare(pair, measures=common_measures(pair)).differences.with_columns(pl.col(pl.Float64).fill_nan(None))
    rows = steps.select("measure", "low", "high", change="value").iter_rows(named=True)
    return {str(row.pop("measure")): row for row in rows}
