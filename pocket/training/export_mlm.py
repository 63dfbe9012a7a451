"""Turn the trained masked language model into ONNX with 8-bit weights.

    python export_mlm.py --weights ../../carry/weights/mlm --tokenizer ../../carry/mlm/tokenizer.json --out MODEL

The word embeddings are stored once, as 8-bit integers with one scale a word, and serve as input and as output layer.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from bert import VOCABULARY, WIDTH, MaskedLM, Serving
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import load_file

WORDS = "model.words.weight"


def load(folder: Path) -> MaskedLM:
    pieces: dict[str, dict[int, torch.Tensor]] = {}
    for path in sorted(folder.glob("weights*.safetensors")):
        for name, tensor in load_file(path).items():
            key, number = name.split("#")
            pieces.setdefault(key, {})[int(number)] = tensor
    model = MaskedLM()
    model.load_state_dict({key: torch.cat([p[i] for i in sorted(p)]).float() for key, p in pieces.items()})
    model.eval()
    return model


def to_onnx(model: MaskedLM, path: Path) -> None:
    ids = torch.randint(1000, VOCABULARY, (2, 7))
    given = (ids, torch.ones_like(ids), torch.tensor([[1], [2]]))
    axes = {"input_ids": {0: "rows", 1: "length"}, "attention_mask": {0: "rows", 1: "length"}}
    axes |= {"positions": {0: "rows", 1: "masks"}, "logits": {0: "rows", 1: "masks"}}
    torch.onnx.export(
        Serving(model), given, str(path), input_names=["input_ids", "attention_mask", "positions"],
        output_names=["logits"], dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip


def shrink(source: Path, target: Path) -> None:
    """8-bit weights for every matrix product; the tied embeddings once, for both ends."""
    with tempfile.TemporaryDirectory() as folder:
        middle = Path(folder) / "products.onnx"
        quantize_dynamic(
            str(source), str(middle), weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"]
        )
        model = onnx.load(str(middle))
    graph = model.graph
    stored = {tensor.name: tensor for tensor in graph.initializer}
    weight = next(
        t for t in graph.initializer if t.data_type == TensorProto.INT8 and list(t.dims) == [WIDTH, VOCABULARY]
    )
    scale = stored[weight.name.replace("_quantized", "_scale")]
    zeros = numpy_helper.to_array(stored[weight.name.replace("_quantized", "_zero_point")])
    if np.any(zeros) or list(scale.dims) != [VOCABULARY]:
        raise SystemExit("the output layer was not quantised word by word around zero")
    at, lookup = next(
        (i, node) for i, node in enumerate(graph.node) if node.op_type == "Gather" and node.input[0] == WORDS
    )
    graph.node.remove(lookup)
    graph.initializer.remove(stored[WORDS])
    graph.initializer.append(numpy_helper.from_array(np.array([-1], dtype=np.int64), "last_axis"))
    made = [
        helper.make_node("Gather", [weight.name, lookup.input[1]], ["words_turned"], axis=1),
        helper.make_node("Transpose", ["words_turned"], ["words_small"], perm=[1, 2, 0]),
        helper.make_node("Cast", ["words_small"], ["words_plain"], to=TensorProto.FLOAT),
        helper.make_node("Gather", [scale.name, lookup.input[1]], ["word_scale"], axis=0),
        helper.make_node("Unsqueeze", ["word_scale", "last_axis"], ["word_scales"]),
        helper.make_node("Mul", ["words_plain", "word_scales"], [lookup.output[0]]),
    ]
    for number, node in enumerate(made):
        graph.node.insert(at + number, node)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        to_onnx(load(arguments.weights), Path(folder) / "full.onnx")
        shrink(Path(folder) / "full.onnx", arguments.out / "model.onnx")
    (arguments.out / "tokenizer.json").write_text(
        json.dumps(json.loads(arguments.tokenizer.read_text()), ensure_ascii=False)
    )


if __name__ == "__main__":
    main()
