"""What once was a traceback is a sentence: charsets, numbers without end, names no disk has, callers that hang up."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest
from starlette.types import Message
from tests.command_line import evenhand

from evenhand.errors import BadInput
from evenhand.readers.opening import UserFile
from evenhand.readers.strings import open_catalogue
from evenhand.report.web.app import create_app
from evenhand.results.findings import Findings, FindingsManifest
from evenhand.results.runs import Run

DIGITS = "9" * 5_000
PLACE = "/review/1/label"
CHARSETS = ("hex", "zlib", "rot13", "undefined", "base64", "idna", "punycode", "utf-16", "x" * 99)


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_po_charset_that_is_no_charset_is_one_sentence(tmp_path: Path, charset: str) -> None:
    path = tmp_path / "a.po"
    header = f'msgid ""\nmsgstr "Content-Type: text/plain; charset={charset}\\n"\n\n'
    path.write_text(header + 'msgid "The user left."\nmsgstr "Der Benutzer ging."\n')
    with pytest.raises(BadInput, match=r"a\.po: the charset .* is unknown; convert it"):
        open_catalogue(UserFile(path))


def test_po_numbers_without_end_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.po"
    path.write_text(f'msgid ""\nmsgstr "Plural-Forms: nplurals={DIGITS};\\n"\n\nmsgid "a"\nmsgstr "b"\n')
    assert [unit.rendering for unit in open_catalogue(UserFile(path)).units] == ["b"]
    path.write_text(f'msgid "a"\nmsgid_plural "b"\nmsgstr[{DIGITS}] "c"\n')
    with pytest.raises(BadInput, match=r"a\.po line 3: neither"):
        open_catalogue(UserFile(path))


@pytest.mark.parametrize("encoding", ["undefined", "hex", "idna", "punycode"])
@pytest.mark.parametrize("name", ["a.xlf", "a.tmx"])
def test_an_xml_encoding_that_is_none_is_one_sentence(tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    path.write_text(f'<?xml version="1.0" encoding="{encoding}"?><tmx><body/></tmx>')
    with pytest.raises(BadInput, match=r"encoding|no <tu>|not XML"):
        open_catalogue(UserFile(path))


@pytest.mark.parametrize("key", ["x" * 5_000 + ".parquet", "\ud800.parquet", "a\0b.parquet", "../../x.parquet", "."])
def test_names_of_files_that_no_disk_has_do_not_end_the_reading_of_a_run(
    mixed_run: Path, tmp_path: Path, key: str
) -> None:
    folder = Run.load(mixed_run).save(tmp_path / "run").path
    assert folder is not None
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**manifest, "files": {**manifest["files"], key: "0"}}))
    done = evenhand("sentences", folder, folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_findings_without_what_their_page_needs_are_one_sentence(mixed_run: Path, tmp_path: Path) -> None:
    Findings(FindingsManifest("mining", "t", "m", {"a": "b"}), Run.load(mixed_run).estimates).save(tmp_path / "mined")
    done = evenhand("report", "mined", folder=tmp_path)
    assert done.returncode == 2
    assert "not a result of the kind mining" in done.stderr
    assert "Traceback" not in done.stderr


def asked(app: object, method: str, headers: dict[str, str], *messages: Message) -> list[Message]:
    """What the app answers to these bytes of a caller, without a client that would mend them first."""
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "path": PLACE, "raw_path": PLACE.encode(),
        "query_string": b"", "root_path": "", "scheme": "http", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
    }  # fmt: skip
    waiting, answers = list(messages), list[Message]()

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        answers.append(message)

    anyio.run(app, scope, receive, send)  # type: ignore[arg-type]  # an ASGI app
    return answers


@pytest.mark.parametrize("token", [None, "abc"])
@pytest.mark.parametrize("host", ["[", "[::1", "]", "[x]", "a b", "\x00"])
def test_a_host_that_is_none_is_refused(mixed_run: Path, host: str, token: str | None) -> None:
    app = create_app([mixed_run], token=token)
    done: Message = {"type": "http.request", "body": b"", "more_body": False}
    assert asked(app, "GET", {"Host": host}, done)[0]["status"] in (403, 421)
    answer = asked(app, "POST", {"Host": "127.0.0.1:8000", "Origin": f"http://{host}"}, done)[0]
    assert answer["status"] == 403


def test_a_caller_that_hangs_up_in_the_middle_of_a_form_ends_nothing(mixed_run: Path) -> None:
    app = create_app([mixed_run])
    own = {"Host": "127.0.0.1:8000", "Origin": "http://127.0.0.1:8000"}
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": "1000"}
    begun: Message = {"type": "http.request", "body": b"gender=fem", "more_body": True}
    gone: Message = {"type": "http.disconnect"}
    assert not asked(app, "POST", own | kind, begun, gone)
