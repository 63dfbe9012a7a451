# ruff: noqa: T201
"""Train the English masked language model for a fixed number of seconds.

    python3 train_mlm.py --minilm carry/mlm --data carry/mt --mono carry/mlm/mono.txt --out run/mlm --seconds 280

One sentence in fifty (by checksum) is held out; `evaluate.py` uses those.
"""

from __future__ import annotations

import argparse
import json
import math
import time
import zlib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (its usual name)
from bert import MaskedLM
from model import packed
from safetensors.torch import load_file, save_file
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


def main() -> None:  # noqa: PLR0915 (one loop)
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
    device, cuda = arguments.device, arguments.device == "cuda"
    dtype = torch.bfloat16 if cuda else torch.float32
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    tokenizer = Tokenizer.from_file(str(arguments.minilm / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(WIDTH)
    texts = english(arguments.data, arguments.mono)[: arguments.limit]
    kept = [encoding.ids for encoding in tokenizer.encode_batch([t for t in texts if not held_out(t)])]
    test = [encoding.ids for encoding in tokenizer.encode_batch([t for t in texts if held_out(t)][:4000])]
    print(f"{len(texts)} sentences, {sum(map(len, kept)) / 1e6:.1f} M pieces", flush=True)
    model, average = MaskedLM().to(device), MaskedLM().to(device)
    model.load_minilm(load_file(arguments.minilm / "minilm.safetensors"))
    average.load_state_dict(model.state_dict())
    average.eval()
    parameters, averaged = list(model.parameters()), list(average.parameters())
    optimiser = torch.optim.AdamW(parameters, lr=0.0, betas=(0.9, 0.98), weight_decay=0.01, fused=cuda)
    if cuda:
        for layer in model.layers:
            layer.compile(fullgraph=True, dynamic=False)

    def forward(net: MaskedLM, tokens: Tensor, segments: Tensor) -> tuple[Tensor, Tensor]:
        seen, places, wanted = masked(tokens)
        at, mask = packed(tokens, segments, dtype)
        hidden = net.encode(seen, at, mask)
        chosen = hidden.gather(1, places[..., None].expand(-1, -1, hidden.shape[-1]))
        return net.predict(chosen.reshape(-1, chosen.shape[-1])).float(), wanted.reshape(-1)

    @torch.no_grad()
    def judge() -> str:
        tokens, segments = (torch.from_numpy(a).to(device).long() for a in pack(test, np.random.default_rng(2)))
        right = total = 0.0
        for start in range(0, len(tokens), 256):
            logits, wanted = forward(average, tokens[start : start + 256], segments[start : start + 256])
            real = wanted >= 0
            right += float(((logits.argmax(-1) == wanted) & real).sum())
            total += float(real.sum())
        return f"held-out top-1 {right / total:.3f}"

    tokens, segments = pack(kept, rng)
    every = [torch.from_numpy(a).to(device) for a in (tokens, segments)]
    started, step, progress, said, running = time.time(), 0, 0.0, 0.0, torch.zeros((), device=device)
    while progress < 1:
        for rows in torch.randperm(len(every[0]), device=device).split(arguments.rows):
            if len(rows) < arguments.rows and len(every[0]) >= arguments.rows:
                continue
            scale = (
                min(1.0, (progress + 1e-3) / 0.05)
                if progress < 0.05
                else 0.5 + 0.5 * math.cos(math.pi * (progress - 0.05) / 0.95)
            )
            for group in optimiser.param_groups:
                group["lr"] = arguments.rate * max(scale, 0.003)
            with torch.autocast(device, dtype=torch.bfloat16, enabled=cuda):
                logits, wanted = forward(model, every[0][rows].long(), every[1][rows].long())
                loss = F.cross_entropy(logits, wanted)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0, foreach=True)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            step += 1
            with torch.no_grad():
                torch._foreach_lerp_(averaged, parameters, 1 - min(0.999, (1 + step) / (20 + step)))
                running += loss
            if step % 10 == 0 or not cuda:
                progress = (time.time() - started) / arguments.seconds
                if cuda:
                    torch.cuda.current_stream().synchronize()
                if progress - said > 0.12:
                    with torch.autocast(device, dtype=torch.bfloat16, enabled=cuda):
                        print(f"step {step} {progress:.2f} loss {float(running) / step:.3f} {judge()}", flush=True)
                    said = progress
                if progress >= 1:
                    break
    with torch.autocast(device, dtype=torch.bfloat16, enabled=cuda):
        print(f"final: {step} steps, {judge()}", flush=True)
    arguments.out.mkdir(parents=True, exist_ok=True)
    part: dict[str, Tensor] = {}
    number = size = 0
    for name, tensor in average.state_dict().items():
        for i, piece in enumerate(tensor.half().cpu().split(10_000)):
            if part and size + piece.nbytes > 15_000_000:
                save_file(part, arguments.out / f"weights{number}.safetensors")
                part, size, number = {}, 0, number + 1
            part[f"{name}#{i}"], size = piece.contiguous().clone(), size + piece.nbytes
    save_file(part, arguments.out / f"weights{number}.safetensors")
    (arguments.out / "trained.json").write_text(json.dumps({"steps": step, "seconds": arguments.seconds}))


if __name__ == "__main__":
    main()
