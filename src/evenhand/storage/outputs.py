"""The one rule for files that a command writes: never an input, and an existing file only if Evenhand made it and it is
as we left it (its SHA-256 is remembered); `overwrite` says otherwise."""

import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from evenhand.errors import BadInput
from evenhand.storage.atomic import file_hash
from evenhand.storage.state import remember, remembered

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
