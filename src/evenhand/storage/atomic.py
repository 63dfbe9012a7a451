"""Files that appear whole or not at all."""

import io
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import IO, TextIO

from evenhand.errors import BadInput


@contextmanager
def replacing_bytes(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of `path`, with its rights, when the block ends without an error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # not mkstemp: its files are for their owner alone, whatever rights the user's umask gives
        scratch = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}")
        handle = os.open(scratch, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}). Nothing was written.") from error
    try:
        with open(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if path.is_file() and not path.is_symlink():
            scratch.chmod(stat.S_IMODE(path.stat().st_mode))
        scratch.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}). Nothing was written.") from error
    finally:
        scratch.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """The same for text: UTF-8, LF."""
    with replacing_bytes(path) as raw:
        stream = io.TextIOWrapper(raw, encoding="utf-8", newline="\n")
        yield stream
        stream.detach()  # flushes, and leaves the file open for who opened it


def check_writable(path: Path) -> None:
    """An error now, instead of after long work, when a file could not be written here."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            return
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}). Nothing was written.") from error


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    try:
        with path.open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error


def write_text(path: Path, text: str) -> None:
    """Write a small text file atomically."""
    with replacing(path) as stream:
        stream.write(text)
