"""Vectors to test with: real ones beside the checkout, and a new cache for every session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evenhand.embeddings.files import load_vectors
from evenhand.embeddings.vectors import Vectors, WordMatch


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENHAND_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def mini_es(shared_data: Path) -> Vectors:
    return load_vectors(shared_data / "embeddings" / "wiki.es.aligned.mini.vec")


@pytest.fixture(scope="session")
def mini_en(shared_data: Path) -> Vectors:
    return load_vectors(shared_data / "embeddings" / "wiki.en.aligned.mini.vec")


@pytest.fixture(scope="session")
def europarl_es(shared_data: Path) -> Vectors:
    return load_vectors(shared_data / "embeddings" / "europarl.es.20k300.vec.gz", match=WordMatch(case="ignore"))


@pytest.fixture(scope="session")
def europarl_en(shared_data: Path) -> Vectors:
    return load_vectors(shared_data / "embeddings" / "europarl.en.20k300.vec.gz", match=WordMatch(case="ignore"))
