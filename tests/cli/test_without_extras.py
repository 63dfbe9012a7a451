"""The core alone: with every optional package hidden, Evenhand translates, detects, scores and gates."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen

import pytest

from evenhand.embeddings.files import save_vectors
from evenhand.embeddings.vectors import Vectors
from evenhand.results.findings import Findings

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
import json
import shutil
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from command_line import evenhand
for line in sys.stdin:
    folder, *arguments = json.loads(line)
    memory = {{"EVENHAND_MEMORY": folder + "/memory.sqlite"}}
    done = evenhand(*arguments, folder=Path(folder), environment=memory)
    print(json.dumps([done.returncode, done.stdout, done.stderr]), flush=True)
"""
Bare = Callable[..., CompletedProcess[str]]


@pytest.fixture(scope="module")
def without_extras() -> Iterator[Popen[str]]:
    """One process for all commands: it is the packages that are not there which matter."""
    with Popen([sys.executable, "-c", SCRIPT], stdin=PIPE, stdout=PIPE, text=True, encoding="utf-8") as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def bare(without_extras: Popen[str], tmp_path: Path) -> Bare:
    def run(*arguments: str) -> CompletedProcess[str]:
        assert without_extras.stdin is not None
        assert without_extras.stdout is not None
        print(json.dumps([str(tmp_path), *arguments]), file=without_extras.stdin, flush=True)
        return CompletedProcess(list(arguments), *json.loads(without_extras.stdout.readline()))

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
    shutil.copytree(tmp_path / "run", tmp_path / "again")
    assert bare("compare", "run", "again", "--json").returncode == 0
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
