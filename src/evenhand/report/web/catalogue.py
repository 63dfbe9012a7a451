"""What lies below a folder: every result found there, with the little of each that a list shows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evenhand.errors import BadInput
from evenhand.report.pages.leading import leading, leading_row
from evenhand.results.runs import Manifest, read_manifest
from evenhand.storage.folders import MANIFEST, as_one, read_table
from evenhand.storage.tables import ESTIMATES, conform

DEEPEST = 6
MOST_FOLDERS = 20_000  # looked into below one root: a home folder given by mistake must not keep the page waiting
Save = tuple[int, int] | None


@dataclass(frozen=True)
class Entry:
    """One run in the list. `place` is its path from the folder that was given, `headline` its leading measure.

    `save` tells one writing of the run from the next.
    """

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
        told = (folder / MANIFEST).stat()
    except OSError:
        return None
    return told.st_ino, told.st_mtime_ns


def entry_of(slug: str, path: Path, place: str) -> Entry:
    """The entry of a run folder; BadInput where it cannot be read."""
    save = save_of(path)
    return as_one(path, lambda: _read(slug, path, place, save))


def _read(slug: str, path: Path, place: str, save: Save) -> Entry:
    manifest = read_manifest(path)
    if manifest is None:
        raise BadInput(f"{path}: not a run folder (no {MANIFEST})")
    estimates = conform(read_table(path, "estimates"), ESTIMATES, name=f"estimates of {path}")
    measure = leading([estimates], manifest)
    headline = {} if measure is None else leading_row(estimates, measure)
    return Entry(slug, manifest.system_label, place, path, manifest, headline, save)
