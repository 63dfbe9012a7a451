from __future__ import annotations

import unicodedata
from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from evenhand.gender import LOOKS, SPELLINGS, Gender
from evenhand.report.pages.marks import gender_style, letter, pieces
from evenhand.report.words.vocabulary import level_shown
from evenhand.visible import visible


@given(st.text())
def test_visible_text_holds_no_control_or_direction_character(text: str) -> None:
    shown = visible(text)
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Co", "Cs"} and c not in "\u200c\u200d"]


@given(st.text(), st.integers(-3, 30), st.integers(-3, 30))
def test_pieces_put_together_are_the_whole_visible_text(text: str, start: int, end: int) -> None:
    assert "".join(p.text for p in pieces(text, start, end, "evidence")) == visible(text)


def test_the_marked_piece_is_what_the_offsets_say_in_code_points() -> None:
    parts = pieces("𝒜 she 𝒜", 2, 5, "evidence")
    assert [(p.text, p.role) for p in parts] == [("𝒜 ", ""), ("she", "evidence"), (" 𝒜", "")]


def test_a_direction_override_is_shown_by_its_number() -> None:
    assert visible("a\u202eb\x00") == "a⟨U+202E⟩b⟨U+0000⟩"


def test_ordinary_letters_of_every_script_stay_as_they_are() -> None:
    for text in ("او پزشک است.", "彼は医者です。", "걔는 의사야", "Ő egy orvos.", "می\u200cروم"):
        assert visible(text) == text


def test_every_gender_can_be_told_without_colour_and_typed_with_one_key() -> None:
    for look in ("letter", "colour", "shape", "tint", "dark", "line", "badge", "rendered", "title"):
        assert len({getattr(shown, look) for shown in LOOKS.values()}) == len(Gender), look
    assert [letter(gender) for gender in Gender] == [shown.letter for shown in LOOKS.values()]
    assert letter(None) == "?"
    keys = "".join(shown.keys for shown in LOOKS.values())
    assert len(set(keys)) == len(keys)
    assert {SPELLINGS[key] for key in keys} == set(Gender)


def test_the_style_of_a_page_and_its_templates_know_every_gender_from_the_one_table() -> None:
    style = gender_style()
    for gender in Gender:
        for rule in (f"mark.{gender} {{", f".badge.{gender} {{", f".bar rect.{gender} {{", f"--{gender}: light-dark("):
            assert rule in style
    for folder in ("evenhand.report.pages", "evenhand.report.web"):
        for file in (files(folder) / "templates").iterdir():
            text = file.read_text(encoding="utf-8")
            assert not [g for g in ("neutral", "both") if f'"{g}"' in text or f".{g} " in text], file


def test_an_isco_group_is_shown_by_its_occupations() -> None:
    assert level_shown("isco08", "1211") == "finance manager (1211)"
    assert level_shown("isco08", "0210 - none") == "sergeant (0210) - no ISCO-08 code"
    assert level_shown("isco08", "9999") == "9999"
