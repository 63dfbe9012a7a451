"""The translation memory as a file: what is a different question, what survives, what two processes see."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.errors import BadInput
from evenhand.systems.memory import APPLICATION, Memory, key_of
from evenhand.systems.protocol import Answer, Request

ASKED = Request("Hura medikua da.", "eu", "en", context="Ane etorri da.", sample=0, probe="p1")
words = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=5)


def test_every_part_of_a_question_makes_another_key() -> None:
    variants = [
        (ASKED, "f1"),
        (ASKED, "f2"),
        (replace(ASKED, text="Hura medikua da"), "f1"),
        (replace(ASKED, source="es"), "f1"),
        (replace(ASKED, target="es"), "f1"),
        (replace(ASKED, context=None), "f1"),
        (replace(ASKED, context=""), "f1"),
        (replace(ASKED, sample=1), "f1"),
    ]
    assert len({key_of(request, mark) for request, mark in variants}) == len(variants)


def test_the_probe_counts_only_for_systems_that_answer_by_probe() -> None:
    other = replace(ASKED, probe="p2")
    assert key_of(ASKED, "f") == key_of(other, "f")
    assert key_of(ASKED, "f", by_probe=True) != key_of(other, "f", by_probe=True)


requests = st.builds(
    Request, words, st.sampled_from(["eu", "en"]), st.just("es"), st.none() | words, st.integers(0, 2), words
)


@given(requests, requests)
def test_two_different_questions_never_share_a_key(one: Request, other: Request) -> None:
    assert (key_of(one, "f", by_probe=True) == key_of(other, "f", by_probe=True)) == (one == other)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(words, words, st.lists(words, max_size=2), st.none() | words), max_size=5))
def test_any_answer_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, list[str], str | None]]
) -> None:
    path = tmp_path_factory.mktemp("memory") / "m.db"
    stored: dict[bytes, Answer] = {}
    with Memory(path) as memory:
        for text, answer, others, refusal in rows:
            request = Request(text, "eu", "en")
            stored.setdefault(key_of(request, "f"), Answer(answer, tuple(others), refusal))
            memory.store([(key_of(request, "f"), "f", request, Answer(answer, tuple(others), refusal))])
    with Memory(path) as memory:
        assert memory.look_up([*stored, b"nobody asked me!"]) == stored
        assert len(memory) == len(stored)


def test_the_first_answer_wins_and_the_second_writer_is_told(tmp_path: Path) -> None:
    key, fresh = key_of(ASKED, "f"), replace(ASKED, text="Bai.")
    with Memory(tmp_path / "m.db") as one, Memory(tmp_path / "m.db") as two:
        assert one.store([(key, "f", ASKED, Answer("He is a doctor."))]) == {}
        rows = [(key, "f", ASKED, Answer("She is a doctor.")), (key_of(fresh, "f"), "f", fresh, Answer("Yes."))]
        assert two.store(rows)[key] == Answer("He is a doctor.")
        assert one.look_up([key, key_of(fresh, "f")]) == {
            key: Answer("He is a doctor."),
            key_of(fresh, "f"): Answer("Yes."),
        }


def test_a_row_can_be_read_by_anyone_and_keeps_its_date(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        memory.store([(key_of(ASKED, "f"), "f", ASKED, Answer("He is."))])
    with sqlite3.connect(tmp_path / "m.db") as plain:
        [(text, answer, date)] = plain.execute("SELECT text, answer, asked_at FROM answers").fetchall()
    assert (text, answer) == ("Hura medikua da.", "He is.")
    assert abs(datetime.fromisoformat(date) - datetime.now(UTC)) < timedelta(minutes=1)


def test_the_file_is_written_ahead_and_synced_in_full(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        assert memory._connection.execute("PRAGMA journal_mode").fetchone() == (b"wal",)
        assert memory._connection.execute("PRAGMA synchronous").fetchone() == (2,)


WRITER = """
import sys
from evenhand.systems.memory import Memory, key_of
from evenhand.systems.protocol import Answer, Request
who, path = sys.argv[1:]
with Memory(path) as memory:
    for n in range(300):
        request = Request(f"text {n}", "eu", "en")
        memory.store([(key_of(request, "f"), "f", request, Answer(who))])
"""


def test_two_processes_share_one_memory(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, who, str(path)]) for who in ("one", "two")]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    with Memory(path) as memory:
        assert len(memory) == 300


def test_a_memory_opens_while_another_process_changes_its_journal(tmp_path: Path) -> None:
    """SQLite answers "locked" at once here, whatever its timeout; two new runs in one second met it."""
    path = tmp_path / "m.db"
    with sqlite3.connect(path, isolation_level=None, check_same_thread=False) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("CREATE TABLE IF NOT EXISTS t (x)")
        other.execute("DROP TABLE t")
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.5, lambda: other.execute("ROLLBACK"))
        release.start()
        with Memory(path) as memory:
            assert len(memory) == 0
        release.join()


def test_a_file_that_is_no_memory_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("these are my notes, not a database\n" * 100)
    with pytest.raises(BadInput, match=r"notes\.txt.*not a database"):
        Memory(other)
    assert other.read_text().startswith("these are my notes")


def test_a_memory_of_a_later_version_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "m.db") as plain:
        plain.execute(f"PRAGMA application_id = {APPLICATION}")
        plain.execute("PRAGMA user_version = 99")
    with pytest.raises(BadInput, match="has format 99"):
        Memory(tmp_path / "m.db")


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="unable to open"):
        Memory(tmp_path)


def test_a_full_disk_is_told_and_what_was_stored_before_is_kept(tmp_path: Path) -> None:
    """SQLite's own page limit gives the very error a full disk gives, without filling one."""

    def fill(memory: Memory) -> None:
        for n in range(10_000):
            request = Request(f"{n} " + "x" * 1_000, "eu", "en")
            memory.store([(key_of(request, "f"), "f", request, Answer("y" * 1_000))])

    with Memory(tmp_path / "m.db") as memory:
        memory._connection.execute("PRAGMA max_page_count = 50")
        with pytest.raises(BadInput, match=r"m\.db.*full.*free some space"):
            fill(memory)
        stored = len(memory)
    with Memory(tmp_path / "m.db") as again:
        assert 0 < len(again) == stored
