"""Tiny models with random weights; transformers itself, one pair at a time, is the oracle of their sums."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.systems import Dispatcher, Request, blocking
from evenhand.systems.scoring import Score, ScoringSystem, open_scorer, read_score

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'evenhand[hf]'")
transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install 'evenhand[hf]'")
tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")

PAIRS = [("The nurse left.", "The doctor left."), ("The nurse left.", "nurse"), ("nurse", "The nurse left the nurse.")]


def scores(folder: Path) -> list[Score]:
    system = ScoringSystem(open_scorer(f"huggingface:{folder}", texts=2))
    requests = [Request(source, "en", "es", rendering=rendering) for source, rendering in PAIRS]
    answers = blocking(lambda: Dispatcher(system).run(requests))
    return [read_score(answer.text) for answer in answers]


def test_an_encoder_decoder_model_is_forced_to_the_rendering(marian: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(marian)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(marian).eval()
    for (source, rendering), score in zip(PAIRS, scores(marian), strict=True):
        labels = tokenizer(text_target=[rendering], return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            logits = model(**tokenizer([source], return_tensors="pt"), labels=labels).logits
        expected = torch.log_softmax(logits, -1).gather(-1, labels.unsqueeze(-1)).sum().item()
        assert score.value == pytest.approx(expected, rel=1e-4)
        assert score.tokens == labels.shape[1]


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("causal")
    letters = {letter: n for n, letter in enumerate(map(chr, range(32, 127)))} | {"\n": 95, "<unk>": 96}
    pieces = tokenizers.Tokenizer(tokenizers.models.WordLevel(letters, unk_token="<unk>"))
    pieces.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    transformers.PreTrainedTokenizerFast(tokenizer_object=pieces, unk_token="<unk>").save_pretrained(folder)
    torch.manual_seed(3)
    config = transformers.GPT2Config(vocab_size=97, n_positions=200, n_embd=16, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def test_a_causal_model_scores_the_rendering_after_its_prompt(causal: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(causal)
    model = transformers.AutoModelForCausalLM.from_pretrained(causal).eval()
    for (source, rendering), score in zip(PAIRS, scores(causal), strict=True):
        start = tokenizer(f"English: {source}\nSpanish:")["input_ids"]
        end = tokenizer(f" {rendering}", add_special_tokens=False)["input_ids"]
        ids = torch.tensor([[*start, *end]])
        with torch.inference_mode():
            logs = torch.log_softmax(model(ids).logits, -1)[0]
        expected = sum(logs[len(start) + n - 1, token].item() for n, token in enumerate(end))
        assert score.value == pytest.approx(expected, rel=1e-4)
        assert score.tokens == len(end)
