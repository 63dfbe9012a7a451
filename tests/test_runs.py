"""Run folders: whole or not at all, the same bytes for the same signature, readable for good."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import evenhand
from evenhand.cli.output import write_page_inside
from evenhand.errors import BadInput, Caution
from evenhand.notes import Note, NoteKind
from evenhand.results.runs import TABLES, Run
from evenhand.workflows.score import score
from evenhand.workflows.settings import Settings

FIXTURE = Path(__file__).parent / "fixtures" / "run-0.1.0"


def answer(texts: list[str]) -> list[str]:
    """A translator with a rule a reader can check: every third sentence is about a woman."""
    return [f"{'She' if n % 3 == 0 else 'He'} is number {n}." for n, _ in enumerate(texts)]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "probes.tsv"
    rows = [f"p{n:02d}\tŐ a {n}. orvos.\thu\tconcept{n // 2}" for n in range(40)]
    path.write_text("id\tsource\tsource_lang\tconcept\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def audited(suite: Path, output: Path, memory: Path) -> Run:
    return evenhand.audit(suite, answer, target="en", output=output, memory=memory)


def test_a_run_made_by_the_first_version_loads_in_this_one() -> None:
    run = Run.load(FIXTURE)
    assert run.manifest.suite.name == "probes"
    assert run.verdicts.height == run.renderings.height == run.probes.height == 40
    assert run.estimates.filter(measure="share_female", level="")["value"][0] == pytest.approx(14 / 40)


def test_a_run_of_the_first_version_scores_to_the_values_it_was_stored_with() -> None:
    stored = Run.load(FIXTURE)
    again = score(stored)
    key = ["measure", "group", "level", "variant", "reference"]
    kept = [*key, "value", "n", "n_decided"]  # intervals and tests of 0.1.0 did not hold and are made by other methods
    assert_frame_equal(
        again.estimates.select(kept).sort(key, nulls_last=True),
        stored.estimates.select(kept).sort(key, nulls_last=True),
        rel_tol=1e-12,
        abs_tol=1e-12,
    )
    assert "level" not in json.loads((FIXTURE / "manifest.json").read_text())
    assert "|level:0.95|" in again.signature


def test_a_run_is_judged_anew_by_the_rule_it_was_judged_by(suite: Path, tmp_path: Path) -> None:
    def either(texts: list[str]) -> list[str]:
        return ["He or she is here." for _ in texts]  # male to the published rule, both to ours

    settings = Settings(rule="cho2019", resamples=100)
    place = tmp_path / "a"
    run = evenhand.audit(suite, either, target="en", output=place, memory=tmp_path / "m.sqlite", settings=settings)
    ours = evenhand.audit(suite, either, target="en", memory=tmp_path / "m.sqlite", settings=Settings(resamples=100))
    assert "|rule:cho2019|" in run.signature
    assert run.estimates["value"].to_list() != ours.estimates["value"].to_list()
    assert score(Run.load(place), detect=True).estimates.equals(run.estimates)
    manifest = place / "manifest.json"
    content = json.loads(manifest.read_text())
    del content["rule"]  # as 0.1.0 wrote it
    manifest.write_text(json.dumps(content))
    assert score(Run.load(place), detect=True).estimates.equals(run.estimates)


def test_the_tables_of_a_run_are_joined_once_and_alternatives_left_out_once(suite: Path, tmp_path: Path) -> None:
    run = audited(suite, tmp_path / "a", tmp_path / "m.sqlite")
    assert run.table is run.table
    more = run.renderings.with_columns(candidate=pl.lit(1, dtype=pl.UInt16))
    wider = replace(run, renderings=pl.concat([run.renderings, more]))
    assert (wider.table.height, wider.answers.height) == (80, 40)


def test_the_page_of_a_run_in_memory_is_written_without_reading_its_folder(suite: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    run = audited(suite, tmp_path / "a", tmp_path / "m.sqlite")
    for name in TABLES:
        (tmp_path / "a" / f"{name}.parquet").unlink()
    page = write_page_inside(run)
    assert page is not None
    assert run.signature.partition("|")[0] in page.read_text(encoding="utf-8")


def test_equal_signatures_mean_equal_bytes(suite: Path, tmp_path: Path) -> None:
    first = audited(suite, tmp_path / "a", tmp_path / "m1.sqlite")
    second = audited(suite, tmp_path / "b", tmp_path / "m2.sqlite")
    assert first.signature == second.signature
    for name in TABLES:
        assert (tmp_path / "a" / f"{name}.parquet").read_bytes() == (tmp_path / "b" / f"{name}.parquet").read_bytes()


def test_a_run_comes_back_as_it_was_saved(suite: Path, tmp_path: Path) -> None:
    run = audited(suite, tmp_path / "a", tmp_path / "m.sqlite")
    loaded = Run.load(tmp_path / "a")
    assert loaded.manifest == run.manifest
    for name in TABLES:
        assert getattr(loaded, name).equals(getattr(run, name))


def test_saving_again_keeps_what_people_put_beside_the_tables(suite: Path, tmp_path: Path) -> None:
    run = audited(suite, tmp_path / "a", tmp_path / "m.sqlite")
    (tmp_path / "a" / "notes.txt").write_text("checked by hand")
    run.save(tmp_path / "a")
    assert (tmp_path / "a" / "notes.txt").read_text() == "checked by hand"
    assert {p.name for p in tmp_path.iterdir() if p.name.startswith(".")} == {".a.lock", ".a.audit.lock"}


def test_a_folder_that_is_no_run_is_left_alone(suite: Path, tmp_path: Path) -> None:
    taken = tmp_path / "thesis"
    taken.mkdir()
    (taken / "chapter1.tex").write_text("important")
    with pytest.raises(BadInput, match="not a run"):
        audited(suite, taken, tmp_path / "m.sqlite")
    assert [p.name for p in taken.iterdir()] == ["chapter1.tex"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write everywhere")
def test_a_read_only_folder_is_an_error_that_says_so(suite: Path, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    with pytest.raises(BadInput, match="cannot be written"):
        audited(suite, locked / "run", tmp_path / "m.sqlite")


def test_a_file_in_the_way_is_an_error_that_says_so(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        audited(suite, tmp_path / "file" / "run", tmp_path / "m.sqlite")


def test_a_folder_without_a_manifest_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a run folder"):
        Run.load(tmp_path)


def test_a_broken_manifest_or_table_is_named(tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "run")
    (tmp_path / "run" / "verdicts.parquet").write_bytes(b"not parquet")
    with pytest.raises(BadInput, match=r"verdicts\.parquet"):
        Run.load(tmp_path / "run")
    (tmp_path / "run" / "manifest.json").write_text("{}")
    with pytest.raises(BadInput, match=r"manifest\.json"):
        Run.load(tmp_path / "run")


def test_a_manifest_of_a_later_version_with_more_fields_still_loads(tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "run")
    manifest = tmp_path / "run" / "manifest.json"
    data = json.loads(manifest.read_text())
    data["something_new"] = {"a": 1}
    data["suite"]["something_else"] = True
    manifest.write_text(json.dumps(data))
    assert Run.load(tmp_path / "run").manifest.suite.name == "probes"


def test_dates_are_in_the_manifest_only(suite: Path, tmp_path: Path) -> None:
    run = audited(suite, tmp_path / "a", tmp_path / "m.sqlite")
    assert run.manifest.created
    assert not any(dtype.is_temporal() for name in TABLES for dtype in getattr(run, name).dtypes)


def test_empty_renderings_are_counted_not_dropped(suite: Path, tmp_path: Path) -> None:
    run = evenhand.audit(suite, lambda texts: [""] * len(texts), target="en", memory=tmp_path / "m.sqlite")
    assert run.renderings.height == 40
    assert run.verdicts["gender"].cast(pl.String).unique().to_list() == ["unknown"]
    assert run.verdicts["reason"].unique().to_list() == ["empty"]


def test_empty_renderings_are_told_with_the_results(suite: Path, tmp_path: Path) -> None:
    def answer(texts: list[str]) -> list[str]:
        return [" ", *(f"She is here today, {n}." for n, _ in enumerate(texts[1:]))]

    (note,) = evenhand.audit(suite, answer, target="en", memory=tmp_path / "m.sqlite").manifest.notes
    assert note.startswith("1 of 40 answers (empty: 1) ")
    assert "unknown" in note


def test_a_run_shows_itself_in_a_notebook(suite: Path, tmp_path: Path) -> None:
    page = audited(suite, tmp_path / "a", tmp_path / "m.sqlite")._repr_html_()
    assert "<td>share_female</td>" in page
    assert "<td>40 of 40</td>" in page
    assert "suite:probes@1.0" in page


def test_a_note_on_every_row_is_shown_once_in_a_notebook(suite: Path, tmp_path: Path) -> None:
    run = evenhand.audit(
        suite, lambda texts: ["He is a nurse." for _ in texts], target="en", memory=tmp_path / "m.sqlite"
    )
    assert run._repr_html_().count("this system does not choose") == 1
    assert repr(run).startswith("<Run of probes 1.0 through python:")


def test_hostile_names_and_notes_are_escaped_in_a_notebook(suite: Path, tmp_path: Path) -> None:
    run = audited(suite, tmp_path / "a", tmp_path / "m.sqlite")
    hostile = "<script>alert(1)</script>"
    manifest = replace(run.manifest, system=hostile, notes=(Note(hostile),))
    estimates = run.estimates.with_columns(note=pl.lit(hostile), reference=pl.lit(hostile))
    page = replace(run, manifest=manifest, estimates=estimates)._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_an_output_folder_that_cannot_be_written_is_refused_before_anything_is_asked(
    suite: Path, tmp_path: Path
) -> None:
    asked: list[str] = []

    def translate(texts: list[str]) -> list[str]:
        asked.extend(texts)
        return texts

    (tmp_path / "file").write_text("")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").write_text("important")
    for place in (tmp_path / "file" / "run", tmp_path / "thesis"):
        with pytest.raises(BadInput, match="cannot be written"):
            evenhand.audit(suite, translate, target="en", output=place, memory=tmp_path / "m.sqlite")
    assert asked == []


def test_a_run_of_another_suite_version_is_not_overwritten_unless_asked_to(suite: Path, tmp_path: Path) -> None:
    place, memory = tmp_path / "a", tmp_path / "m.sqlite"
    before = audited(suite, place, memory)
    lines = suite.read_text(encoding="utf-8").splitlines(keepends=True)
    suite.write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(BadInput, match=f"holds a run of probes 1.0 \\(#{before.manifest.suite.hash}\\)"):
        audited(suite, place, memory)
    assert Run.load(place).signature == before.signature
    settings = Settings(resamples=100, replace=True)
    evenhand.audit(suite, answer, target="en", output=place, memory=memory, settings=settings)
    assert Run.load(place).probes.height == 39


def test_a_process_killed_while_a_run_is_replaced_loses_nothing(suite: Path, tmp_path: Path) -> None:
    place = tmp_path / "a"
    before = audited(suite, place, tmp_path / "m.sqlite")
    script = f"""
