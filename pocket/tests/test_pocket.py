"""The shipped models, through Evenhand's public ways in."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from evenhand_pocket.models import FOLDER, directions, masked_lm
from evenhand_pocket.system import Pocket
from evenhand_pocket.translate import TOKENS, batches, filled

from evenhand import EvenhandError, Request, load_suite, open_system
from evenhand.mining.masked_lms import MASK, OnnxMaskedLM

GREETINGS = {
    "de": ("I am a teacher.", "Lehrer"), "es": ("The house is big.", "casa"), "fr": ("The dog is black.", "chien"),
    "ru": ("I love you.", "люблю"), "hu": ("A kutya fekete.", "dog"), "fi": ("Talo on suuri.", "house"),
    "tr": ("Ben bir öğretmenim.", "teacher"), "it": ("The house is big.", "casa"),
    "pt": ("The dog is black.", "cachorro"), "nl": ("The dog is black.", "hond"), "pl": ("The dog is black.", "pies"),
    "cs": ("The dog is black.", "pes"), "uk": ("The dog is black.", "собака"), "ro": ("The house is big.", "casa"),
    "ja": ("彼は医者です。", "doctor"), "id": ("Rumah itu besar.", "house"), "fa": ("من دکتر هستم.", "doctor"),
    "et": ("Maja on suur.", "house"),
}  # fmt: skip


def translated(system: Pocket, texts: list[str], source: str, target: str) -> list[str]:
    answers = asyncio.run(system.translate([Request(text, source, target) for text in texts]))
    return [answer.text for answer in answers]


@pytest.fixture(scope="module")
def system() -> Pocket:
    found = open_system("pocket")
    assert isinstance(found, Pocket)
    return found


@pytest.mark.parametrize(("source", "target"), directions())
def test_every_direction_translates_a_plain_sentence(system: Pocket, source: str, target: str) -> None:
    text, word = GREETINGS[target if source == "en" else source]
    assert word.lower() in translated(system, [text], source, target)[0].lower()


def test_answers_keep_the_order_and_the_number_of_the_texts(system: Pocket) -> None:
    texts = ["The dog sleeps.", "", "I have three cats and one very old horse.", "The dog sleeps."]
    together = translated(system, texts, "en", "de")
    assert together[1] == ""
    assert together[0] == together[3]
    assert together[2] == translated(system, [texts[2]], "en", "de")[0]


@pytest.mark.parametrize(("name", "source", "target"), [("pronouns-hungarian", "hu", "en"), ("speaker", "en", "pl")])
def test_an_answer_does_not_depend_on_what_else_is_asked(system: Pocket, name: str, source: str, target: str) -> None:
    texts = load_suite(name).probes["source"].to_list()[::8]
    together = translated(system, texts, source, target)
    assert together == [translated(system, [text], source, target)[0] for text in texts]


def test_texts_share_a_batch_by_rounded_length_and_one_has_it_in_full() -> None:
    lengths = {0: 5, 1: 8, 2: 9, 3: 7, 4: 400, **dict.fromkeys(range(10, 400), 3)}
    made = batches(lengths)
    assert sorted(i for batch in made for i in batch) == sorted(lengths)
    assert [0, 1, 3] in made
    assert max(len(batch) for batch in made) < TOKENS // 4
    assert [len(text) for text in filled([["a"] * 5, ["b"] * 7])] == [5, 7, 8]
    assert len(filled([["a"] * 8, ["b"] * 5])) == 2


def test_a_very_long_text_is_answered(system: Pocket) -> None:
    assert translated(system, ["The dog sleeps. " * 300], "en", "fr")[0]


def test_an_unknown_pair_is_refused_with_the_list(system: Pocket) -> None:
    with pytest.raises(EvenhandError, match=r"en-ja.*en-de"):
        translated(system, ["Hello."], "en", "ja")


def test_the_fingerprint_follows_the_beam() -> None:
    assert Pocket().fingerprint_for("en", "de") == Pocket().fingerprint_for("en", "de")
    assert Pocket().fingerprint_for("en", "de") != Pocket(beam=1).fingerprint_for("en", "de")


def test_the_masked_language_model_fills_a_blank_with_a_word_that_fits() -> None:
    model = OnnxMaskedLM(masked_lm(), name="pocket")
    words = [word for word, _ in model.fill([f"The {MASK} examined the patient in the hospital."], 5)[0]]
    assert {"doctor", "nurse"} & set(words)


def test_the_translators_stay_under_45_and_25_and_the_masked_model_under_30_megabytes() -> None:
    def size(folder: Path) -> int:
        return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())

    assert size(FOLDER / "out") <= 45_000_000
    assert size(FOLDER / "into") <= 25_000_000
    assert size(FOLDER / "mlm") <= 30_000_000


def test_translating_needs_no_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None; from evenhand_pocket.translate import open_model;"
        "model, tag = open_model('en', 'de'); print(model.translate(['The dog sleeps.'], tag)[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Hund" in done.stdout
