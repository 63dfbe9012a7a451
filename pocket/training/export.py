"""Weights into a CTranslate2 model, with the pieces each target language may use.

    python export.py --weights run/out/weights --recipe out --data mt --out MODEL

`vmap.txt` lists, for each tag, the pieces the training text of that language has: the translator chooses among these
alone, which is faster and keeps it in the language.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import sentencepiece
import torch
from batches import Maker
from ctranslate2.specs import transformer_spec
from ctranslate2.specs.common_spec import Activation, LayerNormSpec, LinearSpec
from model import POSITIONS, Shape, Translator, sinusoids
from recipes import corpora
from safetensors import safe_open
from torch import nn


def load(folder: Path) -> Translator:
    """The trained model in single precision, from its parts."""
    pieces: dict[str, dict[int, torch.Tensor]] = {}
    shape = ""
    for path in sorted(folder.glob("weights*.safetensors")):
        with safe_open(path, "pt") as part:
            shape = part.metadata()["shape"]
            for name in part.keys():  # noqa: SIM118 (no mapping)
                key, number = name.split("#")
                pieces.setdefault(key, {})[int(number)] = part.get_tensor(name)
    whole = {key: torch.cat([p[i] for i in sorted(p)]).float() for key, p in pieces.items()}
    state = {
        key: tensor * whole.get(key + ".factor", 1) for key, tensor in whole.items() if not key.endswith(".factor")
    }
    model = Translator(Shape(**json.loads(shape)))
    model.load_state_dict(state)
    model.eval()
    return model


def array(tensor: torch.Tensor) -> np.ndarray:
    return np.asarray(tensor.detach().numpy())


def linear(spec: LinearSpec, layer: nn.Linear) -> None:
    spec.weight, spec.bias = array(layer.weight), array(layer.bias)


def norm(spec: LayerNormSpec, layer: nn.LayerNorm) -> None:
    spec.gamma, spec.beta = array(layer.weight), array(layer.bias)


def specification(model: Translator, vocabulary: list[str]) -> transformer_spec.TransformerSpec:
    size = model.shape
    spec = transformer_spec.TransformerSpec.from_config(
        (size.encoder, size.decoder), size.heads, pre_norm=True, activation=Activation.RELU
    )
    positions = array(sinusoids(POSITIONS, size.width))
    for side, layers, last in (
        (spec.encoder, model.encoder, model.encoder_norm),
        (spec.decoder, model.decoder, model.decoder_norm),
    ):
        embeddings = side.embeddings[0] if isinstance(side.embeddings, list) else side.embeddings
        embeddings.weight = array(model.embedding.weight)
        side.position_encodings.encodings = positions
        norm(side.layer_norm, last)
        for target, layer in zip(side.layer, layers, strict=True):
            linear(target.self_attention.linear[0], layer.attention.qkv)
            linear(target.self_attention.linear[1], layer.attention.out)
            norm(target.self_attention.layer_norm, layer.norm)
            if layer.has_cross:
                linear(target.attention.linear[0], layer.cross.query)
                linear(target.attention.linear[1], layer.cross.keyvalue)
                linear(target.attention.linear[2], layer.cross.out)
                norm(target.attention.layer_norm, layer.cross_norm)
            linear(target.ffn.linear_0, layer.first)
            linear(target.ffn.linear_1, layer.second)
            norm(target.ffn.layer_norm, layer.feed_norm)
    spec.decoder.projection.weight = array(model.embedding.weight)
    spec.decoder.projection.bias = array(model.output_bias)
    spec.register_source_vocabulary(vocabulary)
    spec.register_target_vocabulary(vocabulary)
    spec.config.add_source_eos = True
    return spec


def choices(recipe: str, data: Path, pieces: Path) -> str:
    """CTranslate2's vocabulary map: what may be chosen, by the tag on the source side; single bytes always."""
    maker = Maker(pieces, corpora(recipe, data), 128, 1)
    processor, used = maker.processor, dict[str, set[int]]()
    for corpus in maker.corpora:
        mine = used.setdefault(corpus.tags[0] if recipe == "out" else "", set())
        for start in range(0, len(corpus.target), 20_000):
            mine.update(i for ids in processor.encode(corpus.target[start : start + 20_000]) for i in ids)
    used.setdefault("", set()).update(i for i in range(processor.get_piece_size()) if processor.is_byte(i))
    return "".join(
        f"{tag}\t{' '.join(processor.id_to_piece(i) for i in sorted(found))}\n" for tag, found in sorted(used.items())
    )


def export(weights: Path, pieces: Path, out: Path, quantization: str | None) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    spec = specification(load(weights), [processor.id_to_piece(i) for i in range(processor.get_piece_size())])
    spec.validate()
    spec.optimize(quantization=quantization)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    spec.save(str(out))
    shutil.copy(pieces, out / "pieces.model")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--recipe", choices=["out", "into"], required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--quantization", default="int8")
    arguments = parser.parse_args()
    pieces = arguments.data / f"{arguments.recipe}.model"
    export(arguments.weights, pieces, arguments.out, arguments.quantization or None)
    (arguments.out / "vmap.txt").write_text(choices(arguments.recipe, arguments.data, pieces), encoding="utf-8")


if __name__ == "__main__":
    main()
