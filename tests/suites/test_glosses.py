"""English glosses: of every sentence we ship, of frames, of adjectives."""

from __future__ import annotations

import pytest

import evenhand
from evenhand.suites.glosses import frame_gloss, level_label, sentence_gloss
from evenhand.suites.registry import list_suites

FOREIGN = [entry.name for entry in list_suites() if entry.name.startswith(("pronouns-", "occupations-hungarian"))]


@pytest.mark.parametrize("name", FOREIGN)
def test_every_sentence_that_is_not_english_has_a_whole_gloss(name: str) -> None:
    glosses = {sentence_gloss(row) for row in evenhand.load_suite(name).probes.iter_rows(named=True)}
    assert all(gloss.startswith(("she/he ", "that person ")) and "{" not in gloss for gloss in glosses)


def test_glosses_read_as_english() -> None:
    row = {"source_lang": "hu", "template": "ő egy nagyon rossz {form}", "english": "engineer", "kind": "occupation"}
    assert sentence_gloss(row) == "she/he is a very bad engineer"
    assert sentence_gloss({**row, "template": "Ő egy {form}."}) == "she/he is an engineer"
    assert (
        sentence_gloss({**row, "template": "Ő {form}.", "english": "is kind", "kind": "positive"}) == "she/he is kind"
    )
    assert sentence_gloss({**row, "template": "a user's own {form}"}) == "engineer"
    assert sentence_gloss({**row, "gloss": "their own words"}) == "their own words"
    assert sentence_gloss({**row, "source_lang": "en"}) == ""


def test_a_frame_is_shown_with_its_slot_open_and_in_english() -> None:
    assert level_label("template", "ő egy {form}") == "ő egy … (she/he is …)"
    assert level_label("adjective", "nagyon rossz") == "nagyon rossz (very bad)"
    assert level_label("sector", "culture-arts-sports") == "Culture, Arts, and Sports"
    assert frame_gloss("not {ours}") == ""
