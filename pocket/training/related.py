# ruff: noqa: T201
"""Text of a related language for languages that have little: Apertium turns the Spanish side of our pairs.

    python related.py --mt ../../carry/mt

Spanish into Portuguese and Italian, by rules and dictionaries (GPL-2+, GPL-3+). A sentence with a
word that Apertium does not know is dropped. In training these pairs carry a tag of their own (`<syn>`), so that the
translator learns their words without taking on their style. Written as `related.<language>.tsv`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from pathlib import Path

from dictionaries import APERTIUM
from prepare import Pair, key, tidy, write
from widen import rows

MODES = {"pt": ("es", "es-pt_BR"), "it": ("es", "spa-ita")}
LIMIT = {"tatoeba": 70_000, "europarl": 12_000}


def pipeline(mode: str) -> str:
    """The mode's commands, reading from where the dictionaries lie."""
    text = (APERTIUM / "modes" / f"{mode}.mode").read_text("utf-8").strip()
    return text.replace("/usr/share/apertium", str(APERTIUM)).replace("$1", "-g").replace("$2", "")


def turned_into(texts: list[str], mode: str) -> list[str]:
    """One translation a text; empty where a word is unknown or the lines no longer match."""
    answer: list[str] = []
    command = f"apertium-destxt | {pipeline(mode)} | apertium-retxt"
    for start in range(0, len(texts), 2000):
        part = texts[start : start + 2000]
        query = "\n\n".join(part) + "\n\n"
        done = subprocess.run(["bash", "-c", command], input=query, capture_output=True, text=True, check=True)
        lines = done.stdout.split("\n\n")[: len(part)]
        if len(lines) != len(part):
            print(f"{mode}: {len(lines)} lines for {len(part)}", flush=True)
            lines = [""] * len(part)
        answer += ["" if re.search(r"[*@#\\]|\n", line) else tidy(re.sub("[¿¡]", "", line)) for line in lines]
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mt", type=Path, required=True)
    parser.add_argument("--language", nargs="+", choices=MODES, default=tuple(MODES))
    arguments = parser.parse_args()
    for language in arguments.language:
        known, mode = MODES[language]
        made: list[Pair] = []
        for kind, limit in LIMIT.items():
            path = arguments.mt / f"{kind}.{known}.tsv"
            pairs = rows(path)[:limit] if path.exists() else []
            others = turned_into([other for _, other in pairs], mode)
            made += [(english, other) for (english, _), other in zip(pairs, others, strict=True) if other]
        held = (arguments.mt / "heldout").glob(f"*.{language}.tsv")
        own = {key(other) for path in held for _, other in rows(path)}
        write(arguments.mt / f"related.{language}.tsv", [pair for pair in made if key(pair[1]) not in own])
        print(f"{language}: {len(made)} sentences", made[::20_000][:6], flush=True)


if __name__ == "__main__":
    main()
