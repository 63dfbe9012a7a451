"""Building a board: what changed is computed, everything is rendered, then written; nothing changed, nothing done."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path

from evenhand._version import __version__
from evenhand.cores import shared_cores
from evenhand.errors import BadInput, EvenhandError, listed, require
from evenhand.report.board.contents import Contents, Extract, Group, GroupKey, extract, side_by_side
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text
from evenhand.storage.locking import one_writer
from evenhand.workflows.board import Entered, Ranked, dated, drift, enter, groups_of, rank
from evenhand.workflows.verify import Compared

SHOWN = 4  # sentences of each outcome


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
    built: bool = True
    """False where nothing had changed since the last build."""


@dataclass(frozen=True)
class _Task:
    """One group to compute: which of its runs are to be read for their pages, and whether it is to be ranked."""

    entered: list[Entered]
    extracts: list[str]
    ranked: bool
    seed: int
    shown: int


def board(
    runs: Path | str | Sequence[Path | str],
    output: Path | str,
    *,
    sentences: int = SHOWN,
    seed: int = 0,
    workers: int = 1,
) -> Board:
    """Build a static site of all runs in these folders and below them.

    `sentences` of each outcome are shown for every run, drawn by `seed`; with 0 the site holds numbers only. A second
    build computes only what changed; with more than one of `workers`, groups of runs are computed in processes (call it
    under `if __name__ == "__main__"` then). Raises BadInput, with nothing written, where a folder is no run or the
    output holds something else.
    """
    require("jinja2", purpose="building a board", extra="report")
    places = [runs] if isinstance(runs, Path | str) else list(runs)
    site = Path(output)
    check_site(site)
    entered, others = enter(places)
    marks = sorted(one.key for one in entered)
    whole = key_of("board", marks, others, sentences, seed, _templates())
    with one_writer(_made(site)):
        cache = Cache(site)
        last = cache.index
        there = last.get("files")
        known = {str(name): str(told) for name, told in there.items()} if isinstance(there, dict) else {}
        if last.get("key") == whole and unchanged(site, known):
            return _told(site, last.get("summary"), others, built=False)
        contents = _contents(entered, others, cache, sentences=sentences, seed=seed, workers=workers)
        from evenhand.report.board import pages

        texts = dict(pages.pages(contents)) | pages.tables(contents)
        for name, text in texts.items():
            write_text(site / name, text)
        forget(site, set(known) - set(texts))
        summary: Content = {
            "runs": len(contents.runs),
            "systems": len(contents.systems),
            "languages": len(contents.languages),
            "suites": len(contents.suites),
            "unranked": pages.left_out(contents),
            "changed": len(contents.changed),
        }
        made: Content = {"sentences": sentences, "seed": seed}
        cache.finish(whole, {name: digest(text) for name, text in texts.items()}, summary, made)
    return _told(site, summary, others, built=True)


def _made(site: Path) -> Path:
    site.parent.mkdir(parents=True, exist_ok=True)
    return site


def _told(site: Path, summary: object, others: list[str], *, built: bool) -> Board:
    told = summary if isinstance(summary, dict) else {}
    return Board(index=site / "index.html", others=others, built=built, **told)


def _templates() -> str:
    """A hash of what pages are made with: another template or another line of code here, another page."""
    folders = [files("evenhand.report.pages").joinpath("templates"), files("evenhand.report.board")]
    made_of = [file for folder in folders for file in folder.iterdir() if file.is_file()]
    return key_of(*sorted((file.name, file.read_text(encoding="utf-8")) for file in made_of))


def _contents(
    entered: Sequence[Entered], others: list[str], cache: Cache, *, sentences: int, seed: int, workers: int
) -> Contents:
    groups = groups_of(entered)
    tasks: dict[GroupKey, _Task] = {}
    for key, members in groups.items():
        wanted = [one.key for one in members if cache.find(_run_key(one.key, sentences, seed)) is None]
        ranked = cache.find(_group_key(members, sentences)) is None
        if wanted or ranked:
            tasks[key] = _Task(members, wanted, ranked, seed, sentences)
    # the largest first, so that the last process does not end long after the others
    order = sorted(tasks, key=lambda key: -len(tasks[key].entered))
    for key, (extracts, computed) in zip(order, _computed([tasks[key] for key in order], workers), strict=True):
        for mark, content in extracts.items():
            cache.keep(_run_key(mark, sentences, seed), content)
        if computed is not None:
            cache.keep(_group_key(groups[key], sentences), computed)
    made = {key: _group(members, cache, sentences, seed) for key, members in groups.items()}
    return Contents(made, others, numbers_only=not sentences, seed=seed)


def _run_key(mark: str, sentences: int, seed: int) -> str:
    return key_of("run with values", mark, sentences, seed)


def _group_key(members: Sequence[Entered], sentences: int) -> str:
    series = [(name, [one.key for one in runs]) for name, runs in dated(members).items()]
    return key_of("group", series, bool(sentences))


def _computed(tasks: Sequence[_Task], workers: int) -> list[tuple[dict[str, Content], Content | None]]:
    if workers < 2 or len(tasks) < 2:
        return [compute(task) for task in tasks]
    # not fork: the threads of Polars do not survive it
    spawned = multiprocessing.get_context("spawn")
    with shared_cores(workers), ProcessPoolExecutor(workers, mp_context=spawned) as pool:
        done = list(pool.map(_told_or_made, tasks))
    for made in done:
        if isinstance(made, str):
            raise BadInput(made)
    return [made for made in done if not isinstance(made, str)]


def _told_or_made(task: _Task) -> tuple[dict[str, Content], Content | None] | str:
    """What `compute` makes, or what is wrong with a run: not every error of ours can leave a process as it is."""
    try:
        return compute(task)
    except EvenhandError as error:
        return str(error)


def compute(task: _Task) -> tuple[dict[str, Content], Content | None]:
    """Everything a group needs that takes time: its runs' extracts by key, its ranking, changes and sentences."""
    series = dated(task.entered)
    wanted = set(task.extracts)
    if task.ranked:  # the last run of each system, and every run of one that has several
        wanted |= {one.key for runs in series.values() for one in (runs if len(runs) > 1 else runs[-1:])}
    loaded = {one.key: Run.load(one.folder) for one in task.entered if one.key in wanted}
    extracts = {
        one.key: asdict(extract(one, loaded[one.key], seed=task.seed, shown=task.shown))
        for one in task.entered
        if one.key in task.extracts
    }
    if not task.ranked:
        return extracts, None
    current = {system: loaded[runs[-1].key] for system, runs in series.items()}
    changes = {
        system: drift([(one, loaded[one.key]) for one in runs]) for system, runs in series.items() if len(runs) > 1
    }
    return extracts, {
        "ranked": asdict(rank(current)),
        "changes": changes,
        "sides": side_by_side(current, shown=task.shown),
    }


