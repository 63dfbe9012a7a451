"""One writer at a time: between processes, between threads, after a crash, while the folder is renamed."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evenhand.errors import BadInput
from evenhand.storage.locking import one_writer

ADDS_TO_A_NUMBER = """
import sys
from pathlib import Path
from evenhand.storage.locking import one_writer
folder = Path(sys.argv[1])
for _ in range(20):
    with one_writer(folder):
        number = int((folder / "number").read_text())
        (folder / "number").write_text(str(number + 1))
"""
HOLDS_UNTIL_KILLED = """
import sys, time
from pathlib import Path
from evenhand.storage.locking import one_writer
with one_writer(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "run"
    made.mkdir()
    return made


def test_no_addition_of_three_processes_is_lost(folder: Path) -> None:
    (folder / "number").write_text("0")
    adding = [subprocess.Popen([sys.executable, "-c", ADDS_TO_A_NUMBER, str(folder)]) for _ in range(3)]
    assert [process.wait() for process in adding] == [0, 0, 0]
    assert (folder / "number").read_text() == "60"


def test_no_addition_of_two_threads_is_lost(folder: Path) -> None:
    total = [0]

    def add() -> None:
        for _ in range(20):
            with one_writer(folder):
                before = total[0]
                threading.Event().wait(0.0005)  # gives way: without the lock the other thread's addition is lost here
                total[0] = before + 1

    threads = [threading.Thread(target=add) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert total == [40]


def test_a_lock_that_is_held_is_an_error_in_one_sentence_after_the_wait_and_free_after_a_kill(folder: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDS_UNTIL_KILLED, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(BadInput, match="another process has held it"), one_writer(folder, patience=0.01):
        pass
    holder.kill()
    holder.communicate()
    with one_writer(folder, patience=0.01):
        pass


def test_the_folder_can_be_renamed_while_it_is_held(folder: Path) -> None:
    with one_writer(folder):
        folder.rename(folder.with_name("other")).rename(folder)
        with pytest.raises(BadInput, match="held"), one_writer(folder, patience=0.01):
            pass


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"absent.*cannot be written"), one_writer(tmp_path / "absent" / "run"):
        pass
