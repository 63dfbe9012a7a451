"""One detector a language, for the sentences of the tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evenhand.detect.nouns import shipped
from evenhand.detect.verdict import Verdict


@pytest.fixture(scope="session")
def judge() -> Callable[[str, str, str, str], Verdict]:
    """judge("de", "The nurse slept.", "nurse", "Der Pfleger schlief.")"""

    def verdict(code: str, source: str, focus: str, rendering: str) -> Verdict:
        start = source.index(focus)
        return shipped("en", code).verdict(source, rendering, start, start + len(focus))

    return verdict
