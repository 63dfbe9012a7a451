"""The labelled sets, read by the benchmark's own readers, and one detector a language."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from evenhand.detect.nouns import NounDetector, Verdict

SETS = Path(__file__).resolve().parents[2] / "benchmarks" / "detect_sets.py"


@pytest.fixture(scope="session")
def sets() -> ModuleType:
    """benchmarks/detect_sets.py as a module."""
    spec = spec_from_file_location("detect_sets", SETS)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["detect_sets"] = module
    spec.loader.exec_module(module)
    return module


@cache
def detector(code: str) -> NounDetector:
    return NounDetector("en", code)


@pytest.fixture(scope="session")
def judge() -> Callable[[str, str, str, str], Verdict]:
    """judge("de", "The nurse slept.", "nurse", "Der Pfleger schlief.")"""

    def verdict(code: str, source: str, focus: str, rendering: str) -> Verdict:
        start = source.index(focus)
        return detector(code).verdict(source, rendering, start, start + len(focus))

    return verdict
