"""What a server sends back, read within limits: of size (packed and unpacked), of time, of nesting.

A server may be broken or hostile: whatever it sends ends in a value or in one sentence, never in a full memory, a
decoder of its choice or an endless read.
"""

import json
import re
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeAlias

import httpx

from evenhand.errors import BadReply
from evenhand.systems.protocol import TryAgain

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

LARGEST_PACKED = 16 * 2**20
LARGEST = 32 * 2**20
"""Bytes of one reply, as it comes over the wire and unpacked. The largest calls of any service stay below one MiB."""
PACKINGS = "gzip, deflate"
_SAID = 200
_LOOKED_AT = 50_000
# every alternative either ends at the next bracket or takes the rest: no sign is looked at twice
_MARKUP = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Reply:
    """A whole reply. `text` is UTF-8 whatever the server claims: a charset would be a decoder of its choice.

    Its repr shows nothing a careless server may have repeated (keys).
    """

    status: int
    reason: str
    headers: httpx.Headers = field(repr=False)
    data: bytes = field(repr=False)

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")

    @property
    def good(self) -> bool:
        return 200 <= self.status < 300

    def json(self) -> Json:
        """ValueError where it is none, or nested deeper than any service nests."""
        try:
            value: Json = json.loads(self.data)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        return value


def exchange(client: httpx.Client, request: httpx.Request, *, seconds: float, auth: httpx.Auth | None = None) -> Reply:
    """Send a request and read the whole reply; TimeoutError after `seconds`, however busily the server drips.

    A reply that is too large, or packed in a way we did not ask for, is a BadReply: asking again would bring it again.
    """
    end = time.monotonic() + seconds
    request.headers["Accept-Encoding"] = PACKINGS
    response = client.send(request, stream=True, auth=auth)
    try:
        content = _content(response, end)
    finally:
        response.close()
    return Reply(response.status_code, response.reason_phrase, response.headers, content)


def _content(response: httpx.Response, end: float) -> bytes:
    packed = size = 0
    pieces: list[bytes] = []
    unpack = _unpacker(response.headers.get("content-encoding", ""))
    for chunk in response.iter_raw():
        packed += len(chunk)
        piece = unpack(chunk, LARGEST + 1 - size)
        size += len(piece)
        pieces.append(piece)
        if packed > LARGEST_PACKED or size > LARGEST:
            raise BadReply(f"it answered more than {(LARGEST_PACKED if size <= LARGEST else LARGEST) // 2**20} MiB")
        if time.monotonic() > end:
            raise TimeoutError
    return b"".join(pieces)


def _unpacker(packing: str) -> Callable[[bytes, int], bytes]:
    """What unpacks gzip and deflate by pieces, never more than `room` bytes at once."""
    name = packing.strip().lower()
    if name in ("", "identity"):
        return lambda chunk, room: chunk
    bits = {"gzip": 31, "x-gzip": 31, "deflate": 15}.get(name)
    if bits is None:
        raise BadReply(f"it packed its answer as {name[:40]!r}, which we did not ask for")
    stream = zlib.decompressobj(bits)

    def unpack(chunk: bytes, room: int) -> bytes:
        try:
            return stream.decompress(chunk, room)
        except zlib.error:
            raise TryAgain(f"it answered something that is not {name}", otherwise=BadReply) from None

    return unpack


def said(text: str) -> str:
    """The start of what a server said, on one line and without markup."""
    plain = _MARKUP.sub(" ", text[:_LOOKED_AT])
    plain = "".join(c if c.isprintable() else " " for c in " ".join(plain.split()))
    return plain if len(plain) <= _SAID else plain[:_SAID] + "…"


def retry_after(value: str | None) -> float | None:
    """Seconds of a Retry-After header (a number or a date, RFC 9110); None where there is none to be read."""
    if not value:
        return None
    try:
        return max(0.0, float(value)) if float(value) < float("inf") else None
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (aware - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def texts_of(reply: Json, *path: str | int, each: tuple[str | int, ...] = (), expected: int, system: str) -> list[str]:
    """The list of `expected` strings at `path` in a reply, each at `each` in its item.

    A reply of another form, or with another number of texts, is asked for again and is a BadReply in the end.
    """
    items = dig(reply, *path)
    if not isinstance(items, list):
        where = ".".join(map(str, path)) or "the top"
        raise TryAgain(f"{system}: the reply has no list of translations at {where}", otherwise=BadReply)
    if len(items) != expected:
        raise TryAgain(f"{system}: {expected} texts were sent and {len(items)} came back", otherwise=BadReply)
    texts = [text for item in items if isinstance(text := dig(item, *each), str)]
    if len(texts) < expected:
        raise TryAgain(f"{system}: a translation in the reply is not a text", otherwise=BadReply)
    return texts


def dig(reply: Json, *path: str | int) -> Json:
    """What lies at a path of keys and indices; None where the path breaks off."""
    for step in path:
        if isinstance(reply, dict) and isinstance(step, str):
            reply = reply.get(step)
        elif isinstance(reply, list) and isinstance(step, int) and step < len(reply):
            reply = reply[step]
        else:
            return None
    return reply
