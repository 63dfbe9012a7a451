"""The public names, pinned: a change here is a change for users."""

from __future__ import annotations

import subprocess
import sys

import evenhand


def test_the_public_names_are_these() -> None:
    assert sorted(evenhand.__all__) == [
        "BadInput",
        "EvenhandError",
        "Gender",
        "MissingExtra",
        "Run",
        "Settings",
        "Suite",
        "SystemFailed",
        "__version__",
        "audit",
        "list_suites",
        "list_systems",
        "load_suite",
        "open_system",
        "translate",
    ]


def test_every_public_name_can_be_reached() -> None:
    for name in evenhand.__all__:
        assert getattr(evenhand, name) is not None


def test_importing_the_package_imports_no_heavy_one() -> None:
    code = "import evenhand, sys; print(sorted({'polars', 'numpy', 'altair', 'torch'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
