"""Folders of tables and a manifest that appear whole or not at all."""

from __future__ import annotations

import glob
import io
import json
import os
import secrets
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

import polars as pl

from evenhand.errors import BadInput

MANIFEST = "manifest.json"


def write_folder(
    folder: Path,
    tables: Mapping[str, pl.DataFrame],
    manifest: Mapping[str, object],
    *,
    dropped: Collection[str] = (),
    ours: Collection[str] = (),
) -> None:
    """NAME.parquet for every table and manifest.json, synced in a sibling folder, then renamed into place.

    What people put beside the files of a former result stays; the tables named in `dropped` do not. `ours` are entries
    that may lie in a folder that has no manifest yet.
    """
    scratch = scratch_beside(folder)
    try:
        for name, table in tables.items():
            # by way of memory: the Parquet writer hides why a disk refused (full, over quota)
            content = io.BytesIO()
            table.rechunk().write_parquet(content, compression="zstd")
            _write_synced(scratch / f"{name}.parquet", content.getvalue())
        text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
        _write_synced(scratch / MANIFEST, text.encode())
        swap(scratch, folder, kept_out=[f"{name}.parquet" for name in dropped], ours=ours)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written ({error.strerror or error}). Nothing was written.") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def read_manifest_json(folder: Path) -> dict[str, object] | None:
    """The manifest of a result folder as it stands; None where there is none, an error where it cannot be read."""
    recover(folder)
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadInput(f"{path}: not a manifest of Evenhand ({error})") from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    if not isinstance(manifest, dict):
        raise BadInput(f"{path}: not a manifest of Evenhand (no object)")
    return manifest


def read_table(folder: Path, name: str) -> pl.DataFrame:
    file = folder / f"{name}.parquet"
    try:
        return pl.read_parquet(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise BadInput(f"{file}: cannot be read as Parquet ({error})") from error


def _write_synced(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def check_place(folder: Path, *, ours: Collection[str] = ()) -> None:
    """An error now, instead of after a long audit, when a result could not be saved in this folder."""
    scratch_beside(folder).rmdir()
    try:
        _check_ours(folder, ours)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written ({error.strerror}). Nothing was written.") from error


def scratch_beside(folder: Path) -> Path:
    """A new folder beside the one that will be written."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # not mkdtemp: its folders are for their owner alone, whatever rights the user's umask gives
        scratch = folder.with_name(f".{folder.name}.{secrets.token_hex(8)}")
        scratch.mkdir()
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written ({error.strerror}). Nothing was written.") from error
    return scratch


def _check_ours(folder: Path, ours: Collection[str]) -> None:
    if not folder.exists() or (folder / MANIFEST).is_file():
        return
    if any(entry.name not in ours for entry in folder.iterdir()):
        raise OSError(17, "the folder exists and is not a run", str(folder))


def recover(folder: Path) -> None:
    """Bring back the former folder when a process died in the moment between taking it away and putting the new one."""
    if folder.exists() or not folder.parent.is_dir():
        return
    former = [path for path in folder.parent.glob(f".{glob.escape(folder.name)}.*.old") if path.is_dir()]
    if former:
        max(former, key=lambda path: path.stat().st_mtime).rename(folder)


def _keep(path: Path, there: Path) -> None:
    """The same content in another place, as links where the disk has them: the shards of a mining run are large."""
    if path.is_dir():
        shutil.copytree(path, there, copy_function=_link)
    else:
        _link(path, there)


def _link(path: Path | str, there: Path | str) -> None:
    try:
        os.link(path, there)
    except OSError:
        shutil.copy2(path, there)


def swap(scratch: Path, folder: Path, *, kept_out: Collection[str] = (), ours: Collection[str] = ()) -> None:
    """Put a finished folder in the place of another; what people put beside our files stays, `kept_out` does not."""
    _check_ours(folder, ours)
    old = scratch.with_name(scratch.name + ".old")
    if folder.exists():
        # What people put beside our tables (a report, notes) stays with the run.
        for extra in folder.iterdir():
            if not (scratch / extra.name).exists() and extra.name not in kept_out:
                _keep(extra, scratch / extra.name)
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
    _sync(folder.parent)


def _sync(folder: Path) -> None:
    """Bring a rename to the disk, where the platform lets a folder be opened (Windows does not)."""
    try:
        directory = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
