"""Finding the focus in a rendering, beside fast_align's models trained on the same pairs (systran-align).

    python benchmarks/align.py [--data ../shared/data] [--rows 3888] [--language de]

Pairs are WinoMT's as translated by Google. Ours: the detector, opening and verdicts counted, as it is and with an empty
table of forms, so that every focus has to be aligned by the shipped priors. Theirs: five iterations in both directions,
then the links of every pair: what fast_align has to do before anybody can ask where the focus is.
"""

from __future__ import annotations

import argparse
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import polars as pl
from benchmarks.detect import DATA, winomt
from benchmarks.ratios import Cost, beside

from evenhand.detect.nouns import NounDetector
from evenhand.grammar.english import source_words


def aligned(pairs: pl.DataFrame, detector: NounDetector) -> Cost:
    """Training and links by systran-align."""
    aligner = import_module("systran_align")
    words = [
        ([word.low for word in source_words(source)], [token.low for token in detector.language.tokens(rendering)])
        for source, rendering in pairs.select("source", "rendering").iter_rows()
    ]
    with tempfile.TemporaryDirectory() as folder, Cost() as cost:
        text, forward, backward = (str(Path(folder) / name) for name in ("text", "forward", "backward"))
        Path(text).write_text("".join(f"{' '.join(s)} ||| {' '.join(t)}\n" for s, t in words), encoding="utf-8")
        aligner.generate_alignment_probabilities(text, forward, backward, favor_diagonal=True, optimize_tension=True)
        model = aligner.Aligner(forward, backward)
        model.align_batch([source for source, _ in words], [target for _, target in words])
    return cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--language", default="de")
    parser.add_argument("--rows", type=int, default=3_888)
    options = parser.parse_args()
    if find_spec("systran_align") is None:
        print("systran-align is not installed: pip install 'evenhand[pool]'")
        return
    pairs = winomt(options.data, options.language).head(options.rows)
    with Cost() as usual:
        detector = NounDetector("en", options.language)
        detector.detect(pairs)
    with Cost() as without_forms:
        detector = NounDetector("en", options.language)
        detector.forms.concepts.clear()
        detector.forms.known.clear()
        detector.detect(pairs)
    peer, theirs = "fast_align's models on the same pairs (links only)", aligned(pairs, detector)
    beside(f"verdicts on {pairs.height:,} pairs", usual, peer, theirs)
    beside(f"verdicts on {pairs.height:,} pairs, every focus by alignment", without_forms, peer, theirs)


if __name__ == "__main__":
    main()
