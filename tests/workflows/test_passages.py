"""Passages: how they are sent, and accuracy by the distance between noun and pronoun."""

from __future__ import annotations

import tarfile
from pathlib import Path

import polars as pl
import pytest
from tests.systems.servers.base import KEY, item
from tests.systems.servers.formats import DeepLServer

from evenhand.errors import BadInput, Unknown
from evenhand.suites.registry import load_suite
from evenhand.systems.protocol import Answer, Batch, Request
from evenhand.workflows.audit import audit, plan
from evenhand.workflows.settings import Settings

PASSAGE = "The cook met the teacher. It made sense. She was early."


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "own.tsv"
    path.write_text(f"id\tsource\tfocus\tgold\tcontext\n1\t{PASSAGE}\tcook\tfemale\tA story.\n", "utf-8")
    return path


class Listening:
    """Remembers what it was asked; answers in Spanish with the article it was told to use."""

    name, fingerprint, batch = "listening", "listening-1", Batch()

    def __init__(self) -> None:
        self.heard: list[tuple[str, str | None]] = []

    async def translate(self, requests: list[Request]) -> list[Answer]:
        self.heard += [(request.text, request.context) for request in requests]
        answers = {"The cook met the teacher.": "La cocinera vio a la profesora.", "It made sense.": "Era lógico."}
        return [Answer(answers.get(r.text, "Llegó pronto.")) for r in requests]


@pytest.mark.parametrize(
    ("way", "heard"),
    [
        ("whole", [(PASSAGE, "A story.")]),
        ("sentences", [("The cook met the teacher.", None), ("It made sense.", None), ("She was early.", None)]),
        (
            "before",
            [
                ("The cook met the teacher.", "A story."),
                ("It made sense.", "A story. The cook met the teacher."),
                ("She was early.", "A story. The cook met the teacher. It made sense."),
            ],
        ),
    ],
)
def test_a_passage_goes_out_as_the_user_says(
    suite: Path, tmp_path: Path, way: str, heard: list[tuple[str, str | None]]
) -> None:
    system = Listening()
    planned = plan(suite, system, target="es", context=way, memory=tmp_path / "memory")
    assert (planned.texts, system.heard) == (len(heard), [])
    run = audit(suite, system, target="es", settings=Settings(context=way), memory=tmp_path / "memory")
    assert plan(suite, system, target="es", context=way, memory=tmp_path / "memory").sent == 0
    assert sorted(system.heard, key=str) == sorted(heard, key=str)
    assert (f"[context={way}]" in run.manifest.suite.version) is (way != "whole")
    if way != "whole":
        assert run.renderings["rendering"].to_list() == ["La cocinera vio a la profesora. Era lógico. Llegó pronto."]
        assert run.verdicts["gender"].to_list() == ["female"]


def test_deepl_carries_the_sentences_before_as_its_context(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPL_AUTH_KEY", KEY)
    with DeepLServer() as service:
        audit(
            suite,
            f"deepl:{service.url}",
            target="es",
            settings=Settings(context="before"),
            memory=tmp_path / "memory",
        )
        contexts = {str(item(body, "context")) for body in service.bodies}
    assert "A story. The cook met the teacher. It made sense." in contexts


def test_a_system_that_answers_by_probe_or_reads_no_context_is_refused(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "made.tsv").write_text("id\trendering\n1\tLa cocinera.\n", "utf-8")
    with pytest.raises(BadInput, match="answers whole probes"):
        audit(suite, f"file:{tmp_path / 'made.tsv'}", target="es", settings=Settings(context="sentences"))
    with pytest.raises(BadInput, match="reads no context"):
        audit(suite, lambda texts: texts, target="es", settings=Settings(context="before"))
    with pytest.raises(Unknown, match="way to send a passage"):
        audit(suite, Listening(), target="es", settings=Settings(context="backwards"))


def test_the_distance_is_counted_in_ends_of_sentences(shared_data: Path) -> None:
    probes = load_suite(f"winomt-distance:{shared_data / 'winomt-2025' / 'sources'}").probes
    assert dict(probes.group_by("distance").len().iter_rows()) == {"0": 500, "1": 500, "2": 500}


def test_stored_outputs_show_a_system_that_does_not_look_back(shared_data: Path, tmp_path: Path) -> None:
    """Amazon's outputs: right where noun and pronoun share a sentence, a coin's toss beyond it."""
    lines: list[str] = []
    with tarfile.open(shared_data / "winomt-2025" / "translations.tar.xz", "r:xz") as stored:
        for number in (1, 2, 3):
            member = next(m for m in stored.getmembers() if m.name.endswith(f"aws/inter{number}.en-pt.txt"))
            content = stored.extractfile(member)
            assert content is not None
            lines += content.read().decode().rstrip("\n").split("\n")
    (tmp_path / "aws.txt").write_text("\n".join(lines) + "\n", "utf-8")
    run = audit(
        f"winomt-distance:{shared_data / 'winomt-2025' / 'sources'}", f"file:{tmp_path / 'aws.txt'}", target="pt"
    )
    accuracy = run.estimates.filter((pl.col("measure") == "accuracy") & (pl.col("group") == "distance"))
    found = {row["level"]: row for row in accuracy.iter_rows(named=True)}
    assert found["0"]["low"] > 0.8
    assert found["1"]["high"] < 0.6
    assert found["2"]["high"] < 0.6
