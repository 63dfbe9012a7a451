"""Apertium's real command line; its own single-text output is the oracle."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import Unknown
from evenhand.languages import code, spellings
from evenhand.systems import fingerprint_of, open_system, translate
from evenhand.systems.apertium import Apertium, deformatted, reformatted

needs_apertium = pytest.mark.skipif(shutil.which("apertium") is None, reason="the apertium command is not installed")

SENTENCES = [
    "The nurse is here.",
    "The doctor",
    "I am a doctor\nShe is a nurse.\r\n\r\nThe end",
    'She said "hi", he left...',
    " hello  you ",
    "[brackets] ^caret$ a/b c\\d e@f <b>bold</b> {g} * # ~ + ~~",
    "back\\\nslash before a line break",
    "\tThe engineer\twaits.",
    "The teacher arrived. The teachers arrived!",
    "the",
    "big",
]


def installed(mode: str) -> None:
    system = Apertium()
    if mode not in system.modes.values():
        pytest.skip(f"the Apertium pair {mode} is not installed")


def alone(text: str, mode: str) -> str:
    done = subprocess.run(["apertium", "-u", mode], input=text.encode(), capture_output=True, check=True)
    return done.stdout.decode()


@pytest.mark.apertium
@needs_apertium
def test_a_batch_gives_what_the_command_gives_for_each_text_alone() -> None:
    installed("eng-spa")
    together = translate("apertium", SENTENCES, source="en", target="es")
    assert together == [alone(text, "eng-spa") for text in SENTENCES]


@pytest.mark.apertium
@needs_apertium
def test_basque_renderings_do_not_depend_on_their_neighbours() -> None:
    installed("eu-en")
    texts = ["Hura medikua da.", "Hura erizaina da", "Irakaslea naiz", "Hura oso ona da."]
    assert translate("apertium", texts, source="eu", target="en") == [
        translate("apertium", [text], source="eu", target="en")[0] for text in texts
    ]


@pytest.mark.apertium
@needs_apertium
def test_unknown_words_carry_no_mark() -> None:
    installed("eu-en")
    [rendering] = translate("apertium", ["Hura qwertyuiop da."], source="eu", target="en")
    assert "qwertyuiop" in rendering
    assert "*" not in rendering


@pytest.mark.apertium
@needs_apertium
def test_a_pair_that_is_not_installed_is_named_with_those_that_are() -> None:
    installed("eu-en")
    with pytest.raises(Unknown, match=r"eu-tlh.*eu-en") as caught:
        translate("apertium", ["bai"], source="eu", target="tlh")
    assert "eus-eng" not in str(caught.value)


@pytest.mark.apertium
@needs_apertium
def test_two_pairs_have_two_fingerprints_and_both_spellings_of_one_share_it() -> None:
    installed("eng-spa")
    system = open_system("apertium")
    assert fingerprint_of(system, "en", "es") == fingerprint_of(system, "eng", "spa")
    assert fingerprint_of(system, "en", "es") != fingerprint_of(system, "es", "en")


def test_the_usual_code_is_the_short_one() -> None:
    assert [code(given) for given in ("eng", "en", "eng_US", "tlh")] == ["en", "en", "en-US", "tlh"]


def test_a_language_is_known_by_its_short_and_its_long_code() -> None:
    assert spellings("eng") == {"en", "eng"}
    assert spellings("en") == {"en", "eng"}
    assert spellings("eng_US") == {"en_US", "en-US", "eng_US", "eng-US"}
    assert spellings("xyz") == {"xyz"}


@given(st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_what_the_pipeline_passes_through_comes_back_unchanged(text: str) -> None:
    assert reformatted(deformatted(text)) == text
