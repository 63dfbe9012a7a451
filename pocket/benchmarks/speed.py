# ruff: noqa: T201
"""How fast the translators are: `python benchmarks/speed.py FILE` with one short sentence per line (English).

Prints sentences per second by the clock, and per second of CPU time of two cores (what a quiet machine would give).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from evenhand_pocket.translate import open_model


def main() -> None:
    texts = [line for line in Path(sys.argv[1]).read_text("utf-8").splitlines() if line][:1000]
    for beam in (1, 2, 0):
        model, tag = open_model("en", "de", beam=beam, threads=2)
        model.translate(texts[:8], tag)
        wall, cpu = time.time(), time.process_time()
        model.translate(texts, tag)
        wall, cpu = time.time() - wall, time.process_time() - cpu
        clock, quiet = len(texts) / wall, len(texts) / (cpu / 2)
        print(f"en-de beam {model.beam}: {clock:.0f}/s by the clock, {quiet:.0f}/s by CPU time")


if __name__ == "__main__":
    main()