def _group(members: Sequence[Entered], cache: Cache, sentences: int, seed: int) -> Group:
    kept = {one.key: cache.find(_run_key(one.key, sentences, seed)) for one in members}
    extracts = {mark: Extract.from_json(content) for mark, content in kept.items() if content is not None}
    computed = cache.find(_group_key(members, sentences)) or {}
    ranked, changes, sides = (computed.get(name) for name in ("ranked", "changes", "sides"))
    return Group(
        series={name: [extracts[one.key] for one in runs] for name, runs in dated(members).items()},
        ranked=Ranked(**ranked) if isinstance(ranked, dict) else Ranked(),
        changes=changes if isinstance(changes, Mapping) else {},
        sides=sides if isinstance(sides, Mapping) else {},
    )


# What a board keeps between builds: one JSON file for each thing that was computed, found by a hash of its inputs.
# The folder `.evenhand-board` lies in the site; whoever deletes it loses nothing but time. A file that cannot be read
# counts as absent.

FOLDER = ".evenhand-board"
INDEX = "index.json"
FORMAT = 2
Content = dict[str, object]


def key_of(*parts: object) -> str:
    """A name for what these inputs give in this version."""
    told = json.dumps([FORMAT, __version__, *parts], ensure_ascii=False, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:24]


class Cache:
    """JSON files by key, under a site; `made` and `kept` count what this build computed and what it found."""

    def __init__(self, site: Path) -> None:
        self.folder = site / FOLDER
        self.made = self.kept = 0
        self._used: set[str] = set()

    def find(self, key: str) -> Content | None:
        """What was kept under a key; None where nothing was."""
        content = self._read(f"{key}.json")
        if content is not None:
            self._used.add(key)
            self.kept += 1
        return content

    def keep(self, key: str, content: Content) -> None:
        write_text(self.folder / f"{key}.json", json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n")
        self._used.add(key)
        self.made += 1

    def _read(self, name: str) -> Content | None:
        try:
            content = json.loads((self.folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return content if isinstance(content, dict) else None

    @property
    def index(self) -> Content:
        """What the last build ended with: its key and its files with their hashes; empty where there was none."""
        return self._read(INDEX) or {}

    def finish(self, key: str, files: dict[str, str], summary: Content, made: Content) -> None:
        """Note a finished build and forget what it did not use."""
        content: Content = {"key": key, "files": files, "summary": summary, "made": made}
        write_text(self.folder / INDEX, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
        for path in self.folder.glob("*.json"):
            if path.name != INDEX and path.stem not in self._used:
                path.unlink(missing_ok=True)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def unchanged(site: Path, files: dict[str, str]) -> bool:
    """Whether every file of a build is there as it was written."""
    return all(_digest_of(site / name) == told for name, told in files.items())


def _digest_of(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def is_board(site: Path) -> bool:
    return (site / FOLDER / INDEX).is_file()


def verify_board(site: Path, *, runs: Sequence[Path] = ()) -> list[Compared]:
    """Every file of a board beside its digest; with `runs`, beside what a new build of them gives."""
    index = Cache(site).index
    files, made = index.get("files"), index.get("made")
    if not isinstance(files, dict):
        raise BadInput(f"{site}: the index of the board cannot be read")
    known = {str(name): str(told) for name, told in files.items() if not Path(name).is_absolute() and ".." not in name}
    rows = [_compared(name, _digest_of(site / name), told, "the index has") for name, told in sorted(known.items())]
    if not runs:
        return rows
    settings = made if isinstance(made, dict) else {}
    with tempfile.TemporaryDirectory() as folder:
        board(runs, folder, sentences=int(settings.get("sentences", 4)), seed=int(settings.get("seed", 0)))
        new = Cache(Path(folder)).index["files"]
    fresh = {str(name): str(told) for name, told in new.items()} if isinstance(new, dict) else {}
    names = sorted({*known, *fresh})
    equal = [name for name in names if fresh.get(name) == _digest_of(site / name)]
    differing = [name for name in names if name not in equal]
    told = f"{len(equal):,} of {len(names):,} files equal" + (f"; not {listed(differing, 5)}" if differing else "")
    return [*rows, Compared("a new build of the runs", not differing, told)]


def _compared(name: str, now: str, told: str, whose: str) -> Compared:
    return Compared(name, now == told, now if now == told else f"{now or 'missing'}, {whose} {told}")


def check_site(site: Path) -> None:
    """Refuse a folder that holds something else than a board."""
    try:
        entries = [entry.name for entry in site.iterdir()] if site.exists() else []
    except OSError as error:
        raise BadInput(f"{site}: cannot be written ({error.strerror}). Nothing was written.") from error
    if entries and FOLDER not in entries:
        raise BadInput(f"{site}: the folder holds something else than a board. Name another one. Nothing was written.")


def forget(site: Path, names: Iterable[str]) -> None:
    """Take away pages of a former build that this one does not have."""
    for name in names:
        path = site / name
        if path.resolve().parent == site.resolve():
            path.unlink(missing_ok=True)
