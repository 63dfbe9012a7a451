"""What a board keeps between builds: one JSON file for each thing that was computed, found by a hash of its inputs.

The folder `.evenhand-board` lies in the site; whoever deletes it loses nothing but time. A file that cannot be read
counts as absent.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from evenhand._version import __version__
from evenhand.errors import BadInput
from evenhand.storage.atomic import write_text

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

    def give(self, key: str, make: Callable[[], Content]) -> Content:
        """What was kept under a key, or what `make` makes now."""
        there = self.find(key)
        if there is None:
            self.keep(key, make())
            there = self._read(f"{key}.json")
        if there is None:
            raise BadInput(f"{self.folder}: what was just written cannot be read; look at the disk")
        return there

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

    def finish(self, key: str, files: dict[str, str], summary: Content) -> None:
        """Note a finished build and forget what it did not use."""
        content: Content = {"key": key, "files": files, "summary": summary}
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
