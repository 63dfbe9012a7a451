"""Memories that are damaged, foreign, old, shared by processes, or fed with what is no rendering."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.systems.servers.base import KEY
from tests.systems.servers.formats import LibreTranslateServer, OpenAIServer

import evenhand
from evenhand.errors import BadInput
from evenhand.results.runs import Run
from evenhand.storage.atomic import write_text
from evenhand.systems import Answer, Batch, Dispatcher, Memory, Request, blocking, open_system, plan
from evenhand.systems.memory import key_of
from evenhand.workflows.settings import Settings

VERSION_1 = """
CREATE TABLE IF NOT EXISTS answers (
    key          BLOB PRIMARY KEY,   -- 16 bytes, see key_of
    fingerprint  TEXT NOT NULL,
    source       TEXT NOT NULL,
    target       TEXT NOT NULL,
    context      TEXT,
    sample       INTEGER NOT NULL,
    text         TEXT NOT NULL,
    answer       TEXT NOT NULL,
    alternatives TEXT,               -- a JSON list, or NULL
    refusal      TEXT,
    date         TEXT NOT NULL       -- UTC, when the answer was stored
)
"""


def question(n: int) -> Request:
    return Request(f"text {n}", "eu", "en", context=f"context {n}" if n % 3 else None)


def answer(n: int) -> Answer:
    return Answer(f"answer number {n} é" * 3, ("other", f"ñ {n}") if n % 2 else (), None if n % 5 else "no")


ANSWERS = {key_of(question(n), "f"): answer(n) for n in range(200)}


def filled(path: Path) -> Path:
    with Memory(path) as memory:
        memory.store((key_of(question(n), "f"), "f", question(n), answer(n)) for n in range(200))
    return path


def of_version_1(path: Path) -> Path:
    """A memory as 0.1.0 and 0.2 wrote it."""
    with sqlite3.connect(path) as plain:
        plain.execute("PRAGMA journal_mode = WAL")
        plain.execute(VERSION_1)
        plain.execute("PRAGMA user_version = 1")
        for n, (key, a) in enumerate(ANSWERS.items()):
            q = question(n)
            others = json.dumps(a.alternatives, ensure_ascii=False) if a.alternatives else None
            row = (key, "f", q.source, q.target, q.context, 0, q.text, a.text, others, a.refusal, "2026-01-01T00:00:00")
            plain.execute("INSERT INTO answers VALUES (?,?,?,?,?,?,?,?,?,?,?)", row)
    plain.close()
    return path


def test_an_older_memory_keeps_every_paid_answer_and_its_date(tmp_path: Path) -> None:
    path = of_version_1(tmp_path / "m.db")
    for _ in range(2):
        with Memory(path) as memory:
            assert memory.look_up(list(ANSWERS)) == ANSWERS
            assert memory.damaged == set()
    with sqlite3.connect(path) as plain:
        assert plain.execute("SELECT DISTINCT asked_at, version FROM answers").fetchall() == [
            ("2026-01-01T00:00:00", None)
        ]


def test_a_process_that_dies_while_it_brings_a_memory_up_to_date_loses_nothing(tmp_path: Path) -> None:
    path = of_version_1(tmp_path / "m.db")
    script = (
        "import os, sys\nimport evenhand.systems.memory as m\nplain = m.checksum\nleft = 77\n"
        "def checksum(*values):\n    global left\n    left -= 1\n"
        "    return plain(*values) if left else os.kill(os.getpid(), 9)\n"
        "m.checksum = checksum\nm.opened(m.Path(sys.argv[1]))"
    )
    assert subprocess.run([sys.executable, "-c", script, str(path)], check=False).returncode == -9
    with Memory(path) as memory:
        assert memory.look_up(list(ANSWERS)) == ANSWERS


@pytest.mark.parametrize(
    "made_by", ["CREATE TABLE notes (a)", "CREATE TABLE answers (key, value)", "PRAGMA user_version=1"]
)
def test_a_database_of_another_program_is_left_as_it_is(made_by: str, tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with sqlite3.connect(path) as plain:
        plain.execute(made_by)
        plain.execute("PRAGMA application_id = 252006675" if made_by.startswith("PRAGMA") else "SELECT 1")
    plain.close()
    before = path.read_bytes()
    with pytest.raises(BadInput, match="another program"):
        Memory(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["places.sqlite"]


def test_a_flipped_byte_never_gives_a_wrong_answer(tmp_path: Path) -> None:
    whole = filled(tmp_path / "whole.db").read_bytes()
    dice = random.Random(17)
    unread = 0
    for place in [*range(0, 100, 3), *(dice.randrange(len(whole)) for _ in range(300))]:
        path = tmp_path / "m.db"
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << dice.randrange(8))]) + whole[place + 1 :])
        try:
            with Memory(path) as memory:
                got = memory.look_up(list(ANSWERS))
        except BadInput:
            unread += 1
        else:
            assert all(got[key] == ANSWERS[key] for key in got), f"byte {place}"
        for end in ("", "-wal", "-shm"):
            Path(f"{path}{end}").unlink(missing_ok=True)
    assert unread < 150  # most damage costs an answer, not the memory


@pytest.mark.parametrize(
    "damage", ["answer = 'wrong'", "answer = x'ff'", "alternatives = '[broken'", "alternatives = '[1]'"]
)
def test_a_damaged_row_is_asked_again_and_replaced(damage: str, tmp_path: Path) -> None:
    path, key = filled(tmp_path / "m.db"), next(iter(ANSWERS))
    with sqlite3.connect(path) as plain:
        plain.execute(f"UPDATE answers SET {damage} WHERE key = ?", (key,))
    with Memory(path) as memory:
        assert key not in memory.look_up(list(ANSWERS))
        assert memory.damaged == {key}
        memory.store([(key, "f", question(0), answer(0))])
    with Memory(path) as memory:
        assert memory.look_up(list(ANSWERS)) == ANSWERS
        assert memory.damaged == set()


def test_an_audit_tells_of_damage_and_asks_again(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text(f"id\tsource\np1\t{SOURCE}\n")
    system = Fickle(GOOD, "El enfermero ya ha salido del hospital.")

    def audit() -> Run:
        return evenhand.audit(
            tmp_path / "mine.tsv", system, target="es", memory=tmp_path / "m.db", settings=Settings(resamples=100)
        )

    audit()
    with sqlite3.connect(tmp_path / "m.db") as plain:
        plain.execute("UPDATE answers SET answer = replace(answer, 'a', 'o')")
    plain.close()
    again = audit()
    assert system.asked == 2
    assert again.renderings["rendering"].to_list() == ["El enfermero ya ha salido del hospital."]
    assert any("damaged in the translation memory and requested again: 1" in note for note in again.manifest.notes)
    assert not any("damaged" in note for note in audit().manifest.notes)


class Fickle:
    """Answers from a list, call after call; counts what it is asked."""

    name = fingerprint = "fickle"
    batch = Batch(texts=1)

    def __init__(self, *said: str) -> None:
        self.said, self.asked = list(said), 0

    async def translate(self, requests: list[Request]) -> list[Answer]:
        self.asked += 1
        return [Answer(self.said.pop(0))]


SOURCE = "The **nurse** has already left the hospital."
GOOD = "La enfermera ya ha salido del hospital."
NOTHING = ["", "  ", "Error: rate limit exceeded", '{"error": "model not loaded"}', "<html>502 Bad Gateway</html>"]


@pytest.mark.parametrize("said", NOTHING)
def test_what_is_no_rendering_is_told_and_not_remembered(said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text(f"id\tsource\np1\t{SOURCE}\n")
    system = Fickle(said, GOOD, "never asked for")

    def audit() -> Run:
        return evenhand.audit(
            tmp_path / "mine.tsv", system, target="es", memory=tmp_path / "m.db", settings=Settings(resamples=100)
        )

    first = audit()
    assert system.asked == 1  # within a run nothing is asked twice
    assert first.renderings["rendering"].to_list() == [said]
    assert first.verdicts["valid"].to_list() == [False]
    assert any("because they are no renderings: 1" in note for note in first.manifest.notes)
    assert audit().renderings["rendering"].to_list() == [GOOD]
    assert audit().renderings["rendering"].to_list() == [GOOD]
    assert system.asked == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Maria", "María"),
        ("OK.", "OK."),
        ("Yes.", "Sí."),
        ("Toyota", "Toyota"),
        ("Anna, 12", "Anna, 12"),
        ("Dr. No", "Dr. No"),
    ],
)
def test_names_and_short_answers_are_remembered(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text(f"id\tsource\tsource_lang\tfocus\np1\t{text}\ten\t{text}\n")
    system = Fickle(said, "never asked for")
    for _ in range(2):
        evenhand.audit(
            tmp_path / "mine.tsv", system, target="es", memory=tmp_path / "m.db", settings=Settings(resamples=100)
        )
    assert system.asked == 1


def test_reasoning_that_never_ends_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Thinking(OpenAIServer):
        def translated(self, text: str) -> str:
            return "<think>The user wants a translation of" if len(self.bodies) == 1 else f"<think>So.</think> {GOOD}"

    with Thinking() as server, Memory(tmp_path / "m.db") as memory:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        system = open_system("openai:gpt-test", base_url=f"{server.url}/v1")
        texts = [blocking(lambda: Dispatcher(system, memory).run([question(1)]))[0].text for _ in range(3)]
    assert texts == ["", GOOD, GOOD]
    assert len(server.bodies) == 2


def test_an_empty_answer_of_an_older_memory_is_asked_again_and_replaced(tmp_path: Path) -> None:
    path, request = of_version_1(tmp_path / "m.db"), question(1)
    with sqlite3.connect(path) as plain:
        plain.execute("UPDATE answers SET answer = '' WHERE text = 'text 1'")
    plain.close()
    system = Fickle("once")
    system.fingerprint = "f"

    def keeps(source: str, said: str) -> bool:
        return bool(said)

    for _ in range(2):
        with Memory(path) as memory:
            [got] = blocking(lambda m=memory: Dispatcher(system, m, keeps=keeps).run([request]))  # type: ignore[misc]
            assert got.text == "once"
            assert plan(system, [request], memory, keeps=keeps).memory_hits == 1
    assert system.asked == 1


SHARING = """
import sys
from evenhand.systems import Dispatcher, Limits, Memory, Request, blocking, open_system
url, path = sys.argv[1:]
requests = [Request(f"text {n}", "en", "es") for n in range(300)]
with Memory(path) as memory:
    system = open_system(f"libretranslate:{url}")
    answers = blocking(lambda: Dispatcher(system, memory, limits=Limits(texts=5)).run(requests))
