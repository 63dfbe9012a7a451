"""Published sets that lie elsewhere: outside_sets.tsv (citation, licence, repository, commit, command) and
outside_files.tsv (SHA-256 of the files). Nothing is fetched unless `get_data` is called."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from evenhand.errors import BadInput, Unknown, Unreachable
from evenhand.storage.atomic import file_hash
from evenhand.storage.folders import scratch_beside
from evenhand.tsv import rows

FOLDER = files("evenhand.workflows")


@dataclass(frozen=True)
class OutsideFile:
    """A file of a set: where it belongs in the set's folder. An `optional` one is not needed to read the set."""

    path: str
    optional: bool
    sha256: str


@dataclass(frozen=True)
class OutsideSet:
    """What is known about a set; "" where it is not known."""

    name: str
    title: str
    citation: str
    licence: str
    repository: str
    commit: str
    read_by: str
    note: str
    files: tuple[OutsideFile, ...] = ()


@dataclass(frozen=True)
class CheckedFile:
    """One file of a set in a folder: equal, different, missing, or missing but optional (then `passed`)."""

    set: str
    path: str
    state: str

    @property
    def passed(self) -> bool:
        return self.state in ("equal", "missing, optional")


@cache
def outside_sets() -> dict[str, OutsideSet]:
    """Every set by its name."""
    listed: dict[str, list[OutsideFile]] = {}
    for row in rows(FOLDER / "outside_files.tsv"):
        listed.setdefault(row["set"], []).append(OutsideFile(row["path"], bool(row["optional"]), row["sha256"]))
    sets = (OutsideSet(**row, files=tuple(listed.get(row["name"], ()))) for row in rows(FOLDER / "outside_sets.tsv"))
    return {one.name: one for one in sets}


def outside_set(name: str) -> OutsideSet:
    if name not in outside_sets():
        raise Unknown("set", name, outside_sets(), hint="`evenhand data list` describes them.")
    return outside_sets()[name]


def check_data(folder: Path | str, name: str | None = None) -> list[CheckedFile]:
    """Compare the files of a folder with those of a set, by content and then by name; without a `name`, of every set
    that the folder has a file of."""
    place = Path(folder)
    if not place.is_dir():
        raise BadInput(f"{place}: no such folder")
    found = _by_name(place)
    sets = [outside_set(name)] if name else [one for one in outside_sets().values() if _is_in(one, found)]
    if name and not sets[0].files:
        raise BadInput(f"no file of {name} has a known SHA-256: it cannot be checked")
    if not sets:
        raise BadInput(f"{place}: it contains no file of a known set; `evenhand data list` lists them")
    return [checked for one in sets for checked in _checked(one, found)]


def _by_name(folder: Path) -> dict[str, list[Path]]:
    """The plain files below a folder by their names; links are not followed."""
    found: dict[str, list[Path]] = {}
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one != ".git")
        for name in sorted(names):
            path = Path(where, name)
            if path.is_file() and not path.is_symlink():
                found.setdefault(name, []).append(path)
    return found


def _same(file: OutsideFile, found: dict[str, list[Path]]) -> Path | None:
    """The file with that name and content."""
    return next((path for path in found.get(Path(file.path).name, ()) if file_hash(path) == file.sha256), None)


def _is_in(one: OutsideSet, found: dict[str, list[Path]]) -> bool:
    named = [file for file in one.files if Path(file.path).name in found]
    return any(_same(file, found) for file in named) or (bool(named) and len(named) == len(one.files))


def _checked(one: OutsideSet, found: dict[str, list[Path]]) -> Iterator[CheckedFile]:
    for file in one.files:
        missing = "missing, optional" if file.optional else "missing"
        state = "different" if Path(file.path).name in found else missing
        yield CheckedFile(one.name, file.path, "equal" if _same(file, found) else state)


def get_data(name: str, output: Path | str, *, repository: str | None = None) -> list[CheckedFile]:
    """Clone the set's repository (or `repository`, another address or a copy) at its commit and copy the set's files to
    `output`, in the layout the commands read; all files where no hash is known."""
    one, place = outside_set(name), Path(output)
    address = repository or one.repository
    if not address:
        raise BadInput(f"no git repository of {name} is known: {one.note}. Give --repository ADDRESS.")
    if place.exists():
        raise BadInput(f"{place} exists: name another folder with -o. Nothing was fetched.")
    with TemporaryDirectory() as scratch:
        clone = Path(scratch) / "clone"
        _git("clone", "--quiet", "--no-checkout", "--", address, str(clone), address=address)
        _git("-C", str(clone), "checkout", "--quiet", one.commit or "HEAD", "--", address=address)
        found = _by_name(clone)
        chosen = {file.path: same for file in one.files if (same := _same(file, found))}
        if not one.files:
            chosen = {str(path.relative_to(clone)): path for paths in found.values() for path in paths}
        if not chosen:
            raise BadInput(f"{address} has no file of {name} as it is known here. Nothing was written.")
        made = scratch_beside(place.resolve())
        for where, source in chosen.items():
            (made / where).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, made / where)
        made.rename(place.resolve())
    return [*_checked(one, _by_name(place))]


def _git(*arguments: str, address: str) -> None:
    """Run git without asking for a password."""
    if shutil.which("git") is None:
        raise BadInput("git is not installed, and the repository is fetched with it")
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2] or "no reason given"
        raise Unreachable(f"git could not get {address}: {reason}. Nothing was written.")
