# ruff: noqa: T201
"""The training text's gender shares beside pocket's own on the same sentences, for MODEL_CARD.md.

    python shares.py --data ../../../shared/data --work ../../carry/shares [--only it pt]

From each Tatoeba file, English sentences with a person whose gender they leave open are sampled with a fixed seed.
`evenhand corpus` then counts three texts: the whole file, the sample as people translated it, and the sample as pocket
translates it. Translations in the work folder are kept.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import polars as pl
from evenhand_pocket.translate import open_model
from prepare import CODE, INTO_ENGLISH, SEED, Pair, read

import evenhand
from evenhand.persons import find

SAMPLE = 2_500


def sample(pairs: Sequence[Pair]) -> list[Pair]:
    """Sentence pairs with an open person in the English, every English sentence once."""
    once = list({english: (english, other) for english, other in pairs}.values())
    random.Random(SEED).shuffle(once)
    found: list[Pair] = []
    for pair in once:
        if any(person.says == "open" for person in find(pair[0])):
            found.append(pair)
        if len(found) == SAMPLE:
            break
    return found


def rendered(pairs: Sequence[Pair], language: str, path: Path) -> Path:
    """The English sides with pocket's translations, as a TSV."""
    if not path.exists():
        model, tag = open_model("en", language, threads=1)
        answers = model.translate([english for english, _ in pairs], tag)
        write(path, [(english, answer) for (english, _), answer in zip(pairs, answers, strict=True)])
    return path


def write(path: Path, pairs: Sequence[Pair]) -> Path:
    path.write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    return path


def shares(text: Path, language: str, folder: Path) -> str:
    """Share of women and of men among the decided persons that the English leaves open."""
    found = evenhand.corpus([text], target=language, output=folder, fresh=True)
    rows = found.findings.estimates.filter((pl.col("group") == "source") & (pl.col("level") == "open"))
    cells = []
    for measure in ("share_female", "share_male", "TFG"):
        row = rows.filter(pl.col("measure") == measure).row(0, named=True)
        cells.append(f"{row['value']:.3f} [{row['low']:.3f}, {row['high']:.3f}]")
    return " | ".join([*cells, f"{row['n_decided']:,} of {row['n']:,}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[code for code in CODE if code not in INTO_ENGLISH])
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    print("| into | text | share female | share male | women among gendered | decided |")
    for language in given.only:
        whole = given.data / "parallel" / f"tatoeba.eng-{CODE[language]}.train.tsv.xz"
        pairs = sample(read(whole))
        texts = {
            "all of Tatoeba": whole,
            "sample, by people": write(given.work / f"people.{language}.tsv", pairs),
            "sample, by pocket": rendered(pairs, language, given.work / f"pocket.{language}.tsv"),
        }
        for name, text in texts.items():
            folder = given.work / f"{language}.{text.stem}.corpus"
            print(f"| {language} | {name} | {shares(text, language, folder)} |", flush=True)


if __name__ == "__main__":
    main()
