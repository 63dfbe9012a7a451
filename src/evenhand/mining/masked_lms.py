"""Masked language models: BERT-style ONNX folders through ONNX Runtime, and any model of transformers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from evenhand.errors import BadInput, Unknown, require
from evenhand.storage.atomic import file_hash

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Ids = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]
MASK = "\ue000"  # a private-use sign, so that no text can hold it by chance
GROUP = "evenhand.masked_lms"
MASK_TOKENS = ("[MASK]", "<mask>")
CONTINUES = "##"
STARTS = ("Ġ", "▁")  # how byte-level BPE and SentencePiece mark the beginning of a word
TOKENS_AT_ONCE = 512  # on a processor: what stays in its caches, and little padding among sentences of one length
TOKENS_ON_GPU = 8_192
LONGEST = 512


class MaskedLM:
    """What all models share: masks, batches of similar length, candidates in order. A word of `words` that the
    vocabulary has only in two pieces is scored with two masks, by the product of its pieces' probabilities. Pure: the
    same sentences give the same candidates."""

    name: str
    fingerprint: str

    def __init__(
        self, tokenizer: Tokenizer, words: Sequence[str], budget: int, score: Callable[[Ids, Ids], Scores]
    ) -> None:
        """`score` gives log-probabilities, rows x masks x vocabulary, for padded ids and the places of the masks."""
        self._tokenizer, self._budget, self._score = tokenizer, budget, score
        tokenizer.enable_truncation(LONGEST)
        tokenizer.no_padding()
        vocabulary = tokenizer.get_vocab()
        mask = next((token for token in MASK_TOKENS if token in vocabulary), None)
        if mask is None:
            raise BadInput(f"the tokenizer has none of the mask tokens {', '.join(MASK_TOKENS)}")
        self._mask, self._mask_id = mask, vocabulary[mask]
        self._words = _whole_words(vocabulary)
        self._pairs = self._two_pieces(words)

    def fill(self, sentences: Sequence[str], top: int) -> list[list[tuple[str, float]]]:
        """For each sentence with one MASK the `top` likeliest words (no pieces, signs or special tokens) with their
        probabilities."""
        if any(text.count(MASK) != 1 for text in sentences):
            raise BadInput("every sentence for a masked language model needs exactly one mask")
        clean = [text.replace(self._mask, " ") for text in sentences]
        candidates: list[list[tuple[str, float]]] = [[] for _ in sentences]
        for rows, scores in self._scored(clean, 1):
            for row, logs in zip(rows, scores, strict=True):
                candidates[row] = self._best(logs[0], top)
        names, first, second = self._pairs
        for rows, scores in self._scored(clean, 2) if names else ():
            joint = scores[:, 0, :][:, first] + scores[:, 1, :][:, second]
            for row, logs in zip(rows, joint, strict=True):
                candidates[row] = _merged(candidates[row], names, logs, top)
        return candidates

    def _scored(self, sentences: list[str], masks: int) -> Iterator[tuple[list[int], Scores]]:
        shown = " ".join([self._mask] * masks)
        encoded = [e.ids for e in self._tokenizer.encode_batch([text.replace(MASK, shown) for text in sentences])]
        places = [[i for i, token in enumerate(ids) if token == self._mask_id] for ids in encoded]
        # Cut off at the model's longest input: nothing can be said about that sentence.
        usable = [i for i in range(len(encoded)) if len(places[i]) == masks]
        usable.sort(key=lambda i: len(encoded[i]))  # padding costs as much as words
        for rows in _batches(usable, [len(ids) for ids in encoded], self._budget):
            ids = np.full((len(rows), len(encoded[rows[-1]])), -1, dtype=np.int64)  # padding, for the score to replace
            for k, row in enumerate(rows):
                ids[k, : len(encoded[row])] = encoded[row]
            yield rows, self._score(ids, np.array([places[row] for row in rows], dtype=np.int64))

    def _best(self, logs: Scores, top: int) -> list[tuple[str, float]]:
        """The first `top` entries of the vocabulary; of those the whole words. Equal scores go by number."""
        likely = _highest(logs, top)
        ordered = likely[np.lexsort((likely, -logs[likely]))]
        return [(self._words[i], float(np.exp(logs[i]))) for i in ordered.tolist() if i in self._words]

    def _two_pieces(self, words: Sequence[str]) -> tuple[list[str], Ids, Ids]:
        listed = list(dict.fromkeys(words))
        special, *encoded = (e.ids for e in self._tokenizer.encode_batch(["", *listed]))
        inner = slice(len(special) // 2, -(len(special) - len(special) // 2) or None)
        kept = [(word, ids[inner]) for word, ids in zip(listed, encoded, strict=True) if len(ids[inner]) == 2]
        first, second = (np.array([ids[k] for _, ids in kept], dtype=np.int64) for k in (0, 1))
        return [word for word, _ in kept], first, second


def _batches(rows: list[int], lengths: list[int], budget: int) -> Iterator[list[int]]:
    """The rows, shortest first, in parts that come to `budget` tokens with their padding at most."""
    at = 0
    while at < len(rows):
        end = at + 1
        while end < len(rows) and lengths[rows[end]] * (end + 1 - at) <= budget:
            end += 1
        yield rows[at:end]
        at = end


def _whole_words(vocabulary: dict[str, int]) -> dict[int, str]:
    """Entries that are whole words by themselves: no ##pieces; with Ġ or ▁ where the vocabulary marks beginnings."""
    marks = tuple(mark for mark in STARTS if sum(token.startswith(mark) for token in vocabulary) > len(vocabulary) / 10)
    if marks:
        return {n: token[1:] for token, n in vocabulary.items() if token.startswith(marks) and token[1:].isalpha()}
    return {n: token for token, n in vocabulary.items() if not token.startswith(CONTINUES) and token.isalpha()}


