"""Unpack `*.bz2` of a folder into another, several at a time; other files are copied: `python3 unpack.py FROM TO`."""

from __future__ import annotations

import bz2
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path


def unpack(task: tuple[Path, Path]) -> None:
    source, target = task
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix == ".bz2":
        target.with_suffix("").write_bytes(bz2.decompress(source.read_bytes()))
    else:
        shutil.copy(source, target)


def main() -> None:
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    with ProcessPoolExecutor() as pool:
        list(pool.map(unpack, [(p, target / p.relative_to(source)) for p in source.rglob("*") if p.is_file()]))


if __name__ == "__main__":
    main()
