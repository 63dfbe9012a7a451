# ruff: noqa: T201
"""Renew the printed lines of documentation pages: run each page's commands and replace what they no longer print.

    python -m builders.docs_output docs/embeddings.md docs/studies.md

Where nothing is left out (no `...`) the whole output is renewed; else a line is replaced by the printed line that is
most like it. Read the difference before you commit it.
"""

from __future__ import annotations

import difflib
import sys
import tempfile
from pathlib import Path

from tests.test_docs_commands import MARKED, plain, steps
from tests.tours import shell_in

SHARED = Path(__file__).resolve().parents[2] / "shared"
LIKE = 0.5  # similarity from which a printed line is taken for the new form of an old one


def renewed(page: str, folder: Path) -> str:
    """The page with the output of its commands as they print it now."""
    shell = shell_in(folder)
    for command, told in steps(page):
        verb, _, rest = command.partition(" ")
        if verb == "cat" and not (folder / rest).exists():
            (folder / rest).write_text("\n".join(told) + "\n", encoding="utf-8")
            continue
        if MARKED.search(command):
            continue
        printed = shell(command).stdout.splitlines()
        if told and "..." not in told:  # nothing left out: the whole output
            before, after = ("\n".join([f"$ {command}", *lines]).rstrip() + "\n" for lines in (told, printed))
            page = page.replace(before, after, 1)
            continue
        known = {plain(line) for line in printed}
        for line in told:
            if line == "..." or plain(line) in known:
                continue
            near = max(printed, key=lambda new: difflib.SequenceMatcher(None, line, new).ratio(), default="")
            if difflib.SequenceMatcher(None, line, near).ratio() < LIKE:
                print(f"! {command}\n! no longer printed: {line}")
                continue
            print(f"- {line}\n+ {near}")
            page = page.replace(f"\n{line}\n", f"\n{near}\n", 1)
    return page


def main() -> None:
    for name in sys.argv[1:]:
        page = Path(name)
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "here"
            folder.mkdir()
            (Path(place) / "shared").symlink_to(SHARED)
            page.write_text(renewed(page.read_text("utf-8"), folder), encoding="utf-8")


if __name__ == "__main__":
    main()
