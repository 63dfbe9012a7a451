"""The notebooks of examples/studies: stored as they were executed, and every cell runs today."""

from __future__ import annotations

import ast
import json
from contextlib import chdir
from pathlib import Path

import pytest

STUDIES = Path(__file__).resolve().parents[1] / "examples" / "studies"
NOTEBOOKS = sorted(STUDIES.glob("*.ipynb"))


def code_cells(path: Path) -> list[dict[str, object]]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source_of(cell: dict[str, object]) -> str:
    lines = cell["source"]
    return lines if isinstance(lines, str) else "".join(map(str, lines if isinstance(lines, list) else ()))


def results(cell: dict[str, object]) -> list[dict[str, object]]:
    """What the cell's last expression showed when it was stored, by MIME type."""
    outputs = cell["outputs"]
    assert isinstance(outputs, list)
    assert not [one for one in outputs if one["output_type"] == "error"]
    return [one["data"] for one in outputs if one["output_type"] == "execute_result"]


def executed(source: str, names: dict[str, object]) -> object:
    """Run a cell as a notebook does: its value is that of an expression at its end."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


def test_there_is_one_notebook_for_each_study() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["cho2019", "farkas2022", "gonen2020", "troles2021", "zhou2019"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_as_it_was_executed_in_order_and_names_no_machine(path: Path) -> None:
    cells = code_cells(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert sum(bool(results(cell)) for cell in cells) >= 3
    assert 'evenhand.table("' + path.stem in "".join(map(source_of, cells))
    text = path.read_text(encoding="utf-8")
    assert not [place for place in ("/tmp/", "/home/", "/root/", "/work/") if place in text]
    assert len(text) < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_today_and_shows_what_it_showed(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("evenhand_pocket")
    names: dict[str, object] = {"__name__": "__main__"}
    with chdir(tmp_path):
        for cell in code_cells(path):
            value = executed(source_of(cell), names)
            shown = [kind for kind in ("html", "svg") if getattr(value, f"_repr_{kind}_", lambda: None)()]
            stored = [data for data in results(cell) if "text/html" in data]
            assert bool(shown) == bool(stored), source_of(cell)
