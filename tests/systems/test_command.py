"""Real programs of every Unix machine as translators."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path

import pytest

from evenhand.errors import BadInput, BadReply, SystemFailed
from evenhand.systems import open_system, translate
from evenhand.systems.protocol import Request

TEXTS = ["one", "two words", "Ünïcödé \u2028 ok", "last"]


def run(command: str, texts: list[str] = TEXTS) -> list[str]:
    return translate(f"command:{command}", texts, source="en", target="es")


def test_lines_go_through_a_program_in_order() -> None:
    assert run("cat") == TEXTS


def test_pipes_need_no_script() -> None:
    assert run("cat | tr a-z A-Z", ["abc", "def"]) == ["ABC", "DEF"]


def test_the_languages_can_be_put_into_the_command() -> None:
    assert run("sed s/^/{source}-{target}:/", ["x"]) == ["en-es:x"]


def test_a_line_break_in_a_text_does_not_make_two_texts() -> None:
    assert run("cat", ["a\nb", "c"]) == ["a b", "c"]


def test_a_different_number_of_lines_is_an_error_that_names_both_counts() -> None:
    with pytest.raises(BadReply, match="1 lines and wrote 2"):
        run("sed p")


def test_no_output_at_all_is_counted_as_none() -> None:
    with pytest.raises(BadReply, match="1 lines and wrote 0"):
        run("cat > /dev/null")


def test_a_failing_program_is_quoted() -> None:
    with pytest.raises(SystemFailed, match=r"exit code 3: no model"):
        run("echo no model >&2; exit 3")


def test_a_program_that_is_not_there_is_wrong_use() -> None:
    with pytest.raises(BadInput, match="no program 'qwertyuiop'"):
        open_system("command:qwertyuiop --x")


def test_output_that_is_not_utf8_is_an_error_with_its_line() -> None:
    with pytest.raises(BadReply, match="not UTF-8 in line 1"):
        run(r"printf '\377\n'", ["x"])


def test_an_edited_script_is_another_system(tmp_path: Path) -> None:
    script = tmp_path / "translate.py"
    script.write_text("import sys; sys.stdout.write(sys.stdin.read())")
    spec = f"command:{sys.executable} {script}"
    before = open_system(spec).fingerprint
    assert open_system(spec).fingerprint == before
    script.write_text("import sys; sys.stdout.write(sys.stdin.read().upper())")
    assert open_system(spec).fingerprint != before


async def given_up(command: str) -> None:
    call = asyncio.create_task(open_system(f"command:{command}").translate([Request("egy", "hu", "en")]))
    await asyncio.sleep(0.03)
    call.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await call


@pytest.mark.parametrize("command", ["sleep 20", "sleep 20 | cat"])
def test_a_program_that_is_given_up_ends_without_a_word_of_the_event_loop(
    command: str, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(15):  # which of two threads hears of the end first is chance
        asyncio.run(asyncio.wait_for(given_up(command), 20))
    assert caplog.messages == []
