"""A software bill of materials in CycloneDX 1.6: our packages and everything that hashes/demo.txt installs with them.

    python builders/sbom.py > dist/evenhand.cdx.json

Without a date and with a serial number made of its content, so that the same tree gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
import uuid
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PIN = re.compile(r"([\w.-]+)==(\S+) --hash=sha256:([0-9a-f]{64})")


def components() -> list[dict[str, object]]:
    """Every package of hashes/demo.txt with version, hash and, where it is installed here, its licence."""
    found = []
    for line in (ROOT / "hashes" / "demo.txt").read_text("utf-8").splitlines():
        pin = PIN.match(line)
        if pin is None:
            continue
        name, version, digest = pin.groups()
        one: dict[str, object] = {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            "hashes": [{"alg": "SHA-256", "content": digest}],
        }
        licence = _licence(name)
        found.append(one | ({"licenses": [{"license": {"name": licence}}]} if licence else {}))
    return found


def _licence(name: str) -> str:
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return ""
    classifiers = [text.rpartition(" :: ")[2] for text in told.get_all("Classifier") or () if "License ::" in text]
    return "; ".join(told.get_all("License-Expression") or classifiers)


def ours() -> list[dict[str, object]]:
    """The two packages that we build, by their versions."""
    text = (ROOT / "src" / "evenhand" / "_version.py").read_text("utf-8")
    version = re.search(r'^__version__ = "(.+)"', text, re.MULTILINE)
    pocket = tomllib.loads((ROOT / "pocket" / "pyproject.toml").read_text("utf-8"))["project"]
    licences = {"evenhand": "Apache-2.0", "evenhand-pocket": pocket["license"]}
    versions = {"evenhand": version[1] if version else "", "evenhand-pocket": pocket["version"]}
    return [
        {
            "type": "application" if name == "evenhand" else "library",
            "bom-ref": f"pkg:pypi/{name}@{number}",
            "name": name,
            "version": number,
            "purl": f"pkg:pypi/{name}@{number}",
            "licenses": [{"expression": licences[name]}],
        }
        for name, number in versions.items()
    ]


def bill() -> dict[str, object]:
    own, pocket = ours()
    parts = [pocket, *components()]
    content = hashlib.sha256(json.dumps([own, parts], sort_keys=True).encode()).digest()
    references = [str(part["bom-ref"]) for part in parts]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=content[:16], version=4)}",
        "version": 1,
        "metadata": {"component": own},
        "components": parts,
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": references}],
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(bill(), indent=2, ensure_ascii=False) + "\n")
