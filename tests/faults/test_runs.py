"""Run folders that strangers sent, that others write at the same time, and that stand behind links."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.faults.hostile_suites import SETTINGS, answer, suite_of

import evenhand
from evenhand.errors import BadInput, EvenhandError
from evenhand.results.findings import load_result
from evenhand.results.runs import TABLES, Run
from evenhand.storage.atomic import write_text
from evenhand.storage.folders import check_place
from evenhand.systems import Memory

FIXTURE = Path(__file__).parents[1] / "fixtures" / "run-0.1.0"

# where in a manifest, and what a stranger might write there
CRAFTED: list[tuple[str, object]] = [
    ("target_lang", "../../x"),
    ("target_lang", "de\nevil"),
    ("target_lang", ""),
    ("target_lang", 7),
    ("suite.source_lang", "/etc/passwd"),
    ("suite.kind", "../nouns"),
    ("suite.groupings", [{"name": ["a"], "column": None}]),
    ("suite.groupings", [{"name": "a", "levels": {"x": "y"}}]),
    ("suite.groupings", ["a"]),
    ("suite.clusters", [1]),
    ("suite.name", {"a": 1}),
    ("system", ["a"]),
    ("seed", "0"),
    ("resamples", 1e9),
    ("level", 2),
    ("level", "0.95"),
    ("notes", [["nested"]]),
    ("measures", "share_female"),
    ("created", None),
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run that the first version made, for a test of its own."""
    return Path(shutil.copytree(FIXTURE, tmp_path / "run"))


@pytest.mark.parametrize(("place", "value"), CRAFTED, ids=lambda part: str(part)[:30])
def test_a_manifest_with_a_value_of_the_wrong_kind_is_refused(run: Path, place: str, value: object) -> None:
    path = run / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    inside = manifest["suite"] if "." in place else manifest
    inside[place.rpartition(".")[2]] = value
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(BadInput, match=r"manifest\.json") as refused:
        Run.load(run)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    "content", ["[" * 100_000, "{}", "[]", "1" * 10_000, '{"kind": "mining"}', "\x00", '{"a": NaN}']
)
def test_a_manifest_that_is_none_is_one_sentence(run: Path, content: str) -> None:
    (run / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(EvenhandError) as refused:
        load_result(run)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    "name", ["manifest.json", *(f"{table}.parquet" for table in TABLES), "labels.tsv", "forms.tsv"]
)
def test_a_link_in_a_run_folder_is_not_followed(run: Path, tmp_path: Path, name: str) -> None:
    from evenhand.detect.own_forms import forms_of
    from evenhand.review.labels import LabelKey, add_labels, load_labels

    outside = tmp_path / "outside"
    if (run / name).exists():
        shutil.move(run / name, outside)
    else:
        outside.write_text("precious", encoding="utf-8")
    before = outside.read_bytes()
    (run / name).symlink_to(outside)
    tried: dict[str, list[Callable[[], object]]] = {
        "labels.tsv": [
            lambda: add_labels(run, [(LabelKey("p00", "en"), "f")], labeller="eve"),
            lambda: load_labels(run),
        ],
        "forms.tsv": [lambda: forms_of(run)],
    }
    for reads in tried.get(name, [lambda: Run.load(run)]):
        with pytest.raises(BadInput, match="not a plain file"):
            reads()
    assert outside.read_bytes() == before


def test_a_pipe_in_a_run_folder_does_not_stop_the_reader(run: Path) -> None:
    (run / "probes.parquet").unlink()
    os.mkfifo(run / "probes.parquet")
    with pytest.raises(BadInput, match="not a plain file"):
        Run.load(run)


