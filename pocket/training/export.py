"""Weights into a CTranslate2 model: `python export.py --weights run/out --pieces out.model --out MODEL`."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import sentencepiece
import torch
from ctranslate2.specs import transformer_spec
from ctranslate2.specs.common_spec import Activation, LayerNormSpec, LinearSpec
from model import POSITIONS, Shape, Translator, sinusoids
from safetensors.torch import load_file
from torch import nn


def load(folder: Path) -> Translator:
    """The trained model in single precision, from its parts."""
    pieces: dict[str, dict[int, torch.Tensor]] = {}
    for path in sorted(folder.glob("weights*.safetensors")):
        for name, tensor in load_file(path).items():
            key, number = name.split("#")
            pieces.setdefault(key, {})[int(number)] = tensor
    model = Translator(Shape(**json.loads((folder / "shape.json").read_text())))
    model.load_state_dict({key: torch.cat([p[i] for i in sorted(p)]).float() for key, p in pieces.items()})
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
    parser.add_argument("--pieces", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--quantization", default="int8")
    arguments = parser.parse_args()
    export(arguments.weights, arguments.pieces, arguments.out, arguments.quantization or None)


if __name__ == "__main__":
    main()
