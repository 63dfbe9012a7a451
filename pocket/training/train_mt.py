# ruff: noqa: T201
"""Train one translator for a fixed number of seconds, from the weights of an earlier one.

    python3 train_mt.py --recipe out --data work/mt --out run/out --seconds 830

Recipes: `out` (English into eleven languages), `back` (English into seven more; not shipped, it only makes
back-translations, with --translate), `into` (those seven into English). It starts from `<recipe>.start.safetensors`
beside the data (grow.py; `back` from that of `out`), from chance where there is none. The learning rate and the mix
follow the clock, so the schedule is complete whenever the time is up. Weights leave as 8-bit safetensors with a factor
a row, as CTranslate2 rounds them: an exponential average over the last steps. A file `wanted` in the --out folder asks
a running training for the weights it has.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import shutil
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from batches import Maker, Rows, pack
from grow import embeddings
from learner import Learner, save_parts
from model import END, PAD, START, Translator, block, packed, smoothed_loss
from prepare import INTO_ENGLISH, read_pairs
from recipes import corpora, directions, shape
from safetensors.torch import load_file, save_file
from torch import Tensor

BACK_LIMIT = 170_000  # back-translations a language
_maker: list[Maker] = []  # filled in each worker process


def _adopt(maker: Maker) -> None:
    _maker[:] = [maker]


def _make(task: tuple[list[int], list[int], int]) -> Rows:
    return _maker[0].rows(*task)


class Feed:
    """Chunks of packed rows, made ahead of need by worker processes."""

    def __init__(self, maker: Maker, workers: int, chunk: int) -> None:
        self.pool = multiprocessing.get_context("fork").Pool(workers, _adopt, (maker,))
        self.maker, self.workers, self.chunk, self.task = maker, workers, chunk, 0
        self.at = [0] * len(maker.corpora)
        self.waiting: deque[list[multiprocessing.pool.AsyncResult[Rows]]] = deque()

    def order(self, progress: float) -> None:
        """Ask for one more chunk, mixed as the progress (0 to 1) says."""
        corpora = self.maker.corpora
        weights = [len(c.source) * (c.share[0] + (c.share[1] - c.share[0]) * progress) for c in corpora]
        results = []
        for _ in range(self.workers):
            counts = [round(self.chunk / self.workers * w / sum(weights)) for w in weights]
            results.append(self.pool.apply_async(_make, ((list(self.at), counts, self.task),)))
            self.at = [a + n for a, n in zip(self.at, counts, strict=True)]
            self.task += 1
        self.waiting.append(results)

    def take(self, progress: float) -> list[np.ndarray]:
        while len(self.waiting) < 3:
            self.order(progress)
        parts = [result.get() for result in self.waiting.popleft()]
        self.order(progress)
        return [np.concatenate(column) for column in zip(*parts, strict=True)]


def labels(target: Tensor, segments: Tensor) -> Tensor:
    """The next piece of the same sentence, END after its last, -1 on padding."""
    following = torch.full_like(target, END)
    inside = segments[:, 1:] == segments[:, :-1]
    following[:, :-1] = torch.where(inside, target[:, 1:], END)
    return following.masked_fill_(segments == 0, -1)


def inputs(rows: tuple[Tensor, ...], dtype: torch.dtype) -> tuple[tuple[Tensor, ...], Tensor]:
    source, s_segment, target, t_segment = (column.long() for column in rows)
    s_at, s_mask = packed(source, s_segment, dtype)
    t_at, t_mask = packed(target, t_segment, dtype)
    t_mask = t_mask + torch.full(t_mask.shape[-2:], float("-inf"), device=t_mask.device, dtype=dtype).triu_(1)
    cross = block(t_segment, s_segment, dtype)
    # A padded query has padded keys only where the source row is padded too: let it look anywhere instead of nowhere.
    cross = cross.masked_fill((t_segment == 0)[:, None, :, None], 0.0)
    return (source, s_at, s_mask, target, t_at, t_mask, cross), labels(target, t_segment).reshape(-1)


def development(data: Path, recipe: str, maker: Maker) -> dict[str, tuple[Tensor, ...]]:
    sets = {}
    for language, english_first, tag in directions(recipe):
        english, other = read_pairs(data / "heldout" / f"dev.{language}.tsv")
        source, target = (english, other) if english_first else (other, english)
        head = [maker.processor.piece_to_id(tag)] if tag else []
        cut = [head + ids + [END] for ids in maker.processor.encode(source)]
        whole = [[START, *ids] for ids in maker.processor.encode(target)]
        sets[language] = tuple(torch.from_numpy(column.astype(np.int32)) for column in pack(cut, whole, maker.width))
    return sets


@torch.no_grad()
def judge(model: Translator, sets: dict[str, tuple[Tensor, ...]], device: str, dtype: torch.dtype) -> dict[str, float]:
    """Negative log-likelihood a piece, by direction."""
    scores = {}
    for language, rows in sets.items():
        given, wanted = inputs(tuple(column.to(device) for column in rows), dtype)
        hidden = model(*given)
        hidden = hidden.reshape(-1, hidden.shape[-1])
        _, plain = smoothed_loss(hidden, model.embedding.weight, model.output_bias, wanted, 0.0)
        scores[language] = round(float(plain) / int((wanted >= 0).sum()), 4)
    return scores


def translate(  # noqa: PLR0917
    model: Translator, maker: Maker, texts: list[str], tag: str, device: str, room: int = 65_536
) -> list[str]:
    """Greedy translations, in the order of the texts."""
    head = [maker.processor.piece_to_id(tag)] if tag else []
    cut = [head + ids[:120] + [END] for ids in maker.processor.encode(texts)]
    answer = [""] * len(texts)
    order, at = sorted(range(len(cut)), key=lambda i: len(cut[i])), 0
    while at < len(order):
        longest = len(cut[order[min(at + room // len(cut[order[at]]), len(order)) - 1]])
        picked = order[at : at + max(1, room // longest)]
        at += len(picked)
        length = max(len(cut[i]) for i in picked)
        source = torch.full((len(picked), length), PAD)
        for row, index in enumerate(picked):
            source[row, : len(cut[index])] = torch.tensor(cut[index])
        tokens = model.greedy(source.to(device), min(2 * length + 8, 200)).tolist()
        for index, ids in zip(picked, tokens, strict=True):
            answer[index] = maker.processor.decode(ids[: ids.index(END)] if END in ids else ids)
    return answer


def back_translate(model: Translator, maker: Maker, data: Path, device: str, limit: int | None) -> None:
    """English training sentences and prompts into each language that lacks them; written as `back.<language>.tsv`."""
    texts = {text for path in data.glob("tatoeba.*.tsv") for text in read_pairs(path)[0] if len(text) < 200}
    prompts = data / "mono.en.txt"
    texts |= set(prompts.read_text("utf-8").splitlines()) if prompts.exists() else set()
    english = sorted(texts - {""})
    random.Random(1).shuffle(english)
    for language in INTO_ENGLISH:
        have = set(read_pairs(data / f"tatoeba.{language}.tsv")[0])
        wanted = [text for text in english if text not in have][: limit or BACK_LIMIT]
        started = time.time()
        made = translate(model, maker, wanted, f">>{language}<<", device)
        good = [(e, o) for e, o in zip(wanted, made, strict=True) if o and 0.1 < len(o) / len(e) < 3 and "\t" not in o]
        (data / f"back.{language}.tsv").write_text("".join(f"{e}\t{o}\n" for e, o in good), encoding="utf-8")
        print(
            f"back-translated {len(good)} into {language} in {time.time() - started:.0f} s", good[::60_000], flush=True
        )


def save(model: Translator, out: Path) -> None:
    """The weights in parts small enough to travel: matrices in 8 bits with a factor a row, the shape in the first."""
    made: list[tuple[str, list[Tensor]]] = []
    for name, tensor in model.state_dict().items():
        weight = tensor.detach().float().cpu()
        if weight.dim() == 2:
            factor = weight.abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
            made.append((name, list((weight / factor).round().to(torch.int8).split(10_000))))
            made.append((name + ".factor", [factor]))
        else:
            made.append((name, [weight]))
    fresh = out.with_name(out.name + ".fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    save_parts(made, fresh, {"shape": json.dumps(model.shape.__dict__)})
    shutil.rmtree(out, ignore_errors=True)
    fresh.rename(out)


def start(model: Translator, data: Path, recipe: str) -> bool:
    """Give the model the weights to start from, with embeddings for the pieces they did not know; False if none."""
    name = "into" if recipe == "into" else "out"
    path = data / f"{name}.start.safetensors"
    if not path.exists():
        return False
    state = load_file(path)
    plain = {k: v.float() * state[k + "#factor"] if k + "#factor" in state else v for k, v in state.items()}
    plain = {k: v for k, v in plain.items() if "#" not in k}
    rows, bias = embeddings(data / f"{name}.start.model", data / f"{recipe}.model",
                            plain["embedding.weight"].numpy(), plain["output_bias"].numpy())  # fmt: skip
    plain |= {"embedding.weight": torch.from_numpy(rows), "output_bias": torch.from_numpy(bias)}
    model.load_state_dict(plain)
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recipe", choices=["out", "back", "into"], required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--rows", type=int, default=320)
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--chunk", type=int, default=400_000, help="pairs a chunk")
    parser.add_argument("--limit", type=int, help="pairs a corpus, for a trial run")
    parser.add_argument("--tiny", action="store_true", help="a very small model, for a trial run")
    parser.add_argument("--translate", action="store_true", help="back-translate the English text afterwards")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--device", default="cuda")
    arguments = parser.parse_args()
    began = time.time()
    vocabulary = arguments.data / f"{arguments.recipe}.model"
    maker = Maker(vocabulary, corpora(arguments.recipe, arguments.data, arguments.limit), 128, 1)
    for corpus in maker.corpora:
        print(f"{corpus.name}\t{len(corpus.source)}\t{corpus.share}", flush=True)
    feed = Feed(maker, arguments.workers, arguments.chunk)  # forks before CUDA starts
    feed.order(0.0)
    feed.order(0.0)
    model = train(arguments, maker, feed, began)
    feed.pool.terminate()
    save(model, arguments.out / "weights")
    if arguments.device == "cuda":
        model.to(torch.bfloat16)
    for language, english_first, tag in directions(arguments.recipe):
        english, other = read_pairs(arguments.data / "heldout" / f"dev.{language}.tsv", 2)
        texts = ["The engineer is here.", *english] if english_first else other
        print(language, translate(model, maker, texts, tag, arguments.device), flush=True)
    if arguments.translate:
        back_translate(model, maker, arguments.data, arguments.device, arguments.limit)


class Training:
    """A translator in training: its weights and their average, the clock, and a checkpoint to resume from."""

    def __init__(self, arguments: argparse.Namespace, vocabulary: int) -> None:
        self.arguments, device = arguments, arguments.device
        torch.manual_seed(1)
        torch.set_float32_matmul_precision("high")
        size = shape(arguments.recipe, vocabulary)
        if arguments.tiny:
            size = type(size)(size.vocabulary, 64, 2, 128, 2, 1, 0.1)
        self.width = size.width
        self.model: Translator = Translator(size)
        if not arguments.tiny and start(self.model, arguments.data, arguments.recipe):
            print("started from earlier weights", flush=True)
        self.model.to(device)
        self.average: Translator = Translator(size).to(device)
        self.learner = Learner(
            self.model, self.average, device=device, rate=arguments.rate, warm=0.04, first=1e-4, eps=1e-9
        )
        self.spent = 0.0
        self.checkpoint = arguments.out / "checkpoint.safetensors"
        if arguments.resume and self.checkpoint.exists():
            self.resume()
        self.progress = self.spent / arguments.seconds
        self.loss_of = smoothed_loss
        if self.learner.cuda:
            for layer in (*self.model.encoder, *self.model.decoder):
                layer.compile(fullgraph=True, dynamic=False)
            self.loss_of = torch.compile(smoothed_loss, dynamic=False)
        self.tokens, self.nats = torch.zeros((), device=device), torch.zeros((), device=device)
        self.started: float | None = None
        self.said = self.saved = self.judged = time.time()

    def resume(self) -> None:
        state = load_file(self.checkpoint, device=self.learner.device)
        self.learner.step, self.spent = int(state["step"]), float(state["spent"])
        for i, (p, a) in enumerate(zip(self.learner.parameters, self.learner.averaged, strict=True)):
            p.data.copy_(state[f"model{i}"])
            a.data.copy_(state[f"average{i}"])
            moments = {"step": torch.tensor(float(self.learner.step), device=self.learner.device)}
            self.learner.optimiser.state[p] = moments | {k: state[f"{k}{i}"] for k in ("exp_avg", "exp_avg_sq")}

    def keep(self) -> None:
        """Write the checkpoint."""
        spent = self.progress * self.arguments.seconds
        state = {"step": torch.tensor(self.learner.step), "spent": torch.tensor(spent)}
        for i, (p, a) in enumerate(zip(self.learner.parameters, self.learner.averaged, strict=True)):
            state |= {f"model{i}": p.data, f"average{i}": a.data}
            state |= {f"{k}{i}": self.learner.optimiser.state[p][k] for k in ("exp_avg", "exp_avg_sq")}
        self.arguments.out.mkdir(parents=True, exist_ok=True)
        fresh = self.checkpoint.with_suffix(".fresh")
        save_file(state, fresh)
        fresh.rename(self.checkpoint)
        self.saved = self.said = time.time()

    def batches(self, feed: Feed) -> Iterator[tuple[Tensor, ...]]:
        """Rows in batches, shuffled by chunk; what is left of a chunk goes in front of the next."""
        rows, device = self.arguments.rows, self.learner.device
        left: list[Tensor] | None = None
        while self.progress < 1:
            columns = [torch.from_numpy(c.astype(np.int32)).to(device) for c in feed.take(self.progress)]
            shuffled = torch.randperm(len(columns[0]), device=device)
            columns = [c[shuffled] for c in columns]
            if left is not None:
                columns = [torch.cat([a, b]) for a, b in zip(left, columns, strict=True)]
            whole = len(columns[0]) // rows * rows
            left = [c[whole:] for c in columns]
            for start in range(0, whole, rows):
                yield tuple(c[start : start + rows] for c in columns)

    def learn(self, rows: tuple[Tensor, ...]) -> None:
        given, wanted = inputs(rows, self.learner.dtype)
        count = (wanted >= 0).sum()

        def loss() -> Tensor:
            hidden = self.model(*given)
            smoothed, plain = self.loss_of(
                hidden.view(-1, self.width), self.model.embedding.weight, self.model.output_bias, wanted, 0.1
            )
            self.nats += plain.detach()
            return smoothed / count

        self.learner.learn(loss, self.progress)
        self.tokens += count

    def begin(self, began: float) -> None:
        """The first steps compile; the clock starts after the third."""
        if self.learner.cuda:
            torch.cuda.synchronize()
        if self.learner.step >= 3:
            self.started = self.said = time.time()
            self.tokens.zero_()
            self.nats.zero_()
            print(f"compiled after {self.started - began:.0f} s", flush=True)

    def report(self, sets: dict[str, tuple[Tensor, ...]]) -> None:
        """Loss and speed of the last 200 steps; now and then a judgement and a checkpoint."""
        now, cuda = time.time(), self.learner.cuda
        rate, full = float(self.tokens) / (now - self.said), float(self.tokens) / (200 * self.arguments.rows * 128)
        memory = torch.cuda.max_memory_allocated() / 1e9 if cuda else 0
        print(
            f"step {self.learner.step} {self.progress:.3f} loss {float(self.nats) / float(self.tokens):.3f}"
            f" {rate / 1e3:.0f}k pieces/s {100 * full:.0f}% full {memory:.0f} GB",
            flush=True,
        )
        self.said = now
        self.tokens.zero_()
        self.nats.zero_()
        if now - self.judged > 45:
            print("dev", self.judge(sets), flush=True)
            self.judged = time.time()
        if now - self.saved > 230:
            self.keep()

    def answer(self) -> None:
        """Save the weights as they are, if somebody asked for them."""
        wanted = self.arguments.out / "wanted"
        if wanted.exists():
            save(self.average, self.arguments.out / "weights")
            wanted.unlink()

    def judge(self, sets: dict[str, tuple[Tensor, ...]]) -> dict[str, float]:
        with self.learner.autocast():
            return dict(judge(self.average, sets, self.learner.device, self.learner.dtype))


def train(arguments: argparse.Namespace, maker: Maker, feed: Feed, began: float) -> Translator:
    training = Training(arguments, maker.processor.get_piece_size())
    learner = training.learner
    sets = development(arguments.data, arguments.recipe, maker)
    numbers = sum(p.numel() for p in learner.parameters)
    print(f"{arguments.recipe}: {numbers / 1e6:.1f} M parameters, ready after {time.time() - began:.0f} s", flush=True)
    for rows in training.batches(feed):
        training.learn(rows)
        if training.started is None:
            training.begin(began)
            continue
        if learner.step % 10 == 0:
            if learner.cuda:
                torch.cuda.current_stream().synchronize()
            training.progress = (training.spent + time.time() - training.started) / arguments.seconds
            if training.progress >= 1:
                break
        if learner.step % 50 == 0:
            training.answer()
        if learner.step % 200 == 0:
            training.report(sets)
    print("final dev", training.judge(sets), "steps", learner.step, flush=True)
    return training.average


if __name__ == "__main__":
    main()
