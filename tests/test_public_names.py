"""The public names, pinned: a change here is a change for users and for other packages."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import evenhand

ROOT = Path(__file__).resolve().parents[1]
VERBS = [
    *["amplification", "audit", "calibrate", "check", "check_file", "compare", "corpus", "detect", "gate", "mend"],
    *[
        "board",
        "export",
        "mine",
        "pairs",
        "plan",
        "plan_power",
        "preference",
        "report",
        "run_project",
        "score",
        "sentences",
        "table",
        "translate",
    ],
]
LOADERS = [
    "list_suites",
    "list_systems",
    "load_result",
    "load_run",
    "load_suite",
    "open_engine",
    "open_grammar",
    "open_scorer",
    "open_system",
    "plot",
]
THINGS = [
    *[
        "Audited",
        "Board",
        "Calibration",
        "Check",
        "Comparison",
        "FileCheck",
        "Findings",
        "Gate",
        "Gender",
        "Limits",
        "Mined",
        "MiningSettings",
        "Origin",
        "Plan",
        "ProjectOutcome",
        "Run",
        "Settings",
    ],
    *["StudyTables", "Suite"],
]
WORD_VECTORS = ["Space", "Vectors", "WordLists", "load_vectors", "mitigation", "save_vectors"]
FOR_PLUG_INS = [
    *["Answer", "Batch", "Http", "Request", "System", "TryAgain", "dig", "fingerprint", "require", "texts_of"],
    *["Scale", "Score", "Scorer"],
    *["Counted", "Floats", "Measure", "Statistics", "measure"],
    *["Grouping"],
]
ERRORS = [
    "errors",
    *["BadInput", "BadReply", "EvenhandError", "MissingExtra", "Refused", "SystemFailed", "Unknown", "Unreachable"],
]


def test_the_public_names_are_these() -> None:
    assert sorted(evenhand.__all__) == sorted(
        ["__version__", *VERBS, *LOADERS, *THINGS, *WORD_VECTORS, *FOR_PLUG_INS, *ERRORS]
    )


def test_dir_lists_the_public_names_and_each_can_be_reached() -> None:
    assert dir(evenhand) == sorted(evenhand.__all__)
    for name in evenhand.__all__:
        assert getattr(evenhand, name) is not None


def test_every_function_says_what_it_does_and_takes_options_by_name_only() -> None:
    """One or two things may be given by place: what is acted on, and by whom; everything else has a name."""
    for name in evenhand.__all__:
        thing = getattr(evenhand, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), name
        if name in VERBS:
            parameters = inspect.signature(thing).parameters.values()
            by_place = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
            assert 1 <= len(by_place) <= 2, name
            assert all(p.default is p.empty for p in by_place), name


def test_importing_the_package_imports_no_heavy_one() -> None:
    code = "import evenhand, sys; print(sorted({'polars', 'numpy', 'altair', 'torch'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_python_dash_m_is_the_command_line() -> None:
    done = subprocess.run([sys.executable, "-m", "evenhand", "--version"], capture_output=True, text=True, check=True)
    assert evenhand.__version__ in done.stdout


def test_our_own_plug_in_uses_public_names_only() -> None:
    imported = [
        (path.name, node.module, alias.name)
        for path in sorted((ROOT / "pocket" / "src").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "evenhand"
        for alias in node.names
    ]
    assert imported
    assert [one for one in imported if one[1] != "evenhand" or one[2] not in evenhand.__all__] == []


def test_the_reference_page_has_every_public_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    listed = {line.rpartition(".")[2] for line in page.splitlines() if line.startswith("::: ")}
    assert listed == set(evenhand.__all__) - {"__version__", "errors"}
