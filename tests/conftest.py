"""Where the real development data lies, and small real runs that several rooms look at."""

from __future__ import annotations

import importlib
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

# Before NumPy and CTranslate2 are imported: on a busy machine the threads of an algebra wait for each other more than
# they work, and while they wait they are not to hold the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypotheses

import evenhand
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import WordLists
from evenhand.results.runs import Run
from evenhand.suites.suite import Suite
from evenhand.workflows.settings import Settings

# A busy machine is slow, not wrong.
hypotheses.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypotheses.load_profile("unhurried")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


SLOW = Path(__file__).with_name("slow.tsv")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test that reads the real data carries the marker `shared`, and `slow` what slow.tsv lists: a test, or a
    fixture of a module with every test that uses it."""
    slow = {line.partition("\t")[0] for line in SLOW.read_text("utf-8").splitlines()}
    for item in items:
        module = item.nodeid.partition("::")[0]
        fixtures = (f"{module}::{name}" for name in getattr(item, "fixturenames", ()))
        if not slow.isdisjoint((item.nodeid.partition("[")[0], *fixtures)):
            item.add_marker(pytest.mark.slow)
        if "shared_data" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.shared)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last lines of a run: how many tests were left out, and why."""
    reasons = Counter(
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    )
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} {'test was' if count == 1 else 'tests were'} left out: {reason}")


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What a user's commands remember stays in a folder of the tests."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the checkout; it is never copied into the project."""
    if not SHARED.is_dir():
        pytest.skip(f"no development data at {SHARED}")
    return SHARED


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Another package with an entry point, laid out as pip lays it out: install(group, name, "module:object", code)."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    modules = []

    def place(group: str, name: str, target: str, code: str = "") -> None:
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
        if code:
            modules.append(target.partition(":")[0])
            (folder / f"{modules[-1]}.py").write_text(code)
        importlib.invalidate_caches()

    yield place
    for module in modules:
        sys.modules.pop(module, None)


def mixed(texts: list[str]) -> list[str]:
    """Chooses by the sentence itself: women, men, neutral, both and answers that say nothing about anybody."""
    said = ["She is here.", "He is here.", "They are here.", "He or she is here.", "", "It rains."]
    return [random.Random(f"mixed {t}").choices(said, [25, 50, 15, 5, 2, 3])[0] for t in texts]


def other(texts: list[str]) -> list[str]:
    said = ["She is there.", "He is there.", "They are there."]
    return [random.Random(f"other {t}").choices(said, [45, 35, 20])[0] for t in texts]


def always_he(texts: list[str]) -> list[str]:
    return [f"He is {len(t)} years old." for t in texts]


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
def made_up_vectors() -> Vectors:
    """The words of our Spanish lists with vectors drawn at random: what is measured on them is real, and noise."""
    lists = WordLists.shipped("es")
    forms = [(pair.feminine, pair.masculine) for pair in lists.occupations]
    paired = [word for pair in (*lists.definitions, *forms) for word in pair]
    words = list(dict.fromkeys((*paired, *lists.male, *lists.female, *lists.nouns)))
    drawn = np.random.default_rng(1).normal(size=(len(words), 12))
    return Vectors(words, drawn.astype(np.float32), "made-up.vec")


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path], Path]:
    """A run of its own for a test that changes it."""

    def copy(path: Path) -> Path:
        target = tmp_path / path.name
        Run.load(path).save(target)
        return target

    return copy
