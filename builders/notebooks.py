"""Execute the notebooks of examples/studies again and store what they show: python builders/notebooks.py [NAME...]

`--check` only executes them: an error in a cell is an error.

Needs the dependency group `notebooks` and evenhand-pocket. Each runs in an empty folder.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

STUDIES = Path(__file__).resolve().parents[1] / "examples" / "studies"


def execute(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of a run of today; an error in a cell is an error here."""
    notebook = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times, which differ each time
    notebook.metadata.pop("language_info", None)
    return notebook


def main(names: list[str]) -> None:
    check, wanted = "--check" in names, {name for name in names if name != "--check"}
    for path in sorted(STUDIES.glob("*.ipynb")):
        if not wanted or path.stem in wanted:
            done = execute(path)
            if not check:
                nbformat.write(done, path)
            sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
