"""Renderings that belong to other sentences: a file that is one line off, or shuffled, is told; good ones are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.results.runs import Run
from evenhand.workflows.audit import audit
from evenhand.workflows.settings import Settings

RENDERED = {
    "gardener": "Die Gärtnerin gießt die Rosen.",
    "baker": "Der Bäcker heizt den Ofen.",
    "lawyer": "Die Anwältin liest den Vertrag.",
    "teacher": "Der Lehrer wischt die Tafel.",
    "nurse": "Die Krankenschwester misst den Puls.",
    "farmer": "Der Bauer pflügt den Acker.",
    "librarian": "Die Bibliothekarin ordnet die Bücher.",
    "painter": "Der Maler mischt die Farben.",
    "singer": "Die Sängerin übt das Lied.",
    "driver": "Der Fahrer wäscht den Bus.",
    "engineer": "Die Ingenieurin zeichnet die Brücke.",
    "waiter": "Der Kellner deckt den Tisch.",
}


def run_of(folder: Path, shift: int) -> Run:
    """24 sentences about 12 persons, each with the rendering of the sentence `shift` lines below."""
    words = [*RENDERED, *RENDERED]
    suite, lines = folder / "own.tsv", folder / "lines.txt"
    probes = [f"{n}\tThe {word} works on day {n}.\t{word}" for n, word in enumerate(words)]
    suite.write_text("id\tsource\tfocus\n" + "\n".join(probes) + "\n", encoding="utf-8")
    texts = [RENDERED[word] for word in words]
    lines.write_text("\n".join([*texts[shift:], *texts[:shift]]) + "\n", encoding="utf-8")
    settings = Settings(resamples=100)
    return audit(suite, f"file:{lines}", target="de", memory=folder / "memory.sqlite", settings=settings)


@pytest.mark.parametrize("shift", [1, 5])
def test_a_file_of_lines_that_is_off_is_told(tmp_path: Path, shift: int) -> None:
    run = run_of(tmp_path, shift)
    (note,) = [note for note in run.manifest.notes if "are they renderings of these sentences" in note]
    assert note.startswith("only 0% of the ")


def test_a_file_in_its_order_is_not(tmp_path: Path) -> None:
    assert not [note for note in run_of(tmp_path, 0).manifest.notes if "these sentences" in note]
