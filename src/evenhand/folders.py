"""Folders that appear whole or not at all."""

from __future__ import annotations

import glob
import os
import shutil
import tempfile
from pathlib import Path

from evenhand.errors import BadInput


def check_place(folder: Path) -> None:
    """An error now, instead of after a long audit, when a run could not be saved in this folder."""
    scratch_beside(folder).rmdir()
    try:
        _check_ours(folder)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written ({error.strerror}). Nothing was written.") from error


def scratch_beside(folder: Path) -> Path:
    """A new folder beside the one that will be written."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written ({error.strerror}). Nothing was written.") from error


def _check_ours(folder: Path) -> None:
    if folder.exists() and not (folder / "manifest.json").is_file() and any(folder.iterdir()):
        raise OSError(17, "the folder exists and is not a run", str(folder))


def recover(folder: Path) -> None:
    """Bring back the former folder when a process died in the moment between taking it away and putting the new one."""
    if folder.exists() or not folder.parent.is_dir():
        return
    former = [path for path in folder.parent.glob(f".{glob.escape(folder.name)}.*.old") if path.is_dir()]
    if former:
        max(former, key=lambda path: path.stat().st_mtime).rename(folder)


def swap(scratch: Path, folder: Path, *, kept_out: tuple[str, ...] = ()) -> None:
    """Put a finished folder in the place of another; what people put beside our files stays, `kept_out` does not."""
    _check_ours(folder)
    old = scratch.with_name(scratch.name + ".old")
    if folder.exists():
        # What people put beside our tables (a report, notes) stays with the run.
        for extra in folder.iterdir():
            if not (scratch / extra.name).exists() and extra.name not in kept_out:
                (shutil.copytree if extra.is_dir() else shutil.copy2)(extra, scratch / extra.name)
        folder.rename(old)
    try:
        scratch.rename(folder)
    except OSError:
        recover(folder)
        raise
    if old.exists():
        # under another name first: a half-deleted folder must not be taken for the former one by `recover`
        gone = old.rename(old.with_suffix(".gone"))
        shutil.rmtree(gone, ignore_errors=True)
    directory = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
