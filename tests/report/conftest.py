"""Runs and servers for the pages; the plain runs are in tests/conftest.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.report.pages import HOME

from evenhand.embeddings import study
from evenhand.embeddings.findings import study_findings
from evenhand.embeddings.mitigation import Space
from evenhand.embeddings.vectors import Vectors
from evenhand.embeddings.wordlists import WordLists
from evenhand.systems import Answer, Request
from evenhand.systems.protocol import Batch
from evenhand.workflows.audit import audit
from evenhand.workflows.settings import Settings

if TYPE_CHECKING:
    from starlette.testclient import TestClient
    from tests.report.browsing import Browser

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


def hostile(texts: list[str]) -> list[str]:
    return [HOSTILE[i % len(HOSTILE)] for i, _ in enumerate(texts)]


@pytest.fixture(scope="session")
def hostile_run(audited: Callable[[str, Callable[[list[str]], list[str]]], Path]) -> Path:
    return audited("hostile", hostile)


@pytest.fixture(scope="session")
def study_folder(made_up_vectors: Vectors, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of word vectors drawn at random, on our Spanish lists: real measures of made-up numbers."""
    lists, vectors = WordLists.shipped("es"), replace(made_up_vectors, name="<b>made up</b>.vec")
    found = study.run(Space(vectors), lists, methods=("shift-ori",), settings=study.StudySettings(permutations=50))
    folder = tmp_path_factory.mktemp("studies") / "study"
    study_findings(found).save(folder)
    return folder


FORMS = {"baker": ("el panadero", "la panadera"), "tailor": ("el sastre", "la sastra")}


class Docile:
    """Renders every baker and tailor as a man, unless it is asked for a woman."""

    name, fingerprint, batch = "docile", "docile-1", Batch(concurrency=1)
    asks = frozenset({"female", "male"})

    async def translate(self, requests: list[Request]) -> list[Answer]:
        said = ((FORMS[request.text.split()[1]][request.ask == "female"], request.text) for request in requests)
        return [Answer(f"{person.capitalize()} cerró a las {text.split()[-1]}") for person, text in said]


@pytest.fixture(scope="session")
def asked_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two runs of one system on the same sentences: `plain`, and `asked` for women."""
    root = tmp_path_factory.mktemp("asked")
    suite = root / "closing.tsv"
    rows = [
        f"{hour}-{who}\tThe {who} closed {whose} shop at {hour}.\t{who}\t{'male' if whose == 'his' else 'female'}"
        for hour in range(1, 7)
        for who, whose in (("baker", "his"), ("tailor", "her"))
    ]
    suite.write_text("id\tsource\tfocus\tgold\n" + "\n".join(rows) + "\n", "utf-8")
    for name, ask in (("plain", ""), ("asked", "female")):
        settings = Settings(ask=ask, resamples=200)
        audit(suite, Docile(), target="es", settings=settings, output=root / "runs" / name, memory=root / "memory")
    return root / "runs"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    from tests.report.browsing import opened

    yield from opened(tmp_path_factory)


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    from tests.report.browsing import axe_core

    return axe_core(tmp_path_factory)


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
