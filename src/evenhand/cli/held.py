"""Lines of a table to a file or to standard output, all of them or none."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TextIO, cast

from evenhand.storage.atomic import replacing

_IN_MEMORY = 64 * 1024**2


def write_whole(output: Path | None, write: Callable[[TextIO], None]) -> None:
    """Call `write` with a stream; what it wrote appears only when it came to its end.

    What lies in a pipe or a file after an error would pass for the whole.
    """
    if output is not None:
        with replacing(output) as stream:
            write(stream)
        return
    with SpooledTemporaryFile(_IN_MEMORY, mode="w+", encoding="utf-8", newline="\n") as held:
        write(cast("TextIO", held))
        held.seek(0)
        shutil.copyfileobj(held, sys.stdout)
