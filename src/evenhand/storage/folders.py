"""Folders of tables and a manifest that appear whole or not at all."""

import glob
import io
import json
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import polars as pl

from evenhand.errors import BadInput
from evenhand.storage.atomic import file_hash
from evenhand.storage.locking import PATIENCE_SECONDS, one_writer
from evenhand.storage.tables import check_unfolds

MANIFEST = "manifest.json"
FILES = "files"  # in the manifest: the SHA-256 of every table as it was written
LARGEST_MANIFEST = 16 << 20
GAP_SECONDS = 1.0  # between taking the former folder away and putting the new one: far longer than two renames take
TABLE_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}\.parquet")
LOCK = re.compile(r"\..+\.lock")
Read = TypeVar("Read")


def write_folder(
    folder: Path,
    tables: Mapping[str, pl.DataFrame],
    manifest: Mapping[str, object],
    *,
    dropped: Collection[str] = (),
    ours: Collection[str] = (),
    held: bool = False,
) -> None:
    """NAME.parquet for every table and manifest.json, synced in a sibling folder, then renamed into place. The manifest
    has the tables' digests (`files`), so that `edited` can tell whether they are still what was written.

    What people put beside the files of a former result stays; the tables named in `dropped` do not. `ours` are entries
    that may lie in a folder that has no manifest yet. One writer at a time: `held` says that the caller is the one.
    A link that a user gave as the folder stays, and what it leads to is written.
    """
    given, folder = folder, folder.resolve()
    scratch = scratch_beside(folder)
    digests = dict[str, str]()
    try:
        for name, table in tables.items():
            # by way of memory: the Parquet writer hides why a disk refused (full, over quota)
            content = io.BytesIO()
            table.rechunk().write_parquet(content, compression="zstd")
            _write_synced(scratch / f"{name}.parquet", content.getvalue())
            digests[f"{name}.parquet"] = sha256(content.getbuffer()).hexdigest()
        text = json.dumps({**manifest, FILES: digests}, ensure_ascii=False, indent=2) + "\n"
        _write_synced(scratch / MANIFEST, text.encode())
        with nullcontext() if held else one_writer(folder):
            swap(scratch, folder, kept_out=[f"{name}.parquet" for name in dropped], ours=ours)
    except OSError as error:
        raise BadInput(f"{given}: cannot be written ({error.strerror or error}). Nothing was written.") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def edit_warning(folder: Path) -> str:
    """A sentence where files of a result folder are not as they were written; else "", as where the manifest has no
    digests (those of earlier versions)."""
    digests = (read_manifest_json(folder) or {}).get(FILES)
    written = digests.items() if isinstance(digests, dict) else ()
    ours = [(folder / name, digest) for name, digest in written if TABLE_NAME.fullmatch(name)]
    edited = sorted(path.name for path, digest in ours if own_file(path) and file_hash(path) != digest)
    words = f"{', '.join(edited)} changed after the run was written: the signature is not that of these numbers"
    return words if edited else ""


def as_one(folder: Path, read: Callable[[], Read]) -> Read:
    """What `read` makes of a folder's files, all of them of the same save: it reads again where another writer came in
    between. Every save writes a manifest of its own, and the folder is renamed as a whole."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        before = _save_of(folder)
        try:
            content = read()
        except BadInput:
            if _save_of(folder) == before or time.monotonic() > deadline:
                raise
            continue
        if _save_of(folder) == before:
            return content
        if time.monotonic() > deadline:
            raise BadInput(f"{folder}: cannot be read while it is written again and again; wait for the other process")


def _save_of(folder: Path) -> tuple[int, int, int] | None:
    """What tells one save of a folder from the next."""
    try:
        status = (folder / MANIFEST).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def own_file(path: Path) -> bool:
    """Whether this file of a result folder is there; what is no plain file (a link, a pipe) is an error: a folder that
    somebody sent must not lead elsewhere."""
    try:
        kind = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    if not stat.S_ISREG(kind):
        raise BadInput(f"{path}: not a plain file; a result folder holds its own files, no links")
    return True


def read_manifest_json(folder: Path) -> dict[str, object] | None:
    """The manifest of a result folder; None where there is none, an error where it cannot be read."""
    recover(folder)
    path = folder / MANIFEST
    if not own_file(path):
        return None
    try:
        if path.stat().st_size > LARGEST_MANIFEST:
            raise BadInput(f"{path}: not a manifest of Evenhand (it is too large)")
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: not a manifest of Evenhand ({error})") from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    if not isinstance(manifest, dict):
        raise BadInput(f"{path}: not a manifest of Evenhand (no object)")
    return manifest


def read_table(folder: Path, name: str) -> pl.DataFrame:
    file = folder / f"{name}.parquet"
    if name != file.stem or file.parent != folder:
        raise BadInput(f"{folder}: {name!r} is not the name of a table")
    if not own_file(file):
        raise BadInput(f"{file}: cannot be read as Parquet (there is no such file)")
    try:
        check_unfolds(file)
        return pl.read_parquet(file, glob=False)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise BadInput(f"{file}: cannot be read as Parquet ({str(error).splitlines()[0]})") from error


def _write_synced(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def check_place(folder: Path, *, ours: Collection[str] = ()) -> None:
    """An error now, instead of after a long audit, when a result could not be saved in this folder."""
    scratch_beside(folder.resolve()).rmdir()
    try:
        _check_ours(folder, ours)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written ({error.strerror}). Nothing was written.") from error


def scratch_beside(folder: Path) -> Path:
    """A new folder beside the one that will be written."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = folder.with_name(f".{folder.name[:100]}.{secrets.token_hex(6)}")
        scratch.mkdir(mode=0o700)  # results hold texts: who shares one gives the rights, and they stay
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written ({error.strerror}). Nothing was written.") from error
    return scratch


def _check_ours(folder: Path, ours: Collection[str]) -> None:
    if not folder.exists() or (folder / MANIFEST).is_file():
        return
    if any(entry.name not in ours and not LOCK.fullmatch(entry.name) for entry in folder.iterdir()):
        raise OSError(17, "the folder exists and is not a run", str(folder))


def recover(folder: Path) -> None:
    """Bring back the former folder when a process died in the moment between taking it away and putting the new one."""
    if folder.exists() or not folder.parent.is_dir():
        return
    former = _former(folder)
    deadline = time.monotonic() + GAP_SECONDS
    while former and time.monotonic() < deadline:  # another process may just be putting the new one there
        time.sleep(0.01)
        if folder.exists():
            return
        former = _former(folder)
    if former:
        max(former, key=lambda path: path.stat().st_mtime).rename(folder)


def _former(folder: Path) -> list[Path]:
    return [path for path in folder.parent.glob(f".{glob.escape(folder.name[:100])}.*.old") if path.is_dir()]


def _keep(path: Path, there: Path) -> None:
    """The same content in another place, as links where the disk has them: the shards of a mining run are large."""
    if path.is_symlink():
        there.symlink_to(os.readlink(path))
    elif path.is_dir():
        shutil.copytree(path, there, symlinks=True, copy_function=_link)
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
        scratch.chmod(stat.S_IMODE(folder.stat().st_mode))
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
