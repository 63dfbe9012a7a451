"""The one rule for files that a command writes: never an input, and an existing file only if Evenhand made it and it is
as we left it (its SHA-256 is remembered); `overwrite` says otherwise."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from evenhand.errors import BadInput
from evenhand.storage.atomic import file_hash

_FILE = "written"


@contextmanager
def claimed(outputs: Sequence[Path], inputs: Iterable[Path], *, overwrite: bool = False) -> Iterator[None]:
    """Refuse what may not be written, then remember what was written while the block ran."""
    given = list(inputs)
    for output in outputs:
        check_output_file(output, given, overwrite=overwrite)
    before = [_stamp(output) for output in outputs]
    try:
        yield
    finally:
        for output, stamp in zip(outputs, before, strict=True):
            if _stamp(output) not in (None, stamp):
                remember(_FILE, file_hash(output))


def check_output_file(output: Path, inputs: Iterable[Path] = (), *, overwrite: bool = False) -> None:
    """An error where a command may not write this file; folders have manifests, and rules of their own."""
    there = _stamp(output)
    if there is None:
        return
    if is_among(output, inputs):
        raise BadInput(f"{output}: is an input of this command; name another file to write. Nothing was written.")
    if not overwrite and there[2] and not remembered(_FILE, file_hash(output)):
        why = "exists, and Evenhand did not make it or it was changed since"
        raise BadInput(f"{output}: {why}; name another file, or give --overwrite. Nothing was written.")


def is_among(path: Path, others: Iterable[Path]) -> bool:
    """Whether a file is one of the others, under whatever name or link."""
    stamp = _stamp(path)
    return stamp is not None and any(_stamp(one) is not None and one.samefile(path) for one in others)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Inode, time and size of a plain file; None of anything else."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return None
    return (about.st_ino, about.st_mtime_ns, about.st_size) if stat.S_ISREG(about.st_mode) else None


# What Evenhand remembers about a user between commands: digests, in files that only the user can read.


def state_file(name: str) -> Path:
    """A file in the user's state folder (XDG_STATE_HOME)."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "evenhand" / name


def remembered(name: str, digest: str) -> bool:
    """Whether this digest was put into the file; False where there is no file, or none that can be read."""
    try:
        return f"{digest}\n".encode() in state_file(name).read_bytes()
    except OSError:
        return False


def remember(name: str, digest: str) -> None:
    """Add a digest. A state folder that cannot be written costs the memory, not the work."""
    with suppress(OSError):
        path = state_file(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not remembered(name, digest):
            handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
            with open(handle, "ab") as stream:
                stream.write(f"{digest}\n".encode())
