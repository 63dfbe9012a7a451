"""`evenhand VERB ...` without a process of its own, which costs more than most commands do.

`main` is called as the console script calls it: arguments, folder, environment and standard input are the command's
own; what it prints, its exit code and a traceback come back as from a process.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

from evenhand.cli.main import main


class Pipe(io.TextIOWrapper):
    """A pipe's end: no terminal, bytes below the text."""

    def __init__(self, text: str = "") -> None:
        super().__init__(io.BytesIO(text.encode()), encoding="utf-8", newline="\n", write_through=True)

    def written(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


def evenhand(
    *arguments: object,
    folder: Path,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
    together: bool = False,
) -> CompletedProcess[str]:
    """What a user who stands in `folder` and types this gets; `together`: what a terminal would show is in stdout."""
    command = [str(argument) for argument in arguments]
    out, code = Pipe(), 0
    err = out if together else Pipe()
    with (
        mock.patch.dict(os.environ, environment or {}),
        mock.patch.object(sys, "argv", ["evenhand", *command]),
        mock.patch.object(sys, "stdin", Pipe(stdin)),
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
            if isinstance(stop.code, str):
                err.write(stop.code + "\n")
        except BaseException:  # what would end a process with a traceback
            traceback.print_exc(file=err)
            code = 1
    return CompletedProcess(command, code, out.written(), "" if together else err.written())
