"""A tiny Marian model with random weights, for whatever asks transformers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.systems.models.tiny import SIZES, sentencepiece_model


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("marian")
    pieces = sentencepiece_model(folder / "source.spm")
    (folder / "target.spm").write_bytes((folder / "source.spm").read_bytes())
    vocabulary = list(dict.fromkeys(["</s>", "<unk>", *pieces, "<pad>"]))
    (folder / "vocab.json").write_text(json.dumps({piece: n for n, piece in enumerate(vocabulary)}))
    tokenizer = transformers.MarianTokenizer(
        str(folder / "source.spm"), str(folder / "target.spm"), str(folder / "vocab.json")
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(5)
    pad = vocabulary.index("<pad>")
    config = transformers.MarianConfig(
        vocab_size=len(vocabulary), pad_token_id=pad, decoder_start_token_id=pad, eos_token_id=0, **SIZES
    )
    transformers.MarianMTModel(config).save_pretrained(folder)
    return folder
