# ruff: noqa: T201
"""Start a training from shipped models: read their 8-bit weights, and give their vocabularies pieces for new languages.

    python grow.py --model OLD/out --text mt --recipe out --out carry/out

The old pieces keep their numbers; pieces for the new languages follow, learnt by SentencePiece on their text, and then
the tags. The embedding of a new piece begins as the mean of the old pieces it would have been cut into. The weights
travel as integers of `BITS` bits with a factor a row, which compress well (training soon leaves them anyhow).
"""

from __future__ import annotations

import argparse
import importlib
import random
import shutil
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

import numpy as np
import sentencepiece
from prepare import INTO_ENGLISH, OUT_OF_ENGLISH, read_pairs
from recipes import GROWTH, TAGS, new_languages
from safetensors.numpy import save_file


class Piece(Protocol):
    piece: str
    score: float
    type: int


class Pieces(Protocol):
    def __iter__(self) -> Iterator[Piece]: ...
    def __len__(self) -> int: ...
    def add(self, *, piece: str, score: float, type: int) -> Piece: ...


class ModelProto(Protocol):
    pieces: Pieces

    def ParseFromString(self, data: bytes) -> int: ...  # noqa: N802 (theirs)
    def SerializeToString(self) -> bytes: ...  # noqa: N802 (theirs)


BITS = 5
TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}
PER_TEXT = 15_000
PARTS = {
    "self_attention/linear_0": "attention.qkv", "self_attention/linear_1": "attention.out",
    "self_attention/layer_norm": "norm", "attention/linear_0": "cross.query", "attention/linear_1": "cross.keyvalue",
    "attention/linear_2": "cross.out", "attention/layer_norm": "cross_norm", "ffn/linear_0": "first",
    "ffn/linear_1": "second", "ffn/layer_norm": "feed_norm",
}  # fmt: skip
ENDS = {"gamma": "weight", "beta": "bias", "weight": "weight", "bias": "bias"}


