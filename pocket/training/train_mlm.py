# ruff: noqa: T201
"""Train the English masked language model for a fixed number of seconds.

    python3 train_mlm.py --minilm carry/mlm --data carry/mt --mono carry/mlm/mono.txt --out run/mlm --seconds 280

One sentence in fifty (by checksum) is held out; `evaluate.py` uses those.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (its usual name)
from bert import MaskedLM
from learner import Learner, save_parts
from model import packed
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

MASK, CLS, SEP, WIDTH, MASKED = 103, 101, 102, 128, 22


def held_out(text: str) -> bool:
    return zlib.crc32(text.encode()) % 50 == 0


def english(data: Path, mono: Path) -> list[str]:
    """Every English sentence once, in sorted order."""
    texts = set(mono.read_text("utf-8").split("\n"))
    for path in sorted(data.glob("*.tsv")):
        if path.name.startswith(("tatoeba", "europarl", "dictionary.de")):
            texts |= {line.split("\t", 1)[0] for line in path.read_text("utf-8").split("\n")}
    return sorted(text for text in texts if len(text.split()) >= 3)


def pack(sentences: list[list[int]], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    rows: list[tuple[int, int, int, int]] = []
    row = at = segment = 0
    for index in rng.permutation(len(sentences)):
        length = len(sentences[index])
        if at + length > WIDTH:
            row, at, segment = row + 1, 0, 0
        segment += 1
        rows.append((index, row, at, segment))
        at += length
    tokens, segments = np.zeros((row + 1, WIDTH), np.int32), np.zeros((row + 1, WIDTH), np.int32)
    for index, r, start, number in rows:
        tokens[r, start : start + len(sentences[index])] = sentences[index]
        segments[r, start : start + len(sentences[index])] = number
    return tokens, segments


def masked(tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens with MASKED places a row hidden (80 % mask, 10 % another word, 10 % as is), the places, what was there."""
    chance = torch.rand(tokens.shape, device=tokens.device)
    chance = chance.masked_fill((tokens == 0) | (tokens == CLS) | (tokens == SEP), -1.0)
    places = chance.topk(MASKED, dim=1).indices
    wanted = tokens.gather(1, places)
    luck = torch.rand(places.shape, device=tokens.device)
    random = torch.randint(1000, 30_522, places.shape, device=tokens.device)
    shown = torch.where(luck < 0.8, torch.full_like(wanted, MASK), torch.where(luck < 0.9, random, wanted))
    usable = chance.gather(1, places) >= 0
    shown = torch.where(usable, shown, wanted)
    return tokens.scatter(1, places, shown), places, wanted.masked_fill(~usable, -100)


class Training:
    """The masked language model in training, and the sentences it is judged by."""

    def __init__(self, minilm: Path, test: list[list[int]], *, device: str, rate: float) -> None:
        self.model, self.average, self.test = MaskedLM().to(device), MaskedLM().to(device), test
        self.model.load_minilm(load_file(minilm / "minilm.safetensors"))
        self.learner = Learner(self.model, self.average, device=device, rate=rate, warm=0.05, first=1e-3)
        if self.learner.cuda:
            for layer in self.model.layers:
                layer.compile(fullgraph=True, dynamic=False)
        self.running = torch.zeros((), device=device)

    def forward(self, net: MaskedLM, tokens: Tensor, segments: Tensor) -> tuple[Tensor, Tensor]:
        seen, places, wanted = masked(tokens)
        at, mask = packed(tokens, segments, self.learner.dtype)
        hidden = net.encode(seen, at, mask)
        chosen = hidden.gather(1, places[..., None].expand(-1, -1, hidden.shape[-1]))
        return net.predict(chosen.reshape(-1, chosen.shape[-1])).float(), wanted.reshape(-1)

    @torch.no_grad()
    def judge(self) -> str:
        device = self.learner.device
        tokens, segments = (torch.from_numpy(a).to(device).long() for a in pack(self.test, np.random.default_rng(2)))
        right = total = 0.0
        with self.learner.autocast():
            for start in range(0, len(tokens), 256):
                logits, wanted = self.forward(self.average, tokens[start : start + 256], segments[start : start + 256])
                real = wanted >= 0
                right += float(((logits.argmax(-1) == wanted) & real).sum())
                total += float(real.sum())
        return f"held-out top-1 {right / total:.3f}"

    def learn(self, tokens: Tensor, segments: Tensor, progress: float) -> None:
        def loss() -> Tensor:
            return F.cross_entropy(*self.forward(self.model, tokens.long(), segments.long()))

        self.running += self.learner.learn(loss, progress).detach()

    def run(self, tokens: Tensor, segments: Tensor, *, rows: int, seconds: float) -> None:
        """Steps until the time is up; the clock is read every ten of them."""
        started, progress, said, cuda = time.time(), 0.0, 0.0, self.learner.cuda
        while progress < 1:
            for chosen in torch.randperm(len(tokens), device=self.learner.device).split(rows):
                if len(chosen) < rows <= len(tokens):
                    continue
                self.learn(tokens[chosen], segments[chosen], progress)
                step = self.learner.step
                if step % 10 and cuda:
                    continue
                progress = (time.time() - started) / seconds
                if cuda:
                    torch.cuda.current_stream().synchronize()
                if progress - said > 0.12:
                    print(
                        f"step {step} {progress:.2f} loss {float(self.running) / step:.3f} {self.judge()}", flush=True
                    )
                    said = progress
                if progress >= 1:
                    break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minilm", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--mono", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--rows", type=int, default=512)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--device", default="cuda")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    tokenizer = Tokenizer.from_file(str(arguments.minilm / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(WIDTH)
    texts = english(arguments.data, arguments.mono)[: arguments.limit]
    kept = [encoding.ids for encoding in tokenizer.encode_batch([t for t in texts if not held_out(t)])]
    test = [encoding.ids for encoding in tokenizer.encode_batch([t for t in texts if held_out(t)][:4000])]
    print(f"{len(texts)} sentences, {sum(map(len, kept)) / 1e6:.1f} M pieces", flush=True)
    training = Training(arguments.minilm, test, device=arguments.device, rate=arguments.rate)
    tokens, segments = (torch.from_numpy(a).to(arguments.device) for a in pack(kept, np.random.default_rng(1)))
    training.run(tokens, segments, rows=arguments.rows, seconds=arguments.seconds)
    steps = training.learner.step
    print(f"final: {steps} steps, {training.judge()}", flush=True)
    weights = training.average.state_dict()
    save_parts(((name, tensor.half().cpu().split(10_000)) for name, tensor in weights.items()), arguments.out)
    (arguments.out / "trained.json").write_text(json.dumps({"steps": steps, "seconds": arguments.seconds}))


if __name__ == "__main__":
    main()
