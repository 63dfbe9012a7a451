"""Who may see and write: other hosts, other origins, tokens, paths outside the runs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

pytest.importorskip("starlette", reason="the serve extra is not installed")
from starlette.testclient import TestClient
from tests.report.pages import HOME, ORIGIN

from evenhand.errors import BadInput
from evenhand.report.web.app import create_app
from evenhand.report.web.security import COOKIE
from evenhand.review.labels import FILE as LABELS_FILE

LABEL = {"id": "x", "target_lang": "en", "sample": "0", "candidate": "0", "gender": "f", "labeller": "ann"}


def raw_get(client: TestClient, path: bytes) -> tuple[int, bytes]:
    """Ask the app for a path as it is: a client would tidy it first."""
    said: list[MutableMapping[str, Any]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        said.append(message)

    raw, _, query = path.partition(b"?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(raw.decode()),
        "raw_path": raw,
        "query_string": query,
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8765")],
        "server": ("127.0.0.1", 8765),
        "client": ("127.0.0.1", 5),
    }
    asyncio.run(client.app(scope, receive, send))  # type: ignore[arg-type]  # an ASGI app's own coroutine
    return said[0]["status"], b"".join(m.get("body", b"") for m in said[1:])


@pytest.mark.parametrize(
    "path",
    [
        b"/static/../app.py",
        b"/static/..%2f..%2f..%2fapp.py",
        b"/static/%2e%2e/page.py",
        b"/static//etc/passwd",
        b"/run/..",
        b"/run/%2e%2e%2f%2e%2e%2fetc",
        b"/run/0",
        b"/run/99",
        b"/review/../../etc?labeller=a",
        b"/download.exe",
        b"/download.csv/../../etc/passwd",
        b"/manifest.json",
        b"//etc/passwd",
    ],
)
def test_nothing_outside_the_given_runs_can_be_reached(client: TestClient, path: bytes) -> None:
    status, body = raw_get(client, path)
    assert status == 404
    assert b"root:" not in body


def test_requests_for_another_host_name_are_refused(mixed_run: Path) -> None:
    with TestClient(create_app([mixed_run]), base_url="http://evil.example") as foreign:
        assert foreign.get("/").status_code == 421
    with TestClient(create_app([mixed_run]), base_url="http://localhost:8765") as local:
        assert local.get("/").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "http://127.0.0.1:8765.evil.example"},
        {"origin": HOME, "sec-fetch-site": "cross-site"},
    ],
)
@pytest.mark.parametrize("path", ["/review/1/label", "/review/1/undo", "/review/1/apply", "/try"])
def test_a_write_from_anywhere_else_is_refused(
    desk: tuple[TestClient, Path], path: str, headers: dict[str, str]
) -> None:
    client, folder = desk
    assert client.post(path, data=LABEL, headers=headers).status_code == 403
    assert not (folder / LABELS_FILE).exists()


def test_with_a_token_nothing_is_shown_without_it_and_no_page_holds_it(mixed_run: Path) -> None:
    token = "s3cret-token-of-the-test"
    with TestClient(create_app([mixed_run], host="0.0.0.0", token=token), base_url="http://192.168.1.5:8765") as client:
        for path in ("/", "/explore", "/static/app.js", "/?token=wrong", "/?token="):
            assert client.get(path).status_code == 403
        assert client.post("/try", headers={"origin": "http://192.168.1.5:8765"}).status_code == 403
        welcome = client.get(f"/explore?gender=male&token={token}", follow_redirects=False)
        assert (welcome.status_code, welcome.headers["location"]) == (303, "/explore?gender=male")
        cookie = welcome.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert client.cookies[COOKIE] == token
        for path in ("/", "/run/1", "/explore", "/review/1?labeller=a", "/try"):
            page = client.get(path)
            assert page.status_code == 200
            assert token not in page.text
        away = client.get(f"//evil.example/?token={token}", follow_redirects=False)
        assert not away.headers.get("location", "/").startswith("//")


def test_a_host_that_others_can_reach_gets_a_token(mixed_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import uvicorn

    from evenhand.report.web.app import serve

    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: [s.close() for s in sockets])
    said: list[str] = []
    serve([mixed_run], host="0.0.0.0", port=0, announce=said.append)
    serve([mixed_run], port=0, announce=said.append)
    assert re.fullmatch(r"http://0\.0\.0\.0:\d+/\?token=[\w-]{20,}", said[0])
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", said[1])


def test_a_port_in_use_is_an_error_that_says_what_to_do(mixed_run: Path) -> None:
    import socket

    from evenhand.report.web.app import serve

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadInput, match="choose another with --port"):
            serve([mixed_run], port=taken.getsockname()[1])


def test_a_form_that_is_too_large_or_of_another_kind_is_refused(desk: tuple[TestClient, Path]) -> None:
    client, _ = desk
    assert client.post("/review/1/label", data={"id": "x" * 200_000}, headers=ORIGIN).status_code == 400
    assert client.post("/review/1/label", json=LABEL, headers=ORIGIN).status_code == 400
