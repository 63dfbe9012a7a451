"""A local HTTP server that speaks a translation service's wire format and misbehaves on request.

Not a mock of our code: it runs in its own thread behind a real socket on 127.0.0.1 and knows nothing of Evenhand.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Self, TypeAlias
from urllib.parse import parse_qs, urlsplit

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

KEY = "sk-live-0123456789/abc+DEF="
"""The key every server wants. It has signs that are escaped in URLs and JSON, so that no form of it slips by."""


class Denied(Exception):
    """The service's own way to say no."""

    def __init__(self, status: int, body: dict[str, Json]) -> None:
        super().__init__(status)
        self.status, self.body = status, body


class Service:
    """Subclasses give the wire format: `texts` reads a request, `reply` builds the answer, `check_key` says no.

    `trouble` holds what goes wrong with the next calls, in order: 429, 500, timeout, truncated, html, short, ...
    `asked` are the texts of every call that was answered in full. From the call after `hold_after` on, answers are held
    back until `release` is set: whoever asks is for certain in the middle of its work.
    """

    wrong_key: tuple[int, dict[str, Json]] = (401, {"message": "wrong key"})
    spent_quota: tuple[int, dict[str, Json]] = (403, {"message": "quota exceeded"})
    about: ClassVar[Mapping[str, Json]] = {}

    def __init__(self, *, key: str = KEY, delay: float = 0.0) -> None:
        self.key, self.delay = key, delay
        self.closed = False
        self.trouble: deque[str] = deque()
        self.asked: list[list[str]] = []
        self.seen: list[dict[str, str]] = []
        self.bodies: list[Json] = []
        self.times: list[float] = []
        self.hold_after: int | None = None
        self.release = threading.Event()
        self.lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), {"service": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self.closed = True
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def check_key(self, headers: Mapping[str, str], body: Json) -> None:
        raise NotImplementedError

    def texts(self, path: str, query: Mapping[str, str], body: Json) -> list[str]:
        raise NotImplementedError

    def reply(self, translations: list[str], query: Mapping[str, str], body: Json) -> Json:
        raise NotImplementedError

    def translated(self, text: str) -> str:
        return f"<{text[::-1]}>"


class Handler(BaseHTTPRequestHandler):
    """One connection to a `Service`."""

    service: Service
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        found = self.service.about.get(urlsplit(self.path).path)
        self.send(200 if found is not None else 404, found if found is not None else {"message": "not here"})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.service.closed:
            # a kept connection outlives the listening socket; a server that has gone answers on neither
            self.close_connection = True
            return
        parts = urlsplit(self.path)
        query = {k: v[0] for k, v in parse_qs(parts.query).items()}
        form = "urlencoded" in self.headers.get("Content-Type", "")
        body: Json = {k: v[0] for k, v in parse_qs(raw.decode()).items()} if form else json.loads(raw)
        with self.service.lock:
            trouble = self.service.trouble.popleft() if self.service.trouble else ""
            self.service.times.append(time.monotonic())
            self.service.seen.append({**dict(self.headers.items()), "path": self.path})
            self.service.bodies.append(body)
            held = self.service.hold_after is not None and len(self.service.bodies) > self.service.hold_after
        if held:
            self.service.release.wait()
        self.act(trouble, parts.path, query, body)

    def act(self, trouble: str, path: str, query: Mapping[str, str], body: Json) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            self.service.check_key(headers, body)
            texts = self.service.texts(path, query, body)
        except Denied as no:
            # a careless server repeats what it was sent, key and all
            echo = [f"{name}: {value}" for name, value in headers.items()]
            self.send(no.status, {**no.body, "you_sent": [*echo, json.dumps(body)]})
            return
        time.sleep(self.service.delay)
        if self.misbehaves(trouble):
            return
        translations = [self.service.translated(text) for text in texts]
        if trouble == "short":
            translations = translations[:-1]
        elif trouble == "long":
            translations.append("one too many")
        data = json.dumps(self.service.reply(translations, query, body)).encode()
        if trouble == "truncated":
            data = data[: len(data) // 2]
        elif trouble == "wrong form":
            data = b'{"unexpected": [1, 2, 3]}'
        elif trouble == "null":
            data = b"null"
        else:
            with self.service.lock:
                if not trouble:
                    self.service.asked.append(texts)
        self.send_bytes(200, data, "application/json")

    def misbehaves(self, trouble: str) -> bool:
        match trouble:
            case "429" | "503":
                self.send(int(trouble), {"message": "slow down"}, {"Retry-After": "0.2"})
            case "500" | "502":
                self.send(int(trouble), {"message": "internal error"})
            case "quota":
                self.send(*self.service.spent_quota)
            case "html":
                self.send_bytes(200, b"<html><h1>Please log in</h1></html>", "text/html")
            case "timeout":
                self.connection.settimeout(30)
                self.close_connection = True
                with suppress(OSError):
                    self.connection.recv(1)  # until the other side has given up
            case "hang":
                time.sleep(120)
            case "hang up":
                self.close_connection = True
            case "half a reply":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'{"tr')
                self.close_connection = True
            case "redirect":
                self.send(302, {}, {"Location": "http://127.0.0.1:1/elsewhere"})
            case _:
                return False
        return True

    def send(self, status: int, body: Json, headers: Mapping[str, str] | None = None) -> None:
        self.send_bytes(status, json.dumps(body).encode(), "application/json", headers)

    def send_bytes(self, status: int, data: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Tests print nothing."""


def item(body: Json, name: str) -> Json:
    return body.get(name) if isinstance(body, dict) else None


def strings(value: Json) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Denied(400, {"message": "a list of texts was expected"})
    return [str(one) for one in value]
