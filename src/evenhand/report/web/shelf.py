"""The results an explorer shows: the given ones, and every one below a given folder, opened when a page wants it."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evenhand.errors import BadInput
from evenhand.report.pages.kinds import Shown, shown
from evenhand.report.pages.page import leading, leading_row
from evenhand.report.web.book import Book, read_book
from evenhand.results.findings import Findings
from evenhand.results.runs import Manifest, read_manifest
from evenhand.storage.folders import MANIFEST, as_one, read_manifest_json, read_table
from evenhand.storage.tables import ESTIMATES, conform


@dataclass(frozen=True)
class Leaflet:
    """Findings, opened: what their kind shows of them. `place` and `save` as in an Entry."""

    slug: str
    place: str
    save: Save
    findings: Findings = field(repr=False)
    shown: Shown = field(repr=False)


class Shelf:
    """The given results, and those below given folders (`roots`, where `look` finds what has changed); a name in a URL
    is looked up here, never on the disk. Iterating gives the runs' entries, `get` opens one, findings are in
    `leaflets`."""

    def __init__(self, paths: Sequence[Path]) -> None:
        if not paths:
            raise BadInput("serve needs at least one run folder, or a folder of runs")
        self._folder = Path(tempfile.mkdtemp(prefix="evenhand-serve."))
        self._finalizer = weakref.finalize(self, shutil.rmtree, self._folder, True)
        self._lock = threading.RLock()
        self._turn = self._last = 0
        self._entries: dict[str, RunEntry] = {}
        self._books: dict[str, Book] = {}
        self._slugs: dict[Path, str] = {}  # also of what is gone: a folder that is being replaced comes back at once
        self._failed: dict[Path, tuple[Save, str]] = {}
        self.leaflets: dict[str, Leaflet] = {}
        self.roots: list[Path] = []
        for path in dict.fromkeys(p.resolve() for p in paths):
            if (path / MANIFEST).exists() or not path.is_dir():
                self._put(path, path.name)
                self._open_all()
            else:
                self.roots.append(path)
        self.look()

    def look(self) -> None:
        """Add what is new below the folders, drop what is gone, and read again what was written since."""
        with self._lock:
            entries: list[tuple[Path, RunEntry | Leaflet]] = [(entry.path, entry) for entry in self._entries.values()]
            entries += [(path, one) for one in self.leaflets.values() if (path := one.findings.path) is not None]
            for path, held in entries:
                now = save_of(path)
                if now is not None and now != held.save:
                    self._put_if_readable(path, held.place)
                elif now is None and self._is_below(path):
                    self._take(held.slug)
            for root in self.roots:
                for path in results_below(root):
                    if self._is_new(path):
                        self._put_if_readable(path, str(path.relative_to(root)))
            self._failed = {path: why for path, why in self._failed.items() if save_of(path) is not None}
            self._names()

    @property
    def unread(self) -> dict[str, str]:
        """Folders below the roots that have a manifest but are no results we can read, with the reason."""
        return {str(path): why for path, (_, why) in sorted(self._failed.items())}

    def __iter__(self) -> Iterator[RunEntry]:
        return iter(list(self._entries.values()))

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, slug: str) -> Book | None:
        """A run, opened; None where no run has this name."""
        with self._lock:
            entry = self._entries.get(slug)
            if entry is None:
                return None
            if slug not in self._books:
                self._books[slug] = self._open(entry)
            return self._books[slug]

    def refresh(self, slug: str) -> Book:
        """Read a run again after its verdicts changed; pages being made keep the table they have."""
        with self._lock:
            entry = self._entries[slug]
            self._put(entry.path, entry.place)
            self._names()
            book = self.get(slug)
            if book is None:
                raise BadInput(f"{entry.path}: no longer a run")
            return book

    def close(self) -> None:
        self._finalizer()

    def _put(self, path: Path, place: str) -> None:
        slug = self._slugs.get(path) or str(self._last + 1)
        if "kind" not in (read_manifest_json(path) or {}):
            self._entries[slug] = as_one(path, lambda: read_entry(slug, path, place))
            self._books.pop(slug, None)
        else:
            save = save_of(path)
            findings = Findings.load(path)
            self.leaflets[slug] = Leaflet(slug, place, save, findings, shown(findings))
        self._last = max(self._last, int(slug))
        self._slugs[path] = slug
        if slug in self.leaflets:
            for inside in sorted(path.iterdir()):
                if not inside.is_symlink() and (inside / MANIFEST).is_file():
                    self._put(inside, f"{place}/{inside.name}")

    def _put_if_readable(self, path: Path, place: str) -> None:
        try:
            self._put(path, place)
            self._failed.pop(path, None)
        except BadInput as error:
            self._take(self._slugs.get(path, ""))
            self._failed[path] = (save_of(path), str(error))

    def _is_new(self, path: Path) -> bool:
        """Not on the shelf, and not the same as when it could not be read."""
        slug = self._slugs.get(path, "")
        failed, _ = self._failed.get(path, (None, ""))
        held = slug in self._entries or slug in self.leaflets
        return not held and (failed is None or failed != save_of(path))

    def _take(self, slug: str) -> None:
        self._entries.pop(slug, None)
        self._books.pop(slug, None)
        self.leaflets.pop(slug, None)

    def _is_below(self, path: Path) -> bool:
        return any(path.is_relative_to(root) for root in self.roots)

    def _open_all(self) -> None:
        """What was given by itself is opened at once: that it cannot be read is an error at the start."""
        for entry in self:
            self.get(entry.slug)

    def _names(self) -> None:
        """A run is called after its system; with its language, then its folder, where others are called so too."""
        systems = Counter(entry.manifest.system_label for entry in self)
        into = Counter((entry.manifest.system_label, entry.manifest.target_lang) for entry in self)
        for entry in self:
            name, target = entry.manifest.system_label, entry.manifest.target_lang
            if into[name, target] > 1:
                name = f"{name} ({entry.place})"
            elif systems[name] > 1:
                name = f"{name} → {target}"
            self._entries[entry.slug] = replace(entry, name=name)
            if entry.slug in self._books:
                self._books[entry.slug] = replace(self._books[entry.slug], name=name)

    def _open(self, entry: RunEntry) -> Book:
        self._turn += 1
        target = self._folder / f"{entry.slug}.{self._turn}.parquet"
        return replace(as_one(entry.path, lambda: read_book(entry.slug, entry.path, target)), name=entry.name)


# What lies below a folder: every result found there, with the little of each that a list shows.

DEEPEST = 6
MOST_FOLDERS = 20_000  # looked into below one root: a home folder given by mistake must not keep the page waiting
Save = tuple[int, int] | None


@dataclass(frozen=True)
class RunEntry:
    """One run in the list: `place` is its path from the given folder, `headline` its leading measure, `save` tells one
    writing of it from the next."""

    slug: str
    name: str
    place: str
    path: Path
    manifest: Manifest
    headline: dict[str, object] = field(repr=False)
    save: Save = None


def results_below(root: Path) -> Iterator[Path]:
    """Every result folder below `root`, by name; hidden folders and links are passed over, results not looked into."""
    looked = 0
    for folder, folders, names in os.walk(root):
        here, looked = Path(folder), looked + 1
        inside = MANIFEST in names and here != root
        if inside:
            yield here
        deep = len(here.relative_to(root).parts) >= DEEPEST
        folders[:] = [] if inside or deep or looked > MOST_FOLDERS else sorted(n for n in folders if n[0] != ".")


def save_of(folder: Path) -> Save:
    """What tells one save of a result from the next; None where there is none."""
    try:
        written = (folder / MANIFEST).stat()
    except OSError:
        return None
    return written.st_ino, written.st_mtime_ns


def read_entry(slug: str, path: Path, place: str) -> RunEntry:
    """The entry of a run folder; BadInput where it cannot be read."""
    save, manifest = save_of(path), read_manifest(path)
    if manifest is None:
        raise BadInput(f"{path}: not a run folder (no {MANIFEST})")
    estimates = conform(read_table(path, "estimates"), ESTIMATES, name=f"estimates of {path}")
    measure = leading([estimates], manifest)
    headline = {} if measure is None else leading_row(estimates, measure)
    return RunEntry(slug, manifest.system_label, place, path, manifest, headline, save)
