"""A tiny Marian and a tiny M2M model with random weights; transformers itself, one text at a time, is the oracle."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tests.systems.models.tiny import SENTENCES, SIZES, sentencepiece_model

from evenhand.errors import BadInput, Unknown
from evenhand.systems import Request, open_system, translate

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'evenhand[hf]'")
transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install 'evenhand[hf]'")
pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")

TEXTS = [*SENTENCES, "nurse", "The nurse " * 20]


def test_a_batch_gives_what_each_text_gives_alone(marian: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(marian)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(marian).eval()
    expected = []
    for text in TEXTS:
        with torch.inference_mode():
            tokens = model.generate(
                **tokenizer([text], return_tensors="pt"), num_beams=2, do_sample=False, max_new_tokens=20
            )
        expected.append(tokenizer.decode(tokens[0], skip_special_tokens=True))
    system = open_system(f"huggingface:{marian}", beam=2, longest=20, texts=4, device="cpu")
    assert translate(system, TEXTS, source="en", target="es") == expected
    assert len(set(expected)) > 1


def test_alternatives_are_the_further_hypotheses_of_the_beam(marian: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(marian)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(marian).eval()
    more = open_system(f"huggingface:{marian}", beam=3, longest=12, texts=2, device="cpu", alternatives=9)
    answers = asyncio.run(more.translate([Request(text, "en", "es") for text in SENTENCES]))
    for text, answer in zip(SENTENCES, answers, strict=True):
        with torch.inference_mode():
            tokens = model.generate(
                **tokenizer([text], return_tensors="pt"),
                num_beams=3,
                num_return_sequences=3,
                do_sample=False,
                max_new_tokens=12,
            )
        expected = tokenizer.batch_decode(tokens, skip_special_tokens=True)
        assert [answer.text, *answer.alternatives] == [one.strip() for one in expected]
    assert any(len({answer.text, *answer.alternatives}) > 1 for answer in answers)
    assert more.fingerprint != open_system(f"huggingface:{marian}", beam=3, longest=12).fingerprint


def test_the_same_model_converted_says_the_same(marian: Path, tmp_path: Path) -> None:
    """Two engines, one model: CTranslate2's converter and decoder against PyTorch's."""
    ctranslate2 = pytest.importorskip("ctranslate2", reason="ctranslate2 is not installed")
    converter = ctranslate2.converters.TransformersConverter(str(marian), copy_files=["source.spm", "target.spm"])
    try:
        converter.convert(str(tmp_path / "ct2"))
    except Exception as error:  # the converter may lag behind transformers
        pytest.skip(f"this ctranslate2 cannot convert models of this transformers: {error}")
    converted = open_system(f"ctranslate2:{tmp_path / 'ct2'}", beam=1, longest=12)
    # transformers counts the end of the sentence as a new token
    original = open_system(f"huggingface:{marian}", beam=1, longest=13, device="cpu")
    ours = translate(converted, SENTENCES, source="en", target="es")
    theirs = translate(original, SENTENCES, source="en", target="es")
    assert ours == theirs


@pytest.fixture(scope="module")
def m2m(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("m2m")
    pieces = sentencepiece_model(folder / "sentencepiece.bpe.model")
    vocabulary = list(dict.fromkeys(["<s>", "<pad>", "</s>", "<unk>", *pieces]))
    (folder / "vocab.json").write_text(json.dumps({piece: n for n, piece in enumerate(vocabulary)}))
    tokenizer = transformers.M2M100Tokenizer(str(folder / "vocab.json"), str(folder / "sentencepiece.bpe.model"))
    tokenizer.save_pretrained(folder)
    torch.manual_seed(6)
    config = transformers.M2M100Config(vocab_size=512, **SIZES)
    transformers.M2M100ForConditionalGeneration(config).save_pretrained(folder)
    return folder


def test_a_many_language_model_begins_with_the_target_language(m2m: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(m2m)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(m2m).eval()
    tokenizer.src_lang = "en"
    expected = []
    for text in SENTENCES:
        with torch.inference_mode():
            tokens = model.generate(
                **tokenizer([text], return_tensors="pt"),
                forced_bos_token_id=tokenizer.get_lang_id("es"),
                num_beams=1,
                do_sample=False,
                max_new_tokens=12,
            )
        expected.append(tokenizer.decode(tokens[0][2:], skip_special_tokens=True))
    system = open_system(f"huggingface:{m2m}", beam=1, longest=12, device="cpu")
    assert translate(system, SENTENCES, source="en", target="es") == expected
    with pytest.raises(Unknown, match="'tlh'"):
        translate(system, ["nurse"], source="en", target="tlh")


@pytest.fixture(scope="module")
def nllb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nllb")
    letters = sorted(set("".join(SENTENCES)) - {" "})
    vocabulary = {piece: n for n, piece in enumerate(["<s>", "<pad>", "</s>", "<unk>", "\u2581", *letters])}
    transformers.NllbTokenizer(vocab=vocabulary, merges=[]).save_pretrained(folder)
    torch.manual_seed(8)
    config = transformers.M2M100Config(vocab_size=512, **SIZES)
    transformers.M2M100ForConditionalGeneration(config).save_pretrained(folder)
    return folder


def test_nllb_takes_short_language_codes(nllb: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(nllb, src_lang="eng_Latn")
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(nllb).eval()
    expected = []
    for text in SENTENCES:
        with torch.inference_mode():
            tokens = model.generate(
                **tokenizer([text], return_tensors="pt"),
                forced_bos_token_id=tokenizer.convert_tokens_to_ids("pes_Arab"),
                num_beams=1,
                do_sample=False,
                max_new_tokens=12,
            )
        expected.append(tokenizer.decode(tokens[0], skip_special_tokens=True).strip())
    system = open_system(f"huggingface:{nllb}", beam=1, longest=12, device="cpu")
    assert translate(system, SENTENCES, source="en", target="fa") == expected
    assert len(set(expected)) > 1


def test_the_fingerprint_is_the_models_content(marian: Path, m2m: Path) -> None:
    first = open_system(f"huggingface:{marian}").fingerprint
    assert open_system(f"huggingface:{marian}", texts=2).fingerprint == first
    assert open_system(f"huggingface:{marian}", beam=1).fingerprint != first
    assert open_system(f"huggingface:{m2m}").fingerprint != first


def test_a_folder_without_a_model_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be loaded"):
        translate(f"huggingface:{tmp_path}", ["a"], source="en", target="es")
