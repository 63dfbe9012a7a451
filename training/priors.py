"""Train the word-translation tables that ship with the noun detector.

    python training/priors.py --language de --data ../shared/data/parallel \\
        --out src/evenhand/detect/priors/german.parquet

Text: Tatoeba (CC BY 2.0 FR) and European Parliament proceedings (reuse permitted with acknowledgement). The table
holds word pairs and scores, no sentences. Method: systran-align (fast_align's models, five iterations, both directions,
symmetrised) aligns the text, the links of each pair of words are counted, and score = sqrt(p(target|source) *
p(source|target)), so that a pair is kept when both directions find it likely. Rare words and weak pairs are cut.
"""

from __future__ import annotations

import argparse
import lzma
import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand.detect.english import singular, source_words
from evenhand.detect.languages import language
from evenhand.errors import require

ISO3 = {"de": "deu", "es": "spa", "fr": "fra", "ru": "rus"}
MAX_WORDS = 50
BATCH = 5_000


def sentences(data: Path, code: str) -> Iterator[tuple[str, str]]:
    """Sentence pairs of every parallel file there is for this language."""
    for name in (f"tatoeba.eng-{ISO3[code]}.train.tsv.xz", f"europarl.en-{code}.250k.tsv.xz"):
        if (data / name).exists():
            with lzma.open(data / name, "rt", encoding="utf-8") as lines:
                for line in lines:
                    english, _, other = line.rstrip("\n").partition("\t")
                    yield english, other


def train(data: Path, code: str, *, least: float, top: int, rare: int, lemmas: bool) -> pl.DataFrame:
    """One row a pair: source, target, score in (0, 1]. With `lemmas`, nouns and adjectives count as one word whatever
    their case and number, which a language with many endings and little text needs."""
    aligner = require("systran_align", purpose="training priors", extra="languages")
    target_language = language(code)
    pairs: list[tuple[list[str], list[str]]] = []
    for english, other in sentences(data, code):
        source = [word.low for word in source_words(english)]
        target = [token.low for token in target_language.tokens(other)]
        if lemmas:
            source = [singular(low) for low in source]
            target = [target_language.lookups(low)[:2][-1] for low in target]
        if 0 < len(source) <= MAX_WORDS and 0 < len(target) <= MAX_WORDS:
            pairs.append((source, target))
    links: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (str(Path(folder) / name) for name in ("text", "forward", "backward"))
        Path(text).write_text(
            "".join(f"{' '.join(source)} ||| {' '.join(target)}\n" for source, target in pairs), encoding="utf-8"
        )
        aligner.generate_alignment_probabilities(text, forward, backward, favor_diagonal=True, optimize_tension=True)
        model = aligner.Aligner(forward, backward)
        for start in range(0, len(pairs), BATCH):
            batch = pairs[start : start + BATCH]
            answers = model.align_batch([source for source, _ in batch], [target for _, target in batch])
            for (source, target), answer in zip(batch, answers, strict=True):
                links.update((source[i], target[j]) for i, j in answer["alignments"])
    of_source: Counter[str] = Counter()
    of_target: Counter[str] = Counter()
    for (one, other), count in links.items():
        of_source[one] += count
        of_target[other] += count
    best: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for (one, other), count in links.items():
        score = count / math.sqrt(of_source[one] * of_target[other])
        if of_source[one] >= rare and score >= least and any(map(str.isalpha, one)) and any(map(str.isalpha, other)):
            best[one].append((score, other))
    rows = [
        (source, target, score)
        for source in sorted(best)
        for score, target in sorted(best[source], key=lambda pair: (-pair[0], pair[1]))[:top]
    ]
    return pl.DataFrame(rows, schema={"source": pl.String, "target": pl.String, "score": pl.Float32}, orient="row")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", required=True, choices=sorted(ISO3))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--least", type=float, default=0.02, help="cut pairs with a lower score")
    parser.add_argument("--top", type=int, default=12, help="targets kept per source word")
    parser.add_argument("--rare", type=int, default=2, help="cut source words seen less often")
    parser.add_argument("--lemmas", action="store_true", help="train on dictionary forms (Russian)")
    options = parser.parse_args()
    table = train(
        options.data,
        options.language,
        least=options.least,
        top=options.top,
        rare=options.rare,
        lemmas=options.lemmas,
    )
    options.out.parent.mkdir(parents=True, exist_ok=True)
    table.write_parquet(options.out, compression="zstd", compression_level=15)


if __name__ == "__main__":
    main()