def test_what_a_stranger_linked_beside_the_tables_is_not_copied_into_the_folder(run: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    (run / "notes.txt").symlink_to(secret)
    Run.load(run).save(run)
    assert (run / "notes.txt").is_symlink()


def test_a_run_is_never_loaded_from_two_saves_at_once(tmp_path: Path) -> None:
    whole = Run.load(FIXTURE)
    other = replace(
        whole, manifest=replace(whole.manifest, seed=1), estimates=whole.estimates.with_columns(value=pl.lit(0.25))
    )
    folder = tmp_path / "run"
    whole.save(folder)
    writing = threading.Event()
    problems: list[str] = []

    def write() -> None:
        for turn in range(40):
            (other if turn % 2 else whole).save(folder)
        writing.set()

    writer = threading.Thread(target=write)
    writer.start()
    loads = 0
    while not writing.is_set() or not loads:
        loads += 1
        try:
            read = Run.load(folder)
        except EvenhandError as error:
            problems.append(str(error))
            continue
        expected = other if read.manifest.seed else whole
        if not read.estimates.equals(expected.estimates):
            problems.append("the manifest of one save and the tables of another")
    writer.join()
    assert not problems


def test_two_audits_into_one_folder_do_not_run_at_once(tmp_path: Path) -> None:
    suite, folder = suite_of(tmp_path / "probes.tsv"), tmp_path / "run"
    refused: list[str] = []

    def second_audit_starts(texts: list[str]) -> list[str]:
        with pytest.raises(BadInput) as error:
            evenhand.audit(suite, answer, target="en", output=folder, memory=tmp_path / "m2", settings=SETTINGS)
        refused.append(str(error.value))
        return answer(texts)

    evenhand.audit(suite, second_audit_starts, target="en", output=folder, memory=tmp_path / "m1", settings=SETTINGS)
    assert refused
    assert "another process is writing it" in refused[0]
    again = replace(SETTINGS, replace=True)
    evenhand.audit(suite, answer, target="en", output=folder, memory=tmp_path / "m3", settings=again)


def test_an_output_folder_behind_a_link_is_written_and_the_link_stays(tmp_path: Path) -> None:
    suite = suite_of(tmp_path / "probes.tsv")
    link, real = tmp_path / "link", tmp_path / "elsewhere" / "real"
    link.symlink_to(real)
    for _ in range(2):
        evenhand.audit(suite, answer, target="en", output=link, memory=tmp_path / "m", settings=SETTINGS)
        assert link.is_symlink()
        assert (real / "manifest.json").is_file()
    assert Run.load(link).renderings.height == 40


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_files_and_folders_have_the_rights_that_the_users_umask_leaves(tmp_path: Path, mask: int) -> None:
    script = f"""
import os, pathlib
os.umask({mask})
from evenhand import Run
from evenhand.storage.atomic import write_text
Run.load({str(FIXTURE)!r}).save({str(tmp_path / "run")!r})
write_text(pathlib.Path({str(tmp_path / "a.txt")!r}), "a")
"""
    subprocess.run([sys.executable, "-c", script], check=True)

    def rights(path: Path) -> int:
        return stat.S_IMODE(path.stat().st_mode)

    assert rights(tmp_path / "run") == 0o700 & ~mask, "it holds texts"
    assert rights(tmp_path / "run" / "manifest.json") == rights(tmp_path / "a.txt") == 0o666 & ~mask


def test_rights_that_a_user_gave_a_result_stay_and_a_memory_is_its_owners_alone(tmp_path: Path) -> None:
    folder = Run.load(FIXTURE).save(tmp_path / "run").path
    assert folder is not None
    folder.chmod(0o755)
    Run.load(folder).save(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    with Memory(tmp_path / "memory.sqlite"):
        kept = [path for path in tmp_path.iterdir() if path.name.startswith("memory.sqlite")]
        assert kept
        assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in kept)


def test_a_reader_does_not_take_back_a_folder_that_is_just_being_replaced(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = Run.load(run)
    rename: Callable[[Path, Path], Path] = Path.rename
    read: list[str] = []

    def slowly(path: Path, target: Path) -> Path:
        moved = rename(path, target)
        if str(target).endswith(".old"):  # the moment in which there is no folder: a reader comes
            reader = threading.Thread(target=lambda: read.append(Run.load(run).signature))
            reader.start()
            reader.join(0.2)
        return moved

    monkeypatch.setattr(Path, "rename", slowly)
    loaded.save(run)
    monkeypatch.undo()
    for _ in range(100):
        if read:
            break
        threading.Event().wait(0.05)
    assert read == [loaded.signature]


def test_a_folder_name_of_the_longest_kind_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / ("n" * 240)
    check_place(folder)
    Run.load(FIXTURE).save(folder)
    write_text(tmp_path / ("t" * 240), "text")
    assert Run.load(folder).path == folder
