"""Every verb through its public name, on a small suite of our own and two translators made of a dictionary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import evenhand

SUITE = """id\tsource\toccupation\tgold
a1\tThe **nurse** finished her shift.\tnurse\tfemale
a2\tThe **nurse** finished his shift.\tnurse\tmale
b1\tThe **engineer** checked her plans.\tengineer\tfemale
b2\tThe **engineer** checked his plans.\tengineer\tmale
c1\tThe **teacher** read her book.\tteacher\tfemale
c2\tThe **teacher** read his book.\tteacher\tmale
"""
FORMS = {"nurse": ("La enfermera", "El enfermero"), "engineer": ("La ingeniera", "El ingeniero")}
FORMS["teacher"] = ("La maestra", "El maestro")
QUICK = evenhand.Settings(resamples=100)


def careful(texts: list[str]) -> list[str]:
    """Follows the pronoun."""
    return [f"{FORMS[text.split()[1]][' his ' in text]} terminó." for text in texts]


def masculine(texts: list[str]) -> list[str]:
    """Says men whatever the sentence says."""
    return [f"{FORMS[text.split()[1]][1]} terminó." for text in texts]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "mine.tsv"
    path.write_text(SUITE, encoding="utf-8")
    return path


@pytest.fixture
def runs(suite: Path, tmp_path: Path) -> tuple[evenhand.Run, evenhand.Run]:
    memory = tmp_path / "memory.sqlite"

    def audited(system: Callable[[list[str]], list[str]], name: str) -> evenhand.Run:
        return evenhand.audit(suite, system, target="es", output=tmp_path / name, memory=memory, settings=QUICK)

    return audited(careful, "careful"), audited(masculine, "masculine")


def value(run: evenhand.Run, measure: str, level: str = "") -> float:
    return float(run.estimates.filter(measure=measure, level=level)["value"][0])


def test_audit_saves_a_run_that_load_run_reads_and_a_run_is_given_back_as_it_is(
    runs: tuple[evenhand.Run, evenhand.Run],
) -> None:
    right, wrong = runs
    assert value(right, "accuracy") == 1.0
    assert value(wrong, "accuracy") == 0.5
    assert right.path is not None
    loaded = evenhand.load_run(right.path)
    assert loaded.signature == right.signature
    assert evenhand.load_run(loaded) is loaded


def test_score_estimates_again_from_a_folder_and_writes_only_where_it_is_told(
    runs: tuple[evenhand.Run, evenhand.Run], tmp_path: Path
) -> None:
    folder = runs[0].path
    assert folder is not None
    wider = evenhand.score(folder, level=0.99, measures=["VBias"], output=tmp_path / "wider")
    assert wider.path == tmp_path / "wider"
    assert value(wider, "accuracy") == 1.0
    assert value(wider, "VBias") == 0.0  # three women, three men
    assert wider.manifest.level == 0.99
    assert evenhand.load_run(folder).signature == runs[0].signature
    again = evenhand.score(runs[0])
    assert again.estimates.equals(runs[0].estimates)


def test_score_takes_calibrations_and_references_as_files_and_as_names(tmp_path: Path) -> None:
    whole = evenhand.load_suite("occupations-hungarian")
    part = whole.probes.head(60)
    hungarian = evenhand.audit(
        replace(whole, make=lambda: part),
        lambda texts: ["He is one."] * len(texts),
        target="en",
        memory=tmp_path / "memory.sqlite",
        settings=QUICK,
    )
    labels = pl.DataFrame({"gender": ["male", "female"] * 20, "label": ["male", "female"] * 20})
    evenhand.calibrate(labels, language="en", kind="pronouns").save(tmp_path / "rates.json")
    scored = evenhand.score(hungarian, references=["us-2020"], calibration=tmp_path / "rates.json")
    assert "us-2020" in scored.estimates["reference"].to_list()
    assert "corrected" in scored.estimates["variant"].to_list()


def test_compare_and_check_take_runs_and_folders(runs: tuple[evenhand.Run, evenhand.Run]) -> None:
    right, wrong = runs
    assert right.path is not None
    compared = evenhand.compare([right.path, wrong])
    row = compared.differences.filter(measure="accuracy")
    assert abs(row["value"][0]) == 0.5
    assert evenhand.check(right, wrong) == []
    with pytest.raises(evenhand.BadInput, match="at least two runs"):
        evenhand.compare([right])


def test_check_against_limits_says_what_is_broken(runs: tuple[evenhand.Run, evenhand.Run], tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text('[[limit]]\nmeasure = "accuracy"\nmin = 0.9\n', encoding="utf-8")
    assert evenhand.check(runs[0], limits) == []
    assert len(evenhand.check(runs[1], str(limits))) == 1


def test_plan_counts_what_an_audit_would_send_and_sends_nothing(suite: Path, tmp_path: Path) -> None:
    def forbidden(texts: list[str]) -> list[str]:
        raise AssertionError("a plan must not translate")

    planned = evenhand.plan(suite, forbidden, target="es", price=10.0, memory=tmp_path / "memory.sqlite")
    characters = sum(len(text) for text in evenhand.load_suite(suite).probes["source"])
    assert (planned.texts, planned.distinct, planned.memory_hits) == (6, 6, 0)
    assert planned.characters == characters
    assert planned.price == pytest.approx(characters * 10 / 1_000_000)


def test_detect_judges_a_table_and_a_file_alike(tmp_path: Path) -> None:
    pairs = pl.DataFrame(
        {
            "id": ["1", "2", "3"],
            "source": ["The nurse slept.", "The nurse slept.", "The teacher slept."],
            "rendering": ["La enfermera durmió.", "El enfermero durmió.", "La maestra durmió."],
            "focus": ["nurse", "nurse", "teacher"],
        }
    )
    pairs.write_csv(tmp_path / "pairs.tsv", separator="\t")
    verdicts = evenhand.detect(pairs, target="es")
    assert verdicts["gender"].to_list() == ["female", "male", "female"]
    assert evenhand.detect(tmp_path / "pairs.tsv", target="es").equals(verdicts)


def test_detect_judges_pronouns_where_the_source_has_one_word_for_both() -> None:
    pairs = pl.DataFrame(
        {"id": ["1", "2"], "source": ["Ő orvos."] * 2, "rendering": ["She is a doctor.", "He is one."]}
    )
    assert evenhand.detect(pairs, source="hu", target="en")["gender"].to_list() == ["female", "male"]


def test_detect_says_which_column_is_missing() -> None:
    with pytest.raises(evenhand.BadInput, match="no column 'rendering'"):
        evenhand.detect(pl.DataFrame({"id": ["1"], "source": ["The nurse slept."]}), target="es")
    with pytest.raises(evenhand.BadInput, match="unknown source language 'sq'"):
        evenhand.detect(pl.DataFrame({"id": ["1"], "source": ["A."], "rendering": ["B."]}), source="sq", target="es")


def test_translate_and_open_system_take_a_function() -> None:
    assert evenhand.translate(masculine, ["The nurse slept."], source="en", target="es") == ["El enfermero terminó."]
    assert isinstance(evenhand.open_system(masculine), evenhand.System)


def test_the_lists_name_what_the_loaders_load() -> None:
    assert "pronouns-basque" in {entry.name for entry in evenhand.list_suites()}
    assert "file" in {system.name for system in evenhand.list_systems()}
    assert len(evenhand.load_suite("pronouns-basque")) == 684


def test_calibrate_reads_a_labelled_sheet_as_a_file_and_as_a_table(tmp_path: Path) -> None:
    rows = [("female", "female")] * 30 + [("male", "male")] * 60 + [("male", "female")] * 10
    sheet = pl.DataFrame(rows, schema=["gender", "label"], orient="row").with_columns(
        target_lang=pl.lit("es"), kind=pl.lit("nouns")
    )
    sheet.write_csv(tmp_path / "sheet.tsv", separator="\t")
    rates = evenhand.calibrate(tmp_path / "sheet.tsv")
    assert isinstance(rates, evenhand.Calibration)
    table = {(r["true"], r["verdict"]): r["share"] for r in rates.table().iter_rows(named=True)}
    assert table["female", "male"] == pytest.approx(10 / 40)  # ten of the forty women were called men
    assert table["male", "male"] == 1.0
    assert evenhand.calibrate(sheet).fingerprint == rates.fingerprint


def test_report_writes_a_page_and_the_estimates_by_the_suffix(
    runs: tuple[evenhand.Run, evenhand.Run], tmp_path: Path
) -> None:
    pytest.importorskip("altair")
    page = evenhand.report(runs, tmp_path / "both.html", tables=tmp_path / "tables")
    assert "</html>" in page.read_text("utf-8")
    assert (tmp_path / "tables" / "model-card.md").is_file()
    assert runs[0].path is not None
    alone = evenhand.report(str(runs[0].path), tmp_path / "one.csv").read_text("utf-8")
    assert "accuracy" in alone


def test_vectors_are_loaded_moved_and_saved_by_public_names(tmp_path: Path) -> None:
    lists = evenhand.WordLists.shipped("es")
    rng = np.random.default_rng(0)
    forms = {form for pair in lists.definitions for form in pair} | set(lists.nouns)
    forms |= {form for pair in lists.occupations for form in (pair.masculine, pair.feminine)}
    words = sorted(form for form in forms if " " not in form)
    lines = [f"{word} " + " ".join(f"{x:.5f}" for x in rng.normal(size=20)) for word in words]
    (tmp_path / "es.vec").write_text(f"{len(words)} 20\n" + "\n".join(lines) + "\n", encoding="utf-8")
    space = evenhand.Space(evenhand.load_vectors(tmp_path / "es.vec"))
    moved = evenhand.mitigation("shift-ori").fit(space, lists).transform(space).gendered
    evenhand.save_vectors(moved, tmp_path / "fair.vec")
    again = evenhand.load_vectors(tmp_path / "fair.vec")
    assert again.words == space.gendered.words
    assert not np.allclose(again.matrix, space.gendered.matrix, atol=1e-3)
