"""What we stand on: tested versions of everything, licences that were looked at, and what our own packages say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from contextlib import chdir
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from unittest import mock

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from evenhand.tsv import rows

ROOT = Path(__file__).resolve().parents[1]
PERMISSIVE = re.compile(
    r"\b(?:MIT|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|CC0|CNRI|Unlicense|HPND)\b", re.IGNORECASE
)
COPYLEFT = re.compile(r"GPL|MPL|Mozilla|SHARE|BY-SA|NonCommercial|Proprietary|EUPL|SSPL", re.IGNORECASE)
FAILING = "of which nobody has decided: add it to tests/licences.tsv and docs/licences.md, or leave it out"


def project(place: str) -> dict[str, list[str]]:
    """Requirements by extra ("" for core) or group of one of our projects."""
    told = tomllib.loads((ROOT / place).read_text("utf-8"))
    extras = told["project"].get("optional-dependencies", {})
    return {"": told["project"]["dependencies"], **extras, **told.get("dependency-groups", {})}


def run_time() -> dict[str, Distribution]:
    """Every installed package that Evenhand, an extra of it or Pocket needs to run."""
    needs = [text for place in ("pyproject.toml", "pocket/pyproject.toml") for name, texts in project(place).items()
             if name not in ("dev", "docs") for text in texts]  # fmt: skip
    left, packages = [Requirement(text) for text in needs], dict[str, Distribution]()
    while left:
        need = left.pop()
        name = canonicalize_name(need.name)
        if name in packages:
            continue
        try:
            packages[name] = distribution(name)
        except PackageNotFoundError:
            continue
        further = map(Requirement, packages[name].requires or ())
        left += [
            r for r in further if r.marker is None or any(r.marker.evaluate({"extra": e}) for e in ("", *need.extras))
        ]
    return packages


def declared(package: Distribution) -> str:
    """What a package says: its licence expression, else its classifiers, else the first line of the free text."""
    fields = {name: package.metadata.get_all(name) or [""] for name in ("License-Expression", "Classifier", "License")}
    classifiers = [text for text in fields["Classifier"] if text.startswith("License ::")]
    texts = [fields["License-Expression"][0], "; ".join(classifiers), fields["License"][0].partition("\n")[0]]
    return " | ".join(text for text in texts if text)


def test_every_run_time_dependency_has_a_licence_that_somebody_looked_at() -> None:
    decided = {row["package"]: row for row in rows(ROOT / "tests" / "licences.tsv")}
    packages = run_time()
    assert {"polars", "numpy", "scipy", "httpx", "typer", "rich"} <= set(packages)
    listed = {name: declared(package) for name, package in sorted(packages.items())}
    open_questions = {
        name: said
        for name, said in listed.items()
        if name not in decided and (not PERMISSIVE.search(said) or COPYLEFT.search(said))
    }
    assert not open_questions, f"licences {FAILING}"
    page = (ROOT / "docs" / "licences.md").read_text("utf-8")
    assert all(f"`{name}`" in page for name in decided)


def test_the_tested_versions_cover_what_is_required_and_fit_it() -> None:
    pins = {
        canonicalize_name(name): version
        for name, _, version in (
            line.strip().partition("==") for line in (ROOT / "constraints.txt").open("r", encoding="utf-8")
        )
        if version
    }
    # installed for the tests and benchmarks that need them alone
    absent = {"torch", "transformers", "spacy", "gensim", "wefe", "mlflow-skinny", "inspect-ai", "lm-eval"}
    for place in ("pyproject.toml", "pocket/pyproject.toml"):
        for texts in project(place).values():
            for need in map(Requirement, texts):
                name = canonicalize_name(need.name)
                if name not in absent:
                    assert name in pins, f"{name} is not in constraints.txt: run builders/constraints.py"
                    assert need.specifier.contains(pins[name], prereleases=True)


def test_the_demo_and_the_tests_install_the_tested_versions() -> None:
    text = (ROOT / "Makefile").read_text("utf-8")
    assert "TESTED := -cconstraints.txt" in text
    tested = [line for line in text.splitlines() if "pip install" in line and "$(TESTED)" in line]
    assert any("-e ./pocket" in line for line in tested)
    assert {group for line in tested for group in re.findall(r"--group (\w+)", line)} == {"dev", "docs", "notebooks"}


def test_the_models_say_that_they_are_under_another_licence_than_the_code() -> None:
    told = tomllib.loads((ROOT / "pocket" / "pyproject.toml").read_text("utf-8"))["project"]
    assert told["license"] == "Apache-2.0 AND CC-BY-SA-4.0"
    text = "".join((ROOT / "pocket" / name).read_text("utf-8") for name in told["license-files"])
    data = (ROOT / "pocket" / "DATA.md").read_text("utf-8").partition("\n## ")[0]
    sources = re.findall(r"^\| (\w+)", data, re.MULTILINE)[1:]
    assert len(set(sources)) >= 9
    assert all(source in text for source in sources)
    assert "Creative Commons Attribution-ShareAlike 4.0" in text


HASHED = re.compile(r"([\w.-]+)==(\S+)((?: --hash=sha256:[0-9a-f]{64})+)")


@pytest.mark.parametrize("name", ["demo", "test"])
def test_what_the_two_commands_install_is_fixed_by_hashes(name: str) -> None:
    lines = (ROOT / "hashes" / f"{name}.txt").read_text("utf-8").splitlines()[1:]
    hashed = {canonicalize_name(found[1]): found[2] for line in lines if (found := HASHED.fullmatch(line))}
    assert len(hashed) == len(lines)
    pins = dict(line.strip().split("==") for line in (ROOT / "constraints.txt").open() if "==" in line)
    assert {pin: version for pin, version in hashed.items() if pins.get(pin, version) != version} == {}
    extras = ["", "report", "languages", "ctranslate2", "serve"] + (["mining", "dev", "docs"] if name == "test" else [])
    needs = [need for extra in extras for need in project("pyproject.toml")[extra]] + project("pocket/pyproject.toml")[
        ""
    ]
    assert {canonicalize_name(Requirement(need).name) for need in needs} <= set(hashed)
    assert f"$(call hashed,{name})" in (ROOT / "Makefile").read_text("utf-8")


def test_the_bill_of_materials_lists_what_the_demo_installs_and_is_the_same_twice() -> None:
    bill = [json.loads(subprocess.check_output([sys.executable, ROOT / "builders" / "sbom.py"])) for _ in range(2)]
    assert bill[0] == bill[1]
    assert (bill[0]["bomFormat"], bill[0]["specVersion"]) == ("CycloneDX", "1.6")
    named = {f"{part['name']}=={part['version']}" for part in bill[0]["components"]}
    lines = (ROOT / "hashes" / "demo.txt").read_text("utf-8").splitlines()[1:]
    assert {line.split()[0] for line in lines} == {one for one in named if not one.startswith("evenhand")}
    assert bill[0]["metadata"]["component"]["version"] == distribution("evenhand").version


def test_two_builds_of_the_wheel_are_equal_byte_for_byte(tmp_path: Path) -> None:
    backend = pytest.importorskip("hatchling.build")
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with chdir(ROOT), mock.patch.dict(os.environ, {"SOURCE_DATE_EPOCH": "1700000000"}):
            made.append((tmp_path / name / backend.build_wheel(str(tmp_path / name))).read_bytes())
    assert made[0] == made[1]


def test_the_release_workflow_stores_no_secret_and_attests_what_it_publishes() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert "secrets." not in text
    assert "password" not in text
    assert "permissions: {}" in text
    assert text.count("id-token: write") == 2
    assert all(
        word in text for word in ("make release", "attest-build-provenance", "attest-sbom", "environment: release")
    )
