"""Converted models, made here with random weights; CTranslate2 asked one text at a time is the oracle."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.systems.models.tiny import SENTENCES, ctranslate2_model

from evenhand.errors import BadInput, Unknown
from evenhand.systems import Request, open_system, translate

ctranslate2 = pytest.importorskip(
    "ctranslate2", reason="ctranslate2 is not installed: pip install 'evenhand[ctranslate2]'"
)
sentencepiece = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")

TEXTS = [*SENTENCES, "nurse", "The nurse " * 30]
FAMILIES = {
    "marian": ([], ("source.spm", "target.spm"), [], []),
    "marian-many": ([">>spa<<", ">>eus<<"], ("source.spm", "target.spm"), [">>spa<<"], []),
    "nllb": (["eng_Latn", "spa_Latn", "pes_Arab"], ("sentencepiece.bpe.model",), ["eng_Latn"], ["spa_Latn"]),
    "m2m": (["__en__", "__es__"], ("sentencepiece.bpe.model",), ["__en__"], ["__es__"]),
}


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(family: str, tmp_path: Path) -> Path:
    marks, spm, _, _ = FAMILIES[family]
    return ctranslate2_model(tmp_path / family, marks=list(marks), spm=spm)


def test_each_family_gets_its_marks_and_its_pieces(family: str, folder: Path) -> None:
    _, spm, before, prefix = FAMILIES[family]
    source, target = (sentencepiece.SentencePieceProcessor(model_file=str(folder / name)) for name in (spm[0], spm[-1]))
    model = ctranslate2.Translator(str(folder))
    expected = []
    for text in TEXTS:
        tokens = [*before, *source.encode(text, out_type=str), "</s>"]
        [result] = model.translate_batch(
            [tokens], target_prefix=[prefix] if prefix else None, beam_size=2, max_decoding_length=12
        )
        expected.append(target.decode(result.hypotheses[0][len(prefix) :]))
    system = open_system(f"ctranslate2:{folder}", beam=2, longest=12, tokens=64)
    assert translate(system, TEXTS, source="en", target="es") == expected
    assert len(set(expected)) > 1


def test_a_language_the_model_lacks_is_named_with_those_it_has(tmp_path: Path) -> None:
    folder = ctranslate2_model(tmp_path / "n", marks=["eng_Latn", "pes_Arab"], spm=("sentencepiece.bpe.model",))
    system = open_system(f"ctranslate2:{folder}", beam=1, longest=5)
    assert len(translate(system, ["nurse"], source="eng_Latn", target="fa")) == 1
    with pytest.raises(Unknown, match=r"'de'.*Known: eng_Latn, pes_Arab"):
        translate(system, ["nurse"], source="en", target="de")


def test_any_change_of_the_folder_or_of_the_search_is_another_system(tmp_path: Path) -> None:
    folder = ctranslate2_model(tmp_path / "m", marks=[], spm=("source.spm", "target.spm"))
    before = open_system(f"ctranslate2:{folder}").fingerprint
    assert open_system(f"ctranslate2:{folder}", threads=1, tokens=100).fingerprint == before
    assert open_system(f"ctranslate2:{folder}", beam=1).fingerprint != before
    (folder / "README.md").write_text("x")
    assert open_system(f"ctranslate2:{folder}").fingerprint != before


def test_a_folder_that_is_no_model_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no model\.bin"):
        open_system(f"ctranslate2:{tmp_path}")
    folder = ctranslate2_model(tmp_path / "m", marks=[], spm=("source.spm", "target.spm"))
    (folder / "source.spm").unlink()
    with pytest.raises(BadInput, match=r"no SentencePiece model.*--copy_files"):
        open_system(f"ctranslate2:{folder}")


def test_alternatives_are_the_further_hypotheses_of_the_beam(tmp_path: Path) -> None:
    folder = ctranslate2_model(tmp_path / "m", marks=[], spm=("source.spm", "target.spm"))
    plain = open_system(f"ctranslate2:{folder}", beam=3, longest=10)
    more = open_system(f"ctranslate2:{folder}", beam=3, longest=10, alternatives=9)
    requests = [Request(text, "en", "es") for text in SENTENCES]
    [first, *_], [answer, *_] = asyncio.run(plain.translate(requests)), asyncio.run(more.translate(requests))
    assert answer.text == first.text
    assert first.alternatives == ()
    assert len(answer.alternatives) == 2
    assert more.fingerprint != plain.fingerprint
