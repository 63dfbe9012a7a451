"""README, docs and the files around them against the code: names, verbs, links and versions that really are there."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evenhand
from evenhand.cli.main import VERBS
from evenhand.tsv import rows

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_parse_and_use_public_names(page: Path) -> None:
    for block in BLOCK.findall(page.read_text("utf-8")):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "evenhand":
                assert node.attr in evenhand.__all__, f"{page.name}: evenhand.{node.attr}"
            if isinstance(node, ast.ImportFrom) and node.module == "evenhand":
                assert {alias.name for alias in node.names} <= set(evenhand.__all__), page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_verbs_that_are_named_are_verbs(page: Path) -> None:
    text = page.read_text("utf-8")
    used = re.findall(r"(?:^ {4}(?:\$ )?|`)evenhand ([a-z]+)\b", text, re.MULTILINE)
    assert set(used) <= set(VERBS), set(used) - set(VERBS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text("utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_verb_stands_in_the_documents() -> None:
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    assert [verb for verb in VERBS if f"evenhand {verb}" not in text] == []


def test_files_named_in_the_architecture_are_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = text[text.index("## Ten changes") :]
    named = re.findall(r"`((?:src|tests|docs|builders|benchmarks|pocket)/[\w./-]+)`", section)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_finding_of_the_threat_page_names_tests_that_are_there() -> None:
    text = (ROOT / "docs" / "threats.md").read_text("utf-8")
    findings = dict(re.findall(r"^\| (\d+) \|.*\| (.*) \|$", text, re.MULTILINE))
    assert list(findings) == [str(number) for number in range(1, 32)]
    mends = [row["test"] for row in rows(ROOT / "benchmarks" / "mends.tsv")]
    named = [test for kept in findings.values() for test in re.findall(r"`([\w/.]+::\w+)`", kept)]
    whole = [test if "/" in test else f"tests/faults/{test}" for test in named]
    assert set(mends) <= set(whole)
    for file, test in (one.split("::") for one in whole):
        assert f"def {test}(" in (ROOT / file).read_text("utf-8"), f"{file}::{test}"


def test_the_citation_and_the_changelog_are_of_this_version() -> None:
    assert f"\nversion: {evenhand.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert headings[1].startswith(f"[{evenhand.__version__}]")
    kinds = set(re.findall(r"^### (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_an_extra_that_the_code_asks_for_is_one_that_can_be_installed() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    asked = {
        (str(path.relative_to(ROOT)), extra)
        for path in (ROOT / "src").rglob("*.py")
        for extra in re.findall(r'\bextra="(\w+)"', path.read_text("utf-8"))
    }
    assert {extra for _, extra in asked} >= {"report", "quality", "pool", "embeddings"}
    assert [one for one in asked if one[1] not in extras] == []


def test_the_plug_ins_of_the_documents_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    for block in BLOCK.findall((ROOT / "docs" / "python.md").read_text("utf-8")):
        if "\nclass " in block or "\ndef " in block:
            exec(block, names)
    system, measure, suite = names["Shouting"](), names["NeutralAmongDecided"](), names["weather"]()
    assert isinstance(system, evenhand.System)
    assert isinstance(measure, evenhand.Measure)
    assert evenhand.translate(system, ["a"], source="en", target="de") == ["A"]
    monkeypatch.chdir(tmp_path)
    probes = "id\tsource\tsource_lang\tverb\na\tŐ fut.\thu\tfut\nb\tŐ ül.\thu\tül\n"
    (tmp_path / "weather.tsv").write_text(probes, encoding="utf-8")
    settings = evenhand.Settings(resamples=100)
    run = evenhand.audit(
        suite, lambda texts: ["She runs.", "They sit."], target="en", memory="m.sqlite", settings=settings
    )
    whole = measure.statistics(run.table, ("verb",))
    assert measure.value(whole, np.ones((1, len(whole.cells)))).tolist() == [0.5]
