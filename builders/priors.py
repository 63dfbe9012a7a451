"""Train the word-translation tables that ship with the noun detector.

    python builders/priors.py --language de --data ../shared/data/parallel \\
        --out src/evenhand/grammar/german/priors.parquet

Text: Tatoeba (CC BY 2.0 FR) and European Parliament proceedings (reuse permitted with acknowledgement). The table
holds word pairs and scores, no sentences. Method: systran-align (fast_align's models, five iterations, both directions,
symmetrised) aligns the text, the links of each pair of words are counted, and score = sqrt(p(target|source) *
p(source|target)), so that a pair is kept when both directions find it likely. Rare words and weak pairs are cut.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterator
from pathlib import Path

from evenhand.detect.strength import Pair, translation_table
from evenhand.detect.validity.tongues import WORD, lead, table
from evenhand.grammar import source_grammar
from evenhand.grammar.english import singular, source_words

ISO3 = {
    "ar": "ara", "bg": "bul", "cs": "ces", "de": "deu", "el": "ell", "es": "spa", "fi": "fin", "fr": "fra", "he": "heb",
    "hr": "hbs", "hu": "hun", "it": "ita", "nl": "nld", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus",
    "sk": "slv", "sl": "slv", "tr": "tur", "uk": "ukr",
}  # fmt: skip

MIXED = {"sk": "sl", "sl": "sk"}  # Tatoeba Challenge has most of its Slovak as Slovenian


def sentences(data: Path, code: str) -> Iterator[tuple[str, str]]:
    """Sentence pairs of every parallel file there is for this language."""
    for name in (f"tatoeba.eng-{ISO3[code]}.train.tsv.xz", f"europarl.en-{code}.250k.tsv.xz"):
        if (data / name).exists():
            with lzma.open(data / name, "rt", encoding="utf-8") as lines:
                for line in lines:
                    english, other = line.rstrip("\n").split("\t")[:2]
                    if code not in MIXED or _speaks(code, other):
                        yield english, other


def _speaks(code: str, text: str) -> bool:
    """Whether a text of a file in two languages is in this one."""
    words = [word.lower() for word in WORD.findall(text)]
    return lead(words, code, table(MIXED[code])) < -1


def pairs(data: Path, code: str, *, lemmas: bool) -> Iterator[Pair]:
    """The sentences in words. With `lemmas`, nouns and adjectives count as one word whatever their case and number,
    which a language with many endings and little text needs."""
    target_language = source_grammar(code)
    for english, other in sentences(data, code):
        source = [word.low for word in source_words(english)]
        target = [token.low for token in target_language.tokens(other)]
        if lemmas:
            source = [singular(low) for low in source]
            target = [target_language.lookups(low)[:2][-1] for low in target]
        yield source, target


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
    text = pairs(options.data, options.language, lemmas=options.lemmas)
    made = translation_table(text, least=options.least, top=options.top, rare=options.rare)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    made.write_parquet(options.out, compression="zstd", compression_level=15)


if __name__ == "__main__":
    main()
