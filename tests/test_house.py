"""The import rule of docs/architecture.md, held against the source: rooms import only rooms that stand above them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

from evenhand.tsv import rows

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "evenhand"
DOCUMENT = ROOT / "docs" / "architecture.md"
HEAD = "| room | holds | may import |"
FREE = ("__init__", "__main__")  # the public names and `python -m evenhand` point into every room


@functools.cache
def rooms() -> dict[str, list[str]]:
    """The table "What each room may import": a room and the rooms it may import, in the table's order."""
    lines = DOCUMENT.read_text("utf-8").split("\n")
    start = lines.index(HEAD) + 2
    table: dict[str, list[str]] = {}
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        room, _, allowed = (cell.strip() for cell in line.strip("|").split("|"))
        above = list(table)
        table[room] = (
            above if allowed == "all above" else [name.strip() for name in allowed.split(",") if name.strip("–")]
        )
    return table


@functools.cache
def vocabulary() -> set[str]:
    """The modules that stand in no room: the shared vocabulary, and those the table names as a room of their own."""
    return {path.stem for path in PACKAGE.glob("*.py")} - set(FREE) - set(rooms())


def room_of(module: str) -> str:
    """The room of `evenhand.systems.http` is systems; that of `evenhand.errors` is the vocabulary."""
    first = module.split(".")[1] if "." in module else "__init__"
    return "vocabulary" if first in vocabulary() else first


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module of ours that a file imports, with the line, wherever in the file the import stands."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.startswith("evenhand."))
        elif isinstance(node, ast.ImportFrom) and node.module == "evenhand":
            yield from ((node.lineno, f"evenhand.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("evenhand."):
            yield node.lineno, node.module or ""


def test_the_table_lists_every_room_and_every_room_only_imports_rooms_above_it() -> None:
    table = rooms()
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert folders <= set(table)
    assert set(table) <= folders | {"vocabulary"} | {path.stem for path in PACKAGE.glob("*.py")}
    order = list(table)
    for room, allowed in table.items():
        above = set(order[: order.index(room)])
        assert set(allowed) <= above, f"{room} may import {set(allowed) - above}, which do not stand above it"


@pytest.mark.parametrize("room", list(rooms()))
def test_a_room_imports_only_what_the_table_allows(room: str) -> None:
    allowed = {room, *rooms()[room]}
    names = vocabulary() if room == "vocabulary" else {room}
    files = [path for name in names for path in (PACKAGE / f"{name}.py", *(PACKAGE / name).rglob("*.py"))]
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in files
        if path.is_file()
        for line, module in imports(path)
        if room_of(module) not in allowed and module != "evenhand.__version__"
    ]
    assert not wrong, "\n".join(wrong)


def test_no_module_of_the_package_goes_round_the_rule_by_a_relative_import() -> None:
    relative = [
        str(path.relative_to(ROOT))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert not relative


@pytest.mark.parametrize("folder", ["tests", "pocket/tests"])
def test_tests_do_not_import_benchmarks_or_builders(folder: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("benchmarks", "builders"))
        or (
            isinstance(node, ast.Import) and any(a.name.split(".")[0] in ("benchmarks", "builders") for a in node.names)
        )
    ]
    assert not wrong


def test_what_is_listed_as_slow_exists() -> None:
    """A row of a renamed test would do nothing."""
    for row in rows(ROOT / "tests" / "slow.tsv"):
        module, _, name = row["test"].partition("::")
        assert f"def {name}(" in (ROOT / module).read_text("utf-8"), row["test"]
