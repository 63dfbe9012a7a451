"""What the pages show behind "Mend"."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.conftest import serve
from tests.report.pages import ORIGIN

ROW: dict[str, object] = {
    "source": "The nurse slept.",
    "source_lang": "en",
    "rendering": "El enfermero durmió.",
    "target_lang": "es",
    "focus_start": 4,
    "focus_end": 9,
    "gender": "male",
}


def test_the_other_form_is_shown_word_by_word_or_the_reason() -> None:
    pytest.importorskip("starlette", reason="the serve extra is not installed")
    from evenhand.report.web.other_forms import other_form

    form = other_form(ROW)
    assert form is not None
    assert (form.to, form.text) == ("female", "La enfermera durmió.")
    assert form.changed == (("El", "La"), ("enfermero", "enfermera"))
    declined = other_form({**ROW, "source": "They slept.", "focus_start": 0, "focus_end": 4})
    assert declined is not None
    assert not declined.text
    assert declined.reason
    for change in ({"gender": "neutral"}, {"target_lang": "hu"}, {"source_lang": "eu"}, {"focus_start": None}):
        assert other_form({**ROW, **change}) is None


def test_a_sentence_that_is_tried_can_be_mended(mixed_run: Path) -> None:
    form = {"text": "The [nurse] slept.", "source": "en", "target": "es", "system0": "1"}
    for client in serve([mixed_run], systems=["command:sed 's/.*/El enfermero durmió./'"]):
        page = client.post("/try", data=form, headers=ORIGIN).text
        assert "<summary>Mend: female</summary>" in page
        assert "La enfermera durmió." in page
        assert "<del>enfermero</del> <ins>enfermera</ins>" in page