import os, pathlib, signal
from evenhand import Run
run = Run.load({str(place)!r})
rename = pathlib.Path.rename

def die_half_way(path, target):
    result = rename(path, target)
    if str(target).endswith(".old"):
        os.kill(os.getpid(), signal.SIGKILL)
    return result

pathlib.Path.rename = die_half_way
run.save({str(place)!r})
"""
    died = subprocess.run([sys.executable, "-c", script], check=False)
    assert died.returncode == -signal.SIGKILL
    assert not place.exists()
    assert Run.load(place).signature == before.signature


def test_tables_changed_by_hand_are_told_in_notes_pages_and_on_the_command_line(suite: Path, tmp_path: Path) -> None:
    audited(suite, tmp_path / "a", tmp_path / "m.sqlite").save(tmp_path / "b")
    assert evenhand.load_run(tmp_path / "b").manifest.notes == ()
    table = pl.read_parquet(tmp_path / "b" / "renderings.parquet")
    table.with_columns(rendering=pl.format("She is here, {}.", "id")).write_parquet(
        tmp_path / "b" / "renderings.parquet"
    )
    with pytest.warns(Caution, match=r"b: renderings.parquet changed after the run was written.*--detect"):
        run = evenhand.load_run(tmp_path / "b")
    (note,) = run.manifest.notes
    assert note.endswith("the signature is not that of these numbers")
    assert note in evenhand.report([run], tmp_path / "page.html").read_text(encoding="utf-8")
    assert evenhand.score(run, detect=True).manifest.notes == (note,)
    run.save(tmp_path / "c")
    assert evenhand.load_run(tmp_path / "c").manifest.notes == (note,)


def test_a_manifest_of_an_earlier_version_has_no_digests_and_no_note(suite: Path, tmp_path: Path) -> None:
    audited(suite, tmp_path / "a", tmp_path / "m.sqlite")
    path = tmp_path / "a" / "manifest.json"
    manifest = json.loads(path.read_text())
    assert set(manifest.pop("files")) == {f"{name}.parquet" for name in TABLES}
    path.write_text(json.dumps(manifest))
    (tmp_path / "a" / "estimates.parquet").write_bytes((tmp_path / "a" / "estimates.parquet").read_bytes())
    assert evenhand.load_run(tmp_path / "a").manifest.notes == ()


def test_a_function_of_the_script_itself_is_shown_without_its_underscores(suite: Path, tmp_path: Path) -> None:
    run = audited(suite, tmp_path / "run", tmp_path / "m.sqlite")
    told = replace(run.manifest, system="python:__main__:translate")
    assert told.system_label == "python:translate"
    assert "python:__main__:translate#" in told.signature


def test_notes_have_a_kind_and_a_number_on_disk_and_sentences_of_old_runs_get_theirs(tmp_path: Path) -> None:
    suite = evenhand.load_suite("pronouns-basque")

    def answer(texts: list[str]) -> list[str]:
        return ["She is here."] * (len(texts) - 1) + [""]

    evenhand.audit(suite, answer, target="en", memory=tmp_path / "m.sqlite", output=tmp_path / "run")
    path = tmp_path / "run" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    stored = {note["kind"]: note["count"] for note in manifest["notes"]}
    assert stored["invalid"] >= 1
    sentences = [note["text"] for note in manifest["notes"]]
    path.write_text(json.dumps({**manifest, "notes": sentences}), encoding="utf-8")  # as 0.1.0 wrote them
    loaded = evenhand.load_run(tmp_path / "run").manifest.notes
    assert list(loaded) == sentences
    assert {note.kind for note in loaded} >= {NoteKind.INVALID}
    again = evenhand.score(tmp_path / "run").manifest.notes
    assert sorted(again) == sorted(sentences), "a note that the verdicts make is made anew, not added"
