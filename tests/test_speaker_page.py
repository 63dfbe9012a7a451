"""Figures that other tests hold stand on docs/speaker.md; its commands are run by tests/test_docs_commands.py."""

from __future__ import annotations

import pytest
from tests.tours import DOCS

PAGE = (DOCS / "speaker.md").read_text("utf-8")


@pytest.mark.parametrize("figure", ["704 first-person", "all 1,744 stored references", "826 of 1,888"])
def test_figures_that_other_tests_hold_stand_on_the_page(figure: str) -> None:
    assert figure in " ".join(PAGE.split())
