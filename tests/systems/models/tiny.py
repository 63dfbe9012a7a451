"""Tiny translation models with random weights, made on the spot: SentencePiece and a one-layer transformer."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

SENTENCES = [
    "The nurse helped the doctor.",
    "The engineer thanked the teacher because she was kind.",
    "A carpenter and a judge went to the market.",
    "La enfermera ayudó al médico.",
    "El ingeniero agradeció a la maestra.",
    "Una carpintera y un juez fueron al mercado.",
    "Hura medikua da. Hura erizaina da.",
]
WIDTH, HIDDEN = 16, 32


def sentencepiece_model(path: Path, *, size: int = 70) -> list[str]:
    """A model trained on the sentences above; returns its pieces."""
    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES * 20),
        model_writer=written,
        vocab_size=size,
        model_type="unigram",
        hard_vocab_limit=False,
        minloglevel=2,
    )
    path.write_bytes(written.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    return [processor.id_to_piece(n) for n in range(processor.get_piece_size())]


def ctranslate2_model(folder: Path, *, marks: list[str], spm: tuple[str, ...]) -> Path:
    """A folder as the converter writes it, with the given language marks in the vocabulary."""
    import ctranslate2

    folder.mkdir(parents=True)
    pieces: list[str] = []
    for name in spm:
        pieces = sentencepiece_model(folder / name)
    vocabulary = list(dict.fromkeys(["<s>", "</s>", "<unk>", *pieces, *marks]))
    dice = np.random.default_rng(11)

    def normal(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return dice.normal(0, 0.6, shape).astype(np.float32)

    spec = ctranslate2.specs.TransformerSpec.from_config(1, 2)
    linears = []
    for side in (spec.encoder, spec.decoder):
        norms = [side.layer_norm]
        embeddings = side.embeddings[0] if isinstance(side.embeddings, list) else side.embeddings
        embeddings.weight = normal(len(vocabulary), WIDTH)
        side.position_encodings.encodings = normal(300, WIDTH)
        for layer in side.layer:
            for name, parts in (("self_attention", (3, 1)), ("attention", (1, 2, 1))):
                attention = getattr(layer, name, None)
                if attention is not None:
                    norms.append(attention.layer_norm)
                    linears += [(one, part * WIDTH, WIDTH) for one, part in zip(attention.linear, parts, strict=True)]
            norms.append(layer.ffn.layer_norm)
            linears += [(layer.ffn.linear_0, HIDDEN, WIDTH), (layer.ffn.linear_1, WIDTH, HIDDEN)]
        for norm in norms:
            norm.gamma, norm.beta = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    linears.append((spec.decoder.projection, len(vocabulary), WIDTH))
    for linear, rows, columns in linears:
        linear.weight, linear.bias = normal(rows, columns), normal(rows)
    spec.register_source_vocabulary(vocabulary)
    spec.register_target_vocabulary(vocabulary)
    spec.validate()
    spec.save(str(folder))
    return folder


SIZES = {
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "max_position_embeddings": 200,
    "init_std": 0.6,
}
