"""Labels of people: they belong to what was read, and outlive a full disk, a crash and other writers."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.faults.hostile_suites import SETTINGS, suite_of
from tests.report.pages import HOME, ORIGIN

import evenhand
from evenhand.errors import BadInput
from evenhand.results.runs import Run
from evenhand.review import labels as reviews
from evenhand.review.labels import FILE, LabelKey
from evenhand.review.sheets import keep_forms
from evenhand.storage.tables import PERSON
from evenhand.tsv import rows
from evenhand.workflows.score import score

REPLACE = replace(SETTINGS, replace=True)
Answer = Callable[[list[str]], list[str]]


def rains(texts: list[str]) -> list[str]:
    """Nothing about anybody: every verdict is undecided."""
    return [f"It rains on day {n}." for n, _ in enumerate(texts)]


def snows(texts: list[str]) -> list[str]:
    """The same, in other words for every second sentence."""
    return [f"It {'snows' if n % 2 else 'rains'} on day {n}." for n, _ in enumerate(texts)]


@pytest.fixture
def audited(tmp_path: Path) -> Callable[[Answer], Path]:
    suite, folder = suite_of(tmp_path / "probes.tsv"), tmp_path / "run"

    def make(system: Answer) -> Path:
        evenhand.audit(suite, system, target="en", output=folder, memory=tmp_path / "m.sqlite", settings=REPLACE)
        return folder

    return make


def keys_of(folder: Path) -> list[LabelKey]:
    return [LabelKey(*row) for row in Run.load(folder).renderings.select(reviews.KEYS).iter_rows()]


def by_person(run: Run) -> list[str]:
    return run.verdicts.filter(pl.col("how") == PERSON)["id"].to_list()


def test_labels_do_not_move_to_other_renderings_when_a_run_is_made_again(audited: Callable[[Answer], Path]) -> None:
    folder = audited(rains)
    reviews.add_labels(folder, [(key, "female") for key in keys_of(folder)], labeller="ann")
    assert len(by_person(reviews.apply_labels(folder))) == 40
    audited(snows)
    changed = reviews.apply_labels(folder)
    assert by_person(changed) == [f"p{n:02d}" for n in range(0, 40, 2)]  # the sentences that are the same ones
    assert reviews.read_labels(folder).elsewhere == 20
    assert "labels in labels.tsv on other renderings than this run has: 20" in reviews.read_labels(folder).warning
    audited(rains)
    assert len(by_person(reviews.apply_labels(folder))) == 40  # nothing was erased


def test_a_label_is_about_the_text_the_person_saw_even_if_the_run_changed_meanwhile(
    audited: Callable[[Answer], Path],
) -> None:
    folder = audited(rains)
    key = keys_of(folder)[1]
    seen = Run.load(folder).renderings["rendering"][1]
    audited(snows)
    reviews.add_labels(folder, [(key, "female")], labeller="ann", texts={key: seen})
    assert by_person(reviews.apply_labels(folder)) == []


def test_labels_of_a_version_that_kept_no_text_count_for_the_run_they_were_given_to(
    audited: Callable[[Answer], Path],
) -> None:
    folder = audited(rains)
    created = Run.load(folder).manifest.created
    before, after = "2020-01-01T00:00:00.000000+00:00", created.replace("20", "29", 1)
    lines = ["id\ttarget_lang\tsample\tcandidate\tgender\tlabeller\tat\tundone"]
    lines += [f"p00\ten\t0\t0\tfemale\tann\t{before}\t0", f"p01\ten\t0\t0\tmale\tann\t{after}\t0", ""]
    (folder / FILE).write_text("\n".join(lines), encoding="utf-8")
    assert by_person(reviews.apply_labels(folder)) == ["p01"]


def test_every_whole_line_survives_a_file_that_was_cut_anywhere(tmp_path: Path) -> None:
    keys = [LabelKey(f"p{n}", "en") for n in range(5)]
    for key in keys:
        reviews.add_labels(tmp_path, [(key, "female")], labeller="ann")
    whole = (tmp_path / FILE).read_bytes()
    for cut in range(len(whole)):
        (tmp_path / FILE).write_bytes(whole[:cut])
        complete = max(whole[:cut].count(b"\n") - 1, 0)
        reviews.add_labels(tmp_path, [(LabelKey("next", "en"), "male")], labeller="bob")
        read = reviews.read_labels(tmp_path)
        ids = read.table["id"].to_list()
        assert ids[-1] == "next"
        assert ids[:-1] in ([k.id for k in keys[:complete]], [k.id for k in keys[: complete + 1]])  # "\n" alone was cut
        assert read.unreadable <= 1


def test_a_flipped_byte_costs_its_line_and_is_told(tmp_path: Path) -> None:
    for n in range(8):
        reviews.add_labels(tmp_path, [(LabelKey(f"p{n}", "en"), "female")], labeller="ann")
    whole = (tmp_path / FILE).read_bytes()
    start = whole.index(b"\n") + 1
    for seed in range(100):
        at = random.Random(seed).randrange(start, len(whole))
        (tmp_path / FILE).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        read = reviews.read_labels(tmp_path)
        assert read.unreadable >= 1
        assert read.table.height >= 6
        assert set(read.table["gender"]) == {"female"}


@pytest.mark.parametrize("number", ["65536", "99999", "-1", "²", "1e3"])
def test_a_sample_that_cannot_be_is_one_sentence(tmp_path: Path, number: str) -> None:
    line = f"p00\ten\t{number}\t0\tfemale\tann\t2026\t0\n"
    (tmp_path / FILE).write_text("id\ttarget_lang\n" + line, encoding="utf-8")
    with pytest.raises(BadInput, match="line 2 column sample"):
        reviews.load_labels(tmp_path)


def damaged(folder: Path) -> None:
    replaced = folder / "replaced.parquet"
    replaced.write_bytes(replaced.read_bytes()[:100])


def test_a_cut_table_of_replaced_verdicts_is_one_sentence_and_can_be_mended(audited: Callable[[Answer], Path]) -> None:
    folder = audited(rains)
    reviews.add_labels(folder, [(keys_of(folder)[0], "female")], labeller="ann")
    reviews.apply_labels(folder)
    damaged(folder)
    with pytest.raises(BadInput, match=r"replaced\.parquet.*score .* --detect"):
        reviews.apply_labels(folder)
    score(folder, detect=True, output=folder)
    assert by_person(reviews.apply_labels(folder)) == ["p00"]


@pytest.fixture
def desk(audited: Callable[[Answer], Path]) -> Iterator[tuple[object, Path]]:
    pytest.importorskip("starlette", reason="the serve extra is not installed")
    from starlette.testclient import TestClient

    from evenhand.report.web.app import create_app

    folder = audited(rains)
    with TestClient(create_app([folder]), base_url=HOME) as client:
        yield client, folder


def test_the_desk_says_what_happened_to_the_labels(desk: tuple[object, Path]) -> None:
    from starlette.testclient import TestClient

    client, folder = desk
    assert isinstance(client, TestClient)
    reviews.add_labels(folder, [(keys_of(folder)[0], "female")], labeller="ann")
    client.post("/review/1/apply", data={"labeller": "ann"}, headers=ORIGIN)
    with (folder / FILE).open("ab") as stream:
        stream.write(b"p01\ten\t0\t0\tfem")
    page = client.get("/review/1?labeller=ann").text
    assert "lines of labels.tsv that cannot be read (cut off, or damaged) and do not count: 1" in page
    damaged(folder)
    refused = client.post("/review/1/apply", data={"labeller": "ann"}, headers=ORIGIN)
    assert refused.status_code == 400
    assert "--detect" in refused.text
    assert "could not be updated" in client.get("/review/1?labeller=ann").text


def test_four_writers_on_one_forms_file_lose_nothing(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from evenhand.review.sheets import keep_forms
for n in range(10):
    keep_forms(Path(sys.argv[1]), [(f"nurse {sys.argv[2]}", f"form {n}", "female")])
"""
    path = tmp_path / "forms" / "es.tsv"
    writers = [subprocess.Popen([sys.executable, "-c", script, str(path), str(n)]) for n in range(4)]
    assert [writer.wait(timeout=120) for writer in writers] == [0] * 4
    assert sum(len(row["female"].split("|")) for row in rows(path)) == 40


def test_a_form_with_a_line_break_or_a_sign_of_ours_cannot_break_the_file(tmp_path: Path) -> None:
    path = tmp_path / "es.tsv"
    hostile = [("nur\nse", "enfer\tmera"), ("# nurse", "x"), ("", "y"), ("cook", "a|b")]
    assert keep_forms(path, [(concept, form, "female") for concept, form in hostile]) == 1
    assert [(row["concept"], row["female"]) for row in rows(path)] == [("nur se", "enfer mera")]
