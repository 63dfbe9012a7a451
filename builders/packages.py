"""Build the wheel and the source archive of both packages into a folder, with the build backend that is installed.

python builders/packages.py dist         (make release)
"""

from __future__ import annotations

import sys
from contextlib import chdir
from pathlib import Path

import hatchling.build  # in the environment that hashes/demo.txt makes

ROOT = Path(__file__).resolve().parents[1]


def main(folder: str) -> None:
    place = ROOT / folder
    place.mkdir(exist_ok=True)
    for project in (ROOT, ROOT / "pocket"):
        with chdir(project):
            hatchling.build.build_sdist(str(place))
            hatchling.build.build_wheel(str(place))


if __name__ == "__main__":
    main(sys.argv[1])