def _merged(candidates: list[tuple[str, float]], names: list[str], logs: Scores, top: int) -> list[tuple[str, float]]:
    """Words of two pieces in their place among the others, the list no longer than `top`."""
    more = [(names[i], float(np.exp(logs[i]))) for i in _highest(logs, top).tolist()]
    return sorted([*candidates, *more], key=lambda pair: (-pair[1], pair[0]))[:top]


def _highest(logs: Scores, top: int) -> Ids:
    """Indices of the `top` highest, in no order. Most entries lie far below: they are not even looked at twice."""
    top = min(top, len(logs))
    highest = logs.max()
    for depth in (7.0, 12.0):
        near = np.flatnonzero(logs > highest - depth)
        if len(near) >= top:
            return near[np.argpartition(logs[near], len(near) - top)[len(near) - top :]]
    return np.argpartition(logs, len(logs) - top)[len(logs) - top :]


def _log_softmax(logits: Scores) -> Scores:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return cast("Scores", shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))


class OnnxMaskedLM(MaskedLM):
    """A folder with `model.onnx` (or onnx/model.onnx) and `tokenizer.json`, as `optimum` and our pocket models have it.
    Inputs are input_ids, attention_mask and, where the model wants them, token_type_ids; the output is one score for
    every place and entry of the vocabulary. A model with a further input `positions` (rows x masks) gives scores for
    those places only, which is about twice as fast. Runs on a GPU where ONNX Runtime has one."""

    def __init__(self, folder: Path, *, name: str = "", words: Sequence[str] = (), threads: int = 0) -> None:
        runtime = require("onnxruntime", purpose="a masked language model", extra="mining")
        tokenizers = require("tokenizers", purpose="a masked language model", extra="mining")
        model = next((p for p in (folder / "model.onnx", folder / "onnx" / "model.onnx") if p.is_file()), None)
        if model is None or not (folder / "tokenizer.json").is_file():
            raise BadInput(f"{folder}: a masked language model is a folder with model.onnx and tokenizer.json")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        here = runtime.get_available_providers()
        chosen = [p for p in ("CUDAExecutionProvider", "CPUExecutionProvider") if p in here]
        try:
            self._session = runtime.InferenceSession(str(model), options, providers=chosen)
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # ONNX Runtime and tokenizers raise their own kinds, and plain Exception
            first = str(error).partition("\n")[0]
            raise BadInput(f"{folder}: the masked language model cannot be loaded ({first})") from error
        self._inputs = {given.name for given in self._session.get_inputs()}
        on_gpu = chosen[0] != "CPUExecutionProvider" and "positions" in self._inputs
        super().__init__(tokenizer, words, TOKENS_ON_GPU if on_gpu else TOKENS_AT_ONCE, self._scores)
        self.folder = folder
        self.name = name or f"onnx:{folder.name}"
        self.fingerprint = _hash_of(model, folder / "tokenizer.json")

    def _scores(self, ids: Ids, places: Ids) -> Scores:
        shown = (ids >= 0).astype(np.int64)
        feeds = {"input_ids": np.maximum(ids, 0), "attention_mask": shown, "token_type_ids": np.zeros_like(shown)}
        feeds["positions"] = places
        scores = self._session.run(None, {name: feeds[name] for name in self._inputs if name in feeds})[0]
        if "positions" not in self._inputs:
            scores = scores[np.arange(len(ids))[:, None], places]
        return _log_softmax(scores)


