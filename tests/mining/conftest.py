"""The tiny masked language model, made once a session, and a translator that runs in any worker process."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.mining.tiny_lm import write_tiny_lm


@pytest.fixture(scope="session")
def tiny_lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("onnx", "onnxruntime", "tokenizers"):
        pytest.importorskip(package)
    return write_tiny_lm(tmp_path_factory.mktemp("lm") / "tiny", at_masks=True)
