"""constraints.txt: the versions that the demo and the tests were last run with, of everything they install.

    python builders/constraints.py            # in the environment that `make test` made

Every requirement of pyproject.toml (core, extras, dependency groups) and of pocket/pyproject.toml is followed through
the installed packages; what is not installed here (PyTorch) is left out. pip reads the file with -c.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "constraints.txt"
OURS = {"evenhand", "evenhand-pocket"}


def required() -> Iterator[Requirement]:
    """What the two projects ask for themselves."""
    for place in (ROOT / "pyproject.toml", ROOT / "pocket" / "pyproject.toml"):
        told = tomllib.loads(place.read_text("utf-8"))
        project = told["project"]
        groups = [*project.get("optional-dependencies", {}).values(), *told.get("dependency-groups", {}).values()]
        for text in (*project["dependencies"], *(text for group in groups for text in group)):
            yield Requirement(text)


def pinned() -> dict[str, str]:
    """Name to version of every package that is needed and installed."""
    versions: dict[str, str] = {}
    followed: set[tuple[str, tuple[str, ...]]] = set()
    left = list(required())
    while left:
        need = left.pop()
        name, extras = canonicalize_name(need.name), tuple(sorted(need.extras))
        if name in OURS or (name, extras) in followed:
            continue
        followed.add((name, extras))
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        versions[name] = package.version
        for text in package.requires or ():
            further = Requirement(text)
            if further.marker is None or any(further.marker.evaluate({"extra": extra}) for extra in (*extras, "")):
                left.append(further)
    return versions


def main() -> None:
    python = ".".join(map(str, sys.version_info[:2]))
    head = f"# source\tbuilders/constraints.py, Python {python}: what the demo and the tests were last run with\n"
    lines = [f"{name}=={version}\n" for name, version in sorted(pinned().items())]
    FILE.write_text(head + "".join(lines), "utf-8")


if __name__ == "__main__":
    main()