class TransformersMaskedLM(MaskedLM):
    """Any masked language model of transformers, by name or folder, in PyTorch; on a GPU where there is one."""

    def __init__(self, model: str, *, words: Sequence[str] = (), threads: int = 0) -> None:
        transformers = require("transformers", purpose="a masked language model of transformers", extra="hf")
        torch = require("torch", purpose="a masked language model of transformers", extra="hf")
        try:
            fast = transformers.AutoTokenizer.from_pretrained(model, use_fast=True)
            net = transformers.AutoModelForMaskedLM.from_pretrained(model)
        except (OSError, ValueError) as error:
            first = str(error).partition("\n")[0]
            raise BadInput(f"{model}: not a masked language model that can be loaded ({first})") from error
        if threads:
            torch.set_num_threads(threads)
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        net.eval().to(device)

        def score(ids: Ids, places: Ids) -> Scores:
            given, shown = (torch.as_tensor(side, device=device) for side in (np.maximum(ids, 0), ids >= 0))
            with torch.inference_mode():
                logits = net(input_ids=given, attention_mask=shown.long()).logits
                rows = torch.arange(len(ids), device=device)[:, None]
                chosen = logits[rows, torch.as_tensor(places, device=device)]
            return _log_softmax(chosen.float().cpu().numpy())

        super().__init__(fast.backend_tokenizer, words, TOKENS_AT_ONCE, score)
        self.name = f"hf:{model}"
        files = sorted(Path(model).glob("*.safetensors")) + sorted(Path(model).glob("*.json"))
        commit = str(getattr(net.config, "_commit_hash", "") or "")
        self.fingerprint = _hash_of(*files) if files else f"{self.name}@{commit}"


def open_masked_lm(spec: str, *, words: Sequence[str] = (), threads: int = 0) -> MaskedLM:
    """`pocket` or another registered name, a folder with model.onnx and tokenizer.json, or `hf:NAME`; `words` are also
    asked for where the vocabulary has them only in two pieces."""
    if spec.startswith("hf:"):
        return TransformersMaskedLM(spec.removeprefix("hf:"), words=words, threads=threads)
    known = {point.name: point for point in entry_points(group=GROUP)}
    folder = Path(spec.removeprefix("onnx:"))
    if spec not in known and folder.is_dir():  # a registered name wins over a folder that happens to be called so
        return OnnxMaskedLM(folder, words=words, threads=threads)
    if spec not in known:
        hint = "A folder with model.onnx and tokenizer.json, or hf:NAME, works."
        raise Unknown("masked language model", spec, known, hint=hint)
    given = known[spec].load()
    given = given() if callable(given) else getattr(given, "path", given)
    if not isinstance(given, str | Path):
        raise BadInput(f"the masked language model {spec} of another package gives no folder but {given!r}")
    return OnnxMaskedLM(Path(given), name=spec, words=words, threads=threads)


def _hash_of(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(bytes.fromhex(file_hash(path)))
    return digest.hexdigest()[:16]
