"""Suite files that try to become shell lines, and programs that misbehave."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import evenhand
from evenhand.errors import BadInput, BadReply
from evenhand.systems import Request, open_system, translate

SHOW = f"{sys.executable} -c 'import sys; sys.stdin.read(); print(sys.argv[1:])'"
SPECS = ("command:cat | sed s/x/{source}/", "command:sed s/x/{source}/", "command:sh -c 'cat # {source}'")
CODES = (
    "$(touch PWNED)",
    "x/;e touch PWNED;s/",
    "`touch PWNED`",
    "en; touch PWNED",
    "a b",
    "-n",
    "en\ntouch PWNED",
    "",
)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("code", CODES)
def test_a_source_language_that_is_a_command_never_runs(
    spec: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="language"):
        translate(spec, ["x"], source=code, target="es")
    assert not (tmp_path / "PWNED").exists()


def test_a_suite_file_cannot_start_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.tsv").write_text("id\tsource\tsource_lang\np1\tHura medikua da.\t$(touch PWNED)\n")
    with pytest.raises(BadInput, match="language"):
        evenhand.audit("mine.tsv", "command:cat | sed s/x/{source}/", target="en", memory=tmp_path / "m.db")
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize(
    ("line", "source", "said"),
    [
        ("sed s/x/{source}/", "a b", "a b"),
        ("cat | sed s/x/{source}/", "$(touch PWNED)", "$(touch PWNED)"),
        ("cat | sed 's/x/{source}/'", "$(touch PWNED)", "$(touch PWNED)"),
        ('cat | sed "s/x/{source}/"', "$(touch PWNED)", "$(touch PWNED)"),
        ("cat | sed 's/x/'\"{source}\"'/'", "`touch PWNED`", "`touch PWNED`"),
        ("cat | sed s/x/it\\'s-{source}/", ";touch PWNED", "it's-;touch PWNED"),
        (f"{SHOW} {{source}} '{{target}}' # |", "; touch PWNED", "['; touch PWNED', '$HOME']"),
        (f"{SHOW} --from={{source}}", "'\"", "['--from=\\'\"']"),
    ],
)
async def test_what_stands_for_a_language_stays_one_argument_whatever_the_quotes_around_it(
    line: str, source: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second wall: below the check of codes, a hostile value is still only text of one argument."""
    monkeypatch.chdir(tmp_path)
    [answer] = await open_system(f"command:{line}").translate([Request("x", source, "$HOME")])
    assert answer.text == said
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize("stream", ["", " >&2"])
def test_a_program_that_never_stops_writing_is_left(stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenhand.systems.command.LARGEST", 2**22)
    with pytest.raises(BadReply, match="more than 4 MiB"):
        translate(f"command:yes{stream}", ["x"], source="en", target="es")


def test_a_program_that_does_not_read_its_input_is_told_by_its_lines() -> None:
    with pytest.raises(BadReply, match=r"was given \d+ lines and wrote 1"):
        translate("command:echo x", [f"{n} " + "x" * 100 for n in range(20_000)], source="en", target="es")


@pytest.mark.parametrize("code", ["xx", "EG", "qq-Latn"])
def test_a_code_of_two_letters_that_is_no_language_is_refused_before_anything_starts(code: str, tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text(f"id\tsource\tsource_lang\np1\tHura medikua da.\t{code}\n")
    for source, target in ((code, "es"), ("en", code)):
        with pytest.raises(BadInput, match="unknown code of a language"):
            translate("command:touch PWNED", ["x"], source=source, target=target)
    with pytest.raises(BadInput, match="unknown code of a language"):
        evenhand.audit(tmp_path / "mine.tsv", "command:touch PWNED", target="en", memory=tmp_path / "m.db")


def test_codes_people_write_are_let_through() -> None:
    for code in ("en", "EN", "pt_BR", "por_Latn", "zh-Hant", "sr-Latn-RS", "tlh", "am", "iw", "sh", "lb"):
        assert translate("command:sed s/^/{source}:/", ["x"], source=code, target="es") == [f"{code}:x"]
