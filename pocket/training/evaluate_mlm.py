# ruff: noqa: T201
"""Top-1 and top-10 accuracy of the masked language model on person nouns of held-out sentences, and examples.

    python evaluate_mlm.py --data ../../carry/mt --mono ../../carry/mlm/mono.txt --shown 50

Held out: one sentence in fifty by checksum, never trained on. Masked: the one person noun Evenhand's own finder sees.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from train_mlm import english, held_out

from evenhand.mining.masked_lms import MASK, open_masked_lm
from evenhand.mining.perturb import Perturber
from evenhand.persons.finder import Outcome, open_finder


def substitutions(texts: list[str], model: str, wanted: int) -> None:
    """One accepted substitute each, drawn at random (seed 2), of so many sentences, to be judged by reading."""
    finder, rng = open_finder("lexicon"), random.Random(2)
    kept = [
        (text, found) for text, found in zip(texts, finder.only(texts), strict=True) if found.outcome is Outcome.KEPT
    ]
    kept = kept[: 2 * wanted]
    made = Perturber(open_masked_lm(model), finder).substitutes(
        [text for text, _ in kept], [found for _, found in kept]
    )
    drawn = [(text, found, rng.choice(some)) for (text, found), some in zip(kept, made, strict=True) if some][:wanted]
    for text, found, new in drawn:
        print(f"{text[found.start : found.end]} -> {new.word} (rank {new.rank})\t{new.source}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--mono", type=Path, required=True)
    parser.add_argument("--model", default="pocket")
    parser.add_argument("--shown", type=int, default=0)
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("--substitutions", type=int, default=0, help="print this many random accepted substitutions")
    arguments = parser.parse_args()
    texts = [text for text in english(arguments.data, arguments.mono) if held_out(text)]
    random.Random(1).shuffle(texts)
    if arguments.substitutions:
        substitutions(texts, arguments.model, arguments.substitutions)
        return
    rows = []
    for text, found in zip(texts, open_finder("lexicon").only(texts), strict=True):
        if found.outcome is Outcome.KEPT:
            rows.append((text[: found.start] + MASK + text[found.end :], text[found.start : found.end].lower()))
    rows = rows[: arguments.most]
    guesses = open_masked_lm(arguments.model).fill([row[0] for row in rows], 10)
    ranked = [[word for word, _ in guess] for guess in guesses]
    first = sum(words[:1] == [noun] for words, (_, noun) in zip(ranked, rows, strict=True))
    ten = sum(noun in words for words, (_, noun) in zip(ranked, rows, strict=True))
    print(f"{len(rows)} held-out person nouns: top-1 {first / len(rows):.3f}, top-10 {ten / len(rows):.3f}")
    for (text, noun), words in list(zip(rows, ranked, strict=True))[: arguments.shown]:
        print(f"{noun} -> {', '.join(words[:4])}\t{text.replace(MASK, '___')}")


if __name__ == "__main__":
    main()
