# ruff: noqa: T201
"""BLEU and chrF (sacrebleu) of the shipped models on the held-out Tatoeba sentences.

python evaluate.py --heldout ../../carry/mt/heldout
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import sacrebleu
from batches import read_pairs
from evenhand_pocket.models import FOLDER, INTO_ENGLISH, OUT_OF_ENGLISH
from evenhand_pocket.translate import Model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heldout", type=Path, required=True)
    parser.add_argument("--beam", type=int, default=0, help="0: each model's own")
    arguments = parser.parse_args()
    for name, languages in (("out", OUT_OF_ENGLISH), ("into", INTO_ENGLISH)):
        model = Model(FOLDER / name, beam=arguments.beam)
        for language in languages:
            english, other = read_pairs(arguments.heldout / f"test.{language}.tsv")
            source, wanted = (english, other) if name == "out" else (other, english)
            started = time.time()
            made = model.translate(source, f">>{language}<<" if name == "out" else "")
            rate = len(source) / (time.time() - started)
            bleu, chrf = sacrebleu.corpus_bleu(made, [wanted]).score, sacrebleu.corpus_chrf(made, [wanted]).score
            pair = f"en-{language}" if name == "out" else f"{language}-en"
            print(f"{pair}\tBLEU {bleu:.1f}\tchrF {chrf:.1f}\t{rate:.0f} sentences/s\tbeam {model.beam}", flush=True)


if __name__ == "__main__":
    main()
