"""Masked language models and the substitutes they propose."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.mining.tiny_lm import write_tiny_lm

from evenhand.errors import BadInput, Unknown
from evenhand.mining.masked_lms import MASK, OnnxMaskedLM, open_masked_lm
from evenhand.mining.perturb import Perturber
from evenhand.persons.finder import LexiconFinder, Outcome

SENTENCES = [f"The {MASK} works in a hospital.", f"An old {MASK} sang in the house on a new day.", f"{MASK} was sad."]


def test_probabilities_fall_and_are_those_the_model_gives(tiny_lm: Path) -> None:
    """The oracle is the model's own formula, computed again with numpy from its file."""
    onnx, numpy_helper = pytest.importorskip("onnx"), pytest.importorskip("onnx.numpy_helper")
    tokenizers = pytest.importorskip("tokenizers")
    weights = {t.name: numpy_helper.to_array(t) for t in onnx.load(str(tiny_lm / "model.onnx")).graph.initializer}
    tokenizer = tokenizers.Tokenizer.from_file(str(tiny_lm / "tokenizer.json"))
    encoded = tokenizer.encode(SENTENCES[0].replace(MASK, "[MASK]"))
    vectors = weights["vectors"][encoded.ids]
    logits = (vectors + vectors.mean(axis=0))[encoded.tokens.index("[MASK]")] @ weights["matrix"] + weights["bias"]
    expected = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    found = OnnxMaskedLM(tiny_lm).fill(SENTENCES, 20)[0]
    assert [p for _, p in found] == sorted((p for _, p in found), reverse=True)
    for word, probability in found:
        assert probability == pytest.approx(expected[tokenizer.token_to_id(word)], rel=1e-4)


def test_a_batch_gives_what_each_sentence_gives_alone(tiny_lm: Path) -> None:
    lm = OnnxMaskedLM(tiny_lm)
    together = lm.fill(SENTENCES, 30)
    for sentence, filled in zip(SENTENCES, together, strict=True):
        alone = lm.fill([sentence], 30)[0]
        assert [w for w, _ in alone] == [w for w, _ in filled]
        np.testing.assert_allclose([p for _, p in alone], [p for _, p in filled], rtol=1e-4)


def test_scores_at_every_place_and_only_at_the_mask_agree(tiny_lm: Path, tmp_path: Path) -> None:
    everywhere = OnnxMaskedLM(write_tiny_lm(tmp_path / "full"))
    assert [[w for w, _ in row] for row in everywhere.fill(SENTENCES, 25)] == [
        [w for w, _ in row] for row in OnnxMaskedLM(tiny_lm).fill(SENTENCES, 25)
    ]


def test_words_of_two_pieces_are_proposed_where_they_are_asked_for(tiny_lm: Path) -> None:
    plain = OnnxMaskedLM(tiny_lm).fill(SENTENCES, 500)
    asked = OnnxMaskedLM(tiny_lm, words=["cashier", "teacher"]).fill(SENTENCES, 500)
    assert "cashier" not in [word for row in plain for word, _ in row]
    assert all("cashier" in [word for word, _ in row] for row in asked)
    assert all([word for word, _ in row].count("teacher") == 1 for row in asked)


def test_a_sentence_longer_than_the_model_reads_has_no_candidates(tiny_lm: Path) -> None:
    far = "house " * 600 + MASK
    assert OnnxMaskedLM(tiny_lm).fill([far, SENTENCES[0]], 5)[0] == []


def test_a_sentence_without_a_mask_is_refused(tiny_lm: Path) -> None:
    with pytest.raises(BadInput, match="exactly one mask"):
        OnnxMaskedLM(tiny_lm).fill(["no mask here"], 5)


def test_a_folder_that_is_no_model_says_what_one_is(tiny_lm: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"a folder with model\.onnx and tokenizer\.json"):
        open_masked_lm(str(tmp_path))
    shutil.copy(tiny_lm / "tokenizer.json", tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"nonsense")
    with pytest.raises(BadInput, match="cannot be loaded"):
        open_masked_lm(str(tmp_path))
    with pytest.raises(Unknown, match="masked language model"):
        open_masked_lm("no-such-name")


def test_every_substitute_passes_the_person_filter_in_its_sentence(tiny_lm: Path) -> None:
    finder = LexiconFinder()
    texts = ["An engineer was happy.", "They were old farmers.", "Ask the doctor in the house!"]
    findings = finder.only(texts)
    proposed = Perturber(OnnxMaskedLM(tiny_lm), finder, accept=6).substitutes(texts, findings)
    for text, found, accepted in zip(texts, findings, proposed, strict=True):
        assert accepted is not None
        assert len(accepted) == 6
        assert [s.rank for s in accepted] == sorted(s.rank for s in accepted)
        for substitute in accepted:
            again = finder.only([substitute.source])[0]
            assert again.outcome is Outcome.KEPT
            assert again.plural == found.plural
            assert substitute.source[substitute.focus_start : substitute.focus_end] == substitute.word
            assert substitute.word.lower() != text[found.start : found.end].lower()
    assert proposed[0] is not None
    assert {s.source.split()[0] for s in proposed[0] if not s.word.startswith(tuple("aeio"))} == {"A"}


@pytest.mark.torch
def test_a_model_of_transformers_is_filled_as_its_own_pipeline_does(tmp_path: Path, tiny_lm: Path) -> None:
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(tiny_lm / "tokenizer.json"),
        mask_token="[MASK]", pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
    )  # fmt: skip
    config = transformers.BertConfig(
        vocab_size=len(fast), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    transformers.BertForMaskedLM(config).save_pretrained(tmp_path)
    fast.save_pretrained(tmp_path)
    ours = open_masked_lm(f"hf:{tmp_path}").fill(SENTENCES, 40)
    pipe = transformers.pipeline("fill-mask", model=str(tmp_path), top_k=40)
    for sentence, found in zip(SENTENCES, ours, strict=True):
        theirs = {row["token_str"]: row["score"] for row in pipe(sentence.replace(MASK, "[MASK]"))}
        assert found
        for word, probability in found:
            assert probability == pytest.approx(theirs[word], rel=1e-3)
