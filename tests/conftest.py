"""Where the real development data lies, and what is skipped without it."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data beside the checkout; it is never copied into the project."""
    if not SHARED.is_dir():
        pytest.skip(f"no development data at {SHARED}")
    return SHARED
