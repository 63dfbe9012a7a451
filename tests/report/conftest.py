"""Small real runs for the pages: a suite of ours, systems that are plain functions, the real detector and measures."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest
from tests.report.pages import HOME

import evenhand
from evenhand.runs import Run
from evenhand.suites.suite import Suite
from evenhand.workflows.audit import Settings

if TYPE_CHECKING:
    from starlette.testclient import TestClient

pytest.importorskip("altair", reason="the report extra is not installed")
pytest.importorskip("vl_convert", reason="the report extra is not installed")

HOSTILE = [
    "<script>alert('he')</script> she is here",
    '<img src=x onerror="alert(1)"> He is a doctor.',
    "\u202eShe is a nurse.\u202c",
    "He\x00 is\x1b[31m a \x07cook.",
    "</style><style>*{display:none}</style> She is a baker.",
    "{{ 7*7 }} {% raw %} He is a clerk.",
    '=HYPERLINK("http://evil.example") She is a judge.',
]


def mixed(texts: list[str]) -> list[str]:
    """Chooses by the sentence itself: women, men, neutral, both and answers that say nothing about anybody."""
    said = ["She is here.", "He is here.", "They are here.", "He or she is here.", "", "It rains."]
    return [random.Random(f"mixed {t}").choices(said, [25, 50, 15, 5, 2, 3])[0] for t in texts]


def other(texts: list[str]) -> list[str]:
    said = ["She is there.", "He is there.", "They are there."]
    return [random.Random(f"other {t}").choices(said, [45, 35, 20])[0] for t in texts]


def always_he(texts: list[str]) -> list[str]:
    return [f"He is {len(t)} years old." for t in texts]


def hostile(texts: list[str]) -> list[str]:
    return [HOSTILE[i % len(HOSTILE)] for i, _ in enumerate(texts)]


@pytest.fixture(autouse=True)
def own_forms_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the forms of whoever runs it."""
    monkeypatch.setenv("EVENHAND_FORMS", str(tmp_path / "forms"))


@pytest.fixture(scope="session")
def suite() -> Suite:
    """A part of the Basque suite: occupations and expressions, all groupings filled."""
    whole = evenhand.load_suite("pronouns-basque")
    probes = pl.concat([whole.probes.filter(pl.col("kind") == k).head(n) for k, n in
                        (("occupation", 90), ("positive", 15), ("negative", 15))])  # fmt: skip
    return replace(whole, make=lambda: probes)


@pytest.fixture(scope="session")
def audited(
    suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, Callable[[list[str]], list[str]]], Path]:
    folder = tmp_path_factory.mktemp("runs")

    def make(name: str, system: Callable[[list[str]], list[str]]) -> Path:
        path = folder / name
        if not path.exists():
            evenhand.audit(
                suite,
                system,
                target="en",
                output=path,
                memory=folder / "memory.sqlite",
                settings=Settings(resamples=200),
            )
        return path

    return make


@pytest.fixture(scope="session")
def mixed_run(audited: Callable[[str, Callable[[list[str]], list[str]]], Path]) -> Path:
    return audited("mixed", mixed)


@pytest.fixture(scope="session")
def other_run(audited: Callable[[str, Callable[[list[str]], list[str]]], Path]) -> Path:
    return audited("other", other)


@pytest.fixture(scope="session")
def male_run(audited: Callable[[str, Callable[[list[str]], list[str]]], Path]) -> Path:
    return audited("male", always_he)


@pytest.fixture(scope="session")
def hostile_run(audited: Callable[[str, Callable[[list[str]], list[str]]], Path]) -> Path:
    return audited("hostile", hostile)


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    """A run of its own for a test that changes it."""

    def copy(path: Path) -> Path:
        target = tmp_path / path.name
        Run.load(path).save(target)
        return target

    return copy


@pytest.fixture(scope="module")
def client(mixed_run: Path, other_run: Path, hostile_run: Path) -> Iterator[TestClient]:
    """The explorer over three runs, as a browser on this machine sees it."""
    yield from serve([mixed_run, other_run, hostile_run], systems=["command:sed 's/^/He is /'"])


@pytest.fixture
def desk(mixed_run: Path, copy_of: Callable[[Path], Path]) -> Iterator[tuple[TestClient, Path]]:
    """The review desk over a run of its own, and that run's folder."""
    folder = copy_of(mixed_run)
    for opened in serve([folder]):
        yield opened, folder


def serve(folders: list[Path], *, systems: list[str] | None = None) -> Iterator[TestClient]:
    pytest.importorskip("starlette", reason="the serve extra is not installed")
    from starlette.testclient import TestClient

    from evenhand.report.web.app import create_app

    with TestClient(create_app(folders, systems=systems or []), base_url=HOME) as opened:
        yield opened
