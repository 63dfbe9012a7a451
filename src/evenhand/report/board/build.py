"""Building a board: every run is read and every group ranked, then pages and tables are written."""

import json
import multiprocessing
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from evenhand.cores import shared_cores
from evenhand.errors import BadInput, EvenhandError
from evenhand.report import require_charts
from evenhand.report.board.contents import Contents, Group, GroupKey, extract, side_by_side
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text
from evenhand.storage.locking import one_writer
from evenhand.workflows.board import Entered, dated, drift, enter, groups_of, rank

SHOWN = 4  # sentences of each outcome
DATA = "board.json"  # names the site's files: what marks a folder as a board


@dataclass(frozen=True)
class Board:
    """A board that was built: where it is, how much is on it, who is left out of a ranking and why, what changed."""

    index: Path
    runs: int
    systems: int
    languages: int
    suites: int
    unranked: list[str] = field(default_factory=list)
    changed: int = 0
    others: list[str] = field(default_factory=list)


def board(
    runs: Path | str | Sequence[Path | str],
    output: Path | str,
    *,
    sentences: int = SHOWN,
    seed: int = 0,
    workers: int = 1,
) -> Board:
    """Build a static site of all runs in these folders and below them.

    `sentences` of each outcome are shown for every run, drawn by `seed`; with 0 the site holds numbers only. With more
    than one of `workers`, groups of runs are computed in processes (call it under `if __name__ == "__main__"` then).
    Raises BadInput, with nothing written, where a folder is no run or the output holds something else.
    """
    require_charts("building a board")
    site = Path(output)
    check_site(site)
    entered, others = enter([runs] if isinstance(runs, Path | str) else list(runs))
    site.parent.mkdir(parents=True, exist_ok=True)
    with one_writer(site):
        groups = _groups(groups_of(entered), sentences=sentences, seed=seed, workers=workers)
        contents = Contents(groups, others, numbers_only=not sentences, seed=seed)
        from evenhand.report.board import pages

        texts = dict(pages.pages(contents))
        texts |= pages.tables(contents, pages=list(texts))
        _forget(site, set(texts))
        for name in sorted(texts, key=lambda name: name != DATA):  # first what a stopped build is recognised by
            write_text(site / name, texts[name])
    return Board(
        site / "index.html",
        runs=len(contents.runs),
        systems=len(contents.systems),
        languages=len(contents.languages),
        suites=len(contents.suites),
        unranked=pages.left_out(contents),
        changed=len(contents.changed),
        others=others,
    )


def _groups(
    members: Mapping[GroupKey, list[Entered]], *, sentences: int, seed: int, workers: int
) -> dict[GroupKey, Group]:
    """Every group, computed in processes where there are several of both."""
    compute = partial(compute_group, sentences=sentences, seed=seed)
    if workers < 2 or len(members) < 2:
        return {key: compute(some) for key, some in members.items()}
    # the largest first, so that the last process does not end long after the others
    order = sorted(members, key=lambda key: -len(members[key]))
    # not fork: the threads of Polars do not survive it
    spawned = multiprocessing.get_context("spawn")
    with shared_cores(workers), ProcessPoolExecutor(workers, mp_context=spawned) as pool:
        done = dict(
            zip(order, pool.map(partial(_group_or_error, compute), (members[key] for key in order)), strict=True)
        )
    groups: dict[GroupKey, Group] = {}
    for key in members:
        if isinstance(made := done[key], str):
            raise BadInput(made)
        groups[key] = made
    return groups


def _group_or_error(compute: partial[Group], members: Sequence[Entered]) -> Group | str:
    """A group, or what is wrong with a run: not every error of ours can leave a process as it is."""
    try:
        return compute(members)
    except EvenhandError as error:
        return str(error)


def compute_group(members: Sequence[Entered], *, sentences: int, seed: int) -> Group:
    """Everything a group needs that takes time: extracts of its runs, its ranking, changes and sentences."""
    loaded = {one.key: Run.load(one.folder) for one in members}
    series = dated(members)
    current = {system: loaded[runs[-1].key] for system, runs in series.items()}
    return Group(
        series={
            system: [extract(one, loaded[one.key], seed=seed, shown=sentences) for one in runs]
            for system, runs in series.items()
        },
        ranked=rank(current),
        changes={
            system: drift([(one, loaded[one.key]) for one in runs]) for system, runs in series.items() if len(runs) > 1
        },
        sides=side_by_side(current, shown=sentences),
    )


def check_site(site: Path) -> None:
    """Refuse a folder that holds something else than a board."""
    try:
        entries = [entry.name for entry in site.iterdir()] if site.exists() else []
    except OSError as error:
        raise BadInput(f"{site}: cannot be written ({error.strerror}). Nothing was written.") from error
    if entries and DATA not in entries:
        raise BadInput(f"{site}: the folder is not empty and not a board. Name another one. Nothing was written.")


def _forget(site: Path, names: set[str]) -> None:
    """Remove the pages of a former build that this one does not have."""
    try:
        former = json.loads((site / DATA).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, LookupError, TypeError):
        return
    for path in (site / str(name) for name in former if name not in names):
        if path.resolve().parent == site.resolve():
            path.unlink(missing_ok=True)
