"""A simulated system with a known factor beside our text, through the public verbs."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest

import evenhand
from evenhand.cli.main import run as command
from evenhand.errors import BadInput
from evenhand.pipeline.engines import LocalEngine

WORDS = {  # English: women, men
    "teacher": ("Lehrerin", "Lehrer"), "doctor": ("Ärztin", "Arzt"), "lawyer": ("Anwältin", "Anwalt"),
    "judge": ("Richterin", "Richter"), "baker": ("Bäckerin", "Bäcker"), "painter": ("Malerin", "Maler"),
    "singer": ("Sängerin", "Sänger"), "writer": ("Schriftstellerin", "Schriftsteller"),
    "scientist": ("Wissenschaftlerin", "Wissenschaftler"), "engineer": ("Ingenieurin", "Ingenieur"),
    "pilot": ("Pilotin", "Pilot"), "reporter": ("Reporterin", "Reporter"), "dancer": ("Tänzerin", "Tänzer"),
    "gardener": ("Gärtnerin", "Gärtner"), "waiter": ("Kellnerin", "Kellner"),
}  # fmt: skip
FACTOR, EACH = 2.0, 30


def shares() -> dict[str, float]:
    """From a tenth to nine tenths women."""
    return {word: 0.1 + 0.8 * n / (len(WORDS) - 1) for n, word in enumerate(WORDS)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text of 30 lines per word, and the run of a simulated system that doubles the text's log-odds."""
    here = tmp_path_factory.mktemp("beside")
    lines, probes, system = (
        [],
        ["id\tsource\tsource_lang\tfocus\toccupation"],
        ["occupation\tp_female\tp_male\tp_neutral\tfemale\tmale\tneutral"],
    )
    for word, (woman, man) in WORDS.items():
        share = shares()[word]
        women = round(EACH * share)
        for n in range(EACH):
            german = f"Die {woman}" if n < women else f"Der {man}"
            lines.append(f"The {word} came home at {n}.\t{german} kam um {n} nach Hause.")
            probes.append(f"{word}-{n}\tThe {word} has {n} friends in town.\ten\t{word}\t{word}")
        by_system = 1 / (1 + math.exp(-FACTOR * math.log(share / (1 - share))))
        rest = "hat viele Freunde in der Stadt."
        system.append(
            f"{word}\t{by_system:.6f}\t{1 - float(f'{by_system:.6f}'):.6f}\t0\t"
            f"Die {woman} {rest}\tDer {man} {rest}\tEs regnet."
        )
    (here / "text.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (here / "probes.tsv").write_text("\n".join(probes) + "\n", encoding="utf-8")
    (here / "system.tsv").write_text("\n".join(system) + "\n", encoding="utf-8")
    evenhand.corpus(here / "text.tsv", target="de", output=here / "text", engine=LocalEngine(1), block=10)
    evenhand.audit(
        str(here / "probes.tsv"),
        f"simulated:{here / 'system.tsv'}",
        target="de",
        output=here / "run",
        memory=here / "m.sqlite",
    )
    return here


def test_a_doubled_factor_is_found_and_told_from_one(folder: Path) -> None:
    beside = evenhand.amplification(folder / "text", folder / "run")
    row = beside.estimates.row(by_predicate=pl.col("measure") == "amplification", named=True)
    assert row["n"] == len(WORDS)
    assert row["low"] <= FACTOR <= row["high"]
    assert row["low"] > 1
    assert row["p"] < 0.05
    words = beside.tables["words"]
    text = {row["concept"]: row["share"] for row in words.iter_rows(named=True)}
    assert text == pytest.approx({word: round(EACH * share) / EACH for word, share in shares().items()})


def test_compare_prints_it_and_writes_a_page_with_careful_words(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command(["compare", str(folder / "text"), str(folder / "run"), "-o", str(tmp_path / "page.html")])
    printed = capsys.readouterr().out
    assert "Amplification, slope" in printed
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "does not prove a cause" in page
    assert "women in labour statistics" in page


def test_another_language_is_refused(folder: Path, tmp_path: Path) -> None:
    other = evenhand.load_run(folder / "run")
    from dataclasses import replace

    french = replace(other, manifest=replace(other.manifest, target_lang="fr"))
    with pytest.raises(BadInput, match="only the same languages"):
        evenhand.amplification(folder / "text", french)


def test_what_speaks_against_the_text_stands_beside_the_slope(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "text.tsv").read_text("utf-8").splitlines()
    unread = [f"The rain number {n} came.\tLa pluie numéro {n} est venue hier soir." for n in range(100)]
    (tmp_path / "text.tsv").write_text("\n".join([*lines, *unread]) + "\n", encoding="utf-8")
    evenhand.corpus(tmp_path / "text.tsv", target="de", output=tmp_path / "text", engine=LocalEngine(1), block=10)
    notes = evenhand.amplification(tmp_path / "text", folder / "run").manifest.notes
    assert any(note.startswith("of the text: 100 of 550 pairs (18 %) are no translations") for note in notes), notes
    assert len(evenhand.amplification(folder / "text", folder / "run").manifest.notes) == 1