def variables(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a CTranslate2 `model.bin` (format 6), aliases among them."""
    data, at = path.read_bytes(), 4

    def number(form: str) -> int:
        nonlocal at
        (value,) = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return int(value)

    def text() -> str:
        nonlocal at
        size = number("H")
        at += size
        return data[at - size : at - 1].decode()

    text()
    number("I")
    found: dict[str, np.ndarray] = {}
    for _ in range(number("I")):
        name = text()
        shape = [number("I") for _ in range(number("B"))]
        kind, size = TYPES[number("B")], number("I")
        found[name] = np.frombuffer(data, kind, size // np.dtype(kind).itemsize, at).reshape(shape)
        at += size
    for _ in range(number("I")):
        alias = text()
        found[alias] = found[text()]
    return found


def weights(path: Path) -> dict[str, np.ndarray]:
    """The arrays under the names of model.py, in single precision."""
    raw, named = variables(path), {}

    def plain(name: str) -> np.ndarray:
        array = raw[name].astype(np.float32)
        return (
            array / raw[name + "_scale"].reshape(-1, *([1] * (array.ndim - 1))) if raw[name].dtype == np.int8 else array
        )

    for side in ("encoder", "decoder"):
        for end in ("gamma", "beta"):
            named[f"{side}_norm.{ENDS[end]}"] = plain(f"{side}/layer_norm/{end}")
        for name in raw:
            parts = name.split("/")
            if parts[0] == side and parts[1].startswith("layer_") and parts[1] != "layer_norm" and parts[-1] in ENDS:
                inner = "/".join(parts[2:-1])
                named[f"{side}.{parts[1].removeprefix('layer_')}.{PARTS[inner]}.{ENDS[parts[-1]]}"] = plain(name)
    named["output_bias"] = plain("decoder/projection/bias")
    named["embedding.weight"] = plain("decoder/embeddings/weight")
    return named


def sample(folder: Path, languages: tuple[str, ...], kinds: tuple[str, ...]) -> dict[str, list[str]]:
    """Other sides of the training pairs, by language."""
    texts: dict[str, list[str]] = {}
    for language in languages:
        for kind in kinds:
            path = folder / f"{kind}.{language}.tsv"
            others = read_pairs(path)[1] if path.exists() else []
            random.Random(1).shuffle(others)
            texts.setdefault(language, []).extend(others[: PER_TEXT if kind != "tatoeba" else None])
    return texts


def learnt(texts: dict[str, list[str]], size: int, work: Path) -> dict[str, float]:
    """Pieces for the new text with their log-probabilities: the languages weigh alike."""
    most = max(sum(map(len, lines)) for lines in texts.values())
    lines = []
    for found in texts.values():
        lines += found * max(1, min(6, round(most / max(1, sum(map(len, found))))))
    random.Random(1).shuffle(lines)
    (work / "sample.txt").write_text("\n".join(lines), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(work / "sample.txt"), model_prefix=str(work / "new"), vocab_size=size, model_type="unigram",
        character_coverage=0.9998, byte_fallback=True, normalization_rule_name="identity", input_sentence_size=130_000,
        seed_sentencepiece_size=300_000, shuffle_input_sentence=True, num_threads=2, minloglevel=1,
    )  # fmt: skip
    (work / "sample.txt").unlink()
    model = parsed(work / "new.model")
    return {piece.piece: piece.score for piece in model.pieces if piece.type == 1}


def parsed(path: Path) -> ModelProto:
    # needs protobuf, which the training machine may lack
    made = importlib.import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
    model = cast("ModelProto", made)
    model.ParseFromString(path.read_bytes())
    return model


def grown(old: Path, fresh: dict[str, float], tags: list[str], size: int) -> bytes:
    """The old model with the best fresh pieces, then the tags it lacks."""
    model = parsed(old)
    have = {piece.piece for piece in model.pieces}
    tags = [tag for tag in tags if tag not in have]
    room = size - len(model.pieces) - len(tags)
    for text, score in sorted(((t, s) for t, s in fresh.items() if t not in have), key=lambda item: -item[1])[:room]:
        model.pieces.add(piece=text, score=score, type=1)
    for tag in tags:
        model.pieces.add(piece=tag, score=0.0, type=4)
    return model.SerializeToString()


def useful(fresh: dict[str, float], model: bytes, new: dict[str, list[str]], old: list[str]) -> dict[str, float]:
    """Without the pieces that would mostly cut the old languages' words anew."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    ours = Counter(p for lines in new.values() for ids in processor.encode(lines[:8_000], out_type=str) for p in ids)
    theirs = Counter(p for ids in processor.encode(old, out_type=str) for p in ids)
    return {piece: score for piece, score in fresh.items() if ours[piece] >= 2 and theirs[piece] <= 0.25 * ours[piece]}


def embeddings(old: Path, new: Path, given: np.ndarray, bias: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows for all pieces: the old ones as they were, a new one the mean of the old pieces it consists of."""
    before = sentencepiece.SentencePieceProcessor(model_file=str(old))
    after = sentencepiece.SentencePieceProcessor(model_file=str(new))
    rows, biases = list(given), list(bias)
    mark = before.piece_to_id("▁")
    tags = [i for i in range(before.get_piece_size()) if before.id_to_piece(i).startswith((">>", "<bt"))]
    for number in range(len(given), after.get_piece_size()):
        piece = after.id_to_piece(number)
        text = piece.replace("▁", " ")
        ids = before.encode(text)
        if not piece.startswith("▁") and ids and ids[0] == mark:  # the sign of a new word that SentencePiece puts first
            ids = ids[1:]
        if after.is_byte(number) or piece.startswith((">>", "<")) or not ids:
            rows.append(given[tags].mean(0))
            biases.append(bias.min())
        else:
            rows.append(given[ids].mean(0))
            biases.append(bias[ids].mean() - 1)
    return np.stack(rows), np.asarray(biases, np.float32)


def rounded(array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Integers of BITS bits, and a factor a row."""
    factor = np.maximum(np.abs(array).max(1, keepdims=True), 1e-8) / (2 ** (BITS - 1) - 1)
    return np.rint(array / factor).astype(np.int8), factor.astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the folder of the model to start from")
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--recipe", choices=["out", "back", "into"], required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pieces-only", action="store_true", help="another vocabulary for weights that travel already")
    arguments = parser.parse_args()
    out, recipe = arguments.out, arguments.recipe
    out.mkdir(parents=True, exist_ok=True)
    old = arguments.model / "pieces.model"
    kinds = ("tatoeba", "dictionary", "person", "title", "related")
    new = sample(arguments.text, new_languages(recipe), kinds)
    languages = INTO_ENGLISH[:3] if recipe == "into" else OUT_OF_ENGLISH[:4]
    known = sample(arguments.text, languages, ("tatoeba",))
    lines = [line for found in known.values() for line in found[:8_000]]
    lines += read_pairs(arguments.text / "tatoeba.de.tsv")[0][:12_000]
    size, tags = GROWTH[recipe], TAGS[recipe]
    fresh = learnt(new, size, out)
    first = grown(old, fresh, tags, 10**6)
    fresh = useful(fresh, first, new, lines)
    model = grown(old, fresh, tags, size)
    (out / f"{recipe}.model").write_bytes(model)
    for path in ("new.model", "new.vocab"):
        (out / path).unlink()
    print(f"{recipe}: {len(fresh)} fresh pieces that serve, {size} in all", flush=True)
    if arguments.pieces_only:
        return
    arrays: dict[str, np.ndarray] = {}
    for name, array in weights(arguments.model / "model.bin").items():
        if array.ndim == 2:
            arrays[name], arrays[name + "#factor"] = rounded(array)
        else:
            arrays[name] = array.astype(np.float32)
    save_file(arrays, out / f"{recipe}.start.safetensors")
    shutil.copy(old, out / f"{recipe}.start.model")


if __name__ == "__main__":
    main()
