"""A tiny BERT-style masked language model in ONNX with its own WordPiece tokenizer, made on the spot.

A real model file that ONNX Runtime runs: word vectors, their mean over the sentence as context, scores for every place
and word. Its weights are drawn from a seed; person nouns are given a head start, so that it proposes some.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np

PERSONS = (
    "nurse teacher doctor engineer secretary lawyer baker farmer singer driver writer manager officer student "
    "artist actor judge cook soldier plumber nurses teachers doctors lawyers farmers singers writers students people"
).split()
OTHERS = (
    "the a an is was are were in on of to and i you we they it works went said good old young tall house car day time "
    "hospital school . , ? ! ' man woman mother happy sad big new ran sang walked talked"
).split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def write_tiny_lm(folder: Path, *, at_masks: bool = False, seed: int = 7, width: int = 16) -> Path:
    """Write model.onnx and tokenizer.json into `folder`. `at_masks`: the model takes the places to be scored."""
    # loaded here: the checks run where these packages are not installed
    onnx, helper, numpy_helper = (import_module(name) for name in ("onnx", "onnx.helper", "onnx.numpy_helper"))
    made = import_module("tokenizers")
    models, normalizers, pre_tokenizers = made.models, made.normalizers, made.pre_tokenizers
    folder.mkdir(parents=True, exist_ok=True)
    pieces = ["re", "##ist", "##er", "cash", "##ier", "##s"]
    letters = [*"abcdefghijklmnopqrstuvwxyz", *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz")]
    words = list(dict.fromkeys([*SPECIAL, *PERSONS, *OTHERS, *pieces, *letters]))
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = made.Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = made.decoders.WordPiece()
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.post_processor = made.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    )
    tokenizer.save(str(folder / "tokenizer.json"))

    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(len(words), width)).astype(np.float32)
    matrix = rng.normal(size=(width, len(words))).astype(np.float32)
    bias = np.array([3.0 if word in PERSONS else -2.0 for word in words], dtype=np.float32)
    initial = {"vectors": vectors, "matrix": matrix, "bias": bias, "axis": np.array([2]), "rows": np.array([1])}
    nodes = [
        helper.make_node("Gather", ["vectors", "input_ids"], ["embedded"]),
        helper.make_node("Cast", ["attention_mask"], ["seen"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["seen", "axis"], ["seen3"]),
        helper.make_node("Mul", ["embedded", "seen3"], ["shown"]),
        helper.make_node("ReduceSum", ["shown", "rows"], ["total"], keepdims=1),
        helper.make_node("ReduceSum", ["seen3", "rows"], ["length"], keepdims=1),
        helper.make_node("Div", ["total", "length"], ["context"]),
        helper.make_node("Add", ["embedded", "context"], ["hidden"]),
    ]
    inputs = [
        helper.make_tensor_value_info(n, onnx.TensorProto.INT64, ["b", "l"]) for n in ("input_ids", "attention_mask")
    ]
    last = "hidden"
    if at_masks:
        inputs.append(helper.make_tensor_value_info("positions", onnx.TensorProto.INT64, ["b", "m"]))
        nodes += [
            helper.make_node("Unsqueeze", ["positions", "axis"], ["places"]),
            helper.make_node("GatherND", ["hidden", "places"], ["chosen"], batch_dims=1),
        ]
        last = "chosen"
    nodes += [
        helper.make_node("MatMul", [last, "matrix"], ["raw"]),
        helper.make_node("Add", ["raw", "bias"], ["logits"]),
    ]
    output = helper.make_tensor_value_info(
        "logits", onnx.TensorProto.FLOAT, ["b", "m" if at_masks else "l", len(words)]
    )
    graph = helper.make_graph(
        nodes, "tiny", inputs, [output], [numpy_helper.from_array(value, name) for name, value in initial.items()]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, str(folder / "model.onnx"))
    return folder
