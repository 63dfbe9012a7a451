"""The core alone: with every optional package hidden, Evenhand translates, detects, scores and gates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evenhand.embeddings.files import save_vectors
from evenhand.embeddings.vectors import Vectors
from evenhand.findings import Findings

HIDDEN = (
    "altair vl_convert jinja2 sacrebleu pymorphy3 german_nouns systran_align ctranslate2 sentencepiece transformers "
    "torch onnxruntime tokenizers zstandard ray starlette uvicorn boto3 google kiwipiepy tossi"
).split()
SCRIPT = f"""
import sys

class Hiding:
    # as if the packages were not installed: neither an import nor find_spec sees them
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in {HIDDEN!r} else self.finder.find_spec(name, path, target)

    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path[:] = [Hiding(finder) for finder in sys.meta_path]
from evenhand.cli.main import main
main()
"""
Bare = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "EVENHAND_MEMORY": str(tmp_path / "memory.sqlite"), "PYTHONUTF8": "1"}
        command = [sys.executable, "-c", SCRIPT, *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False, timeout=300
        )

    return run


def test_the_core_translates_detects_scores_compares_and_gates(bare: Bare, tmp_path: Path) -> None:
    rows = [("p1", "The **nurse** sings.", "female"), ("p2", "The **cook** sings.", "male")]
    (tmp_path / "mine.tsv").write_text("id\tsource\tgold\n" + "".join("\t".join(row) + "\n" for row in rows))
    (tmp_path / "upper.sh").write_text("sed -e 's/The nurse/La enfermera/' -e 's/The cook/El cocinero/'\n")
    done = bare("audit", "mine.tsv", "-s", "command:sh upper.sh", "-t", "es", "-o", "run", "--resamples", "100")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "no report: writing a report needs an optional package. Run: pip install 'evenhand[report]'\n"
    scored = json.loads(bare("score", "run", "--json").stdout)
    values = {e["measure"]: e["value"] for e in scored["estimates"] if not e["level"]}
    assert values["accuracy"] == 1.0
    (tmp_path / "limits.toml").write_text('[[limit]]\nmeasure = "accuracy"\nmin = 0.9\n')
    assert bare("check", "run", "--against", "limits.toml").returncode == 0
    assert bare("compare", "run", "run", "--json").returncode == 0
    (tmp_path / "pairs.tsv").write_text("id\tsource\trendering\tfocus\n1\tThe nurse.\tLa enfermera.\tnurse\n")
    assert bare("detect", "pairs.tsv", "-t", "es").stdout.splitlines()[1].split("\t")[:2] == ["1", "female"]


@pytest.mark.parametrize("language", ["de", "ru", "uk", "fr", "cs", "he"])
def test_every_language_works_without_its_dictionaries(bare: Bare, tmp_path: Path, language: str) -> None:
    (tmp_path / "pairs.tsv").write_text("id\tsource\trendering\tfocus\n1\tThe nurse.\tXyz.\tnurse\n")
    result = bare("detect", "pairs.tsv", "-t", language)
    assert (result.returncode, len(result.stdout.splitlines())) == (0, 2), result.stderr


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("report", "RUN"), "report"),
        (("serve", "RUN"), "serve"),
        (("score", "RUN", "--measure", "chrF"), "quality"),
        (("audit", "pronouns-basque", "-s", "ctranslate2:model", "-t", "en"), "ctranslate2"),
        (("audit", "pronouns-basque", "-s", "huggingface:model", "-t", "en"), "hf"),
        (("audit", "pronouns-basque", "-s", "amazon", "-t", "en"), "amazon"),
    ],
)
def test_a_missing_package_is_answered_by_the_command_that_installs_it(
    bare: Bare, tmp_path: Path, arguments: tuple[str, ...], extra: str
) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.bin").write_bytes(b"")
    fixture = str(Path(__file__).parents[1] / "fixtures" / "run-0.1.0")
    result = bare(*(fixture if argument == "RUN" else argument for argument in arguments))
    assert result.returncode == 2
    assert result.stderr.endswith(f"Run: pip install 'evenhand[{extra}]'\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", ["audit", "evaluate"])
def test_a_page_of_word_vectors_that_cannot_be_drawn_is_refused_before_any_work(
    bare: Bare, tmp_path: Path, verb: str
) -> None:
    """The vectors are not even looked for: what is missing is said first, in one line."""
    asked = ("-l", "es", "--vectors", "nowhere.vec", "--english", "nowhere.en.vec", "-o", "page.html")
    result = bare("embeddings", verb, *asked)
    assert result.returncode == 2
    assert result.stderr == (
        "evenhand: writing a page needs an optional package. Run: pip install 'evenhand[report]'\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_figure_of_word_scores_that_cannot_be_drawn_is_refused_before_any_work(bare: Bare) -> None:
    asked = ("--vectors", "nowhere.vec", "--reference", "nowhere.tsv", "--figure", "scores.svg")
    result = bare("embeddings", "score", "words.txt", *asked)
    assert result.returncode == 2
    assert result.stderr.endswith("Run: pip install 'evenhand[report]'\n")
    assert result.stderr.count("\n") == 1


def test_a_study_of_word_vectors_is_saved_without_its_page(
    bare: Bare, made_up_vectors: Vectors, tmp_path: Path
) -> None:
    save_vectors(made_up_vectors, tmp_path / "es.vec")
    asked = ("-l", "es", "--vectors", "es.vec", "--any-language", "--method", "shift-ori", "--permutations", "50")
    result = bare("embeddings", "audit", *asked, "-o", "study")
    assert result.returncode == 0, result.stderr
    assert (
        result.stderr == "no report: writing a report needs an optional package. Run: pip install 'evenhand[report]'\n"
    )
    measured = Findings.load(tmp_path / "study").estimates
    assert set(measured.filter(measure="MWEAT")["level"]) == {"original", "shift-ori"}
    assert not (tmp_path / "study" / "report.html").exists()
    compared = bare("compare", "study", "study")
    assert compared.returncode == 0, compared.stderr
    assert "no test of a difference would be sound" in compared.stdout