print(hash(tuple(answer.text for answer in answers)))
"""


def sharing(server: LibreTranslateServer, path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SHARING, server.url, str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})


def test_processes_that_share_a_memory_ask_for_each_text_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    with LibreTranslateServer(delay=0.05) as server:
        processes = [sharing(server, tmp_path / "m.db") for _ in range(4)]
        said = {process.communicate(timeout=100)[0] for process in processes}
        assert [process.returncode for process in processes] == [0] * 4
        asked = [text for call in server.asked for text in call]
    assert len(said) == 1
    assert sorted(asked) == sorted(f"text {n}" for n in range(300))
    assert not list(tmp_path.glob("m.db-claims-????????????????"))


def test_the_claims_of_a_killed_process_hold_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    with LibreTranslateServer(delay=0.1) as server:
        first = sharing(server, tmp_path / "m.db")
        while len(server.asked) < 8:
            assert first.poll() is None
            time.sleep(0.005)
        second = sharing(server, tmp_path / "m.db")
        time.sleep(0.3)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        second.communicate(timeout=60)
        assert second.returncode == 0
        asked = [text for call in server.asked for text in call]
        assert set(asked) == {f"text {n}" for n in range(300)}
        # twice only what the first was asking when it died: 4 calls at once, and up to 4 more being written
        assert len(asked) <= 300 + 8 * 5


def test_a_damaged_file_of_claims_stops_nobody_and_is_made_anew(tmp_path: Path) -> None:
    claims = tmp_path / "m.db-claims"
    claims.write_bytes(b"these are no claims" * 100)
    system = Fickle("x")
    with Memory(tmp_path / "m.db") as memory:
        assert blocking(lambda: Dispatcher(system, memory).run([question(1)]))[0].text == "x"
    assert claims.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o027])
def test_files_and_folders_have_the_rights_the_user_asked_for(mask: int, tmp_path: Path) -> None:
    script = (
        "import sys, os\nfrom pathlib import Path\nimport evenhand\nfrom evenhand.storage.atomic import write_text\n"
        "from evenhand.storage.folders import write_folder\nimport polars as pl\nhere = Path(sys.argv[1])\n"
        "os.umask(int(sys.argv[2]))\n"
        "write_text(here / 'file', 'x')\nwrite_folder(here / 'folder', {'a': pl.DataFrame({'b': [1]})}, {})\n"
        "from evenhand.systems import Memory\nMemory(here / 'm.db').close()"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path), str(mask)], check=True)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes["file"] == modes["a.parquet"] == modes["manifest.json"] == 0o666 & ~mask
    assert modes["folder"] == 0o700 & ~mask, "it holds texts"
    assert modes["m.db"] & mask == 0


def test_a_file_is_written_whole_into_a_folder_of_its_own(tmp_path: Path) -> None:
    write_text(tmp_path / "new" / "file", "x")
    assert (tmp_path / "new" / "file").read_text() == "x"
