# ruff: noqa: T201
"""A last short phase on the CPU: the nouns of one language that the trained model still gets wrong.

    python polish.py --weights run/out --model MODEL --mt ../../carry/mt --phrases PHRASES --out run/polished

Every one-word noun of the phrase file that the training text has three times or more is translated ("the N"); those
whose answer is none of the listed translations are trained on, beside plain Tatoeba sentences of all languages so that
nothing else is forgotten. The choice looks at the answers alone: not at what a noun means, nor at gender. What is saved
lies half-way between the weights before and after.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import torch
from batches import Corpus, Maker
from evenhand_pocket.translate import Model
from export import load
from model import Translator, smoothed_loss
from recipes import OUT, OUT_OF_ENGLISH, pieces
from torch import Tensor
from train_mt import development, inputs, judge, save
from widen import rows

Pair = tuple[str, str]


def wrong(model: Model, phrases: list[Pair], words: set[str], language: str) -> list[Pair]:
    """The phrases with "the" (all listed translations) of the nouns for which the model gives none of those listed."""
    listed: dict[str, set[str]] = defaultdict(set)
    for english, other in phrases:
        if english.startswith("the ") and english[4:] in words:
            listed[english].add(other.lower())
    asked = sorted(listed)
    made = model.translate(asked, f">>{language}<<")
    bad = {e for e, m in zip(asked, made, strict=True) if m.lower().strip(" .") not in listed[e]}
    print(f"{len(bad)} of {len(asked)} nouns not as listed", sorted(bad)[:: max(1, len(bad) // 20)], flush=True)
    return [(english, other) for english, other in phrases if english in bad]


def mixture(
    mt: Path, short: list[Pair], tatoeba: dict[str, list[Pair]], language: str, *, a_step: tuple[int, int]
) -> tuple[Maker, list[int]]:
    """The noun phrases and the Tatoeba sentences of every language, and how many of each a step takes."""
    corpora = [Corpus("short", [e for e, _ in short], [o for _, o in short], f">>{language}<<", vary="phrase")]
    for name in OUT_OF_ENGLISH:
        source, target = zip(*tatoeba[name], strict=True)
        corpora.append(Corpus(name, list(source), list(target), f">>{name}<<", OUT["tatoeba"][name]))
    phrases, sentences = a_step
    return Maker(mt / pieces("out"), corpora, 128, 7), [phrases, *([sentences] * len(OUT_OF_ENGLISH))]


def polish(
    model: Translator, maker: Maker, counts: list[int], *, seconds: float, rate: float
) -> tuple[list[Tensor], int]:
    """Train until the time is up: the average of the weights over the last steps, and how many there were."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.0, betas=(0.9, 0.98), weight_decay=0.0)
    averaged = [p.detach().clone() for p in model.parameters()]
    began, step, at = time.time(), 0, [0] * len(counts)
    while (progress := (time.time() - began) / seconds) < 1:
        columns = maker.rows(at, counts, step)
        at = [a + n for a, n in zip(at, counts, strict=True)]
        given, labels = inputs(tuple(torch.from_numpy(c.astype(np.int32)) for c in columns), torch.float32)
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 10) * max(0.02, 1 - progress)
        hidden = model(*given)
        loss, plain = smoothed_loss(
            hidden.view(-1, model.shape.width), model.embedding.weight, model.output_bias, labels, 0.1
        )
        count = (labels >= 0).sum()
        (loss / count).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        step += 1
        with torch.no_grad():
            for mean, parameter in zip(averaged, model.parameters(), strict=True):
                mean.lerp_(parameter, 0.1)
        if step % 10 == 0:
            print(f"step {step} {progress:.2f} loss {float(plain) / int(count):.3f} {len(columns[0])} rows", flush=True)
    return averaged, step


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True, help="as train_mt.py saved them")
    parser.add_argument("--model", type=Path, required=True, help="the same, exported")
    parser.add_argument("--mt", type=Path, required=True)
    parser.add_argument("--phrases", type=Path, required=True)
    parser.add_argument("--language", default="de")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--share", type=float, default=0.5, help="how far from the given weights to the new ones")
    parser.add_argument("--short", type=int, default=200, help="noun phrases a step")
    parser.add_argument("--sentences", type=int, default=12, help="Tatoeba sentences a step and language")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    language = arguments.language
    tatoeba = {name: rows(arguments.mt / f"tatoeba.{name}.tsv") for name in OUT_OF_ENGLISH}
    texts = [e for pairs in (*tatoeba.values(), rows(arguments.mt / f"europarl.{language}.tsv")) for e, _ in pairs]
    counted = Counter(word for text in texts for word in re.findall(r"[^\W\d_]+", text.lower()))
    words = {word for word, times in counted.items() if times >= 3}
    phrases = rows(arguments.phrases)
    short = wrong(Model(arguments.model, beam=2, threads=2), phrases, words, language)
    maker, counts = mixture(arguments.mt, short, tatoeba, language, a_step=(arguments.short, arguments.sentences))
    model = load(arguments.weights).train()
    sets = development(arguments.mt, "out", maker)
    print("dev", judge(model.eval(), sets, "cpu", torch.float32), flush=True)
    averaged, step = polish(model.train(), maker, counts, seconds=arguments.seconds, rate=arguments.rate)
    given_weights = load(arguments.weights)
    for mean, parameter, before in zip(averaged, model.parameters(), given_weights.parameters(), strict=True):
        parameter.data.copy_(before.data.lerp(mean, arguments.share))
    print("dev", judge(model.eval(), sets, "cpu", torch.float32), "steps", step, flush=True)
    save(model, arguments.out)


if __name__ == "__main__":
    main()
