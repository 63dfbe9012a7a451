# ruff: noqa: T201
"""Lay out what travels to the training machine: `python carry.py --mt mt --grown new --out carry`.

Two folders, `out` (English into other languages: data, vocabulary, weights to start from, the code) and `into` (the
rest), every text compressed. Long corpora are cut to what may travel: their order is random already, or is made so.
"""

from __future__ import annotations

import argparse
import bz2
import random
import shutil
from pathlib import Path

from prepare import INTO_ENGLISH, OUT_OF_ENGLISH, read_pairs, write
from recipes import HELPERS, INTO, OUT

MOST = {"europarl": 14_000, "dictionary": 60_000, "best": 30_000, "phrase": 25_000, "back": 0}


def gather(mt: Path, out: Path, recipe: str, table: dict[str, dict[str, tuple[float, float]]]) -> None:
    for kind, shares in table.items():
        for language in shares:
            path = mt / f"{kind}.{language}.tsv"
            if not path.exists() or (recipe == "into" and language in HELPERS):
                continue
            pairs = list(zip(*read_pairs(path), strict=True))
            if len(pairs) > MOST.get(kind, len(pairs)):
                random.Random(1).shuffle(pairs)
                pairs = pairs[: MOST[kind]]
            if pairs:
                write(out / path.name, pairs)
    for language in OUT_OF_ENGLISH if recipe == "out" else INTO_ENGLISH:
        write(
            out / "heldout" / f"dev.{language}.tsv",
            list(zip(*read_pairs(mt / f"heldout/dev.{language}.tsv"), strict=True)),
        )


def squeeze(folder: Path) -> None:
    for path in [p for p in folder.rglob("*") if p.suffix in {".tsv", ".txt", ".safetensors"}]:
        path.with_name(path.name + ".bz2").write_bytes(bz2.compress(path.read_bytes()))
        path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mt", type=Path, required=True)
    parser.add_argument("--grown", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    for recipe, table in (("out", OUT), ("into", INTO)):
        folder = arguments.out / recipe
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(arguments.grown / recipe, folder / "mt")
        gather(arguments.mt, folder / "mt", recipe, table)
        if recipe == "into":
            shutil.copy(arguments.mt / "mono.en.txt", folder / "mt")
        squeeze(folder)
        code = folder / "code"
        code.mkdir()
        for path in sorted(Path(__file__).parent.glob("*")):
            if path.suffix in {".py", ".sh"}:
                shutil.copy(path, code)
        print(recipe, f"{sum(p.stat().st_size for p in folder.rglob('*') if p.is_file()) / 2**20:.1f} MiB", flush=True)


if __name__ == "__main__":
    main()
