"""hashes/demo.txt and hashes/test.txt: what the two commands of the README install, by SHA-256.

    python builders/hashes.py            # with pip and the index that this machine has

pip resolves what `make demo` and `make test` install under constraints.txt, without installing it, and reports every
file it chose. `pip install --require-hashes` then takes these files and no others. They are those of this platform and
Python: elsewhere the Makefile says so and takes the tested versions without hashes.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ("hatchling>=1.25", "editables")  # what builds our own two packages, which no index has
DEMO = ("report", "languages", "ctranslate2", "serve")
TEST = (*DEMO, "mining", "embeddings", "quality", "pool", "amazon", "google", "files")
INSTALLS = {
    "demo": (f".[{','.join(DEMO)}]", "./pocket", *BUILD),
    "test": (f".[{','.join(TEST)}]", "./pocket", *BUILD, "--group", "dev", "--group", "docs"),
}


def resolved(what: tuple[str, ...]) -> dict[str, list[str]]:
    """Name==version to the hashes of the files that pip would take; our own packages are folders and have none."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--ignore-installed"]
        subprocess.run([*command, "--report", report, "-c", "constraints.txt", *what], cwd=ROOT, check=True)
        chosen = json.loads(report.read_text("utf-8"))["install"]
    hashes: dict[str, list[str]] = {}
    for one in chosen:
        told = one["download_info"].get("archive_info", {}).get("hashes", {})
        if "sha256" in told:
            hashes[f"{one['metadata']['name'].lower()}=={one['metadata']['version']}"] = [told["sha256"]]
    return hashes


def main() -> None:
    place = f"Python {'.'.join(platform.python_version_tuple()[:2])}, {platform.system()} {platform.machine()}"
    for name, what in INSTALLS.items():
        lines = [f"# source\tbuilders/hashes.py, {place}: what `make {name}` installs"]
        for pin, hashes in sorted(resolved(what).items()):
            lines.append(f"{pin} " + " ".join(f"--hash=sha256:{digest}" for digest in hashes))
        (ROOT / "hashes").mkdir(exist_ok=True)
        (ROOT / "hashes" / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
