"""A server on 127.0.0.1 that answers every request with bytes of its own, valid HTTP or not."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator
from typing import Self


class Hostile:
    """Sends `chunks` to whoever asks and counts what was taken: `sent` bytes, `asked` requests."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self.sent, self.asked = chunks, 0, 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.ended = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            try:
                _read_request(connection)
                self.asked += 1
                for chunk in self._chunks:
                    connection.sendall(chunk)
                    self.sent += len(chunk)
            except OSError:
                pass  # the client has had enough
            finally:
                self.ended.set()


def _read_request(connection: socket.socket) -> None:
    connection.settimeout(60)
    head = b""
    while b"\r\n\r\n" not in head:
        received = connection.recv(65536)
        if not received:
            raise OSError("gone")
        head += received
    head, _, body = head.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)


def reply(body: bytes = b"", *, status: str = "200 OK", length: int | None = None, **headers: str) -> bytes:
    """One HTTP reply; `headers` with _ for -."""
    told = {"Content-Length": str(len(body) if length is None else length), **headers}
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in told.items())]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def endless(start: bytes, chunk: bytes, *, times: int) -> Iterable[bytes]:
    """`start`, then `chunk` again and again; bounded, so that no fault of a client fills a disk or a night."""

    class _Body:
        def __iter__(self) -> Iterator[bytes]:
            yield start
            for _ in range(times):
                yield chunk

    return _Body()
